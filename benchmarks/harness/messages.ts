import type { BenchContext, Facts } from './task.ts';

/** What the parent asks of a contender's process. */
export type Request =
	| {
			readonly kind: 'prepare';
			readonly suite: string;
			readonly task: string;
			readonly contender: string;
			readonly context: BenchContext;
	  }
	| { readonly kind: 'run' }
	| { readonly kind: 'check' }
	| { readonly kind: 'sweep'; readonly suite: string; readonly task: string; readonly seconds: number };

/** What a contender's process answers. */
export type Reply =
	| { readonly kind: 'ready' }
	| { readonly kind: 'ran'; readonly ms: number; readonly cpuMs: number }
	| { readonly kind: 'checked'; readonly facts: Facts; readonly memory: Memory }
	| { readonly kind: 'swept'; readonly result: SweepResult }
	| { readonly kind: 'failed'; readonly message: string };

/** Memory of a contender's process in megabytes. */
export interface Memory {
	/** Most memory of the process so far, before its result was checked. */
	readonly peak: number;
	/** What the result holds: heap and buffers after a collection, less the same before the first run. */
	readonly held: number;
}

/** Times of a sweep. */
export interface SweepResult {
	readonly rows: readonly SweepRow[];
}

/** Least processor time of one run on one item, one for each contender; a text says why there is none. */
export interface SweepRow {
	readonly item: string;
	readonly group: string;
	readonly megabytes: number;
	readonly ms: readonly (number | string)[];
}
