/** Draws evenly over groups: one of each group in turn, groups and members in an order that follows from the seed. */
export function draw<T>(groups: readonly (readonly T[])[], count: number, seed: number): T[] {
	const next = randomIntegers(seed);
	const left = shuffle(
		groups.map((group) => shuffle([...group], next)),
		next,
	);
	const drawn: T[] = [];
	while (drawn.length < count && left.some((group) => group.length > 0)) {
		for (const group of left) {
			const item = group.pop();
			if (item !== undefined && drawn.length < count) drawn.push(item);
		}
	}
	return drawn;
}

function shuffle<T>(items: T[], next: (below: number) => number): T[] {
	for (let i = items.length - 1; i > 0; i--) {
		const j = next(i + 1);
		[items[i], items[j]] = [items[j] as T, items[i] as T];
	}
	return items;
}

/** Integers from 0 below a bound (Marsaglia's xorshift of 32 bits). */
function randomIntegers(seed: number): (below: number) => number {
	let state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) | 0 || 1;
	return (below) => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % below;
	};
}
