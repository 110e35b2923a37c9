import {
	contactWeight,
	effectiveGains,
	regulariseBilateral,
	regulariseContact,
	regulariseDrive,
	regulariseDryFriction,
	regulariseLimit,
	rowsWeight,
	SapProblem,
} from '@manyworlds/sim/internal';
import { type GoldenConstraint, type GoldenProblem, number } from './problem-file.ts';

/** Where a constraint of the file is in the problem. */
export interface Place {
	readonly isContact: boolean;
	/** First contact or row. */
	readonly index: number;
	readonly rows: number;
}

/** What our formulas give for a constraint. */
export interface Derived {
	readonly w: number;
	readonly R: readonly number[];
	readonly vHat: readonly number[];
	readonly kp: number;
	readonly kd: number;
}

/** A problem of the file in our form, with the numbers that we derive for each constraint. */
export interface BuiltProblem {
	readonly problem: SapProblem;
	readonly places: readonly Place[];
	readonly derived: readonly Derived[];
}

/** Builds a problem; R and target velocities are those of the file, so that its solution belongs to exactly this problem. */
export function buildProblem(golden: GoldenProblem): BuiltProblem {
	const problem = new SapProblem();
	const starts = [0];
	for (const block of golden.A) starts.push(starts.at(-1)! + block.length);
	problem.reset(starts.at(-1)!);
	golden.A.forEach((block, clique) => {
		const start = starts[clique]!;
		block.forEach((row, i) => {
			const first = row.findIndex((value) => value !== 0);
			problem.mass.widen(start + i, start + Math.min(i, first < 0 ? i : first));
		});
	});
	problem.mass.layOut();
	golden.A.forEach((block, clique) => {
		const start = starts[clique]!;
		const { base, first, values } = problem.mass;
		block.forEach((row, i) => {
			for (let j = first[start + i]! - start; j <= i; j++) values[base[start + i]! + start + j] = row[j]!;
		});
	});
	problem.vStar.set(golden.v_star);
	const places: Place[] = [];
	const derived: Derived[] = [];
	for (const constraint of golden.constraints) {
		const place = addConstraint(problem, constraint, starts);
		places.push(place);
		derived.push(regularise(problem, place, constraint, golden.dt));
		useGiven(problem, place, constraint, golden.dt);
	}
	return { problem, places, derived };
}

/** Columns of a constraint by degree of freedom; blocks of one clique add. */
function columnsOf(constraint: GoldenConstraint, starts: readonly number[]): [dof: number, values: number[]][] {
	const columns = new Map<number, number[]>();
	constraint.cliques.forEach((clique, b) => {
		const block = constraint.J[b]!;
		block.forEach((row, r) => {
			row.forEach((value, j) => {
				const dof = starts[clique]! + j;
				let column = columns.get(dof);
				if (column === undefined) columns.set(dof, (column = block.map(() => 0)));
				column[r] = column[r]! + value;
			});
		});
	});
	return [...columns].filter(([, values]) => values.some((value) => value !== 0)).sort(([a], [b]) => a - b);
}

function addConstraint(problem: SapProblem, constraint: GoldenConstraint, starts: readonly number[]): Place {
	const columns = columnsOf(constraint, starts);
	if (constraint.type === 'contact') {
		const index = problem.addContact(constraint.mu!);
		for (const [dof, values] of columns) problem.addContactColumn(dof, values[0]!, values[1]!, values[2]!);
		return { isContact: true, index, rows: 3 };
	}
	const rows = constraint.J[0]!.length;
	const index = problem.rowCount;
	for (let r = 0; r < rows; r++) {
		problem.addRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
		for (const [dof, values] of columns) problem.addRowColumn(dof, values[r]!);
	}
	return { isContact: false, index, rows };
}

/** R, target velocities and gains by our formulas. */
function regularise(problem: SapProblem, place: Place, constraint: GoldenConstraint, dt: number): Derived {
	const { index, rows } = place;
	const gains = { kp: 0, kd: 0 };
	if (place.isContact) {
		const w = contactWeight(problem, index);
		regulariseContact(problem, index, w, dt, {
			stiffness: number(constraint.k),
			tau: constraint.tau_d!,
			phi: constraint.phi!,
			beta: constraint.beta!,
			sigma: constraint.sigma!,
		});
		const rt = problem.contactRt[index]!;
		const vHat = [...problem.contactVHat.subarray(3 * index, 3 * index + 3)];
		return { w, R: [rt, rt, problem.contactRn[index]!], vHat, ...gains };
	}
	const w = rowsWeight(problem, index, rows);
	for (let r = 0; r < rows; r++) {
		const row = index + r;
		if (constraint.type === 'pd') effectiveGains(gains, constraint.kp!, constraint.kd!, w, dt, constraint.beta);
		else if (constraint.sigma !== undefined) regulariseDryFriction(problem, row, w, constraint.sigma);
		else {
			const settle = constraint.type === 'limit' ? regulariseLimit : regulariseBilateral;
			settle(problem, row, w, dt, constraint.g![r]!, number(constraint.k), constraint.tau_d!, constraint.beta);
		}
	}
	return {
		w,
		R: [...problem.rowR.subarray(index, index + rows)],
		vHat: [...problem.rowVHat.subarray(index, index + rows)],
		...gains,
	};
}

/** Puts the numbers of the file into the problem. */
function useGiven(problem: SapProblem, place: Place, constraint: GoldenConstraint, dt: number): void {
	const { index, rows } = place;
	if (place.isContact) {
		problem.contactRt[index] = constraint.R![0]!;
		problem.contactRn[index] = constraint.R![2]!;
		problem.contactVHat.set(constraint.v_hat!, 3 * index);
		return;
	}
	if (constraint.type === 'pd') {
		const gains = { kp: constraint.kp_eff!, kd: constraint.kd_eff! };
		regulariseDrive(problem, index, dt, gains, constraint.qd! - constraint.q0!, constraint.vd!, constraint.u0!);
		problem.rowLower[index] = -dt * number(constraint.effort_limit);
		problem.rowUpper[index] = dt * number(constraint.effort_limit);
		return;
	}
	for (let r = 0; r < rows; r++) {
		problem.rowR[index + r] = constraint.R![r]!;
		problem.rowVHat[index + r] = constraint.v_hat![r]!;
		problem.rowLower[index + r] = constraint.type === 'limit' ? 0 : number(constraint.impulse_lower![r]);
		problem.rowUpper[index + r] =
			constraint.type === 'limit' ? Number.POSITIVE_INFINITY : number(constraint.impulse_upper![r]);
	}
}
