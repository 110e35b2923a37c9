import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fastCompress, fastCompressBound, fastDecodedSize, fastDecompress } from '../src/usdc/fast-compression.ts';
import { decodeInts32, decodeInts64, encodeInts32, encodeInts64, maxCodedSize } from '../src/usdc/integer-coding.ts';
import { lz4Compress, lz4CompressBound, lz4DecodedSize, lz4Decompress } from '../src/usdc/lz4.ts';

const SEED = { seed: 20261116, numRuns: 300 };

function compress(input: Uint8Array): Uint8Array {
	const out = new Uint8Array(lz4CompressBound(input.length));
	return out.slice(0, lz4Compress(input, 0, input.length, out, 0));
}

function decompress(block: Uint8Array, size: number): Uint8Array | undefined {
	const out = new Uint8Array(size);
	const written = lz4Decompress(block, 0, block.length, out, 0, size);
	return written < 0 ? undefined : out.slice(0, written);
}

/** Element by element: `toEqual` takes seconds on long arrays. */
function areSame(a: ArrayLike<number | bigint> | undefined, b: ArrayLike<number | bigint>): boolean {
	if (a?.length !== b.length) return false;
	for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
	return true;
}

/** Bytes with runs and repetitions of all distances and lengths, as well as noise. */
const repetitive = fc
	.array(
		fc.oneof(
			fc.uint8Array({ maxLength: 40 }),
			fc.tuple(fc.nat(255), fc.nat(600)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
			fc
				.tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.nat(90))
				.map(([piece, times]) => Uint8Array.from({ length: piece.length * times }, (_, i) => piece[i % piece.length]!)),
		),
		{ maxLength: 12 },
	)
	.map((pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece])));

describe('LZ4 blocks', () => {
	it('decode to what was encoded', () => {
		fc.assert(
			fc.property(repetitive, (input) => {
				const block = compress(input);
				expect(lz4DecodedSize(block, 0, block.length)).toBe(input.length);
				expect(areSame(decompress(block, input.length), input)).toBe(true);
			}),
			SEED,
		);
	});

	it('use matches further back than 64 KB never, and nearer ones always', () => {
		const input = new Uint8Array(300_000);
		for (let i = 0; i < input.length; i++) input[i] = Math.imul(i % 70_000, 0x9e3779b1) >>> 24;
		const block = compress(input);
		expect(areSame(decompress(block, input.length), input)).toBe(true);
		expect(compress(new Uint8Array(100_000)).length).toBeLessThan(500);
	});

	it('decode hand-made blocks', () => {
		// three literals, then ten bytes from distance three, then the literal that ends every block
		expect(decompress(Uint8Array.of(0x36, 1, 2, 3, 3, 0, 0x10, 9), 14)).toEqual(
			Uint8Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 9),
		);
		expect(decompress(Uint8Array.of(0), 0)).toEqual(new Uint8Array(0));
	});

	it('refuse damage without writing outside', () => {
		// offset zero, offset before the start, too many literals, ending inside a match, output too small
		for (const block of [
			[0x10, 1, 0, 0, 0x00],
			[0x10, 1, 2, 0, 0x00],
			[0x50, 1, 2],
			[0x10, 1, 1],
			[0xf0],
			[0x1f, 1, 1, 0, 255, 255],
		]) {
			expect(decompress(Uint8Array.from(block), 64)).toBeUndefined();
		}
		expect(decompress(compress(new Uint8Array(100)), 99)).toBeUndefined();
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(200), (block, room) => {
				const out = new Uint8Array(room + 16).fill(7);
				const written = lz4Decompress(block, 0, block.length, out, 8, 8 + room);
				expect(written).toBeLessThanOrEqual(room);
				expect([...out.slice(0, 8), ...out.slice(8 + room)]).toEqual(new Array(16).fill(7));
				if (written >= 0) expect(lz4DecodedSize(block, 0, block.length)).toBe(written);
			}),
			{ ...SEED, numRuns: 2000 },
		);
	});
});

describe('the chunk wrapper', () => {
	it('holds one block or several', () => {
		fc.assert(
			fc.property(repetitive, fc.integer({ min: 30, max: 5000 }), (input, chunk) => {
				fc.pre(input.length <= 127 * chunk);
				const out = new Uint8Array(fastCompressBound(input.length) + 127 * 32);
				const size = fastCompress(input, 0, input.length, out, 0, chunk);
				expect(out[0]).toBe(input.length <= chunk ? 0 : Math.ceil(input.length / chunk));
				expect(fastDecodedSize(out, 0, size)).toBe(input.length);
				const back = new Uint8Array(input.length);
				expect(fastDecompress(out, 0, size, back, back.length)).toBe(input.length);
				expect(areSame(back, input)).toBe(true);
			}),
			SEED,
		);
	});

	it('refuses chunks that reach past the end', () => {
		const out = new Uint8Array(64);
		expect(fastDecompress(Uint8Array.of(), 0, 0, out, 64)).toBe(-1);
		expect(fastDecompress(Uint8Array.of(1, 9, 0, 0, 0, 0), 0, 6, out, 64)).toBe(-1);
		expect(fastDecompress(Uint8Array.of(2, 1, 0, 0, 0, 0), 0, 6, out, 64)).toBe(-1);
		expect(fastDecompress(Uint8Array.of(1, 255, 255, 255, 255, 0), 0, 6, out, 64)).toBe(-1);
	});
});

const EDGES_32 = [0, 1, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 0x7fffffff, -0x80000000];
const EDGES_64 = [...EDGES_32.map(BigInt), 2n ** 31n, -(2n ** 31n) - 1n, 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)];

describe('integer coding', () => {
	const int32 = fc.oneof(fc.constantFrom(...EDGES_32), fc.integer(), fc.integer({ min: -20, max: 20 }));
	const int64 = fc.oneof(fc.constantFrom(...EDGES_64), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));

	it('restores 32-bit integers, differences wrap around', () => {
		fc.assert(
			fc.property(fc.array(int32, { maxLength: 70 }), (list) => {
				for (const items of [Int32Array.from(list), Uint32Array.from(list)]) {
					const coded = new Uint8Array(maxCodedSize(items.length, 4));
					const size = encodeInts32(items, items.length, coded);
					const back = items.slice().fill(9);
					expect(decodeInts32(coded, size, items.length, back)).toBe(true);
					expect(areSame(back, items)).toBe(true);
				}
			}),
			SEED,
		);
	});

	it('restores differences of each size in runs and mixed, and the first of them alone', () => {
		const size = fc.constantFrom(0, 100, 30_000, 2 ** 30);
		const runs = fc.array(fc.tuple(size, fc.nat(9), fc.integer()), { maxLength: 12 });
		fc.assert(
			fc.property(runs, fc.nat(60), (list, wanted) => {
				let item = 0;
				const items = Int32Array.from(
					list.flatMap(([most, times, seed]) =>
						Array.from({ length: times }, (_, i) => {
							item = (item + (most === 0 ? 7 : ((Math.imul(seed + i, 0x9e3779b1) >>> 8) % most) - (most >> 1))) | 0;
							return item;
						}),
					),
				);
				const coded = new Uint8Array(maxCodedSize(items.length, 4));
				const codedSize = encodeInts32(items, items.length, coded);
				const back = new Int32Array(items.length);
				expect(decodeInts32(coded, codedSize, items.length, back)).toBe(true);
				expect(areSame(back, items)).toBe(true);
				const first = new Int32Array(Math.min(wanted, items.length));
				expect(decodeInts32(coded, codedSize, items.length, first)).toBe(true);
				expect(areSame(first, items.subarray(0, first.length))).toBe(true);
			}),
			SEED,
		);
	});

	it('restores 64-bit integers, differences wrap around', () => {
		fc.assert(
			fc.property(fc.array(int64, { maxLength: 70 }), (list) => {
				for (const items of [BigInt64Array.from(list), BigUint64Array.from(list)]) {
					const coded = new Uint8Array(maxCodedSize(items.length, 8));
					const size = encodeInts64(items, items.length, coded);
					const back = items.slice().fill(9n);
					expect(decodeInts64(coded, size, items.length, back)).toBe(true);
					expect(areSame(back, items)).toBe(true);
				}
			}),
			SEED,
		);
	});

	it('counts differences the same way in large arrays', () => {
		const items = Int32Array.from({ length: 50_000 }, (_, i) => (i % 7 === 0 ? Math.imul(i, 0x9e3779b1) : i));
		const coded = new Uint8Array(maxCodedSize(items.length, 4));
		const size = encodeInts32(items, items.length, coded);
		// one is by far the most frequent difference
		expect([...coded.slice(0, 4)]).toEqual([1, 0, 0, 0]);
		const back = new Int32Array(items.length);
		expect(decodeInts32(coded, size, items.length, back)).toBe(true);
		expect(areSame(back, items)).toBe(true);
	});

	it('writes the documented layout', () => {
		// differences 123 1 1 100000 0 1 0: the common one, four codes in a byte low bits first, then what is not common
		const items = Int32Array.of(123, 124, 125, 100125, 100125, 100126, 100126);
		const coded = new Uint8Array(maxCodedSize(items.length, 4));
		const size = encodeInts32(items, items.length, coded);
		expect([...coded.slice(0, size)]).toEqual([1, 0, 0, 0, 0b11000001, 0b00010001, 123, 0xa0, 0x86, 1, 0, 0, 0]);
		// of equally frequent differences the largest is the common one
		encodeInts32(Int32Array.of(5, 8, 13, 16), 4, coded);
		expect([...coded.slice(0, 5)]).toEqual([5, 0, 0, 0, 0b01000100]);
	});

	it('notices missing bytes', () => {
		const items = Int32Array.from({ length: 17 }, (_, i) => i * i * 1000);
		const coded = new Uint8Array(maxCodedSize(17, 4));
		const size = encodeInts32(items, 17, coded);
		for (let cut = 0; cut < size; cut++) expect(decodeInts32(coded, cut, 17, new Int32Array(17))).toBe(false);
		const wide = BigInt64Array.from(items, (item) => BigInt(item) << 20n);
		const coded64 = new Uint8Array(maxCodedSize(17, 8));
		const size64 = encodeInts64(wide, 17, coded64);
		for (let cut = 0; cut < size64; cut++) expect(decodeInts64(coded64, cut, 17, new BigInt64Array(17))).toBe(false);
	});
});
