import { GeoType, type Model } from '@manyworlds/model';
import { worldRows } from '@manyworlds/worlds/internal';
import type { CollisionGeometry } from './collision-geometry.ts';
import type { HullGeometry } from './hull-geometry.ts';
import { needsSearch } from './pair-kinds.ts';
import type { PartPlan } from './part-plan.ts';

/** What becomes of a pair: see `layout.ts` of the kernels. */
const HOST = 0;
const BALL = 1;
const CONVEX = 2;

/** Runs of pairs of shapes, two numbers each: those of run r are `start[r]` to before `start[r + 1]`. */
export interface PairRuns {
	readonly pairs: Int32Array;
	readonly start: Int32Array;
	/** 1 for pairs of a plane without an end and a sphere. */
	readonly isBall: Uint8Array;
	readonly plan: PartPlan;
}

/** Tables of a run that the kernels take; bodies, parts, shapes and pairs are counted from the first of the run. */
export interface RunTables {
	readonly run: number;
	readonly shapes: Int32Array;
	readonly hulls: readonly (HullGeometry | undefined)[];
	readonly shapeKind: Int32Array;
	readonly partBody: Int32Array;
	readonly planePairs: Int32Array;
	readonly partRows: Int32Array;
	readonly partPairCount: number;
	readonly stretchParts: Int32Array;
	readonly stretchStart: Int32Array;
	readonly stretchEnd: Int32Array;
	readonly shapePairs: Int32Array;
	readonly kinds: Int32Array;
	readonly searches: Int32Array;
	readonly shapeBody: Int32Array;
}

/** Those that the kernels have as they are. */
export const TABLES = [
	'partBody',
	'planePairs',
	'partRows',
	'stretchParts',
	'stretchStart',
	'stretchEnd',
	'shapePairs',
	'kinds',
	'searches',
] as const;

export function hasSameStructure(a: RunTables, b: RunTables): boolean {
	return (
		TABLES.every((name) => haveSameEntries(a[name], b[name])) &&
		haveSameEntries(a.shapeKind, b.shapeKind) &&
		haveSameEntries(a.shapeBody, b.shapeBody) &&
		a.hulls.every((hull, i) => hull === b.hulls[i])
	);
}

/** Tables of a run; undefined for one with bodies of other worlds. */
export function tablesOf(
	model: Model,
	geometry: CollisionGeometry,
	runs: PairRuns,
	run: number,
): RunTables | undefined {
	const { pairs, start, isBall, plan } = runs;
	const bodies = bodiesOf(model, run);
	let isOwn = true;
	const relative = (body: number): number => {
		if (body >= 0 && (body < bodies.start || body >= bodies.end)) isOwn = false;
		return body < 0 ? -1 : body - bodies.start;
	};
	const first = start[run]!;
	const end = start[run + 1]!;
	const shapes = shapesOf(runs, run);
	const placeOf = new Map<number, number>();
	for (const [place, shape] of shapes.entries()) placeOf.set(shape, place);
	const parts = plan.parts.subarray(plan.partStart[run]!, plan.partStart[run + 1]!);
	const stretches = plan.stretches.subarray(plan.stretchStart[run]!, plan.stretchStart[run + 1]!);
	const partPairs = plan.pairs.subarray(2 * plan.pairStart[run]!, 2 * plan.pairStart[run + 1]!);
	const planeCount = plan.planeEnd[run]! - plan.pairStart[run]!;
	const shapePairs = new Int32Array(2 * (end - first));
	const kinds = new Int32Array(end - first);
	const searches = new Int32Array(end - first).fill(-1);
	let searched = 0;
	for (let i = first; i < end; i++) {
		let a = pairs[2 * i]!;
		let b = pairs[2 * i + 1]!;
		const own = plan.pairOf[i]!;
		// as in `NarrowPhase`; of two planes that of the world comes first, as it does in the pair of parts
		const isSwapped =
			own < planeCount
				? plan.shapes[plan.shapeStart[parts[partPairs[2 * own]!]!]!] !== a
				: model.shapeType[a]! > model.shapeType[b]!;
		if (isSwapped) [a, b] = [b, a];
		shapePairs[2 * (i - first)] = placeOf.get(a)!;
		shapePairs[2 * (i - first) + 1] = placeOf.get(b)!;
		const kind = isBall[i] === 1 ? BALL : isConvexPair(model, geometry, a, b) ? CONVEX : HOST;
		kinds[i - first] = kind;
		if (kind === CONVEX && needsSearch(model.shapeType[a]!, model.shapeType[b]!)) searches[i - first] = searched++;
	}
	const rows = rowsOfPairs(partPairs, planeCount);
	const tables: RunTables = {
		run,
		shapes,
		hulls: Array.from(shapes, (shape) => geometry.hulls[shape]),
		shapeKind: Int32Array.from(shapes, (shape) => model.shapeType[shape]!),
		partBody: Int32Array.from(parts, (part) => relative(plan.body[part]!)),
		planePairs: partPairs.subarray(0, 2 * planeCount),
		partRows: rows.table,
		partPairCount: rows.count,
		stretchParts: Int32Array.from(stretches, (pair) => rows.places[plan.pairOf[pair]!]!),
		stretchStart: Int32Array.from(stretches, (pair) => pair - first),
		stretchEnd: Int32Array.from(stretches, (pair) => plan.next[pair]! - first),
		shapePairs,
		kinds,
		searches,
		shapeBody: Int32Array.from(shapes, (shape) => relative(model.shapeBody[shape]!)),
	};
	return isOwn ? tables : undefined;
}

/** Parts without a pair that a row may hold in between. */
const HOLE = 8;

/**
 * Rows of pairs of parts behind those with planes: a part, and the parts from an even one to before another one that it is tested against.
 * `places` tells where each pair is among all that are tested, those with planes first.
 */
function rowsOfPairs(
	pairs: Int32Array,
	planes: number,
): { readonly table: Int32Array; readonly count: number; readonly places: Int32Array } {
	const places = Int32Array.from({ length: pairs.length / 2 }, (_, pair) => pair);
	const first = (pair: number): number => Math.min(pairs[2 * pair]!, pairs[2 * pair + 1]!);
	const second = (pair: number): number => Math.max(pairs[2 * pair]!, pairs[2 * pair + 1]!);
	const table: number[] = [];
	let count = planes;
	let [part, start, end] = [-1, 0, 0];
	for (const pair of places.slice(planes).sort((a, b) => first(a) - first(b) || second(a) - second(b))) {
		const own = first(pair);
		const other = second(pair);
		if (own !== part || other >= end + HOLE) {
			part = own;
			start = other - (other % 2);
			end = start;
			table.push(part, start, end);
		}
		const last = other - (other % 2) + 2;
		count += last - end;
		end = last;
		table[table.length - 1] = end;
		places[pair] = count - end + other;
	}
	return { table: Int32Array.from(table), count, places };
}

/** Whether the kernels know the kinds of two shapes, which stand in the order of their kinds. */
function isConvexPair(model: Model, geometry: CollisionGeometry, a: number, b: number): boolean {
	const typeA = model.shapeType[a]!;
	const typeB = model.shapeType[b]!;
	const isPlane = typeA === GeoType.PLANE;
	if (isPlane && model.shapeScale[3 * a]! > 0 && model.shapeScale[3 * a + 1]! > 0) return false;
	if (!isPlane && !isSolid(geometry, a, typeA, false)) return false;
	if (!isSolid(geometry, b, typeB, isPlane)) return false;
	return typeA !== GeoType.CYLINDER || (typeB !== GeoType.CYLINDER && typeB !== GeoType.BOX);
}

/** Whether a shape is convex and of a kind that the kernels know; over a plane, meshes are their hulls. */
function isSolid({ hulls, meshes }: CollisionGeometry, shape: number, type: number, isOnPlane: boolean): boolean {
	switch (type) {
		case GeoType.SPHERE:
		case GeoType.CAPSULE:
		case GeoType.CYLINDER:
		case GeoType.BOX:
			return true;
		case GeoType.MESH:
			return hulls[shape] !== undefined && (isOnPlane || meshes[shape] === undefined);
		case GeoType.CONVEX_MESH:
			return hulls[shape] !== undefined;
		default:
			return false;
	}
}

/** Bodies of the world of a run; the last run is of what belongs to no world. */
export function bodiesOf(model: Model, run: number): { readonly start: number; readonly end: number } {
	return run < Math.max(1, model.worldCount) ? worldRows(model, 'body', run) : { start: 0, end: model.bodyCount };
}

/** Shapes of the pairs of a run in the order in which they come. */
export function shapesOf({ pairs, start }: PairRuns, run: number): Int32Array {
	return Int32Array.from(new Set(pairs.subarray(2 * start[run]!, 2 * start[run + 1]!)));
}

export function haveSameEntries(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
	if (a.length !== b.length) return false;
	for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
	return true;
}

/** By how many places the shapes of a run stand behind those of another, but for shapes of no world; undefined where they are not alike. */
export function shiftBetween({ shapeWorld }: Model, first: Int32Array, shapes: Int32Array): number | undefined {
	if (shapes.length !== first.length) return undefined;
	let shift: number | undefined;
	for (const [i, shape] of shapes.entries()) {
		const own = shape - first[i]!;
		const isShared = shapeWorld[shape]! < 0;
		if (isShared !== shapeWorld[first[i]!]! < 0 || (isShared && own !== 0)) return undefined;
		if (isShared) continue;
		if (shift !== undefined && shift !== own) return undefined;
		shift = own;
	}
	return shift ?? 0;
}
