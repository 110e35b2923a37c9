/** Items by the world that they belong to; those of no world come last, or with the only world. */
export function groupByWorld<T extends { readonly world: number }>(items: readonly T[], worldCount: number): T[][] {
	const worlds = Math.max(1, worldCount);
	const groups: T[][] = Array.from({ length: worlds + 1 }, () => []);
	for (const item of items) groups[item.world < 0 ? (worlds === 1 ? 0 : worlds) : item.world]!.push(item);
	return groups;
}
