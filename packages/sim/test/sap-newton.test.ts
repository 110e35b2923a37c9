import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	contactWeight,
	effectiveGains,
	type LineSearchVariant,
	nearRigidBound,
	regulariseDrive,
	type SapNewtonOptions,
} from '../src/internal.ts';
import { regulariseContact } from '../src/sap/regularise.ts';
import { SapNewton, SapStop } from '../src/sap/sap-newton.ts';
import { SapProblem } from '../src/sap/sap-problem.ts';

const EXACT: Partial<SapNewtonOptions> = {
	optimalityAbsTol: 0,
	optimalityRelTol: 1e-14,
	costAbsTol: 0,
	costRelTol: 0,
	softNorm: 0,
};

/** A disc on three contacts (Drake's "pizza saver"): x, y, z and yaw. */
function pizzaSaver(options: {
	readonly v0: Float64Array;
	readonly torque: number;
	readonly force: number;
	readonly mu: number;
	readonly k: number;
	readonly tau: number;
	readonly beta: number;
	readonly z: number;
}): SapProblem {
	const [mass, radius, dt, g] = [3, 1.5, 0.01, 10];
	const inertia = mass * radius * radius;
	const problem = new SapProblem();
	problem.reset(4);
	problem.mass.layOut();
	for (let i = 0; i < 4; i++) problem.mass.values[i] = i < 3 ? mass : inertia;
	problem.vStar[0] = options.v0[0]! + (dt * options.force) / mass;
	problem.vStar[1] = options.v0[1]!;
	problem.vStar[2] = options.v0[2]! - dt * g;
	problem.vStar[3] = options.v0[3]! + (dt * options.torque) / inertia;
	for (let i = 0; i < 3; i++) {
		const angle = (2 * Math.PI * i) / 3;
		const c = problem.addContact(options.mu);
		problem.addContactColumn(0, 1, 0, 0);
		problem.addContactColumn(1, 0, 1, 0);
		problem.addContactColumn(2, 0, 0, 1);
		problem.addContactColumn(3, -radius * Math.sin(angle), radius * Math.cos(angle), 0);
		const { k, tau, beta, z } = options;
		regulariseContact(problem, c, contactWeight(problem, c), dt, { stiffness: k, tau, phi: z, beta, sigma: 1e-3 });
	}
	return problem;
}

/** Steps the disc to rest and gives the last problem with velocities and height. */
function settle(
	options: { torque: number; force?: number; mu: number; k: number; tau: number; beta: number },
	steps: number,
	lineSearchVariant: LineSearchVariant,
	newtonOptions: Partial<SapNewtonOptions> = {},
): { problem: SapProblem; v: Float64Array; z: number; newton: SapNewton; converged: boolean } {
	const newton = new SapNewton({ lineSearchVariant, ...newtonOptions });
	let v0 = new Float64Array(4);
	let z = 0;
	let problem = new SapProblem();
	let converged = true;
	const v = Float64Array.of(1, 2, 3, 4);
	for (let i = 0; i < steps; i++) {
		problem = pizzaSaver({ force: 0, ...options, v0, z });
		if (i > 0) v.set(v0);
		converged = newton.solve(problem, v) && converged;
		v0 = Float64Array.from(v);
		z += 0.01 * v[2]!;
	}
	return { problem, v, z, newton, converged };
}

const LINE_SEARCHES: readonly LineSearchVariant[] = ['exact_root', 'armijo_decay', 'monotone_decay'];

describe.each(LINE_SEARCHES)('the pizza saver with %s', (variant) => {
	it('comes to rest and shares its weight', () => {
		const { problem, v } = settle({ torque: 0, mu: 1, k: 1e4, tau: 0.01, beta: 1e-9 }, 30, variant);
		for (const value of v) expect(Math.abs(value)).toBeLessThan(1e-6);
		for (let c = 0; c < 3; c++) expect(problem.contactImpulse[3 * c + 2]).toBeCloseTo((0.01 * 3 * 10) / 3, 5);
	});

	it('sticks below the greatest torque of friction', () => {
		const { problem, v } = settle({ torque: 20, mu: 2 / 3, k: 1e4, tau: 0.02, beta: 1 }, 40, variant, {
			optimalityRelTol: 1e-12,
		});
		for (let i = 0; i < 3; i++) expect(Math.abs(v[i]!)).toBeLessThan(1e-10);
		const slip = 1.5 * Math.abs(v[3]!);
		expect(slip).toBeLessThanOrEqual(1e-3 * (2 / 3) * 0.01 * 10);
		for (let c = 0; c < 3; c++) {
			const friction = Math.hypot(problem.contactImpulse[3 * c]!, problem.contactImpulse[3 * c + 1]!);
			expect(friction / ((0.01 * 20) / (3 * 1.5))).toBeCloseTo(1, 6);
		}
	});

	it('slides above it, with friction at its bound', () => {
		const { problem, v } = settle({ torque: 40, mu: 2 / 3, k: 1e4, tau: 0.02, beta: 1 }, 40, variant);
		expect(v[3]).toBeGreaterThan(0.1);
		for (let c = 0; c < 3; c++) {
			const normal = problem.contactImpulse[3 * c + 2]!;
			const friction = Math.hypot(problem.contactImpulse[3 * c]!, problem.contactImpulse[3 * c + 1]!);
			expect(Math.abs(friction - (2 / 3) * normal)).toBeLessThan(1e-9 * normal);
		}
	});

	it('accelerates freely without friction', () => {
		const { v } = settle({ torque: 0, force: 1, mu: 0, k: 1e4, tau: 0.01, beta: 1 }, 30, variant);
		expect(v[0]! / ((30 * 0.01 * 1) / 3)).toBeCloseTo(1, 6);
	});

	it('converges for a stiffness of 1e20 thanks to the near-rigid bound', () => {
		const { v, converged } = settle({ torque: 0, mu: 1, k: 1e20, tau: 0.01, beta: 1 }, 30, variant);
		expect(converged).toBe(true);
		for (const value of v) expect(Math.abs(value)).toBeLessThan(1e-9);
	});
});

describe('Newton', () => {
	it('stops on cost when no residual is good enough', () => {
		const { newton, converged } = settle({ torque: 20, mu: 2 / 3, k: 1e4, tau: 0.02, beta: 1 }, 5, 'exact_root', {
			optimalityAbsTol: 0,
			optimalityRelTol: 0,
		});
		expect(converged).toBe(true);
		expect([SapStop.COST, SapStop.OPTIMAL]).toContain(newton.stop);
	});

	it('gives free velocities bit for bit when nothing constrains them', () => {
		const problem = new SapProblem();
		problem.reset(3);
		problem.mass.layOut();
		problem.mass.values.fill(2, 0, 3);
		problem.vStar.set([0.1, -0.7, 1e-9]);
		const v = Float64Array.of(5, 5, 5);
		const newton = new SapNewton();
		expect(newton.solve(problem, v)).toBe(true);
		expect([...v]).toEqual([0.1, -0.7, 1e-9]);
		expect(newton.iterations).toBe(0);
	});

	it('has nothing left of the solve before when nothing constrains the next one', () => {
		const options = { v0: Float64Array.of(1, 0, -1, 0), torque: 5, force: 1, mu: 1, k: 1e4, tau: 0, beta: 1, z: -1e-3 };
		const newton = new SapNewton({ maxIterations: 1 });
		newton.solve(pizzaSaver(options), Float64Array.of(9, 9, 9, 9));
		expect(newton.cost).toBeGreaterThan(0);
		expect(newton.iterations).toBe(1);
		const free = new SapProblem();
		free.reset(1);
		free.mass.layOut();
		free.mass.values[0] = 1;
		expect(newton.solve(free, new Float64Array(1))).toBe(true);
		const { cost, residual, relativeResidual, iterations, lineSearchEvaluations, stop } = newton;
		expect([cost, residual, relativeResidual, iterations, lineSearchEvaluations, stop]).toEqual([
			0,
			0,
			0,
			0,
			0,
			SapStop.OPTIMAL,
		]);
	});

	it('leaves an exact guess alone when it may not iterate', () => {
		const { problem, v } = settle({ torque: 40, mu: 2 / 3, k: 1e4, tau: 0.02, beta: 1 }, 10, 'exact_root', EXACT);
		const guess = Float64Array.from(v);
		const newton = new SapNewton({ maxIterations: 0 });
		expect(newton.solve(problem, guess)).toBe(true);
		expect([...guess]).toEqual([...v]);
		expect(newton.iterations).toBe(0);
	});

	it('says so when it may not iterate enough or the line search finds nothing', () => {
		const problem = pizzaSaver({
			v0: new Float64Array(4),
			torque: 40,
			force: 3,
			mu: 1,
			k: 1e6,
			tau: 0.01,
			beta: 1,
			z: -1e-3,
		});
		const short = new SapNewton({ maxIterations: 1 });
		expect(short.solve(problem, Float64Array.of(1, 2, 3, 4))).toBe(false);
		expect(short.stop).toBe(SapStop.ITERATIONS);
		const blind = new SapNewton({ lineSearchVariant: 'armijo_decay', lineSearchMaxIterations: 1, softNorm: 0 });
		expect(blind.solve(problem, Float64Array.of(-5, 2, 3, 40))).toBe(false);
		expect(blind.stop).toBe(SapStop.STALLED);
	});

	it('ends when the cost hardly changes, but not after the short step of a search that may find longer ones', () => {
		// one speed that a stop holds at 0, which the first step does not know, and one that is free
		const problem = new SapProblem();
		problem.reset(2);
		problem.mass.layOut();
		problem.mass.values.set([1, 1]);
		problem.vStar.set([-10, 5]);
		const row = problem.addRow(0, Number.POSITIVE_INFINITY);
		problem.rowR[row] = 1e-6;
		problem.rowVHat[row] = 0;
		problem.addRowColumn(0, 1);
		const solved = (lineSearchVariant: LineSearchVariant): { newton: SapNewton; v: Float64Array } => {
			const newton = new SapNewton({ lineSearchVariant, costAbsTol: 1e9 });
			const v = Float64Array.of(1, 0);
			newton.solve(problem, v);
			return { newton, v };
		};
		const shortened = solved('armijo_decay');
		expect(shortened.newton.stop).toBe(SapStop.OPTIMAL);
		expect(shortened.v[0]).toBeCloseTo(-1e-5, 9);
		expect(shortened.v[1]).toBeCloseTo(5, 9);
		const halved = solved('monotone_decay');
		expect([halved.newton.stop, halved.newton.iterations]).toEqual([SapStop.COST, 2]);
	});

	it('gives the cost of momentum and constraints, and the residual as momentum over the roots of masses', () => {
		const problem = new SapProblem();
		problem.reset(2);
		problem.mass.layOut();
		problem.mass.values.set([4, 9]);
		problem.vStar.set([1, -2]);
		const row = problem.addUnitRow(0);
		problem.rowLower[row] = Number.NEGATIVE_INFINITY;
		problem.rowUpper[row] = Number.POSITIVE_INFINITY;
		problem.rowR[row] = 0.5;
		problem.rowVHat[row] = 5;
		const newton = new SapNewton({ maxIterations: 0 });
		const v = Float64Array.of(3, -1);
		expect(newton.solve(problem, v)).toBe(false);
		expect([...v]).toEqual([3, -1]);
		// ½ 4 (3 - 1)² + ½ 9 (-1 + 2)² + ½ (5 - 3)² / 0.5
		expect(newton.cost).toBeCloseTo(8 + 4.5 + 4, 12);
		// slopes: 4 · 2 - 2 / 0.5 and 9 · 1, over 2 and 3
		expect(newton.residual).toBeCloseTo(Math.hypot(2, 3), 12);
		// momenta of 12 and -9, over 2 and 3, against an impulse of 4 over 2
		expect(newton.residualScale).toBeCloseTo(Math.hypot(6, 3), 12);
		expect(newton.relativeResidual).toBeCloseTo(Math.hypot(2, 3) / Math.hypot(6, 3), 12);
		// where the impulse is greater than the momentum, that is the scale
		problem.rowVHat[row] = 20;
		newton.solve(problem, v);
		expect(newton.residualScale).toBeCloseTo(17, 12);
	});

	it('contains numbers that are not finite', () => {
		const problem = pizzaSaver({
			v0: Float64Array.of(Number.NaN, 0, 0, 0),
			torque: 0,
			force: 0,
			mu: 1,
			k: 1e4,
			tau: 0,
			beta: 1,
			z: -1,
		});
		const newton = new SapNewton();
		expect(newton.solve(problem, new Float64Array(4))).toBe(false);
		expect(newton.stop).toBe(SapStop.BROKEN);
	});

	it('finds one result from any guess, in 64 bits and with a factor of 32', () => {
		const problem = pizzaSaver({
			v0: Float64Array.of(0.3, 0, -0.5, 1),
			torque: 35,
			force: 1,
			mu: 0.7,
			k: 1e5,
			tau: 0.01,
			beta: 1,
			z: -1e-4,
		});
		const reference = Float64Array.of(0, 0, 0, 0);
		new SapNewton(EXACT).solve(problem, reference);
		fc.assert(
			fc.property(
				fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 4, maxLength: 4 }),
				fc.boolean(),
				(guess, singleFactor) => {
					const v = Float64Array.from(guess);
					const newton = new SapNewton({ singleFactor, softNorm: 0 });
					expect(newton.solve(problem, v)).toBe(true);
					v.forEach((value, i) => {
						expect(Math.abs(value - reference[i]!)).toBeLessThan(1e-6);
					});
				},
			),
			{ seed: 1, numRuns: 60 },
		);
	});
});

describe('a contact', () => {
	/** One contact on three velocities with unit mass. */
	function single(mu: number, rt: number, rn: number, vHat: readonly number[]): SapProblem {
		const problem = new SapProblem();
		problem.reset(3);
		problem.mass.layOut();
		problem.mass.values.fill(1, 0, 3);
		const c = problem.addContact(mu);
		problem.addContactColumn(0, 1, 0, 0);
		problem.addContactColumn(1, 0, 1, 0);
		problem.addContactColumn(2, 0, 0, 1);
		problem.contactRt[c] = rt;
		problem.contactRn[c] = rn;
		problem.contactVHat.set(vHat);
		return problem;
	}

	/** Cost without momentum, impulse and Hessian at a velocity. */
	function at(problem: SapProblem, v: readonly number[]): { cost: number; impulse: number[]; hessian: number[] } {
		problem.vStar.set(v);
		const newton = new SapNewton({ maxIterations: 0, softNorm: 0 });
		newton.solve(problem, Float64Array.from(v));
		return {
			cost: newton.cost,
			impulse: [...problem.contactImpulse.subarray(0, 3)],
			hessian: [...problem.contactHessian.subarray(0, 6)],
		};
	}

	const numbers = fc.tuple(
		fc.double({ min: 0.1, max: 2, noNaN: true }),
		fc.double({ min: 1e-3, max: 1, noNaN: true }),
		fc.double({ min: 1e-3, max: 1, noNaN: true }),
		fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 }),
	);

	it('has the impulse of the cone that is nearest in the norm of R', () => {
		fc.assert(
			fc.property(numbers, ([mu, rt, rn, v]) => {
				const { impulse } = at(single(mu, rt, rn, [0, 0, 0]), v);
				const y = [-v[0]! / rt, -v[1]! / rt, -v[2]! / rn];
				const distance = (g: readonly number[]): number =>
					rt * (g[0]! - y[0]!) ** 2 + rt * (g[1]! - y[1]!) ** 2 + rn * (g[2]! - y[2]!) ** 2;
				expect(Math.hypot(impulse[0]!, impulse[1]!)).toBeLessThanOrEqual(mu * impulse[2]! * (1 + 1e-12) + 1e-100);
				const best = distance(impulse);
				// every other impulse of the cone is farther
				for (let i = 0; i < 40; i++) {
					const normal = (i % 8) * 0.3 * (Math.abs(y[2]!) + 0.1);
					const angle = i * 0.7;
					const radius = mu * normal * ((i % 5) / 4);
					const other = [radius * Math.cos(angle), radius * Math.sin(angle), normal];
					expect(distance(other)).toBeGreaterThanOrEqual(best * (1 - 1e-9));
				}
			}),
			{ seed: 2, numRuns: 200 },
		);
	});

	it('has the impulse as the slope and the Hessian as the curvature of its cost', () => {
		fc.assert(
			fc.property(numbers, ([mu, rt, rn, v]) => {
				const problem = single(mu, rt, rn, [0, 0, 0.3]);
				const here = at(problem, v);
				const step = 1e-6;
				const h = here.hessian;
				const rows = [
					[h[0]!, h[1]!, h[3]!],
					[h[1]!, h[2]!, h[4]!],
					[h[3]!, h[4]!, h[5]!],
				];
				for (let i = 0; i < 3; i++) {
					const moved = (s: number): number[] => v.map((x, k) => x + (k === i ? s : 0));
					const plus = at(problem, moved(step));
					const minus = at(problem, moved(-step));
					const scale = 1 / Math.min(rt, rn);
					// a mode that changes within the step has no derivative there
					expect(Math.abs(-(plus.cost - minus.cost) / (2 * step) - here.impulse[i]!)).toBeLessThan(1e-4 * scale);
					for (let k = 0; k < 3; k++) {
						const slope = -(plus.impulse[k]! - minus.impulse[k]!) / (2 * step);
						const isSmooth = Math.abs(slope - rows[k]![i]!) < 1e-3 * scale;
						const isBetween = Math.abs(-(plus.impulse[k]! - 2 * here.impulse[k]! + minus.impulse[k]!) / step) > 1e-6;
						expect(isSmooth || isBetween).toBe(true);
					}
				}
			}),
			{ seed: 3, numRuns: 100 },
		);
	});
});

describe('a drive', () => {
	it('keeps the ratio of its gains at the near-rigid bound', () => {
		for (const [kp, kd] of [
			[1e9, 1e3],
			[1e3, 1e9],
			[1e9, 0],
			[0, 1e9],
		] as const) {
			const gains = { kp: 0, kd: 0 };
			const dt = 0.005;
			effectiveGains(gains, kp, kd, 2, dt);
			expect(1 / (dt * (dt * gains.kp + gains.kd)) / nearRigidBound(0.1, 2)).toBeCloseTo(1, 12);
			expect(gains.kp * kd).toBeCloseTo(gains.kd * kp, 0);
		}
		const soft = { kp: 0, kd: 0 };
		effectiveGains(soft, 10, 1, 2, 0.005);
		expect(soft).toEqual({ kp: 10, kd: 1 });
	});

	it('clamps inside of the solve', () => {
		const problem = new SapProblem();
		problem.reset(1);
		problem.mass.layOut();
		problem.mass.values[0] = 2;
		const row = problem.addRow(-0.01 * 5, 0.01 * 5);
		problem.addRowColumn(0, 1);
		regulariseDrive(problem, row, 0.01, { kp: 1e4, kd: 0 }, 1, 0, 0);
		const v = new Float64Array(1);
		new SapNewton(EXACT).solve(problem, v);
		expect(problem.rowImpulse[row]).toBe(0.05);
		expect(v[0]).toBeCloseTo(0.025, 14);
	});
});
