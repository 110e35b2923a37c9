/** An entry of a zip file as its local header and the central directory describe it. */
export interface ZipEntry {
	readonly name: string;
	readonly method: number;
	readonly flags: number;
	readonly dataOffset: number;
	readonly size: number;
}

/**
 * The entries of a plain zip file in the order of its central directory, for checks that must not rely on the package
 * reader under test. Throws when the structure is not what a usdz file needs.
 */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const end = bytes.length - 22;
	if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Error('no end record at the very end');
	if (view.getUint16(end + 20, true) !== 0) throw new Error('the end record has a comment');
	const count = view.getUint16(end + 10, true);
	let at = view.getUint32(end + 16, true);
	const entries: ZipEntry[] = [];
	for (let i = 0; i < count; i++) {
		if (view.getUint32(at, true) !== 0x02014b50) throw new Error(`entry ${i} of the directory is missing`);
		const nameLength = view.getUint16(at + 28, true);
		const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
		entries.push(localEntry(bytes, view, view.getUint32(at + 42, true), name, view.getUint32(at + 24, true)));
		at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
	if (at !== end) throw new Error('the end record does not follow the directory');
	return entries;
}

function localEntry(bytes: Uint8Array, view: DataView, at: number, name: string, size: number): ZipEntry {
	if (view.getUint32(at, true) !== 0x04034b50) throw new Error(`'${name}' has no local header`);
	const nameLength = view.getUint16(at + 26, true);
	const localName = new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + nameLength));
	if (localName !== name) throw new Error(`'${name}' is called '${localName}' in its local header`);
	if (view.getUint32(at + 22, true) !== size || view.getUint32(at + 18, true) !== size) {
		throw new Error(`'${name}' has other sizes in its local header`);
	}
	const dataOffset = at + 30 + nameLength + view.getUint16(at + 28, true);
	return { name, method: view.getUint16(at + 8, true), flags: view.getUint16(at + 6, true), dataOffset, size };
}
