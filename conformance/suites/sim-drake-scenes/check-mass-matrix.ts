import { ArticulatedDynamics, JointType } from '@manyworlds/model';
import type { Findings } from '../model-dynamics/findings.ts';
import { type BuiltScene, rotate } from './build-scene.ts';
import type { Run } from './scene-file.ts';

/**
 * The mass matrix at the start, armature included, in Drake's order: for a free body angular velocity, then velocity of the
 * origin; joints one each. Which tree comes first is Drake's choice, so rows are matched by what they say.
 */
export function checkMassMatrix(run: Run, built: BuiltScene, findings: Findings): void {
	const ours = massMatrix(built);
	const golden = run.start_mass_matrix;
	const n = golden.length;
	if (ours.length !== n) {
		findings.add(`the mass matrix has ${ours.length} rows, expected ${n}`);
		return;
	}
	let largest = 0;
	for (const row of golden) for (const value of row) largest = Math.max(largest, Math.abs(value));
	const bound = 1e-12 * largest;
	const order = matchRows(ours, golden, bound);
	if (order === undefined) findings.add('no order of the degrees of freedom makes the mass matrix that of the file');
}

/** Finds an order of our rows that gives the golden matrix, row by row with backtracking. */
function matchRows(
	ours: readonly (readonly number[])[],
	golden: readonly (readonly number[])[],
	bound: number,
): number[] | undefined {
	const n = golden.length;
	const order: number[] = [];
	const isUsed = new Array<boolean>(n).fill(false);
	let tries = 0;
	const extend = (i: number): boolean => {
		if (i === n) return true;
		for (let k = 0; k < n; k++) {
			if (isUsed[k] || ++tries > 1e6) continue;
			if (!order.every((o, j) => Math.abs(ours[k]![o]! - golden[i]![j]!) <= bound)) continue;
			if (!(Math.abs(ours[k]![k]! - golden[i]![i]!) <= bound)) continue;
			isUsed[k] = true;
			order.push(k);
			if (extend(i + 1)) return true;
			order.pop();
			isUsed[k] = false;
		}
		return false;
	};
	return extend(0) ? order : undefined;
}

/** Our matrix over all articulations, with velocities of origins in place of those of centres of mass. */
function massMatrix({ model, state }: BuiltScene): number[][] {
	const dynamics = new ArticulatedDynamics(model);
	const blocks = dynamics.massMatrix(state);
	const n = dynamics.maxDofs;
	const dofs: number[] = [];
	const out: number[][] = [];
	for (let a = 0; a < model.articulationCount; a++) {
		const first = model.jointQdStart[model.articulationStart[a]!]!;
		const last = model.jointQdStart[model.articulationEnd[a]!]!;
		for (let dof = first; dof < last; dof++) dofs.push(dof);
	}
	for (let a = 0; a < model.articulationCount; a++) {
		const start = model.articulationStart[a]!;
		const first = model.jointQdStart[start]!;
		const last = model.jointQdStart[model.articulationEnd[a]!]!;
		const size = last - first;
		const block = Array.from({ length: size }, (_, i) =>
			Array.from(
				{ length: size },
				(__, j) => blocks[a * n * n + i * n + j]! + (i === j ? model.jointArmature[first + i]! : 0),
			),
		);
		const isFree = model.jointType[start] === JointType.FREE;
		const moved = isFree
			? congruent(
					block,
					originToCom(model.bodyCom, state.jointQ, model.jointChild[start]!, model.jointQStart[start]!, size),
				)
			: block;
		for (let i = 0; i < size; i++) {
			const row = dofs.map(() => 0);
			for (let j = 0; j < size; j++) row[dofs.indexOf(first + j)] = moved[i]![j]!;
			out.push(row);
		}
	}
	return out;
}

/** T with (v_C, ω) = T (v_O, ω) on the floating part, the identity elsewhere. */
function originToCom(com: Float64Array, jointQ: Float64Array, body: number, q: number, size: number): number[][] {
	const r = rotate(jointQ.subarray(q + 3, q + 7), com.subarray(3 * body, 3 * body + 3)) as [number, number, number];
	const t: number[][] = Array.from({ length: size }, (_, i) =>
		Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)),
	);
	// ω × r, column by column of ω
	const cross = [
		[0, r[2], -r[1]],
		[-r[2], 0, r[0]],
		[r[1], -r[0], 0],
	];
	for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) t[i]![3 + j] = cross[i]![j]!;
	return t;
}

/** Tᵀ M T */
function congruent(m: readonly (readonly number[])[], t: readonly (readonly number[])[]): number[][] {
	const n = m.length;
	const product = (a: (i: number, k: number) => number, b: (k: number, j: number) => number): number[][] =>
		Array.from({ length: n }, (_, i) =>
			Array.from({ length: n }, (__, j) => {
				let sum = 0;
				for (let k = 0; k < n; k++) sum += a(i, k) * b(k, j);
				return sum;
			}),
		);
	const mt = product(
		(i, k) => m[i]![k]!,
		(k, j) => t[k]![j]!,
	);
	return product(
		(i, k) => t[k]![i]!,
		(k, j) => mt[k]![j]!,
	);
}
