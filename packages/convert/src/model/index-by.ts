/** Indices of items by a number that each has, in order. */
export function indexBy<T>(items: readonly T[], keyOf: (item: T) => number): ReadonlyMap<number, readonly number[]> {
	const found = new Map<number, number[]>();
	for (const [index, item] of items.entries()) {
		const known = found.get(keyOf(item));
		if (known === undefined) found.set(keyOf(item), [index]);
		else known.push(index);
	}
	return found;
}
