import { type Prim, type Stage, type Value, XformCache } from '@manyworlds/usd';
import { computePurposeInfo, traverse } from '@manyworlds/usd/internal';
import { EARLIEST, textAt } from './stage-values.ts';

/** A variant of a set, and the stage where it is selected. */
export interface VariantStage {
	readonly name: string;
	readonly stage: Stage;
}

/** Attributes that make the form of geometry. */
const FORM = [
	'points',
	'faceVertexCounts',
	'faceVertexIndices',
	'orientation',
	'subdivisionScheme',
	'doubleSided',
	'normals',
	'primvars:normals',
	'primvars:st',
	'size',
	'radius',
	'height',
	'width',
	'length',
	'axis',
	'positions',
	'orientations',
	'scales',
	'protoIndices',
];

/** Types of prims that are part of looks, which variants may change. */
const LOOKS: ReadonlySet<string> = new Set(['Material', 'Shader', 'NodeGraph']);

/**
 * What two states of a stage have different other than materials, in a few words; undefined for nothing. Only then are both states one
 * file with materials to choose (REP 3.7).
 */
export function firstDifference(one: Stage, other: Stage): string | undefined {
	const [mine, theirs] = [new XformCache({ time: EARLIEST }), new XformCache({ time: EARLIEST })];
	// the order of prims is nothing that is seen
	const twins = new Map(primsOf(other).map((prim) => [prim.path, prim]));
	for (const prim of primsOf(one)) {
		const twin = twins.get(prim.path);
		if (twin === undefined) return `${prim.path} is not in all variants`;
		twins.delete(prim.path);
		const why = difference(prim, twin, mine, theirs);
		if (why !== undefined) return `${prim.path} ${why}`;
	}
	const [extra] = twins.keys();
	return extra === undefined ? undefined : `${extra} is not in all variants`;
}

function primsOf(stage: Stage): Prim[] {
	return [...traverse(stage.pseudoRoot, { instanceProxies: true })].filter(({ typeName }) => !LOOKS.has(typeName));
}

function difference(one: Prim, other: Prim, mine: XformCache, theirs: XformCache): string | undefined {
	if (one.typeName !== other.typeName) return `is a ${one.typeName} or a ${other.typeName}`;
	const schemas = (prim: Prim): string => prim.appliedSchemas.filter((name) => name !== 'MaterialBindingAPI').join(' ');
	if (schemas(one) !== schemas(other)) return 'has other schemas';
	if (textAt(one, 'visibility') !== textAt(other, 'visibility')) return 'is seen or not';
	if (computePurposeInfo(one).purpose !== computePurposeInfo(other).purpose) return 'has another purpose';
	const [a, b] = [mine.worldTransform(one), theirs.worldTransform(other)];
	if (a.some((value, i) => Math.abs(value - b[i]!) > 1e-9 * Math.max(1, Math.abs(value)))) return 'stands elsewhere';
	const changed = FORM.find((name) => !isSame(one.attribute(name).get(EARLIEST), other.attribute(name).get(EARLIEST)));
	return changed === undefined ? undefined : `has another ${changed}`;
}

function isSame(a: Value | undefined, b: Value | undefined): boolean {
	if (a?.data === b?.data) return true;
	if (a === undefined || b === undefined || a.type !== b.type) return false;
	const [x, y] = [a.data, b.data] as [ArrayLike<unknown>, ArrayLike<unknown>];
	if (typeof x !== 'object' || typeof y !== 'object' || x.length !== y.length) return false;
	for (let i = 0; i < x.length; i++) if (!Object.is(x[i], y[i])) return false;
	return true;
}
