import { type LineSearchVariant, SapNewton } from '@manyworlds/sim/internal';
import type { Case, Outcome, Suite, SuiteContext } from '../../src/suite.ts';
import { Findings } from '../model-dynamics/findings.ts';
import { buildProblem } from './build-problem.ts';
import { checkCertificates, checkSolution, distanceInMassNorm, massNorm } from './check-solution.ts';
import { type GoldenProblem, goldenProblems } from './problem-file.ts';

/** The convex problem alone, against minimisers certified in extended precision. */
export const simSapProblems: Suite = {
	name: 'sim/sap-problems',
	description: 'files of format sap-problems/1: convex contact problems with certified minimisers',
	defaultDir: 'oracle/golden/drake',
	groups: [
		{
			name: 'regularisation',
			description: 'Delassus estimates, R, target velocities and effective gains from physical parameters',
			tolerance: '1e-14 relative',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { name, problem } of goldenProblems(context.dir))
					yield { name, run: () => checkRegularisation(problem) };
			},
		},
		{
			name: 'minimiser',
			description: 'velocities, impulses, modes and cost, from two different guesses',
			tolerance: 'velocities 1e-9 in the norm of A, impulses 1e-7 of the largest, cost 1e-9; certificates recomputed',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { name, problem } of goldenProblems(context.dir)) yield { name, run: () => checkMinimiser(problem) };
			},
		},
		...(['exact_root', 'armijo_decay'] as const).map((variant) => ({
			name: `default tolerances, ${variant}`,
			description: `velocities at the default tolerances with the line search ${variant}`,
			tolerance: 'velocities 1e-5 in the norm of A, of the larger of momentum and impulse',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { name, problem } of goldenProblems(context.dir))
					yield { name, run: () => checkVariant(problem, variant) };
			},
		})),
	],
};

const RELATIVE = 1e-14;

function checkRegularisation(golden: GoldenProblem): Outcome {
	const findings = new Findings();
	const { derived } = buildProblem(golden);
	golden.constraints.forEach((constraint, i) => {
		const ours = derived[i]!;
		const check = (what: string, actual: number, expected: number): void => {
			const bound = RELATIVE * Math.abs(expected);
			findings.close(`constraint ${i} (${constraint.type}) ${what}`, [actual], [expected], bound);
		};
		check('w', ours.w, constraint.w);
		if (constraint.type === 'pd') {
			check('kp_eff', ours.kp, constraint.kp_eff!);
			check('kd_eff', ours.kd, constraint.kd_eff!);
			return;
		}
		if (constraint.R!.length !== ours.R.length) findings.add(`constraint ${i} has ${constraint.R!.length} rows of R`);
		constraint.R!.forEach((expected, r) => {
			check(`R[${r}]`, ours.R[r]!, expected);
		});
		constraint.v_hat!.forEach((expected, r) => {
			check(`v_hat[${r}]`, ours.vHat[r]!, expected);
		});
	});
	return findings.outcome();
}

function checkMinimiser(golden: GoldenProblem): Outcome {
	const findings = new Findings();
	const built = buildProblem(golden);
	const { problem } = built;
	const newton = new SapNewton({
		optimalityAbsTol: 0,
		optimalityRelTol: 1e-15,
		costAbsTol: 0,
		costRelTol: 0,
		softNorm: 0,
		maxIterations: 300,
	});
	for (const guess of ['free motion', 'rest'] as const) {
		const v = new Float64Array(problem.dofCount);
		if (guess === 'free motion') v.set(golden.v_star);
		newton.solve(problem, v);
		checkSolution(golden, built, v, newton, `from ${guess}: `, findings);
	}
	checkCertificates(golden, built, findings);
	return findings.outcome();
}

function checkVariant(golden: GoldenProblem, lineSearchVariant: LineSearchVariant): Outcome {
	const { problem } = buildProblem(golden);
	const newton = new SapNewton({ lineSearchVariant, softNorm: 0 });
	const v = Float64Array.from(golden.v_star);
	const converged = newton.solve(problem, v);
	// the stopping rule measures against momentum or impulse, whichever is larger: so does the bound
	const size = massNorm(problem, Float64Array.from(golden.solution.v));
	const distance = distanceInMassNorm(problem, v, golden.solution.v) / Math.max(1, newton.residualScale / (size || 1));
	if (!converged) return `not converged after ${newton.iterations} iterations, residual ${newton.relativeResidual}`;
	if (!(distance <= 1e-5)) return `velocities differ by ${distance} in the norm of A, expected at most 1e-5`;
	return undefined;
}
