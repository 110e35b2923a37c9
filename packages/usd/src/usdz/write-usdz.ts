import { quote, UsageRangeError, UsageTypeError } from '@manyworlds/core';
import { crc32 } from './crc32.ts';
import { isLayerName, memberNameFault } from './member-name.ts';

/** A file to put into a package. */
export interface UsdzInput {
	/** Path below the package, with forward slashes. */
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** How a package is written. */
export interface WriteUsdzOptions {
	/** Name of the entry to put first; without it the first entry given must be the root layer. */
	readonly rootLayer?: string;
}

const ALIGNMENT = 64;
const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
/** Extra field that only takes up room. */
const PADDING_ID = 0x1986;
const PADDING_HEAD = 4;
const VERSION = 20;
const UTF8_NAME = 0x0800;
/** 1 January 1980, so that equal content gives equal packages. */
const DOS_DATE = 0x0021;
const LARGEST_FILE = 0xffffffff;

/**
 * A usdz package: members stored in the order given, root layer first, their data at multiples of 64 bytes. The same
 * entries always give the same bytes.
 */
export function writeUsdz(entries: readonly UsdzInput[], options: WriteUsdzOptions = {}): Uint8Array {
	const members = layOut(inOrder(entries, options.rootLayer));
	const directorySize = members.reduce((size, member) => size + CENTRAL_SIZE + member.name.length, 0);
	const last = members[members.length - 1]!;
	const directoryOffset = last.dataOffset + last.bytes.length;
	const size = directoryOffset + directorySize + END_SIZE;
	if (size > LARGEST_FILE)
		throw new UsageRangeError(`the package would take ${size} bytes, zip allows ${LARGEST_FILE}`);

	const out = new Uint8Array(size);
	const view = new DataView(out.buffer);
	let at = directoryOffset;
	for (const member of members) {
		writeLocalHeader(out, view, member);
		out.set(member.bytes, member.dataOffset);
		at = writeCentralHeader(out, view, at, member);
	}
	view.setUint32(at, 0x06054b50, true);
	view.setUint16(at + 8, members.length, true);
	view.setUint16(at + 10, members.length, true);
	view.setUint32(at + 12, directorySize, true);
	view.setUint32(at + 16, directoryOffset, true);
	return out;
}

interface Member {
	readonly name: Uint8Array;
	readonly bytes: Uint8Array;
	readonly flags: number;
	readonly crc: number;
	readonly headerOffset: number;
	readonly paddingSize: number;
	readonly dataOffset: number;
}

/** The entries with the root layer first, once their names are known to be fit for a package. */
function inOrder(entries: readonly UsdzInput[], rootName: string | undefined): readonly UsdzInput[] {
	const seen = new Set<string>();
	for (const { name } of entries) {
		const fault = memberNameFault(name) ?? (seen.has(name) ? 'it occurs twice' : undefined);
		if (fault !== undefined) throw new UsageTypeError(`${quote(name)} cannot be the name of a member: ${fault}`);
		seen.add(name);
	}
	if (entries.length > 0xffff) throw new UsageRangeError(`${entries.length} members, a package holds at most 65535`);
	const root = rootName === undefined ? entries[0] : entries.find(({ name }) => name === rootName);
	if (root === undefined) throw new UsageTypeError('a package needs a root layer as its first member, found none');
	if (!isLayerName(root.name)) {
		throw new UsageTypeError(`the first member is ${quote(root.name)}, expected a usd, usda or usdc file`);
	}
	return [root, ...entries.filter((entry) => entry !== root)];
}

function layOut(entries: readonly UsdzInput[]): readonly Member[] {
	const encoder = new TextEncoder();
	const members: Member[] = [];
	let headerOffset = 0;
	for (const { name: text, bytes } of entries) {
		const name = encoder.encode(text);
		const unpadded = headerOffset + LOCAL_SIZE + name.length;
		let paddingSize = (ALIGNMENT - (unpadded % ALIGNMENT)) % ALIGNMENT;
		// the padding itself starts with four bytes
		if (paddingSize > 0 && paddingSize < PADDING_HEAD) paddingSize += ALIGNMENT;
		const dataOffset = unpadded + paddingSize;
		const flags = name.length === text.length ? 0 : UTF8_NAME;
		members.push({ name, bytes, flags, crc: crc32(bytes), headerOffset, paddingSize, dataOffset });
		headerOffset = dataOffset + bytes.length;
	}
	return members;
}

function writeLocalHeader(out: Uint8Array, view: DataView, member: Member): void {
	const at = member.headerOffset;
	view.setUint32(at, 0x04034b50, true);
	writeShared(view, at + 4, member);
	view.setUint16(at + 28, member.paddingSize, true);
	out.set(member.name, at + LOCAL_SIZE);
	if (member.paddingSize > 0) {
		const padding = at + LOCAL_SIZE + member.name.length;
		view.setUint16(padding, PADDING_ID, true);
		view.setUint16(padding + 2, member.paddingSize - PADDING_HEAD, true);
	}
}

function writeCentralHeader(out: Uint8Array, view: DataView, at: number, member: Member): number {
	view.setUint32(at, 0x02014b50, true);
	view.setUint16(at + 4, VERSION, true);
	writeShared(view, at + 6, member);
	view.setUint32(at + 42, member.headerOffset, true);
	out.set(member.name, at + CENTRAL_SIZE);
	return at + CENTRAL_SIZE + member.name.length;
}

/** Writes the part that both headers of a member have: version, flags, method, time, date, checksum, sizes, name length. */
function writeShared(view: DataView, at: number, member: Member): void {
	view.setUint16(at, VERSION, true);
	view.setUint16(at + 2, member.flags, true);
	view.setUint16(at + 8, DOS_DATE, true);
	view.setUint32(at + 10, member.crc, true);
	view.setUint32(at + 14, member.bytes.length, true);
	view.setUint32(at + 18, member.bytes.length, true);
	view.setUint16(at + 22, member.name.length, true);
}
