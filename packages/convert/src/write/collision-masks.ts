/** Most bodies whose pairs are looked at: the work grows with their square. */
const MOST_BODIES = 512;

/**
 * Bits for bodies, so that two have one in common exactly when they may collide: each bit is a set of bodies that all may. Undefined
 * when so many bits do not suffice.
 */
export function collisionMasks(
	bodies: readonly number[],
	filters: readonly (readonly [number, number])[],
	bits: number,
): ReadonlyMap<number, number> | undefined {
	if (bodies.length > MOST_BODIES) return undefined;
	const apart = new Set(filters.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
	const mayCollide = (a: number, b: number): boolean => !apart.has(`${a} ${b}`);
	const masks = new Map(bodies.map((body) => [body, 0]));
	let used = 0;
	for (const [i, a] of bodies.entries()) {
		for (const b of [a, ...bodies.slice(i + 1)]) {
			if (!mayCollide(a, b) || (masks.get(a)! & masks.get(b)!) !== 0) continue;
			if (used === bits) return undefined;
			const together = new Set([a, b]);
			for (const c of bodies) if (Array.from(together).every((own) => mayCollide(own, c))) together.add(c);
			for (const body of together) masks.set(body, masks.get(body)! | (1 << used));
			used++;
		}
	}
	return masks;
}
