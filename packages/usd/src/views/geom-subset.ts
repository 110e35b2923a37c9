import { quote } from '@manyworlds/core';
import type { Prim } from '../usd/prim.ts';
import { readInts, readText, readTuples } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

/** How the subsets of a family must cover a prim. */
export type SubsetFamilyType = 'partition' | 'nonOverlapping' | 'unrestricted';

/** A part of a geometric prim. */
export interface GeomSubset {
	readonly prim: Prim;
	/** `face`, `point`, `edge` or another kind of element. */
	readonly elementType: string;
	/** Subsets of one family are checked together; '' without one. */
	readonly familyName: string;
	readonly indices: Int32Array;
}

/** Which subsets are wanted. */
export interface GeomSubsetOptions extends ViewOptions {
	readonly elementType?: string;
	readonly familyName?: string;
}

/** The subsets among the children of a prim, in their order. */
export function geomSubsets(prim: Prim, options: GeomSubsetOptions = {}): GeomSubset[] {
	const subsets: GeomSubset[] = [];
	for (const child of prim.children()) {
		if (!child.isA('GeomSubset') || !child.isActive || !child.isLoaded || !child.isDefined || child.isAbstract)
			continue;
		const elementType = readText(child, 'elementType') ?? 'face';
		const familyName = readText(child, 'familyName') ?? '';
		if (options.elementType !== undefined && options.elementType !== elementType) continue;
		if (options.familyName !== undefined && options.familyName !== familyName) continue;
		const indices = readInts(child, 'indices', options.time) ?? new Int32Array();
		subsets.push({ prim: child, elementType, familyName, indices });
	}
	return subsets;
}

/**
 * Names of the families of the subsets of a prim, sorted.
 * @example
 * ```ts
 * const hasMaterials = subsetFamilyNames(mesh).includes('materialBind');
 * ```
 */
export function subsetFamilyNames(prim: Prim): string[] {
	const names = new Set(geomSubsets(prim).map(({ familyName }) => familyName));
	names.delete('');
	return [...names].sort();
}

/** How a family must cover its prim: as the prim says, else without restriction. */
export function subsetFamilyType(prim: Prim, familyName: string): SubsetFamilyType {
	const type = readText(prim, `subsetFamily:${familyName}:familyType`);
	return type === 'partition' || type === 'nonOverlapping' ? type : 'unrestricted';
}

/** The number of elements that subsets of an element type choose from; undefined when nothing tells. */
function elementCount(prim: Prim, elementType: string, time?: number): number | undefined {
	if (elementType === 'face') return prim.isA('Mesh') ? readInts(prim, 'faceVertexCounts', time)?.length : undefined;
	if (elementType === 'point') {
		const points = readTuples(prim, 'points', 3, time);
		return points === undefined ? undefined : points.length / 3;
	}
	return undefined;
}

/** Elements that no subset of a family holds. */
export function unassignedIndices(
	prim: Prim,
	elementType: string,
	familyName: string,
	options: ViewOptions = {},
): Int32Array {
	const count = elementCount(prim, elementType, options.time) ?? 0;
	const taken = new Uint8Array(count);
	for (const { indices } of geomSubsets(prim, { ...options, elementType, familyName })) {
		for (const index of indices) if (index >= 0 && index < count) taken[index] = 1;
	}
	const free: number[] = [];
	for (let i = 0; i < count; i++) if (taken[i] === 0) free.push(i);
	return Int32Array.from(free);
}

/**
 * Whether the subsets of a family are what the family's type demands; what is wrong is reported.
 * @example
 * ```ts
 * const report = new Report();
 * const isValid = isSubsetFamilyValid(prim, 'face', 'materialBind', { report });
 * ```
 */
export function isSubsetFamilyValid(
	prim: Prim,
	elementType: string,
	familyName: string,
	options: ViewOptions = {},
): boolean {
	const type = subsetFamilyType(prim, familyName);
	const count = elementCount(prim, elementType, options.time);
	const taken = new Set<number>();
	const problems: string[] = [];
	for (const { prim: subset, indices } of geomSubsets(prim, { ...options, familyName })) {
		const own = readText(subset, 'elementType') ?? 'face';
		if (own !== elementType)
			problems.push(`subset ${quote(subset.name)} has elements ${quote(own)}, expected ${quote(elementType)}`);
		for (const index of indices) {
			if (index < 0 || (count !== undefined && index >= count)) {
				problems.push(`subset ${quote(subset.name)} holds index ${index}, out of range`);
				break;
			}
			if (type !== 'unrestricted' && taken.has(index)) {
				problems.push(`subset ${quote(subset.name)} holds index ${index}, which is taken`);
				break;
			}
			taken.add(index);
		}
	}
	if (type === 'partition' && count !== undefined && taken.size !== count) {
		problems.push(`family ${quote(familyName)} holds ${taken.size} of ${count} elements, but is a partition`);
	}
	for (const problem of problems) reportFinding('VIEW002', prim, problem, options);
	return problems.length === 0;
}
