import type { FreedomRow } from './asset-types.ts';

/** A robot as inverse kinematics sees it. */
export interface ReachProblem {
	/** Freedoms that may move; followers are not among them, they move with their leaders. */
	readonly freedoms: readonly Pick<FreedomRow, 'coordinate' | 'lower' | 'upper' | 'motion'>[];
	/** Where the point is for joint coordinates [m]. */
	readonly place: (coordinates: Float64Array) => readonly [number, number, number];
	readonly target: readonly [number, number, number];
	/** Size of the robot [m]: what counts as a long way. */
	readonly size: number;
}

/** Options of {@link reachPoint}. */
export interface ReachOptions {
	readonly iterations?: number;
	/** Distance at which it is there [m]. */
	readonly tolerance?: number;
}

export const REACH_DEFAULTS: Required<ReachOptions> = { iterations: 40, tolerance: 1e-5 };

/** Step of the differences [rad, m], and longest turn of a joint in an iteration [rad]. */
const STEP = 1e-6;
const LONGEST_TURN = 0.3;
/** Damping as part of the size of the robot: small where it can reach, large enough where it cannot. */
const LEAST_DAMPING = 1e-3;
const MOST_DAMPING = 0.3;

/**
 * Joint coordinates that bring a point of a robot as near to a target as limits let it come: damped least squares
 * (Nakamura and Hanafusa 1986) on differences of forward kinematics, so that whatever moves the point is heard, followers included.
 * Joints at a limit stay there while they are pushed against it. A step that makes it worse is damped more.
 */
export function reachPoint(start: Float64Array, problem: ReachProblem, options: ReachOptions = {}): Float64Array {
	const { iterations, tolerance } = { ...REACH_DEFAULTS, ...options };
	const { freedoms, place, target, size } = problem;
	let q: Float64Array = start.slice();
	let error = minus(target, place(q));
	let damping = 0.01;
	for (let i = 0; i < iterations && length(error) > tolerance; i++) {
		const columns = jacobian(q, problem);
		const next = stepOf(q, columns, freedoms, error, (damping * size) ** 2);
		const left = minus(target, place(next));
		if (length(left) < length(error)) {
			q = next;
			error = left;
			damping = Math.max(LEAST_DAMPING, damping / 3);
		} else if (damping >= MOST_DAMPING) break;
		else damping = Math.min(MOST_DAMPING, damping * 4);
	}
	return q;
}

type Vector = readonly [number, number, number];

/** How the point moves with each freedom. */
function jacobian(q: Float64Array, { freedoms, place }: ReachProblem): Vector[] {
	const moved = q.slice();
	return freedoms.map(({ coordinate }) => {
		const own = q[coordinate]!;
		moved[coordinate] = own + STEP;
		const ahead = place(moved);
		moved[coordinate] = own - STEP;
		const behind = place(moved);
		moved[coordinate] = own;
		return scaled(minus(ahead, behind), 0.5 / STEP);
	});
}

/** One step: joints that would leave their limits are held, and the others do without them. */
function stepOf(
	q: Float64Array,
	columns: readonly Vector[],
	freedoms: ReachProblem['freedoms'],
	error: Vector,
	damping: number,
): Float64Array {
	const isHeld = freedoms.map(() => false);
	for (;;) {
		const weight = solve(columns, isHeld, error, damping);
		let wasHeld = false;
		const next = q.slice();
		for (const [i, { coordinate, lower, upper, motion }] of freedoms.entries()) {
			if (isHeld[i]) continue;
			const way = dot(columns[i]!, weight);
			const bounded = motion === 'turn' ? Math.min(Math.max(way, -LONGEST_TURN), LONGEST_TURN) : way;
			const wanted = q[coordinate]! + bounded;
			next[coordinate] = Math.min(Math.max(wanted, lower), upper);
			const isAtEnd = (q[coordinate]! <= lower && wanted < lower) || (q[coordinate]! >= upper && wanted > upper);
			if (isAtEnd) {
				isHeld[i] = true;
				wasHeld = true;
			}
		}
		if (!wasHeld) return next;
	}
}

/** (J Jᵀ + λ² I)⁻¹ e by Cramer's rule. */
function solve(columns: readonly Vector[], isHeld: readonly boolean[], error: Vector, damping: number): Vector {
	const m = [damping, 0, 0, 0, damping, 0, 0, 0, damping];
	for (const [i, column] of columns.entries()) {
		if (isHeld[i]) continue;
		for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) m[3 * r + c]! += column[r]! * column[c]!;
	}
	const [x, y, z] = [0, 1, 2].map((c): Vector => [m[c]!, m[3 + c]!, m[6 + c]!]) as [Vector, Vector, Vector];
	const det = dot(x, cross(y, z));
	if (!(Math.abs(det) > 0)) return [0, 0, 0];
	return [dot(error, cross(y, z)) / det, dot(x, cross(error, z)) / det, dot(x, cross(y, error)) / det];
}

function minus(a: Vector, b: Vector): Vector {
	return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function scaled([x, y, z]: Vector, by: number): Vector {
	return [x * by, y * by, z * by];
}

function dot(a: Vector, b: Vector): number {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
	return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function length(a: Vector): number {
	return Math.sqrt(dot(a, a));
}
