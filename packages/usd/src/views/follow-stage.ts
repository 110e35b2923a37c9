import type { Stage } from '../usd/stage.ts';

/** Something that computes values of a stage once and keeps them. */
export interface StageCache {
	/** Forgets everything. */
	clear(): void;
}

/**
 * Keeps a cache in step with a stage: it is cleared after every edit, load, unload and muting, until the returned function is called.
 *
 * ```ts
 * const transforms = new XformCache();
 * const stop = followStage(stage, transforms);
 * ```
 *
 * What was read from the cache before is not changed. Without this the owner of a cache has to `clear` it after edits.
 */
export function followStage(stage: Stage, ...caches: readonly StageCache[]): () => void {
	return stage.onChange(() => {
		for (const cache of caches) cache.clear();
	});
}
