/** Numbers that go from one array to another, as runs of neighbours: first place there, first place here, count. */
export interface Runs {
	readonly to: Int32Array;
	readonly from: Int32Array;
	readonly count: Int32Array;
}

/** Joins pairs of places to runs. */
export function makeRuns(to: ArrayLike<number>, from: ArrayLike<number>): Runs {
	const starts: number[] = [];
	for (let i = 0; i < to.length; i++) {
		if (i === 0 || to[i] !== to[i - 1]! + 1 || from[i] !== from[i - 1]! + 1) starts.push(i);
	}
	return {
		to: Int32Array.from(starts, (i) => to[i]!),
		from: Int32Array.from(starts, (i) => from[i]!),
		count: Int32Array.from(starts, (start, run) => (starts[run + 1] ?? to.length) - start),
	};
}

/** From about this many numbers on, one copy of memory is faster than a loop; of a whole array sooner, as it needs no view. */
export const BULK = 48;
const BULK_OF_WHOLE = 16;

/** Copies all runs of rows of `width` numbers; `shift` rows are skipped in the source. */
export function copyRuns(target: Float64Array, runs: Runs, source: Float64Array, shift: number, width: number): void {
	for (let run = 0; run < runs.count.length; run++) {
		const to = width * runs.to[run]!;
		const from = width * (runs.from[run]! + shift);
		const count = width * runs.count[run]!;
		if (count === source.length && count >= BULK_OF_WHOLE) target.set(source, to);
		else if (count >= BULK) target.set(source.subarray(from, from + count), to);
		else for (let i = 0; i < count; i++) target[to + i] = source[from + i]!;
	}
}
