import { UsageRangeError, UsageStateError } from '@manyworlds/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factorMatrix } from '../src/views/factor-matrix.ts';
import {
	invertMatrix,
	multiplyMatrices,
	quaternionMatrix,
	scaleMatrix,
	translationMatrix,
} from '../src/views/matrix.ts';
import {
	replaceXformOps,
	setOrient,
	setScale,
	setTransformMatrix,
	setTranslate,
} from '../src/views/xform-authoring.ts';
import { XformCache } from '../src/views/xform-cache.ts';
import { xformOpKind } from '../src/views/xform-op.ts';
import { isTransformAnimated, localTransform, transformTimeSamples, xformOps } from '../src/views/xformable.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

function localOf(body: string, time?: number): number[] {
	const stage = stageOf(`def Xform "A"\n{\n${body}\n}`);
	return Array.from(localTransform(primAt(stage, '/A'), { time }).matrix, (x) => Math.round(x * 1e9) / 1e9 + 0);
}

const TRANSLATED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1];

describe('local transforms', () => {
	it.each(['double3', 'float3', 'half3'])('translate in %s', (type) => {
		expect(
			localOf(`${type} xformOp:translate = (1, 2, 3)\nuniform token[] xformOpOrder = ["xformOp:translate"]`),
		).toEqual(TRANSLATED);
	});

	it('translate and scale along one axis', () => {
		const body = `double xformOp:translateY = 2
			float xformOp:scaleZ = 3
			uniform token[] xformOpOrder = ["xformOp:translateY", "xformOp:scaleZ"]`;
		expect(localOf(body)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 2, 0, 1]);
	});

	it('apply the last operation of the order first', () => {
		const body = `double3 xformOp:translate = (1, 0, 0)
			float xformOp:rotateZ = 90
			float3 xformOp:scale = (2, 2, 2)
			uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ", "xformOp:scale"]`;
		expect(localOf(body)).toEqual([0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 1]);
	});

	it.each(['XYZ', 'XZY', 'YXZ', 'YZX', 'ZXY', 'ZYX'])(
		'rotate%s turns about its letters from left to right',
		(letters) => {
			const angles = { X: 30, Y: 40, Z: 50 };
			const combined = localOf(
				`float3 xformOp:rotate${letters} = (30, 40, 50)\nuniform token[] xformOpOrder = ["xformOp:rotate${letters}"]`,
			);
			const names = [...letters].map((letter) => `xformOp:rotate${letter}`);
			const attributes = [...letters].map((letter) => `double xformOp:rotate${letter} = ${angles[letter as 'X']}`);
			const order = names.reverse().map((name) => `"${name}"`);
			expect(localOf(`${attributes.join('\n')}\nuniform token[] xformOpOrder = [${order}]`)).toEqual(combined);
		},
	);

	it('orient turns by a quaternion written real part first', () => {
		const body = `quatf xformOp:orient = (0.70710678, 0, 0, 0.70710678)\nuniform token[] xformOpOrder = ["xformOp:orient"]`;
		const matrix = localOf(body).map((x) => Math.round(x * 1e6) / 1e6 + 0);
		expect(matrix).toEqual([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
	});

	it('a pivot cancels where nothing is between', () => {
		const body = `float3 xformOp:translate:pivot = (5, 6, 7)
			double3 xformOp:translate = (1, 2, 3)
			uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:translate:pivot", "!invert!xformOp:translate:pivot"]`;
		expect(localOf(body)).toEqual(TRANSLATED);
	});

	it('turn about a pivot', () => {
		const body = `float3 xformOp:translate:pivot = (1, 0, 0)
			float xformOp:rotateZ = 180
			uniform token[] xformOpOrder = ["xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"]`;
		expect(localOf(body)).toEqual([-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1]);
	});

	it.each([
		['double3 xformOp:translate = (1, 2, 3)', 'translate'],
		['float3 xformOp:scale = (2, 4, 8)', 'scale'],
		['float xformOp:scaleX = 4', 'scaleX'],
		['float3 xformOp:rotateZXY = (10, 20, 30)', 'rotateZXY'],
		['quatd xformOp:orient = (0.5, 0.5, 0.5, 0.5)', 'orient'],
		['matrix4d xformOp:transform = ((2, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (4, 5, 6, 1))', 'transform'],
	])('the inverse of %s undoes it', (attribute, kind) => {
		const name = `xformOp:${kind}`;
		// something in between keeps the pair from being dropped unread
		const order = `["${name}", "xformOp:translate:zero", "!invert!${name}"]`;
		const body = `${attribute}\ndouble3 xformOp:translate:zero = (0, 0, 0)\nuniform token[] xformOpOrder = ${order}`;
		expect(localOf(body)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
	});

	it('are taken at a time', () => {
		const body = `double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (10, 0, 0) }
			uniform token[] xformOpOrder = ["xformOp:translate"]`;
		expect(localOf(body, 2.5)[12]).toBe(2.5);
		const prim = primAt(stageOf(`def Xform "A"\n{\n${body}\n}`), '/A');
		expect(isTransformAnimated(prim)).toBe(true);
		expect(transformTimeSamples(prim)).toEqual([0, 10]);
	});

	it('leave out and report operations that cannot be used', () => {
		const stage = stageOf(`def Xform "A"
{
	double3 xformOp:translate = (1, 2, 3)
	string xformOp:rotateX = "far"
	uniform token[] xformOpOrder = ["xformOp:gone", "xformOp:scale", "xformOp:rotateX", "nonsense", "xformOp:translate"]
}`);
		expect(Array.from(localTransform(primAt(stage, '/A')).matrix)).toEqual(TRANSLATED);
		expect(reported(stage)).toEqual(new Array(4).fill('VIEW001 /A'));
	});

	it('a type without transform has the identity', () => {
		const stage = stageOf(`def Scope "A"
{
	double3 xformOp:translate = (1, 2, 3)
	uniform token[] xformOpOrder = ["xformOp:translate"]
}`);
		expect(new XformCache().worldTransform(primAt(stage, '/A'))[12]).toBe(0);
	});

	it('list operations after the reset only', () => {
		const stage = stageOf(`def Xform "A"
{
	double3 xformOp:translate = (1, 2, 3)
	float xformOp:rotateX:late = 4
	uniform token[] xformOpOrder = ["xformOp:translate", "!resetXformStack!", "!invert!xformOp:rotateX:late"]
}`);
		const { ops, resetsXformStack } = xformOps(primAt(stage, '/A'));
		expect(resetsXformStack).toBe(true);
		expect(ops.map(({ kind, suffix, isInverse }) => [kind, suffix, isInverse])).toEqual([['rotateX', 'late', true]]);
		expect(xformOpKind('xformOp:rotateXY')).toBeUndefined();
	});
});

const CHAIN = `def Xform "A"
{
	double3 xformOp:translate = (1, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
	def Scope "S"
	{
		def Xform "B"
		{
			double3 xformOp:translate = (0, 2, 0)
			uniform token[] xformOpOrder = ["xformOp:translate"]
			def Xform "C"
			{
				double3 xformOp:translate = (0, 0, 3)
				uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
			}
		}
	}
}`;

describe('world transforms', () => {
	it('go through prims without one and stop at a reset', () => {
		const stage = stageOf(CHAIN);
		const cache = new XformCache();
		expect(Array.from(cache.worldTransform(primAt(stage, '/A/S/B')).subarray(12))).toEqual([1, 2, 0, 1]);
		expect(Array.from(cache.worldTransform(primAt(stage, '/A/S/B/C')).subarray(12))).toEqual([0, 0, 3, 1]);
		const relative = cache.relativeTransform(primAt(stage, '/A/S/B'), primAt(stage, '/A'));
		expect(Array.from(relative.subarray(12))).toEqual([0, 2, 0, 1]);
	});

	it('of proxies pass through their instance', () => {
		const stage = stageOf(`${CHAIN}
def Xform "I" (
	instanceable = true
	references = </A>
)
{
	double3 xformOp:translate = (7, 0, 0)
}`);
		const matrix = new XformCache().worldTransform(primAt(stage, '/I/S/B'));
		expect(Array.from(matrix.subarray(12))).toEqual([7, 2, 0, 1]);
	});

	it('hold for deep stages', () => {
		const depth = 1000;
		const open =
			'def Xform "A" { double3 xformOp:translate = (1, 0, 0) uniform token[] xformOpOrder = ["xformOp:translate"]\n';
		const stage = stageOf(open.replaceAll(') uniform', ')\nuniform').repeat(depth) + '}\n'.repeat(depth));
		expect(new XformCache().worldTransform(primAt(stage, '/A'.repeat(depth)))[12]).toBe(depth);
	});
});

describe('factoring a matrix', () => {
	const number = fc.double({ min: -10, max: 10, noNaN: true });
	const size = fc.double({ min: 0.1, max: 10, noNaN: true });

	it('gives parts that make up the matrix again', () => {
		fc.assert(
			fc.property(
				fc.array(number, { minLength: 7, maxLength: 7 }),
				fc.array(size, { minLength: 3, maxLength: 3 }),
				(n, s) => {
					const length = Math.hypot(n[0]!, n[1]!, n[2]!, n[3]!);
					fc.pre(length > 0.1);
					const turn = quaternionMatrix(n.slice(0, 4).map((x) => x / length));
					const matrix = multiplyMatrices(
						multiplyMatrices(scaleMatrix(s[0]!, s[1]!, s[2]!), turn),
						translationMatrix(n[4]!, n[5]!, n[6]!),
					);
					const { scale, scaleAxes, rotation, translation, isSingular } = factorMatrix(matrix);
					expect(isSingular).toBe(false);
					const stretched = multiplyMatrices(
						multiplyMatrices(scaleAxes, scaleMatrix(scale[0]!, scale[1]!, scale[2]!)),
						invertMatrix(scaleAxes).matrix,
					);
					const moved = translationMatrix(translation[0]!, translation[1]!, translation[2]!);
					const again = multiplyMatrices(multiplyMatrices(stretched, quaternionMatrix(rotation)), moved);
					for (let i = 0; i < 16; i++) expect(again[i]).toBeCloseTo(matrix[i]!, 6);
				},
			),
			{ seed: 4, numRuns: 200 },
		);
	});

	it('gives a mirror three negative scales', () => {
		expect(Array.from(factorMatrix(scaleMatrix(-1, 1, 1)).scale)).toEqual([-1, -1, -1]);
	});

	it('tells a flat matrix', () => {
		expect(factorMatrix(scaleMatrix(1, 0, 1)).isSingular).toBe(true);
	});
});

describe('authoring a transform', () => {
	it('lists translation, orientation and scale in their order, whatever comes first', () => {
		const stage = stageOf('def Xform "A"\n{\n}');
		const prim = primAt(stage, '/A');
		setScale(prim, [2, 2, 2]);
		setOrient(prim, [0, 0, 1, 0]);
		setTranslate(prim, [1, 2, 3]);
		expect(xformOps(prim).ops.map(({ name }) => name)).toEqual([
			'xformOp:translate',
			'xformOp:orient',
			'xformOp:scale',
		]);
		const matrix = localTransform(prim).matrix;
		expect(Array.from(matrix, (x) => Math.round(x * 1e6) / 1e6 + 0)).toEqual([
			-2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1,
		]);
	});

	it('keeps the type of an attribute and adds samples', () => {
		const stage = stageOf(`def Xform "A"
{
	half3 xformOp:translate = (0, 0, 0)
	uniform token[] xformOpOrder = ["xformOp:translate"]
}`);
		const prim = primAt(stage, '/A');
		setTranslate(prim, [4, 0, 0], { time: 4 });
		setTranslate(prim, [2, 0, 0], { time: 2 });
		expect(prim.attribute('xformOp:translate').typeName).toBe('half3');
		expect(localTransform(prim, { time: 3 }).matrix[12]).toBe(3);
		expect(localTransform(prim).matrix[12]).toBe(0);
	});

	it('replaces what was there', () => {
		const stage = stageOf(`def Xform "A"
{
	float xformOp:rotateX = 30
	uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:rotateX"]
}`);
		const prim = primAt(stage, '/A');
		expect(() => setOrient(prim, [0, 0, 0, 1])).toThrow(UsageStateError);
		replaceXformOps(prim, { translate: [1, 2, 3] });
		expect(localTransform(prim)).toEqual({ matrix: new Float64Array(TRANSLATED), resetsXformStack: true });
		setTransformMatrix(prim, scaleMatrix(2, 3, 4));
		expect(Array.from(localTransform(prim).matrix)).toEqual(Array.from(scaleMatrix(2, 3, 4)));
	});

	it('refuses values of another size and prims without a transform', () => {
		const stage = stageOf('def Xform "A"\n{\n}\ndef Scope "S"\n{\n}');
		expect(() => setTranslate(primAt(stage, '/A'), [1, 2])).toThrow(UsageRangeError);
		expect(() => setTranslate(primAt(stage, '/S'), [1, 2, 3])).toThrow(UsageStateError);
	});
});
