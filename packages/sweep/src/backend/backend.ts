import type { RunOutcome } from '../result/run-result.ts';

/** Runs that one worker takes together. */
export interface Batch {
	/** The same for the same runs of the same sweep. */
	readonly id: string;
	readonly indices: readonly number[];
}

/** A batch that a worker has for a while. */
export interface Lease {
	readonly batch: Batch;
	/** How often the batch was handed out, this time included. */
	readonly attempt: number;
	/** Keeps the batch for longer; called again and again while threads compute. */
	extend(): Promise<void>;
	/** Says that every run of the batch is committed. */
	ack(): Promise<void>;
	/** Gives the batch back, for somebody else to take after a delay [s]. */
	nak(delay: number): Promise<void>;
}

/** Numbers of a queue. */
export interface QueueStats {
	/** Batches that wait for a worker. */
	readonly pending: number;
	/** Batches that workers have. */
	readonly leased: number;
	/** Batches that were handed out again. */
	readonly redelivered: number;
	/** Messages that were no batches of this sweep. */
	readonly refused: number;
}

/** Hands batches from a coordinator to workers. A queue is only a hint: what it loses is found missing and given again. */
export interface Backend {
	/** Adds a batch unless it is there already; false when the queue is full. */
	submit(batch: Batch): Promise<boolean>;
	/** Takes a batch, waiting for one up to a time [ms]; undefined when there was none. */
	lease(wait: number): Promise<Lease | undefined>;
	stats(): Promise<QueueStats>;
	close(): Promise<void>;
}

/** What became of a result: `different` when another one was there, and both are kept. */
export type CommitKind = 'new' | 'same' | 'different';

/** Where results are kept. */
export interface ResultStore {
	/** Those of the runs of a batch that are not there yet; `attempt` is how often the batch was handed out. */
	missing(keys: readonly string[], attempt: number): Promise<readonly string[]>;
	/** Keeps results for good, unless they are there. */
	commit(outcomes: readonly RunOutcome[]): Promise<readonly CommitKind[]>;
	/** Returns when what was committed is on the disk; a batch is acknowledged after that. */
	flush(): Promise<void>;
	/** Notes that somebody begins with a run that may have killed others, and gives who did so far. */
	mark(key: string, worker: string): Promise<readonly string[]>;
}

/** What a coordinator tells workers about a sweep. */
export interface SweepHeader {
	readonly version: 1;
	/** Tells this plan, asset and program from others. */
	readonly sweep: string;
	/** Version of the program that made it; workers of another one leave it alone. */
	readonly tool: string;
	readonly planFile: string;
	readonly planText: string;
	/** The asset below the folder of files; empty for `task: check`. */
	readonly entry: string;
	/** The control file, if there is one. */
	readonly control?: string;
	readonly files: readonly { readonly path: string; readonly hash: string; readonly size: number }[];
}

/** A place where coordinator and workers of a sweep meet. */
export interface Exchange {
	readonly backend: Backend;
	readonly results: ResultStore;
	/** Messages that this process refused, for they were no batches of the sweep. */
	readonly refused: number;
	/** Puts up a sweep, in place of another one. */
	announce(header: SweepHeader, read: (path: string) => Uint8Array): Promise<void>;
	header(): Promise<SweepHeader | undefined>;
	/** A file by its SHA-256. */
	file(hash: string): Promise<Uint8Array | undefined>;
	/** Gives results that were not given before to a visitor. */
	collect(visit: (result: Uint8Array, series: Uint8Array | undefined) => void): Promise<number>;
	/** Takes everything down. */
	remove(): Promise<void>;
	close(): Promise<void>;
}
