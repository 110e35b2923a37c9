import type { Model } from '@manyworlds/model';
import type { JointCoordinates } from './coordinate-sync.ts';

/*
 * Coordinates of free joints, written out number by number: a step of a robot is so short that calls of functions for
 * products and rotations would show. A test holds every bit to what those functions give.
 */

/** Writes the coordinates of a free joint to `qpos` from `q` and `qvel` from `v` on. */
export function pushFree(
	model: Model,
	joint: number,
	source: JointCoordinates,
	qpos: Float64Array,
	qvel: Float64Array,
	q: number,
	v: number,
): void {
	const { jointXP, jointXC, bodyCom } = model;
	const { jointQ, jointQd } = source;
	const at = 7 * joint;
	// parent anchor
	const ax = jointXP[at]!;
	const ay = jointXP[at + 1]!;
	const az = jointXP[at + 2]!;
	const ai = jointXP[at + 3]!;
	const aj = jointXP[at + 4]!;
	const ak = jointXP[at + 5]!;
	const aw = jointXP[at + 6]!;
	const c = model.jointQStart[joint]!;
	let bx = jointQ[c]!;
	let by = jointQ[c + 1]!;
	let bz = jointQ[c + 2]!;
	let bi = jointQ[c + 3]!;
	let bj = jointQ[c + 4]!;
	let bk = jointQ[c + 5]!;
	let bw = jointQ[c + 6]!;
	let tx = 2 * (aj * bz - ak * by);
	let ty = 2 * (ak * bx - ai * bz);
	let tz = 2 * (ai * by - aj * bx);
	// the joint in the world
	const jx = ax + bx + aw * tx + (aj * tz - ak * ty);
	const jy = ay + by + aw * ty + (ak * tx - ai * tz);
	const jz = az + bz + aw * tz + (ai * ty - aj * tx);
	const ji = aw * bi + ai * bw + aj * bk - ak * bj;
	const jj = aw * bj - ai * bk + aj * bw + ak * bi;
	const jk = aw * bk + ai * bj - aj * bi + ak * bw;
	const jw = aw * bw - ai * bi - aj * bj - ak * bk;
	// back over the child anchor
	let x = jointXC[at]!;
	let y = jointXC[at + 1]!;
	let z = jointXC[at + 2]!;
	bi = -jointXC[at + 3]!;
	bj = -jointXC[at + 4]!;
	bk = -jointXC[at + 5]!;
	bw = jointXC[at + 6]!;
	tx = 2 * (bj * z - bk * y);
	ty = 2 * (bk * x - bi * z);
	tz = 2 * (bi * y - bj * x);
	bx = -(x + bw * tx + (bj * tz - bk * ty));
	by = -(y + bw * ty + (bk * tx - bi * tz));
	bz = -(z + bw * tz + (bi * ty - bj * tx));
	tx = 2 * (jj * bz - jk * by);
	ty = 2 * (jk * bx - ji * bz);
	tz = 2 * (ji * by - jj * bx);
	qpos[q] = jx + bx + jw * tx + (jj * tz - jk * ty);
	qpos[q + 1] = jy + by + jw * ty + (jk * tx - ji * tz);
	qpos[q + 2] = jz + bz + jw * tz + (ji * ty - jj * tx);
	const i = jw * bi + ji * bw + jj * bk - jk * bj;
	const j = jw * bj - ji * bk + jj * bw + jk * bi;
	const k = jw * bk + ji * bj - jj * bi + jk * bw;
	const w = jw * bw - ji * bi - jj * bj - jk * bk;
	qpos[q + 3] = w;
	qpos[q + 4] = i;
	qpos[q + 5] = j;
	qpos[q + 6] = k;
	// velocities in world axes
	const d = model.jointQdStart[joint]!;
	x = jointQd[d]!;
	y = jointQd[d + 1]!;
	z = jointQd[d + 2]!;
	tx = 2 * (aj * z - ak * y);
	ty = 2 * (ak * x - ai * z);
	tz = 2 * (ai * y - aj * x);
	const lx = x + aw * tx + (aj * tz - ak * ty);
	const ly = y + aw * ty + (ak * tx - ai * tz);
	const lz = z + aw * tz + (ai * ty - aj * tx);
	x = jointQd[d + 3]!;
	y = jointQd[d + 4]!;
	z = jointQd[d + 5]!;
	tx = 2 * (aj * z - ak * y);
	ty = 2 * (ak * x - ai * z);
	tz = 2 * (ai * y - aj * x);
	const wx = x + aw * tx + (aj * tz - ak * ty);
	const wy = y + aw * ty + (ak * tx - ai * tz);
	const wz = z + aw * tz + (ai * ty - aj * tx);
	// from the centre of mass to the origin of the body
	const com = 3 * model.jointChild[joint]!;
	x = bodyCom[com]!;
	y = bodyCom[com + 1]!;
	z = bodyCom[com + 2]!;
	tx = 2 * (j * z - k * y);
	ty = 2 * (k * x - i * z);
	tz = 2 * (i * y - j * x);
	bx = x + w * tx + (j * tz - k * ty);
	by = y + w * ty + (k * tx - i * tz);
	bz = z + w * tz + (i * ty - j * tx);
	qvel[v] = lx - (wy * bz - wz * by);
	qvel[v + 1] = ly - (wz * bx - wx * bz);
	qvel[v + 2] = lz - (wx * by - wy * bx);
	// MuJoCo has the angular velocity in axes of the body
	bi = -i;
	bj = -j;
	bk = -k;
	tx = 2 * (bj * wz - bk * wy);
	ty = 2 * (bk * wx - bi * wz);
	tz = 2 * (bi * wy - bj * wx);
	qvel[v + 3] = wx + w * tx + (bj * tz - bk * ty);
	qvel[v + 4] = wy + w * ty + (bk * tx - bi * tz);
	qvel[v + 5] = wz + w * tz + (bi * ty - bj * tx);
}

/** Writes `qpos` from `q` and `qvel` from `v` on to the coordinates of a free joint. */
export function pullFree(
	model: Model,
	joint: number,
	qpos: Float64Array,
	qvel: Float64Array,
	q: number,
	v: number,
	target: JointCoordinates,
): void {
	const { jointXP, jointXC, bodyCom } = model;
	const { jointQ, jointQd } = target;
	const at = 7 * joint;
	const px = qpos[q]!;
	const py = qpos[q + 1]!;
	const pz = qpos[q + 2]!;
	const w = qpos[q + 3]!;
	const i = qpos[q + 4]!;
	const j = qpos[q + 5]!;
	const k = qpos[q + 6]!;
	// into the parent anchor: by its inverse
	let x = jointXP[at]!;
	let y = jointXP[at + 1]!;
	let z = jointXP[at + 2]!;
	const ai = -jointXP[at + 3]!;
	const aj = -jointXP[at + 4]!;
	const ak = -jointXP[at + 5]!;
	const aw = jointXP[at + 6]!;
	let tx = 2 * (aj * z - ak * y);
	let ty = 2 * (ak * x - ai * z);
	let tz = 2 * (ai * y - aj * x);
	const ax = -(x + aw * tx + (aj * tz - ak * ty));
	const ay = -(y + aw * ty + (ak * tx - ai * tz));
	const az = -(z + aw * tz + (ai * ty - aj * tx));
	tx = 2 * (aj * pz - ak * py);
	ty = 2 * (ak * px - ai * pz);
	tz = 2 * (ai * py - aj * px);
	const jx = ax + px + aw * tx + (aj * tz - ak * ty);
	const jy = ay + py + aw * ty + (ak * tx - ai * tz);
	const jz = az + pz + aw * tz + (ai * ty - aj * tx);
	const ji = aw * i + ai * w + aj * k - ak * j;
	const jj = aw * j - ai * k + aj * w + ak * i;
	const jk = aw * k + ai * j - aj * i + ak * w;
	const jw = aw * w - ai * i - aj * j - ak * k;
	// and on to the child anchor
	x = jointXC[at]!;
	y = jointXC[at + 1]!;
	z = jointXC[at + 2]!;
	const ci = jointXC[at + 3]!;
	const cj = jointXC[at + 4]!;
	const ck = jointXC[at + 5]!;
	const cw = jointXC[at + 6]!;
	const c = model.jointQStart[joint]!;
	tx = 2 * (jj * z - jk * y);
	ty = 2 * (jk * x - ji * z);
	tz = 2 * (ji * y - jj * x);
	jointQ[c] = jx + x + jw * tx + (jj * tz - jk * ty);
	jointQ[c + 1] = jy + y + jw * ty + (jk * tx - ji * tz);
	jointQ[c + 2] = jz + z + jw * tz + (ji * ty - jj * tx);
	jointQ[c + 3] = jw * ci + ji * cw + jj * ck - jk * cj;
	jointQ[c + 4] = jw * cj - ji * ck + jj * cw + jk * ci;
	jointQ[c + 5] = jw * ck + ji * cj - jj * ci + jk * cw;
	jointQ[c + 6] = jw * cw - ji * ci - jj * cj - jk * ck;
	// velocities in world axes
	x = qvel[v + 3]!;
	y = qvel[v + 4]!;
	z = qvel[v + 5]!;
	tx = 2 * (j * z - k * y);
	ty = 2 * (k * x - i * z);
	tz = 2 * (i * y - j * x);
	const wx = x + w * tx + (j * tz - k * ty);
	const wy = y + w * ty + (k * tx - i * tz);
	const wz = z + w * tz + (i * ty - j * tx);
	// from the origin of the body to its centre of mass
	const com = 3 * model.jointChild[joint]!;
	x = bodyCom[com]!;
	y = bodyCom[com + 1]!;
	z = bodyCom[com + 2]!;
	tx = 2 * (j * z - k * y);
	ty = 2 * (k * x - i * z);
	tz = 2 * (i * y - j * x);
	const bx = x + w * tx + (j * tz - k * ty);
	const by = y + w * ty + (k * tx - i * tz);
	const bz = z + w * tz + (i * ty - j * tx);
	const d = model.jointQdStart[joint]!;
	x = qvel[v]! + (wy * bz - wz * by);
	y = qvel[v + 1]! + (wz * bx - wx * bz);
	z = qvel[v + 2]! + (wx * by - wy * bx);
	tx = 2 * (aj * z - ak * y);
	ty = 2 * (ak * x - ai * z);
	tz = 2 * (ai * y - aj * x);
	jointQd[d] = x + aw * tx + (aj * tz - ak * ty);
	jointQd[d + 1] = y + aw * ty + (ak * tx - ai * tz);
	jointQd[d + 2] = z + aw * tz + (ai * ty - aj * tx);
	tx = 2 * (aj * wz - ak * wy);
	ty = 2 * (ak * wx - ai * wz);
	tz = 2 * (ai * wy - aj * wx);
	jointQd[d + 3] = wx + aw * tx + (aj * tz - ak * ty);
	jointQd[d + 4] = wy + aw * ty + (ak * tx - ai * tz);
	jointQd[d + 5] = wz + aw * tz + (ai * ty - aj * tx);
}
