import { clearArena, integers, numbers } from './arena';

/** A `SapProblem` as the host writes it, and what the host reads when it is solved. Arrays are those of `SapProblem`. */

export let dofCount: i32 = 0;
export let contactCount: i32 = 0;
export let rowCount: i32 = 0;

/** First column of each row of A, and its entries, row after row, each up to the diagonal. */
export let massFirst: usize = 0;
export let massValues: usize = 0;
export let vStar: usize = 0;
/** The guess, then the solution. */
export let velocity: usize = 0;

export let contactStart: usize = 0;
export let contactColumn: usize = 0;
export let contactJacobian: usize = 0;
export let contactMu: usize = 0;
export let contactRt: usize = 0;
export let contactRn: usize = 0;
/** Three numbers for each contact. */
export let contactVHat: usize = 0;
export let contactImpulse: usize = 0;

export let rowStart: usize = 0;
export let rowColumn: usize = 0;
export let rowJacobian: usize = 0;
export let rowR: usize = 0;
export let rowVHat: usize = 0;
export let rowLower: usize = 0;
export let rowUpper: usize = 0;
export let rowImpulse: usize = 0;

// settings of Newton's method, see `SapNewtonOptions`
export let maxIterations: f64 = 0;
export let optimalityAbsTol: f64 = 0;
export let optimalityRelTol: f64 = 0;
export let costAbsTol: f64 = 0;
export let costRelTol: f64 = 0;
export let diagShift: f64 = 0;
export let softSquare: f64 = 0;
export let lineSearchMaxIterations: f64 = 0;
export let foreseesFriction: f64 = 0;

/** Makes room for a problem of this size, whose arrays the host then fills. */
export function begin(
	dofs: i32,
	massEntries: i32,
	contacts: i32,
	contactEntries: i32,
	rows: i32,
	rowEntries: i32,
): void {
	clearArena();
	dofCount = dofs;
	contactCount = contacts;
	rowCount = rows;
	massFirst = integers(dofs);
	massValues = numbers(massEntries);
	vStar = numbers(dofs);
	velocity = numbers(dofs);
	contactStart = integers(contacts + 1);
	contactColumn = integers(contactEntries);
	contactJacobian = numbers(3 * contactEntries);
	contactMu = numbers(contacts);
	contactRt = numbers(contacts);
	contactRn = numbers(contacts);
	contactVHat = numbers(3 * contacts);
	contactImpulse = numbers(3 * contacts);
	rowStart = integers(rows + 1);
	rowColumn = integers(rowEntries);
	rowJacobian = numbers(rowEntries);
	rowR = numbers(rows);
	rowVHat = numbers(rows);
	rowLower = numbers(rows);
	rowUpper = numbers(rows);
	rowImpulse = numbers(rows);
}
