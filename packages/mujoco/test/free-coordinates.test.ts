import {
	quatRotate,
	quatRotateInverse,
	transformInvert,
	transformMultiply,
	vec3Cross,
} from '@manyworlds/core/internal';
import { type Model, ModelBuilder } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pullFree, pushFree } from '../src/engine/free-coordinates.ts';

const number = fc.double({ min: -3, max: 3, noNaN: true });
const vector = fc.tuple(number, number, number);
const turn = fc
	.tuple(number, number, number, number)
	.map((q) => (Math.hypot(...q) < 0.1 ? [0, 0, 0, 1] : q.map((x) => x / Math.hypot(...q))));
const pose = fc.tuple(vector, turn).map(([p, q]) => [...p, ...q]);
const velocity = fc.tuple(vector, vector).map(([linear, angular]) => [...linear, ...angular]);
const setting = fc.record({ parent: pose, child: pose, com: vector, q: pose, qd: velocity });

function makeModel(parent: readonly number[], child: readonly number[], com: readonly number[]): Model {
	const builder = new ModelBuilder();
	const body = builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
	builder.addArticulation([builder.addJointFree({ child: body })]);
	const model = builder.finalize();
	model.jointXP.set(parent);
	model.jointXC.set(child);
	model.bodyCom.set(com);
	return model;
}

describe('coordinates of a free joint', () => {
	it('are written to MuJoCo with the bits of products of transforms', () => {
		fc.assert(
			fc.property(setting, ({ parent, child, com, q, qd }) => {
				const model = makeModel(parent, child, com);
				const source = { jointQ: Float64Array.from(q), jointQd: Float64Array.from(qd) };
				const [qpos, qvel] = [new Float64Array(7), new Float64Array(6)];
				pushFree(model, 0, source, qpos, qvel, 0, 0);
				const joint = transformMultiply(new Float64Array(7), model.jointXP, source.jointQ);
				const body = transformMultiply(new Float64Array(7), joint, transformInvert(new Float64Array(7), model.jointXC));
				const linear = quatRotate(new Float64Array(3), model.jointXP, source.jointQd, 0, 3);
				const angular = quatRotate(new Float64Array(3), model.jointXP, source.jointQd, 0, 3, 3);
				const arm = quatRotate(new Float64Array(3), body, model.bodyCom, 0, 3);
				const carried = vec3Cross(new Float64Array(3), angular, arm);
				expect([...qpos]).toEqual([...body.slice(0, 3), body[6], ...body.slice(3, 6)]);
				expect([...qvel]).toEqual([
					...linear.map((x, k) => x - carried[k]!),
					...quatRotateInverse(new Float64Array(3), body, angular, 0, 3),
				]);
			}),
		);
	});

	it('are read from MuJoCo with the bits of products of transforms', () => {
		fc.assert(
			fc.property(setting, ({ parent, child, com, q, qd }) => {
				const model = makeModel(parent, child, com);
				const body = Float64Array.from(q);
				const qpos = Float64Array.of(q[0]!, q[1]!, q[2]!, q[6]!, q[3]!, q[4]!, q[5]!);
				const qvel = Float64Array.from(qd);
				const target = { jointQ: new Float64Array(7), jointQd: new Float64Array(6) };
				pullFree(model, 0, qpos, qvel, 0, 0, target);
				const joint = transformMultiply(new Float64Array(7), transformInvert(new Float64Array(7), model.jointXP), body);
				const angular = quatRotate(new Float64Array(3), body, qvel, 0, 3, 3);
				const arm = quatRotate(new Float64Array(3), body, model.bodyCom, 0, 3);
				const carried = vec3Cross(new Float64Array(3), angular, arm);
				const linear = Float64Array.from(carried, (x, k) => qvel[k]! + x);
				expect([...target.jointQ]).toEqual([...transformMultiply(new Float64Array(7), joint, model.jointXC)]);
				expect([...target.jointQd]).toEqual([
					...quatRotateInverse(new Float64Array(3), model.jointXP, linear, 0, 3),
					...quatRotateInverse(new Float64Array(3), model.jointXP, angular, 0, 3),
				]);
			}),
		);
	});
});
