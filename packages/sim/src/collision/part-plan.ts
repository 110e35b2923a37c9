import { GeoType, type Model } from '@manyworlds/model';

/** Parts of all runs of pairs. */
export interface PartPlan {
	/** Body of each part, -1 for a shape of the world. */
	readonly body: Int32Array;
	/** Shapes of part p: `shapes[shapeStart[p]]` to before `shapes[shapeStart[p + 1]]`. */
	readonly shapeStart: Int32Array;
	readonly shapes: Int32Array;
	/** Parts of run r: `parts[partStart[r]]` to before `parts[partStart[r + 1]]`. */
	readonly partStart: Int32Array;
	readonly parts: Int32Array;
	/** Pairs of parts of run r, as places among its parts, two numbers each; up to `planeEnd[r]` the first is a plane of the world. */
	readonly pairStart: Int32Array;
	readonly pairs: Int32Array;
	readonly planeEnd: Int32Array;
	/** Pair of parts of each pair of shapes, counted from the first of its run. */
	readonly pairOf: Int32Array;
	/** Pair of shapes where those of the same parts as each pair end, or its run. */
	readonly next: Int32Array;
	/** First pair of each stretch of pairs of the same parts; those of run r are `stretchStart[r]` to before `stretchStart[r + 1]`. */
	readonly stretchStart: Int32Array;
	readonly stretches: Int32Array;
}

/** Finds the parts of pairs of shapes, two numbers each; those of run r are `start[r]` to before `start[r + 1]`. */
export function planParts(model: Model, shapePairs: Int32Array, start: Int32Array): PartPlan {
	const { shapeBody, shapeType } = model;
	const partOfBody = new Int32Array(model.bodyCount).fill(-1);
	const partOfShape = new Int32Array(model.shapeCount).fill(-1);
	const body: number[] = [];
	for (const shape of shapePairs) {
		if (partOfShape[shape]! >= 0) continue;
		const own = shapeBody[shape]!;
		let part = own < 0 ? -1 : partOfBody[own]!;
		if (part < 0) part = body.push(own) - 1;
		if (own >= 0) partOfBody[own] = part;
		partOfShape[shape] = part;
	}
	const shapeStart = new Int32Array(body.length + 1);
	for (const part of partOfShape) if (part >= 0) shapeStart[part + 1] = shapeStart[part + 1]! + 1;
	for (let part = 0; part < body.length; part++) shapeStart[part + 1] = shapeStart[part + 1]! + shapeStart[part]!;
	const free = shapeStart.slice();
	const shapes = new Int32Array(shapeStart[body.length]!);
	for (const [shape, part] of partOfShape.entries()) {
		if (part < 0) continue;
		shapes[free[part]!] = shape;
		free[part] = free[part]! + 1;
	}
	const isPlane = (part: number): boolean => body[part]! < 0 && shapeType[shapes[shapeStart[part]!]!] === GeoType.PLANE;
	const partStart = [0];
	const parts: number[] = [];
	const pairStart = [0];
	const pairs: number[] = [];
	const planeEnd: number[] = [];
	const stretchStart = [0];
	const stretches: number[] = [];
	const pairOf = new Int32Array(shapePairs.length / 2);
	const next = new Int32Array(shapePairs.length / 2);
	for (let run = 0; run + 1 < start.length; run++) {
		const placeOf = new Map<number, number>();
		const placeIn = (part: number): number => {
			const known = placeOf.get(part);
			if (known !== undefined) return known;
			placeOf.set(part, placeOf.size);
			parts.push(part);
			return placeOf.size - 1;
		};
		const numberOf = new Map<number, number>();
		// those with planes first
		for (const withPlane of [true, false]) {
			for (let i = start[run]!; i < start[run + 1]!; i++) {
				let a = partOfShape[shapePairs[2 * i]!]!;
				let b = partOfShape[shapePairs[2 * i + 1]!]!;
				if ((isPlane(a) || isPlane(b)) !== withPlane) continue;
				if (isPlane(b)) [a, b] = [b, a];
				const key = placeIn(a) * model.shapeCount + placeIn(b);
				let number = numberOf.get(key);
				if (number === undefined) {
					number = numberOf.size;
					numberOf.set(key, number);
					pairs.push(placeIn(a), placeIn(b));
				}
				pairOf[i] = number;
			}
			if (withPlane) planeEnd.push(pairs.length / 2);
		}
		for (let i = start[run + 1]! - 1; i >= start[run]!; i--) {
			const isLast = i + 1 === start[run + 1]! || pairOf[i + 1] !== pairOf[i];
			next[i] = isLast ? i + 1 : next[i + 1]!;
		}
		for (let i = start[run]!; i < start[run + 1]!; i = next[i]!) stretches.push(i);
		partStart.push(parts.length);
		pairStart.push(pairs.length / 2);
		stretchStart.push(stretches.length);
	}
	return {
		body: Int32Array.from(body),
		shapeStart,
		shapes,
		partStart: Int32Array.from(partStart),
		parts: Int32Array.from(parts),
		pairStart: Int32Array.from(pairStart),
		pairs: Int32Array.from(pairs),
		planeEnd: Int32Array.from(planeEnd),
		pairOf,
		next,
		stretchStart: Int32Array.from(stretchStart),
		stretches: Int32Array.from(stretches),
	};
}
