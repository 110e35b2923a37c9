import type { Measurement } from './measure.ts';
import type { SweepResult, SweepRow } from './messages.ts';
import type { BenchTask, Facts, SweepTask } from './task.ts';

/** One contender of a task, as reported. */
export interface ContenderSummary {
	readonly contender: string;
	/** Why there are no figures. */
	readonly trouble?: string;
	readonly medianMs?: number;
	readonly bestMs?: number;
	/** Processor time of the middle run by it. */
	readonly cpuMs?: number;
	readonly facts?: Facts;
	/** Amount of work per second of the median run, by unit. */
	readonly rates?: Readonly<Record<string, number>>;
	/** Figures that the task measures itself, by unit. */
	readonly figures?: Readonly<Record<string, number>>;
	readonly peakMB?: number;
	readonly heldMB?: number;
	/** How many times faster ours is, by the medians and by the best runs. */
	readonly oursFaster?: number;
	readonly oursFasterBest?: number;
	/** The same by processor time. */
	readonly oursFasterCpu?: number;
}

/** One task, as reported. */
export interface TaskSummary {
	readonly task: string;
	readonly title: string;
	readonly contenders: readonly ContenderSummary[];
}

/** Totals of one group of a sweep. Only items that both did count for totals and ratios. */
export interface SweepGroupSummary {
	readonly group: string;
	readonly items: number;
	/** Items that both did. */
	readonly compared: number;
	readonly megabytes: number;
	readonly totalMs: Readonly<Record<string, number>>;
	readonly oursFaster: number;
	/** The item where ours is fastest least, against the second contender. */
	readonly worst:
		| { readonly item: string; readonly oursFaster: number; readonly ms: readonly (number | string)[] }
		| undefined;
	/** Items on which ours is slower. */
	readonly slower: readonly string[];
	readonly troubles: readonly { readonly item: string; readonly contender: string; readonly message: string }[];
}

/** A sweep, as reported. */
export interface SweepSummary {
	readonly task: string;
	readonly title: string;
	readonly trouble?: string;
	readonly groups: readonly SweepGroupSummary[];
}

/** Condenses the measurements of a task. */
export function summarizeTask(task: BenchTask, measurements: readonly Measurement[]): TaskSummary {
	const own = measurements[0];
	const contenders = measurements.map((measurement): ContenderSummary => {
		const { contender, times, cpuTimes, facts, memory, trouble } = measurement;
		if (trouble !== undefined || times.length === 0) return { contender, trouble: trouble ?? 'was not run' };
		const medianMs = median(times);
		const bestMs = Math.min(...times);
		const rates: Record<string, number> = {};
		for (const { fact, unit } of task.rates) {
			// the amount of work is that of the task, so that rates compare even if a peer keeps less of it
			const amount = own?.facts[fact] ?? facts[fact];
			if (amount !== undefined) rates[unit] = (amount / medianMs) * 1000;
		}
		return {
			contender,
			medianMs,
			bestMs,
			cpuMs: median(cpuTimes),
			facts,
			rates,
			...(task.figures === undefined
				? {}
				: { figures: Object.fromEntries(task.figures.map(({ fact, unit }) => [unit, facts[fact] ?? Number.NaN])) }),
			...(memory === undefined ? {} : { peakMB: memory.peak }),
			...(memory === undefined || Number.isNaN(memory.held) ? {} : { heldMB: memory.held }),
			...(own === undefined || own === measurement || own.times.length === 0
				? {}
				: {
						oursFaster: medianMs / median(own.times),
						oursFasterBest: bestMs / Math.min(...own.times),
						oursFasterCpu: median(cpuTimes) / median(own.cpuTimes),
					}),
		};
	});
	return { task: task.name, title: task.title, contenders };
}

/** Condenses a sweep, group by group. */
export function summarizeSweep(task: SweepTask, result: SweepResult | string): SweepSummary {
	if (typeof result === 'string') return { task: task.name, title: task.title, trouble: result, groups: [] };
	const names = task.contenders.map(({ name }) => name);
	const groups = [...new Set(result.rows.map((row) => row.group))].sort();
	return {
		task: task.name,
		title: task.title,
		groups: groups.map((group) =>
			summarizeGroup(
				group,
				names,
				result.rows.filter((row) => row.group === group),
			),
		),
	};
}

function summarizeGroup(group: string, names: readonly string[], rows: readonly SweepRow[]): SweepGroupSummary {
	const compared = rows.filter((row) => row.ms.every((ms) => typeof ms === 'number'));
	const totalMs: Record<string, number> = {};
	names.forEach((name, who) => {
		totalMs[name] = compared.reduce((sum, row) => sum + (row.ms[who] as number), 0);
	});
	const ratios = compared.map((row) => ({
		item: row.item,
		ms: row.ms,
		oursFaster: (row.ms[1] as number) / (row.ms[0] as number),
	}));
	ratios.sort((a, b) => a.oursFaster - b.oursFaster);
	return {
		group,
		items: rows.length,
		compared: compared.length,
		megabytes: rows.reduce((sum, row) => sum + row.megabytes, 0),
		totalMs,
		oursFaster: totalMs[names[1]!]! / totalMs[names[0]!]!,
		worst: ratios[0],
		slower: ratios.filter(({ oursFaster }) => oursFaster < 1).map(({ item }) => item),
		troubles: rows.flatMap((row) =>
			row.ms.flatMap((ms, who) =>
				typeof ms === 'string' ? [{ item: row.item, contender: names[who]!, message: ms }] : [],
			),
		),
	};
}

/** The middle of the sorted times. */
export function median(times: readonly number[]): number {
	const sorted = [...times].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
