import type { FreedomRow } from './asset-types.ts';

/** A robot with loops, as closing them sees it. */
export interface LoopProblem {
	/** Freedoms that may move. */
	readonly freedoms: readonly Pick<FreedomRow, 'coordinate' | 'lower' | 'upper' | 'motion'>[];
	/** How far loops are open for joint coordinates [m, rad]. */
	readonly gaps: (coordinates: Float64Array) => Float64Array;
}

/** What counts as closed [m, rad], and steps at most. */
const TOLERANCE = 1e-7;
const ITERATIONS = 60;
/** Step of differences [rad, m], and longest turn in an iteration [rad]. */
const STEP = 1e-7;
const LONGEST = 0.3;
const LEAST_DAMPING = 1e-9;
const MOST_DAMPING = 1;

/**
 * Joint coordinates near to given ones with all loops closed: Levenberg-Marquardt on differences of forward kinematics. Freedoms of
 * `held` stay where a person has put them; where the others cannot follow, they give way too, so that loops are never torn.
 */
export function closeLoops(start: Float64Array, problem: LoopProblem, held: ReadonlySet<number>): Float64Array {
	const others = problem.freedoms.filter(({ coordinate }) => !held.has(coordinate));
	const followed = descend(start, problem, others);
	if (followed.error <= TOLERANCE || others.length === problem.freedoms.length) return followed.q;
	return descend(followed.q, problem, problem.freedoms).q;
}

function descend(
	start: Float64Array,
	{ gaps }: LoopProblem,
	freedoms: LoopProblem['freedoms'],
): { readonly q: Float64Array; readonly error: number } {
	let q = start.slice();
	let gap = gaps(q).slice();
	let damping = 1e-6;
	for (let i = 0; i < ITERATIONS && norm(gap) > TOLERANCE; i++) {
		const columns = freedoms.map(({ coordinate }) => {
			const moved = q.slice();
			moved[coordinate]! += STEP;
			return gaps(moved).map((value, k) => (value - gap[k]!) / STEP);
		});
		const next = q.slice();
		for (const [k, step] of solveDamped(columns, gap, damping).entries()) {
			const { coordinate, lower, upper } = freedoms[k]!;
			const short = Math.max(-LONGEST, Math.min(LONGEST, step));
			next[coordinate] = Math.min(upper, Math.max(lower, q[coordinate]! + short));
		}
		const left = gaps(next).slice();
		if (norm(left) < norm(gap)) {
			[q, gap] = [next, left];
			damping = Math.max(LEAST_DAMPING, damping / 10);
		} else if (damping >= MOST_DAMPING) break;
		else damping = Math.min(MOST_DAMPING, damping * 10);
	}
	return { q, error: norm(gap) };
}

/** The step that closes gaps by damped least squares: (JᵀJ + λ I) x = −Jᵀ g, with the columns of J. */
function solveDamped(columns: readonly Float64Array[], gap: Float64Array, damping: number): Float64Array {
	const n = columns.length;
	const matrix = new Float64Array(n * n);
	const right = new Float64Array(n);
	for (let i = 0; i < n; i++) {
		for (let j = 0; j <= i; j++) {
			const value = dot(columns[i]!, columns[j]!);
			matrix[i * n + j] = value;
			matrix[j * n + i] = value;
		}
		right[i] = -dot(columns[i]!, gap);
	}
	const scale = Math.max(1e-12, ...Array.from({ length: n }, (_, i) => matrix[i * n + i]!));
	for (let i = 0; i < n; i++) matrix[i * n + i]! += damping * scale;
	// positive definite: Cholesky in place
	for (let j = 0; j < n; j++) {
		for (let k = 0; k < j; k++)
			for (let i = j; i < n; i++) matrix[i * n + j]! -= matrix[i * n + k]! * matrix[j * n + k]!;
		const pivot = Math.sqrt(Math.max(1e-300, matrix[j * n + j]!));
		for (let i = j; i < n; i++) matrix[i * n + j]! /= pivot;
	}
	for (let i = 0; i < n; i++) {
		for (let k = 0; k < i; k++) right[i]! -= matrix[i * n + k]! * right[k]!;
		right[i]! /= matrix[i * n + i]!;
	}
	for (let i = n - 1; i >= 0; i--) {
		for (let k = i + 1; k < n; k++) right[i]! -= matrix[k * n + i]! * right[k]!;
		right[i]! /= matrix[i * n + i]!;
	}
	return right;
}

function dot(a: Float64Array, b: Float64Array): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
	return sum;
}

function norm(values: Float64Array): number {
	return Math.sqrt(dot(values, values));
}
