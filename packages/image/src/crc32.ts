/** CRC-32 as PNG 1.2 section 15 has it. */
export function crc32(bytes: Uint8Array): number {
	let value = 0xffffffff;
	for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 255]! ^ (value >>> 8);
	return (value ^ 0xffffffff) >>> 0;
}

const CRC_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, n) => {
	let value = n;
	for (let k = 0; k < 8; k++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
	return value;
});
