import { addImpulses, evaluateContacts, evaluateRows, foreseeFriction, forgetFriction } from './contact-cone.ts';
import { CostAlongLine } from './cost-along-line.ts';
import { EnvelopeCholesky } from './envelope-cholesky.ts';
import { EnvelopeMatrix } from './envelope-matrix.ts';
import { fillHessian } from './hessian.ts';
import { type LineSearchOptions, searchLine } from './line-search.ts';
import type { SapProblem } from './sap-problem.ts';

/** Settings of {@link SapNewton}. @public */
export interface SapNewtonOptions extends LineSearchOptions {
	readonly maxIterations: number;
	/** Residual that counts as converged: absolute, and relative to momentum and impulse. */
	readonly optimalityAbsTol: number;
	readonly optimalityRelTol: number;
	/** Added to the diagonal of the Hessian. */
	readonly diagShift: number;
	/** Impulse that softens the direction of friction at rest [N·s]; 0 is exact. */
	readonly softNorm: number;
	/** Whether the factor is rounded to 32 bits; residuals, costs and impulses keep 64. */
	readonly singleFactor: boolean;
	/**
	 * Direction that friction has in the Hessian where contacts slide: `foreseen`, an unknown of its own, which takes heaps of bodies
	 * to their solution in two thirds of the steps; or that of the `slip`, as Drake and SAP Warp have it, step for step.
	 */
	readonly frictionDirection: 'foreseen' | 'slip';
}

/** Drake's tolerances. @public */
export const SAP_NEWTON_DEFAULTS: SapNewtonOptions = {
	maxIterations: 100,
	optimalityAbsTol: 1e-14,
	optimalityRelTol: 1e-6,
	costAbsTol: 1e-30,
	costRelTol: 1e-15,
	lineSearchVariant: 'exact_root',
	lineSearchMaxIterations: 100,
	armijoC: 1e-4,
	rho: 0.8,
	lineSearchRelativeSlop: 1000 * Number.EPSILON,
	diagShift: 0,
	softNorm: 1e-7,
	singleFactor: false,
	frictionDirection: 'foreseen',
};

/** Why a solve ended. */
export const SapStop = {
	/** The scaled gradient is below the tolerance. */
	OPTIMAL: 0,
	/** The cost no longer changes. */
	COST: 1,
	/** No progress is possible in this arithmetic, or the line search found no step. */
	STALLED: 2,
	/** Out of iterations. */
	ITERATIONS: 3,
	/** Numbers are not finite, or the Hessian is not positive definite. */
	BROKEN: 4,
} as const;
/** One of the numbers of {@link SapStop}. */
export type SapStop = (typeof SapStop)[keyof typeof SapStop];

/** Steps without a better residual after which a solve gives up. */
const PATIENCE = 8;

/** How the last step is searched for. */
const POLISH: SapNewtonOptions = { ...SAP_NEWTON_DEFAULTS, lineSearchVariant: 'exact_root' };

/**
 * Newton's method for a {@link SapProblem}: the objective is strictly convex, so the result does not depend on the guess. What a
 * solve found is in the fields until the next one; impulses and modes are in the problem. One object serves any number of
 * problems, one after the other, and allocates nothing once it has seen the largest.
 */
export class SapNewton {
	readonly options: SapNewtonOptions;
	/** Newton steps taken. */
	iterations = 0;
	/** Evaluations of all line searches together. */
	lineSearchEvaluations = 0;
	/** Norm of the scaled gradient `D ∇l` with D = diag(A)^-½, and what it is compared with. */
	residual = 0;
	residualScale = 0;
	cost = 0;
	stop: SapStop = SapStop.OPTIMAL;

	readonly #hessian = new EnvelopeMatrix();
	readonly #factor: EnvelopeCholesky;
	readonly #line = new CostAlongLine();
	#gradient = new Float64Array(16);
	/** A (v − v*), and A v*. */
	#pull = new Float64Array(16);
	#free = new Float64Array(16);
	#push = new Float64Array(16);
	/** Squares of the scaling D: the inverse of the diagonal of A. */
	#scale = new Float64Array(16);
	#direction = new Float64Array(16);
	#best = new Float64Array(16);

	constructor(options: Partial<SapNewtonOptions> = {}) {
		this.options = { ...SAP_NEWTON_DEFAULTS, ...options };
		this.#factor = new EnvelopeCholesky(this.options.singleFactor);
	}

	/** Whether the last solve reached its tolerance. */
	get converged(): boolean {
		return this.stop === SapStop.OPTIMAL || this.stop === SapStop.COST;
	}

	/** Residual as a share of what it is compared with. */
	get relativeResidual(): number {
		return this.residualScale > 0 ? this.residual / this.residualScale : this.residual;
	}

	/** Improves `v` until it minimises the problem. Gives whether the tolerance was reached. */
	solve(problem: SapProblem, v: Float64Array): boolean {
		this.iterations = 0;
		this.lineSearchEvaluations = 0;
		const n = problem.dofCount;
		this.#reserve(n);
		problem.softSquare = this.options.softNorm * this.options.softNorm;
		if (problem.contactCount === 0 && problem.rowCount === 0) {
			for (let i = 0; i < n; i++) v[i] = problem.vStar[i]!;
			this.#finishFree();
			return true;
		}
		this.stop = this.#iterate(problem, v, n);
		return this.converged;
	}

	#iterate(problem: SapProblem, v: Float64Array, n: number): SapStop {
		const { options } = this;
		let previousCost = Number.POSITIVE_INFINITY;
		let alpha = 0;
		let least = Number.POSITIVE_INFINITY;
		let waited = 0;
		let isPolished = false;
		const best = this.#best;
		const line = this.#line;
		forgetFriction(problem);
		this.#start(problem, v, n);
		for (;;) {
			this.#evaluate(problem, v, n);
			if (!(this.residual < Number.POSITIVE_INFINITY)) return SapStop.BROKEN;
			if (this.residual < least) {
				least = this.residual;
				waited = 0;
				for (let i = 0; i < n; i++) best[i] = v[i]!;
			} else if (++waited > PATIENCE && !(this.cost < previousCost)) {
				return this.#giveUp(problem, v, n, SapStop.STALLED);
			}
			if (this.residual <= options.optimalityAbsTol + options.optimalityRelTol * this.residualScale) {
				return SapStop.OPTIMAL;
			}
			const change = Math.abs(this.cost - previousCost);
			const size = 0.5 * (Math.abs(this.cost) + Math.abs(previousCost));
			const leastAlpha = options.lineSearchVariant === 'monotone_decay' ? 0 : 0.5;
			if (this.iterations > 0 && alpha > leastAlpha && change < options.costAbsTol + options.costRelTol * size) {
				// costs have no digits left, slopes do: one step to where the slope vanishes
				if (isPolished || options.lineSearchVariant === 'exact_root') return this.#giveUp(problem, v, n, SapStop.COST);
				isPolished = true;
			}
			if (this.iterations >= options.maxIterations) return this.#giveUp(problem, v, n, SapStop.ITERATIONS);
			fillHessian(problem, this.#hessian, options.diagShift);
			if (!this.#factor.factor(this.#hessian)) return this.#giveUp(problem, v, n, SapStop.BROKEN);
			previousCost = this.cost;
			this.#step(problem, v, n, isPolished ? POLISH : options);
			alpha = line.alpha;
			if (!(alpha > 0)) return this.#giveUp(problem, v, n, SapStop.STALLED);
			this.iterations++;
		}
	}

	/** Products with A and velocities of constraints at `v`; steps then keep them up to date. */
	#start(problem: SapProblem, v: Float64Array, n: number): void {
		const { mass, vStar } = problem;
		const { values, base } = mass;
		const gradient = this.#gradient;
		const scale = this.#scale;
		for (let i = 0; i < n; i++) {
			gradient[i] = v[i]! - vStar[i]!;
			scale[i] = 1 / values[base[i]! + i]!;
		}
		mass.multiplyTwo(gradient, vStar, this.#pull, this.#free);
		problem.computeVelocities(v);
	}

	/** Constraint impulses, cost, gradient and residual at `v`; the momentum part of the cost goes to the line. */
	#evaluate(problem: SapProblem, v: Float64Array, n: number): void {
		const { vStar } = problem;
		const gradient = this.#gradient;
		const scale = this.#scale;
		const pull = this.#pull;
		const free = this.#free;
		const push = this.#push;
		evaluateContacts(problem);
		evaluateRows(problem);
		for (let i = 0; i < n; i++) push[i] = 0;
		addImpulses(problem, push);
		let m0 = 0;
		let squares = 0;
		let momentumSquares = 0;
		let pushSquares = 0;
		for (let i = 0; i < n; i++) {
			const weight = scale[i]!;
			const pulled = pull[i]!;
			const pushed = push[i]!;
			const momentum = pulled + free[i]!;
			const slope = pulled - pushed;
			m0 += (v[i]! - vStar[i]!) * pulled;
			gradient[i] = slope;
			squares += weight * slope * slope;
			momentumSquares += weight * momentum * momentum;
			pushSquares += weight * pushed * pushed;
		}
		m0 *= 0.5;
		this.#line.m0 = m0;
		this.cost = m0 + (problem.contactCost + problem.rowCost);
		this.residual = Math.sqrt(squares);
		this.residualScale = Math.sqrt(Math.max(momentumSquares, pushSquares));
	}

	/** One Newton step with a line search, whose length is left in the line: 0 for none. */
	#step(problem: SapProblem, v: Float64Array, n: number, options: SapNewtonOptions): void {
		const line = this.#line;
		const direction = this.#direction;
		const gradient = this.#gradient;
		const pull = this.#pull;
		const push = this.#push;
		for (let i = 0; i < n; i++) direction[i] = -gradient[i]!;
		this.#factor.solve(direction);
		let slope = 0;
		let m1 = 0;
		for (let i = 0; i < n; i++) {
			slope += gradient[i]! * direction[i]!;
			m1 += pull[i]! * direction[i]!;
		}
		line.alpha = 0;
		if (!(slope < 0)) return;
		problem.mass.multiply(direction, push);
		let m2 = 0;
		for (let i = 0; i < n; i++) m2 += push[i]! * direction[i]!;
		problem.computeChanges(direction);
		if (options.frictionDirection === 'foreseen') foreseeFriction(problem);
		line.start(problem);
		line.cost0 = this.cost;
		line.slope0 = slope;
		line.m1 = m1;
		line.m2 = m2;
		searchLine(line, options);
		this.lineSearchEvaluations += line.evaluations;
		const { alpha } = line;
		for (let i = 0; i < n; i++) {
			v[i] = v[i]! + alpha * direction[i]!;
			pull[i] = pull[i]! + alpha * push[i]!;
		}
		problem.advanceVelocities(line);
	}

	/** Goes back to the best velocities seen. */
	#giveUp(problem: SapProblem, v: Float64Array, n: number, stop: SapStop): SapStop {
		for (let i = 0; i < n; i++) v[i] = this.#best[i]!;
		this.#start(problem, v, n);
		this.#evaluate(problem, v, n);
		return stop;
	}

	#finishFree(): void {
		this.cost = 0;
		this.residual = 0;
		this.residualScale = 0;
		this.stop = SapStop.OPTIMAL;
	}

	#reserve(n: number): void {
		if (n <= this.#gradient.length) return;
		const size = Math.max(n, 2 * this.#gradient.length);
		this.#gradient = new Float64Array(size);
		this.#pull = new Float64Array(size);
		this.#free = new Float64Array(size);
		this.#push = new Float64Array(size);
		this.#scale = new Float64Array(size);
		this.#direction = new Float64Array(size);
		this.#best = new Float64Array(size);
	}
}
