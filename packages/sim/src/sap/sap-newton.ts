import { addImpulses, evaluateContacts, evaluateRows } from './contact-cone.ts';
import { CostAlongLine } from './cost-along-line.ts';
import { EnvelopeCholesky } from './envelope-cholesky.ts';
import { EnvelopeMatrix } from './envelope-matrix.ts';
import { fillHessian, layOutHessian } from './hessian.ts';
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
};

/** Why a solve ended. @public */
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
/** One of the numbers of {@link SapStop}. @public */
export type SapStop = (typeof SapStop)[keyof typeof SapStop];

/** Steps without a better residual after which a solve gives up. */
const PATIENCE = 8;

/**
 * Newton's method for a {@link SapProblem}: the objective is strictly convex, so the result does not depend on the guess. What a
 * solve found is in the fields until the next one; impulses and modes are in the problem. One object serves any number of
 * problems, one after the other, and allocates nothing once it has seen the largest.
 * @public
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
		let isLaidOut = false;
		let previousCost = Number.POSITIVE_INFINITY;
		let alpha = 0;
		let least = Number.POSITIVE_INFINITY;
		let waited = 0;
		this.#start(problem, v, n);
		for (;;) {
			const m0 = this.#evaluate(problem, v, n);
			if (!(this.residual < Number.POSITIVE_INFINITY)) return SapStop.BROKEN;
			if (this.residual < least) {
				least = this.residual;
				waited = 0;
				for (let i = 0; i < n; i++) this.#best[i] = v[i]!;
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
				return SapStop.COST;
			}
			if (this.iterations >= options.maxIterations) return this.#giveUp(problem, v, n, SapStop.ITERATIONS);
			if (!isLaidOut) layOutHessian(problem, this.#hessian);
			isLaidOut = true;
			fillHessian(problem, this.#hessian, options.diagShift);
			if (!this.#factor.factor(this.#hessian)) return this.#giveUp(problem, v, n, SapStop.BROKEN);
			previousCost = this.cost;
			alpha = this.#step(problem, v, n, m0);
			if (!(alpha > 0)) return this.#giveUp(problem, v, n, SapStop.STALLED);
			this.iterations++;
		}
	}

	/** Products with A and velocities of constraints at `v`; steps then keep them up to date. */
	#start(problem: SapProblem, v: Float64Array, n: number): void {
		const { mass, vStar } = problem;
		for (let i = 0; i < n; i++) this.#gradient[i] = v[i]! - vStar[i]!;
		mass.multiply(this.#gradient, this.#pull);
		mass.multiply(vStar, this.#free);
		problem.computeVelocities(v);
	}

	/** Constraint impulses, cost, gradient and residual at `v`. Gives the momentum part of the cost. */
	#evaluate(problem: SapProblem, v: Float64Array, n: number): number {
		const { mass, vStar } = problem;
		const { values, base } = mass;
		const gradient = this.#gradient;
		const pull = this.#pull;
		const free = this.#free;
		const push = this.#push;
		const soft = this.options.softNorm;
		const constraints = evaluateContacts(problem, soft * soft) + evaluateRows(problem);
		push.fill(0, 0, n);
		addImpulses(problem, push);
		let m0 = 0;
		let squares = 0;
		let momentumSquares = 0;
		let pushSquares = 0;
		for (let i = 0; i < n; i++) {
			const scale = 1 / values[base[i]! + i]!;
			const momentum = pull[i]! + free[i]!;
			const slope = pull[i]! - push[i]!;
			m0 += (v[i]! - vStar[i]!) * pull[i]!;
			gradient[i] = slope;
			squares += scale * slope * slope;
			momentumSquares += scale * momentum * momentum;
			pushSquares += scale * push[i]! * push[i]!;
		}
		m0 *= 0.5;
		this.cost = m0 + constraints;
		this.residual = Math.sqrt(squares);
		this.residualScale = Math.sqrt(Math.max(momentumSquares, pushSquares));
		return m0;
	}

	/** One Newton step with a line search; gives its length, 0 for none. */
	#step(problem: SapProblem, v: Float64Array, n: number, m0: number): number {
		const { options } = this;
		const direction = this.#direction;
		const gradient = this.#gradient;
		for (let i = 0; i < n; i++) direction[i] = -gradient[i]!;
		this.#factor.solve(direction);
		let slope = 0;
		let m1 = 0;
		for (let i = 0; i < n; i++) {
			slope += gradient[i]! * direction[i]!;
			m1 += this.#pull[i]! * direction[i]!;
		}
		if (!(slope < 0)) return 0;
		problem.mass.multiply(direction, this.#push);
		let m2 = 0;
		for (let i = 0; i < n; i++) m2 += this.#push[i]! * direction[i]!;
		problem.computeChanges(direction);
		this.#line.start(problem, m0, m1, m2, options.softNorm * options.softNorm);
		const alpha = searchLine(this.#line, this.cost, slope, options);
		this.lineSearchEvaluations += this.#line.evaluations;
		for (let i = 0; i < n; i++) {
			v[i] = v[i]! + alpha * direction[i]!;
			this.#pull[i] = this.#pull[i]! + alpha * this.#push[i]!;
		}
		problem.advanceVelocities(alpha);
		return alpha;
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
		this.#direction = new Float64Array(size);
		this.#best = new Float64Array(size);
	}
}
