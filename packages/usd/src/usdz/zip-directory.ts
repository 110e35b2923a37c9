/** One member as the zip directory lists it. */
export interface ZipRecord {
	readonly name: string;
	readonly flags: number;
	readonly method: number;
	readonly crc: number;
	readonly compressedSize: number;
	readonly size: number;
	/** Where the member's own header starts in the file. */
	readonly headerOffset: number;
}

/** What is wrong with a directory, or remarkable about it. */
export interface ZipFault {
	readonly kind: 'missing' | 'damaged' | 'zip64' | 'entries' | 'extra';
	readonly message: string;
	readonly byteOffset: number;
}

export interface ZipDirectory {
	readonly records: readonly ZipRecord[];
	/** Where members must end: the start of the directory, or the end of the file without one. */
	readonly dataEnd: number;
	readonly faults: readonly ZipFault[];
}

/** Where the data of a member lies, from its own header. */
export interface LocalHeader {
	readonly name: string;
	readonly dataOffset: number;
}

const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_SIZE = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_SIZE = 30;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_SIZE = 20;
const LONGEST_COMMENT = 0xffff;
const HAS_DATA_DESCRIPTOR = 8;

/** Reads the list of members of a zip file, at most `maxEntries` of them. */
export function readZipDirectory(bytes: Uint8Array, maxEntries: number): ZipDirectory {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const faults: ZipFault[] = [];
	const end = findEnd(view);
	if (end < 0) {
		const message = 'there is no zip directory at the end of the file: it is cut off, or no package';
		faults.push({ kind: 'missing', message, byteOffset: bytes.length });
		return { records: walkHeaders(bytes, view, maxEntries), dataEnd: bytes.length, faults };
	}
	const count = view.getUint16(end + 10, true);
	const size = view.getUint32(end + 12, true);
	const offset = view.getUint32(end + 16, true);
	if (isZip64(view, end, count, size, offset)) {
		faults.push({ kind: 'zip64', message: 'the package uses the zip64 extension', byteOffset: end });
		return { records: [], dataEnd: end, faults };
	}
	const commentSize = bytes.length - end - END_SIZE;
	if (commentSize > 0) {
		const message = `${commentSize} bytes follow the zip directory, expected none`;
		faults.push({ kind: 'extra', message, byteOffset: end + END_SIZE });
	}
	// bytes in front of the archive move everything behind them
	let base = 0;
	if (!hasSignature(view, offset, CENTRAL_SIGNATURE) && hasSignature(view, end - size, CENTRAL_SIGNATURE)) {
		base = Math.max(0, end - size - offset);
	}
	const start = offset + base;
	if (count > 0 && (start > end || !hasSignature(view, start, CENTRAL_SIGNATURE))) {
		const message = `the zip directory should start at byte ${start}, but there is none`;
		faults.push({ kind: 'damaged', message, byteOffset: end });
		return { records: walkHeaders(bytes, view, maxEntries), dataEnd: end, faults };
	}
	if (count > 0 && start + size !== end) {
		const message = `the zip directory has ${end - start} bytes, but its end record names ${size}`;
		faults.push({ kind: 'damaged', message, byteOffset: end });
	}
	if (base !== 0) faults.push({ kind: 'extra', message: `${base} bytes stand in front of the package`, byteOffset: 0 });
	const records = readRecords(bytes, view, { start, end, count: Math.min(count, maxEntries), base }, faults);
	if (count > maxEntries) {
		const message = `the package lists ${count} members, the limit is ${maxEntries}`;
		faults.push({ kind: 'entries', message, byteOffset: end });
	}
	return { records, dataEnd: Math.min(start, end), faults };
}

/** Reads the header in front of a member's data. Undefined when there is none. */
export function readLocalHeader(bytes: Uint8Array, offset: number): LocalHeader | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (!hasSignature(view, offset, LOCAL_SIGNATURE) || offset + LOCAL_SIZE > bytes.length) return undefined;
	const nameEnd = offset + LOCAL_SIZE + view.getUint16(offset + 26, true);
	const dataOffset = nameEnd + view.getUint16(offset + 28, true);
	if (dataOffset > bytes.length) return undefined;
	return { name: decodeName(bytes, offset + LOCAL_SIZE, nameEnd), dataOffset };
}

/** Where the record at the end of the directory starts, -1 without one. */
function findEnd(view: DataView): number {
	const last = view.byteLength - END_SIZE;
	const first = Math.max(0, last - LONGEST_COMMENT);
	let found = -1;
	for (let at = last; at >= first; at--) {
		if (view.getUint32(at, true) !== END_SIGNATURE) continue;
		// a comment may hold the signature, so the one whose comment ends the file is preferred
		if (at + END_SIZE + view.getUint16(at + 20, true) === view.byteLength) return at;
		if (found < 0) found = at;
	}
	return found;
}

function isZip64(view: DataView, end: number, count: number, size: number, offset: number): boolean {
	if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff) return true;
	return hasSignature(view, end - ZIP64_LOCATOR_SIZE, ZIP64_LOCATOR_SIGNATURE);
}

function hasSignature(view: DataView, at: number, signature: number): boolean {
	return at >= 0 && at + 4 <= view.byteLength && view.getUint32(at, true) === signature;
}

interface DirectoryExtent {
	readonly start: number;
	readonly end: number;
	readonly count: number;
	readonly base: number;
}

function readRecords(bytes: Uint8Array, view: DataView, extent: DirectoryExtent, faults: ZipFault[]): ZipRecord[] {
	const records: ZipRecord[] = [];
	let at = extent.start;
	while (records.length < extent.count) {
		const isWhole = at + CENTRAL_SIZE <= extent.end && hasSignature(view, at, CENTRAL_SIGNATURE);
		const nameEnd = isWhole ? at + CENTRAL_SIZE + view.getUint16(at + 28, true) : 0;
		if (!isWhole || nameEnd > extent.end) {
			const message = `the zip directory lists ${extent.count} members, but ends after ${records.length}`;
			faults.push({ kind: 'damaged', message, byteOffset: Math.min(at, bytes.length) });
			break;
		}
		records.push({
			name: decodeName(bytes, at + CENTRAL_SIZE, nameEnd),
			flags: view.getUint16(at + 8, true),
			method: view.getUint16(at + 10, true),
			crc: view.getUint32(at + 16, true),
			compressedSize: view.getUint32(at + 20, true),
			size: view.getUint32(at + 24, true),
			headerOffset: view.getUint32(at + 42, true) + extent.base,
		});
		at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
	return records;
}

/** Members that follow each other from the start of the file, for files whose directory is lost. */
function walkHeaders(bytes: Uint8Array, view: DataView, maxEntries: number): ZipRecord[] {
	const records: ZipRecord[] = [];
	let at = 0;
	while (records.length < maxEntries) {
		const header = readLocalHeader(bytes, at);
		if (header === undefined) break;
		const flags = view.getUint16(at + 6, true);
		const compressedSize = view.getUint32(at + 18, true);
		// the size of such a member stands behind it, so its end is unknown
		if ((flags & HAS_DATA_DESCRIPTOR) !== 0 && compressedSize === 0) break;
		records.push({
			name: header.name,
			flags,
			method: view.getUint16(at + 8, true),
			crc: view.getUint32(at + 14, true),
			compressedSize,
			size: view.getUint32(at + 22, true),
			headerOffset: at,
		});
		at = header.dataOffset + compressedSize;
	}
	return records;
}

function decodeName(bytes: Uint8Array, start: number, end: number): string {
	return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
}
