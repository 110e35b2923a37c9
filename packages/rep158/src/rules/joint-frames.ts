import { mat4Determinant } from '@manyworlds/core/internal';
import type { Prim } from '@manyworlds/usd';
import { factorMatrix } from '@manyworlds/usd/internal';
import { readTuple } from '../asset/read-values.ts';
import type { CheckContext } from '../context/check-context.ts';

/** A frame of a joint in the space of the stage. */
export interface JointFrame {
	/** Where the joint is, in units of the stage. */
	readonly position: Float64Array;
	/** Rows are the axes of the frame, as a 4 × 4 matrix without translation. */
	readonly matrix: Float64Array;
}

/**
 * The frame that a joint has seen from one of its sides: the local pose of that side, moved with the prim that the relationship
 * names, its scale included; without a prim it is in the world. Undefined when the numbers are not finite.
 */
export function jointFrame(
	context: CheckContext,
	joint: Prim,
	target: Prim | undefined,
	side: 0 | 1,
): JointFrame | undefined {
	const local = readTuple(joint, `physics:localPos${side}`, 3) ?? new Float64Array(3);
	const turn = rotationRows(readTuple(joint, `physics:localRot${side}`, 4) ?? IDENTITY_QUATERNION);
	if (target === undefined) return finite({ position: local, matrix: turn });
	const world = context.transforms.worldTransform(target);
	const position = new Float64Array(3);
	for (let j = 0; j < 3; j++) {
		position[j] = local[0]! * world[j]! + local[1]! * world[4 + j]! + local[2]! * world[8 + j]! + world[12 + j]!;
	}
	const rotationMatrix = isRotation(world) ? world : factorMatrix(world).rotationMatrix;
	const matrix = new Float64Array(16);
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = 0;
			for (let k = 0; k < 3; k++) sum += turn[i * 4 + k]! * rotationMatrix[k * 4 + j]!;
			matrix[i * 4 + j] = sum;
		}
	}
	matrix[15] = 1;
	return finite({ position, matrix });
}

/** Radians between two frames. */
export function frameAngle(a: JointFrame, b: JointFrame): number {
	let trace = 0;
	for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) trace += a.matrix[i * 4 + j]! * b.matrix[i * 4 + j]!;
	return Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2)));
}

/** Radians between the axes number `axis` of two frames. */
export function axisAngle(a: JointFrame, b: JointFrame, axis: number): number {
	let dot = 0;
	for (let j = 0; j < 3; j++) dot += a.matrix[axis * 4 + j]! * b.matrix[axis * 4 + j]!;
	return Math.acos(Math.min(1, Math.max(-1, dot)));
}

/** Whether the linear part of a matrix turns and nothing else, as that of most links does. */
function isRotation(m: Float64Array): boolean {
	for (let i = 0; i < 3; i++) {
		for (let j = i; j < 3; j++) {
			const dot = m[i * 4]! * m[j * 4]! + m[i * 4 + 1]! * m[j * 4 + 1]! + m[i * 4 + 2]! * m[j * 4 + 2]!;
			if (!(Math.abs(dot - (i === j ? 1 : 0)) <= 1e-9)) return false;
		}
	}
	return mat4Determinant(m) > 0;
}

const IDENTITY_QUATERNION = new Float64Array([0, 0, 0, 1]);

/** The rotation of a quaternion (i, j, k, real) for points that are rows; that of its direction when it is not of unit length. */
function rotationRows(quaternion: Float64Array): Float64Array {
	const [i, j, k, r] = quaternion as unknown as [number, number, number, number];
	const length = Math.hypot(i, j, k, r);
	const [x, y, z, w] = length > 0 ? [i / length, j / length, k / length, r / length] : [0, 0, 0, 1];
	return new Float64Array([
		...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
		...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
		...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
		...[0, 0, 0, 1],
	]);
}

function finite(frame: JointFrame): JointFrame | undefined {
	return frame.position.every(Number.isFinite) && frame.matrix.every(Number.isFinite) ? frame : undefined;
}
