import type { GitSource } from '@manyworlds/scene';

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
