import type { SapProblem } from './sap-problem.ts';

/**
 * Cost along `v + α d`, with its first two derivatives. The momentum part is a parabola and velocities of constraints are
 * straight lines, so an evaluation touches no matrix. Arguments and results are fields, as numbers that go through calls are
 * boxed: an evaluation allocates nothing.
 */
export class CostAlongLine {
	/** Step length to evaluate; after a search, the one that was found. */
	alpha = 0;
	cost = 0;
	slope = 0;
	curvature = 0;
	/** Cost and slope at length 0. */
	cost0 = 0;
	slope0 = 0;
	/** `m0 + α m1 + ½ α² m2` is the momentum part. */
	m0 = 0;
	m1 = 0;
	m2 = 0;
	/** Evaluations since the last `start`. */
	evaluations = 0;
	#problem: SapProblem | undefined;

	/** Takes a problem whose velocities and changes are up to date; the caller sets the numbers at length 0. */
	start(problem: SapProblem): void {
		this.#problem = problem;
		this.evaluations = 0;
	}

	/** Sets `cost`, `slope` and `curvature` for the step length `alpha`. */
	evaluate(): void {
		const { alpha, m1, m2 } = this;
		this.evaluations++;
		this.cost = this.m0 + alpha * (m1 + 0.5 * alpha * m2);
		this.slope = m1 + alpha * m2;
		this.curvature = m2;
		this.#addContacts(this.#problem!);
		this.#addRows(this.#problem!);
	}

	#addContacts(problem: SapProblem): void {
		const { alpha } = this;
		const { softSquare: soft } = problem;
		const { contactCount, contactMu, contactBound, contactRt, contactRn } = problem;
		const { contactVHat, contactVelocity, contactChange } = problem;
		let cost = 0;
		let slope = 0;
		let curvature = 0;
		for (let c = 0; c < contactCount; c++) {
			const mu = contactMu[c]!;
			const rt = contactRt[c]!;
			const rn = contactRn[c]!;
			const i = 3 * c;
			const d0 = contactChange[i]!;
			const d1 = contactChange[i + 1]!;
			const dn = contactChange[i + 2]!;
			const yn = (contactVHat[i + 2]! - contactVelocity[i + 2]! - alpha * dn) / rn;
			if (mu <= 1e-12) {
				if (yn <= 0) continue;
				cost += 0.5 * rn * yn * yn;
				slope -= yn * dn;
				curvature += (dn * dn) / rn;
				continue;
			}
			const y0 = (contactVHat[i]! - contactVelocity[i]! - alpha * d0) / rt;
			const y1 = (contactVHat[i + 1]! - contactVelocity[i + 1]! - alpha * d1) / rt;
			const bound = contactBound[c]!;
			if (bound >= 0) {
				if (yn > 0) {
					cost += 0.5 * rn * yn * yn;
					slope -= yn * dn;
					curvature += (dn * dn) / rn;
				}
				const size = Math.sqrt(y0 * y0 + y1 * y1);
				if (size <= bound) {
					cost += 0.5 * rt * size * size;
					slope -= y0 * d0 + y1 * d1;
					curvature += (d0 * d0 + d1 * d1) / rt;
				} else if (bound > 0) {
					const along = (y0 * d0 + y1 * d1) / size;
					cost += rt * bound * (size - 0.5 * bound);
					slope -= bound * along;
					curvature += (bound / (size * rt)) * (d0 * d0 + d1 * d1 - along * along);
				}
				continue;
			}
			const yr = Math.sqrt(y0 * y0 + y1 * y1 + soft);
			if (yr <= mu * yn) {
				cost += 0.5 * (rt * (y0 * y0 + y1 * y1) + rn * yn * yn);
				slope -= y0 * d0 + y1 * d1 + yn * dn;
				curvature += (d0 * d0 + d1 * d1) / rt + (dn * dn) / rn;
				continue;
			}
			const muHat = (mu * rt) / rn;
			if (yn <= -muHat * yr) continue;
			const f = 1 / (1 + mu * muHat);
			const gn = f * (yn + muHat * yr);
			const t0 = y0 / yr;
			const t1 = y1 / yr;
			const g = mu * gn;
			cost += 0.5 * (rt * g * g * (t0 * t0 + t1 * t1) + rn * gn * gn);
			const along = t0 * d0 + t1 * d1;
			slope -= g * along + gn * dn;
			const squares = d0 * d0 + d1 * d1 - along * along;
			const push = mu * along + dn;
			// dᵀ G d, with the cone's curvature across and the pressure's along the direction of slip
			curvature += (g / (yr * rt)) * squares + (f / rn) * push * push;
		}
		this.cost += cost;
		this.slope += slope;
		this.curvature += curvature;
	}

	#addRows(problem: SapProblem): void {
		const { alpha } = this;
		const { rowCount, rowR, rowVHat, rowLower, rowUpper, rowVelocity, rowChange } = problem;
		let cost = 0;
		let slope = 0;
		let curvature = 0;
		for (let r = 0; r < rowCount; r++) {
			const R = rowR[r]!;
			const d = rowChange[r]!;
			const y = (rowVHat[r]! - rowVelocity[r]! - alpha * d) / R;
			if (y >= rowLower[r]! && y <= rowUpper[r]!) {
				cost += 0.5 * R * y * y;
				slope -= y * d;
				curvature += (d * d) / R;
				continue;
			}
			const g = y < rowLower[r]! ? rowLower[r]! : rowUpper[r]!;
			cost += R * g * (y - 0.5 * g);
			slope -= g * d;
		}
		this.cost += cost;
		this.slope += slope;
		this.curvature += curvature;
	}
}
