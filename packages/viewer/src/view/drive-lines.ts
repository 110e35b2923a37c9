import { Vector3 } from 'three';
import type { JointRow } from '../asset/asset-types.ts';
import type { LineWriter } from './line-cloud.ts';

const VIOLET = [0.55, 0.25, 0.9];
const PINK = [0.95, 0.35, 0.65];
/** Segments of an arc over a whole turn. */
const SEGMENTS = 48;

/** A joint in the world: where it is, and the direction of each of its axes. */
export interface PlacedJoint {
	readonly joint: JointRow;
	readonly origin: Vector3;
	readonly axes: readonly Vector3[];
}

/**
 * Draws drives: a hand at the coordinate of the joint, a longer one at its target, and the way between them, along an arc or along the
 * axis. Joints without a drive have none.
 */
export function drawDrives(
	lines: LineWriter,
	joints: Iterable<PlacedJoint>,
	coordinates: ArrayLike<number>,
	targets: ArrayLike<number>,
	size: number,
): void {
	for (const { joint, origin, axes } of joints) {
		for (const [i, { isDriven, motion, coordinate }] of joint.freedoms.entries()) {
			if (!isDriven) continue;
			const [now, aim] = [coordinates[coordinate] ?? 0, targets[coordinate] ?? 0];
			if (motion === 'turn') drawTurn(lines, origin, axes[i]!, now, aim, size);
			else drawSlide(lines, origin, axes[i]!, now, aim, size);
		}
	}
}

function drawTurn(lines: LineWriter, origin: Vector3, axis: Vector3, now: number, aim: number, size: number): void {
	const zero = perpendicular(axis);
	const at = (angle: number, reach: number): Vector3 =>
		zero
			.clone()
			.applyAxisAngle(axis, angle)
			.multiplyScalar(reach * size)
			.add(origin);
	lines.line(origin, at(now, 0.75), VIOLET);
	lines.line(origin, at(aim, 1), PINK);
	const count = Math.min(SEGMENTS, Math.ceil((SEGMENTS * Math.abs(aim - now)) / (2 * Math.PI)));
	for (let k = 0; k < count; k++) {
		lines.line(at(now + ((aim - now) * k) / count, 0.65), at(now + ((aim - now) * (k + 1)) / count, 0.65), PINK);
	}
}

function drawSlide(lines: LineWriter, origin: Vector3, axis: Vector3, now: number, aim: number, size: number): void {
	const across = perpendicular(axis).multiplyScalar(0.25 * size);
	const at = (q: number): Vector3 => axis.clone().multiplyScalar(q).add(origin);
	const mark = (q: number, share: number, color: readonly number[]): void => {
		const arm = across.clone().multiplyScalar(share);
		lines.line(at(q).sub(arm), at(q).add(arm), color);
	};
	mark(now, 0.75, VIOLET);
	mark(aim, 1, PINK);
	if (now !== aim) lines.line(at(now), at(aim), PINK);
}

/** A direction across an axis. */
export function perpendicular(axis: Vector3): Vector3 {
	const across = Math.abs(axis.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
	return across.cross(axis).normalize();
}
