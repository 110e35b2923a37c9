import type { SweepPlan } from '../plan/plan.ts';
import type { Expansion, Run } from '../runs/expansion.ts';
import { base32, hashOf } from '../runs/run-key.ts';
import type { Batch, SweepHeader } from './backend.ts';

/** Runs that are looked at before batches that are not full are given out, so that little is kept in memory. */
const WINDOW = 8192;
/** Longest message of a queue. */
const MOST_BYTES = 64 * 1024;

/** Options of {@link batchesOf}. */
export interface BatchOptions {
	/** Runs of a batch; asked again for each. */
	readonly size: () => number;
	/** Whether a run needs no work. */
	readonly isDone: (run: Run) => boolean;
	/** Tells sweeps apart in the names of batches. */
	readonly sweep: string;
	readonly from?: number;
	readonly to?: number;
	/** Of every so many runs only those with this rest. */
	readonly shard?: { readonly index: number; readonly count: number };
}

/**
 * Batches of the runs that are left, one after the other: runs of one batch have the same variants and options, so that a
 * worker compiles one model for them. Nothing of the plan is kept beyond a window.
 */
export function* batchesOf(plan: SweepPlan, expansion: Expansion, options: BatchOptions): Generator<Batch> {
	const structural = plan.parameters.flatMap(({ target }, i) =>
		target.kind === 'variant' || target.kind === 'option' ? [i] : [],
	);
	const open = new Map<string, number[]>();
	const { shard, from = 0, to = expansion.count } = options;
	let looked = 0;
	for (let index = from; index < to; index++) {
		if (shard !== undefined && Math.floor(index / plan.repeats) % shard.count !== shard.index) continue;
		const run = expansion.run(index);
		if (run !== undefined && !options.isDone(run)) {
			const structure = structural.map((i) => String(run.values[i])).join('\n');
			const indices = open.get(structure) ?? [];
			indices.push(index);
			open.set(structure, indices);
			if (indices.length >= options.size()) {
				open.delete(structure);
				yield batchOf(options.sweep, indices);
			}
		}
		if (++looked % WINDOW !== 0) continue;
		for (const indices of open.values()) yield batchOf(options.sweep, indices);
		open.clear();
	}
	for (const indices of open.values()) yield batchOf(options.sweep, indices);
}

/** A batch of runs. */
export function batchOf(sweep: string, indices: readonly number[]): Batch {
	return { id: base32(hashOf(`${sweep} ${rangesOf(indices).join(' ')}`), 24), indices };
}

/** A batch as a message: whole numbers only, so that nobody can put a path or a program into a queue. */
export function encodeBatch({ indices }: Batch, { sweep, tool }: Pick<SweepHeader, 'sweep' | 'tool'>): Uint8Array {
	return new TextEncoder().encode(JSON.stringify({ version: 1, sweep, tool, runs: rangesOf(indices) }));
}

/** Why a message was not taken: it is no batch, or one of another sweep or program. */
export type BatchRefusal = 'malformed' | 'foreign' | 'version';

/** Reads a message of {@link encodeBatch}. */
export function decodeBatch(
	bytes: Uint8Array,
	{ sweep, tool }: Pick<SweepHeader, 'sweep' | 'tool'>,
	runCount: number,
): Batch | BatchRefusal {
	if (bytes.length > MOST_BYTES) return 'malformed';
	let data: unknown;
	try {
		data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		return 'malformed';
	}
	if (data === null || typeof data !== 'object' || Array.isArray(data)) return 'malformed';
	const { version, sweep: ofSweep, tool: ofTool, runs } = data as Record<string, unknown>;
	if (version !== 1 || typeof ofSweep !== 'string' || typeof ofTool !== 'string' || !Array.isArray(runs))
		return 'malformed';
	if (ofTool !== tool) return 'version';
	if (ofSweep !== sweep) return 'foreign';
	const indices: number[] = [];
	for (const range of runs) {
		const [first, last] = (Array.isArray(range) ? range : [range, range]) as unknown[];
		if (
			!isIndex(first, runCount) ||
			!isIndex(last, runCount) ||
			last < first ||
			indices.length + last - first > MOST_RUNS
		)
			return 'malformed';
		for (let index = first; index <= last; index++) indices.push(index);
	}
	return indices.length === 0 ? 'malformed' : batchOf(sweep, indices);
}

/** Runs of a batch at most. */
export const MOST_RUNS = 4096;

function isIndex(value: unknown, count: number): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < count;
}

/** Indices as single numbers and pairs of first and last. */
function rangesOf(indices: readonly number[]): (number | [number, number])[] {
	const ranges: (number | [number, number])[] = [];
	for (let i = 0; i < indices.length; i++) {
		const first = indices[i]!;
		while (i + 1 < indices.length && indices[i + 1] === indices[i]! + 1) i++;
		ranges.push(indices[i] === first ? first : [first, indices[i]!]);
	}
	return ranges;
}
