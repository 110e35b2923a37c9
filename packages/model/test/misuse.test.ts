import { ModelBuilder, ModelError } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { codeOf, contentOf } from './support.ts';

/** Two links on the world, the second kinematic or not. */
function links(count: number): ModelBuilder {
	const builder = new ModelBuilder();
	for (let i = 0; i < count; i++) builder.addLink({ mass: 1, label: `link_${i}` });
	return builder;
}

describe('misuse', () => {
	test('is refused with a code, the entity and what was expected, and changes nothing', () => {
		const builder = links(3);
		const joint = builder.addJointRevolute({ child: 0 });
		builder.addArticulation([joint]);
		const content = contentOf(builder);
		const cases: [code: string, message: RegExp, run: () => unknown][] = [
			[
				'MODEL002',
				/mass of body 'heavy' is -1 kg, expected a finite number >= 0/,
				() => builder.addLink({ mass: -1, label: 'heavy' }),
			],
			['MODEL002', /NaN/, () => builder.addBody({ mass: Number.NaN })],
			[
				'MODEL002',
				/density of shape 'shape_0' is -5 kg\/m³/,
				() => builder.addShapeSphere(0, { config: { density: -5 } }),
			],
			['MODEL002', /Infinity/, () => builder.addShapeSphere(0, { config: { density: Number.POSITIVE_INFINITY } })],
			['MODEL001', /com has 2 numbers, expected 3/, () => builder.addLink({ com: [1, 2] })],
			['MODEL001', /inertia has 3 numbers, expected 9/, () => builder.addLink({ inertia: [1, 2, 3] })],
			['MODEL001', /xform has 3 numbers, expected 7/, () => builder.addLink({ xform: [1, 2, 3] })],
			[
				'MODEL001',
				/parentXform\[0\] is NaN/,
				() => builder.addJointFixed({ child: 1, parentXform: { p: [Number.NaN, 0, 0] } }),
			],
			['MODEL001', /axis is 'w'/, () => builder.addJointRevolute({ child: 1, axis: 'w' as never })],
			['MODEL004', /child of the joint is body 99, expected 0 to 2/, () => builder.addJointRevolute({ child: 99 })],
			['MODEL004', /parent of the joint is body 7/, () => builder.addJointRevolute({ parent: 7, child: 1 })],
			['MODEL004', /child of the joint is body -1/, () => builder.addJointRevolute({ child: -1 })],
			['MODEL004', /shape 's' is on body 9, expected -1 to 2/, () => builder.addShapeSphere(9, { label: 's' })],
			['MODEL004', /leader is joint 5/, () => builder.addConstraintMimic({ joint0: 0, joint1: 5 })],
			['MODEL005', /body 1 'link_1' is both parent and child/, () => builder.addJointRevolute({ parent: 1, child: 1 })],
			[
				'MODEL005',
				/4 linear and 0 angular axes, expected at most 3 each/,
				() => builder.addJointD6({ child: 1, linearAxes: [{}, {}, {}, {}] }),
			],
			['MODEL012', /has no joints/, () => builder.addArticulation([])],
			['MODEL012', /belongs to articulation 0 'articulation_0' already/, () => builder.addArticulation([joint])],
			['MODEL001', /plane has the normal 0 0 0/, () => builder.addShapePlane({ plane: [0, 0, 0, 1] })],
			[
				'MODEL001',
				/type of the equality constraint is 'glue'/,
				() => builder.addEqualityConstraint({ type: 'glue' as never }),
			],
		];
		for (const [code, message, run] of cases) {
			expect(codeOf(run)).toBe(code);
			expect(run).toThrow(message);
			expect(run).toThrow(RangeError);
		}
		expect(contentOf(builder)).toEqual(content);
	});

	test('an error says what it is about', () => {
		const builder = links(1);
		try {
			builder.addJointRevolute({ child: 5 });
			expect.unreachable();
		} catch (error) {
			expect(error).toBeInstanceOf(ModelError);
			expect((error as ModelError).subject).toEqual({ kind: 'body', index: 5 });
		}
	});

	test('cycles and bodies with two parents make no articulation', () => {
		const cycle = links(2);
		const a = cycle.addJointRevolute({ parent: 0, child: 1 });
		const b = cycle.addJointRevolute({ parent: 1, child: 0 });
		expect(codeOf(() => cycle.addArticulation([a, b]))).toBe('MODEL017');
		const twice = links(3);
		const joints = [
			twice.addJointRevolute({ child: 0 }),
			twice.addJointRevolute({ parent: 0, child: 1 }),
			twice.addJointRevolute({ parent: 0, child: 2 }),
			twice.addJointRevolute({ parent: 1, child: 2 }),
		];
		expect(() => twice.addArticulation(joints)).toThrow(/body 2 'link_2' has two parents in the articulation, 0 and 1/);
		expect(codeOf(() => twice.addArticulation([2, 1]))).toBe('MODEL012');
		expect(codeOf(() => twice.addArticulation([0, 2]))).toBe('MODEL012');
		expect(codeOf(() => twice.addArticulation([3, 4]))).toBe('MODEL004');
		twice.addArticulation(joints.slice(0, 3));
		expect(twice.finalize().articulationCount).toBe(1);
	});

	test('a kinematic body hangs on the world only', () => {
		const builder = new ModelBuilder();
		const [a, b] = [builder.addLink({ mass: 1 }), builder.addLink({ mass: 1, isKinematic: true, label: 'slide' })];
		const joints = [builder.addJointFixed({ child: a }), builder.addJointRevolute({ parent: a, child: b })];
		expect(() => builder.addArticulation(joints)).toThrow(/kinematic body 1 'slide' hangs on another body/);
		const root = new ModelBuilder();
		root.addArticulation([root.addJointRevolute({ child: root.addLink({ isKinematic: true }) })]);
		expect(Array.from(root.finalize().bodyFlags)).toEqual([2]);
	});

	test('joints outside of articulations are refused by name, loops and roots are not', () => {
		const builder = links(3);
		builder.addJointRevolute({ child: 0 });
		builder.addJointRevolute({ parent: 0, child: 1, label: 'lost' });
		expect(() => builder.finalize()).toThrow(
			/1 joint\(s\) belong to no articulation: joint 1 'lost'; call addArticulation/,
		);
		expect(builder.finalize({ skipValidation: true }).jointCount).toBe(2);
		const root = links(1);
		root.addJointRevolute({ child: 0 });
		expect(root.finalize().jointCount).toBe(1);
	});

	test('broken references are found with array and label', () => {
		const cases: [edit: (builder: ModelBuilder) => void, message: RegExp][] = [
			[(b) => b.column('shapeBody').fill(9), /shape_body of shape 0 'shape_0' is 9, expected -1 to 1/],
			[(b) => b.column('jointParent').fill(-2), /joint_parent of joint 0 'joint_1' is -2/],
			[(b) => b.column('jointChild').fill(-1), /joint_child of joint 0 'joint_1' is -1, expected 0 to 1/],
			[(b) => b.column('jointParent').set([0]), /are both body 0/],
			[(b) => b.column('bodyFlags').fill(3), /body_flags of body 0 'link_0' is 3/],
			[(b) => b.column('equalityConstraintBody1').fill(4), /equality_constraint_body1 of equalityConstraint 0 is 4/],
			[(b) => b.column('articulationEnd').fill(0), /articulation 0 'articulation_0' spans joints 0 to 0/],
		];
		for (const [edit, message] of cases) {
			const builder = links(2);
			builder.addArticulation([builder.addJointRevolute({ child: 0 })]);
			builder.addShapeSphere(0);
			builder.addEqualityConstraint({ type: 'connect', body1: 0 });
			edit(builder);
			expect(codeOf(() => builder.finalize())).toBe('MODEL015');
			expect(() => builder.finalize()).toThrow(message);
		}
	});

	test('trap 44: parallel joints are warned of as data', () => {
		const builder = new ModelBuilder();
		const body = builder.addBody({ mass: 1, label: 'ball' });
		builder.addJointRevolute({ child: body });
		const other = builder.addLink({ mass: 1 });
		builder.addJointRevolute({ parent: body, child: other });
		builder.addJointBall({ parent: other, child: body });
		const found = builder.report.toArray();
		expect(found.map(({ code }) => code)).toEqual(['MODEL030', 'MODEL030']);
		expect(found.some(({ message }) => message.includes('use addLink() instead of addBody()'))).toBe(true);
		const kept = builder.finalize({ skipValidation: true }).report.toArray();
		expect(kept.filter(({ code }) => code === 'MODEL030')).toHaveLength(2);
	});
});
