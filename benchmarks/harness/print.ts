import type { MachineFacts } from './machine.ts';
import type { ContenderSummary, SweepSummary, TaskSummary } from './summary.ts';

const HEAD = [
	'task',
	'by',
	'median ms',
	'best ms',
	'cpu ms',
	'rates (median)',
	'peak MB',
	'held MB',
	'ours faster',
	'by cpu',
];
const WIDTHS = [24, 11, 10, 10, 10, 36, 8, 8, 12, 8];

/** Lines about the machine. */
export function machineLine(machine: MachineFacts): string {
	const { cpu, cores, memoryGB, platform, node, v8, loadAverage } = machine;
	const load = loadAverage.map((average) => average.toFixed(1)).join(', ');
	return `${cpu}, ${cores} cores, ${memoryGB} GB, ${platform}, Node ${node} (V8 ${v8}), load average ${load}`;
}

/** The heading of the table of tasks. */
export function tableHead(): string {
	return row(HEAD);
}

/** The lines of one task. */
export function taskLines(summary: TaskSummary): string[] {
	return summary.contenders.map((contender, index) => contenderLine(index === 0 ? summary.task : '', contender));
}

function contenderLine(task: string, summary: ContenderSummary): string {
	const { contender, trouble, medianMs, bestMs, cpuMs, rates, figures, peakMB, heldMB, oursFaster, oursFasterCpu } =
		summary;
	if (trouble !== undefined || medianMs === undefined || bestMs === undefined) {
		return `${row([task, contender]).trimEnd()}  no figures: ${trouble}`;
	}
	const rateTexts = Object.entries(rates ?? {}).map(([unit, rate]) => `${thousands(rate)} ${unit}`);
	return row([
		task,
		contender,
		medianMs.toFixed(1),
		bestMs.toFixed(1),
		cpuMs?.toFixed(1) ?? '',
		[...rateTexts, ...Object.entries(figures ?? {}).map(([unit, figure]) => `${figure.toFixed(1)} ${unit}`)].join(', '),
		peakMB?.toFixed(0) ?? '',
		heldMB?.toFixed(0) ?? '',
		oursFaster === undefined ? '' : `x${oursFaster.toFixed(2)}`,
		oursFasterCpu === undefined ? '' : `x${oursFasterCpu.toFixed(2)}`,
	]);
}

/** The lines of a sweep. */
export function sweepLines(summary: SweepSummary): string[] {
	const lines = [`${summary.task}: ${summary.title}`];
	if (summary.trouble !== undefined) lines.push(`  no figures: ${summary.trouble}`);
	for (const group of summary.groups) {
		const totals = Object.entries(group.totalMs).map(([name, ms]) => `${name} ${ms.toFixed(1)} cpu ms`);
		lines.push(
			`  ${group.group}: ${group.items} files, ${group.megabytes.toFixed(1)} MB; ${group.compared} compared: ${totals.join(', ')}, ours x${group.oursFaster.toFixed(2)} faster`,
		);
		if (group.worst !== undefined) {
			lines.push(
				`    least: x${group.worst.oursFaster.toFixed(2)} on ${group.worst.item}; slower on ${group.slower.length} files`,
			);
		}
		for (const item of group.slower) lines.push(`    slower: ${item}`);
		const byContender = groupByContender(group.troubles);
		for (const [contender, troubles] of byContender) {
			lines.push(
				`    ${contender} fails on ${troubles.length} files, such as ${troubles[0]?.item}: ${troubles[0]?.message}`,
			);
		}
	}
	return lines;
}

type Trouble = SweepSummary['groups'][number]['troubles'][number];

function groupByContender(troubles: readonly Trouble[]): Map<string, Trouble[]> {
	const groups = new Map<string, Trouble[]>();
	for (const trouble of troubles) {
		const group = groups.get(trouble.contender) ?? [];
		group.push(trouble);
		groups.set(trouble.contender, group);
	}
	return groups;
}

function row(cells: readonly string[]): string {
	return WIDTHS.map((width, i) =>
		i < 2 || i === 5 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width),
	)
		.join(' ')
		.trimEnd();
}

/** `1234567` as `1,234,567`; small numbers with a decimal. */
function thousands(value: number): string {
	return value < 1000
		? value.toFixed(1)
		: Math.round(value)
				.toString()
				.replace(/\B(?=(\d{3})+$)/g, ',');
}
