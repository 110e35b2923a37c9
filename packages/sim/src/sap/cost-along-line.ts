import type { SapProblem } from './sap-problem.ts';

/**
 * Cost along `v + α d`, with its first two derivatives. The momentum part is a parabola and velocities of constraints are
 * straight lines, so an evaluation touches no matrix. The results are fields: an evaluation allocates nothing.
 */
export class CostAlongLine {
	cost = 0;
	slope = 0;
	curvature = 0;
	/** Evaluations since the last `start`. */
	evaluations = 0;
	#problem: SapProblem | undefined;
	#m0 = 0;
	#m1 = 0;
	#m2 = 0;
	#soft = 0;

	/** `m0 + α m1 + ½ α² m2` is the momentum part; velocities and changes of the problem must be up to date. */
	start(problem: SapProblem, m0: number, m1: number, m2: number, soft: number): void {
		this.#problem = problem;
		this.#m0 = m0;
		this.#m1 = m1;
		this.#m2 = m2;
		this.#soft = soft;
		this.evaluations = 0;
	}

	/** Sets `cost`, `slope` and `curvature` for a step length. */
	evaluate(alpha: number): void {
		this.evaluations++;
		this.cost = this.#m0 + alpha * (this.#m1 + 0.5 * alpha * this.#m2);
		this.slope = this.#m1 + alpha * this.#m2;
		this.curvature = this.#m2;
		this.#addContacts(this.#problem!, alpha);
		this.#addRows(this.#problem!, alpha);
	}

	#addContacts(problem: SapProblem, alpha: number): void {
		const { contactCount, contactMu, contactRt, contactRn, contactVHat, contactVelocity, contactChange } = problem;
		const soft = this.#soft;
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

	#addRows(problem: SapProblem, alpha: number): void {
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
