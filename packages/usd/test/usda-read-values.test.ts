import { describe, expect, it } from 'vitest';
import type { ArrayEdit } from '../src/sdf/array-edit.ts';
import type { TimeSamples } from '../src/sdf/value.ts';
import { defaultOf, fieldAt, readClean, readText } from './read-text.ts';

function dataOf(statement: string): unknown {
	return defaultOf(statement)?.data;
}

describe('scalar values', () => {
	it.each([
		['bool x = true', true],
		['bool x = No', false],
		['bool x = "yes"', true],
		['bool x = 0.5', true],
		['uchar x = 255', 255],
		['int x = -2147483648', -2147483648],
		['int x = 1.9', 1],
		['int x = 1e3', 1000],
		['int x = -0', 0],
		['int x = 007', 7],
		['uint x = 4294967295', 4294967295],
		['int64 x = -9223372036854775808', -(2n ** 63n)],
		['int64 x = 1e3', 1000n],
		['uint64 x = 18446744073709551615', 2n ** 64n - 1n],
		['half x = 0.1', 0.0999755859375],
		['half x = 70000', Number.POSITIVE_INFINITY],
		['float x = 0.1', Math.fround(0.1)],
		['float x = 1e39', Number.POSITIVE_INFINITY],
		['float x = "inf"', Number.POSITIVE_INFINITY],
		['double x = .5', 0.5],
		['double x = 5.', 5],
		['double x = -inf', Number.NEGATIVE_INFINITY],
		['double x = 1e400', Number.POSITIVE_INFINITY],
		['double x = 0.1', 0.1],
		['timecode x = 12.5', 12.5],
		['duration x = 2', 2],
		['string x = "a"', 'a'],
		["token x = 'a\"b'", 'a"b'],
		['asset x = @a b.usd@', 'a b.usd'],
		['asset x = "plain"', 'plain'],
		['asset x = @@@a@b\\@@@c@@@', 'a@b@@@c'],
		['asset x = @@@a@@@@@', 'a@@'],
		['pathExpression x = "../B{isa:Cube}+/C"', '/B{isa:"Cube"} + /C'],
	])('%s', (statement, expected) => {
		expect(dataOf(statement)).toStrictEqual(expected);
	});

	it('keeps the sign of a negative zero and not-a-number', () => {
		expect(dataOf('double x = -0')).toBe(-0);
		expect(dataOf('double x = -0.0')).toBe(-0);
		expect(dataOf('float x = nan')).toBeNaN();
	});

	it('rounds a long integer to float once', () => {
		// rounding to double first would give a tie and then the lower neighbour
		expect(dataOf('float x = 9007200328482817')).toBe(9007200328482816);
		expect(dataOf('float x = 18446743523953737729')).toBe(2 ** 64);
	});
});

describe('strings', () => {
	it.each([
		['"\\a\\b\\f\\n\\r\\t\\v\\\\\\"\\\'"', '\x07\b\f\n\r\t\v\\"\''],
		['"\\x41\\x4\\101\\60\\q"', 'A\x04A0q'],
		['"\\xc3\\xa4 ä"', 'ä ä'],
		['"""two\nlines "quoted" """', 'two\nlines "quoted" '],
		["'''it's'''", "it's"],
		['""', ''],
		['""""""', ''],
	])('%s', (literal, expected) => {
		expect(dataOf(`string x = ${literal}`)).toBe(expected);
	});

	it('keeps escaped bytes that are not UTF-8 apart from all characters', () => {
		const { data, places } = readText('def "A" {\n    string x = "a\\xff\\xc3\\xa4\\x80"\n}\n');
		expect(fieldAt(data, '/A.x', 'default')?.data).toBe('a\udcffä\udc80');
		expect(places).toStrictEqual(['USDA069 3:16']);
	});
});

describe('tuples and arrays', () => {
	it.each([
		['float3 x = (1, 2.5, -3)', Float32Array.of(1, 2.5, -3)],
		['double2 x = ( 1 ,\n 2, )', Float64Array.of(1, 2)],
		['int4 x = (1, 2, 3, 4)', Int32Array.of(1, 2, 3, 4)],
		['half2 x = (1, -2)', Uint16Array.of(0x3c00, 0xc000)],
		['quatf x = (1, 2, 3, 4)', Float32Array.of(2, 3, 4, 1)],
		['matrix2d x = ((1, 2), (3, 4))', Float64Array.of(1, 2, 3, 4)],
		['int[] x = []', new Int32Array(0)],
		['int[] x = [1,\n # comment\n 2, /* c */ 3,\n]', Int32Array.of(1, 2, 3)],
		['int[] x = [[1, 2], [3, 4]]', Int32Array.of(1, 2, 3, 4)],
		['float[] x = [1e-3, 0.1, 16777217]', Float32Array.of(1e-3, 0.1, 16777217)],
		['point3f[] x = [(1, 2, 3), ( 4, 5, 6 ),\n(7,8,9,)]', Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9)],
		['quath[] x = [(1, 0, 0, 2)]', Uint16Array.of(0, 0, 0x4000, 0x3c00)],
		['matrix2d[] x = [((1, 0), (0, 1)), ((2, 0), (0, 2))]', Float64Array.of(1, 0, 0, 1, 2, 0, 0, 2)],
		['bool[] x = [true, 0, "no", YES]', Uint8Array.of(1, 0, 0, 1)],
		['int64[] x = [-1, 9007199254740993, 4294967296]', BigInt64Array.of(-1n, 9007199254740993n, 4294967296n)],
		['uint64[] x = [18446744073709551615, 5]', BigUint64Array.of(2n ** 64n - 1n, 5n)],
		['uchar[] x = [0, 255]', Uint8Array.of(0, 255)],
		['string[] x = ["a", \'b\', """c"""]', ['a', 'b', 'c']],
		['asset[] x = [@a@, "b"]', ['a', 'b']],
		['Vec3f x = (1, 2, 3)', Float32Array.of(1, 2, 3)],
	])('%s', (statement, expected) => {
		expect(dataOf(statement)).toStrictEqual(expected);
	});

	it('reads an array that outgrows its first buffer', () => {
		const numbers = Array.from({ length: 10_000 }, (_, i) => i * 0.25);
		expect(dataOf(`double[] x = [${numbers.join(', ')}]`)).toStrictEqual(Float64Array.from(numbers));
		const triples = numbers.map((n) => `(${n}, ${n + 1},${n + 2})`);
		expect(dataOf(`double3[] x = [${triples.join(', ')}]`)).toStrictEqual(
			Float64Array.from(numbers.flatMap((n) => [n, n + 1, n + 2])),
		);
	});
});

describe('other values of attributes', () => {
	it('tells None, an animation block and no value apart', () => {
		expect(defaultOf('int x = None')?.type.name).toBe('valueBlock');
		expect(defaultOf('int x = AnimationBlock')?.type.name).toBe('animationBlock');
		expect(defaultOf('int x')).toBeUndefined();
	});

	it('keeps values of unknown types as text in canonical spelling', () => {
		expect(dataOf('tilt x = (1.50, [2,"a"], foo::bar, @b@)'.replace('[2,"a"]', '2,"a"'))).toBe(
			'(1.5, 2, "a", foo::bar, @b@)',
		);
		expect(dataOf('tilt[] x = [[1], [2e0, -0]]')).toBe('[[1], [2, -0]]');
		expect(dataOf('tilt x = "a\\nb"')).toBe('"""a\nb"""');
		expect(fieldAt(readClean('def "A" {\n    tilt x = 1\n}\n'), '/A.x', 'typeName')?.data).toBe('tilt');
	});

	it('sorts time samples and lets the last of equal times win', () => {
		const data = readClean('def "A" {\n    float x.timeSamples = {\n  2: 1, 1: None,\n 2: 3,\n }\n}\n');
		const samples = fieldAt(data, '/A.x', 'timeSamples')?.data as TimeSamples;
		expect([...samples.times]).toStrictEqual([1, 2]);
		expect(samples.valueAt(0).type.name).toBe('valueBlock');
		expect(samples.valueAt(1).data).toBe(3);
	});

	it('reads array edits', () => {
		const edit = dataOf(
			'int[] x = edit [append 3; prepend [-1]; write 5 to [0]; insert [1] at [2]\n insert 4 at [0]; erase [-1]; minsize 5 fill 9; resize 8; maxsize 7;]',
		) as ArrayEdit;
		expect(edit.arrayType.name).toBe('int[]');
		const literal = (data: number) => ({ literal: expect.objectContaining({ data }) });
		expect(edit.instructions).toStrictEqual([
			{ op: 'append', source: literal(3) },
			{ op: 'prepend', source: { index: -1 } },
			{ op: 'write', source: literal(5), index: 0 },
			{ op: 'insert', source: { index: 1 }, index: 2 },
			{ op: 'prepend', source: literal(4) },
			{ op: 'erase', index: -1 },
			{ op: 'minSize', size: 5, fill: expect.objectContaining({ data: 9 }) },
			{ op: 'resize', size: 8 },
			{ op: 'maxSize', size: 7 },
		]);
	});
});
