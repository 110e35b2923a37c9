import { describe, expect, it } from 'vitest';
import type { ArrayEdit } from '../src/sdf/array-edit.ts';
import { MemoryData } from '../src/sdf/memory-data.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import type { Spline, SplineKnot } from '../src/sdf/spline.ts';
import { type Dictionary, EMPTY_DICTIONARY, makeValue, type Value } from '../src/sdf/value.ts';
import { T, type ValueType } from '../src/sdf/value-type.ts';
import { formatField, formatValue } from '../src/usda/format-value.ts';
import { writeUsda } from '../src/usda/write-usda.ts';

const value = <D>(type: ValueType<D>, data: D): Value => makeValue(type, data) as Value;

/** The header and body of a layer with one attribute that has `field`. */
function write(typeName: string, field: string, data: Value): [header: string, body: string] {
	const layer = new MemoryData();
	const prim = Path.root.appendChild('A');
	layer.addSpec(Path.root, SpecType.pseudoRoot).set('primChildren', makeValue(T.tokenVector, ['A']));
	layer.addSpec(prim, SpecType.prim).set('properties', makeValue(T.tokenVector, ['x']));
	const attribute = layer.addSpec(prim.appendProperty('x'), SpecType.attribute);
	attribute.set('typeName', makeValue(T.token, typeName));
	attribute.set(field, data);
	const text = new TextDecoder().decode(writeUsda(layer));
	const body = text.slice(text.indexOf('{\n') + 2, text.lastIndexOf('}\n\n'));
	return [text.slice(0, text.indexOf('\n')), body.replace(/^ {4}/gm, '')];
}

const literal = (data: Value) => ({ literal: data });

function edit(element: { readonly array: unknown }, one: Value): Value {
	const instructions: ArrayEdit['instructions'] = [
		{ op: 'write', source: literal(one), index: 0 },
		{ op: 'write', source: { index: -1 }, index: 2 },
		{ op: 'insert', source: literal(one), index: 1 },
		{ op: 'insert', source: { index: 1 }, index: -2 },
		{ op: 'prepend', source: literal(one) },
		{ op: 'append', source: { index: 2 } },
		{ op: 'erase', index: 3 },
		{ op: 'minSize', size: 4 },
		{ op: 'minSize', size: 4, fill: one },
		{ op: 'resize', size: 5, fill: one },
		{ op: 'maxSize', size: 7 },
	];
	return value(T.arrayEdit, { arrayType: element.array as ValueType, instructions });
}

describe('array edits', () => {
	it('are written instruction by instruction', () => {
		const [header, body] = write('int[]', 'default', edit(T.int, value(T.int, 5)));
		expect(body).toBe(
			'int[] x = edit [write 5 to [0]; write [-1] to [2]; insert 5 at [1]; insert [1] at [-2]; prepend 5; append [2]; ' +
				'erase [3]; minsize 4; minsize 4 fill 5; resize 5 fill 5; maxsize 7]\n',
		);
		// as OpenUSD does: only edits of text raise the version
		expect(header).toBe('#usda 1.0');
	});

	it('of text need version 1.2', () => {
		expect(write('string[]', 'default', edit(T.string, value(T.string, 'a')))[0]).toBe('#usda 1.2');
		expect(write('asset[]', 'default', edit(T.asset, value(T.asset, 'a')))[0]).toBe('#usda 1.2');
	});

	it('without instructions are empty', () => {
		const empty = value(T.arrayEdit, { arrayType: T.int.array as ValueType, instructions: [] });
		expect(write('int[]', 'default', empty)[1]).toBe('int[] x = edit []\n');
	});
});

describe('durations', () => {
	it('need version 1.4 wherever a value stands in a spec', () => {
		expect(write('duration', 'default', value(T.duration, 1.5))).toEqual(['#usda 1.4', 'duration x = 1.5\n']);
		expect(write('duration[]', 'default', value(T.duration.array, new Float64Array(0)))[0]).toBe('#usda 1.4');
		const dictionary = new Map([['d', value(T.duration, 1)]]) as Dictionary;
		expect(write('float', 'customData', value(T.dictionary, dictionary))[0]).toBe('#usda 1.4');
		expect(write('duration', 'default', value(T.valueBlock, null))[0]).toBe('#usda 1.0');
	});
});

describe('splines', () => {
	const flat = { width: 0, slope: 0, algorithm: 'none' } as const;
	const knot = (time: number, number: number, more: Partial<SplineKnot> = {}): SplineKnot => ({
		time,
		value: number,
		interpolation: 'held',
		pre: flat,
		post: flat,
		customData: EMPTY_DICTIONARY,
		...more,
	});
	const spline = (more: Partial<Spline> = {}): Value =>
		value(T.spline, {
			valueType: 'double',
			curve: 'bezier',
			timeValued: false,
			pre: { mode: 'held' },
			post: { mode: 'held' },
			knots: [],
			...more,
		});

	it('name extrapolations, loops, knots and tangents', () => {
		const customData = new Map([
			['c', value(T.int, 1)],
			['a', value(T.string, 'b')],
			['d', value(T.dictionary, new Map([['e', value(T.string, 'f')]]) as Dictionary)],
		]) as Dictionary;
		const knots = [
			knot(1, 2, {
				preValue: Math.fround(0.1),
				interpolation: 'curve',
				post: { width: 0.3, slope: Math.fround(0.1), algorithm: 'none' },
			}),
			knot(2, 2, { interpolation: 'linear', customData }),
			knot(3, 2, { interpolation: 'none' }),
		];
		const data = spline({
			valueType: 'float',
			knots,
			pre: { mode: 'sloped', slope: 0.5 },
			post: { mode: 'loop repeat' },
			loop: { protoStart: 1, protoEnd: 2, preLoopCount: 0, postLoopCount: 2, valueOffset: 0.5 },
		});
		expect(write('float', 'spline', data)).toEqual([
			'#usda 1.0',
			`float x.spline = {
    bezier,
    pre: sloped(0.5),
    post: loop repeat,
    loop: (1, 2, 0, 2, 0.5),
    1: 0.1 & 2; pre (0, 0); post curve (0.3, 0.1),
    2: 2; pre (0, 0); post linear; { string a = "b"; int c = 1; dictionary d = { string e = "f" } },
    3: 2; post none,
}
`,
		]);
	});

	it('need version 1.1 for tangent algorithms and 1.3 for loop boundaries', () => {
		const knots = [knot(1, 0.0999755859375, { pre: { ...flat, algorithm: 'custom' } })];
		const [header, body] = write('half', 'spline', spline({ valueType: 'half', curve: 'hermite', knots }));
		expect(header).toBe('#usda 1.1');
		expect(body).toBe('half x.spline = {\n    hermite,\n    1: 0.0999756; pre (0, custom); post held,\n}\n');
		const bounded = spline({ post: { mode: 'loop oscillate', loopBoundary: 1.5 } });
		expect(write('double', 'spline', bounded)).toEqual([
			'#usda 1.3',
			'double x.spline = {\n    post: loop oscillate(1.5),\n}\n',
		]);
	});

	it('without knots are still written', () => {
		expect(write('double', 'spline', spline())[1]).toBe('double x.spline = {\n}\n');
	});

	it('name the curve only when a segment has one', () => {
		const knots = [knot(1, 2, { interpolation: 'curve' })];
		expect(write('double', 'spline', spline({ knots }))[1]).toBe(
			'double x.spline = {\n    1: 2; pre (0, 0); post curve (0, 0),\n}\n',
		);
	});
});

describe('the lowest version', () => {
	it('can be asked for', () => {
		const layer = new MemoryData();
		layer.addSpec(Path.root, SpecType.pseudoRoot);
		expect(new TextDecoder().decode(writeUsda(layer, { minorVersion: 3 }))).toBe('#usda 1.3\n\n');
	});
});

describe('single values', () => {
	it('format as in a file', () => {
		expect(formatValue(value(T.float3, Float32Array.of(1, 2, 0.1)))).toBe('(1, 2, 0.1)');
		expect(formatValue(value(T.dictionary, new Map([['a', value(T.int, 1)]]) as Dictionary))).toBe(
			'{\n    int a = 1\n}',
		);
		expect(formatField('kind', value(T.token, 'component'))).toBe('kind = "component"\n');
		expect(formatField('active', value(T.bool, true), 1)).toBe('    active = true\n');
	});
});
