import { printable } from '@manyworlds/core/internal';
import type { LayerData } from '../sdf/layer-data.ts';
import type { ListOp } from '../sdf/list-op.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';

/** Numbers of things in a layer; each table is sorted by count, then by name. @public */
export interface LayerCounts {
	/** All specs, the pseudo-root included. */
	readonly specs: number;
	readonly specTypes: CountTable;
	/** `def`, `over`, `class`. */
	readonly specifiers: CountTable;
	/** Prims by type name; those without one are left out. */
	readonly primTypes: CountTable;
	/** Prims by the schemas that they apply. */
	readonly apiSchemas: CountTable;
	/** Attributes by type name. */
	readonly attributeTypes: CountTable;
}

/** Counts by name. @public */
export interface CountTable {
	readonly [name: string]: number;
}

/** Counts everything in a layer. @public */
export function countLayer(data: LayerData): LayerCounts {
	const specTypes = new Map<string, number>();
	const specifiers = new Map<string, number>();
	const primTypes = new Map<string, number>();
	const apiSchemas = new Map<string, number>();
	const attributeTypes = new Map<string, number>();
	for (const path of data.paths()) {
		const type = data.specType(path);
		add(specTypes, SPEC_TYPE_NAMES.get(type) ?? 'unknown');
		if (type === SpecType.attribute) add(attributeTypes, dataOf(data.field(path, 'typeName'), T.token));
		if (type !== SpecType.prim && type !== SpecType.variant) continue;
		if (type === SpecType.prim) add(specifiers, dataOf(data.field(path, 'specifier'), T.specifier) ?? 'over');
		add(primTypes, dataOf(data.field(path, 'typeName'), T.token));
		const schemas = dataOf(data.field(path, 'apiSchemas'), T.tokenListOp);
		if (schemas !== undefined) for (const schema of appliedItems(schemas)) add(apiSchemas, schema);
	}
	return {
		specs: data.specCount,
		specTypes: countTable(specTypes),
		specifiers: countTable(specifiers),
		primTypes: countTable(primTypes),
		apiSchemas: countTable(apiSchemas),
		attributeTypes: countTable(attributeTypes),
	};
}

/** The items that a list-op brings in, whichever way. */
export function appliedItems<I>(op: ListOp<I>): I[] {
	return [...op.explicitItems, ...op.prependedItems, ...op.addedItems, ...op.appendedItems];
}

const SPEC_TYPE_NAMES: ReadonlyMap<SpecType, string> = new Map(
	Object.entries(SpecType).map(([name, type]) => [type, name]),
);

function add(counts: Map<string, number>, name: string | undefined): void {
	if (name !== undefined && name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Counts by name as a table, the largest first. */
export function countTable(counts: ReadonlyMap<string, number>): CountTable {
	return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

/** A table on one line: `Xform 3, Mesh 1`. */
export function countText(table: CountTable): string {
	return Object.entries(table)
		.map(([name, count]) => `${printable(name)} ${count}`)
		.join(', ');
}
