import { deflateRawSync } from 'node:zlib';
import { ByteBuilder } from './byte-builder.ts';

/** A member of a hand-made zip file. Numbers that are given replace the true ones. */
export interface RawMember {
	readonly name: string;
	readonly bytes: Uint8Array;
	readonly deflate?: boolean;
	readonly flags?: number;
	readonly method?: number;
	readonly crc?: number;
	readonly size?: number;
	readonly compressedSize?: number;
	readonly headerOffset?: number;
	/** The name in the member's own header, when it is another one. */
	readonly localName?: string;
}

/** False numbers of the end record. */
export interface ZipLies {
	readonly entries?: number;
	readonly directorySize?: number;
	readonly directoryOffset?: number;
	readonly commentSize?: number;
}

/** The bytes of a zip file with these members. Shares no code with the product. */
export function buildRawZip(members: readonly RawMember[], lies: ZipLies = {}): Uint8Array {
	const out = new ByteBuilder();
	const directory = new ByteBuilder();
	const encoder = new TextEncoder();
	for (const member of members) {
		const data = member.deflate ? deflateRawSync(member.bytes) : member.bytes;
		const header = out.size;
		const shared = (to: ByteBuilder): ByteBuilder =>
			to
				.u16(20)
				.u16(member.flags ?? 0)
				.u16(member.method ?? (member.deflate ? 8 : 0))
				.u16(0)
				.u16(0x21)
				.u32(member.crc ?? crc32(member.bytes))
				.u32(member.compressedSize ?? data.byteLength)
				.u32(member.size ?? member.bytes.byteLength);
		const localName = encoder.encode(member.localName ?? member.name);
		const padding = (64 - ((out.size + 30 + localName.byteLength) % 64)) % 64;
		shared(out.u32(0x04034b50)).u16(localName.byteLength).u16(padding).raw(localName).zeros(padding).raw(data);
		const name = encoder.encode(member.name);
		shared(directory.u32(0x02014b50).u16(20)).u16(name.byteLength).zeros(12);
		directory.u32(member.headerOffset ?? header).raw(name);
	}
	const start = out.size;
	const entries = lies.entries ?? members.length;
	out.raw(directory.finish()).u32(0x06054b50).u32(0).u16(entries).u16(entries);
	out
		.u32(lies.directorySize ?? directory.size)
		.u32(lies.directoryOffset ?? start)
		.u16(lies.commentSize ?? 0);
	return out.finish();
}

/** The checksum of zip files. */
export function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return (crc ^ 0xffffffff) >>> 0;
}
