/** Options of {@link unifiedDiff}. */
export interface DiffOptions {
	/** Unchanged lines around changes. */
	readonly context?: number;
}

export const DIFF_DEFAULTS: Required<DiffOptions> = { context: 3 };

interface Hunk {
	/** First line and number of lines on each side. */
	readonly before: number;
	readonly beforeCount: number;
	readonly after: number;
	readonly afterCount: number;
	readonly lines: readonly string[];
}

/** The difference of two texts in the unified format that `patch` and `git apply` read; empty when they are equal. */
export function unifiedDiff(
	before: string,
	after: string,
	names: { readonly before: string; readonly after: string },
	options: DiffOptions = {},
): string {
	if (before === after) return '';
	const { context } = { ...DIFF_DEFAULTS, ...options };
	const a = splitLines(before);
	const b = splitLines(after);
	const edits = diffLines(a, b);
	let text = `--- ${names.before}\n+++ ${names.after}\n`;
	for (const hunk of hunks(a, b, edits, context)) {
		text += `@@ -${range(hunk.before, hunk.beforeCount)} +${range(hunk.after, hunk.afterCount)} @@\n`;
		for (const line of hunk.lines) text += line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
	}
	return text;
}

function range(start: number, count: number): string {
	return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`;
}

/** The lines of a text with their line ends. */
export function splitLines(text: string): string[] {
	const lines = text.split('\n').map((line) => `${line}\n`);
	const last = lines.pop()!;
	if (last !== '\n') lines.push(last.slice(0, -1));
	return lines;
}

/** Runs of equal lines, in order: start in the first text, start in the second, length. */
export type Match = readonly [a: number, b: number, length: number];

/** Equal runs of a shortest edit script (Myers 1986), with a bound on the work: far apart texts are taken as one change. */
export function diffLines(a: readonly string[], b: readonly string[]): Match[] {
	let head = 0;
	while (head < a.length && head < b.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	const matches: Match[] = [];
	if (head > 0) matches.push([0, 0, head]);
	matches.push(...shortestEdits(a, b, head, a.length - tail, b.length - tail));
	if (tail > 0) matches.push([a.length - tail, b.length - tail, tail]);
	return matches;
}

const MOST_EDITS = 4000;

function shortestEdits(a: readonly string[], b: readonly string[], from: number, aEnd: number, bEnd: number): Match[] {
	const n = aEnd - from;
	const m = bEnd - from;
	if (n === 0 || m === 0) return [];
	const most = Math.min(n + m, MOST_EDITS);
	const offset = most + 1;
	const reach = new Int32Array(2 * most + 3);
	const trace: Int32Array[] = [];
	for (let d = 0; d <= most; d++) {
		trace.push(reach.slice(offset - d - 1, offset + d + 2));
		for (let k = -d; k <= d; k += 2) {
			let x =
				k === -d || (k !== d && reach[offset + k - 1]! < reach[offset + k + 1]!)
					? reach[offset + k + 1]!
					: reach[offset + k - 1]! + 1;
			while (x < n && x - k < m && a[from + x] === b[from + x - k]) x++;
			reach[offset + k] = x;
			if (x >= n && x - k >= m) return walkBack(trace, d, n, m, from);
		}
	}
	return [];
}

function walkBack(trace: readonly Int32Array[], distance: number, n: number, m: number, from: number): Match[] {
	const matches: Match[] = [];
	let x = n;
	let y = m;
	for (let d = distance; d >= 0; d--) {
		const reach = trace[d]!;
		const at = (k: number): number => reach[k + d + 1]!;
		const k = x - y;
		const isDown = k === -d || (k !== d && at(k - 1) < at(k + 1));
		const previousK = isDown ? k + 1 : k - 1;
		const previousX = d === 0 ? 0 : at(previousK);
		const previousY = d === 0 ? 0 : previousX - previousK;
		const startX = d === 0 ? 0 : isDown ? previousX : previousX + 1;
		const startY = startX - k;
		if (x > startX) matches.push([from + startX, from + startY, x - startX]);
		x = previousX;
		y = previousY;
	}
	return matches.reverse();
}

function* hunks(
	a: readonly string[],
	b: readonly string[],
	matches: readonly Match[],
	context: number,
): Generator<Hunk> {
	const all: Match[] = [...matches, [a.length, b.length, 0]];
	let lines: string[] = [];
	let start: readonly [number, number] | undefined;
	let x = 0;
	let y = 0;
	for (const [mx, my, length] of all) {
		if (mx > x || my > y) {
			if (start === undefined) {
				const back = Math.min(context, x);
				start = [x - back, y - back];
				for (let i = x - back; i < x; i++) lines.push(` ${a[i]}`);
			}
			for (; x < mx; x++) lines.push(`-${a[x]}`);
			for (; y < my; y++) lines.push(`+${b[y]}`);
		}
		x = mx + length;
		y = my + length;
		if (start === undefined) continue;
		const isLast = mx + length >= a.length && my + length >= b.length;
		if (length > 2 * context || isLast) {
			const ahead = Math.min(context, length);
			for (let i = 0; i < ahead; i++) lines.push(` ${a[mx + i]}`);
			yield {
				before: start[0],
				beforeCount: mx + ahead - start[0],
				after: start[1],
				afterCount: my + ahead - start[1],
				lines,
			};
			lines = [];
			start = undefined;
			if (isLast) return;
		} else for (let i = 0; i < length; i++) lines.push(` ${a[mx + i]}`);
	}
}
