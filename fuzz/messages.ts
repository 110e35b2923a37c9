import type { FuzzOptions } from './fuzz-case.ts';

/** A case may take this much time of the processor. The process does nothing else, so its time is that of the case. */
export const TIME_LIMIT_MS = 2000;
/** A case that has not ended after this long, whatever else the machine does, hangs. */
export const PATIENCE_MS = 30_000;
/** A case may take this much memory. */
export const MEMORY_LIMIT_MB = 512;

/** Given to a worker when it starts. */
export interface WorkerSetup {
	readonly options: FuzzOptions;
	/** The case at work, or -1, and the number of cases with errors so far. The watchdog reads them while the worker is busy. */
	readonly progress: SharedArrayBuffer;
}

/** Cases of one group, from `from` up to `to`, without it. */
export interface Job {
	readonly group: string;
	readonly from: number;
	readonly to: number;
}

/** A case that did not end as it must. */
export interface Failure {
	readonly group: string;
	readonly index: number;
	readonly reason: string;
}

/** What a worker says. */
export type WorkerMessage =
	| { readonly kind: 'ready' }
	| { readonly kind: 'failure'; readonly failure: Failure }
	/** A case took too long; a collection of what earlier ones left may be the reason, so it is tried again. */
	| { readonly kind: 'slow'; readonly index: number; readonly ms: number }
	| {
			readonly kind: 'done';
			readonly slowestMs: number;
			readonly slowestIndex: number;
			readonly peakMB: number;
	  };
