import { Report } from '@manyworlds/core';
import { halfToNumber } from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArrayEdit } from '../src/sdf/array-edit.ts';
import { ListOp } from '../src/sdf/list-op.ts';
import { MemoryData } from '../src/sdf/memory-data.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import type { Spline, SplineTangent } from '../src/sdf/spline.ts';
import {
	makePayload,
	makeReference,
	makeTimeSamples,
	makeValue,
	type TimeSamples,
	type Value,
} from '../src/sdf/value.ts';
import { valuesEqual } from '../src/sdf/value-equality.ts';
import { T } from '../src/sdf/value-type.ts';
import { readUsdc } from '../src/usdc/crate-reader.ts';
import { writeUsdc } from '../src/usdc/crate-writer.ts';

const PRIM = Path.root.appendChild('P');
const ATTRIBUTE = PRIM.appendProperty('a');

function layerOf(values: readonly Value[]): MemoryData {
	const data = new MemoryData();
	data.createSpec(Path.root, SpecType.pseudoRoot);
	data.createSpec(PRIM, SpecType.prim);
	data.createSpec(ATTRIBUTE, SpecType.attribute);
	values.forEach((value, i) => {
		data.setField(ATTRIBUTE, `field${i}`, value);
	});
	return data;
}

/** Writes values, reads them back, and gives the values with the version of the file. */
function roundTrip(values: readonly Value[], version?: string): { values: (Value | undefined)[]; minor: number } {
	const report = new Report();
	const bytes = writeUsdc(layerOf(values), version === undefined ? { report } : { report, version });
	const back = readUsdc(bytes, { report });
	const result = values.map((_, i) => back.field(ATTRIBUTE, `field${i}`));
	expect(report.toArray()).toEqual([]);
	return { values: result, minor: back.version.minor };
}

function expectSame(values: readonly Value[], minor: number, version?: string): void {
	const back = roundTrip(values, version);
	values.forEach((value, i) => {
		const got = back.values[i];
		expect(valuesEqual(got, value), `${value.type.name} ${String(value.data)} came back as ${String(got?.data)}`).toBe(
			true,
		);
	});
	expect(back.minor).toBe(minor);
}

const SPECIAL = [
	0,
	-0,
	1,
	-1,
	0.1,
	Number.NaN,
	Number.POSITIVE_INFINITY,
	Number.NEGATIVE_INFINITY,
	5e-324,
	1e-40,
	1e300,
];

describe('crate values round trip', () => {
	it('scalars, in place or not', () => {
		const values: Value[] = [
			makeValue(T.bool, true),
			makeValue(T.bool, false),
			makeValue(T.uchar, 255),
			makeValue(T.int, -0x80000000),
			makeValue(T.int, 0x7fffffff),
			makeValue(T.uint, 0xffffffff),
			...[0n, -1n, 2n ** 31n, -(2n ** 31n), 2n ** 63n - 1n, -(2n ** 63n)].map((n) => makeValue(T.int64, n)),
			...[0n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 64n - 1n].map((n) => makeValue(T.uint64, n)),
			...SPECIAL.map((n) => makeValue(T.double, n)),
			...SPECIAL.map((n) => makeValue(T.float, Math.fround(n))),
			...[0, -0, 0.5, 65504, 2 ** -24, Number.POSITIVE_INFINITY, Number.NaN].map((n) => makeValue(T.half, n)),
			...['', 'text', 'Größe 漢字 🦾', 'a "quoted"\nline'].flatMap((text) => [
				makeValue(T.string, text),
				makeValue(T.token, text),
				makeValue(T.asset, text),
			]),
			makeValue(T.valueBlock, null),
			makeValue(T.animationBlock, null),
			makeValue(T.specifier, 'def'),
			makeValue(T.specifier, 'over'),
			makeValue(T.specifier, 'class'),
			makeValue(T.permission, 'private'),
			makeValue(T.variability, 'varying'),
			makeValue(T.variability, 'uniform'),
		];
		expectSame(values, 8);
	});

	it('vectors, quaternions and matrices, small ones in place', () => {
		const numbers: [Value, Value][] = [];
		for (const type of [T.double2, T.double3, T.double4, T.quatd, T.matrix2d, T.matrix3d, T.matrix4d]) {
			const small = Float64Array.from({ length: type.width }, (_, i) => i - 2);
			const special = Float64Array.from({ length: type.width }, (_, i) => SPECIAL[i % SPECIAL.length]!);
			numbers.push([makeValue(type, small), makeValue(type, special)]);
		}
		for (const type of [T.float2, T.float3, T.float4, T.quatf]) {
			numbers.push([
				makeValue(
					type,
					Float32Array.from({ length: type.width }, (_, i) => 127 - 85 * i),
				),
				makeValue(
					type,
					Float32Array.from({ length: type.width }, (_, i) => SPECIAL[i + 1]!),
				),
			]);
		}
		for (const type of [T.half2, T.half3, T.half4, T.quath]) {
			numbers.push([
				makeValue(
					type,
					Uint16Array.from({ length: type.width }, (_, i) => 0x3c00 + i),
				),
				makeValue(
					type,
					Uint16Array.from({ length: type.width }, (_, i) => [0x8000, 0xc000, 0x7e01, 1][i]!),
				),
			]);
		}
		for (const type of [T.int2, T.int3, T.int4]) {
			numbers.push([
				makeValue(
					type,
					Int32Array.from({ length: type.width }, (_, i) => -128 + 85 * i),
				),
				makeValue(
					type,
					Int32Array.from({ length: type.width }, (_, i) => (i % 2 ? 128 : -0x80000000)),
				),
			]);
		}
		const diagonal = (size: number, entry: number): Float64Array =>
			Float64Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? entry : 0));
		const matrices = [T.matrix2d, T.matrix3d, T.matrix4d].flatMap((type, i) =>
			[1, -128, 127, 128, -0].map((entry) => makeValue(type, diagonal(i + 2, entry))),
		);
		const signed = diagonal(4, 1);
		signed[1] = -0;
		expectSame([...numbers.flat(), ...matrices, makeValue(T.matrix4d, signed)], 8);
	});

	it('arrays of every type and of the lengths around the compression limit', () => {
		const values: Value[] = [];
		for (const count of [0, 1, 15, 16, 17, 300]) {
			const list = (pick: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => pick(i));
			const edge = [0, -1, 0x7fffffff, -0x80000000, 5];
			values.push(
				makeValue(T.bool.array, Uint8Array.from(list((i) => i % 2))),
				makeValue(T.uchar.array, Uint8Array.from(list((i) => i * 7))),
				makeValue(T.int.array, Int32Array.from(list((i) => edge[i % 5]!))),
				makeValue(T.uint.array, Uint32Array.from(list((i) => edge[i % 5]!))),
				makeValue(T.int64.array, BigInt64Array.from(list((i) => edge[i % 5]!).map((n) => BigInt(n) ** 3n))),
				makeValue(T.uint64.array, BigUint64Array.from(list((i) => i).map((i) => 2n ** 64n - BigInt(i * i)))),
				makeValue(T.half.array, Uint16Array.from(list((i) => 0x3c00 + 1024 * (i % 4)))),
				makeValue(T.half.array, Uint16Array.from(list((i) => i * 211))),
				makeValue(T.float.array, Float32Array.from(list((i) => i - 9))),
				makeValue(T.float.array, Float32Array.from(list((i) => [0.5, -0, 0, Number.NaN][i % 4]!))),
				makeValue(T.float.array, Float32Array.from(list((i) => i * 0.37))),
				makeValue(T.double.array, Float64Array.from(list((i) => i * 1000))),
				makeValue(T.double.array, Float64Array.from(list((i) => SPECIAL[i % 3]!))),
				makeValue(T.double.array, Float64Array.from(list((i) => 1 / (i + 1)))),
				makeValue(T.double.array, Float64Array.from(list((i) => 2 ** 31 + i))),
				makeValue(
					T.float3.array,
					Float32Array.from({ length: count * 3 }, (_, i) => i),
				),
				makeValue(
					T.half4.array,
					Uint16Array.from({ length: count * 4 }, (_, i) => i),
				),
				makeValue(
					T.int2.array,
					Int32Array.from({ length: count * 2 }, (_, i) => -i),
				),
				makeValue(
					T.quatd.array,
					Float64Array.from({ length: count * 4 }, (_, i) => i / 3),
				),
				makeValue(
					T.matrix3d.array,
					Float64Array.from({ length: count * 9 }, (_, i) => i),
				),
				makeValue(
					T.string.array,
					list((i) => i).map((i) => `s${i % 5}`),
				),
				makeValue(
					T.token.array,
					list((i) => i).map((i) => `t${i}`),
				),
				makeValue(
					T.asset.array,
					list((i) => i).map((i) => `./a${i}.usd`),
				),
			);
		}
		expectSame(values, 8);
		for (const version of ['0.4.0', '0.5.0', '0.6.0', '0.7.0']) expectSame(values, Number(version[2]), version);
	});

	it('all 65536 halfs', () => {
		const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
		expectSame([makeValue(T.half.array, all)], 8);
		const numbers: Value[] = [];
		for (let bits = 0; bits < 65536; bits++) {
			const number = halfToNumber(bits);
			if (!Number.isNaN(number)) numbers.push(makeValue(T.half, number));
		}
		const times = Float64Array.from(numbers, (_, i) => i);
		const [back] = roundTrip([makeValue(T.timeSamples, makeTimeSamples(times, numbers))]).values;
		const samples = back?.data as TimeSamples;
		const wrong = numbers.filter((value, i) => !Object.is(samples.valueAt(i).data, value.data));
		expect(wrong).toEqual([]);
	});

	it('floating-point arrays of random bits', () => {
		const floats = fc
			.array(fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 0x80000000, 0x7fc00001, 0xffc12345, 0x3f800000)), {
				maxLength: 80,
			})
			.map((bits) => Uint32Array.from(bits));
		fc.assert(
			fc.property(floats, fc.integer({ min: 1, max: 6 }), (bits, repeat) => {
				const repeated = Uint32Array.from({ length: bits.length * repeat }, (_, i) => bits[i % bits.length]!);
				const back = roundTrip([makeValue(T.float.array, new Float32Array(repeated.buffer))]).values[0]?.data;
				const got = back as Float32Array;
				expect(new Uint32Array(got.slice().buffer)).toEqual(repeated);
			}),
			{ seed: 7, numRuns: 150 },
		);
	});

	it('list-ops', () => {
		const target = Path.root.appendChild('Q').appendProperty('b');
		const edits = <V>(a: V, b: V): ListOp<V>[] => [
			ListOp.explicit<V>([]),
			ListOp.explicit([a, b]),
			ListOp.edits<V>({}),
			ListOp.edits({ prependedItems: [a], appendedItems: [b], deletedItems: [a, b] }),
			ListOp.edits({ addedItems: [b], orderedItems: [b, a] }),
		];
		const custom = new Map<string, Value>([['note', makeValue(T.string, 'x')]]);
		const offset = { offset: 1.5, scale: 2 };
		expectSame(
			[
				...edits('x', 'y').flatMap((op) => [makeValue(T.tokenListOp, op), makeValue(T.stringListOp, op)]),
				...edits('"a", "b"', '1').map((op) => makeValue(T.unregisteredListOp, op)),
				...edits(PRIM, target).map((op) => makeValue(T.pathListOp, op)),
				...edits(-1, 5).map((op) => makeValue(T.intListOp, op)),
				...edits(0xffffffff, 5).map((op) => makeValue(T.uintListOp, op)),
				...edits(-(2n ** 63n), 5n).map((op) => makeValue(T.int64ListOp, op)),
				...edits(2n ** 64n - 1n, 5n).map((op) => makeValue(T.uint64ListOp, op)),
				...edits(makeReference('a.usd'), makeReference('', PRIM, offset, custom)).map((op) =>
					makeValue(T.referenceListOp, op),
				),
				...edits(makePayload('a.usd'), makePayload('', PRIM, offset)).map((op) => makeValue(T.payloadListOp, op)),
			],
			8,
		);
	});

	it('dictionaries, nested, shared and empty', () => {
		const inner = new Map<string, Value>([
			['points', makeValue(T.double3.array, Float64Array.of(1, 2, 3))],
			['empty', makeValue(T.dictionary, new Map())],
		]);
		const outer = new Map<string, Value>([
			['a', makeValue(T.dictionary, inner)],
			['b', makeValue(T.dictionary, new Map(inner))],
			['list', makeValue(T.string.array, ['x', 'y'])],
			['flag', makeValue(T.bool, true)],
			['assets', makeValue(T.asset.array, ['m.png'])],
			['one', makeValue(T.asset, 'm.png')],
			['x', makeValue(T.double, 0.1)],
		]);
		const values = [makeValue(T.dictionary, outer), makeValue(T.dictionary, inner), makeValue(T.dictionary, new Map())];
		expectSame(values, 8);
		let deep = new Map<string, Value>();
		for (let i = 0; i < 400; i++) deep = new Map([['d', makeValue(T.dictionary, deep)]]);
		expectSame([makeValue(T.dictionary, deep)], 8);
	});

	it('structure fields', () => {
		expectSame(
			[
				makeValue(T.tokenVector, ['b', 'a']),
				makeValue(T.stringVector, ['x.usd', '']),
				makeValue(T.pathVector, [PRIM, ATTRIBUTE]),
				makeValue(T.doubleVector, Float64Array.of(1, -0, 0.1)),
				makeValue(T.layerOffsetVector, [{ offset: 1, scale: -1 }]),
				makeValue(
					T.variantSelectionMap,
					new Map([
						['lod', 'high'],
						['a', ''],
					]),
				),
				makeValue(T.unregistered, '"text" # as written'),
				makeValue(T.unregistered, new Map<string, Value>([['k', makeValue(T.int, 3)]])),
				makeValue(T.unregistered, ListOp.edits({ prependedItems: ['1, 2'] })),
			],
			8,
		);
	});

	it('time samples, with blocks and shared times', () => {
		const times = Float64Array.of(-1, 0, 2.5);
		const points = [1, 2, 3].map((n) => makeValue(T.float3.array, Float32Array.of(n, n, n)) as Value);
		expectSame(
			[
				makeValue(T.timeSamples, makeTimeSamples(times, points)),
				makeValue(
					T.timeSamples,
					makeTimeSamples(times, [makeValue(T.double, 1), makeValue(T.valueBlock, null), makeValue(T.double, 1)]),
				),
				makeValue(T.timeSamples, makeTimeSamples(new Float64Array(0), [])),
			],
			8,
		);
	});

	it('types that need a newer version raise it', () => {
		expectSame([makeValue(T.timecode, 1), makeValue(T.timecode.array, Float64Array.of(1, 2))], 9);
		expectSame([makeValue(T.pathExpression, '//{k:"v"}')], 10);
		expectSame([makeValue(T.pathExpression.array, ['/A', '//'])], 10);
		expectSame([makeValue(T.relocates, [[PRIM, Path.root.appendChild('Q')] as const])], 11);
		expectSame([makeValue(T.duration, 0.1), makeValue(T.duration.array, new Float64Array(20).fill(2))], 16);
		const many = new Float64Array(40).fill(0.25);
		expectSame([makeValue(T.timecode.array, many)], 9, '0.4.0');
	});

	it('payloads in the form that old versions read', () => {
		for (const [op, minor] of [
			[ListOp.explicit([makePayload('a.usd', PRIM)]), 5],
			[ListOp.explicit<ReturnType<typeof makePayload>>([]), 5],
			[ListOp.explicit([makePayload('a.usd', PRIM, { offset: 1, scale: 1 })]), 8],
			[ListOp.explicit([makePayload('', PRIM)]), 8],
			[ListOp.edits({ prependedItems: [makePayload('a.usd')] }), 8],
		] as const) {
			const data = layerOf([]);
			data.setField(PRIM, 'payload', makeValue(T.payloadListOp, op));
			const back = readUsdc(writeUsdc(data, { version: '0.5.0' }));
			expect(valuesEqual(back.field(PRIM, 'payload'), makeValue(T.payloadListOp, op))).toBe(true);
			expect(back.version.minor).toBe(minor);
		}
	});
});

describe('splines and array edits round trip', () => {
	const tangent = (algorithm: SplineTangent['algorithm'] = 'none'): SplineTangent => ({
		width: 0.5,
		slope: -1.5,
		algorithm,
	});
	const spline = (parts: Partial<Spline>): Value<Spline> =>
		makeValue(T.spline, {
			valueType: 'double',
			curve: 'bezier',
			timeValued: false,
			pre: { mode: 'linear' },
			post: { mode: 'sloped', slope: 0.25 },
			knots: [
				{ time: 1, value: 2, interpolation: 'held', pre: tangent(), post: tangent(), customData: new Map() },
				{
					time: 3,
					value: 0.5,
					preValue: 1,
					interpolation: 'curve',
					pre: tangent(),
					post: tangent(),
					customData: new Map<string, Value>([['note', makeValue(T.double3, Float64Array.of(0.1, 0.2, 0.3))]]),
				},
			],
			...parts,
		});

	it('splines of every version', () => {
		expectSame([spline({}), spline({ valueType: 'float' }), spline({ valueType: 'half', pre: { mode: 'none' } })], 12);
		const loop = { protoStart: 1, protoEnd: 3, preLoopCount: -1, postLoopCount: 2, valueOffset: 0.5 };
		expectSame([spline({ loop, pre: { mode: 'loop oscillate' }, post: { mode: 'loop reset' }, knots: [] })], 12);
		const knot = { time: 0, value: 0, interpolation: 'linear', customData: new Map() } as const;
		expectSame([spline({ knots: [{ ...knot, pre: tangent('custom'), post: tangent('autoEase') }] })], 13);
		expectSame([spline({ post: { mode: 'loop repeat', loopBoundary: 5 } })], 15);
		expectSame([spline({ pre: { mode: 'loop reset', loopBoundary: 5 }, post: { mode: 'sloped', slope: 2 } })], 15);
		expectSame([spline({ valueType: 'timecode', timeValued: true })], 15);
		expectSame([spline({ valueType: 'duration', timeValued: true })], 16);
	});

	it('hermite splines have no widths', () => {
		const flat: SplineTangent = { width: 0, slope: 3, algorithm: 'none' };
		const knot = { time: 0, value: 1, interpolation: 'curve', pre: flat, post: flat, customData: new Map() } as const;
		expectSame([spline({ curve: 'hermite', valueType: 'float', knots: [knot] })], 12);
	});

	it('array edits with every instruction', () => {
		const literal = (n: number): { literal: Value } => ({ literal: makeValue(T.int, n) });
		const edit: ArrayEdit = {
			arrayType: T.int.array,
			instructions: [
				{ op: 'write', source: literal(5), index: 0 },
				{ op: 'write', source: literal(5), index: -1 },
				{ op: 'write', source: { index: 2 }, index: 1 },
				{ op: 'insert', source: literal(7), index: 3 },
				{ op: 'insert', source: { index: -2 }, index: -3 },
				{ op: 'prepend', source: literal(1) },
				{ op: 'append', source: { index: 0 } },
				{ op: 'erase', index: -1 },
				{ op: 'minSize', size: 4 },
				{ op: 'minSize', size: 6, fill: makeValue(T.int, 9) },
				{ op: 'resize', size: 8 },
				{ op: 'resize', size: 10, fill: makeValue(T.int, 5) },
				{ op: 'maxSize', size: 12 },
			],
		};
		const half = (n: number): { literal: Value } => ({ literal: makeValue(T.half, n) });
		expectSame(
			[
				makeValue(T.arrayEdit, edit),
				makeValue(T.arrayEdit, { arrayType: T.string.array, instructions: [] }),
				makeValue(T.arrayEdit, { arrayType: T.half.array, instructions: [{ op: 'append', source: half(0.5) }] }),
				makeValue(T.arrayEdit, {
					arrayType: T.float3.array,
					instructions: [{ op: 'append', source: { literal: makeValue(T.float3, Float32Array.of(1, -0, 3)) } }],
				}),
			],
			14,
		);
	});
});
