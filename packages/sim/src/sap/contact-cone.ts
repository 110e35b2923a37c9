import { ContactMode, type SapProblem } from './sap-problem.ts';

/** Friction below this counts as none. */
const NO_FRICTION = 1e-12;

/**
 * Impulses of all contacts from their velocities: the projection of `y = (vHat − vc) / R` on the friction cone in the norm of
 * R, with the Hessian of its cost and the sum of the costs `½ γᵀ R γ`. Where the bound of friction is known before the step,
 * the cone is a half-line times a disc. Numbers travel in fields: those that go through calls are boxed.
 */
export function evaluateContacts(problem: SapProblem): void {
	const {
		softSquare: soft,
		contactCount,
		contactMu,
		contactBound,
		contactRt,
		contactRn,
		contactVHat,
		contactVelocity,
	} = problem;
	const { contactImpulse: impulse, contactHessian: hessian, contactMode: modes } = problem;
	let cost = 0;
	for (let c = 0; c < contactCount; c++) {
		const mu = contactMu[c]!;
		const rt = contactRt[c]!;
		const rn = contactRn[c]!;
		const i = 3 * c;
		const h = 6 * c;
		const y0 = (contactVHat[i]! - contactVelocity[i]!) / rt;
		const y1 = (contactVHat[i + 1]! - contactVelocity[i + 1]!) / rt;
		const yn = (contactVHat[i + 2]! - contactVelocity[i + 2]!) / rn;
		let g0 = 0;
		let g1 = 0;
		let gn = 0;
		let h00 = 0;
		let h01 = 0;
		let h11 = 0;
		let h02 = 0;
		let h12 = 0;
		let h22 = 0;
		let mode: number = ContactMode.NONE;
		const bound = contactBound[c]!;
		if (bound >= 0 && mu > NO_FRICTION) {
			if (yn > 0) {
				mode = ContactMode.FRICTIONLESS;
				gn = yn;
				h22 = 1 / rn;
			}
			const yr = Math.sqrt(y0 * y0 + y1 * y1);
			if (yr <= bound) {
				if (bound > 0) mode = ContactMode.STICK;
				g0 = y0;
				g1 = y1;
				h00 = 1 / rt;
				h11 = h00;
			} else if (bound > 0) {
				mode = ContactMode.SLIDE;
				const t0 = y0 / yr;
				const t1 = y1 / yr;
				g0 = bound * t0;
				g1 = bound * t1;
				const across = bound / (yr * rt);
				h00 = across * (1 - t0 * t0);
				h01 = -across * t0 * t1;
				h11 = across * (1 - t1 * t1);
				cost += rt * bound * (yr - bound);
			}
		} else if (mu <= NO_FRICTION) {
			if (yn > 0) {
				mode = ContactMode.FRICTIONLESS;
				gn = yn;
				h22 = 1 / rn;
			}
		} else {
			const yr = Math.sqrt(y0 * y0 + y1 * y1 + soft);
			const muHat = (mu * rt) / rn;
			if (yr <= mu * yn) {
				mode = ContactMode.STICK;
				g0 = y0;
				g1 = y1;
				gn = yn;
				h00 = 1 / rt;
				h11 = h00;
				h22 = 1 / rn;
			} else if (yn > -muHat * yr) {
				mode = ContactMode.SLIDE;
				const f = 1 / (1 + mu * muHat);
				const t0 = y0 / yr;
				const t1 = y1 / yr;
				gn = f * (yn + muHat * yr);
				g0 = mu * gn * t0;
				g1 = mu * gn * t1;
				const across = (mu * gn) / (yr * rt);
				const along = (mu * muHat * f) / rt - across;
				h00 = across + along * t0 * t0;
				h01 = along * t0 * t1;
				h11 = across + along * t1 * t1;
				h22 = f / rn;
				h02 = mu * h22 * t0;
				h12 = mu * h22 * t1;
			}
		}
		modes[c] = mode;
		impulse[i] = g0;
		impulse[i + 1] = g1;
		impulse[i + 2] = gn;
		hessian[h] = h00;
		hessian[h + 1] = h01;
		hessian[h + 2] = h11;
		hessian[h + 3] = h02;
		hessian[h + 4] = h12;
		hessian[h + 5] = h22;
		cost += 0.5 * (rt * (g0 * g0 + g1 * g1) + rn * gn * gn);
	}
	problem.contactCost = cost;
}

/** Impulses of all scalar rows from their velocities, with the sum of their costs. */
export function evaluateRows(problem: SapProblem): void {
	const { rowCount, rowR, rowVHat, rowLower, rowUpper, rowVelocity, rowImpulse, rowIsInside } = problem;
	let cost = 0;
	for (let r = 0; r < rowCount; r++) {
		const R = rowR[r]!;
		const y = (rowVHat[r]! - rowVelocity[r]!) / R;
		const lower = rowLower[r]!;
		const upper = rowUpper[r]!;
		if (y >= lower && y <= upper) {
			rowImpulse[r] = y;
			rowIsInside[r] = 1;
			cost += 0.5 * R * y * y;
			continue;
		}
		const g = y < lower ? lower : upper;
		rowImpulse[r] = g;
		rowIsInside[r] = 0;
		cost += R * g * (y - 0.5 * g);
	}
	problem.rowCost = cost;
}

/** `out += Jᵀ γ` of every constraint. */
export function addImpulses(problem: SapProblem, out: Float64Array): void {
	const { contactCount, contactStart, contactColumn, contactJacobian, contactImpulse, contactMode } = problem;
	for (let c = 0; c < contactCount; c++) {
		if (contactMode[c] === ContactMode.NONE) continue;
		const g0 = contactImpulse[3 * c]!;
		const g1 = contactImpulse[3 * c + 1]!;
		const gn = contactImpulse[3 * c + 2]!;
		const end = contactStart[c + 1]!;
		for (let k = contactStart[c]!; k < end; k++) {
			const dof = contactColumn[k]!;
			out[dof] =
				out[dof]! + contactJacobian[3 * k]! * g0 + contactJacobian[3 * k + 1]! * g1 + contactJacobian[3 * k + 2]! * gn;
		}
	}
	const { rowCount, rowStart, rowColumn, rowJacobian, rowImpulse } = problem;
	for (let r = 0; r < rowCount; r++) {
		const g = rowImpulse[r]!;
		if (g === 0) continue;
		const end = rowStart[r + 1]!;
		for (let k = rowStart[r]!; k < end; k++) {
			const dof = rowColumn[k]!;
			out[dof] = out[dof]! + rowJacobian[k]! * g;
		}
	}
}
