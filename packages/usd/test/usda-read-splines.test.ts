import { describe, expect, it } from 'vitest';
import type { Spline } from '../src/sdf/spline.ts';
import { fieldAt, readClean, readText } from './read-text.ts';

function splineOf(type: string, items: string): Spline {
	const data = readClean(`def "A" {\n    ${type} x.spline = {${items}}\n}\n`);
	return fieldAt(data, '/A.x', 'spline')?.data as Spline;
}

const TANGENT = { width: 0, slope: 0, algorithm: 'none' };

describe('splines', () => {
	it('reads an empty one', () => {
		expect(splineOf('double', '\n')).toStrictEqual({
			valueType: 'double',
			curve: 'bezier',
			timeValued: false,
			pre: { mode: 'held' },
			post: { mode: 'held' },
			knots: [],
		});
	});

	it('reads curve, extrapolation and loop', () => {
		const spline = splineOf(
			'double',
			'hermite, pre: sloped (0.5), post : loop repeat(5),\n loop: ( 1, 2, 0 , 3, -0.25 ),',
		);
		expect(spline.curve).toBe('hermite');
		expect(spline.pre).toStrictEqual({ mode: 'sloped', slope: 0.5 });
		expect(spline.post).toStrictEqual({ mode: 'loop repeat', loopBoundary: 5 });
		expect(spline.loop).toStrictEqual({
			protoStart: 1,
			protoEnd: 2,
			preLoopCount: 0,
			postLoopCount: 3,
			valueOffset: -0.25,
		});
		expect(splineOf('double', 'pre: loop oscillate, post: none').pre).toStrictEqual({ mode: 'loop oscillate' });
	});

	it('reads knots in order of time, the first of equal times', () => {
		const { knots } = splineOf(
			'double',
			'2: 1; post curve (1.5, -2, autoEase), 1: 3 & 4; pre (0.5, 1); post held # c\n { string s = "t" }, 2: 9',
		);
		expect(knots).toStrictEqual([
			{
				time: 1,
				value: 4,
				preValue: 3,
				interpolation: 'held',
				pre: { width: 0.5, slope: 1, algorithm: 'none' },
				post: TANGENT,
				customData: new Map([['s', expect.objectContaining({ data: 't' })]]),
			},
			{
				time: 2,
				value: 1,
				interpolation: 'curve',
				pre: TANGENT,
				post: { width: 1.5, slope: -2, algorithm: 'autoEase' },
				customData: new Map(),
			},
		]);
	});

	it('rounds values and slopes to the type, not times and widths', () => {
		const knot = splineOf('float', '0.1: 0.1; pre (0.1, 0.1)').knots[0]!;
		expect(knot.time).toBe(0.1);
		expect(knot.value).toBe(Math.fround(0.1));
		expect(knot.pre).toStrictEqual({ width: 0.1, slope: Math.fround(0.1), algorithm: 'none' });
		expect(splineOf('timecode', '1: 2').timeValued).toBe(true);
	});

	it.each([
		['1: 2;', 'USDA001 3:29'],
		['1: 2; post curve(1)', 'USDA001 3:40'],
		['pre: loop', 'USDA001 3:33'],
		['loop: (1, 2, 0.5, 0, 0)', 'USDA048 3:30'],
		['1: inf', 'USDA048 3:27'],
		['1: 2; pre (-1, 2)', 'USDA048 3:35'],
		['1: 2\n , 2: 3', 'USDA001 4:2'],
	])('refuses %j', (items, place) => {
		expect(readText(`def "A" {\n    double x.spline = {${items}}\n}\n`).places).toStrictEqual([place]);
	});
});
