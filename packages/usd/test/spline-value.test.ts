import { describe, expect, it } from 'vitest';
import { openScene } from './stage-scene.ts';

// expected values are those of OpenUSD 26.11
function values(spline: string, times: readonly number[], type = 'double'): (number | undefined)[] {
	const stage = openScene({ root: `def "A"\n{\n    ${type} x.spline = {\n${spline}\n    }\n}\n` });
	return times.map((time) => {
		const value = stage.attribute('/A.x')!.get(time)?.data as number | undefined;
		return value === undefined ? undefined : Math.round(value * 1e6) / 1e6;
	});
}

describe('a spline', () => {
	it('has no value from its last knot on when nothing follows it', () => {
		const knots = 'post: none,\n2: 2.09; post linear,\n10: 0.01; post held,';
		expect(values(knots, [2, 10, 11])).toEqual([2.09, undefined, undefined]);
	});

	it('comes to its knots from the other side on its way back', () => {
		const knots =
			'bezier,\npost: loop oscillate,\n1: 2; post linear,\n2.5: 1; post linear,\n4: -3 & 2.51; post linear,';
		expect(values(knots, [4, 5.5, 7, 10])).toEqual([-3, 1, 2, -3]);
		const held = 'bezier,\npost: loop oscillate,\n1: 2.81; post held,\n2: 2.42; post none,';
		expect(values(held, [1.5, 2, 10])).toEqual([2.81, 2.81, 2.81]);
	});

	it('repeats with the values on the side of the extrapolation', () => {
		const before = 'bezier,\npre: loop repeat,\n3: 2.35; post linear,\n7: 3.25; post held,\n11: 2 & 0.16; post held,';
		expect(values(before, [0, 1.5])).toEqual([3.6, 3.6]);
		const after =
			'hermite,\npre: none,\npost: loop repeat,\n2: 2.28 & 1.3; post none,\n3: 3.64; post held,\n5: -2.13 & -2; post held,';
		expect(values(after, [6, 7])).toEqual([0.34, 0.34]);
	});

	it('of one knot is held with the value of that side', () => {
		const knots = 'pre: loop repeat,\npost: held,\n13: 3 & -1.25; post curve,';
		expect(values(knots, [0, 13, 20])).toEqual([3, -1.25, -1.25]);
	});

	it('does not run backwards in time where tangents are too long', () => {
		const knots = 'bezier,\n0: -1; post curve (1, 0.42),\n0.5: 1.41; post held,';
		const [value] = values(knots, [0.1]);
		expect(value).toBeCloseTo(-0.925707, 5);
	});

	it('has slopes with the precision of its values after it was retimed', () => {
		const stage = openScene({
			root: '( subLayers = [@./weak@ (scale = 1.25)] )\n',
			weak: 'def "A"\n{\n    half x.spline = {\n        bezier,\n        1: 2; post curve (0.5, 1.5),\n        4: 1,\n    }\n}\n',
		});
		const spline = stage.attribute('/A.x')!.spline()!.data as { knots: readonly { post: { slope: number } }[] };
		expect(spline.knots[0]!.post.slope).toBe(1.2001953125);
	});
});
