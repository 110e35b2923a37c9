import { numberToHalf } from '@manyworlds/core/internal';
import { describe, expect, it } from 'vitest';
import { makeValue, Path, T, type Value, type ValueType } from '../src/index.ts';
import { valueToJson } from '../src/internal.ts';
import { interpolate } from '../src/usd/interpolation.ts';
import { evaluateSpline } from '../src/usd/spline-value.ts';
import { openScene } from './stage-scene.ts';

function json(value: Value | undefined): unknown {
	return value === undefined ? undefined : valueToJson(value);
}

describe('interpolation', () => {
	const mix = <D>(type: ValueType<D>, a: D, b: D, u: number): unknown =>
		interpolate(makeValue(type, a) as Value, makeValue(type, b) as Value, u).data;

	it('mixes scalars in double precision and rounds once', () => {
		expect(mix(T.double, 1, 2, 0.1)).toBe(0.9 * 1 + 0.1 * 2);
		expect(mix(T.float, Math.fround(0.1), Math.fround(0.7), 0.3)).toBe(
			Math.fround(0.7 * Math.fround(0.1) + 0.3 * Math.fround(0.7)),
		);
	});

	it('rounds each product of a float vector', () => {
		const a = Float32Array.of(0.1, 0.2, 0.3);
		const b = Float32Array.of(0.7, 0.9, 0.8);
		const expected = a.map((x, i) => Math.fround(Math.fround(0.7 * x) + Math.fround(0.3 * b[i]!)));
		expect(mix(T.float3, a, b, 0.3)).toEqual(expected);
	});

	it('goes the shorter way between quaternions', () => {
		const half = mix(T.quatd, Float64Array.of(0, 0, 0, 1), Float64Array.of(0, 0, -1, 0), 0.5) as Float64Array;
		expect(half[2]).toBeCloseTo(-Math.SQRT1_2, 14);
		const back = mix(T.quatd, Float64Array.of(0, 0, 0, 1), Float64Array.of(0, 0, 0, -1), 0.5) as Float64Array;
		expect(Math.abs(back[3]!)).toBeCloseTo(1, 14);
	});

	it('holds what cannot be mixed: text, integers, arrays of other lengths', () => {
		expect(mix(T.token, 'a', 'b', 0.9)).toBe('a');
		expect(mix(T.int, 1, 5, 0.9)).toBe(1);
		expect(mix(T.float.array, Float32Array.of(1), Float32Array.of(1, 2), 0.5)).toEqual(Float32Array.of(1));
		expect(mix(T.half.array, Uint16Array.of(numberToHalf(1)), Uint16Array.of(numberToHalf(2)), 0.5)).toEqual(
			Uint16Array.of(numberToHalf(1.5)),
		);
	});
});

describe('values of a stage', () => {
	it('come from samples before the default of the same layer, and from stronger layers first', () => {
		const stage = openScene({
			root: `( subLayers = [@./weak@] )
over "A"
{
    double strong = 1
}
`,
			weak: `def "A"
{
    double strong.timeSamples = {
        0: 5,
    }
    double own = 7
    double own.timeSamples = {
        0: 1,
        10: 3,
        20: None,
    }
}
`,
		});
		const strong = stage.attribute('/A.strong')!;
		expect([strong.resolveInfo().source, json(strong.get(0))]).toEqual(['default', 1]);
		const own = stage.attribute('/A.own')!;
		expect([undefined, -5, 5, 15, 25].map((time) => json(own.get(time)))).toEqual([7, 1, 2, 3, undefined]);
		expect(own.timeSamples()).toEqual([0, 10, 20]);
		expect(own.resolveInfo().site?.layer.identifier).toBe('weak');
	});

	it('moves times and time codes through offsets', () => {
		const stage = openScene({
			root: 'def "A" (\n    references = @./b@</B> (offset = 10; scale = 2)\n)\n{\n}\n',
			b: 'def "B"\n{\n    timecode when.timeSamples = {\n        0: 1,\n        10: 3,\n    }\n    duration span = 3\n}\n',
		});
		const when = stage.attribute('/A.when')!;
		expect(when.timeSamples()).toEqual([10, 30]);
		expect([10, 20, 30].map((time) => json(when.get(time)))).toEqual([12, 14, 16]);
		expect(json(stage.attribute('/A.span')!.get())).toBe(6);
	});

	it('are the fallback of the schema where a block leaves none', () => {
		const stage = openScene({
			root: '( subLayers = [@./weak@] )\nover "A"\n{\n    double radius = None\n}\n',
			weak: 'def Sphere "A"\n{\n    double radius = 5\n}\n',
		});
		const radius = stage.attribute('/A.radius')!;
		expect([json(radius.get()), radius.resolveInfo().source, radius.resolveInfo().isBlocked]).toEqual([
			1,
			'fallback',
			true,
		]);
	});

	it('keep weaker defaults under an animation block', () => {
		const stage = openScene({
			root: '( subLayers = [@./weak@] )\nover "A"\n{\n    double x = AnimationBlock\n}\n',
			weak: 'def "A"\n{\n    double x = 2\n    double x.timeSamples = {\n        0: 5,\n    }\n}\n',
		});
		expect([undefined, 0].map((time) => json(stage.attribute('/A.x')!.get(time)))).toEqual([2, 2]);
		expect(stage.attribute('/A.x')!.timeSamples()).toEqual([]);
	});

	it('fill weaker expressions and arrays in', () => {
		const stage = openScene({
			root: '( subLayers = [@./weak@] )\nover "A"\n{\n    pathExpression p = "%_ + /A"\n    int[] n = edit [append 3]\n}\n',
			weak: 'def "A"\n{\n    pathExpression p.timeSamples = {\n        1: "/B",\n    }\n    int[] n = [2]\n}\n',
		});
		const p = stage.attribute('/A.p')!;
		expect([json(p.get()), json(p.get(1)), p.timeSamples()]).toEqual(['/A', '/B + /A', [1]]);
		expect(json(stage.attribute('/A.n')!.get())).toEqual([2, 3]);
	});

	it('are hidden by a block from expressions and edits that are stronger than it', () => {
		const stage = openScene({
			root: '( subLayers = [@./weak@] )\nover "A"\n{\n    pathExpression p = "%_ + /A"\n    int[] n = edit [append 3]\n}\n',
			weak: 'def "A"\n{\n    pathExpression p.timeSamples = {\n        0: "/B",\n        5: None,\n    }\n    int[] n = None\n}\n',
		});
		const p = stage.attribute('/A.p')!;
		expect([0, 4, 5, 9].map((time) => json(p.get(time)))).toEqual(['/B + /A', '/B + /A', '/A', '/A']);
		const n = stage.attribute('/A.n')!;
		expect([json(n.get(1)), n.get()]).toEqual([[3], undefined]);
	});

	it('come from clips right below the layer that names them, with jumps in their times', () => {
		const stage = openScene({
			root: `def "A" (
    clips = {
        dictionary default = {
            asset[] assetPaths = [@./clip@]
            string primPath = "/Clip"
            double2[] active = [(0, 0)]
            double2[] times = [(0, 0), (10, 10), (10, 0), (20, 10)]
        }
    }
)
{
    double x
}
`,
			clip: 'def "Clip"\n{\n    double x.timeSamples = {\n        0: 0,\n        10: 100,\n    }\n}\n',
		});
		const x = stage.attribute('/A.x')!;
		expect(x.resolveInfo().source).toBe('valueClips');
		expect([0, 3, 9, 10, 15, 20, 30].map((time) => json(x.get(time)))).toEqual([0, 30, 90, 0, 50, 100, 100]);
		expect(stage.usedLayers().map((layer) => layer.identifier)).toContain('clip');
	});

	it('compose metadata: dictionaries merge, list-ops apply, the rest is the strongest', () => {
		const stage = openScene({
			root: `( subLayers = [@./weak@] )
over "A" (
    customData = {
        dictionary d = {
            int a = 1
        }
    }
    prepend apiSchemas = ["PhysicsMassAPI"]
    delete apiSchemas = ["PhysicsRigidBodyAPI"]
    hidden = true
)
{
}
`,
			weak: `def "A" (
    customData = {
        dictionary d = {
            int a = 2
            int b = 3
        }
    }
    apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]
    hidden = false
)
{
}
`,
		});
		const prim = stage.prim('/A')!;
		expect(json(prim.metadata('customData'))).toEqual({ d: { a: 1, b: 3 } });
		expect(json(prim.metadataEntry('customData', 'd:b'))).toBe(3);
		expect(prim.metadataEntry('customData', 'd:c')).toBeUndefined();
		expect(prim.appliedSchemas).toEqual(['PhysicsMassAPI', 'PhysicsCollisionAPI']);
		expect(json(prim.metadata('hidden'))).toBe(true);
	});

	it('evaluate splines: held, linear, curved and looped', () => {
		const tangent = { width: 0, slope: 0, algorithm: 'none' } as const;
		const knot = { preValue: undefined, customData: new Map(), pre: tangent, post: tangent };
		const spline = {
			valueType: 'double',
			curve: 'bezier',
			timeValued: false,
			pre: { mode: 'held' },
			post: { mode: 'loop reset' },
			knots: [
				{ ...knot, time: 0, value: 1, interpolation: 'linear' },
				{ ...knot, time: 2, value: 3, interpolation: 'held' },
				{ ...knot, time: 4, value: 9, interpolation: 'held' },
			],
		} as const;
		const plain = spline.knots.map(({ preValue: _, ...rest }) => rest);
		const values = [-1, 0, 1, 2, 3.5, 4, 5].map((time) => evaluateSpline({ ...spline, knots: plain }, time));
		expect(values).toEqual([1, 1, 2, 3, 3, 1, 2]);
	});

	it('follow relationships that point at relationships, without end where they point at each other', () => {
		const stage = openScene({
			root: `def "A"
{
    rel a = [</A.b>, </X>]
    rel b = [</A.a>, </Y>]
}
`,
		});
		expect(stage.relationship('/A.a')!.forwardedTargets().map(String)).toEqual(['/X', '/Y']);
		expect(stage.relationship(Path.parse('/A.none')!)).toBeUndefined();
	});
});
