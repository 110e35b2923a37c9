/** Options of `manyworlds sweep`. */
export interface SweepCommandOptions {
	readonly out?: string;
	readonly run?: number;
	readonly shard?: { readonly index: number; readonly count: number };
	readonly queue?: string;
	readonly store?: string;
	readonly dataset?: string;
	/** [s] */
	readonly lease: number;
	readonly retry?: 'failed';
	readonly jobs?: number;
	readonly maxMemory?: number;
	readonly dryRun?: boolean;
	readonly json?: boolean;
	readonly metrics?: string;
	readonly printNatsConfig?: boolean;
}
