import { printable } from '@manyworlds/core/internal';
import type { InspectedAxis, InspectedJoint, ModelInspection } from './inspect-model.ts';
import type { LedgerEntry } from './ledger.ts';

/** Options of {@link formatModel}. @public */
export interface FormatModelOptions {
	/** Most rows of a table; the rest is counted. */
	readonly maxRows?: number;
}

/** Values of {@link FormatModelOptions} that are used when absent. @public */
export const FORMAT_MODEL_DEFAULTS: { readonly maxRows: number } = { maxRows: 200 };

/** Writes what `inspectModel` found for people to read, ending with a line end. @public */
export function formatModel(inspection: ModelInspection, options: FormatModelOptions = {}): string {
	const maxRows = options.maxRows ?? FORMAT_MODEL_DEFAULTS.maxRows;
	const { counts } = inspection;
	const gravity = inspection.gravity.map(short).join(' ');
	const lines = [
		`${printable(inspection.file)}  ${inspection.format.toUpperCase()}, ${inspection.upAxis} up, gravity ${gravity} m/s², ${short(inspection.mass)} kg`,
	];
	const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): void => {
		if (rows.length === 0) return;
		lines.push('', `${title} (${rows.length})`, ...tableLines(head, rows.slice(0, maxRows)));
		if (rows.length > maxRows) lines.push(`  … ${rows.length - maxRows} more`);
	};
	table(
		'Bodies',
		['', 'label', 'mass kg', 'centre of mass m', 'principal inertia kg·m²', 'shapes'],
		inspection.bodies.map((body) => [
			`${body.index}`,
			body.label,
			short(body.mass),
			body.com.map(short).join(' '),
			body.principalInertia.map(short).join(' '),
			body.shapes.length === 0 ? '-' : body.shapes.join(' '),
		]),
	);
	table(
		`Joints, ${counted(counts['degreesOfFreedom']!, 'degree')} of freedom, ${counted(counts['articulations']!, 'articulation')}`,
		['', 'label', 'type', 'parent', 'child', 'axis', 'limits', 'drive', 'effort', 'velocity'],
		inspection.joints.flatMap(jointRows),
	);
	table(
		`Shapes, ${counted(counts['contactPairs']!, 'pair')} may collide`,
		['', 'label', 'body', 'type', 'size m', 'role'],
		inspection.shapes.map((shape) => [
			`${shape.index}`,
			shape.label,
			shape.body,
			shape.type,
			shape.triangles === undefined ? shape.scale.map(short).join(' ') : `${shape.triangles} triangles`,
			shape.isSite ? 'site' : shape.collides ? (shape.isVisible ? 'collider, visible' : 'collider') : 'visual',
		]),
	);
	table(
		'Constraints',
		['', 'label', 'kind'],
		inspection.constraints.map(({ index, label, kind }) => [`${index}`, label === '' ? '-' : label, kind]),
	);
	const attributes = Object.entries(inspection.attributes);
	table(
		'Custom attributes',
		['key', 'values'],
		attributes.map(([key, count]) => [key, `${count}`]),
	);
	lines.push('', ...ledgerLines(inspection, maxRows));
	return `${lines.join('\n')}\n`;
}

function jointRows(joint: InspectedJoint): string[][] {
	const first = [`${joint.index}`, joint.label, joint.type, joint.parent, joint.child];
	// the six axes of a free joint say nothing
	if (joint.axes.length === 0 || joint.type === 'FREE') return [[...first, '-', '-', '-', '-', '-']];
	return joint.axes.map((axis, i) => [...(i === 0 ? first : ['', '', '', '', '']), ...axisCells(axis)]);
}

function axisCells(axis: InspectedAxis): string[] {
	const unit = axis.isAngular ? 'rad' : 'm';
	const isFree = axis.lower === null && axis.upper === null;
	const limit = (value: number | null): string => (value === null ? '∞' : short(value));
	const hasGains = axis.targetKe !== 0 || axis.targetKd !== 0;
	return [
		`${axis.axis.map(short).join(' ')}${axis.isAngular ? '' : ' linear'}`,
		isFree ? 'none' : `${limit(axis.lower)} to ${limit(axis.upper)} ${unit}`,
		hasGains ? `${axis.mode} ke ${short(axis.targetKe)} kd ${short(axis.targetKd)}` : axis.mode,
		axis.effort === null ? '-' : `${short(axis.effort)} ${axis.isAngular ? 'N·m' : 'N'}`,
		axis.velocity === null ? '-' : `${short(axis.velocity)} ${unit}/s`,
	];
}

function ledgerLines({ ledger }: ModelInspection, maxRows: number): string[] {
	const { total, used, converted, kept, ignored } = ledger.totals;
	const lines = [
		`Ledger: ${total} authored attributes: ${used} used, ${converted} converted, ${kept} kept for solvers, ${ignored} ignored`,
	];
	const groups = new Map<string, LedgerEntry[]>();
	for (const entry of ledger.ignored) {
		const reason = entry.reason ?? '';
		const list = groups.get(reason);
		if (list === undefined) groups.set(reason, [entry]);
		else list.push(entry);
	}
	for (const [reason, entries] of [...groups].slice(0, maxRows)) {
		const first = entries[0]!;
		const place = first.range === undefined ? '' : ` (line ${first.range.start.line})`;
		const more = entries.length > 1 ? ` and ${entries.length - 1} more` : '';
		lines.push(`  ignored, ${reason}: ${printable(`${first.path}@${first.name}`)}${place}${more}`);
	}
	return lines;
}

/** Columns as wide as their widest cell; the last one is left as it is. */
function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const cells = [head, ...rows].map((row) => row.map((cell) => printable(cell)));
	const widths = head.map((_, column) => Math.max(...cells.map((row) => width(row[column]!))));
	return cells.map((row) =>
		`  ${row.map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat(widths[i]! - width(cell)))).join('  ')}`.trimEnd(),
	);
}

function width(text: string): number {
	return [...text].length;
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** At most six digits; zero without a sign. */
export function short(value: number): string {
	if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '-∞' : 'nan';
	const rounded = Number(value.toPrecision(6));
	return Math.abs(rounded) < 1e-12 ? '0' : `${rounded}`;
}
