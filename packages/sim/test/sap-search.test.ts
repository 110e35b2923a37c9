import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContactMode, EnvelopeMatrix, type LineSearchOptions, type LineSearchVariant } from '../src/internal.ts';
import {
	addImpulses,
	evaluateContacts,
	evaluateRows,
	foreseeFriction,
	forgetFriction,
} from '../src/sap/contact-cone.ts';
import { CostAlongLine } from '../src/sap/cost-along-line.ts';
import { fillHessian } from '../src/sap/hessian.ts';
import { searchLine } from '../src/sap/line-search.ts';
import { SAP_NEWTON_DEFAULTS, SapNewton, type SapNewtonOptions, SapStop } from '../src/sap/sap-newton.ts';
import { SapProblem, SLIP, SLIP_FRICTION } from '../src/sap/sap-problem.ts';
import { TreeOrder } from '../src/sap/tree-order.ts';

const INFINITE = Number.POSITIVE_INFINITY;

/** Numbers between -1 and 1 from a seed. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

/** Contacts of every kind on three trees of three velocities, and rows with every kind of bounds. */
function randomProblem(seed: number, soft: number): SapProblem {
	const random = randomOf(seed);
	const problem = new SapProblem();
	const n = 9;
	problem.reset(n);
	for (let i = 0; i < n; i++) problem.mass.widen(i, i - (i % 3));
	problem.mass.layOut();
	for (let i = 0; i < n; i++) {
		for (let j = i - (i % 3); j <= i; j++) problem.mass.values[problem.mass.base[i]! + j] = i === j ? 3 + i : random();
		problem.vStar[i] = random();
	}
	problem.softSquare = soft;
	for (let c = 0; c < 6; c++) {
		const contact = problem.addContact(c % 3 === 2 ? 0 : 0.3 + 0.2 * c);
		problem.contactRt[contact] = 0.05 + 0.1 * c;
		problem.contactRn[contact] = 0.3 - 0.04 * c;
		// friction that goes with the normal impulse, a bound, and a bound of nothing
		if (c > 2) problem.contactBound[contact] = c === 4 ? 0 : 0.4;
		for (let k = 0; k < 3; k++) problem.contactVHat[3 * c + k] = random();
		for (let dof = c % 3; dof < n; dof += 1 + (c % 4)) problem.addContactColumn(dof, random(), random(), random());
	}
	const bounds = [
		[-INFINITE, INFINITE],
		[0, INFINITE],
		[-0.5, 0.2],
		[-INFINITE, 0.1],
		[0.3, 0.4],
	] as const;
	for (const [i, [lower, upper]] of bounds.entries()) {
		const row = problem.addRow(lower, upper);
		problem.rowR[row] = 0.2 + 0.1 * i;
		problem.rowVHat[row] = random();
		for (let dof = i; dof < n; dof += 2 + i) problem.addRowColumn(dof, random());
	}
	return problem;
}

const N = 9;
const CONTACTS = 6;

function dense(matrix: EnvelopeMatrix): number[][] {
	return Array.from({ length: N }, (_, i) => Array.from({ length: N }, (_, j) => matrix.get(i, j)));
}

/** Cost of constraints and `-Jᵀ γ`, its slope, at velocities. */
function constraintCost(problem: SapProblem, v: Float64Array): { cost: number; slope: Float64Array } {
	problem.computeVelocities(v);
	evaluateContacts(problem);
	evaluateRows(problem);
	const slope = new Float64Array(N);
	addImpulses(problem, slope);
	return { cost: problem.contactCost + problem.rowCost, slope: slope.map((value) => -value) };
}

describe('the cost of constraints', () => {
	const modes = new Set<number>();
	for (const soft of [0, 0.01]) {
		it(`has Jᵀ γ as its slope${soft > 0 ? ' where γ is no cone, for a soft norm' : ''}, and A + Σ Jᵀ G J as the slope of that`, () => {
			for (let seed = 1; seed <= 60; seed++) {
				const problem = randomProblem(seed, soft);
				const random = randomOf(seed + 1000);
				const size = seed % 3 === 0 ? 0.2 : 2;
				const v = Float64Array.from({ length: N }, () => size * random());
				const here = constraintCost(problem, v);
				const state = [...problem.contactMode.subarray(0, CONTACTS), ...problem.rowIsInside.subarray(0, 5)].join();
				for (const mode of problem.contactMode.subarray(0, CONTACTS)) modes.add(mode);
				const hessian = new EnvelopeMatrix();
				fillHessian(problem, hessian, 0);
				const found = dense(hessian);
				const mass = dense(problem.mass);
				for (let i = 0; i < N; i++) {
					const step = 1e-6;
					const moved = (by: number): ReturnType<typeof constraintCost> & { state: string } => {
						const result = constraintCost(
							problem,
							v.map((value, k) => value + (k === i ? by : 0)),
						);
						const now = [...problem.contactMode.subarray(0, CONTACTS), ...problem.rowIsInside.subarray(0, 5)].join();
						return { ...result, state: now };
					};
					const [plus, minus] = [moved(step), moved(-step)];
					// costs have no second derivative where a mode changes
					if (plus.state !== state || minus.state !== state) continue;
					const slope = (plus.cost - minus.cost) / (2 * step);
					if (soft === 0) expect(Math.abs(slope - here.slope[i]!)).toBeLessThan(1e-6);
					for (let j = 0; j < N; j++) {
						const curvature = (plus.slope[j]! - minus.slope[j]!) / (2 * step);
						const isSoft = soft > 0 && problem.contactMode.subarray(0, 3).includes(ContactMode.SLIDE);
						if (!isSoft) expect(Math.abs(curvature + mass[i]![j]! - found[i]![j]!)).toBeLessThan(1e-6);
					}
				}
			}
		});
	}

	it('was looked at in every mode', () => {
		expect([...modes].sort()).toEqual(Object.values(ContactMode).sort());
	});

	it('is the same along a line, with its slopes', () => {
		for (let seed = 1; seed <= 120; seed++) {
			const problem = randomProblem(seed, seed % 2 === 0 ? 0 : 0.01);
			const random = randomOf(seed + 2000);
			const v = Float64Array.from({ length: N }, () => 2 * random());
			const d = Float64Array.from({ length: N }, random);
			problem.computeVelocities(v);
			problem.computeChanges(d);
			const line = new CostAlongLine();
			line.start(problem);
			[line.m0, line.m1, line.m2] = [random(), random(), random()];
			for (const alpha of [0, 0.3, 1, 1.5]) {
				problem.computeVelocities(v);
				line.alpha = alpha;
				line.evaluate();
				const { cost, slope } = constraintCost(
					problem,
					v.map((value, i) => value + alpha * d[i]!),
				);
				const hessian = new EnvelopeMatrix();
				fillHessian(problem, hessian, 0);
				const product = new Float64Array(N);
				hessian.multiply(d, product);
				const momentum = new Float64Array(N);
				problem.mass.multiply(d, momentum);
				const dot = (x: Float64Array): number => x.reduce((sum, value, i) => sum + value * d[i]!, 0);
				expect(line.cost - (line.m0 + alpha * line.m1 + 0.5 * alpha * alpha * line.m2)).toBeCloseTo(cost, 10);
				expect(line.slope - (line.m1 + alpha * line.m2)).toBeCloseTo(dot(slope), 10);
				expect(line.curvature - line.m2).toBeCloseTo(dot(product) - dot(momentum), 9);
			}
			expect(line.evaluations).toBe(4);
		}
	});
});

describe('friction that is foreseen', () => {
	/** A contact with μ = 0.5, Rt = 0.1 and Rn = 0.2 that slides along (0.6, 0.8): y = (3, 4, 1). */
	function sliding(bound: number): SapProblem {
		const problem = new SapProblem();
		problem.reset(3);
		problem.mass.layOut();
		const contact = problem.addContact(0.5);
		problem.contactBound[contact] = bound;
		problem.contactRt[contact] = 0.1;
		problem.contactRn[contact] = 0.2;
		for (let k = 0; k < 3; k++) problem.addContactColumn(k, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0);
		problem.computeVelocities(Float64Array.of(-0.3, -0.4, -0.2));
		evaluateContacts(problem);
		return problem;
	}

	/** `G` of the tangents for slip along t and friction along w: `across (I − ½ (w tᵀ + t wᵀ)) + along t tᵀ`. */
	function tangents(across: number, along: number, t: readonly number[], w: readonly number[]): number[] {
		const entry = (i: number, j: number): number =>
			across * ((i === j ? 1 : 0) - 0.5 * (w[i]! * t[j]! + t[i]! * w[j]!)) + along * t[i]! * t[j]!;
		return [entry(0, 0), entry(0, 1), entry(1, 1)];
	}

	// a cone: γn = (1 + 0.25 · 5) / 1.125 = 2, and 0.5 · 2 / (5 · 0.1) across, 0.5 · 0.25 / 1.125 / 0.1 along; a disc of radius 2
	it.each([
		['of a cone', -1, 2, 0.125 / 1.125 / 0.1],
		['of a disc', 2, 4, 0],
	])('%s turns by the whole step, as an unknown of its own', (_, bound, across, along) => {
		const problem = sliding(bound);
		expectNumbers(problem.contactHessian.subarray(0, 3), tangents(across, along, [0.6, 0.8], [0.6, 0.8]));
		// w = t − d / (5 · 0.1) + t (t · d) / (5 · 0.1)
		problem.computeChanges(Float64Array.of(0.05, 0, 7));
		foreseeFriction(problem);
		const w = [0.6 - 2 * (0.05 - 0.6 * 0.03), 0.8 + 2 * 0.8 * 0.03];
		const unit = w.map((value) => value / Math.hypot(...w));
		evaluateContacts(problem);
		expectNumbers(problem.contactHessian.subarray(0, 3), tangents(across, along, [0.6, 0.8], unit));
		// the next step turns it from there, and inside of the disc it keeps its length
		problem.computeChanges(Float64Array.of(-0.06, -0.08, 0));
		foreseeFriction(problem);
		const next = unit.map((value, i) => [0.6, 0.8][i]! + 2 * ([0.06, 0.08][i]! - value * 0.1));
		evaluateContacts(problem);
		const length = Math.hypot(...next);
		expectNumbers(
			problem.contactHessian.subarray(0, 3),
			tangents(
				across,
				along,
				[0.6, 0.8],
				next.map((value) => value / Math.max(1, length)),
			),
		);
		// once it was used it is forgotten
		evaluateContacts(problem);
		expectNumbers(problem.contactHessian.subarray(0, 3), tangents(across, along, [0.6, 0.8], [0.6, 0.8]));
		foreseeFriction(problem);
		forgetFriction(problem);
		evaluateContacts(problem);
		expectNumbers(problem.contactHessian.subarray(0, 3), tangents(across, along, [0.6, 0.8], [0.6, 0.8]));
	});

	it('never has more than its length, and leaves Hessians positive', () => {
		for (let seed = 1; seed <= 200; seed++) {
			const problem = randomProblem(seed, seed % 2 === 0 ? 0 : 0.01);
			const random = randomOf(seed + 4000);
			for (let round = 0; round < 5; round++) {
				problem.computeVelocities(Float64Array.from({ length: N }, () => 3 * random()));
				evaluateContacts(problem);
				for (let c = 0; c < CONTACTS; c++) {
					const [h00, h01, h11] = problem.contactHessian.subarray(6 * c, 6 * c + 3);
					expect(h00! + h11!).toBeGreaterThanOrEqual(0);
					expect(h00! * h11! - h01! * h01!).toBeGreaterThanOrEqual(-1e-12 * (h00! + h11!) ** 2);
				}
				problem.computeChanges(Float64Array.from({ length: N }, () => 3 * random()));
				foreseeFriction(problem);
				for (let c = 0; c < CONTACTS; c++) {
					if (problem.contactMode[c] !== ContactMode.SLIDE) continue;
					const at = SLIP * c + SLIP_FRICTION;
					expect(Math.hypot(problem.contactSlip[at]!, problem.contactSlip[at + 1]!)).toBeLessThanOrEqual(1 + 1e-15);
				}
			}
		}
	});

	it('is no part of the next solve', () => {
		const problem = randomProblem(3, 0);
		const newton = new SapNewton();
		const solve = (): Float64Array => {
			const v = new Float64Array(N);
			newton.solve(problem, v);
			return v;
		};
		const first = solve();
		problem.computeChanges(Float64Array.from({ length: N }, (_, i) => i - 4));
		foreseeFriction(problem);
		expect(solve()).toEqual(first);
	});
});

function expectNumbers(found: Float64Array, expected: readonly number[]): void {
	for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 12);
}

describe('the Hessian', () => {
	it('is no wider than what constraints in effect need, and shifted on its diagonal', () => {
		const problem = new SapProblem();
		problem.reset(4);
		problem.mass.layOut();
		problem.mass.values.fill(2, 0, 4);
		for (const [from, to, target] of [
			[0, 1, 1],
			[2, 3, -1],
		] as const) {
			const contact = problem.addContact(0.5);
			problem.addContactColumn(from, 0, 0, 1);
			problem.addContactColumn(to, 0, 0, -1);
			problem.contactRt[contact] = 1;
			problem.contactRn[contact] = 0.25;
			problem.contactVHat[3 * contact + 2] = target;
		}
		// rows in effect before and after one that is at its bound
		for (const [from, to, upper] of [
			[2, 3, 0],
			[0, 1, INFINITE],
		] as const) {
			const row = problem.addRow(0, upper);
			problem.addRowColumn(from, 1);
			problem.addRowColumn(to, 2);
			problem.rowR[row] = 0.5;
			problem.rowVHat[row] = 1;
		}
		constraintCost4(problem, new Float64Array(4));
		const hessian = new EnvelopeMatrix();
		fillHessian(problem, hessian, 0.5);
		expect([...hessian.first.subarray(0, 4)]).toEqual([0, 0, 2, 3]);
		const rows = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => hessian.get(i, j)));
		expect(rows).toEqual([
			[8.5, 0, 0, 0],
			[0, 14.5, 0, 0],
			[0, 0, 2.5, 0],
			[0, 0, 0, 2.5],
		]);
		// used again for another problem it holds nothing of this one
		problem.rowUpper[0] = INFINITE;
		problem.rowUpper[1] = 0;
		constraintCost4(problem, new Float64Array(4));
		fillHessian(problem, hessian, 0);
		expect([...hessian.first.subarray(0, 4)]).toEqual([0, 0, 2, 2]);
		expect([hessian.get(1, 0), hessian.get(3, 2), hessian.get(3, 3), hessian.get(2, 1)]).toEqual([-4, 4, 10, 0]);
	});
});

function constraintCost4(problem: SapProblem, v: Float64Array): void {
	problem.computeVelocities(v);
	evaluateContacts(problem);
	evaluateRows(problem);
}

/** A line with a cost of its own. */
class TestLine extends CostAlongLine {
	readonly tried: number[] = [];
	readonly #value: (alpha: number) => readonly [cost: number, slope: number, curvature: number];

	constructor(value: (alpha: number) => readonly [cost: number, slope: number, curvature: number]) {
		super();
		this.#value = value;
		[this.cost0, this.slope0] = value(0);
	}

	override evaluate(): void {
		this.evaluations++;
		this.tried.push(this.alpha);
		[this.cost, this.slope, this.curvature] = this.#value(this.alpha);
	}
}

function search(
	line: TestLine,
	lineSearchVariant: LineSearchVariant,
	options: Partial<LineSearchOptions> = {},
): TestLine {
	searchLine(line, { ...SAP_NEWTON_DEFAULTS, lineSearchVariant, ...options });
	return line;
}

/** A parabola with its minimum at a length. */
const parabola = (at: number, scale = 1, least = 0): TestLine =>
	new TestLine((alpha) => [least + 0.5 * scale * (alpha - at) ** 2, scale * (alpha - at), scale]);

/** `cosh`-like: steep far from its minimum, so that Newton's steps from the ends are far too short. */
const steep = (at: number, k: number): TestLine =>
	new TestLine((alpha) => {
		const x = k * (alpha - at);
		return [Math.cosh(x), k * Math.sinh(x), k * k * Math.cosh(x)];
	});

/** Flat outside, so that Newton's steps overshoot: the slope is a hyperbolic tangent. */
const flat = (at: number, k: number): TestLine =>
	new TestLine((alpha) => {
		const x = k * (alpha - at);
		return [Math.log(Math.cosh(x)) / k, Math.tanh(x), k / Math.cosh(x) ** 2];
	});

describe('the exact line search', () => {
	it('takes the full step at once where the cost is a parabola', () => {
		const line = search(parabola(1), 'exact_root');
		expect([line.alpha, line.evaluations]).toEqual([1, 1]);
	});

	it('finds where the slope vanishes, up to a length of 1.5', () => {
		for (const at of [0.01, 0.2, 0.5, 0.9, 1.1, 1.3, 1.49]) {
			for (const make of [
				(): TestLine => parabola(at, 7),
				(): TestLine => steep(at, 1),
				(): TestLine => steep(at, 6),
				(): TestLine => flat(at, 1),
				(): TestLine => flat(at, 15),
			]) {
				const line = search(make(), 'exact_root');
				expect(Math.abs(line.alpha - at)).toBeLessThan(1e-6);
				expect(line.evaluations).toBeLessThan(45);
				expect(line.tried.every((alpha) => alpha > 0 && alpha <= 1.5)).toBe(true);
			}
		}
	});

	it('needs no step more than a secant and Newton where the cost is a parabola', () => {
		expect(search(parabola(0.3), 'exact_root').tried.length).toBe(2);
		expect(search(parabola(1.25), 'exact_root').tried).toEqual([1, 1.5, 1.25]);
	});

	it('goes no farther than 1.5', () => {
		expect(search(parabola(1.5), 'exact_root').alpha).toBe(1.5);
		expect(search(parabola(4), 'exact_root').alpha).toBe(1.5);
	});

	it('takes the full step when the slope is below what the cost can tell', () => {
		const line = search(parabola(0.5, 1e-12, 1e5), 'exact_root');
		expect([line.alpha, line.evaluations]).toEqual([1, 1]);
		expect(search(parabola(0.5, 1e-12, 1e5), 'exact_root', { costRelTol: 0 }).alpha).toBeCloseTo(0.5, 6);
		expect(search(parabola(0.5, 1e-12), 'exact_root', { costRelTol: 0, costAbsTol: 1e-6 }).evaluations).toBe(1);
	});

	it('ends where it is when it may look no more', () => {
		const line = search(steep(0.2, 20), 'exact_root', { lineSearchMaxIterations: 3 });
		expect(line.evaluations).toBe(4);
		expect(line.alpha).toBeGreaterThan(0.2);
		expect(line.alpha).toBeLessThan(1);
	});
});

describe('the search by Armijo', () => {
	const rho = 0.8;
	const lengths = (count: number): number[] => {
		const out = [1 / rho];
		for (let i = 1; i < count; i++) out.push(out[i - 1]! * rho);
		return out;
	};

	it('takes the longest step of all when the cost falls there still', () => {
		const line = search(parabola(3), 'armijo_decay');
		expect(line.tried).toEqual([1 / rho]);
		expect(line.alpha).toBe(1 / rho);
	});

	it('takes the length with the least cost of 1/ρ, 1, ρ, ρ², …', () => {
		for (const at of [1.05, 0.88, 0.7, 0.41, 0.1, 0.013]) {
			const line = search(parabola(at), 'armijo_decay');
			const best = lengths(60).reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
			expect(line.alpha).toBe(best);
			// one beyond the best tells that it is
			expect(line.tried).toEqual(lengths(lengths(60).indexOf(best) + 2));
		}
	});

	it('takes the shorter of two steps when only that one falls enough', () => {
		// beyond 0.9 the cost falls less than Armijo's share of the slope, though it falls
		const value = (alpha: number): readonly [number, number, number] => [
			alpha > 0.9 ? -0.2 : -0.15 * alpha,
			alpha > 0.9 ? 1 : -1,
			1,
		];
		const line = new TestLine(value);
		line.slope0 = -1;
		search(line, 'armijo_decay', { armijoC: 0.1, lineSearchRelativeSlop: 0 });
		expect(line.alpha).toBe(1);
		const strict = new TestLine(value);
		strict.slope0 = -1;
		search(strict, 'armijo_decay', { armijoC: 0.14, lineSearchRelativeSlop: 0 });
		expect(strict.alpha).toBe(1);
		const strictest = new TestLine((alpha) => [alpha > 0.9 ? -0.13 : -0.15 * alpha, 1, 1]);
		strictest.slope0 = -1;
		search(strictest, 'armijo_decay', { armijoC: 0.14, lineSearchRelativeSlop: 0 });
		// -0.15 · 0.8 = -0.12 is more than -0.13 but enough; the longer one was not
		expect(strictest.alpha).toBe((1 / rho) * rho * rho);
	});

	it('goes on where the cost rises but has not fallen enough yet', () => {
		const costs = [-0.06, -0.05, -0.2, -0.1];
		const line = new TestLine((alpha) => [costs[lengths(4).indexOf(alpha)] ?? 0, 1, 1]);
		line.slope0 = -1;
		search(line, 'armijo_decay', { armijoC: 0.1, lineSearchRelativeSlop: 0 });
		expect(line.tried).toEqual(lengths(4));
		expect(line.alpha).toBe(lengths(4)[2]);
	});

	it('finds none when no length falls enough, and takes the last one when it does', () => {
		expect(search(parabola(0.3), 'armijo_decay', { lineSearchMaxIterations: 3 }).tried).toEqual(lengths(3));
		expect(search(parabola(0.3), 'armijo_decay', { lineSearchMaxIterations: 3 }).alpha).toBe(0);
		expect(search(parabola(0.5), 'armijo_decay', { lineSearchMaxIterations: 3 }).alpha).toBe(lengths(3)[2]);
		// as high as it was at the start
		expect(search(parabola(lengths(3)[2]! / 2), 'armijo_decay', { lineSearchMaxIterations: 3 }).alpha).toBe(0);
	});

	it('takes costs that no longer differ by more than rounding as equal', () => {
		// a tenth of the slop, relative to the mean of both costs but not less than to 1
		const slope = 1e-10;
		const line = (least: number): TestLine => new TestLine((alpha) => [least + slope * alpha, slope, 0]);
		for (const [least, slop, isFlat] of [
			[0, 1.2e-9, true],
			[0, 0.8e-9, false],
			[100, 1.2e-11, true],
			[100, 0.8e-11, false],
			[-100, 1.2e-11, true],
			[1, 1.2e-9, true],
		] as const) {
			const { tried } = search(line(least), 'armijo_decay', {
				lineSearchRelativeSlop: slop,
				lineSearchMaxIterations: 4,
			});
			expect(tried.length === 1).toBe(isFlat);
		}
		// the difference of costs tells too, where slopes do not
		const still = new TestLine((alpha) => [alpha > 1.1 ? 5 : 4, 1, 1]);
		expect(search(still, 'armijo_decay').tried.length).toBe(3);
		expect(still.alpha).toBe(lengths(3)[2]);
	});
});

describe('the monotone search', () => {
	it('halves until the cost does not rise', () => {
		const line = search(parabola(0.2), 'monotone_decay');
		expect(line.tried).toEqual([1, 0.5, 0.25]);
		expect(line.alpha).toBe(0.25);
		expect(search(parabola(0.5), 'monotone_decay').alpha).toBe(1);
	});

	it('lets a cost rise by its rounding: 1e-14, and 1e-12 of it', () => {
		const rising = (least: number, by: number): TestLine =>
			new TestLine((alpha) => [alpha === 0 ? least : least + by, -1, 1]);
		expect(search(rising(0, 0.9e-14), 'monotone_decay').alpha).toBe(1);
		expect(search(rising(0, 1.5e-14), 'monotone_decay').alpha).toBe(0);
		for (const least of [1000, -1000]) {
			expect(search(rising(least, 0.9e-9), 'monotone_decay').alpha).toBe(1);
			expect(search(rising(least, 1.5e-9), 'monotone_decay').alpha).toBe(0);
		}
	});

	it('gives up below 1e-8', () => {
		const line = search(new TestLine((alpha) => [alpha, 1, 1]), 'monotone_decay');
		expect(line.alpha).toBe(0);
		expect(line.tried.at(-1)).toBe(2 ** -26);
	});
});

describe('a solve', () => {
	const solve = (options: Partial<SapNewtonOptions>): SapNewton => {
		const newton = new SapNewton({
			optimalityAbsTol: 0,
			optimalityRelTol: 0,
			costAbsTol: 0,
			costRelTol: 0,
			...options,
		});
		newton.solve(randomProblem(3, 1e-14), new Float64Array(9).fill(4));
		return newton;
	};
	const costs = Array.from({ length: 4 }, (_, maxIterations) => solve({ maxIterations }).cost);

	it('ends when the cost changes by less than the tolerance, absolute and of the mean of both costs', () => {
		for (let k = 1; k < costs.length; k++) {
			const [before, after] = [costs[k - 1]!, costs[k]!];
			const change = before - after;
			expect(change).toBeGreaterThan(0);
			for (const [costAbsTol, costRelTol] of [
				[change, 0],
				[0, change / (0.5 * (before + after))],
				[0.5 * change, (0.5 * change) / (0.5 * (before + after))],
			] as const) {
				const above = solve({ costAbsTol: 1.001 * costAbsTol, costRelTol: 1.001 * costRelTol });
				expect([above.stop, above.iterations]).toEqual([SapStop.COST, k]);
				const below = solve({ costAbsTol: 0.999 * costAbsTol, costRelTol: 0.999 * costRelTol });
				expect(below.iterations).toBeGreaterThan(k);
			}
		}
	});

	/** Stops one behind the other: a step comes to the next one, which then holds back all that are still on their way. */
	function behindEachOther(count: number): SapProblem {
		const problem = new SapProblem();
		problem.reset(count);
		problem.mass.layOut();
		problem.mass.values.fill(1, 0, count);
		problem.vStar.fill(-50, 0, count);
		for (let i = 0; i < count; i++) {
			const row = problem.addRow(0, INFINITE);
			problem.addRowColumn(i, 1);
			problem.rowR[row] = 1e-6;
			problem.rowVHat[row] = -i;
		}
		return problem;
	}

	it('gives its residual as a share of momentum or impulse, however small these are', () => {
		const problem = new SapProblem();
		problem.reset(1);
		problem.mass.layOut();
		problem.mass.values[0] = 4e-4;
		problem.vStar[0] = -2;
		problem.addRowColumn(0, problem.addRow(-INFINITE, INFINITE) + 1);
		problem.rowR[0] = 1e3;
		problem.rowVHat[0] = 0;
		const newton = new SapNewton({ maxIterations: 0, optimalityAbsTol: 0, optimalityRelTol: 0 });
		newton.solve(problem, Float64Array.of(-1));
		// the momentum of -1 and the impulse 1e-3, over the root of the mass
		expect(newton.residual).toBeCloseTo((4e-4 - 1e-3) / -0.02, 12);
		expect(newton.residualScale).toBeCloseTo(1e-3 / 0.02, 12);
		expect(newton.relativeResidual).toBeCloseTo(0.6, 12);
	});

	it('of masses that are none ends at its guess and says so', () => {
		const problem = new SapProblem();
		problem.reset(2);
		problem.mass.widen(1, 0);
		problem.mass.layOut();
		// positive on the diagonal, but not positive definite
		problem.mass.values.set([1, 2, 1]);
		problem.vStar.set([1, 2]);
		problem.addRowColumn(0, problem.addRow(0, INFINITE) + 1);
		problem.rowR[0] = 1;
		problem.rowVHat[0] = -5;
		const newton = new SapNewton();
		const v = Float64Array.of(0.5, 0.25);
		expect(newton.solve(problem, v)).toBe(false);
		expect([newton.stop, newton.iterations, ...v]).toEqual([SapStop.BROKEN, 0, 0.5, 0.25]);
	});

	it('gives the best of its steps where it may take no more', () => {
		const problem = behindEachOther(24);
		let least = INFINITE;
		let kept = 0;
		for (let maxIterations = 0; maxIterations < 20; maxIterations++) {
			const newton = new SapNewton({ maxIterations });
			newton.solve(problem, new Float64Array(24).fill(1));
			expect(newton.residual).toBeLessThanOrEqual(least);
			if (newton.residual === least) kept++;
			least = newton.residual;
		}
		// the first guess has a better residual than what many steps lead to
		expect(kept).toBeGreaterThan(8);
	});

	it('goes on for as long as the cost falls, though the residual grows at first', () => {
		const count = 24;
		const newton = new SapNewton();
		const v = new Float64Array(count).fill(1);
		expect(newton.solve(behindEachOther(count), v)).toBe(true);
		expect(newton.stop).toBe(SapStop.OPTIMAL);
		for (let i = 0; i < count; i++) expect(v[i]).toBeCloseTo(-i, 3);
	});

	it('ends when the residual is below the tolerance, absolute and of momentum or impulse', () => {
		for (let k = 1; k < costs.length; k++) {
			const { residual, residualScale } = solve({ maxIterations: k });
			for (const [optimalityAbsTol, optimalityRelTol] of [
				[residual, 0],
				[0, residual / residualScale],
				[0.5 * residual, (0.5 * residual) / residualScale],
			] as const) {
				const above = solve({ optimalityAbsTol: 1.001 * optimalityAbsTol, optimalityRelTol: 1.001 * optimalityRelTol });
				expect([above.stop, above.iterations]).toEqual([SapStop.OPTIMAL, k]);
				const below = solve({ optimalityAbsTol: 0.999 * optimalityAbsTol, optimalityRelTol: 0.999 * optimalityRelTol });
				expect(below.iterations).toBeGreaterThan(k);
			}
		}
	});
});

describe('the order of trees', () => {
	/** Cuthill and McKee by the book, on lists; then turned around. */
	function reference(used: readonly number[], edges: readonly (readonly [number, number])[]): number[] {
		const kept = edges.filter(([a, b], i) => a !== b && !(i > 0 && edges[i - 1]![0] === a && edges[i - 1]![1] === b));
		const members = [...new Set([...used, ...edges.flat()])].sort((a, b) => a - b);
		if (kept.length === 0) return members;
		const degree = (tree: number): number => kept.flat().filter((end) => end === tree).length;
		const byDegree = (a: number, b: number): number => degree(a) - degree(b) || a - b;
		const order: number[] = [];
		while (order.length < members.length) {
			const open = [members.filter((tree) => !order.includes(tree)).sort(byDegree)[0]!];
			order.push(open[0]!);
			for (let tree = open.shift(); tree !== undefined; tree = open.shift()) {
				const neighbours = kept.flatMap(([a, b]) => (a === tree ? [b] : b === tree ? [a] : []));
				const next = [...new Set(neighbours)].filter((other) => !order.includes(other)).sort(byDegree);
				order.push(...next);
				open.push(...next);
			}
		}
		return order.reverse();
	}

	const tree = fc.integer({ min: 0, max: 19 });

	it('is that of Cuthill and McKee, turned around, with trees by their number where there is a choice', () => {
		const order = new TreeOrder(20);
		const edges = fc.array(fc.tuple(tree, tree, fc.integer({ min: 1, max: 3 })), { maxLength: 40 });
		fc.assert(
			fc.property(fc.array(tree, { maxLength: 6 }), edges, (used, runs) => {
				const all = runs.flatMap(([a, b, count]) => Array.from({ length: count }, () => [a, b] as const));
				order.clear();
				for (const one of used) order.use(one);
				for (const [a, b] of all) order.connect(a, b);
				order.settle();
				expect([...order.trees.subarray(0, order.count)]).toEqual(reference(used, all));
			}),
			{ seed: 5, numRuns: 150 },
		);
	});

	it('keeps chains in line, however many they are', () => {
		const count = 300;
		const order = new TreeOrder(count);
		// a chain whose trees are numbered at random
		const place = Array.from({ length: count }, (_, i) => (i * 77) % count);
		for (let i = 1; i < count; i++) order.connect(place[i - 1]!, place[i]!);
		order.settle();
		expect(order.count).toBe(count);
		const at = new Map([...order.trees].map((one, i) => [one, i]));
		for (let i = 1; i < count; i++) expect(Math.abs(at.get(place[i - 1]!)! - at.get(place[i]!)!)).toBe(1);
	});
});
