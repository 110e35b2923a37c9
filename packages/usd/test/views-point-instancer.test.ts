import { describe, expect, it } from 'vitest';
import { pointInstanceMask, pointInstances } from '../src/views/point-instancer.ts';
import { primAt, reported, stageOf } from './views-stage.ts';

function instancer(body: string, metadata = ''): string {
	return `def PointInstancer "A" ${metadata}
{
	prepend rel prototypes = [</A/p>, </A/q>]
	${body}
	def Xform "p"
	{
		double3 xformOp:translate = (0, 0, 1)
		uniform token[] xformOpOrder = ["xformOp:translate"]
	}
	def Xform "q"
	{
	}
}`;
}

describe('point instancers', () => {
	it('scale, turn and move each instance after its prototype', () => {
		const stage = stageOf(
			instancer(`int[] protoIndices = [0, 1]
	point3f[] positions = [(10, 0, 0), (20, 0, 0)]
	quath[] orientations = [(0, 1, 0, 0), (1, 0, 0, 0)]
	float3[] scales = [(2, 2, 2), (3, 3, 3)]`),
		);
		const prim = primAt(stage, '/A');
		const found = pointInstances(prim)!;
		expect(Array.from(found.prototypeIndices)).toEqual([0, 1]);
		expect(Array.from(found.transforms.subarray(0, 16))).toEqual([2, 0, 0, 0, 0, -2, 0, 0, 0, 0, -2, 0, 10, 0, -2, 1]);
		expect(Array.from(found.transforms.subarray(16))).toEqual([3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 0, 20, 0, 0, 1]);
		const bare = pointInstances(prim, { includePrototypeTransform: false })!;
		expect(bare.transforms[14]).toBe(0);
	});

	it('prefer orientations of floats', () => {
		const stage = stageOf(
			instancer(`int[] protoIndices = [1]
	point3f[] positions = [(0, 0, 0)]
	quath[] orientations = [(0, 1, 0, 0)]
	quatf[] orientationsf = [(0, 0, 0, 1)]`),
		);
		expect(Array.from(pointInstances(primAt(stage, '/A'))!.transforms.subarray(0, 11))).toEqual([
			-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1,
		]);
	});

	it('leave out inactive and invisible instances by their ids', () => {
		const stage = stageOf(
			instancer(
				`int[] protoIndices = [1, 1, 1]
	point3f[] positions = [(1, 0, 0), (2, 0, 0), (3, 0, 0)]
	int64[] ids = [10, 20, 30]
	int64[] invisibleIds = [20]`,
				'( inactiveIds = [30] )',
			),
		);
		const prim = primAt(stage, '/A');
		expect(Array.from(pointInstanceMask(prim)!)).toEqual([1, 0, 0]);
		expect(Array.from(pointInstances(prim)!.ids)).toEqual([10n]);
		expect(pointInstances(prim, { applyMask: false })!.prototypeIndices).toHaveLength(3);
	});

	it.each([
		['int[] protoIndices = [2]\npoint3f[] positions = [(0, 0, 0)]'],
		['int[] protoIndices = [-1]\npoint3f[] positions = [(0, 0, 0)]'],
		['int[] protoIndices = [0, 0]\npoint3f[] positions = [(0, 0, 0)]'],
		['int[] protoIndices = [0]'],
		['int[] protoIndices = [0]\npoint3f[] positions = [(0, 0, 0)]\nfloat3[] scales = [(1, 1, 1), (1, 1, 1)]'],
	])('that contradict themselves are reported: %s', (body) => {
		const stage = stageOf(instancer(body));
		expect(pointInstances(primAt(stage, '/A'))).toBeUndefined();
		expect(reported(stage)).toEqual(['VIEW002 /A']);
	});
});
