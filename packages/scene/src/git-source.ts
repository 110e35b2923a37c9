import { quote } from '@manyworlds/core';

/** A file in a git repository, as `source.git` of a scene names it (seed 001, Asset Sources). @public */
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

/** Why a git source cannot be used: something is missing or of the wrong type, or it is unsafe. */
export type GitSourceFault = { readonly kind: 'invalid' | 'unsafe'; readonly reason: string; readonly key?: string };

/** Reads `source.git` of a scene. Nothing is run here. */
export function readGitSource(
	value: Readonly<Record<string, unknown>>,
): (GitSource & { readonly sparse: readonly string[] }) | GitSourceFault {
	const repo = textOf(value['repo']);
	const rev = textOf(value['rev']);
	const path = textOf(value['path']);
	for (const [key, text] of Object.entries({ repo, rev, path })) {
		if (text === undefined) return { kind: 'invalid', reason: `source.git.${key} must be text.`, key };
		if (text === '') return { kind: 'invalid', reason: `source.git.${key} is required.`, key };
	}
	const folders = value['sparse'] === undefined || value['sparse'] === null ? undefined : listOf(value['sparse']);
	if (folders !== undefined && (folders.length === 0 || folders.includes(undefined))) {
		return { kind: 'invalid', reason: 'source.git.sparse must be a path or a list of paths.', key: 'sparse' };
	}
	const file = normal(path!);
	const source = {
		repo: repo!,
		rev: rev!,
		path: file,
		sparse: folders === undefined ? [folderOf(file)] : folders.map((folder) => normal(folder!)),
	};
	const refusal = refuseGitSource(source);
	if (refusal === undefined) return source;
	const { key, value: found } = refusal;
	// the words of SAP Warp where it refuses the same
	return { kind: 'unsafe', key, reason: `source.git.${key} must be ${EXPECTED[key]}, got ${found}.` };
}

/** A part of a git source that must not be given to git. */
export interface GitRefusal {
	readonly key: 'repo' | 'rev' | 'path' | 'sparse';
	readonly value: string;
	/** What is wrong, in a sentence that names the part. */
	readonly message: string;
}

/**
 * Why a source must not be given to git; undefined when it may. Nothing is executed or looked up to find that out. Scene files and
 * checkouts go through this one gate.
 */
export function refuseGitSource({ repo, rev, path, sparse = [] }: GitSource): GitRefusal | undefined {
	const parts = [
		['repo', repo, refuseRepo(repo)] as const,
		['rev', rev, refuseRev(rev)] as const,
		['path', path, refusePath('path', path)] as const,
		...sparse.map((entry) => ['sparse', entry, refusePath('sparse', entry)] as const),
	];
	const found = parts.find(([, , message]) => message !== undefined);
	return found && { key: found[0], value: found[1], message: found[2]! };
}

/** The address as messages show it: without a password. */
export function displayRepo(repo: string): string {
	return repo.replace(/^([a-z+]+:\/\/[^/@:]*):[^/@]*@/i, '$1:…@');
}

const EXPECTED: Readonly<Record<GitRefusal['key'], string>> = {
	repo: 'the address or path of a repository',
	rev: 'a commit, tag or branch',
	path: 'a relative path inside the asset repo',
	sparse: 'a relative path inside the asset repo',
};

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
	if (/^[^A-Za-z0-9_.-]*\.{1,2}[^A-Za-z0-9_.-]*$/.test(repo)) return `${shown}: it has no name of its own in the cache`;
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
	const parts = path.replace(/\/$/, '').split('/');
	if (parts.some((part) => part.startsWith('-')))
		return `${shown}: it starts with a dash and would be taken for an option`;
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

function textOf(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	// a revision of digits is a number for YAML
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? value.trim() : undefined;
}

function listOf(value: unknown): (string | undefined)[] {
	return (Array.isArray(value) ? value : [value]).map((item) => textOf(item) || undefined);
}

/** Without `.` and empty parts; `.` for the root. What is absolute stays so. */
function normal(path: string): string {
	const parts = path.split('/').filter((part, i) => (part !== '' || i === 0) && part !== '.');
	return parts.length === 0 ? '.' : parts.join('/') || '/';
}

function folderOf(path: string): string {
	return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
}
