import { ArticulatedDynamics, type BodyOptions, JointType, ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { codeOf } from './support.ts';

const CUBE: BodyOptions = { mass: 1, inertia: [1 / 6, 0, 0, 0, 1 / 6, 0, 0, 0, 1 / 6] };

/** Four unit cubes at the origin and one along each axis, held together. */
function cubes(): ModelBuilder {
	const builder = new ModelBuilder();
	const config = { density: 1 };
	const base = builder.addLink();
	builder.addShapeBox(base, { config });
	const joints = [builder.addJointFree({ child: base })];
	for (const p of [
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	]) {
		const body = builder.addLink({ xform: { p } });
		builder.addShapeBox(body, { config });
		joints.push(builder.addJointFixed({ parent: base, child: body, parentXform: { p } }));
	}
	builder.addArticulation(joints);
	return builder;
}

describe('collapseFixedJoints', () => {
	test('trap 26: adds inertia about the common centre of mass', () => {
		const builder = cubes();
		const before = kineticEnergy(builder);
		const result = builder.collapseFixedJoints();
		expect(builder.bodyCount).toBe(1);
		expect(builder.column('bodyMass')[0]).toBeCloseTo(4, 12);
		expect(Array.from(builder.column('bodyCom'))).toEqual([0.25, 0.25, 0.25].map((value) => expect.closeTo(value, 12)));
		const inertia = Array.from(builder.column('bodyInertia'));
		for (const [i, value] of inertia.entries()) expect(value).toBeCloseTo(i % 4 === 0 ? 13 / 6 : 0.25, 12);
		expect(Array.from(builder.column('shapeBody'))).toEqual([0, 0, 0, 0]);
		expect([...result.bodyMergedParent]).toEqual([
			[1, 0],
			[2, 0],
			[3, 0],
		]);
		expect(kineticEnergy(builder)).toBeCloseTo(before, 9);
	});

	test('body worlds and starts after a collapse of some', () => {
		const builder = new ModelBuilder();
		const chain = (types: readonly ('revolute' | 'fixed')[]): void => {
			let parent = -1;
			const joints = types.map((type) => {
				const child = builder.addLink(CUBE);
				const joint =
					type === 'fixed' ? builder.addJointFixed({ parent, child }) : builder.addJointRevolute({ parent, child });
				parent = child;
				return joint;
			});
			builder.addArticulation(joints);
		};
		builder.withWorld({}, () => chain(['revolute', 'fixed', 'revolute']));
		builder.withWorld({}, () => chain(['revolute', 'revolute']));
		builder.addBody(CUBE);
		expect(Array.from(builder.column('bodyWorld'))).toEqual([0, 0, 0, 1, 1, -1]);
		builder.collapseFixedJoints();
		const model = builder.finalize();
		expect(Array.from(model.bodyWorld)).toEqual([0, 0, 1, 1, -1]);
		expect(Array.from(model.bodyWorldStart)).toEqual([0, 2, 4, 5]);
		expect(Array.from(model.jointWorldStart)).toEqual([0, 2, 4, 5]);
		expect(Array.from(model.articulationWorldStart)).toEqual([0, 1, 2, 3]);
		expect(Array.from(model.jointDofWorldStart)).toEqual([0, 2, 4, 10]);
		expect(Array.from(model.jointCoordWorldStart)).toEqual([0, 2, 4, 11]);
		expect(Array.from(model.jointConstraintWorldStart)).toEqual([0, 10, 20, 20]);
		expect(Array.from(model.shapeWorldStart)).toEqual([0, 0, 0, 0]);
	});

	test('trap 27: custom values and references follow their entities', () => {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'heat', type: 'i32', frequency: 'body' });
		builder.defineAttribute({ name: 'tag', type: 'string', frequency: 'joint' });
		builder.defineAttribute({ name: 'gain', type: 'i32', frequency: 'jointDof' });
		builder.defineAttribute({ name: 'kind', type: 'i32', frequency: 'articulation' });
		const pair = builder.defineFrequency({ namespace: 'app', name: 'pair' });
		builder.defineAttribute({
			namespace: 'app',
			name: 'body',
			type: 'i32',
			frequency: pair,
			references: 'body',
			default: -1,
		});
		builder.defineAttribute({
			namespace: 'app',
			name: 'joint',
			type: 'i32',
			frequency: pair,
			references: 'joint',
			default: -1,
		});
		const bodies = [0, 1, 2, 3].map((i) => builder.addLink({ ...CUBE, attributes: { heat: 10 + i } }));
		builder.addArticulation([builder.addJointFixed({ child: bodies[0]!, attributes: { tag: 'gone' } })], {
			attributes: { kind: 1 },
		});
		const joints = [
			builder.addJointRevolute({ child: bodies[1]!, attributes: { tag: 'a', gain: 1 } }),
			builder.addJointFixed({ parent: bodies[1]!, child: bodies[2]!, attributes: { tag: 'gone too' } }),
			builder.addJointRevolute({ parent: bodies[2]!, child: bodies[3]!, attributes: { tag: 'b', gain: 2 } }),
		];
		builder.addArticulation(joints, { attributes: { kind: 2 } });
		for (const body of [...bodies, -1]) builder.addRow(pair, { 'app:body': body, 'app:joint': body });
		const result = builder.collapseFixedJoints();
		const { attributes } = builder.finalize();
		expect(Array.from(attributes.get('heat') as Int32Array)).toEqual([11, 13]);
		expect(attributes.get('tag')).toEqual(['a', 'b']);
		expect(Array.from(attributes.get('gain') as Int32Array)).toEqual([1, 2]);
		expect(Array.from(attributes.get('kind') as Int32Array)).toEqual([2]);
		expect(Array.from(attributes.get('app:body') as Int32Array)).toEqual([-1, 0, 0, 1, -1]);
		expect(Array.from(attributes.get('app:joint') as Int32Array)).toEqual([-1, 0, -1, 1, -1]);
		expect([...result.articulationRemap]).toEqual([[1, 0]]);
		expect([...result.bodyRemap]).toEqual([
			[-1, -1],
			[1, 0],
			[3, 1],
		]);
		expect([...result.jointRemap]).toEqual([
			[1, 0],
			[3, 1],
		]);
	});

	test('shapes of a body fixed to the world become static', () => {
		const builder = new ModelBuilder();
		const body = builder.addLink();
		builder.addArticulation([builder.addJointFixed({ child: body, parentXform: { p: [1, 2, 3] } })]);
		builder.addShapeSphere(body, { xform: { p: [1, 0, 0] } });
		builder.collapseFixedJoints();
		const model = builder.finalize();
		expect([model.bodyCount, model.jointCount, model.articulationCount]).toEqual([0, 0, 0]);
		expect(Array.from(model.shapeBody)).toEqual([-1]);
		expect(Array.from(model.shapeTransform.subarray(0, 3))).toEqual([2, 2, 3]);
	});

	test('joints named by label or index stay, with a warning for massless children', () => {
		const builder = new ModelBuilder();
		const [a, b, c] = [builder.addLink(CUBE), builder.addLink(), builder.addLink(CUBE)];
		builder.addArticulation([
			builder.addJointRevolute({ child: a }),
			builder.addJointFixed({ parent: a, child: b, label: 'keep' }),
			builder.addJointFixed({ parent: b, child: c }),
		]);
		builder.collapseFixedJoints({ jointsToKeep: ['keep', 2] });
		expect(builder.bodyCount).toBe(3);
		expect(builder.report.toArray().map(({ code }) => code)).toEqual(['MODEL033']);
	});

	test('carries the velocity of the centre of mass', () => {
		const builder = cubes();
		builder.column('bodyQd').set([1, 2, 3, 0, 0, 2], 0);
		builder.collapseFixedJoints();
		// v + w x d with d = (.25, .25, .25)
		expect(Array.from(builder.column('bodyQd').subarray(0, 3))).toEqual(
			[0.5, 2.5, 3].map((value) => expect.closeTo(value, 12)),
		);
		expect(Array.from(builder.column('jointQd').subarray(0, 6))).toEqual(
			[0.5, 2.5, 3, 0, 0, 2].map((value) => expect.closeTo(value, 12)),
		);
	});

	test('loop and parallel joints are anchored anew on both sides', () => {
		const builder = new ModelBuilder();
		const [a, b, c] = [builder.addLink(CUBE), builder.addLink(CUBE), builder.addLink(CUBE)];
		builder.addArticulation([
			builder.addJointRevolute({ child: a }),
			builder.addJointFixed({ parent: a, child: b, parentXform: { p: [1, 0, 0] } }),
			builder.addJointRevolute({ parent: a, child: c }),
		]);
		builder.addJointBall({ parent: b, child: c, parentXform: { p: [0, 1, 0] }, label: 'from' });
		builder.addJointBall({ parent: c, child: b, childXform: { p: [0, 0, 1] }, label: 'to' });
		builder.addJointBall({ parent: a, child: b, label: 'inside' });
		builder.collapseFixedJoints();
		const model = builder.finalize();
		expect(model.jointLabels.slice(2)).toEqual(['from', 'to']);
		expect(Array.from(model.jointParent)).toEqual([-1, 0, 0, 1]);
		expect(Array.from(model.jointChild)).toEqual([0, 1, 1, 0]);
		expect(Array.from(model.jointXP.subarray(14, 17))).toEqual([1, 1, 0]);
		expect(Array.from(model.jointXC.subarray(21, 24))).toEqual([1, 0, 1]);
		expect(Array.from(model.jointType)).toEqual([
			JointType.REVOLUTE,
			JointType.REVOLUTE,
			JointType.BALL,
			JointType.BALL,
		]);
		// the ball joint from a to the merged b would hold what is rigid
		expect(model.jointCount).toBe(4);
	});

	test('equality anchors and relative poses move, constrained bodies are not merged into the world', () => {
		const builder = new ModelBuilder();
		const [a, b, c, d] = [0, 1, 2, 3].map(() => builder.addLink(CUBE)) as [number, number, number, number];
		builder.addArticulation([
			builder.addJointRevolute({ child: a }),
			builder.addJointFixed({ parent: a, child: b, parentXform: { p: [1, 0, 0] } }),
			builder.addJointRevolute({ parent: a, child: c }),
		]);
		builder.addArticulation([builder.addJointFixed({ child: d })]);
		builder.addEqualityConstraint({ type: 'connect', body1: b, body2: c, anchor: [0, 1, 0] });
		builder.addEqualityConstraint({ type: 'weld', body1: b, body2: c, anchor: [0, 1, 0], relpose: { p: [0, 0, 1] } });
		builder.addEqualityConstraint({ type: 'weld', body1: c, body2: b, anchor: [0, 1, 0], relpose: { p: [0, 0, 1] } });
		builder.addEqualityConstraint({ type: 'connect', body1: d });
		builder.addEqualityConstraint({ type: 'joint', joint1: 0, joint2: 1 });
		builder.collapseFixedJoints();
		const model = builder.finalize();
		expect(model.bodyCount).toBe(3);
		expect(Array.from(model.equalityConstraintBody1)).toEqual([0, 0, 1, 2, -1]);
		expect(Array.from(model.equalityConstraintBody2)).toEqual([1, 1, 0, -1, -1]);
		const anchors = Array.from(model.equalityConstraintAnchor);
		expect([anchors.slice(0, 3), anchors.slice(3, 6), anchors.slice(6, 9)]).toEqual([
			[1, 1, 0],
			[0, 1, 0],
			[1, 1, 0],
		]);
		expect(Array.from(model.equalityConstraintRelpose.subarray(7, 10))).toEqual([1, 0, 1]);
		expect(Array.from(model.equalityConstraintRelpose.subarray(14, 17))).toEqual([-1, 0, 1]);
		expect(Array.from(model.equalityConstraintEnabled)).toEqual([1, 1, 1, 1, 0]);
		expect(Array.from(model.equalityConstraintJoint2)).toEqual([-1, -1, -1, -1, -1]);
	});

	test('massless chains keep a finite centre, locked inertia merges all the same', () => {
		const builder = new ModelBuilder();
		const [a, b] = [builder.addLink({ com: [1, 2, 3], lockInertia: true }), builder.addLink()];
		builder.addArticulation([builder.addJointRevolute({ child: a }), builder.addJointFixed({ parent: a, child: b })]);
		builder.collapseFixedJoints();
		expect(Array.from(builder.column('bodyCom'))).toEqual([1, 2, 3]);
		const locked = new ModelBuilder();
		const [c, d] = [locked.addLink({ ...CUBE, lockInertia: true }), locked.addLink(CUBE)];
		locked.addArticulation([locked.addJointRevolute({ child: c }), locked.addJointFixed({ parent: c, child: d })]);
		locked.collapseFixedJoints();
		expect(locked.column('bodyMass')[0]).toBe(2);
	});

	test('chains of any depth merge without overflowing the stack', () => {
		const builder = new ModelBuilder();
		const joints: number[] = [];
		let parent = -1;
		for (let i = 0; i < 20000; i++) {
			const child = builder.addLink({ mass: 1 });
			joints.push(i === 0 ? builder.addJointRevolute({ child }) : builder.addJointFixed({ parent, child }));
			parent = child;
		}
		builder.addArticulation(joints);
		builder.collapseFixedJoints();
		expect(builder.bodyCount).toBe(1);
		expect(builder.column('bodyMass')[0]).toBe(20000);
	});
});

describe('order of joints', () => {
	function leafFirst(): ModelBuilder {
		const builder = new ModelBuilder();
		builder.defineAttribute({ name: 'tag', type: 'string', frequency: 'joint' });
		const [a, b, c] = [builder.addLink(CUBE), builder.addLink(CUBE), builder.addLink(CUBE)];
		builder.addArticulation([
			builder.addJointPrismatic({ parent: b, child: c, label: 'tip', attributes: { tag: 'tip' }, armature: 3 }),
			builder.addJointBall({ parent: a, child: b, label: 'middle', attributes: { tag: 'middle' } }),
			builder.addJointRevolute({ child: a, label: 'root', attributes: { tag: 'root' }, armature: 1 }),
		]);
		builder.addConstraintMimic({ joint0: 0, joint1: 2 });
		builder.column('jointQ').set([0.3, 0, 0, 0, 1, 0.1]);
		return builder;
	}

	test('trap 22: a parent after its child is refused, and sorted on request', () => {
		const builder = leafFirst();
		expect(codeOf(() => builder.finalize())).toBe('MODEL034');
		expect(builder.validateJointOrdering()).toBe(false);
		expect(builder.report.toArray()[0]!.message).toContain('expected 2, 1, 0');
		builder.sortJoints();
		expect(builder.validateJointOrdering()).toBe(true);
		const model = builder.finalize();
		expect(model.jointLabels).toEqual(['root', 'middle', 'tip']);
		expect(model.attributes.get('tag')).toEqual(['root', 'middle', 'tip']);
		expect(Array.from(model.jointQ)).toEqual([0.1, 0, 0, 0, 1, 0.3]);
		expect(Array.from(model.jointArmature)).toEqual([1, 0, 0, 0, 3]);
		expect(Array.from(model.jointQStart)).toEqual([0, 1, 5, 6]);
		expect(Array.from(model.jointAncestor)).toEqual([-1, 0, 1]);
		expect([model.constraintMimicJoint0[0], model.constraintMimicJoint1[0]]).toEqual([2, 0]);
	});

	test('breadth-first order is accepted and only reported on request', () => {
		const builder = new ModelBuilder();
		const [a, b, c, d] = [0, 1, 2, 3].map(() => builder.addLink(CUBE)) as [number, number, number, number];
		builder.addArticulation([
			builder.addJointRevolute({ child: a }),
			builder.addJointRevolute({ parent: a, child: b }),
			builder.addJointRevolute({ parent: a, child: c }),
			builder.addJointRevolute({ parent: b, child: d }),
		]);
		expect(builder.finalize().report.size).toBe(0);
		expect(
			builder
				.finalize({ validateJointOrdering: true })
				.report.toArray()
				.map(({ code }) => code),
		).toEqual(['MODEL034']);
	});
});

/** Kinetic energy of all bodies when the root turns and moves. */
function kineticEnergy(builder: ModelBuilder): number {
	const model = builder.finalize();
	const state = model.createState();
	// a velocity that is the same motion for every choice of the centre: turn about the origin
	const com = model.bodyCom.subarray(0, 3);
	const w = [0.3, -0.5, 0.7] as const;
	state.jointQd.set([
		w[1] * com[2]! - w[2] * com[1]!,
		w[2] * com[0]! - w[0] * com[2]!,
		w[0] * com[1]! - w[1] * com[0]!,
		...w,
	]);
	new ArticulatedDynamics(model).forwardKinematics(state);
	let energy = 0;
	for (let body = 0; body < model.bodyCount; body++) {
		const v = state.bodyQd.subarray(6 * body, 6 * body + 6);
		const I = model.bodyInertia.subarray(9 * body, 9 * body + 9);
		energy += (model.bodyMass[body]! * (v[0]! ** 2 + v[1]! ** 2 + v[2]! ** 2)) / 2;
		for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) energy += (v[3 + i]! * I[3 * i + j]! * v[3 + j]!) / 2;
	}
	return energy;
}
