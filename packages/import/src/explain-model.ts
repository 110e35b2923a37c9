import { printable } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import { arrayOfNewtonName, COLUMNS, type ColumnName, MODEL_ARRAYS } from '@manyworlds/model/internal';
import { short } from './format-model.ts';
import type { Ledger, LedgerEntry, Provenance } from './ledger.ts';

/** Where a value of a model came from. @public */
export interface ModelExplanation {
	readonly version: 1;
	/** Newton's name of the array. */
	readonly array: string;
	readonly index: number;
	/** Label of the body, joint or shape that the value belongs to. */
	readonly label: string | undefined;
	/** The numbers of the row. */
	readonly value: readonly number[];
	/** What gave it, the deciding source last; empty when it is a default or computed. */
	readonly sources: readonly ExplainedSource[];
	/** One sentence when no source is known. */
	readonly note: string | undefined;
}

/** A source with the place where it is written. @public */
export interface ExplainedSource extends Provenance {
	readonly file?: string;
	readonly line?: number;
	readonly column?: number;
}

/** Says why there is no explanation. @public */
export interface UnknownModelValue {
	readonly problem: string;
}

const QUERY = /^([a-z]\w*(?::\w+)?)\[(.+)\]$/;

/** Tells what gave `array[index]` or `array[label]` of a model, by Newton's names. @public */
export function explainModelValue(model: Model, ledger: Ledger, query: string): ModelExplanation | UnknownModelValue {
	const [, array, key] = QUERY.exec(query) ?? [];
	if (array === undefined || key === undefined) return { problem: `'${query}' is not of the form array[index]` };
	const name = arrayOfNewtonName(array);
	if (name === undefined) return { problem: `a model has no array '${array}'${suggestion(array)}` };
	const width = MODEL_ARRAYS[name].dims.reduce((product, size) => product * size, 1);
	const values = model[name];
	const rows = values.length / width;
	const labels = labelsOf(model, name);
	const index = /^\d+$/.test(key) ? Number(key) : rowOfLabel(model, name, labels, key);
	if (!(index >= 0 && index < rows)) {
		const what = /^\d+$/.test(key) ? `${array} has ${rows} rows` : `no row of ${array} is called '${key}'`;
		return { problem: `${what}, expected an index from 0 to ${rows - 1} or a label` };
	}
	const label = labelOfRow(model, name, labels, index);
	const known = ledger.explain(array, index).map((source) => located(source, ledger));
	const sources = known.length > 0 ? known : credited(ledger, array, index, label);
	return {
		version: 1,
		array,
		index,
		label,
		value: Array.from(values.subarray(index * width, (index + 1) * width), Number),
		sources,
		note:
			sources.length > 0
				? undefined
				: 'no attribute of the asset gave it: it is a default of the builder or computed from other values',
	};
}

/** Writes an explanation for people to read, ending with a line end. @public */
export function formatModelExplanation(explanation: ModelExplanation): string {
	const { array, index, label, value, sources, note } = explanation;
	const shown = value.map(short).join(' ');
	const lines = [`${array}[${index}]${label === undefined ? '' : ` of ${printable(label)}`} = ${shown}`];
	for (const [i, source] of sources.entries()) {
		const isDeciding = i === sources.length - 1 && sources.length > 1;
		const what =
			source.path === undefined
				? source.source
				: `${printable(source.path)}@${printable(source.name ?? '')} = ${printable(source.value ?? '')}`;
		const place =
			source.file === undefined
				? ''
				: `  ${printable(source.file)}${source.line === undefined ? '' : `:${source.line}:${source.column}`}`;
		const resolver = source.resolver === undefined ? '' : `  resolver ${source.resolver}`;
		lines.push(`  ${what}${resolver}${place}`, `    ${isDeciding ? 'decides: ' : ''}${printable(source.why)}`);
	}
	if (note !== undefined) lines.push(`  ${note}`);
	return `${lines.join('\n')}\n`;
}

/** Attributes that say of themselves that they gave the row, or its array at the prim that the row is called after. */
function credited(ledger: Ledger, array: string, index: number, label: string | undefined): ExplainedSource[] {
	const target = `${array}[${index}]`;
	return ledger
		.entries()
		.filter(({ path, targets }) => targets.includes(target) || (path === label && targets.includes(array)))
		.map((entry) => {
			const { path, name, value, resolver, from, to } = entry;
			const why = from === undefined ? 'the attribute gives it' : `converted from ${from} to ${to}`;
			const source: Provenance = {
				source: 'authored',
				path,
				name,
				why,
				...(value === undefined ? {} : { value }),
				...(resolver === undefined ? {} : { resolver }),
			};
			return placed(source, entry);
		});
}

function located(source: Provenance, ledger: Ledger): ExplainedSource {
	return placed(source, entryOf(source, ledger));
}

function placed(source: Provenance, entry: LedgerEntry | undefined): ExplainedSource {
	const start = entry?.range?.start;
	return {
		...source,
		...(entry?.file === undefined ? {} : { file: entry.file }),
		...(start === undefined ? {} : { line: start.line, column: start.column }),
	};
}

function entryOf({ path, name }: Provenance, ledger: Ledger): LedgerEntry | undefined {
	if (path === undefined || name === undefined) return undefined;
	return ledger.entries().find((entry) => entry.path === path && entry.name === name);
}

type ArrayName = NonNullable<ReturnType<typeof arrayOfNewtonName>>;

/** Labels of the entity that the rows of an array belong to; degrees of freedom have those of their joints. */
function labelsOf(model: Model, name: ArrayName): readonly string[] | undefined {
	const entity = entityOf(name);
	if (entity === 'body') return model.bodyLabels;
	if (entity === 'shape') return model.shapeLabels;
	if (entity === 'joint' || entity === 'jointDof' || entity === 'jointCoord') return model.jointLabels;
	if (entity === 'articulation') return model.articulationLabels;
	return entity === 'constraintMimic' ? model.constraintMimicLabels : undefined;
}

function entityOf(name: ArrayName): string {
	const derived = /^(body|shape|joint)/.exec(name)?.[1];
	return COLUMNS[name as ColumnName]?.entity ?? derived ?? '';
}

function startsOf(model: Model, name: ArrayName): ArrayLike<number> | undefined {
	const entity = entityOf(name);
	return entity === 'jointDof' ? model.jointQdStart : entity === 'jointCoord' ? model.jointQStart : undefined;
}

function rowOfLabel(model: Model, name: ArrayName, labels: readonly string[] | undefined, label: string): number {
	let at = labels?.indexOf(label) ?? -1;
	// the last part of a label will do when only one has it
	if (at < 0) {
		const found = (labels ?? []).flatMap((one, i) => (one.endsWith(`/${label}`) ? [i] : []));
		if (found.length === 1) at = found[0]!;
	}
	const starts = startsOf(model, name);
	return at < 0 || starts === undefined ? at : starts[at]!;
}

function labelOfRow(
	model: Model,
	name: ArrayName,
	labels: readonly string[] | undefined,
	index: number,
): string | undefined {
	const starts = startsOf(model, name);
	if (labels === undefined || starts === undefined) return labels?.[index];
	let joint = 0;
	while (joint + 1 < labels.length && starts[joint + 1]! <= index) joint++;
	return labels[joint];
}

/** An array with a name that begins likewise. */
function suggestion(array: string): string {
	const near = Object.values(MODEL_ARRAYS)
		.map(({ newton }) => newton)
		.filter(
			(newton) =>
				newton !== '' &&
				(newton.includes(array) || array.includes(newton) || newton.split('_').at(-1) === array.split('_').at(-1)),
		);
	return near.length === 0 ? '' : `, perhaps ${near.slice(0, 3).join(', ')}`;
}
