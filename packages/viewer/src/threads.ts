/** Starts the thread that reads assets; a name tells threads apart. */
export function makeAssetThread(name: string): Worker {
	return new Worker(new URL('./asset/asset-worker.ts', import.meta.url), { type: 'module', name });
}

/** Starts the thread that simulates. */
export function makeSimulationThread(name: string): Worker {
	return new Worker(new URL('./simulation/simulation-worker.ts', import.meta.url), { type: 'module', name });
}

/** Starts the thread that knows languages. */
export function makeLanguageThread(): Worker {
	return new Worker(new URL('./language/language-worker.ts', import.meta.url), { type: 'module' });
}
