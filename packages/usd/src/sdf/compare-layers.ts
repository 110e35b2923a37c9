import type { LayerData } from './layer-data.ts';
import { comparePaths, type Path } from './path.ts';
import { SpecType } from './spec-type.ts';
import { type Value, valueIs } from './value.ts';
import { valuesEqual } from './value-equality.ts';
import { T } from './value-type.ts';

/** One way in which two layers differ. */
export interface LayerDifference {
	readonly path: Path;
	/** Absent when a whole spec is missing or has another type. */
	readonly field?: string;
	readonly kind:
		| 'spec only in first'
		| 'spec only in second'
		| 'spec type'
		| 'field only in first'
		| 'field only in second'
		| 'value';
}

/** What differs between two layers, sorted by path and field. Empty when they hold the same content. */
export function compareLayers(first: LayerData, second: LayerData): LayerDifference[] {
	const differences: LayerDifference[] = [];
	for (const path of first.paths()) {
		if (isImplied(first.specType(path))) continue;
		if (!second.has(path)) differences.push({ path, kind: 'spec only in first' });
		else compareSpecs(first, second, path, differences);
	}
	for (const path of second.paths()) {
		if (!first.has(path) && !isImplied(second.specType(path))) differences.push({ path, kind: 'spec only in second' });
	}
	return differences.sort((a, b) => comparePaths(a.path, b.path) || compareText(a.field ?? '', b.field ?? ''));
}

/** Target and connection specs without fields follow from the list-ops; crates do not store them. */
function isImplied(type: SpecType): boolean {
	return type === SpecType.connection || type === SpecType.relationshipTarget;
}

function compareSpecs(first: LayerData, second: LayerData, path: Path, out: LayerDifference[]): void {
	if (first.specType(path) !== second.specType(path)) out.push({ path, kind: 'spec type' });
	const names = new Set([...first.fieldNames(path), ...second.fieldNames(path)]);
	for (const field of names) {
		if (field === 'targetChildren' || field === 'connectionChildren') continue;
		const a = first.field(path, field);
		const b = second.field(path, field);
		if (isEmptyChildren(a) && isEmptyChildren(b)) continue;
		// readers differ in whether a relationship that is not custom says so
		if (field === 'custom' && !a?.data && !b?.data) continue;
		if (a === undefined || b === undefined) {
			out.push({ path, field, kind: b === undefined ? 'field only in first' : 'field only in second' });
		} else if (!valuesEqual(a, b)) {
			out.push({ path, field, kind: 'value' });
		}
	}
}

/** No children field and an empty one say the same. */
function isEmptyChildren(value: Value | undefined): boolean {
	return value === undefined || (valueIs(value, T.tokenVector) && value.data.length === 0);
}

function compareText(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
