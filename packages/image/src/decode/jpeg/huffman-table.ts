/** Bits that one look into a table takes; longer codes are rare. */
export const LOOK: number = 9;

/** A Huffman code (ITU T.81 annex C), with tables of what the next {@link LOOK} bits mean. */
export interface HuffmanTable {
	/** Length of the code times 256, and its value; 0 where the code is longer. */
	readonly look: Uint16Array;
	/**
	 * Codes of coefficients whose bits are there too: coefficient times 256, zeros before it times 16, and all bits that are
	 * used; 0 where more bits are needed, or no coefficient follows.
	 */
	readonly coefficients: Int32Array;
	/** Largest code of each length, -1 where there is none. */
	readonly most: Int32Array;
	/** What is added to a code of each length to find its value. */
	readonly offset: Int32Array;
	readonly values: Uint8Array;
}

/** The table of codes of which there are `counts[i]` with i + 1 bits. */
export function huffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable {
	const most = new Int32Array(17).fill(-1);
	const offset = new Int32Array(17);
	const look = new Uint16Array(1 << LOOK);
	let [code, first] = [0, 0];
	for (let length = 1; length <= 16; length++) {
		const count = counts[length - 1]!;
		offset[length] = first - code;
		if (length <= LOOK) {
			const spread = 1 << (LOOK - length);
			// codes of damaged tables lead beyond the end, where nothing is written
			for (let i = 0; i < count; i++)
				look.fill((length << 8) | values[first + i]!, (code + i) * spread, (code + i + 1) * spread);
		}
		code += count;
		first += count;
		if (count > 0) most[length] = code - 1;
		code <<= 1;
	}
	return { look, coefficients: shortCoefficients(look), most, offset, values };
}

function shortCoefficients(look: Uint16Array): Int32Array {
	const out = new Int32Array(1 << LOOK);
	for (let bits = 0; bits < out.length; bits++) {
		const length = look[bits]! >> 8;
		const run = (look[bits]! >> 4) & 15;
		const size = look[bits]! & 15;
		if (length === 0 || size === 0 || length + size > LOOK) continue;
		const raw = (bits >> (LOOK - length - size)) & ((1 << size) - 1);
		out[bits] = extended(raw, size) * 256 + run * 16 + length + size;
	}
	return out;
}

/** The number that `size` bits stand for (T.81 F.2.2.1). */
export function extended(raw: number, size: number): number {
	return raw < 1 << (size - 1) ? raw - (1 << size) + 1 : raw;
}
