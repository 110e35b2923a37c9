/**
 * The shortest end of each path that no other path shares, its parts joined by `_`: usually the last part. Equal paths stay equal
 * but for a number.
 */
export function shortNames(paths: readonly string[], separator: string): string[] {
	const parts = paths.map((path) => path.split(separator).filter((part) => part !== ''));
	const depth = new Array<number>(paths.length).fill(1);
	const nameOf = (i: number): string => parts[i]!.slice(-depth[i]!).join('_');
	for (;;) {
		const groups = new Map<string, number[]>();
		for (let i = 0; i < paths.length; i++) {
			const name = nameOf(i);
			const group = groups.get(name);
			if (group === undefined) groups.set(name, [i]);
			else group.push(i);
		}
		let isGrowing = false;
		for (const group of groups.values()) {
			if (group.length === 1) continue;
			for (const i of group) {
				if (depth[i]! >= parts[i]!.length) continue;
				depth[i]!++;
				isGrowing = true;
			}
		}
		if (!isGrowing) break;
	}
	const seen = new Map<string, number>();
	return paths.map((_, i) => {
		const name = nameOf(i);
		const count = (seen.get(name) ?? 0) + 1;
		seen.set(name, count);
		return count === 1 ? name : `${name}_${count}`;
	});
}
