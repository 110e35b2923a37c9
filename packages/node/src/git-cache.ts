import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { quote } from '@manyworlds/core';
import type { GitSource } from '@manyworlds/scene';
import { displayRepo, refuseGitSource } from '@manyworlds/scene/internal';
import type { NodeCode } from './diagnostics.ts';
import { isFullHash, repoKey, sparseFolders } from './git-folders.ts';
import { type GitResult, runGit } from './run-git.ts';

/** Where a source was checked out, or why it could not be. @public */
export type GitCheckoutResult =
	| {
			/** The root of the checkout: an absolute path. */
			readonly folder: string;
			/** The file, below `folder`: an absolute path. */
			readonly file: string;
	  }
	| { readonly code: NodeCode; readonly message: string };

/** Options of {@link GitCache}. @public */
export interface GitCacheOptions {
	/** `SAP_WARP_ASSET_CACHE`, `SAP_WARP_ASSET_OFFLINE`, the home folder, and what git itself reads. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Folder that local repositories are relative to. */
	readonly cwd: string;
	/** Told before something is fetched. */
	readonly onFetch?: (what: string) => void;
}

/**
 * Sparse checkouts of repositories in a folder that outlives the process: `git/REPO/REV` below `SAP_WARP_ASSET_CACHE`, else
 * below `~/.cache/sap_warp/assets`, the layout of the reference. A file that is there is used without git and without a
 * network. What is fetched appears under its name when it is complete, so that any number of processes may share the cache. @public
 */
export class GitCache {
	/** Folder of the cache. */
	readonly root: string;
	readonly isOffline: boolean;
	readonly #options: GitCacheOptions;

	constructor(options: GitCacheOptions) {
		const { env, cwd } = options;
		this.#options = options;
		const home = env['HOME'] || env['USERPROFILE'] || homedir();
		const given = env['SAP_WARP_ASSET_CACHE'] ?? '';
		this.root = given === '' ? join(home, '.cache', 'sap_warp', 'assets') : resolve(cwd, given);
		this.isOffline = /^(?:1|true|yes|on)$/i.test((env['SAP_WARP_ASSET_OFFLINE'] ?? '').trim());
	}

	/** Finds a file of a repository, fetching it when it is not there. */
	checkout(source: GitSource): GitCheckoutResult {
		const refusal = refuseGitSource(source);
		if (refusal !== undefined) return { code: 'GIT001', message: refusal.message };
		const folder = join(this.root, 'git', repoKey(source.repo), ...source.rev.split('/'));
		const file = join(folder, source.path);
		if (!existsSync(file) || (!this.isOffline && lacksFolders(source, folder))) {
			const failed = this.#provide(source, folder, file);
			if (failed !== undefined) return failed;
		}
		return verifyHead(source, folder) ?? verifyInside(source, folder, file) ?? { folder, file };
	}

	/** Makes the file be there; gives what was in the way. */
	#provide(source: GitSource, folder: string, file: string): GitCheckoutResult | undefined {
		const name = `${displayRepo(source.repo)}@${source.rev}`;
		if (this.isOffline) {
			const message = `${quote(`${name}:${source.path}`, 300)} is not in the cache ${quote(this.root, 300)}, and SAP_WARP_ASSET_OFFLINE forbids to fetch it`;
			return { code: 'GIT003', message };
		}
		if (existsSync(folder) && !existsSync(join(folder, '.git'))) {
			const message = `the cached folder ${quote(folder, 300)} was filled by hand (it has no .git) and has no ${quote(source.path, 300)}; add it, or remove the folder to have it fetched`;
			return { code: 'GIT005', message };
		}
		this.#options.onFetch?.(`fetching ${name}`);
		try {
			const failed = existsSync(folder) ? undefined : this.#fetch(source, folder, name);
			if (failed !== undefined) return failed;
			if (!existsSync(file) || lacksFolders(source, folder)) {
				const widened = this.#widen(source, folder, name);
				if (widened !== undefined) return widened;
			}
		} catch (error) {
			return { code: 'GIT004', message: `${quote(name, 300)} cannot be stored: ${(error as Error).message}` };
		}
		if (existsSync(file)) return undefined;
		return { code: 'GIT005', message: `${quote(name, 300)} has no file ${quote(source.path, 300)}` };
	}

	/** Checks the source out beside its place and moves it there. */
	#fetch(source: GitSource, folder: string, name: string): GitCheckoutResult | undefined {
		const parent = dirname(folder);
		mkdirSync(parent, { recursive: true });
		const temporary = mkdtempSync(join(parent, '.fetching-'));
		try {
			const git = (args: readonly string[], input?: string): string => this.#git(temporary, args, input);
			const repo = isLocalFolder(source.repo) ? resolve(this.#options.cwd, source.repo) : source.repo;
			// templates would bring hooks
			git(['init', '--quiet', '--template=']);
			git(['remote', 'add', '--', 'origin', repo]);
			git(['fetch', '--quiet', '--depth=1', '--filter=blob:none', '--no-tags', '--', 'origin', source.rev]);
			const commit = git(['rev-parse', '--verify', '--quiet', 'FETCH_HEAD^{commit}']);
			if (isFullHash(source.rev) && commit !== source.rev.toLowerCase())
				throw new GitFailure('GIT006', `came as commit ${commit}, expected the one that was asked for`);
			git(['sparse-checkout', 'set', '--cone', '--stdin'], lines(sparseFolders(source)));
			git(['checkout', '--quiet', '--detach', commit, '--']);
			moveIntoPlace(temporary, folder);
			return undefined;
		} catch (error) {
			return explain(error, name, source.rev);
		} finally {
			rmSync(temporary, { recursive: true, force: true });
		}
	}

	/** Adds folders to a checkout that is there; git's own lock keeps two processes apart. */
	#widen(source: GitSource, folder: string, name: string): GitCheckoutResult | undefined {
		try {
			this.#git(folder, ['sparse-checkout', 'add', '--stdin'], lines(sparseFolders(source)));
			return undefined;
		} catch (error) {
			return explain(error, name, source.rev);
		}
	}

	#git(folder: string, args: readonly string[], input?: string): string {
		for (let attempt = 0; ; attempt++) {
			const result: GitResult = runGit(folder, args, {
				env: this.#options.env,
				...(input !== undefined && { input }),
			});
			if ('output' in result) return result.output;
			if (result.isMissing) throw new GitFailure('GIT002', result.failure);
			// another process is at work in the same checkout
			if (!/\.lock': File exists/.test(result.failure) || attempt === LOCK_ATTEMPTS)
				throw new GitFailure('GIT004', result.failure);
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT);
		}
	}
}

/** Tries for, and time between tries for, a checkout that another process has locked [ms]. */
const LOCK_ATTEMPTS = 100;
const LOCK_WAIT = 100;

/** A step of a checkout that did not succeed. */
class GitFailure extends Error {
	readonly code: NodeCode;

	constructor(code: NodeCode, message: string) {
		super(message);
		this.code = code;
	}
}

function explain(error: unknown, name: string, rev: string): GitCheckoutResult {
	if (!(error instanceof GitFailure)) throw error;
	const shown = quote(name, 300);
	if (error.code === 'GIT002') return { code: error.code, message: `${shown} cannot be fetched: ${error.message}` };
	if (error.code === 'GIT006') return { code: error.code, message: `${shown} ${error.message}` };
	const isShort = /^[0-9a-f]{4,39}$/i.test(rev);
	const hint = isShort ? '; a hash must have all of its 40 digits' : '';
	return { code: error.code, message: `${shown} cannot be fetched: ${quote(error.message, 300)}${hint}` };
}

/** Whether a checkout was made for other folders than a source names: its file may be there, and its meshes not. */
function lacksFolders(source: GitSource, folder: string): boolean {
	let patterns: string[];
	try {
		patterns = readFileSync(join(folder, '.git', 'info', 'sparse-checkout'), 'utf8').split('\n');
	} catch {
		// a whole checkout, or one that was filled by hand
		return false;
	}
	// a cone names each folder as /folder/ and leaves those above it at their files
	const isIn = (name: string): boolean => patterns.includes(`/${name}/`) && !patterns.includes(`!/${name}/*/`);
	return sparseFolders(source).some((name) => {
		const above = name.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));
		return !above.some(isIn);
	});
}

/** Renames a finished checkout; one that another process has put there meanwhile stays. */
function moveIntoPlace(temporary: string, folder: string): void {
	try {
		renameSync(temporary, folder);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw error;
		if (!existsSync(join(folder, '.git'))) throw error;
	}
}

/** Compares the commit that a checkout is at with the one that was asked for. A folder that was filled by hand has none. */
function verifyHead({ repo, rev }: GitSource, folder: string): GitCheckoutResult | undefined {
	if (!isFullHash(rev) || !existsSync(join(folder, '.git'))) return undefined;
	let head = '';
	try {
		head = readFileSync(join(folder, '.git', 'HEAD'), 'utf8').trim();
	} catch {
		// a .git without a HEAD is at no commit
	}
	if (head.toLowerCase() === rev.toLowerCase()) return undefined;
	const message = `the cached checkout ${quote(folder, 300)} is at ${quote(head)}, expected commit ${rev} of ${quote(displayRepo(repo), 300)}; remove the folder to have it fetched again`;
	return { code: 'GIT006', message };
}

/** A link in a repository may lead to another file of it, nowhere else. */
function verifyInside({ path }: GitSource, folder: string, file: string): GitCheckoutResult | undefined {
	const [root, real] = [realpathSync(folder), realpathSync(file)];
	if (real.startsWith(root + sep) && !real.startsWith(join(root, '.git') + sep)) return undefined;
	return { code: 'GIT001', message: `path is ${quote(path, 300)}: a link leads it out of the repository` };
}

function isLocalFolder(repo: string): boolean {
	// an address has a protocol, or a host before the first colon
	return !/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(repo) && !/^[^/]+:/.test(repo);
}

function lines(entries: readonly string[]): string {
	return entries.map((entry) => `${entry}\n`).join('');
}
