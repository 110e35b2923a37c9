/** Whether a JPEG file is of a kind that is decoded, has the tables that its scans name, and ends where it says. Compressed data are not read. */
export function isWholeJpeg(bytes: Uint8Array): boolean {
	const [steps, codes] = [new Set<number>(), new Set<number>()];
	let components: ReadonlyMap<number, number> | undefined;
	let scans = 0;
	let isProgressive = false;
	for (let at = 2; at + 2 <= bytes.length; ) {
		if (bytes[at] !== 0xff) return false;
		const marker = bytes[at + 1];
		if (marker === 0xd9) return scans > 0;
		// bytes that fill up
		if (marker === 0xff) {
			at++;
			continue;
		}
		const size = bytes[at + 2]! * 256 + bytes[at + 3]!;
		const [from, end] = [at + 4, at + 2 + size];
		if (marker === undefined || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || size < 2) return false;
		if (end > bytes.length) return false;
		if (marker === 0xdb && !addSteps(bytes, from, end, steps)) return false;
		if (marker === 0xc4) {
			if (!addCodes(bytes, from, end, codes)) return false;
		} else if (marker <= 0xc2) {
			if (components !== undefined) return false;
			components = componentsOf(bytes, from, end);
			isProgressive = marker === 0xc2;
		} else if (marker <= 0xcf) return false;
		if (marker === 0xdd && size !== 4) return false;
		if (marker === 0xda) {
			if (end !== from + 4 + 2 * bytes[from]! || components === undefined) return false;
			if (!hasTables(bytes, from, components, steps, codes, isProgressive)) return false;
			scans++;
		}
		at = marker === 0xda ? behindData(bytes, end) : end;
	}
	return false;
}

/** Quantization tables of each component; undefined for frames that are not decoded. */
function componentsOf(bytes: Uint8Array, from: number, end: number): ReadonlyMap<number, number> | undefined {
	const count = bytes[from + 5]!;
	if (bytes[from] !== 8 || ![1, 3, 4].includes(count) || from + 6 + 3 * count > end) return undefined;
	const [height, width] = [bytes[from + 1]! + bytes[from + 2]!, bytes[from + 3]! + bytes[from + 4]!];
	const heads = Array.from({ length: count }, (_, i) => bytes.subarray(from + 6 + 3 * i, from + 9 + 3 * i));
	if (width === 0 || height === 0 || heads.some(([, sampling]) => sampling! < 16 || sampling! % 16 === 0))
		return undefined;
	return new Map(heads.map(([id, , table]) => [id!, table!]));
}

/** Notes the quantization tables of a segment; false when they do not fill it. */
function addSteps(bytes: Uint8Array, from: number, end: number, steps: Set<number>): boolean {
	let at = from;
	for (; at < end; at += bytes[at]! >> 4 ? 129 : 65) steps.add(bytes[at]! & 15);
	return at === end;
}

/** Notes the Huffman tables of a segment; false when they do not fill it, or have more codes than there can be. */
function addCodes(bytes: Uint8Array, from: number, end: number, codes: Set<number>): boolean {
	let at = from;
	while (at + 17 <= end) {
		codes.add((bytes[at]! >> 4 ? 16 : 0) + (bytes[at]! & 15));
		let [sum, share] = [0, 0];
		for (let length = 1; length <= 16; length++) {
			const count = bytes[at + length]!;
			sum += count;
			share += count * 2 ** -length;
		}
		if (share > 1) return false;
		at += 17 + sum;
	}
	return at === end;
}

/** Whether the tables of a scan are there: both of a sequential one, of a progressive one those of the coefficients that it has. */
function hasTables(
	bytes: Uint8Array,
	from: number,
	components: ReadonlyMap<number, number>,
	steps: ReadonlySet<number>,
	codes: ReadonlySet<number>,
	isProgressive: boolean,
): boolean {
	const count = bytes[from]!;
	const [start, end, bits] = bytes.subarray(from + 1 + 2 * count, from + 4 + 2 * count);
	for (let i = 0; i < count; i++) {
		const table = components.get(bytes[from + 1 + 2 * i]!);
		const [dc, ac] = [bytes[from + 2 + 2 * i]! >> 4, 16 + (bytes[from + 2 + 2 * i]! & 15)];
		if (table === undefined || !steps.has(table)) return false;
		// later bits of first coefficients have no code
		if ((!isProgressive || (start === 0 && bits! >> 4 === 0)) && !codes.has(dc)) return false;
		if ((!isProgressive || start! > 0 || end! > 0) && !codes.has(ac)) return false;
	}
	return count > 0;
}

/** Where the marker behind the data of a scan is. */
function behindData(bytes: Uint8Array, from: number): number {
	let at = bytes.indexOf(0xff, from);
	while (at >= 0) {
		const next = bytes[at + 1];
		// a byte of data, a restart
		if (next !== 0 && next !== 0xff && !(next! >= 0xd0 && next! <= 0xd7)) return at;
		at = bytes.indexOf(0xff, at + 1);
	}
	return bytes.length;
}
