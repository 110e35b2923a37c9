import type { ModelBuilder } from '@manyworlds/model';
import { WorldFault } from '@manyworlds/worlds';
import { expect, it } from 'vitest';
import type { SolverSapOptions } from '../src/index.ts';
import { boxInertia, describeEngines, makeBuilder, Runner } from './make-scene.ts';

const ODD = [0.05, 0.004, -0.003, 0.004, 0.04, 0.006, -0.003, 0.006, 0.03];
/** Off the diagonal larger than on it. */
const SKEW = [0.01, 0.03, 0.02, 0.03, 0.2, 0.05, 0.02, 0.05, 0.3];
const COM = [0.11, -0.04, 0.07];
const TILT = [0.12, -0.2, 0.05, Math.sqrt(1 - 0.12 * 0.12 - 0.2 * 0.2 - 0.05 * 0.05)];
const MASS = 1.3;

type Vector = [number, number, number];

const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [
	a[1]! * b[2]! - a[2]! * b[1]!,
	a[2]! * b[0]! - a[0]! * b[2]!,
	a[0]! * b[1]! - a[1]! * b[0]!,
];

/** A vector of the world in the axes of body 0. */
function toBody({ state }: Runner, v: ArrayLike<number>): Vector {
	const q = [-state.bodyQ[3]!, -state.bodyQ[4]!, -state.bodyQ[5]!];
	const c = cross(q, v).map((x) => 2 * x);
	const d = cross(q, c);
	return [0, 1, 2].map((k) => v[k]! + state.bodyQ[6]! * c[k]! + d[k]!) as Vector;
}

/** Twice the energy of turning and the size of the angular momentum of body 0 about a point of it. */
function invariants(runner: Runner, inertia: readonly number[]): [number, number] {
	const w = toBody(runner, runner.state.bodyQd.subarray(3, 6));
	const l = [0, 1, 2].map((i) => inertia[3 * i]! * w[0] + inertia[3 * i + 1]! * w[1] + inertia[3 * i + 2]! * w[2]);
	return [w[0] * l[0]! + w[1] * l[1]! + w[2] * l[2]!, Math.hypot(...l)];
}

/** Inertia about a point at `-com` of the centre of mass. */
function about(inertia: readonly number[], mass: number, com: readonly number[]): number[] {
	const squared = com.reduce((sum, x) => sum + x * x, 0);
	return inertia.map((value, at) => {
		const [i, k] = [Math.floor(at / 3), at % 3];
		return value + mass * ((i === k ? squared : 0) - com[i]! * com[k]!);
	});
}

const STILL = [0, 0, 0];
const FRAMES = { parentXform: { p: [0.1, 0.2, 0.3], q: TILT }, childXform: { p: [-0.05, 0.02, 0.01], q: TILT } };

function single(
	kind: 'free' | 'ball' | 'distance',
	inertia: readonly number[],
	options: SolverSapOptions,
	joint: object = {},
): Runner {
	const builder = makeBuilder(STILL);
	const child = builder.addLink({ mass: MASS, com: COM, inertia, lockInertia: true });
	const made =
		kind === 'free'
			? builder.addJointFree({ child, ...FRAMES, ...joint })
			: kind === 'ball'
				? builder.addJointBall({ child, ...FRAMES, ...joint })
				: builder.addJointDistance({ child, ...FRAMES, ...joint });
	builder.addArticulation([made]);
	const runner = new Runner(builder, options);
	const w = runner.model.jointDofCount - 3;
	if (w > 0) runner.state.jointQd.set([0.3, -0.2, 0.5]);
	runner.state.jointQd.set([3, 7, -4], w);
	runner.place();
	return runner;
}

for (const positionIntegration of ['sap_euler', 'midpoint'] as const) {
	describeEngines(`a body that turns freely, with ${positionIntegration}`, () => {
		it.each([
			['free', ODD],
			['free', SKEW],
			['distance', ODD],
			['ball', ODD],
			['ball', SKEW],
		] as const)('on a %s joint keeps energy and angular momentum to rounding', (kind, inertia) => {
			const runner = single(kind, inertia, { positionIntegration });
			runner.step(0.002, 1);
			// the joint frame of a ball stands still: it turns about that point
			const arm = kind === 'ball' ? COM.map((x, k) => x - [-0.05, 0.02, 0.01][k]!) : STILL;
			const own = kind === 'ball' ? about(inertia, MASS, arm) : inertia;
			const before = invariants(runner, own);
			const velocity = [...runner.state.bodyQd.subarray(0, 3)];
			runner.step(0.002, 40);
			const after = invariants(runner, own);
			for (let k = 0; k < 2; k++) expect(after[k]! / before[k]!).toBeCloseTo(1, 11);
			if (kind !== 'ball') for (let k = 0; k < 3; k++) expect(runner.state.bodyQd[k]).toBeCloseTo(velocity[k]!, 11);
		});

		it.each([
			[1, 0, 0],
			[0, 1, 0],
			[0, 0, 1],
		])('keeps energy and angular momentum from a turn about one axis of the world: %d %d %d', (x, y, z) => {
			const runner = single('free', SKEW, { positionIntegration });
			runner.state.jointQd.set([x, y, z], 3);
			runner.place();
			const before = invariants(runner, SKEW);
			runner.step(0.02, 10);
			const after = invariants(runner, SKEW);
			for (let k = 0; k < 2; k++) expect(after[k]! / before[k]!).toBeCloseTo(1, 11);
		});

		it('turns on at the rate of the asymmetric top', () => {
			// Euler's equations by small steps of the classical Runge-Kutta rule
			const runner = single('free', SKEW, { positionIntegration });
			let w: Vector = toBody(runner, runner.state.bodyQd.subarray(3, 6));
			const inverse = invert(SKEW);
			const times = (m: readonly number[], v: readonly number[]): Vector =>
				[0, 1, 2].map((i) => m[3 * i]! * v[0]! + m[3 * i + 1]! * v[1]! + m[3 * i + 2]! * v[2]!) as Vector;
			const rate = (v: Vector): Vector => times(inverse, cross(times(SKEW, v), v));
			const plus = (a: Vector, b: Vector, s: number): Vector => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
			for (let i = 0; i < 1000; i++) {
				const h = 5e-5;
				const k1 = rate(w);
				const k2 = rate(plus(w, k1, h / 2));
				const k3 = rate(plus(w, k2, h / 2));
				const k4 = rate(plus(w, k3, h));
				w = plus(plus(plus(plus(w, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
			}
			const coarse = single('free', SKEW, { positionIntegration });
			coarse.step(1e-3, 50);
			const fine = single('free', SKEW, { positionIntegration });
			fine.step(5e-4, 100);
			const offOf = (one: Runner): number =>
				Math.hypot(...toBody(one, one.state.bodyQd.subarray(3, 6)).map((x, k) => x - w[k]!));
			expect(offOf(coarse)).toBeLessThan(1e-2);
			// the rule is of second order
			expect(offOf(coarse) / offOf(fine)).toBeGreaterThan(3.8);
			expect(offOf(coarse) / offOf(fine)).toBeLessThan(4.2);
		});

		it('turns by the angle of its rule in each step about a principal axis', () => {
			for (const kind of ['free', 'ball'] as const) {
				const builder = makeBuilder(STILL);
				const child = builder.addLink({ mass: 1, inertia: boxInertia(1, 0.1, 0.2, 0.3), lockInertia: true });
				builder.addArticulation([kind === 'free' ? builder.addJointFree({ child }) : builder.addJointBall({ child })]);
				const runner = new Runner(builder, { positionIntegration });
				const at = runner.model.jointCoordCount - 4;
				runner.state.jointQd[runner.model.jointDofCount - 2] = 9;
				runner.step(0.01, 5);
				const angle = 5 * (positionIntegration === 'midpoint' ? 0.09 : 2 * Math.atan(0.045));
				const turned = [...runner.state.jointQ.subarray(at)];
				for (const [k, value] of [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)].entries()) {
					expect(turned[k]).toBeCloseTo(value, 12);
				}
			}
		});

		it('keeps the explicit torque where a joint has armature or damping, or carries more', () => {
			const stepped = (gyroscopicTerms: 'implicit' | 'explicit', joint: object, more: boolean): number[] => {
				const builder = makeBuilder(STILL);
				const child = builder.addLink({ mass: MASS, com: COM, inertia: ODD, lockInertia: true });
				const joints = [builder.addJointBall({ child, ...joint })];
				const next = { mass: 0.1, inertia: boxInertia(0.1, 0.1, 0.1, 0.1), lockInertia: true };
				if (more) joints.push(builder.addJointRevolute({ parent: child, child: builder.addLink(next), axis: 'x' }));
				builder.addArticulation(joints);
				const runner = new Runner(builder, { positionIntegration, gyroscopicTerms });
				runner.state.jointQd.set([3, 7, -4]);
				runner.step(0.005);
				return [...runner.state.jointQd];
			};
			for (const [joint, more] of [
				[{ armature: 0.01 }, false],
				[{ damping: 0.01 }, false],
				[{}, true],
			] as const) {
				expect(stepped('implicit', joint, more)).toEqual(stepped('explicit', joint, more));
			}
			expect(stepped('implicit', {}, false)).not.toEqual(stepped('explicit', {}, false));
		});

		it('moves sliders by the velocity of its rule', () => {
			const builder = makeBuilder([0, 0, -10]);
			const child = builder.addLink({ mass: 2, inertia: ODD, lockInertia: true });
			builder.addArticulation([builder.addJointPrismatic({ child, axis: 'z' })]);
			const runner = new Runner(builder, { positionIntegration });
			runner.state.jointQd[0] = 3;
			runner.step(0.1);
			expect(runner.state.jointQd[0]).toBeCloseTo(2, 13);
			expect(runner.state.jointQ[0]).toBeCloseTo(positionIntegration === 'midpoint' ? 0.25 : 0.2, 13);
		});
	});
}

describeEngines('a body that turns by half a radian in a step', () => {
	it.each([
		['free', ODD],
		['ball', ODD],
		['free', SKEW],
	] as const)('on a %s joint keeps energy and angular momentum too', (kind, inertia) => {
		const runner = single(kind, inertia, {});
		const own =
			kind === 'ball'
				? about(
						inertia,
						MASS,
						COM.map((x, k) => x - [-0.05, 0.02, 0.01][k]!),
					)
				: inertia;
		runner.step(0.06, 1);
		const before = invariants(runner, own);
		runner.step(0.06, 10);
		const after = invariants(runner, own);
		for (let k = 0; k < 2; k++) expect(after[k]! / before[k]!).toBeCloseTo(1, 10);
	});
});

describeEngines('a body that turns so far in a step that its equations begin with a zero', () => {
	it('keeps energy and angular momentum: they are solved from another row', () => {
		// I₀₀ − ½ dt w I₀₁ = 0 at the start
		const inertia = [1, 0.5, 0, 0.5, 1.25, 0, 0, 0, 1.5];
		const builder = makeBuilder(STILL);
		builder.addBody({ mass: 1, inertia, lockInertia: true });
		const runner = new Runner(builder);
		runner.state.jointQd.set([0.25, 0.125, 16], 3);
		runner.place();
		const before = invariants(runner, inertia);
		runner.step(0.25);
		const after = invariants(runner, inertia);
		for (let k = 0; k < 2; k++) expect(after[k]! / before[k]!).toBeCloseTo(1, 10);
	});
});

describeEngines('a force on a floating body among others', () => {
	it('acts at its centre of mass', () => {
		const builder = makeBuilder(STILL);
		for (let i = 0; i < 3; i++) {
			const child = builder.addLink({ mass: MASS, com: COM, inertia: ODD, lockInertia: true });
			builder.addArticulation([builder.addJointFree({ child, parentXform: { p: [i, 0, 0] } })]);
		}
		const runner = new Runner(builder);
		runner.control.jointF.set([1, 2, 3], 6);
		runner.step(0.01);
		for (let k = 0; k < 18; k++) {
			const expected = k >= 6 && k < 9 ? (0.01 * (k - 5)) / MASS : 0;
			expect(runner.state.bodyQd[k]).toBeCloseTo(expected, 9);
		}
	});

	it.each([
		[3, 0, 0],
		[0, 2, 0],
		[0, 0, 5],
		[1, 2, 3],
	])('acts along the axes of its joint where that is turned: %d %d %d', (x, y, z) => {
		const force = [x, y, z];
		const builder = makeBuilder(STILL);
		const child = builder.addLink({ mass: MASS, com: COM, inertia: ODD, lockInertia: true });
		builder.addArticulation([builder.addJointFree({ child, ...FRAMES })]);
		const runner = new Runner(builder);
		runner.control.jointF.set(force);
		runner.step(0.01);
		const c = cross(TILT, force).map((part) => 2 * part);
		const d = cross(TILT, c);
		for (let k = 0; k < 3; k++) {
			const along = force[k]! + TILT[3]! * c[k]! + d[k]!;
			expect(runner.state.bodyQd[k]).toBeCloseTo((0.01 * along) / MASS, 9);
			expect(runner.state.bodyQd[3 + k]).toBeCloseTo(0, 9);
		}
	});
});

function invert(m: readonly number[]): number[] {
	const rows = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)] as [number[], number[], number[]];
	const across = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
	const det = rows[0].reduce((sum, x, k) => sum + x * across[0]![k]!, 0);
	return [0, 1, 2].flatMap((i) => [0, 1, 2].map((k) => across[k]![i]! / det));
}

/** Sliders on sliders along x, so that the mass matrix does not change. */
function sliders(chains: number, length: number, options: (i: number) => object): ModelBuilder {
	const builder = makeBuilder(STILL);
	let i = 0;
	for (let chain = 0; chain < chains; chain++) {
		const joints: number[] = [];
		let parent = -1;
		for (let k = 0; k < length; k++) {
			const child = builder.addLink({ mass: 1 + 0.3 * i, inertia: ODD, lockInertia: true });
			joints.push(builder.addJointPrismatic({ parent, child, axis: 'x', ...options(i++) }));
			parent = child;
		}
		builder.addArticulation(joints);
	}
	return builder;
}

describeEngines('the work of a step', () => {
	it('of drives and applied forces is what the energy of sliders gains, however many they are', () => {
		const builder = sliders(5, 5, (i) => ({
			targetKe: i % 3 === 0 ? 0 : 30 + i,
			targetKd: i % 4 === 0 ? 0 : 2,
			effortLimit: i % 5 === 0 ? 1 : 1e6,
		}));
		const runner = new Runner(builder, { optimalityRelTol: 1e-14, costRelTol: 0 });
		const { model, control } = runner;
		for (let dof = 0; dof < model.jointDofCount; dof++) {
			control.jointTargetQ[dof] = Math.sin(dof);
			control.jointTargetQd[dof] = 0.2 * Math.cos(dof);
			control.jointF[dof] = dof % 2 === 0 ? 0 : Math.cos(3 * dof);
			control.jointAct[dof] = dof % 3 === 0 ? 0.3 : 0;
			runner.state.jointQd[dof] = Math.sin(2 * dof);
		}
		runner.place();
		for (let step = 0; step < 3; step++) {
			const energy = (v: Float64Array): number => {
				let sum = 0;
				for (let chain = 0; chain < 5; chain++) {
					let speed = 0;
					for (let k = 0; k < 5; k++) {
						speed += v[5 * chain + k]!;
						sum += 0.5 * (1 + 0.3 * (5 * chain + k)) * speed * speed;
					}
				}
				return sum;
			};
			const before = energy(runner.state.jointQd);
			const work = new Float64Array(1);
			runner.solver.step(runner.state, runner.next, control, undefined, 0.01, { work });
			[runner.state, runner.next] = [runner.next, runner.state];
			expect(work[0]! / (energy(runner.state.jointQd) - before)).toBeCloseTo(1, 9);
		}
	});
});

describeEngines('motion without mass', () => {
	it.each([
		['', 1],
		[', in a tree of little mass too', 1e-24],
	])('is what has less than 1e-14 of the most in its tree, wherever it stands%s', (_, scale) => {
		for (const light of [0, 1]) {
			const builder = makeBuilder(STILL);
			const joints: number[] = [];
			// the second slider carries no mass in the tree, though the first does
			const base = builder.addLink({ mass: 1e3 * scale, inertia: ODD, lockInertia: true });
			joints.push(builder.addJointPrismatic({ child: base, axis: 'x' }));
			for (let k = 0; k < 2; k++) {
				const mass = scale * (k === light ? 1e-12 : 1);
				const child = builder.addLink({ mass, inertia: ODD, lockInertia: true });
				joints.push(builder.addJointPrismatic({ parent: base, child, axis: 'x' }));
			}
			builder.addArticulation(joints);
			const runner = new Runner(builder);
			runner.control.jointF.set([0, 1e-3 * scale, 1e-3 * scale]);
			runner.step(0.01);
			expect(runner.state.jointQd[1 + light]).toBe(0);
			expect(runner.state.jointQd[2 - light]).toBeCloseTo(1e-5, 6);
		}
	});
});

describeEngines('energy that no force gave', () => {
	/** A turning arm of two links in the plane of x and z, on a slider whose motion is given and with a link of no mass. */
	const [M0, M1, I0, I1, LENGTH, L0, L1] = [1.5, 0.7, 0.02, 0.01, 0.5, 0.3, 0.2];
	const [DAMPING, ARMATURE, EFFORT, GRAVITY] = [0.4, 0.05, 30, 9];

	function arm(): Runner {
		const builder = makeBuilder([0, 0, -GRAVITY]);
		const lift = builder.addLink({ mass: 1, inertia: ODD, isKinematic: true, lockInertia: true });
		const inertiaOf = (i: number): number[] => [1, 0, 0, 0, i, 0, 0, 0, 1];
		const upper = builder.addLink({ mass: M0, com: [L0, 0, 0], inertia: inertiaOf(I0), lockInertia: true });
		const lower = builder.addLink({ mass: M1, com: [L1, 0, 0], inertia: inertiaOf(I1), lockInertia: true });
		const light = builder.addLink({ mass: 0, inertia: new Array<number>(9).fill(0), lockInertia: true });
		const hinge = { axis: 'y', damping: DAMPING, armature: ARMATURE, effortLimit: EFFORT } as const;
		const end = { parentXform: { p: [LENGTH, 0, 0] } };
		builder.addArticulation([
			builder.addJointPrismatic({ child: lift, axis: 'x' }),
			builder.addJointRevolute({ parent: lift, child: upper, ...hinge }),
			builder.addJointRevolute({ parent: upper, child: lower, ...hinge, ...end }),
			builder.addJointPrismatic({ parent: lower, child: light, axis: 'x' }),
		]);
		return new Runner(builder);
	}

	it('is what an arm has beyond twice its speed and what forces add, in the norm of its masses', () => {
		const runner = arm();
		let state = 7;
		const random = (): number => {
			state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
			return state / 2 ** 31 - 1;
		};
		const found = { gained: 0, pushed: 0, slow: 0, little: 0 };
		for (let i = 0; i < 400; i++) {
			const dt = 0.002 + 0.004 * Math.abs(random());
			const [q0, q1] = [3 * random(), 3 * random()];
			const size = [60, 400, 8000, 8000][i % 4]!;
			const [v0, v1] = [size * random(), size * random()];
			const force = i % 3 === 0 ? 100 : 1e5;
			const [f0, f1] = [force * random(), force * random()];
			const [a0, a1] = [60 * random(), 60 * random()];
			runner.state.jointQ.set([0.3, q0, q1, 0]);
			runner.state.jointQd.set([80, v0, v1, 90]);
			runner.control.jointF.set([70, f0, f1, 0]);
			runner.control.jointAct.set([0, a0, a1, 0]);
			runner.place();
			runner.step(dt);
			// the textbook's arm, with angles that turn from x towards -z
			const s = M1 * LENGTH * L1;
			const m00 = I0 + I1 + M0 * L0 * L0 + M1 * (LENGTH * LENGTH + L1 * L1) + 2 * s * Math.cos(q1);
			const m01 = I1 + M1 * L1 * L1 + s * Math.cos(q1);
			const m11 = I1 + M1 * L1 * L1;
			const a = [m00 + ARMATURE + dt * DAMPING, m01, m11 + ARMATURE + dt * DAMPING] as const;
			const solve = (x: number, y: number): readonly [number, number] => {
				const det = a[0] * a[2] - a[1] * a[1];
				return [(a[2] * x - a[1] * y) / det, (a[0] * y - a[1] * x) / det];
			};
			const norm = ([x, y]: readonly [number, number]): number =>
				Math.sqrt(a[0] * x * x + 2 * a[1] * x * y + a[2] * y * y);
			const clamp = (act: number): number => Math.min(EFFORT, Math.max(-EFFORT, act));
			const g1 = M1 * GRAVITY * L1 * Math.cos(q0 + q1);
			const g0 = (M0 * L0 + M1 * LENGTH) * GRAVITY * Math.cos(q0) + g1;
			const [p0, p1] = [f0 + clamp(a0) + g0, f1 + clamp(a1) + g1];
			const h = s * Math.sin(q1);
			const [c0, c1] = [-h * (2 * v0 * v1 + v1 * v1), h * v0 * v0];
			const [d0, d1] = solve(p0 - c0 - DAMPING * v0, p1 - c1 - DAMPING * v1);
			const after = [v0 + dt * d0, v1 + dt * d1] as const;
			const [k0, k1] = solve(p0, p1);
			const isFast = Math.max(...after.map(Math.abs)) > 50;
			const ratio = norm(after) / (2 * (norm([v0, v1]) + norm([dt * k0, dt * k1])));
			// no case that rounding could decide
			if (Math.abs(ratio - 1) < 1e-9) continue;
			const isGained = isFast && ratio > 1;
			expect(runner.solver.outcome.fault[0]).toBe(isGained ? WorldFault.GAINED_ENERGY : WorldFault.NONE);
			if (isGained) found.gained++;
			else if (!isFast) found.slow++;
			else if (norm(after) > 2 * norm([v0, v1])) found.pushed++;
			else found.little++;
			if (isGained) continue;
			expect(runner.next.jointQd[1]).toBe(v0);
			expect(runner.state.jointQd[1]! / after[0]).toBeCloseTo(1, 7);
			expect(runner.state.jointQd[2]! / after[1]).toBeCloseTo(1, 7);
			expect([runner.state.jointQd[0], runner.state.jointQd[3]]).toEqual([80, 0]);
		}
		for (const count of Object.values(found)) expect(count).toBeGreaterThan(10);
	});
});
