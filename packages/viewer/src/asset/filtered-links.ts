import { type Model, ShapeFlags } from '@manyworlds/model';

/** Pairs of links of the first world, both with colliders, of which no shape may touch one of the other; the smaller index first. */
export function filteredLinks(model: Model, bodyCount: number): (readonly [number, number])[] {
	const { shapeBody, shapeFlags, shapeContactPairs: pairs } = model;
	const collides = new Set<number>();
	for (let shape = 0; shape < model.shapeCount; shape++) {
		const body = shapeBody[shape]!;
		if (body >= 0 && body < bodyCount && (shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0) collides.add(body);
	}
	const touching = new Set<number>();
	for (let at = 0; at < pairs.length; at += 2) {
		const [a, b] = [shapeBody[pairs[at]!]!, shapeBody[pairs[at + 1]!]!];
		if (a >= 0 && b >= 0) touching.add(Math.min(a, b) * bodyCount + Math.max(a, b));
	}
	const links = [...collides].sort((a, b) => a - b);
	return links.flatMap((a, i) =>
		links.slice(i + 1).flatMap((b) => (touching.has(a * bodyCount + b) ? [] : [[a, b] as const])),
	);
}
