import { ByteBuilder } from '../byte-builder.ts';
import type { Expectation, FuzzGroup, FuzzOptions } from '../fuzz-case.ts';
import { Random } from '../random.ts';
import { buildRawCrate, codeIntegers, compress, lz4Bomb, type RawCrate, VALUES_AT, valueRep } from '../raw-crate.ts';

const ARRAY = 8;
const INLINED = 4;
const COMPRESSED = 2;
const SPEC = { attribute: 1, prim: 6, pseudoRoot: 7 };
const END = 0xffffffff;

/** Numbers that a count or offset should not be. */
const EXTREMES: readonly bigint[] = [
	(1n << 64n) - 1n,
	1n << 63n,
	(1n << 63n) - 1n,
	1n << 62n,
	1n << 60n,
	1n << 53n,
	1n << 47n,
	1n << 40n,
	1n << 33n,
	1n << 32n,
	(1n << 32n) - 1n,
	1n << 31n,
	(1n << 31n) - 1n,
	1n << 28n,
	50_000_000n,
	1_000_000n,
	65_536n,
];

interface Attack {
	readonly how: string;
	readonly expects: Expectation;
	readonly bytes: () => Uint8Array;
}

/** Crates put together by hand to mislead a reader: false counts, loops, bad jumps, bombs. */
export function crateAttacks(count: number, options: FuzzOptions): FuzzGroup[] {
	const attacks = [...plainAttacks(), ...valueAttacks(), ...pathAttacks(), ...bombs(), ...sharings()];
	const name = 'attack/crate-random';
	return [
		{
			name: 'attack/crate',
			count: attacks.length,
			make: (index) => {
				const { how, expects, bytes } = attacks[index]!;
				return { format: 'usdc', bytes: bytes(), expects, how };
			},
		},
		{
			name,
			count,
			make: (index) => {
				const bytes = buildRawCrate(randomCrate(new Random(options.seed, name, index)));
				return { format: 'usdc', bytes, expects: 'any', how: 'random indexes and values in a sound structure' };
			},
		},
	];
}

/** `/`, `/A` and `/A.x`, where the attribute has one field with the given representation. */
function smallCrate(rep: bigint, values?: Uint8Array, version?: RawCrate['version']): RawCrate {
	return {
		...(version === undefined ? {} : { version }),
		...(values === undefined ? {} : { values }),
		tokens: ['', 'A', 'x', 'default', 'specifier', 'primChildren', 'properties', 'typeName', 'int'],
		strings: [1, 2],
		fields: [
			[3, rep],
			[4, valueRep(42, INLINED, 0)],
			[7, valueRep(11, INLINED, 8)],
		],
		fieldSets: [END, 1, END, 2, 0, END],
		// the property is the child of the only child of the root: negative tokens are properties
		paths: { indexes: [0, 1, 2], tokens: [0, 1, -2], jumps: [-1, -1, -2] },
		specs: { paths: [0, 1, 2], fieldSets: [0, 1, 3], types: [SPEC.pseudoRoot, SPEC.prim, SPEC.attribute] },
	};
}

function* plainAttacks(): Generator<Attack> {
	const base = smallCrate(valueRep(3, INLINED, 7));
	yield { how: 'a small sound crate', expects: 'clean', bytes: () => buildRawCrate(base) };
	const counts = [
		'tocOffset',
		'sectionCount',
		'tokenCount',
		'tokenBytes',
		'tokenCompressed',
		'stringCount',
		'fieldCount',
		'fieldSetCount',
		'encodedPathCount',
		'specCount',
	] as const;
	for (const lie of counts) {
		for (const number of EXTREMES) {
			const bytes = () => buildRawCrate({ ...base, lies: { [lie]: number } });
			yield { how: `${lie} is ${number}`, expects: 'error', bytes };
		}
	}
	for (const number of EXTREMES) {
		yield {
			how: `pathCount is ${number}`,
			expects: 'any',
			bytes: () => buildRawCrate({ ...base, lies: { pathCount: number } }),
		};
		for (const section of ['TOKENS', 'STRINGS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS']) {
			for (const part of ['start', 'size'] as const) {
				const bytes = () => buildRawCrate({ ...base, lies: { sections: { [section]: { [part]: number } } } });
				yield { how: `${part} of ${section} is ${number}`, expects: 'error', bytes };
			}
		}
	}
	for (const section of ['TOKENS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS']) {
		yield {
			how: `without ${section}`,
			expects: 'error',
			bytes: () => buildRawCrate({ ...base, lies: { without: [section] } }),
		};
		const renamed = { sections: { [section]: { name: 'UNKNOWN' } } };
		yield {
			how: `${section} under another name`,
			expects: 'error',
			bytes: () => buildRawCrate({ ...base, lies: renamed }),
		};
	}
	for (const version of [
		[0, 3, 0],
		[0, 17, 0],
		[1, 0, 0],
		[255, 255, 255],
	] as const) {
		yield { how: `version ${version.join('.')}`, expects: 'error', bytes: () => buildRawCrate({ ...base, version }) };
	}
}

function* valueAttacks(): Generator<Attack> {
	for (let type = 0; type <= 63; type++) {
		for (const flags of [0, ARRAY, INLINED, COMPRESSED | ARRAY, ARRAY | INLINED, 1, 1 | ARRAY, 15]) {
			for (const offset of [0, 1, VALUES_AT, VALUES_AT + 3, 2 ** 31, 2 ** 32 + 88, 2 ** 47]) {
				const values = new ByteBuilder()
					.u64((1n << 60n) + 5n)
					.u64(VALUES_AT)
					.u64(1n << 33n)
					.zeros(64)
					.finish();
				yield {
					how: `a value of type ${type}, flags ${flags}, at ${offset}`,
					expects: 'any',
					bytes: () => buildRawCrate(smallCrate(valueRep(type, flags, offset), values)),
				};
			}
		}
	}
	for (const count of EXTREMES) {
		for (const type of [1, 3, 5, 8, 9, 10, 11, 15, 24, 40, 41, 48, 49, 50, 58]) {
			for (const flags of [0, ARRAY, ARRAY | COMPRESSED]) {
				const values = new ByteBuilder().u64(count).zeros(64).finish();
				yield {
					how: `type ${type}, flags ${flags} with ${count} elements`,
					expects: 'any',
					bytes: () => buildRawCrate(smallCrate(valueRep(type, flags, VALUES_AT), values)),
				};
			}
		}
	}
	yield* loops();
}

/** Values that hold themselves. */
function* loops(): Generator<Attack> {
	const dictionary = valueRep(31, 0, VALUES_AT);
	const selfDictionary = new ByteBuilder().u64(1).u32(0).u64(8).u64(dictionary).zeros(32).finish();
	yield loop('a dictionary that holds itself', dictionary, selfDictionary);
	const backDictionary = new ByteBuilder().u64(1).u32(0).u64(-12).zeros(64).finish();
	yield loop('a dictionary whose entry jumps back', dictionary, backDictionary);
	const generic = valueRep(52, 0, VALUES_AT);
	yield loop('a generic value that holds itself', generic, new ByteBuilder().u64(generic).zeros(32).finish());
	const unregistered = valueRep(53, 0, VALUES_AT);
	yield loop(
		'an unknown value that holds itself',
		unregistered,
		new ByteBuilder().u64(8).u64(unregistered).zeros(32).finish(),
	);
	for (const jump of [0, -8, 8, -96, 2 ** 40]) {
		const samples = valueRep(46, 0, VALUES_AT);
		const bytes = new ByteBuilder().u64(jump).u64(samples).u64(jump).u64(1).u64(samples).zeros(64).finish();
		yield loop(`time samples that jump by ${jump} and hold themselves`, samples, bytes);
	}
	const twice = new ByteBuilder().u64(2);
	for (let i = 0; i < 2; i++) twice.u32(i).u64(8).u64(dictionary);
	yield loop('a dictionary that holds itself twice', dictionary, twice.zeros(64).finish());
	// every dictionary holds the next one twice: 2^40 values if they are not shared
	const doubling = new ByteBuilder();
	const size = 8 + 2 * 20;
	for (let level = 0; level < 40; level++) {
		doubling.u64(2);
		const next = level === 39 ? valueRep(3, INLINED, 1) : valueRep(31, 0, VALUES_AT + (level + 1) * size);
		for (let i = 0; i < 2; i++) doubling.u32(i).u64(8).u64(next);
	}
	yield loop('forty dictionaries, each holding the next one twice', dictionary, doubling.zeros(16).finish());
	const chain = new ByteBuilder();
	for (let level = 0; level < 50_000; level++) {
		const next = level === 49_999 ? valueRep(3, INLINED, 1) : valueRep(31, 0, VALUES_AT + (level + 1) * 28);
		chain.u64(1).u32(0).u64(8).u64(next);
	}
	yield loop('a chain of 50000 dictionaries', dictionary, chain.zeros(16).finish());
}

function loop(how: string, rep: bigint, values: Uint8Array): Attack {
	return { how, expects: 'error', bytes: () => buildRawCrate(smallCrate(rep, values)) };
}

function* pathAttacks(): Generator<Attack> {
	const base = smallCrate(valueRep(3, INLINED, 7));
	const paths = (how: string, expects: Expectation, part: Partial<RawCrate['paths']>): Attack => ({
		how,
		expects,
		bytes: () => buildRawCrate({ ...base, paths: { ...base.paths, ...part } }),
	});
	const specs = (how: string, part: Partial<RawCrate['specs']>): Attack => ({
		how,
		expects: 'error',
		bytes: () => buildRawCrate({ ...base, specs: { ...base.specs, ...part } }),
	});
	for (const jump of [1, 2, 3, 1000, 2147483647])
		yield paths(`jump of ${jump} at the root`, 'error', { jumps: [jump, -1, -2] });
	for (const jump of [-3, -1000, -2147483648]) yield paths(`jump of ${jump}`, 'any', { jumps: [-1, jump, -2] });
	yield paths('jumps that all say child', 'error', { jumps: [-1, -1, -1] });
	yield paths('jumps that all say sibling', 'error', { jumps: [0, 0, 0] });
	yield paths('all paths have the same index', 'error', { indexes: [0, 0, 0] });
	yield paths('path index out of range', 'error', { indexes: [0, 1, 3] });
	yield paths('negative path index', 'error', { indexes: [0, -1, 2] });
	yield paths('token out of range', 'error', { tokens: [0, 999, -2] });
	yield paths('negative token out of range', 'error', { tokens: [0, 1, -999] });
	yield paths('lowest token', 'error', { tokens: [0, 1, -2147483648] });
	yield specs('path of a spec out of range', { paths: [0, 1, 3] });
	yield specs('two specs for one path', { paths: [0, 1, 1] });
	yield specs('field set out of range', { fieldSets: [0, 1, 6] });
	yield specs('field set in the middle of another', { fieldSets: [0, 1, 0xfffffffe] });
	yield specs('unknown type of spec', { types: [7, 6, 200] });
	yield {
		how: 'no spec for the root',
		expects: 'any',
		bytes: () => buildRawCrate({ ...base, specs: { paths: [1], fieldSets: [1], types: [6] } }),
	};
	yield {
		how: 'field set without end',
		expects: 'error',
		bytes: () => buildRawCrate({ ...base, fieldSets: [END, 1, END, 2, 0, 0] }),
	};
	yield {
		how: 'field out of range',
		expects: 'error',
		bytes: () => buildRawCrate({ ...base, fieldSets: [END, 1, END, 2, 99, END] }),
	};
	const fields = base.fields.map(([, rep]) => [999, rep] as const);
	yield { how: 'token of a field out of range', expects: 'error', bytes: () => buildRawCrate({ ...base, fields }) };
	yield { how: 'strings out of range', expects: 'any', bytes: () => buildRawCrate({ ...base, strings: [999, END] }) };
	yield { how: 'a chain of 100000 prims', expects: 'any', bytes: () => buildRawCrate(chainCrate(100_000)) };
	yield {
		how: 'bad names',
		expects: 'any',
		bytes: () => buildRawCrate({ ...base, tokens: base.tokens.map((t) => (t === 'A' ? 'a b/c{\n"' : t)) }),
	};
}

/** A prim in a prim in a prim. */
function chainCrate(depth: number): RawCrate {
	const base = smallCrate(valueRep(3, INLINED, 7));
	const all = Array.from({ length: depth }, (_, i) => i);
	return {
		...base,
		paths: {
			indexes: all,
			tokens: all.map((i) => (i === 0 ? 0 : 1)),
			jumps: all.map((i) => (i === depth - 1 ? -2 : -1)),
		},
		specs: { paths: all, fieldSets: all.map((i) => (i === 0 ? 0 : 1)), types: all.map((i) => (i === 0 ? 7 : 6)) },
	};
}

/** Small files that say, and partly hold, that they are large when unpacked. */
function* bombs(): Generator<Attack> {
	const base = smallCrate(valueRep(3, INLINED, 7));
	for (const count of [4_000_000, 40_000_000, 400_000_000, 4_000_000_000]) {
		const integers = lz4Bomb(0, Math.min(count / 4 + 4, 100_000_000));
		for (const lie of ['fieldCount', 'fieldSetCount', 'encodedPathCount', 'specCount'] as const) {
			const bytes = () => buildRawCrate({ ...base, lies: { [lie]: BigInt(count), integers } });
			yield { how: `${lie} is ${count} with integers that unpack to as many`, expects: 'error', bytes };
		}
		for (const type of [3, 5, 8, 9]) {
			const code = type === 8 || type === 9 ? new ByteBuilder().u8(0x69).finish() : new Uint8Array(0);
			const values = new ByteBuilder().u64(count).raw(code).u64(integers.byteLength).raw(integers).finish();
			const rep = valueRep(type, ARRAY | COMPRESSED, VALUES_AT);
			yield {
				how: `an array of type ${type} that unpacks to ${count}`,
				expects: 'any',
				bytes: () => buildRawCrate(smallCrate(rep, values)),
			};
		}
	}
	const zeros = codeIntegers(Array.from({ length: 64 }, () => 0));
	const table = new ByteBuilder().u64(64).u8(0x74).u32(0xffffffff).zeros(16).raw(compress(zeros)).finish();
	const lookup = valueRep(8, ARRAY | COMPRESSED, VALUES_AT);
	yield { how: 'a table of 4 billion floats', expects: 'error', bytes: () => buildRawCrate(smallCrate(lookup, table)) };
	for (const size of [1 << 20, 1 << 26, 1 << 28]) {
		const packed = lz4Bomb(65, size);
		const lies = { tokenBytes: BigInt(size), tokenCompressed: BigInt(packed.byteLength) };
		yield { how: `tokens that claim ${size} bytes`, expects: 'error', bytes: () => buildRawCrate({ ...base, lies }) };
	}
	const chunks = new ByteBuilder().u8(127);
	for (let i = 0; i < 127; i++) chunks.u32(i === 0 ? 0x7fffffff : 0xffffffff);
	yield {
		how: 'chunks of impossible sizes',
		expects: 'error',
		bytes: () => buildRawCrate({ ...base, lies: { integers: chunks.finish() } }),
	};
}

/** Small files whose parts are used over and over: every use must not cost as much as the first. */
function* sharings(): Generator<Attack> {
	const base = smallCrate(valueRep(3, INLINED, 7));
	const many = 100_000;
	const all = Array.from({ length: many }, (_, i) => i);
	const items = new ByteBuilder().u64(many);
	for (let i = 0; i < many; i++) items.u32(1);
	const list = items.finish();
	const listOp = new ByteBuilder().u8(3).raw(list).finish();
	const entries = new ByteBuilder().u64(many / 5);
	for (let i = 0; i < many / 5; i++)
		entries
			.u32(i % 2)
			.u64(8)
			.u64(valueRep(3, INLINED, i));
	const ones = lz4Bomb(0, many / 4 + 4);
	const packed = new ByteBuilder().u64(many).u64(ones.byteLength).raw(ones).finish();
	const shared: readonly [string, bigint, Uint8Array][] = [
		['list of tokens', valueRep(41, 0, VALUES_AT), list],
		['list-op of paths', valueRep(34, 0, VALUES_AT), listOp],
		['dictionary', valueRep(31, 0, VALUES_AT), entries.finish()],
		['array of tokens', valueRep(11, ARRAY, VALUES_AT), list],
		['compressed array', valueRep(3, ARRAY | COMPRESSED, VALUES_AT), packed],
		['array that is not aligned', valueRep(5, ARRAY, VALUES_AT + 1), new ByteBuilder().u8(0).raw(list).finish()],
	];
	for (const [what, rep, values] of shared) {
		// one attribute with a thousand fields of different names, so that text stays small: no name is known
		const names = Array.from({ length: 1000 }, (_, i) => `f${i}`);
		yield {
			how: `a thousand fields that share one ${what} of ${many}`,
			expects: 'any',
			bytes: () =>
				buildRawCrate({
					...base,
					values,
					tokens: [...base.tokens, ...names],
					fields: [...base.fields, ...names.map((_, i) => [base.tokens.length + i, rep] as const)],
					fieldSets: [END, 1, END, 2, 0, END, ...names.map((_, i) => base.fields.length + i), END],
					specs: { ...base.specs, fieldSets: [0, 1, 6] },
				}),
		};
		yield {
			how: `a thousand fields that begin within one ${what} of ${many}`,
			expects: 'any',
			bytes: () =>
				buildRawCrate({
					...base,
					values: repeatCounts(values),
					tokens: [...base.tokens, ...names],
					fields: [...base.fields, ...names.map((_, i) => [base.tokens.length + i, rep + BigInt(8 * i)] as const)],
					fieldSets: [END, 1, END, 2, 0, END, ...names.map((_, i) => base.fields.length + i), END],
					specs: { ...base.specs, fieldSets: [0, 1, 6] },
				}),
		};
	}
	yield {
		how: 'specs that begin at every place of one long field set',
		expects: 'error',
		bytes: () =>
			buildRawCrate({
				...chainCrate(many),
				fieldSets: [...all.map(() => 1), END],
				specs: { paths: all, fieldSets: all, types: all.map((i) => (i === 0 ? 7 : 6)) },
			}),
	};
	yield {
		how: 'specs that share one long field set',
		expects: 'error',
		bytes: () =>
			buildRawCrate({
				...chainCrate(many),
				fieldSets: [...all.map(() => 1), END],
				specs: { paths: all, fieldSets: all.map(() => 0), types: all.map((i) => (i === 0 ? 7 : 6)) },
			}),
	};
	const names = all.map((i) => `n${i}`);
	yield {
		how: `one spec with ${many} fields`,
		expects: 'any',
		bytes: () =>
			buildRawCrate({
				...base,
				tokens: [...base.tokens, ...names],
				fields: [...base.fields, ...all.map((i) => [base.tokens.length + i, valueRep(3, INLINED, i)] as const)],
				fieldSets: [END, 1, END, 2, 0, END, ...all.map((i) => base.fields.length + i), END],
				specs: { ...base.specs, fieldSets: [0, 1, 6] },
			}),
	};
	for (const count of [1_000_000, 30_000_000, 300_000_000]) {
		const integers = lz4Bomb(0, count / 4 + 8);
		const lies = { integers, pathCount: BigInt(count), encodedPathCount: BigInt(count), specCount: BigInt(count) };
		yield { how: `${count} equal paths and specs`, expects: 'error', bytes: () => buildRawCrate({ ...base, lies }) };
	}
	// differences of 1 and jumps of -1 from a common difference: every path is the only child of the one before
	yield { how: 'a chain of a million prims in little space', expects: 'any', bytes: () => packedChain(1_000_000) };
	for (const size of [1 << 24, 1 << 28]) {
		for (const byte of [0, 65]) {
			const lies = {
				tokenText: lz4Bomb(byte, size),
				tokenBytes: BigInt(size),
				tokenCount: BigInt(byte === 0 ? size : 1),
			};
			yield {
				how: `tokens that unpack to ${size} bytes of ${byte}`,
				expects: 'any',
				bytes: () => buildRawCrate({ ...base, lies }),
			};
		}
	}
}

/** The same bytes with a count, of a bit less than all, wherever one of the next thousand values begins. */
function repeatCounts(values: Uint8Array): Uint8Array {
	const result = values.slice();
	const view = new DataView(result.buffer);
	const count = view.getUint32(0, true) * 0.9;
	for (let at = 8; at < 8000 && at + 8 <= result.length; at += 8)
		view.setBigUint64(at, BigInt(Math.floor(count)), true);
	return result;
}

/** A chain of prims whose integers are all coded as the common difference. */
function packedChain(depth: number): Uint8Array {
	const base = smallCrate(valueRep(3, INLINED, 7));
	const same = (first: number, step: number): Uint8Array => {
		// the first integer has a difference of its own, the others the common one
		const codes = new Uint8Array(Math.ceil(depth / 4));
		codes[0] = 3;
		return compress(new ByteBuilder().u32(step).raw(codes).u32(first).finish());
	};
	return buildRawCrate({
		...base,
		fieldSets: [1, END],
		lies: {
			pathCount: BigInt(depth),
			encodedPathCount: BigInt(depth),
			specCount: BigInt(depth),
			sectionIntegers: {
				PATHS: [same(0, 1), same(1, 0), same(-1, 0)],
				SPECS: [same(0, 1), same(0, 0), same(6, 0)],
			},
		},
	});
}

/** Structure that can be read with random indexes and values in it. */
function randomCrate(random: Random): RawCrate {
	const some = (count: number, limit: number, wild: number): number[] =>
		Array.from({ length: count }, () => (random.oneIn(wild) ? random.next() | 0 : random.below(limit)));
	const wild = random.pick([5, 20, 1000]);
	const tokens = [
		'',
		...'A B C x y default typeName specifier primChildren properties timeSamples references int float'.split(' '),
	];
	const paths = 1 + random.below(12);
	const fields = 1 + random.below(12);
	const values = random.bytes(random.below(512));
	if (random.oneIn(2)) values.fill(0, 0, values.length >> 1);
	for (let at = 0; at + 8 < values.length; at += 8)
		if (random.oneIn(3)) values.set([random.below(9), 0, 0, 0, 0, 0, 0, 0], at);
	const fieldSets = some(fields * 2, fields, wild).map((v) => (random.oneIn(4) ? END : v));
	return {
		version: [0, 4 + random.below(13), 0],
		values,
		tokens,
		strings: some(6, tokens.length, wild),
		fields: Array.from({ length: fields }, () => {
			const offset = VALUES_AT + random.below(values.length + 8);
			return [
				random.below(tokens.length),
				valueRep(random.below(63), random.pick([0, 0, 4, 8, 10, random.below(16)]), offset),
			] as const;
		}),
		fieldSets: random.oneIn(5) ? fieldSets : [...fieldSets, END],
		paths: {
			indexes: Array.from({ length: paths }, (_, i) => (random.oneIn(wild) ? random.below(paths + 2) : i)),
			tokens: some(paths, tokens.length, wild).map((v) => (random.oneIn(4) ? -v : v)),
			jumps: Array.from({ length: paths }, (_, i) => (i === paths - 1 ? -2 : random.pick([-1, 0, -2, 1, 2, 3]))),
		},
		specs: {
			paths: Array.from({ length: paths }, (_, i) => (random.oneIn(wild) ? random.below(paths + 2) : i)),
			fieldSets: some(paths, fieldSets.length, wild),
			types: Array.from({ length: paths }, (_, i) => (i === 0 ? 7 : random.pick([1, 6, 8, 10, 11, random.below(14)]))),
		},
	};
}
