import { contactWeight, regulariseContact, regulariseDrive, SapProblem } from '@manyworlds/sim/internal';
import { number } from '../sim-sap-problems/problem-file.ts';
import type { StepProblem } from './step-file.ts';

/** A step's problem in our form. */
export interface BuiltStep {
	readonly problem: SapProblem;
	/** Delassus estimates by our formula, which those of the preset `drake` follow. */
	readonly weights: readonly number[];
}

/** Builds the problem of a world. */
export function buildStep(step: StepProblem): BuiltStep {
	const dofs = step.v_star.map((_, dof) => dof);
	const problem = new SapProblem();
	problem.reset(dofs.length);
	dofs.forEach((dof, i) => {
		const first = dofs.findIndex((other) => step.A[dof]![other] !== 0);
		problem.mass.widen(i, Math.min(i, first));
	});
	problem.mass.layOut();
	const { base, first, values } = problem.mass;
	dofs.forEach((dof, i) => {
		for (let j = first[i]!; j <= i; j++) values[base[i]! + j] = step.A[dof]![dofs[j]!]!;
		problem.vStar[i] = step.v_star[dof]!;
	});
	const weights = step.J.map((_, c) => addContact(problem, step, dofs, c));
	dofs.forEach((dof, i) => {
		addJointRows(problem, step, dof, i);
	});
	return { problem, weights };
}

function addContact(problem: SapProblem, step: StepProblem, dofs: readonly number[], c: number): number {
	const contact = problem.addContact(step.mu[c]!);
	const rows = step.J[c]!;
	dofs.forEach((dof, i) => {
		const column = [rows[0]![dof]!, rows[1]![dof]!, rows[2]![dof]!] as const;
		if (column.some((value) => value !== 0)) problem.addContactColumn(i, ...column);
	});
	const stiffness = Number.isFinite(step.k[c]) && step.k[c]! > 0 ? step.k[c]! : 1;
	regulariseContact(problem, contact, step.w[c]!, step.dt, {
		stiffness,
		tau: step.tau[c]!,
		phi: step.phi0[c]!,
		beta: step.beta,
		sigma: step.sigma,
	});
	return contactWeight(problem, contact);
}

function addJointRows(problem: SapProblem, step: StepProblem, dof: number, i: number): void {
	if (step.pd_active[dof]) {
		const limit = number(step.pd_limit[dof]);
		const effort = limit > 0 && Number.isFinite(limit) ? limit : Number.POSITIVE_INFINITY;
		const row = problem.addRow(-step.dt * effort, step.dt * effort);
		problem.addRowColumn(i, 1);
		const gains = { kp: step.pd_kp_eff[dof]!, kd: step.pd_kd_eff[dof]! };
		regulariseDrive(problem, row, step.dt, gains, 0, 0, step.pd_a[dof]!);
	}
	for (const [side, sign] of [
		['lower', 1],
		['upper', -1],
	] as const) {
		if (!step[`${side}_active`][dof]) continue;
		const row = problem.addRow(0, Number.POSITIVE_INFINITY);
		problem.addRowColumn(i, sign);
		problem.rowR[row] = step[`${side}_r`][dof]!;
		problem.rowVHat[row] = step[`${side}_vhat`][dof]!;
	}
}
