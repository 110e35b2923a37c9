import { ContactMode, type SapProblem, SLIP, SLIP_FRICTION, SLIP_PACE } from './sap-problem.ts';

/** Friction below this counts as none. */
const NO_FRICTION = 1e-12;

/**
 * Impulses of all contacts from their velocities: the projection of `y = (vHat − vc) / R` on the friction cone in the norm of
 * R, with the Hessian of its cost, see `foreseeFriction`, and the sum of the costs `½ γᵀ R γ`. Where the bound of friction is known before the step,
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
	const { contactImpulse: impulse, contactHessian: hessian, contactMode: modes, contactSlip: slip } = problem;
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
		const s = SLIP * c;
		const isForeseen = slip[s + SLIP_PACE]! < 0;
		slip[s + SLIP_PACE] = 0;
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
				const w0 = isForeseen ? slip[s + SLIP_FRICTION]! : t0;
				const w1 = isForeseen ? slip[s + SLIP_FRICTION + 1]! : t1;
				g0 = bound * t0;
				g1 = bound * t1;
				const across = bound / (yr * rt);
				h00 = across * (1 - w0 * t0);
				h01 = -0.5 * across * (w0 * t1 + w1 * t0);
				h11 = across * (1 - w1 * t1);
				slip[s] = t0;
				slip[s + 1] = t1;
				slip[s + SLIP_PACE] = 1 / (yr * rt);
				slip[s + SLIP_FRICTION] = w0;
				slip[s + SLIP_FRICTION + 1] = w1;
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
				const w0 = isForeseen ? slip[s + SLIP_FRICTION]! : t0;
				const w1 = isForeseen ? slip[s + SLIP_FRICTION + 1]! : t1;
				gn = f * (yn + muHat * yr);
				g0 = mu * gn * t0;
				g1 = mu * gn * t1;
				const pace = 1 / (yr * rt);
				const across = mu * gn * pace;
				const along = (mu * muHat * f) / rt;
				h00 = across * (1 - w0 * t0) + along * t0 * t0;
				h01 = along * t0 * t1 - 0.5 * across * (w0 * t1 + w1 * t0);
				h11 = across * (1 - w1 * t1) + along * t1 * t1;
				h22 = f / rn;
				h02 = mu * h22 * t0;
				h12 = mu * h22 * t1;
				slip[s] = t0;
				slip[s + 1] = t1;
				slip[s + SLIP_PACE] = pace;
				slip[s + SLIP_FRICTION] = w0;
				slip[s + SLIP_FRICTION + 1] = w1;
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

/** Forgets what `foreseeFriction` saw: friction then points where contacts slide to. */
export function forgetFriction({ contactSlip, contactCount }: SapProblem): void {
	for (let c = 0; c < contactCount; c++) contactSlip[SLIP * c + SLIP_PACE] = 0;
}

/**
 * Takes the directions of friction of contacts that slide ahead to where the whole Newton step would have them, as unknowns of their own:
 * `w |y| = y`, linear in both (Chan, Golub and Mulet 1999). The Hessian with `w` in place of one of its two directions of slip is
 * still positive, is exact once both agree, and turns friction in a few steps where slips are slow: their own direction says little then.
 */
export function foreseeFriction(problem: SapProblem): void {
	const { contactCount, contactSlip: slip, contactChange } = problem;
	for (let c = 0; c < contactCount; c++) {
		const s = SLIP * c;
		const pace = slip[s + SLIP_PACE]!;
		if (!(pace > 0)) continue;
		const t0 = slip[s]!;
		const t1 = slip[s + 1]!;
		const d0 = contactChange[3 * c]!;
		const d1 = contactChange[3 * c + 1]!;
		const along = t0 * d0 + t1 * d1;
		const w0 = t0 - pace * (d0 - slip[s + SLIP_FRICTION]! * along);
		const w1 = t1 - pace * (d1 - slip[s + SLIP_FRICTION + 1]! * along);
		const size = Math.sqrt(Math.max(1, w0 * w0 + w1 * w1));
		slip[s + SLIP_FRICTION] = w0 / size;
		slip[s + SLIP_FRICTION + 1] = w1 / size;
		slip[s + SLIP_PACE] = -pace;
	}
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
