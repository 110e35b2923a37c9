import { axisAlignedBox } from '../bounds/axis-aligned-box.ts';
import { convexHull } from '../hull/convex-hull.ts';
import { hullVolume } from './hull-volume.ts';
import type { Part, SplitLimits } from './solid-splitter.ts';

/** Parts above this number are joined by their boxes, which costs little, before hulls are compared. */
const HULL_PAIRS = 96;

/** Joins parts whose common hull is convex enough, then the cheapest pairs until no more than `maxParts` are left. */
export function mergeParts(parts: readonly Part[], limits: SplitLimits): Part[] {
	const reduced = parts.map((part) => ({ ...part, points: convexHull(part.points).mesh.vertices }));
	const few = reduced.length > HULL_PAIRS ? mergeBoxes(reduced, HULL_PAIRS) : reduced;
	return mergeHulls(few, limits);
}

function mergeHulls(parts: readonly Part[], limits: SplitLimits): Part[] {
	const left: (Part | undefined)[] = [...parts];
	// cost of joining i < j, kept until one of them changes
	const joined = new Map<number, Part>();
	const size = parts.length;
	let count = size;
	while (count > 1) {
		let best: { i: number; j: number; cost: number; part: Part } | undefined;
		for (let i = 0; i < size; i++) {
			const a = left[i];
			if (a === undefined) continue;
			for (let j = i + 1; j < size; j++) {
				const b = left[j];
				if (b === undefined) continue;
				const part = joined.get(i * size + j) ?? join(a, b);
				joined.set(i * size + j, part);
				const cost = part.hullVolume - part.volume;
				const mayJoin = count > limits.maxParts || cost <= Math.max(limits.threshold * part.hullVolume, limits.tiny);
				// what a join adds to the excess that is there already
				const added = part.hullVolume - a.hullVolume - b.hullVolume;
				if (mayJoin && (best === undefined || added < best.cost)) best = { i, j, cost: added, part };
			}
		}
		if (best === undefined) break;
		left[best.i] = best.part;
		left[best.j] = undefined;
		count--;
		for (let k = 0; k < size; k++) {
			joined.delete(Math.min(best.i, k) * size + Math.max(best.i, k));
			joined.delete(Math.min(best.j, k) * size + Math.max(best.j, k));
		}
	}
	return left.filter((part) => part !== undefined);
}

function mergeBoxes(parts: readonly Part[], limit: number): Part[] {
	let left = parts.map((part) => ({ part, ...axisAlignedBox(part.points) }));
	while (left.length > limit) {
		let best = { i: 0, j: 1, cost: Number.POSITIVE_INFINITY };
		for (let i = 0; i < left.length; i++) {
			for (let j = i + 1; j < left.length; j++) {
				const cost = commonSize(left[i]!, left[j]!);
				if (cost < best.cost) best = { i, j, cost };
			}
		}
		const part = join(left[best.i]!.part, left[best.j]!.part);
		left = left.filter((_, k) => k !== best.i && k !== best.j);
		left.push({ part, ...axisAlignedBox(part.points) });
	}
	return left.map(({ part }) => part);
}

interface Box {
	readonly least: Float64Array;
	readonly most: Float64Array;
}

/** Length of the diagonal of the box around two boxes, squared. */
function commonSize(a: Box, b: Box): number {
	let square = 0;
	for (let k = 0; k < 3; k++) square += (Math.max(a.most[k]!, b.most[k]!) - Math.min(a.least[k]!, b.least[k]!)) ** 2;
	return square;
}

function join(a: Part, b: Part): Part {
	const points = new Float64Array(a.points.length + b.points.length);
	points.set(a.points);
	points.set(b.points, a.points.length);
	const outer = convexHull(points).mesh.vertices;
	return { points: outer, hullVolume: hullVolume(outer), volume: a.volume + b.volume };
}
