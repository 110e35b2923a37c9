import type { Diagnostic } from '../diagnostic.ts';

/**
 * A text by which a finding is known again in a later run: made of its code, file, prim and sentence without the numbers of lines,
 * so that lines that come or go above it change nothing. Findings that agree in all of that are numbered in their order.
 */
export class Fingerprints {
	readonly #counts = new Map<string, number>();

	of({ code, file, prim, message }: Diagnostic): string {
		const plain = message
			.replaceAll(/\b(lines?|columns?) \d+(?:\s*(?:to|and|,|-)\s*\d+)*/g, '$1')
			.replaceAll(/:\d+(?::\d+)?\b/g, '');
		const hash = hash64(JSON.stringify([code, file?.replaceAll('\\', '/') ?? '', prim ?? '', plain]));
		const count = (this.#counts.get(hash) ?? 0) + 1;
		this.#counts.set(hash, count);
		return `${hash}:${count}`;
	}
}

/** FNV-1a with 64 bits, as 16 hexadecimal digits. */
function hash64(text: string): string {
	let [high, low] = [0xcbf29ce4, 0x84222325];
	for (const byte of new TextEncoder().encode(text)) {
		low = (low ^ byte) >>> 0;
		// times 2^40 + 0x1b3
		const product = low * 0x1b3;
		const carry = Math.floor(product / 2 ** 32);
		high = (Math.imul(high, 0x1b3) + carry + (low << 8)) >>> 0;
		low = product >>> 0;
	}
	return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}
