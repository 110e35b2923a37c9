/**
 * A PNG file of 8-bit RGB pixels, stored without compression so that its bytes do not depend on a compressor.
 * Holds images below 64 KB.
 */
export function encodePng(
	width: number,
	height: number,
	pixel: (x: number, y: number) => readonly number[],
): Uint8Array {
	const rows: number[] = [];
	for (let y = 0; y < height; y++) {
		rows.push(0);
		for (let x = 0; x < width; x++) rows.push(...pixel(x, y));
	}
	const size = rows.length;
	const stored = [
		0x78,
		0x01,
		1,
		size & 255,
		size >> 8,
		~size & 255,
		(~size >> 8) & 255,
		...rows,
		...word(adler32(rows)),
	];
	return Uint8Array.from([
		...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
		...chunk('IHDR', [...word(width), ...word(height), 8, 2, 0, 0, 0]),
		...chunk('IDAT', stored),
		...chunk('IEND', []),
	]);
}

function chunk(name: string, data: readonly number[]): number[] {
	const body = [...Array.from(name, (letter) => letter.charCodeAt(0)), ...data];
	return [...word(data.length), ...body, ...word(crc32(body))];
}

function word(value: number): number[] {
	return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

function crc32(bytes: readonly number[]): number {
	let crc = 0xffffffff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
	}
	return ~crc >>> 0;
}

function adler32(bytes: readonly number[]): number {
	let a = 1;
	let b = 0;
	for (const byte of bytes) {
		a = (a + byte) % 65521;
		b = (b + a) % 65521;
	}
	return ((b << 16) | a) >>> 0;
}
