/** How much a metric depends on a parameter. */
export interface Sensitivity {
	readonly parameter: string;
	readonly metric: string;
	/** Rank correlation of Spearman, from -1 to 1; NaN for parameters without an order. */
	readonly rank: number;
	/** Share of the variance of the metric that the mean over the parameter explains, from 0 to 1: the first-order index. */
	readonly share: number;
}

/** Groups that a parameter with many values is cut into. */
const GROUPS = 16;

/** Rank correlation of pairs of numbers; those with a number that is none are left out. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
	const kept = a.flatMap((x, i) => (Number.isFinite(x) && Number.isFinite(b[i]) ? [i] : []));
	if (kept.length < 3) return Number.NaN;
	const [x, y] = [ranks(kept.map((i) => a[i]!)), ranks(kept.map((i) => b[i]!))];
	const middle = (kept.length - 1) / 2;
	let [xy, xx, yy] = [0, 0, 0];
	for (let i = 0; i < kept.length; i++) {
		const [dx, dy] = [x[i]! - middle, y[i]! - middle];
		xy += dx * dy;
		xx += dx * dx;
		yy += dy * dy;
	}
	return xx === 0 || yy === 0 ? Number.NaN : xy / Math.sqrt(xx * yy);
}

/** Ranks from 0, ties in their middle. */
function ranks(values: readonly number[]): number[] {
	const order = values.map((_, i) => i).sort((i, k) => values[i]! - values[k]!);
	const out = new Array<number>(values.length);
	for (let start = 0; start < order.length; ) {
		let end = start + 1;
		while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
		for (let i = start; i < end; i++) out[order[i]!] = (start + end - 1) / 2;
		start = end;
	}
	return out;
}

/**
 * First-order index: the variance of the means of groups by the variance of all, without what chance alone would give. Groups are
 * the values of a parameter, or equal parts of its order where it has many.
 */
export function explainedShare(parameter: readonly (number | string)[], metric: readonly number[]): number {
	const kept = metric.flatMap((value, i) => (Number.isFinite(value) ? [i] : []));
	const values = new Set(kept.map((i) => parameter[i]!));
	let groupOf: (position: number, index: number) => unknown = (_, index) => parameter[index]!;
	if (values.size > GROUPS) {
		kept.sort((i, k) => (parameter[i]! < parameter[k]! ? -1 : parameter[i]! > parameter[k]! ? 1 : i - k));
		groupOf = (position) => Math.floor((position * GROUPS) / kept.length);
	}
	const groups = new Map<unknown, number[]>();
	kept.forEach((index, position) => {
		const group = groupOf(position, index);
		groups.set(group, [...(groups.get(group) ?? []), metric[index]!]);
	});
	const count = kept.length;
	if (groups.size < 2 || count <= groups.size) return Number.NaN;
	const mean = kept.reduce((sum, i) => sum + metric[i]!, 0) / count;
	const total = kept.reduce((sum, i) => sum + (metric[i]! - mean) ** 2, 0);
	if (total === 0) return Number.NaN;
	let between = 0;
	for (const own of groups.values())
		between += own.length * (own.reduce((sum, value) => sum + value, 0) / own.length - mean) ** 2;
	const within = (total - between) / (count - groups.size);
	return Math.min(1, Math.max(0, (between - (groups.size - 1) * within) / total));
}
