import type { EnvelopeMatrix } from './envelope-matrix.ts';
import { ContactMode, type SapProblem } from './sap-problem.ts';

/** Makes a matrix `A + Σ Jᵀ G J` at the present state of the constraints; those without effect widen no row. */
export function fillHessian(problem: SapProblem, hessian: EnvelopeMatrix, diagonalShift: number): void {
	layOut(problem, hessian);
	copyMass(problem.mass, hessian);
	addContacts(problem, hessian);
	addRows(problem, hessian);
	if (diagonalShift === 0) return;
	const { base, values, size } = hessian;
	for (let i = 0; i < size; i++) values[base[i]! + i] = values[base[i]! + i]! + diagonalShift;
}

function layOut(problem: SapProblem, hessian: EnvelopeMatrix): void {
	const { mass, contactCount, contactStart, contactColumn, contactMode } = problem;
	const { rowCount, rowStart, rowColumn, rowIsInside } = problem;
	const { size, first: from } = mass;
	hessian.reset(size);
	const { first } = hessian;
	for (let i = 0; i < size; i++) first[i] = from[i]!;
	for (let c = 0; c < contactCount; c++) {
		if (contactMode[c] === ContactMode.NONE) continue;
		widenColumns(first, contactColumn, contactStart[c]!, contactStart[c + 1]!);
	}
	for (let r = 0; r < rowCount; r++) {
		if (rowIsInside[r] === 1) widenColumns(first, rowColumn, rowStart[r]!, rowStart[r + 1]!);
	}
	hessian.layOut();
}

function widenColumns(first: Int32Array, columns: Int32Array, start: number, end: number): void {
	if (end - start < 2) return;
	const least = columns[start]!;
	for (let k = start + 1; k < end; k++) {
		const dof = columns[k]!;
		if (least < first[dof]!) first[dof] = least;
	}
}

/** Rows that follow each other alike in both matrices, which is nearly all of them, are copied as one stretch. */
function copyMass(mass: EnvelopeMatrix, hessian: EnvelopeMatrix): void {
	const { values, base, first, size } = hessian;
	const { values: source, base: sourceBase, first: sourceFirst } = mass;
	for (let i = 0; i < size; ) {
		const shift = base[i]! - sourceBase[i]!;
		const start = sourceBase[i]! + sourceFirst[i]!;
		let end = sourceBase[i]! + i + 1;
		for (i++; i < size; i++) {
			const from = sourceFirst[i]!;
			if (from !== first[i] || base[i]! - sourceBase[i]! !== shift || sourceBase[i]! + from !== end) break;
			end = sourceBase[i]! + i + 1;
		}
		for (let k = start; k < end; k++) values[shift + k] = source[k]!;
	}
}

function addContacts(problem: SapProblem, hessian: EnvelopeMatrix): void {
	const { contactCount, contactStart, contactColumn, contactJacobian, contactHessian, contactMode } = problem;
	const { values, base } = hessian;
	for (let c = 0; c < contactCount; c++) {
		if (contactMode[c] === ContactMode.NONE) continue;
		const h = 6 * c;
		const h00 = contactHessian[h]!;
		const h01 = contactHessian[h + 1]!;
		const h11 = contactHessian[h + 2]!;
		const h02 = contactHessian[h + 3]!;
		const h12 = contactHessian[h + 4]!;
		const h22 = contactHessian[h + 5]!;
		const start = contactStart[c]!;
		const end = contactStart[c + 1]!;
		for (let a = start; a < end; a++) {
			const j0 = contactJacobian[3 * a]!;
			const j1 = contactJacobian[3 * a + 1]!;
			const j2 = contactJacobian[3 * a + 2]!;
			const g0 = h00 * j0 + h01 * j1 + h02 * j2;
			const g1 = h01 * j0 + h11 * j1 + h12 * j2;
			const g2 = h02 * j0 + h12 * j1 + h22 * j2;
			const row = base[contactColumn[a]!]!;
			for (let b = start; b <= a; b++) {
				const at = row + contactColumn[b]!;
				values[at] =
					values[at]! +
					g0 * contactJacobian[3 * b]! +
					g1 * contactJacobian[3 * b + 1]! +
					g2 * contactJacobian[3 * b + 2]!;
			}
		}
	}
}

function addRows(problem: SapProblem, hessian: EnvelopeMatrix): void {
	const { rowCount, rowStart, rowColumn, rowJacobian, rowR, rowIsInside } = problem;
	const { values, base } = hessian;
	for (let r = 0; r < rowCount; r++) {
		if (rowIsInside[r] === 0) continue;
		const stiffness = 1 / rowR[r]!;
		const start = rowStart[r]!;
		const end = rowStart[r + 1]!;
		for (let a = start; a < end; a++) {
			const g = stiffness * rowJacobian[a]!;
			const row = base[rowColumn[a]!]!;
			for (let b = start; b <= a; b++) {
				const at = row + rowColumn[b]!;
				values[at] = values[at]! + g * rowJacobian[b]!;
			}
		}
	}
}
