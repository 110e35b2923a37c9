import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What a result depends on besides the code. */
export interface MachineFacts {
	readonly cpu: string;
	readonly cores: number;
	readonly memoryGB: number;
	readonly platform: string;
	readonly node: string;
	readonly v8: string;
	/** Processes that wanted to run in the last 1, 5 and 15 minutes: above `cores`, wall times say little. */
	readonly loadAverage: readonly number[];
}

/** Facts of this machine. */
export function machineFacts(): MachineFacts {
	return {
		cpu: cpus()[0]?.model.trim() ?? 'unknown',
		cores: availableParallelism(),
		memoryGB: Math.round(totalmem() / 2 ** 30),
		platform: `${process.platform} ${process.arch}`,
		node: process.versions.node,
		v8: process.versions.v8,
		loadAverage: loadavg(),
	};
}
