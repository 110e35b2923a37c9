import { mat3FromQuat } from '@manyworlds/core/internal';
import type { ArticulationSweep } from './articulation-sweep.ts';

/**
 * Numbers of one spatial inertia about a fixed point, in world axes: mass, first moment (3),
 * second moment tensor xx xy xz yy yz zz.
 */
export const INERTIA_SIZE = 10;

const rotation = new Float64Array(9);

/** Writes the inertia of a body about `origin`, a world point. The sweep must have placed the body. */
export function writeBodyInertia(
	sweep: ArticulationSweep,
	body: number,
	bodyQ: Float64Array,
	origin: Float64Array,
	out: Float64Array,
	at: number,
): void {
	const { model, com } = sweep;
	const mass = model.bodyMass[body]!;
	const x = com[3 * body]! - origin[0]!;
	const y = com[3 * body + 1]! - origin[1]!;
	const z = com[3 * body + 2]! - origin[2]!;
	mat3FromQuat(rotation, bodyQ, 0, 7 * body + 3);
	out[at] = mass;
	out[at + 1] = mass * x;
	out[at + 2] = mass * y;
	out[at + 3] = mass * z;
	const tensor = model.bodyInertia;
	const b = 9 * body;
	let k = at + 4;
	for (let i = 0; i < 3; i++) {
		for (let j = i; j < 3; j++) {
			// (R I Rᵀ)ij; row p of the matrix is body axis p in the world
			let sum = 0;
			for (let p = 0; p < 3; p++) {
				let inner = 0;
				for (let q = 0; q < 3; q++) inner += tensor[b + 3 * p + q]! * rotation[3 * q + j]!;
				sum += rotation[3 * p + i]! * inner;
			}
			out[k++] = sum;
		}
	}
	out[at + 4] = out[at + 4]! + mass * (y * y + z * z);
	out[at + 5] = out[at + 5]! - mass * x * y;
	out[at + 6] = out[at + 6]! - mass * x * z;
	out[at + 7] = out[at + 7]! + mass * (x * x + z * z);
	out[at + 8] = out[at + 8]! - mass * y * z;
	out[at + 9] = out[at + 9]! + mass * (x * x + y * y);
}

/** Momentum about the origin of an inertia that moves with `twist` (linear velocity of the point at the origin, angular). */
export function applyInertia(
	inertia: Float64Array,
	at: number,
	twist: Float64Array,
	t: number,
	out: Float64Array,
	o: number,
): void {
	const m = inertia[at]!;
	const hx = inertia[at + 1]!;
	const hy = inertia[at + 2]!;
	const hz = inertia[at + 3]!;
	const vx = twist[t]!;
	const vy = twist[t + 1]!;
	const vz = twist[t + 2]!;
	const wx = twist[t + 3]!;
	const wy = twist[t + 4]!;
	const wz = twist[t + 5]!;
	out[o] = m * vx + wy * hz - wz * hy;
	out[o + 1] = m * vy + wz * hx - wx * hz;
	out[o + 2] = m * vz + wx * hy - wy * hx;
	out[o + 3] = inertia[at + 4]! * wx + inertia[at + 5]! * wy + inertia[at + 6]! * wz + hy * vz - hz * vy;
	out[o + 4] = inertia[at + 5]! * wx + inertia[at + 7]! * wy + inertia[at + 8]! * wz + hz * vx - hx * vz;
	out[o + 5] = inertia[at + 6]! * wx + inertia[at + 8]! * wy + inertia[at + 9]! * wz + hx * vy - hy * vx;
}
