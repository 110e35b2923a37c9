import { ArticulatedDynamics, type Model, ModelBuilder, type State } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SolverSap } from '../src/index.ts';

/** Numbers between -1 and 1 in a fixed sequence. */
class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	next(): number {
		this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
		return this.#state / 2 ** 31 - 1;
	}

	vector(): [number, number, number] {
		return [this.next(), this.next(), this.next()];
	}

	quaternion(): number[] {
		const q = [this.next(), this.next(), this.next(), this.next() + 1.5];
		const length = Math.hypot(...q);
		return q.map((x) => x / length);
	}

	pick(count: number): number {
		return Math.min(count - 1, Math.floor(((this.next() + 1) / 2) * count));
	}
}

const KINDS = ['revolute', 'prismatic', 'ball', 'd6', 'fixed', 'free'] as const;

/** A tree with joints of all kinds in random frames; bodies of floating joints have their centre of mass at the origin. */
function randomTree(random: Random, size: number): ModelBuilder {
	const builder = new ModelBuilder({ gravity: random.vector().map((x) => 10 * x) });
	const joints: number[] = [];
	for (let i = 0; i < size; i++) {
		const kind = KINDS[random.pick(KINDS.length)]!;
		const isFree = kind === 'free';
		const [a, b, c] = random.vector().map((x) => 1.1 + 0.5 * x) as [number, number, number];
		const inertia = [b + c, 0.1, 0, 0.1, a + c, -0.05, 0, -0.05, a + b].map((x) => 0.05 * x);
		const com = isFree ? [0, 0, 0] : random.vector().map((x) => 0.2 * x);
		const child = builder.addLink({ mass: 1 + 0.5 * random.next(), com, inertia, lockInertia: true });
		const parent = i === 0 || random.next() < -0.6 ? -1 : random.pick(i);
		const shared = {
			parent,
			child,
			parentXform: { p: random.vector(), q: random.quaternion() },
			...(!isFree && { childXform: { p: random.vector().map((x) => 0.3 * x), q: random.quaternion() } }),
		};
		const axis = { axis: random.vector(), armature: 0.1 };
		if (kind === 'revolute') joints.push(builder.addJointRevolute({ ...shared, ...axis }));
		else if (kind === 'prismatic') joints.push(builder.addJointPrismatic({ ...shared, ...axis }));
		else if (kind === 'ball') joints.push(builder.addJointBall(shared));
		else if (kind === 'fixed') joints.push(builder.addJointFixed(shared));
		else if (kind === 'free') joints.push(builder.addJointFree(shared));
		else {
			const axes = [{ axis: [1, 0.2, 0] }, { axis: [0, 1, 0.3] }, { axis: [0.1, 0, 1] }];
			joints.push(
				builder.addJointD6({
					...shared,
					linearAxes: axes.slice(0, random.pick(3)),
					angularAxes: axes.slice(0, 1 + random.pick(3)),
				}),
			);
		}
	}
	builder.addArticulation(joints);
	return builder;
}

/** Solves a dense symmetric system. */
function solve(matrix: number[][], right: number[]): number[] {
	const n = right.length;
	const a = matrix.map((row, i) => [...row, right[i]!]);
	for (let i = 0; i < n; i++) {
		let pivot = i;
		for (let r = i + 1; r < n; r++) if (Math.abs(a[r]![i]!) > Math.abs(a[pivot]![i]!)) pivot = r;
		[a[i], a[pivot]] = [a[pivot]!, a[i]!];
		for (let r = i + 1; r < n; r++) {
			const factor = a[r]![i]! / a[i]![i]!;
			for (let c = i; c <= n; c++) a[r]![c] = a[r]![c]! - factor * a[i]![c]!;
		}
	}
	const x = new Array<number>(n).fill(0);
	for (let i = n - 1; i >= 0; i--) {
		let sum = a[i]![n]!;
		for (let c = i + 1; c < n; c++) sum -= a[i]![c]! * x[c]!;
		x[i] = sum / a[i]![i]!;
	}
	return x;
}

function randomState(model: Model, random: Random): State {
	const state = model.createState();
	for (let joint = 0; joint < model.jointCount; joint++) {
		const q = model.jointQStart[joint]!;
		const count = model.jointQStart[joint + 1]! - q;
		const dofs = model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
		for (let k = 0; k < count; k++) state.jointQ[q + k] = 0.6 * random.next();
		// one number more than degrees of freedom: a quaternion is at the end
		if (count === dofs + 1) state.jointQ.set(random.quaternion(), q + count - 4);
	}
	for (let dof = 0; dof < model.jointDofCount; dof++) state.jointQd[dof] = random.next();
	return state;
}

describe('free motion of random trees', () => {
	it('accelerates by the inverse of the mass matrix times applied less bias forces', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 2 ** 31 }), fc.integer({ min: 1, max: 7 }), (seed, size) => {
				const random = new Random(seed);
				const model = randomTree(random, size).finalize({ keepInertia: true });
				const n = model.jointDofCount;
				if (n === 0) return;
				const state = randomState(model, random);
				const control = model.createControl();
				for (let dof = 0; dof < n; dof++) control.jointF[dof] = random.next();
				const dynamics = new ArticulatedDynamics(model);
				const mass = dynamics.massMatrix(state);
				const bias = dynamics.biasForces(state);
				const matrix = Array.from({ length: n }, (_, i) =>
					Array.from(
						{ length: n },
						(__, j) => mass[i * dynamics.maxDofs + j]! + (i === j ? model.jointArmature[i]! : 0),
					),
				);
				const acceleration = solve(
					matrix,
					Array.from({ length: n }, (_, i) => control.jointF[i]! - bias[i]!),
				);
				const next = model.createState();
				const dt = 1e-3;
				new SolverSap(model, { gyroscopicTerms: 'explicit' }).step(state, next, control, undefined, dt);
				const largest = Math.max(1, ...acceleration.map(Math.abs));
				for (let dof = 0; dof < n; dof++) {
					const expected = state.jointQd[dof]! + dt * acceleration[dof]!;
					expect(Math.abs(next.jointQd[dof]! - expected)).toBeLessThan(1e-10 * largest);
				}
				// body poses and velocities are those of forward kinematics
				const check = model.createState();
				check.jointQ.set(next.jointQ);
				check.jointQd.set(next.jointQd);
				dynamics.forwardKinematics(check);
				for (let i = 0; i < check.bodyQ.length; i++) expect(next.bodyQ[i]).toBeCloseTo(check.bodyQ[i]!, 10);
				for (let i = 0; i < check.bodyQd.length; i++) expect(next.bodyQd[i]).toBeCloseTo(check.bodyQd[i]!, 9);
			}),
			{ seed: 6, numRuns: 150 },
		);
	});
});
