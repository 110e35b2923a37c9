import { ContactMode, SapNewton, type SapProblem } from '@manyworlds/sim/internal';
import type { Findings } from '../model-dynamics/findings.ts';
import type { BuiltProblem } from './build-problem.ts';
import type { GoldenProblem } from './problem-file.ts';

const VELOCITY_BOUND = 1e-9;
const IMPULSE_BOUND = 1e-7;
const COST_BOUND = 1e-9;

/** Compares what a solve left in the problem with the solution of the file. */
export function checkSolution(
	golden: GoldenProblem,
	built: BuiltProblem,
	v: Float64Array,
	newton: SapNewton,
	where: string,
	findings: Findings,
): void {
	const { problem, places } = built;
	const { solution } = golden;
	if (v.length !== solution.v.length) findings.add(`${where}${v.length} velocities, expected ${solution.v.length}`);
	const distance = distanceInMassNorm(problem, v, solution.v);
	if (!(distance <= VELOCITY_BOUND)) {
		findings.add(
			`${where}velocities differ by ${distance} in the norm of A after ${newton.iterations} iterations, residual ${newton.relativeResidual}`,
		);
	}
	// impulses that are zero but for rounding are rounded against the momentum
	let largest = 0;
	const momentum = new Float64Array(v.length);
	problem.mass.multiply(v, momentum);
	for (const value of momentum) largest = Math.max(largest, 1e-5 * Math.abs(value));
	for (const impulse of solution.gamma) for (const value of impulse) largest = Math.max(largest, Math.abs(value));
	if (solution.gamma.length !== places.length)
		findings.add(`${where}${places.length} constraints, impulses for ${solution.gamma.length}`);
	places.forEach((place, i) => {
		const ours = place.isContact
			? problem.contactImpulse.subarray(3 * place.index, 3 * place.index + 3)
			: problem.rowImpulse.subarray(place.index, place.index + place.rows);
		findings.close(`${where}impulse of constraint ${i}`, ours, solution.gamma[i]!, IMPULSE_BOUND * largest);
		const mode = modeOf(golden, built, i);
		const expected = solution.mode[i];
		if (mode !== expected && !isOnBorder(golden, built, i, expected))
			findings.add(`${where}mode of constraint ${i} is ${mode}, expected ${expected}`);
	});
	const scale = Math.max(Math.abs(solution.cost), massNorm(problem, Float64Array.from(solution.v)) ** 2);
	findings.close(`${where}cost`, [newton.cost], [solution.cost], COST_BOUND * scale);
}

/** Certificates of the file that can be recomputed in 64 bits: they must hold for its own velocities. */
export function checkCertificates(golden: GoldenProblem, built: BuiltProblem, findings: Findings): void {
	const { solution } = golden;
	const newton = new SapNewton({ maxIterations: 0, softNorm: 0 });
	const v = Float64Array.from(solution.v);
	newton.solve(built.problem, v);
	const residual = newton.relativeResidual;
	const bound = Math.max(1e-9, 10 * solution.residual_of_rounded_v);
	if (golden.constraints.length > 0 && !(residual <= bound)) {
		findings.add(`residual of the given velocities is ${residual}, the file says ${solution.residual_of_rounded_v}`);
	}
	for (const key of ['residual', 'error_bound_relative', 'conic_violation'] as const) {
		if (!(solution[key] >= 0 && solution[key] <= 1e-12)) findings.add(`the file's ${key} is ${solution[key]}`);
	}
	if (!(solution.residual_of_rounded_v <= 1e-9))
		findings.add(`the file's residual_of_rounded_v is ${solution.residual_of_rounded_v}`);
	if (!(Number.isInteger(solution.iterations) && solution.iterations >= 0))
		findings.add(`the file's iterations are ${solution.iterations}`);
	const condition = conditionOf(built.problem);
	findings.close('condition of A', [condition], [solution.condition_A], 1e-4 * condition);
}

/** Distance of velocities in the norm of A, relative to the size of the reference. */
export function distanceInMassNorm(problem: SapProblem, v: Float64Array, reference: readonly number[]): number {
	const difference = v.map((value, i) => value - reference[i]!);
	const size = massNorm(problem, Float64Array.from(reference));
	return size > 0 ? massNorm(problem, difference) / size : massNorm(problem, difference);
}

/** Norm of velocities that belongs to the kinetic energy. */
export function massNorm(problem: SapProblem, x: Float64Array): number {
	const product = new Float64Array(x.length);
	problem.mass.multiply(x, product);
	return Math.sqrt(
		Math.max(
			0,
			x.reduce((sum, value, i) => sum + value * product[i]!, 0),
		),
	);
}

const MODE_NAMES: Readonly<Record<number, string>> = {
	[ContactMode.NONE]: 'none',
	[ContactMode.STICK]: 'stick',
	[ContactMode.SLIDE]: 'slide',
	[ContactMode.FRICTIONLESS]: 'frictionless',
};

/** What each kind of constraint calls a row whose impulse is free, and one whose impulse is at a bound. */
const ROW_MODES = {
	contact: ['', ''],
	limit: ['active', 'none'],
	pd: ['inside', 'saturated'],
	bilateral: ['inside', 'bound'],
} as const;

function modeOf(golden: GoldenProblem, { problem, places }: BuiltProblem, i: number): string {
	const place = places[i]!;
	if (place.isContact) return MODE_NAMES[problem.contactMode[place.index]!]!;
	const [inside, outside] = ROW_MODES[golden.constraints[i]!.type];
	return Array.from({ length: place.rows }, (_, r) =>
		problem.rowIsInside[place.index + r] === 1 ? inside : outside,
	).join(',');
}

/** Whether a constraint is so close to the border of two modes that rounding decides, and the expected one is a neighbour. */
function isOnBorder(
	golden: GoldenProblem,
	{ problem, places }: BuiltProblem,
	i: number,
	expected: string | undefined,
): boolean {
	const place = places[i]!;
	if (!place.isContact) {
		const [inside, outside] = ROW_MODES[golden.constraints[i]!.type];
		const names = expected?.split(',') ?? [];
		return names.every((name, r) => {
			const row = place.index + r;
			const y = (problem.rowVHat[row]! - problem.rowVelocity[row]!) / problem.rowR[row]!;
			const isInside = problem.rowIsInside[row] === 1;
			if (name === (isInside ? inside : outside)) return true;
			const size =
				(1e-9 * Math.max(Math.abs(problem.rowVHat[row]!), Math.abs(problem.rowVelocity[row]!))) / problem.rowR[row]!;
			const toBound = Math.min(Math.abs(y - problem.rowLower[row]!), Math.abs(y - problem.rowUpper[row]!));
			return (name === inside || name === outside) && toBound <= size;
		});
	}
	const c = place.index;
	const [v, vHat] = [problem.contactVelocity, problem.contactVHat];
	const rt = problem.contactRt[c]!;
	const rn = problem.contactRn[c]!;
	const mu = problem.contactMu[c]!;
	const yr = Math.hypot(vHat[3 * c]! - v[3 * c]!, vHat[3 * c + 1]! - v[3 * c + 1]!) / rt;
	const yn = (vHat[3 * c + 2]! - v[3 * c + 2]!) / rn;
	const size = 1e-7 * (yr + Math.abs(yn)) + 1e-12 / Math.min(rt, rn);
	const toStick = Math.abs(yr - mu * yn);
	const toNone = mu === 0 ? Math.abs(yn) : Math.abs(yn + ((mu * rt) / rn) * yr);
	if (expected === 'stick') return toStick <= size;
	if (expected === 'none') return toNone <= size;
	return Math.min(toStick, toNone) <= size;
}

/** Largest over smallest eigenvalue of the mass matrix, by cyclic Jacobi rotations. */
function conditionOf(problem: SapProblem): number {
	const n = problem.dofCount;
	const a = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => problem.mass.get(i, j)));
	for (let sweep = 0; sweep < 12; sweep++) {
		for (let p = 0; p < n; p++) {
			for (let q = p + 1; q < n; q++) rotate(a, p, q, n);
		}
	}
	const values = a.map((row, i) => row[i]!);
	return Math.max(...values) / Math.min(...values);
}

function rotate(a: number[][], p: number, q: number, n: number): void {
	if (a[p]![q] === 0) return;
	const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
	const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
	const c = 1 / Math.sqrt(t * t + 1);
	const s = t * c;
	for (let k = 0; k < n; k++) {
		const x = a[k]![p]!;
		const y = a[k]![q]!;
		a[k]![p] = c * x - s * y;
		a[k]![q] = s * x + c * y;
	}
	for (let k = 0; k < n; k++) {
		const x = a[p]![k]!;
		const y = a[q]![k]!;
		a[p]![k] = c * x - s * y;
		a[q]![k] = s * x + c * y;
	}
}
