/** Eight tables of 256 entries: table k gives the effect of a byte that k further bytes follow. */
const TABLES = makeTables();

/** CRC-32 of `bytes`, as zip has it; `seed` is the checksum of what came before. */
export function crc32(bytes: Uint8Array, seed = 0): number {
	let crc = ~seed;
	let i = 0;
	const end = bytes.length;
	for (const last = end - 8; i <= last; i += 8) {
		const low = crc ^ (bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24));
		crc =
			TABLES[0x700 + (low & 255)]! ^
			TABLES[0x600 + ((low >>> 8) & 255)]! ^
			TABLES[0x500 + ((low >>> 16) & 255)]! ^
			TABLES[0x400 + (low >>> 24)]! ^
			TABLES[0x300 + bytes[i + 4]!]! ^
			TABLES[0x200 + bytes[i + 5]!]! ^
			TABLES[0x100 + bytes[i + 6]!]! ^
			TABLES[bytes[i + 7]!]!;
	}
	for (; i < end; i++) crc = TABLES[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
	return ~crc >>> 0;
}

function makeTables(): Int32Array {
	const tables = new Int32Array(8 * 256);
	for (let byte = 0; byte < 256; byte++) {
		let crc = byte;
		for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
		tables[byte] = crc;
	}
	for (let i = 256; i < tables.length; i++) {
		const previous = tables[i - 256]!;
		tables[i] = tables[previous & 255]! ^ (previous >>> 8);
	}
	return tables;
}
