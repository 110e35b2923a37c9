import { diffLines, splitLines } from './unified-diff.ts';

/** Bytes of a text from `start` to `end`, and what takes their place. */
export interface TextChange {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** The changes of whole lines that turn a text into another; none when they are equal. */
export function textChanges(before: Uint8Array, after: Uint8Array): TextChange[] {
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	const old = splitLines(decoder.decode(before));
	const now = splitLines(decoder.decode(after));
	const encoder = new TextEncoder();
	const starts = [0];
	for (const line of old) starts.push(starts.at(-1)! + encoder.encode(line).length);
	const changes: TextChange[] = [];
	let x = 0;
	let y = 0;
	for (const [mx, my, length] of [...diffLines(old, now), [old.length, now.length, 0] as const]) {
		if (mx > x || my > y) changes.push({ start: starts[x]!, end: starts[mx]!, text: now.slice(y, my).join('') });
		x = mx + length;
		y = my + length;
	}
	return changes;
}
