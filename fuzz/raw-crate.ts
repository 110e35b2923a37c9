import { ByteBuilder } from './byte-builder.ts';

/** Where the values of a raw crate start: right after the bootstrap. */
export const VALUES_AT = 88;

/**
 * Parts of a crate file, to be put together without any regard for sense. Counts that are given replace the true ones, so
 * that files can lie about sizes. This builder shares no code with the product, so a mistake there cannot hide here.
 */
export interface RawCrate {
	readonly version?: readonly [number, number, number];
	/** Bytes between the bootstrap and the first section. */
	readonly values?: Uint8Array;
	readonly tokens: readonly string[];
	readonly strings?: readonly number[];
	/** Pairs of token index and value representation. */
	readonly fields: readonly (readonly [number, bigint])[];
	readonly fieldSets: readonly number[];
	readonly paths: {
		readonly indexes: readonly number[];
		readonly tokens: readonly number[];
		readonly jumps: readonly number[];
	};
	readonly specs: {
		readonly paths: readonly number[];
		readonly fieldSets: readonly number[];
		readonly types: readonly number[];
	};
	/** False numbers. */
	readonly lies?: Lies;
}

/** Numbers to write instead of the true ones. */
export interface Lies {
	readonly tocOffset?: bigint;
	readonly sectionCount?: bigint;
	/** Start and size by section name. */
	readonly sections?: Readonly<
		Record<string, { readonly start?: bigint; readonly size?: bigint; readonly name?: string }>
	>;
	readonly tokenCount?: bigint;
	readonly tokenBytes?: bigint;
	readonly tokenCompressed?: bigint;
	readonly stringCount?: bigint;
	readonly fieldCount?: bigint;
	readonly fieldSetCount?: bigint;
	readonly pathCount?: bigint;
	readonly encodedPathCount?: bigint;
	readonly specCount?: bigint;
	/** Compressed bytes of a section's integers, instead of the true ones. */
	readonly integers?: Uint8Array;
	/** Compressed bytes of the integers of one section, in their order. */
	readonly sectionIntegers?: Readonly<Record<string, readonly Uint8Array[]>>;
	/** Compressed text of the tokens. */
	readonly tokenText?: Uint8Array;
	/** Sections to leave out. */
	readonly without?: readonly string[];
}

/** A value representation: type number, flags (`array` 8, `inlined` 4, `compressed` 2, `arrayEdit` 1) and payload. */
export function valueRep(type: number, flags: number, payload: bigint | number): bigint {
	return (BigInt(flags) << 60n) | (BigInt(type) << 48n) | (BigInt(payload) & 0xffff_ffff_ffffn);
}

/** The bytes of a crate file with these parts. */
export function buildRawCrate(crate: RawCrate): Uint8Array {
	const lies = crate.lies ?? {};
	const out = new ByteBuilder();
	const [major, minor, patch] = crate.version ?? [0, 8, 0];
	out.text('PXR-USDC').u8(major).u8(minor).u8(patch).zeros(5).u64(0).zeros(64);
	out.raw(crate.values ?? new Uint8Array(0));
	const sections: [string, number, number][] = [];
	let coming: Uint8Array[] = [];
	const section = (name: string, write: () => void): void => {
		if (lies.without?.includes(name)) return;
		coming = [...(lies.sectionIntegers?.[name] ?? [])];
		const start = out.size;
		write();
		sections.push([name, start, out.size - start]);
	};
	const integers = (values: readonly number[]): void => {
		const coded = coming.shift() ?? lies.integers ?? compress(codeIntegers(values));
		out.u64(coded.byteLength).raw(coded);
	};
	section('TOKENS', () => {
		const text = new TextEncoder().encode(crate.tokens.map((token) => `${token}\0`).join(''));
		const packed = lies.tokenText ?? compress(text);
		out.u64(lies.tokenCount ?? crate.tokens.length).u64(lies.tokenBytes ?? text.byteLength);
		out.u64(lies.tokenCompressed ?? packed.byteLength).raw(packed);
	});
	section('STRINGS', () => {
		const strings = crate.strings ?? [];
		out.u64(lies.stringCount ?? strings.length);
		for (const index of strings) out.u32(index);
	});
	section('FIELDS', () => {
		out.u64(lies.fieldCount ?? crate.fields.length);
		integers(crate.fields.map(([token]) => token));
		const reps = new ByteBuilder();
		for (const [, rep] of crate.fields) reps.u64(rep);
		const packed = compress(reps.finish());
		out.u64(packed.byteLength).raw(packed);
	});
	section('FIELDSETS', () => {
		out.u64(lies.fieldSetCount ?? crate.fieldSets.length);
		integers(crate.fieldSets);
	});
	section('PATHS', () => {
		out.u64(lies.pathCount ?? crate.paths.indexes.length).u64(lies.encodedPathCount ?? crate.paths.indexes.length);
		integers(crate.paths.indexes);
		integers(crate.paths.tokens);
		integers(crate.paths.jumps);
	});
	section('SPECS', () => {
		out.u64(lies.specCount ?? crate.specs.paths.length);
		integers(crate.specs.paths);
		integers(crate.specs.fieldSets);
		integers(crate.specs.types);
	});
	const toc = out.size;
	out.u64(lies.sectionCount ?? sections.length);
	for (const [name, start, size] of sections) {
		const lie = lies.sections?.[name];
		const label = new Uint8Array(16);
		label.set(new TextEncoder().encode(lie?.name ?? name).subarray(0, 16));
		out
			.raw(label)
			.u64(lie?.start ?? start)
			.u64(lie?.size ?? size);
	}
	out.patchU64(16, lies.tocOffset ?? toc);
	return out.finish();
}

/** Integers in crate coding without any saving: every difference at full width. */
export function codeIntegers(values: readonly number[]): Uint8Array {
	const out = new ByteBuilder();
	out.u32(0);
	for (let i = 0; i < Math.ceil(values.length / 4); i++) out.u8(0xff);
	let previous = 0;
	for (const value of values) {
		out.u32((value - previous) >>> 0);
		previous = value;
	}
	return out.finish();
}

/** Bytes as one chunk of LZ4 that holds literals only. */
export function compress(bytes: Uint8Array): Uint8Array {
	const out = new ByteBuilder();
	out.u8(0);
	lz4Length(out, bytes.byteLength, 4);
	return out.raw(bytes).finish();
}

/** LZ4 that repeats `byte`, `count` times: 255 bytes for each byte of input. */
export function lz4Bomb(byte: number, count: number): Uint8Array {
	const out = new ByteBuilder();
	// one literal, then a match at distance 1, then five literals as the format demands
	const match = Math.max(4, count - 6);
	out
		.u8(0)
		.u8((1 << 4) | Math.min(15, match - 4))
		.u8(byte)
		.u16(1);
	let rest = match - 4 - 15;
	while (rest >= 0) {
		out.u8(Math.min(255, rest));
		rest -= 255;
	}
	out.u8(5 << 4);
	for (let i = 0; i < 5; i++) out.u8(byte);
	return out.finish();
}

function lz4Length(out: ByteBuilder, length: number, shift: number): void {
	out.u8(Math.min(15, length) << shift);
	for (let rest = length - 15; rest >= 0; rest -= 255) {
		out.u8(Math.min(255, rest));
		if (rest < 255) break;
	}
}
