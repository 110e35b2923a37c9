import { quote } from '@manyworlds/core';

/** A file in a repository, as `source.git` of a scene names it (seed 001, Asset Sources). */
export interface GitSource {
	/** Address: https, ssh, git or file, `user@host:path`, or a local folder. */
	readonly repo: string;
	/** Full hash of a commit, or a branch or tag. */
	readonly rev: string;
	/** File inside of the repository. */
	readonly path: string;
	/** Folders to check out; the folder of `path` unless given. */
	readonly sparse?: readonly string[];
}

/** Why a source must not be given to git; undefined when it may. Nothing is executed or looked up to find that out. */
export function refuseGitSource(source: GitSource): string | undefined {
	const { repo, rev, path, sparse = [] } = source;
	const refusals = [
		refuseRepo(repo),
		refuseRev(rev),
		refusePath('path', path),
		...sparse.map((entry) => refusePath('sparse', entry)),
	];
	return refusals.find((refusal) => refusal !== undefined);
}

/** Whether a revision is the full hash of a commit, which can never come to mean something else. */
export function isFullHash(rev: string): boolean {
	return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(rev);
}

/** The folder of a repository in the cache; the reference makes the same name, so that caches can be shared. */
export function repoKey(repo: string): string {
	return repo.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '') || 'repo';
}

/** The folders to check out: those given and the one of the file, without repetition. */
export function sparseFolders({ path, sparse = [] }: GitSource): string[] {
	const own = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
	const folders = [...sparse.map((entry) => entry.replace(/\/+$/, '')), own];
	return [...new Set(folders)].filter((folder) => folder !== '' && folder !== '.');
}

/** The address as messages show it: without a password. */
export function displayRepo(repo: string): string {
	return repo.replace(/^([a-z+]+:\/\/[^/@:]*):[^/@]*@/i, '$1:…@');
}

const PROTOCOLS = 'https://, ssh://, git:// or file://, user@host:path, or a local folder';

function refuseRepo(repo: string): string | undefined {
	const shown = `repo is ${quote(displayRepo(repo))}`;
	if (repo.trim() === '') return `repo is empty, expected ${PROTOCOLS}`;
	if (repo.startsWith('-')) return `${shown}: it starts with a dash and would be taken for an option`;
	if (hasControl(repo)) return `${shown}: it has a control character`;
	const protocol = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(repo)?.[1]?.toLowerCase();
	if (protocol !== undefined && !['https', 'ssh', 'git', 'file'].includes(protocol))
		return `${shown}: protocol ${protocol} is not used, expected ${PROTOCOLS}`;
	// transports of the form helper::address run a program that the address names
	if (/^[A-Za-z0-9+.-]+::/.test(repo)) return `${shown}: remote helpers are not used, expected ${PROTOCOLS}`;
	const host =
		protocol === undefined
			? /^(?:[^/@:]+@)?([^/:]+):/.exec(repo)?.[1]
			: /^[^/]*\/\/(?:[^/@]*@)?([^/]*)/.exec(repo)?.[1];
	if (host?.startsWith('-')) return `${shown}: its host starts with a dash and would be taken for an option`;
	if (/^\.{1,2}$/.test(repoKey(repo))) return `${shown}: it has no name of its own in the cache`;
	return undefined;
}

function refuseRev(rev: string): string | undefined {
	if (rev.trim() === '') return 'rev is empty, expected the hash of a commit, a branch or a tag';
	const parts = rev.split('/');
	const isName =
		/^[A-Za-z0-9_][A-Za-z0-9_.+/-]*$/.test(rev) &&
		!rev.includes('..') &&
		parts.every(
			(part) => part !== '' && !part.startsWith('.') && !part.startsWith('-') && !/(?:\.|\.lock)$/.test(part),
		);
	return isName
		? undefined
		: `rev is ${quote(rev)}, expected the hash of a commit, a branch or a tag: letters, digits and _ . + - / that start with a letter, a digit or _`;
}

function refusePath(key: string, path: string): string | undefined {
	const shown = `${key} is ${quote(path)}`;
	const expected = 'expected a relative path with forward slashes inside of the repository';
	if (path === '') return `${key} is empty, ${expected}`;
	if (hasControl(path) || /["\\]/.test(path)) return `${shown}: ${expected}, without quotes or control characters`;
	if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return `${shown}: it is absolute, ${expected}`;
	if (path.startsWith('-')) return `${shown}: it starts with a dash and would be taken for an option`;
	const parts = path.replace(/\/$/, '').split('/');
	if (parts.includes('..')) return `${shown}: it leads out of the repository, ${expected}`;
	// other spellings of .git reach the same folder on some file systems
	if (parts.some((part) => /^(?:\.git|git~1)[ .]*$/i.test(part))) return `${shown}: git's own folder is not read`;
	const isWhole = key === 'sparse' && path === '.';
	if (!isWhole && parts.some((part) => part === '' || part === '.')) return `${shown}: ${expected}`;
	return undefined;
}

function hasControl(text: string): boolean {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
	return /[\u0000-\u001f\u007f]/.test(text);
}
