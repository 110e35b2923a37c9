import { crc32 } from '../crc32.ts';

/** Whether the chunks of a PNG file follow each other to the end with the checksums that they name, and those that pixels need are there. */
export function isWholePng(bytes: Uint8Array): boolean {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const names = new Set<string>();
	for (let at = 8; at + 12 <= bytes.length; ) {
		const size = view.getUint32(at);
		const end = at + 12 + size;
		if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return false;
		const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
		if ((names.size === 0) !== (name === 'IHDR') || (name === 'IHDR' && size !== 13)) return false;
		names.add(name);
		if (name === 'IEND') return names.has('IDAT') && (bytes[25] !== 3 || names.has('PLTE'));
		at = end;
	}
	return false;
}
