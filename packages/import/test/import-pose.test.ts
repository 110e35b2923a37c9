import { ModelBuilder, type TransformInput } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importMjcf, importUrdf, importUsd } from '../src/index.ts';
import { openUsd } from './usd/usd-scene.ts';

/** Imports of an asset of one body, by format; each gives the column that has its pose then. */
const FORMATS: Readonly<Record<string, (builder: ModelBuilder, xform?: TransformInput) => 'bodyQ' | 'jointXP'>> = {
	mjcf: (builder, xform) => {
		const text = '<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>';
		importMjcf(text, builder, { ...(xform && { xform }) });
		return 'bodyQ';
	},
	urdf: (builder, xform) => {
		importUrdf('<robot name="r"><link name="b"/></robot>', builder, { ...(xform && { xform }) });
		return 'jointXP';
	},
	usd: (builder, xform) => {
		const body = 'def Cube "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {\n}\n';
		const stage = openUsd(`#usda 1.0\n(\nmetersPerUnit = 1\nupAxis = "Z"\n)\n${body}`);
		importUsd(stage, builder, { ...(xform && { xform }) });
		return 'bodyQ';
	},
};

describe.each(Object.keys(FORMATS))('the pose of an import of %s', (format) => {
	const poseOf = (xform?: TransformInput): number[] => {
		const builder = new ModelBuilder();
		const column = FORMATS[format]!(builder, xform);
		return Array.from(builder.column(column).subarray(0, 7), (x) => Number(x.toFixed(6)) + 0);
	};

	it('may be left out, in whole or in part', () => {
		expect(poseOf()).toEqual([0, 0, 0, 0, 0, 0, 1]);
		expect(poseOf({ p: [1, 2, 3] })).toEqual([1, 2, 3, 0, 0, 0, 1]);
		expect(poseOf({ q: [0, 0.6, 0, 0.8] })).toEqual([0, 0, 0, 0, 0.6, 0, 0.8]);
		expect(poseOf([1, 2, 3, 0, 0.6, 0, 0.8])).toEqual([1, 2, 3, 0, 0.6, 0, 0.8]);
	});

	it('was taken as it is where it is none', () => {
		expect(poseOf([1, 2, 3, 0, 3, 0, 4])).toEqual([1, 2, 3, 0, 0.6, 0, 0.8]);
		for (const xform of [[1, 2, 3], [0, 0, 0, 0, 0, 0, 0], { p: [1, 2] }, [Number.NaN, 0, 0, 0, 0, 0, 1]]) {
			expect(() => poseOf(xform)).toThrow('expected a position and a quaternion x y z w');
		}
	});
});
