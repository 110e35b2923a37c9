import { quote } from '@manyworlds/core';
import type { ModelBuilder } from '@manyworlds/model';
import { COLUMNS, type ColumnName, type ColumnSpec } from '@manyworlds/model/internal';
import { nearestName } from '@manyworlds/scene/internal';
import type { ParameterTarget, ParameterValue } from '../sample/parameter.ts';

/** Rows of an array of the model. */
export type ModelTarget = Extract<ParameterTarget, { kind: 'model' }>;

/** Arrays that say how a model hangs together, which a parameter must not change. */
const isStructure = (spec: ColumnSpec): boolean =>
	spec.newton === '' || spec.refers !== undefined || /_(?:start|type|world|dim)$/.test(spec.newton);

const ARRAYS: ReadonlyMap<string, readonly [ColumnName, ColumnSpec]> = new Map(
	Object.entries(COLUMNS).flatMap(([name, spec]) =>
		isStructure(spec) ? [] : [[spec.newton, [name as ColumnName, spec] as const]],
	),
);

/** Changes rows of a builder; gives why that cannot be done. */
export function setModelRows(
	builder: ModelBuilder,
	{ array, row }: ModelTarget,
	apply: 'set' | 'scale' | 'add',
	value: ParameterValue,
): string | undefined {
	const known = ARRAYS.get(array);
	if (known === undefined) {
		const similar = nearestName(array, ARRAYS.keys());
		return `the model has no array ${quote(array)} that could be changed${similar === undefined ? '' : `; did you mean '${similar}'?`}`;
	}
	if (typeof value !== 'number') return `${array} holds numbers, found ${quote(String(value))}`;
	const [name, spec] = known;
	const entries = entriesOf(builder, spec, row);
	if (typeof entries === 'string') return `${array}[${row}]: ${entries}`;
	const column = builder.column(name) as Float64Array | Int32Array | Uint8Array;
	for (const entry of entries) {
		const base = column[entry]!;
		column[entry] = apply === 'scale' ? base * value : apply === 'add' ? base + value : value;
	}
	return undefined;
}

/** Entries of a column that a row is about: `label`, `label,2` for one number of it, `*` for all rows. */
function entriesOf(builder: ModelBuilder, spec: ColumnSpec, row: string): number[] | string {
	const match = /^(.*),(\d+)$/.exec(row);
	const label = match?.[1] ?? row;
	const runs = rowsOf(builder, spec, label);
	if (typeof runs === 'string') return runs;
	const entries: number[] = [];
	for (const [start, end] of runs) {
		const all = Array.from({ length: (end - start) * spec.width }, (_, i) => start * spec.width + i);
		if (match === null) entries.push(...all);
		else if (Number(match[2]) < all.length) entries.push(all[Number(match[2])]!);
		else return `there is no number ${match[2]} in a row of ${all.length}`;
	}
	return entries;
}

/** Runs of rows of an entity by the label of a body, shape or joint. */
function rowsOf(builder: ModelBuilder, { entity }: ColumnSpec, label: string): (readonly [number, number])[] | string {
	const owner = entity === 'jointDof' || entity === 'jointCoord' ? 'joint' : entity;
	if (owner !== 'body' && owner !== 'shape' && owner !== 'joint' && owner !== 'articulation')
		return label === '*' ? [[0, builder.count(entity)]] : `rows of ${entity} have no labels, expected *`;
	if (label === '*') return [[0, builder.count(entity)]];
	const labels = builder.labels(owner);
	let found = labels.flatMap((one, i) => (one === label ? [i] : []));
	if (found.length === 0) found = labels.flatMap((one, i) => (one.endsWith(`/${label}`) ? [i] : []));
	if (found.length !== 1) {
		const similar = nearestName(label, [...labels, ...labels.map(lastPart)]);
		const hint = similar === undefined ? '' : `; did you mean '${similar}'?`;
		return `${found.length === 0 ? `no ${owner} has` : `${found.length} rows have`} the label ${quote(label)}${hint}`;
	}
	const index = found[0]!;
	if (entity === owner) return [[index, index + 1]];
	const starts = builder.column(entity === 'jointDof' ? 'jointQdStart' : 'jointQStart');
	return [[starts[index]!, index + 1 < starts.length ? starts[index + 1]! : builder.count(entity)]];
}

function lastPart(label: string): string {
	return label.slice(label.lastIndexOf('/') + 1);
}
