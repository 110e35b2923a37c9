import type { CodeHelp } from '@manyworlds/core/internal';
import type { GIT_CODES } from '../git.ts';

/** What to do about the codes of assets that come from git repositories. */
export const GIT_HELP: Readonly<Record<keyof typeof GIT_CODES, CodeHelp>> = {
	GIT001: {
		title: 'Git source refused',
		help: 'The address, revision or path could make git or the file system do something else than fetch one file of a repository: it starts with a dash, leads out of the repository, has control characters, or names a protocol other than https, ssh, git and file. Nothing was executed.',
	},
	GIT002: {
		title: 'Git is not installed',
		help: 'The asset comes from a git repository and is not in the cache. Install `git`, or put the checkout into the cache folder by hand: `git/REPO/REV` below `SAP_WARP_ASSET_CACHE`, else below `~/.cache/sap_warp/assets`.',
	},
	GIT003: {
		title: 'Git asset not in the cache',
		help: 'The variable `SAP_WARP_ASSET_OFFLINE` forbids to fetch, and the asset was never fetched before. Run once without the variable while the repository can be reached.',
	},
	GIT004: {
		title: 'Git asset cannot be fetched',
		help: 'The repository cannot be reached, or it has no such revision; the message has the words of git. A revision is the full hash of a commit, a branch or a tag.',
	},
	GIT005: {
		title: 'No such file in the repository',
		help: 'The revision was fetched and has no file at the path. Paths are relative to the root of the repository; folders that the file needs besides its own belong into `sparse`.',
	},
	GIT006: {
		title: 'Checkout is at another commit',
		help: 'What is in the cache, or what the server sent, is not the commit that the scene names, so it is not used. Remove the folder from the cache to have it fetched again.',
	},
};
