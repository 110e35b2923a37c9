import { SapNewton, type SapNewtonOptions } from '@manyworlds/sim/internal';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { Findings } from '../model-dynamics/findings.ts';
import { distanceInMassNorm, massNorm } from '../sim-sap-problems/check-solution.ts';
import { type BuiltStep, buildStep } from './build-step.ts';
import { isStepFile, type NamedWorld, readStepFile, type StepWorld } from './step-file.ts';
import { checkWholeSteps } from './whole-step.ts';

/** The step problems of SAP Warp against their exact minimisers. */
export const simSapSteps: Suite = {
	name: 'sim/sap-steps',
	description: 'step files of SAP Warp: the convex problem of each world with its exact minimiser',
	defaultDir: 'oracle/golden/sap-warp/step',
	groups: [
		{
			name: 'minimiser',
			description: 'velocities, impulses and cost of the minimiser, with each line search',
			tolerance:
				'velocities 1e-9 in the norm of A at full accuracy, 1e-5 at default tolerances; impulses 1e-7; cost 1e-9',
			timeLimit: 30,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { path, name } of stepFiles(context)) yield { name, run: () => check(path, checkMinimiser) };
			},
		},
		{
			name: 'reference',
			description: "regularisation, impulses, modes, cost and residual at the reference's own velocities",
			tolerance: 'R 1e-12 relative (1e-6 in approx32), impulses 1e-9 of the largest, norms 1e-6 relative',
			timeLimit: 30,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { path, name } of stepFiles(context)) yield { name, run: () => check(path, checkReference) };
			},
		},
		{
			name: 'whole steps',
			description: 'coordinates and velocities after a step of SolverSap from the same state, contacts and controls',
			tolerance: 'velocities 1e-5 of the fastest, coordinates 1e-6: the reference stops at a residual of 1e-6',
			timeLimit: 30,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { path, name } of stepFiles(context)) yield { name, run: () => checkWholeSteps(path, context) };
			},
		},
	],
};

function* stepFiles(context: SuiteContext): Generator<{ readonly path: string; readonly name: string }> {
	for (const path of walkFiles(context.dir)) {
		if (/\.json(\.gz)?$/.test(path) && isStepFile(readJson(path))) yield { path, name: caseName(context.dir, path) };
	}
}

type Check = (named: NamedWorld, preset: string, findings: Findings) => void;

function check(path: string, run: Check): Outcome {
	const findings = new Findings();
	const { preset, worlds } = readStepFile(path);
	if (worlds.length === 0) findings.add('the file has no worlds');
	for (const named of worlds) run(named, preset, findings);
	return findings.outcome();
}

const FULL: Partial<SapNewtonOptions> = {
	optimalityAbsTol: 0,
	optimalityRelTol: 1e-15,
	costAbsTol: 0,
	costRelTol: 0,
	maxIterations: 300,
};

function checkMinimiser({ name, world }: NamedWorld, _: string, findings: Findings): void {
	const { minimiser } = world.check;
	const built = buildStep(world.problem);
	const { problem } = built;
	const expected = minimiser.v;
	const newton = new SapNewton(FULL);
	const v = Float64Array.from(world.problem.v_star);
	newton.solve(problem, v);
	// velocities that are zero but for rounding have no relative accuracy
	const size = massNorm(problem, Float64Array.from(expected));
	const floor = Math.max(1, newton.residualScale / (size || 1), 1e-6 / (size || 1));
	const distance = distanceInMassNorm(problem, v, expected) / floor;
	if (!(distance <= 1e-9))
		findings.add(`${name}: velocities differ by ${distance}, residual ${newton.relativeResidual}`);
	checkImpulses(built, minimiser.gamma, 1e-7, `${name}: `, findings);
	const scale = Math.max(Math.abs(minimiser.cost), size ** 2, 1e-12);
	findings.close(`${name}: cost`, [newton.cost], [minimiser.cost], 1e-9 * scale);
	for (const lineSearchVariant of ['exact_root', 'armijo_decay'] as const) {
		const quick = new SapNewton({ lineSearchVariant });
		v.fill(0);
		if (!quick.solve(problem, v)) findings.add(`${name}: ${lineSearchVariant} did not converge`);
		const off = distanceInMassNorm(problem, v, expected) / floor;
		if (!(off <= 1e-5)) findings.add(`${name}: ${lineSearchVariant} ends ${off} away`);
	}
	if (!(minimiser.relative_residual <= 1e-12))
		findings.add(`${name}: residual of the minimiser is ${minimiser.relative_residual}`);
	const farthest = Math.max(0, ...minimiser.v.map((value, i) => Math.abs(value - world.solution.v[i]!)));
	findings.close(`${name}: max_abs_dv`, [farthest], [minimiser.max_abs_dv], 1e-6 * farthest + 1e-15);
}

function checkReference({ name, world, isDouble }: NamedWorld, preset: string, findings: Findings): void {
	const { solution } = world;
	const built = buildStep(world.problem);
	const { problem, weights } = built;
	const relative = preset === 'approx32' ? 1e-6 : 1e-12;
	const compare = (what: string, actual: ArrayLike<number>, expected: readonly number[], tolerance: number): void => {
		expected.forEach((value, i) => {
			findings.close(`${name}: ${what}[${i}]`, [actual[i]!], [value], tolerance * Math.abs(value));
		});
	};
	// R is positive: zeros are buffers that the reference has not filled
	const isFilled = solution.Rn?.[0] !== 0;
	if (solution.Rn !== undefined && isFilled) compare('Rn', problem.contactRn, solution.Rn, relative);
	if (solution.Rt !== undefined && isFilled) compare('Rt', problem.contactRt, solution.Rt, relative);
	// the preset drake takes the weight from the Jacobian; others from the inertia of the bodies
	if (preset === 'drake' && isDouble) compare('w', weights, world.problem.w, 1e-9);

	const v = Float64Array.from(solution.v);
	const newton = new SapNewton({ ...FULL, maxIterations: 0 });
	newton.solve(problem, v);
	if (problem.contactCount === 0 && problem.rowCount === 0) return;
	if (solution.gamma !== undefined && isFilled)
		checkImpulses(built, solution.gamma, 1e-9, `${name}: reference `, findings);
	if (solution.vc !== undefined && isFilled) {
		findings.closeRelative(
			`${name}: contact velocities`,
			problem.contactVelocity.subarray(0, 3 * problem.contactCount),
			solution.vc.flat(),
			1e-9,
		);
	}
	if (isFilled) checkModes(built, world, name, findings);
	checkNorms(built, world, v, name, findings);
	findings.close(`${name}: cost`, [newton.cost], [world.check.cost], 1e-9 * (Math.abs(world.check.cost) + 1e-12));
}

/** Norms of the stopping test, over the degrees of freedom that take part. */
function checkNorms({ problem }: BuiltStep, world: StepWorld, v: Float64Array, name: string, findings: Findings): void {
	const { check } = world;
	const { A, J, v_star, participating } = world.problem;
	const push = new Float64Array(v.length);
	J.forEach((rows, c) => {
		rows.forEach((row, r) => {
			row.forEach((value, i) => {
				push[i] = push[i]! + value * problem.contactImpulse[3 * c + r]!;
			});
		});
	});
	for (let r = 0; r < problem.rowCount; r++) {
		const dof = problem.rowColumn[problem.rowStart[r]!]!;
		push[dof] = push[dof]! + problem.rowJacobian[problem.rowStart[r]!]! * problem.rowImpulse[r]!;
	}
	const norm = (of: (dof: number) => number): number =>
		Math.hypot(...participating.map((takesPart, i) => (takesPart ? of(i) / Math.sqrt(A[i]![i]!) : 0)));
	const times = (i: number, x: (j: number) => number): number => A[i]!.reduce((sum, a, j) => sum + a * x(j), 0);
	const impulse = norm((i) => push[i]!);
	const momentum = norm((i) => times(i, (j) => v[j]!));
	const gradient = norm((i) => times(i, (j) => v[j]! - v_star[j]!) - push[i]!);
	const scale = Math.max(check.impulse_norm, check.momentum_norm);
	findings.close(`${name}: impulse_norm`, [impulse], [check.impulse_norm], 1e-8 * scale);
	findings.close(`${name}: momentum_norm`, [momentum], [check.momentum_norm], 1e-8 * scale);
	findings.close(`${name}: grad_norm`, [gradient], [check.grad_norm], 1e-6 * check.grad_norm + 1e-13 * scale);
	const relative = gradient / (scale || 1);
	findings.close(`${name}: relative_residual`, [relative], [check.relative_residual], 1e-6 * relative + 1e-13);
}

function checkImpulses(
	{ problem }: BuiltStep,
	expected: readonly (readonly number[])[],
	tolerance: number,
	where: string,
	findings: Findings,
): void {
	const numbers = expected.flat();
	let largest = 1e-9;
	for (const value of numbers) largest = Math.max(largest, Math.abs(value));
	const ours = problem.contactImpulse.subarray(0, 3 * problem.contactCount);
	findings.close(`${where}impulses`, ours, numbers, tolerance * largest);
}

/** Modes at the reference's velocities; where a contact sits on the border of two, rounding decides. */
function checkModes({ problem }: BuiltStep, world: StepWorld, name: string, findings: Findings): void {
	world.solution.mode?.forEach((mode, c) => {
		if (mode === problem.contactMode[c]) return;
		const impulse = problem.contactImpulse.subarray(3 * c, 3 * c + 3);
		const slip = Math.hypot(impulse[0]!, impulse[1]!) - problem.contactMu[c]! * impulse[2]!;
		if (Math.abs(slip) > 1e-9 * (1 + impulse[2]!))
			findings.add(`${name}: mode of contact ${c} is ${problem.contactMode[c]}, expected ${mode}`);
	});
}
