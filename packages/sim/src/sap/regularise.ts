import type { SapProblem } from './sap-problem.ts';

/** Near-rigid parameter of limits, drives and loops: none is stiffer than a spring of period 0.1 dt on the mass it feels. @public */
export const JOINT_BETA = 0.1;

/** Regularisation of friction, as a share of the Delassus estimate. @public */
export const FRICTION_SIGMA = 1e-3;

/** Physical parameters of a contact between two surfaces. @public */
export interface ContactParameters {
	/** Stiffness [N/m]; may be infinite. */
	readonly stiffness: number;
	/** Relaxation time of the dissipation [s]. */
	readonly tau: number;
	/** Signed distance at the start of the step [m], negative in overlap. */
	readonly phi: number;
	/** Near-rigid parameter. */
	readonly beta: number;
	/** Friction regularisation. */
	readonly sigma: number;
}

/** Least regularisation that keeps a constraint from being stiffer than a spring of period `beta` dt (Castro 2022, V.B). @public */
export function nearRigidBound(beta: number, weight: number): number {
	return ((beta * beta) / (4 * Math.PI * Math.PI)) * weight;
}

/** Delassus estimate of a contact [1/kg]: Frobenius norm of `J diag(A)⁻¹ Jᵀ` over its three rows. @public */
export function contactWeight(problem: SapProblem, contact: number): number {
	weighContact(problem, contact, weightOut);
	return weightOut[0]!;
}

const weightOut = new Float64Array(1);

/** The same, written to an array: a number that a call gives back is boxed. */
export function weighContact(problem: SapProblem, contact: number, out: Float64Array): void {
	const { contactStart, contactColumn, contactJacobian } = problem;
	const { values, base } = problem.mass;
	const end = contactStart[contact + 1]!;
	let w00 = 0;
	let w01 = 0;
	let w11 = 0;
	let w02 = 0;
	let w12 = 0;
	let w22 = 0;
	for (let k = contactStart[contact]!; k < end; k++) {
		const dof = contactColumn[k]!;
		const d = values[base[dof]! + dof]!;
		const a = contactJacobian[3 * k]!;
		const b = contactJacobian[3 * k + 1]!;
		const n = contactJacobian[3 * k + 2]!;
		w00 += (a * a) / d;
		w01 += (a * b) / d;
		w11 += (b * b) / d;
		w02 += (a * n) / d;
		w12 += (b * n) / d;
		w22 += (n * n) / d;
	}
	out[0] = Math.sqrt(w00 * w00 + w11 * w11 + w22 * w22 + 2 * (w01 * w01 + w02 * w02 + w12 * w12)) / 3;
}

/** Delassus estimate of a constraint made of `count` rows that have the same columns. @public */
export function rowsWeight(problem: SapProblem, row: number, count: number): number {
	const { rowStart, rowColumn, rowJacobian, mass } = problem;
	let squares = 0;
	for (let i = 0; i < count; i++) {
		for (let j = i; j < count; j++) {
			const ki = rowStart[row + i]!;
			const kj = rowStart[row + j]!;
			const width = rowStart[row + i + 1]! - ki;
			let sum = 0;
			for (let k = 0; k < width; k++) {
				const dof = rowColumn[ki + k]!;
				sum += (rowJacobian[ki + k]! * rowJacobian[kj + k]!) / mass.values[mass.base[dof]! + dof]!;
			}
			squares += (i === j ? 1 : 2) * sum * sum;
		}
	}
	return Math.sqrt(squares) / count;
}

/** Settles R and the target velocity of a contact from its physics (FORMAT 1.2). `weight` is its Delassus estimate. */
export function regulariseContact(
	problem: SapProblem,
	contact: number,
	weight: number,
	dt: number,
	parameters: ContactParameters,
): void {
	const { stiffness, tau, phi, beta, sigma } = parameters;
	const span = dt + tau;
	problem.contactRn[contact] = Math.max(nearRigidBound(beta, weight), 1 / (dt * stiffness * span));
	problem.contactRt[contact] = sigma * weight;
	problem.contactVHat[3 * contact + 2] = -phi / span;
}

/** Settles a one-sided row: `gap` ≥ 0 is allowed, and closes with the row's velocity (FORMAT 1.3). @public */
export function regulariseLimit(
	problem: SapProblem,
	row: number,
	weight: number,
	dt: number,
	gap: number,
	stiffness: number,
	tau: number,
	beta: number = JOINT_BETA,
): void {
	const span = dt + tau;
	problem.rowR[row] = Math.max(nearRigidBound(beta, weight), 1 / (dt * stiffness * span));
	problem.rowVHat[row] = -gap / span;
}

/**
 * Settles a two-sided row that brings the error `gap` to zero (FORMAT 1.5). Beyond the near-rigid bound the relaxation time
 * is no shorter than the step. @public
 */
export function regulariseBilateral(
	problem: SapProblem,
	row: number,
	weight: number,
	dt: number,
	gap: number,
	stiffness: number,
	tau: number,
	beta: number = JOINT_BETA,
): void {
	const soft = 1 / (dt * (dt + tau) * stiffness);
	const rigid = nearRigidBound(beta, weight);
	const isRigid = soft < rigid;
	problem.rowR[row] = isRigid ? rigid : soft;
	problem.rowVHat[row] = -gap / (dt + (isRigid ? Math.max(dt, tau) : tau));
}

/** Settles a row of dry friction: it brings the velocity to zero within its bounds (FORMAT 1.5). @public */
export function regulariseDryFriction(problem: SapProblem, row: number, weight: number, sigma: number): void {
	problem.rowR[row] = sigma * weight;
	problem.rowVHat[row] = 0;
}

/** Effective gains of a drive; filled by {@link effectiveGains}. @public */
export interface DriveGains {
	kp: number;
	kd: number;
}

/** Gains no stiffer than the near-rigid bound, with their ratio kept (FORMAT 1.4). @public */
export function effectiveGains(
	out: DriveGains,
	kp: number,
	kd: number,
	weight: number,
	dt: number,
	beta: number = JOINT_BETA,
): void {
	const bound = nearRigidBound(beta, weight);
	out.kp = kp;
	out.kd = kd;
	if (1 / (dt * (dt * kp + kd)) >= bound) return;
	if (dt * kp > kd) {
		const ratio = kd / kp;
		out.kp = 1 / (dt * (dt + ratio) * bound);
		out.kd = ratio * out.kp;
	} else {
		const ratio = kp / kd;
		out.kd = 1 / (dt * (1 + dt * ratio) * bound);
		out.kp = ratio * out.kd;
	}
}

/** Settles a drive with effective gains: force `kp (target − q) + kd (targetVelocity − v) + feedForward`, implicit in time. @public */
export function regulariseDrive(
	problem: SapProblem,
	row: number,
	dt: number,
	gains: Readonly<DriveGains>,
	positionError: number,
	targetVelocity: number,
	feedForward: number,
): void {
	const gain = dt * gains.kp + gains.kd;
	problem.rowR[row] = 1 / (dt * gain);
	problem.rowVHat[row] = (gains.kp * positionError + gains.kd * targetVelocity + feedForward) / gain;
}
