import { quatToRotationVector } from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArticulatedDynamics } from '../src/kinematics/articulated-dynamics.ts';
import type { Model } from '../src/model/model.ts';
import { ModelBuilder } from '../src/model-builder.ts';

/** Unit quaternion from four numbers. */
function unit(q: readonly number[]): number[] {
	const length = Math.hypot(...q);
	return length < 1e-6 ? [0, 0, 0, 1] : q.map((x) => x / length);
}

const small = fc.double({ min: -1, max: 1, noNaN: true });
const frame = fc
	.tuple(small, small, small, small, small, small, small)
	.map((n) => [...n.slice(0, 3), ...unit(n.slice(3))]);
const jointKind = fc.constantFrom('revolute', 'prismatic', 'ball', 'free', 'fixed', 'd6', 'd6left', 'd6skew');
const link = fc.record({
	kind: jointKind,
	parent: fc.nat(9),
	xp: frame,
	xc: frame,
	axis: fc.tuple(small, small, small),
	com: fc.tuple(small, small, small),
	mass: fc.double({ min: 0.1, max: 3, noNaN: true }),
});

type LinkRecord = typeof link extends fc.Arbitrary<infer T> ? T : never;

const D6_AXES = {
	d6: ['x', 'y', 'z'],
	d6left: ['y', 'x', 'z'],
	d6skew: [
		[1, 0, 0],
		[0.3, 1, 0],
		[0.1, -0.2, 1],
	],
} as const;

function buildTree(links: readonly LinkRecord[], gravity: readonly number[] = [0, 0, -9.81]): Model {
	const builder = new ModelBuilder({ gravity });
	const joints: number[] = [];
	links.forEach((spec, i) => {
		const child = builder.addLink({
			mass: spec.mass,
			com: spec.com,
			inertia: [0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5],
		});
		const shared = { parent: i === 0 ? -1 : spec.parent % i, child, parentXform: spec.xp, childXform: spec.xc };
		const axis = Math.hypot(...spec.axis) < 0.1 ? [0, 0, 1] : spec.axis;
		if (spec.kind === 'revolute') joints.push(builder.addJointRevolute({ ...shared, axis }));
		else if (spec.kind === 'prismatic') joints.push(builder.addJointPrismatic({ ...shared, axis }));
		else if (spec.kind === 'ball') joints.push(builder.addJointBall(shared));
		else if (spec.kind === 'free') joints.push(builder.addJointFree(shared));
		else if (spec.kind === 'fixed') joints.push(builder.addJointFixed(shared));
		else {
			const angularAxes = D6_AXES[spec.kind as keyof typeof D6_AXES].map((a) => ({ axis: a }));
			joints.push(builder.addJointD6({ ...shared, linearAxes: [{ axis }], angularAxes }));
		}
	});
	builder.addArticulation(joints);
	return builder.finalize();
}

/** Fills coordinates and velocities with numbers that follow from the index; quaternions of unit length. */
function pose(
	model: Model,
	scale = 1,
): { jointQ: Float64Array; jointQd: Float64Array; bodyQ: Float64Array; bodyQd: Float64Array } {
	const state = model.createState();
	for (let i = 0; i < state.jointQ.length; i++) state.jointQ[i] = scale * Math.sin(1 + 2.3 * i);
	for (let i = 0; i < state.jointQd.length; i++) state.jointQd[i] = Math.cos(3 * i + 0.4);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const at = model.jointQStart[joint]! + (model.jointType[joint] === 2 ? 0 : 3);
		if (model.jointType[joint] === 2 || model.jointType[joint] === 4)
			state.jointQ.set(unit(Array.from(state.jointQ.subarray(at, at + 4))), at);
	}
	return state;
}

/** Coordinates after moving along the velocities for a short time, by the meaning of `jointQd`. */
function advance(model: Model, state: ReturnType<typeof pose>, dt: number): Float64Array {
	const q = state.jointQ.slice();
	for (let joint = 0; joint < model.jointCount; joint++) {
		const at = model.jointQStart[joint]!;
		const dof = model.jointQdStart[joint]!;
		const type = model.jointType[joint]!;
		if (type === 2) rotate(q, at, state.jointQd, dof, dt);
		else if (type === 4) {
			// the linear part moves the centre of mass; the child anchor moves with the body around it
			const child = model.jointChild[joint]!;
			const r = comFromAnchor(model, joint, child, q.subarray(at, at + 7));
			rotate(q, at + 3, state.jointQd, dof + 3, dt);
			const after = comFromAnchor(model, joint, child, q.subarray(at, at + 7));
			for (let i = 0; i < 3; i++) q[at + i] = q[at + i]! + dt * state.jointQd[dof + i]! + r[i]! - after[i]!;
		} else
			for (let i = 0; i < model.jointQStart[joint + 1]! - at; i++)
				q[at + i] = q[at + i]! + dt * state.jointQd[dof + i]!;
	}
	return q;
}

/** Vector from the child anchor to the centre of mass, in the axes of the parent anchor. */
function comFromAnchor(model: Model, joint: number, child: number, q: Float64Array): number[] {
	const xc = model.jointXC.subarray(7 * joint, 7 * joint + 7);
	const com = model.bodyCom.subarray(3 * child, 3 * child + 3);
	const local = turn(conjugate(xc.subarray(3)), [com[0]! - xc[0]!, com[1]! - xc[1]!, com[2]! - xc[2]!]);
	return turn(q.subarray(3, 7), local);
}

function conjugate(q: ArrayLike<number>): number[] {
	return [-q[0]!, -q[1]!, -q[2]!, q[3]!];
}

function turn(q: ArrayLike<number>, v: readonly number[]): number[] {
	const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
	const t = [2 * (y * v[2]! - z * v[1]!), 2 * (z * v[0]! - x * v[2]!), 2 * (x * v[1]! - y * v[0]!)];
	return [
		v[0]! + w * t[0]! + y * t[2]! - z * t[1]!,
		v[1]! + w * t[1]! + z * t[0]! - x * t[2]!,
		v[2]! + w * t[2]! + x * t[1]! - y * t[0]!,
	];
}

function rotate(q: Float64Array, at: number, w: Float64Array, dof: number, dt: number): void {
	const angle = dt * Math.hypot(w[dof]!, w[dof + 1]!, w[dof + 2]!);
	const s = angle === 0 ? 0 : (Math.sin(angle / 2) * dt) / angle;
	const [ax, ay, az, aw] = [w[dof]! * s, w[dof + 1]! * s, w[dof + 2]! * s, Math.cos(angle / 2)];
	const [bx, by, bz, bw] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
	q[at] = aw * bx + ax * bw + ay * bz - az * by;
	q[at + 1] = aw * by - ax * bz + ay * bw + az * bx;
	q[at + 2] = aw * bz + ax * by - ay * bx + az * bw;
	q[at + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

const trees = fc.array(link, { minLength: 1, maxLength: 6 });
const runs = { seed: 11, numRuns: 60 };

describe('forward kinematics', () => {
	it('gives velocities that match finite differences of poses (trap 19)', () => {
		fc.assert(
			fc.property(trees, (links) => {
				const model = buildTree(links);
				const dynamics = new ArticulatedDynamics(model);
				const state = pose(model);
				dynamics.forwardKinematics(state);
				const dt = 1e-6;
				const before = {
					...state,
					jointQ: advance(model, state, -dt),
					bodyQ: state.bodyQ.slice(),
					bodyQd: state.bodyQd.slice(),
				};
				const after = {
					...state,
					jointQ: advance(model, state, dt),
					bodyQ: state.bodyQ.slice(),
					bodyQd: state.bodyQd.slice(),
				};
				dynamics.forwardKinematics(before);
				dynamics.forwardKinematics(after);
				for (let body = 0; body < model.bodyCount; body++) {
					const com = (q: Float64Array) => {
						const moved = turn(q.subarray(7 * body + 3), Array.from(model.bodyCom.subarray(3 * body, 3 * body + 3)));
						return moved.map((x, i) => x + q[7 * body + i]!);
					};
					const [a, b] = [com(before.bodyQ), com(after.bodyQ)];
					for (let i = 0; i < 3; i++) expect((b[i]! - a[i]!) / (2 * dt)).toBeCloseTo(state.bodyQd[6 * body + i]!, 5);
					const turnBetween = multiply(
						after.bodyQ.subarray(7 * body + 3, 7 * body + 7),
						conjugate(before.bodyQ.subarray(7 * body + 3)),
					);
					const vector = quatToRotationVector(new Float64Array(3), Float64Array.from(turnBetween));
					for (let i = 0; i < 3; i++) expect(vector[i]! / (2 * dt)).toBeCloseTo(state.bodyQd[6 * body + 3 + i]!, 5);
				}
			}),
			runs,
		);
	});

	it('is undone by recovering coordinates, whatever the rotation (trap 20)', () => {
		fc.assert(
			fc.property(trees, (links) => {
				const model = buildTree(links);
				const dynamics = new ArticulatedDynamics(model);
				const state = pose(model);
				dynamics.forwardKinematics(state);
				const found = {
					...state,
					jointQ: new Float64Array(state.jointQ.length),
					jointQd: new Float64Array(state.jointQd.length),
				};
				dynamics.recoverCoordinates(found);
				const again = { ...found, bodyQ: state.bodyQ.slice().fill(0), bodyQd: state.bodyQd.slice().fill(0) };
				dynamics.forwardKinematics(again);
				for (let i = 0; i < state.bodyQd.length; i++) expect(again.bodyQd[i]).toBeCloseTo(state.bodyQd[i]!, 8);
				for (let body = 0; body < model.bodyCount; body++) {
					for (let i = 0; i < 3; i++) expect(again.bodyQ[7 * body + i]).toBeCloseTo(state.bodyQ[7 * body + i]!, 9);
					let same = 0;
					for (let i = 3; i < 7; i++) same += again.bodyQ[7 * body + i]! * state.bodyQ[7 * body + i]!;
					expect(Math.abs(same)).toBeCloseTo(1, 12);
				}
			}),
			runs,
		);
	});

	it('chains the angular axes of a D6 joint, unlike roll, pitch and yaw (trap 21)', () => {
		const builder = new ModelBuilder();
		const body = builder.addLink({ mass: 1 });
		const angularAxes = [{ axis: 'x' }, { axis: 'y' }, { axis: 'z' }] as const;
		builder.addArticulation([builder.addJointD6({ child: body, angularAxes })]);
		const model = builder.finalize();
		const state = model.createState();
		state.jointQ.set([0.3, 0.4, 0.5]);
		new ArticulatedDynamics(model).forwardKinematics(state);
		const about = (axis: number, angle: number): number[] => {
			const q = [0, 0, 0, Math.cos(angle / 2)];
			q[axis] = Math.sin(angle / 2);
			return q;
		};
		const intrinsic = multiply(multiply(about(0, 0.3), about(1, 0.4)), about(2, 0.5));
		const rollPitchYaw = multiply(multiply(about(2, 0.5), about(1, 0.4)), about(0, 0.3));
		const found = Array.from(state.bodyQ.subarray(3, 7));
		intrinsic.forEach((value, i) => {
			expect(found[i]).toBeCloseTo(value, 14);
		});
		expect(Math.hypot(...found.map((value, i) => value - rollPitchYaw[i]!))).toBeGreaterThan(0.05);
	});

	it('leaves bodies alone that the flags exclude, and articulations that the mask excludes', () => {
		const builder = new ModelBuilder();
		builder.addBody({ mass: 1, isKinematic: true });
		builder.addBody({ mass: 1 });
		const model = builder.finalize();
		const dynamics = new ArticulatedDynamics(model);
		const state = model.createState();
		state.jointQ[0] = 5;
		state.jointQ[7] = 6;
		dynamics.forwardKinematics(state, { bodyFlags: 1 });
		expect([state.bodyQ[0], state.bodyQ[7]]).toEqual([0, 6]);
		dynamics.forwardKinematics(state, { mask: [1, 0] });
		expect(state.bodyQ[0]).toBe(5);
		expect(() => dynamics.forwardKinematics(state, { mask: [1] })).toThrow(/mask has 1 entries/);
		expect(() => dynamics.forwardKinematics(state, { mask: [1, 1], worlds: [0] })).toThrow(/exclude each other/);
		expect(() => dynamics.forwardKinematics(state, { articulations: [2] })).toThrow(/articulation 2 does not exist/);
	});
});

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
	const [ax, ay, az, aw] = [a[0]!, a[1]!, a[2]!, a[3]!];
	const [bx, by, bz, bw] = [b[0]!, b[1]!, b[2]!, b[3]!];
	return [
		aw * bx + ax * bw + ay * bz - az * by,
		aw * by - ax * bz + ay * bw + az * bx,
		aw * bz + ax * by - ay * bx + az * bw,
		aw * bw - ax * bx - ay * by - az * bz,
	];
}

describe('dynamics', () => {
	it('has a Jacobian that turns joint velocities into body velocities', () => {
		fc.assert(
			fc.property(trees, (links) => {
				const model = buildTree(links);
				const dynamics = new ArticulatedDynamics(model);
				const state = pose(model);
				dynamics.forwardKinematics(state);
				const jacobian = dynamics.jacobian(state);
				for (let joint = 0; joint < model.jointCount; joint++) {
					for (let row = 0; row < 6; row++) {
						let sum = 0;
						for (let dof = 0; dof < model.jointDofCount; dof++)
							sum += jacobian[(6 * joint + row) * dynamics.maxDofs + dof]! * state.jointQd[dof]!;
						expect(sum).toBeCloseTo(state.bodyQd[6 * model.jointChild[joint]! + row]!, 10);
					}
				}
			}),
			runs,
		);
	});

	it('has a mass matrix with the kinetic energy of the bodies', () => {
		fc.assert(
			fc.property(trees, (links) => {
				const model = buildTree(links);
				const dynamics = new ArticulatedDynamics(model);
				const state = pose(model);
				dynamics.forwardKinematics(state);
				const m = dynamics.massMatrix(state);
				const n = dynamics.maxDofs;
				let joint = 0;
				for (let i = 0; i < model.jointDofCount; i++) {
					for (let j = 0; j < model.jointDofCount; j++) {
						joint += 0.5 * state.jointQd[i]! * m[i * n + j]! * state.jointQd[j]!;
						expect(m[i * n + j]).toBe(m[j * n + i]);
					}
				}
				expect(joint).toBeCloseTo(kineticEnergy(model, state), 8);
			}),
			runs,
		);
	});

	it('keeps energy: power of the bias forces is the change of kinetic and potential energy', () => {
		fc.assert(
			fc.property(trees, (links) => {
				const model = buildTree(links);
				const dynamics = new ArticulatedDynamics(model);
				const state = pose(model);
				// with qdd = 0 the energy changes by tau · qd
				const tau = dynamics.biasForces(state);
				let power = 0;
				for (let i = 0; i < tau.length; i++) power += tau[i]! * state.jointQd[i]!;
				const dt = 1e-5;
				const energyAt = (t: number) => {
					const moved = {
						...state,
						jointQ: advance(model, state, t),
						bodyQ: state.bodyQ.slice(),
						bodyQd: state.bodyQd.slice(),
					};
					dynamics.forwardKinematics(moved);
					return kineticEnergy(model, moved) + potentialEnergy(model, moved);
				};
				const change = (energyAt(dt) - energyAt(-dt)) / (2 * dt);
				expect(Math.abs(change - power)).toBeLessThan(1e-5 * (1 + Math.abs(power)));
			}),
			runs,
		);
	});

	it('adds mass matrix times acceleration to the bias', () => {
		fc.assert(
			fc.property(trees, (links) => {
				const model = buildTree(links);
				const dynamics = new ArticulatedDynamics(model);
				const state = pose(model);
				const qdd = Float64Array.from({ length: model.jointDofCount }, (_, i) => Math.sin(5 * i));
				const tau = dynamics.inverseDynamics(state, { jointQdd: qdd });
				const bias = dynamics.biasForces(state);
				const m = dynamics.massMatrix(state);
				for (let i = 0; i < tau.length; i++) {
					let sum = bias[i]!;
					for (let j = 0; j < tau.length; j++) sum += m[i * dynamics.maxDofs + j]! * qdd[j]!;
					expect(tau[i]).toBeCloseTo(sum, 8);
				}
			}),
			runs,
		);
	});

	it('gives the torque that holds a pendulum', () => {
		const builder = new ModelBuilder();
		const bob = builder.addLink({ mass: 2, com: [0.5, 0, 0] });
		builder.addArticulation([builder.addJointRevolute({ child: bob, axis: 'y' })]);
		const model = builder.finalize();
		const state = model.createState();
		state.jointQ[0] = 0.3;
		// m g L cos q, against the turn about +y that lowers the bob
		expect(new ArticulatedDynamics(model).gravityForces(state)[0]).toBeCloseTo(-2 * 9.81 * 0.5 * Math.cos(0.3), 12);
	});

	it('uses the gravity of each world', () => {
		const arm = new ModelBuilder();
		const slider = arm.addLink({ mass: 3 });
		arm.addArticulation([arm.addJointPrismatic({ child: slider, axis: 'z' })]);
		const scene = new ModelBuilder();
		scene.addWorld(arm, { gravity: [0, 0, -9.81] });
		scene.addWorld(arm, { gravity: [0, 0, -1.62] });
		const model = scene.finalize();
		const forces = new ArticulatedDynamics(model).gravityForces(model.createState());
		expect(forces[0]).toBeCloseTo(29.43, 12);
		expect(forces[1]).toBeCloseTo(4.86, 12);
	});
});

function kineticEnergy(model: Model, state: { bodyQ: Float64Array; bodyQd: Float64Array }): number {
	let sum = 0;
	for (let body = 0; body < model.bodyCount; body++) {
		const qd = state.bodyQd.subarray(6 * body, 6 * body + 6);
		const local = turn(conjugate(state.bodyQ.subarray(7 * body + 3)), [qd[3]!, qd[4]!, qd[5]!]);
		sum += 0.5 * model.bodyMass[body]! * (qd[0]! ** 2 + qd[1]! ** 2 + qd[2]! ** 2);
		for (let i = 0; i < 3; i++) {
			for (let j = 0; j < 3; j++) sum += 0.5 * local[i]! * model.bodyInertia[9 * body + 3 * i + j]! * local[j]!;
		}
	}
	return sum;
}

function potentialEnergy(model: Model, state: { bodyQ: Float64Array }): number {
	let sum = 0;
	for (let body = 0; body < model.bodyCount; body++) {
		const com = turn(state.bodyQ.subarray(7 * body + 3), Array.from(model.bodyCom.subarray(3 * body, 3 * body + 3)));
		for (let i = 0; i < 3; i++)
			sum -= model.bodyMass[body]! * model.gravity[i]! * (com[i]! + state.bodyQ[7 * body + i]!);
	}
	return sum;
}
