/** The name that is most like another, when one is like it at all. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
	let best: string | undefined;
	// a third of the letters may differ
	let least = Math.floor(Math.max(name.length, 3) / 3) + 1;
	for (const candidate of known) {
		if (Math.abs(candidate.length - name.length) >= least) continue;
		const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
		if (distance < least) {
			best = candidate;
			least = distance;
		}
	}
	return best;
}

/** Number of letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, i) => i);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced));
		}
		row = next;
	}
	return row[b.length]!;
}
