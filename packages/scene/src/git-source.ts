/** A file in a git repository, checked to be safe to hand to git. @public */
export interface GitSource {
	readonly repo: string;
	/** Commit, tag or branch. */
	readonly rev: string;
	/** Path of the asset inside of the repository. */
	readonly path: string;
	/** Folders to check out; the folder of `path` when the scene names none. */
	readonly sparse: readonly string[];
}

/** Why a git source cannot be used: something is missing or of the wrong type, or it is unsafe. */
export type GitSourceFault = { readonly kind: 'invalid' | 'unsafe'; readonly reason: string; readonly key?: string };

/** Reads `source.git` of a scene. Nothing is run here. */
export function readGitSource(value: Readonly<Record<string, unknown>>): GitSource | GitSourceFault {
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
	const sparse = folders === undefined ? [folderOf(path!)] : (folders as string[]);
	return (
		unsafe(repo!, rev!, path!, sparse) ?? { repo: repo!, rev: rev!, path: normal(path!), sparse: sparse.map(normal) }
	);
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

/** `https://host/…`, `ssh://`, `git://`, `file://`, `user@host:path`, or a path. Not `ext::command` and its like. */
const REPOSITORY =
	/^(?:(?:https?|ssh|git|file):\/\/|[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:|\.{0,2}\/|[A-Za-z]:[\\/]|[A-Za-z0-9_.])/;

const REVISION = /^[A-Za-z0-9_][A-Za-z0-9_.+/@{}^~-]*$/;

function unsafe(repo: string, rev: string, path: string, sparse: readonly string[]): GitSourceFault | undefined {
	const fault = (key: string, reason: string): GitSourceFault => ({ kind: 'unsafe', key, reason });
	const isTransport = /^[A-Za-z0-9+.-]+::/.test(repo);
	if (repo.startsWith('-') || hasControl(repo) || isTransport || !REPOSITORY.test(repo)) {
		return fault('repo', `source.git.repo must be the address or path of a repository, got ${repo}.`);
	}
	if (!REVISION.test(rev) || rev.includes('..')) {
		return fault('rev', `source.git.rev must be a commit, tag or branch, got ${rev}.`);
	}
	for (const [key, name] of [['path', path] as const, ...sparse.map((folder) => ['sparse', folder] as const)]) {
		if (!isInside(name, key === 'sparse')) {
			return fault(key, `source.git.${key} must be a relative path inside the asset repo, got ${name}.`);
		}
	}
	return undefined;
}

/** Whether a path stays inside of the folder that it starts in. */
function isInside(path: string, allowsRoot: boolean): boolean {
	if (path.startsWith('-') || hasControl(path) || /^[\\/]|^[A-Za-z]:/.test(path)) return false;
	const parts = path.split(/[\\/]/);
	if (parts.some((part) => part === '..' || part.startsWith('-') || part.toLowerCase() === '.git')) return false;
	return allowsRoot || parts.some((part) => part !== '' && part !== '.');
}

function hasControl(text: string): boolean {
	return /\p{Cc}/u.test(text);
}

/** Without `.` and empty parts; `.` for the root. */
function normal(path: string): string {
	const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
	return parts.length === 0 ? '.' : parts.join('/');
}

function folderOf(path: string): string {
	const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
	return end < 0 ? '.' : path.slice(0, end);
}
