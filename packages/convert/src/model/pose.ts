import { arcTangent2, cosine, quatRotate, sine, transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { JointFreedom } from './conversion-model.ts';

/** A pose of seven numbers that moves nothing. */
export function identityPose(): Float64Array {
	return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
}

/** The pose `b`, given in the frame of `a`. */
export function compose(a: Float64Array, b: Float64Array): Float64Array {
	return transformMultiply(new Float64Array(7), a, b);
}

/** The pose that undoes another. */
export function inverse(a: Float64Array): Float64Array {
	return transformInvert(new Float64Array(7), a);
}

/** A direction, turned by a pose. */
export function turned(pose: Float64Array, v: readonly number[]): [number, number, number] {
	const out = quatRotate(new Float64Array(3), pose, Float64Array.from(v), 0, 3);
	return [out[0]!, out[1]!, out[2]!];
}

/** Whether a pose moves nothing, to the last digits. */
export function isIdentity(pose: Float64Array): boolean {
	for (let i = 0; i < 6; i++) if (Math.abs(pose[i]!) > 1e-15) return false;
	return true;
}

/** Roll about x, then pitch about the fixed y, then yaw about the fixed z. */
export function quatOfRpy(roll: number, pitch: number, yaw: number): Float64Array {
	const [cr, sr] = [cosine(roll / 2), sine(roll / 2)];
	const [cp, sp] = [cosine(pitch / 2), sine(pitch / 2)];
	const [cy, sy] = [cosine(yaw / 2), sine(yaw / 2)];
	return Float64Array.of(
		sr * cp * cy - cr * sp * sy,
		cr * sp * cy + sr * cp * sy,
		cr * cp * sy - sr * sp * cy,
		cr * cp * cy + sr * sp * sy,
	);
}

/**
 * Roll, pitch and yaw of a pose, from the half sum and half difference of roll and yaw, which keep all digits where the pitch is
 * straight up or down; exactly there yaw is 0.
 */
export function rpyOf(pose: Float64Array): [number, number, number] {
	const [x, y, z, w] = [pose[3]!, pose[4]!, pose[5]!, pose[6]!];
	const up = Math.sqrt((x - z) ** 2 + (w + y) ** 2);
	const down = Math.sqrt((x + z) ** 2 + (w - y) ** 2);
	const ofUp = 2 * arcTangent2(x - z, w + y);
	const ofDown = 2 * arcTangent2(x + z, w - y);
	const difference = up === 0 ? ofDown : ofUp;
	const sum = down === 0 ? ofUp : ofDown;
	return [wrapped((sum + difference) / 2), 2 * arcTangent2(up, down) - Math.PI / 2, wrapped((sum - difference) / 2)];
}

/** The same angle between -π and π. */
function wrapped(angle: number): number {
	return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}

/** How far a joint moves its child for a value of its freedom. */
export function motionOf({ motion, axis }: JointFreedom, value: number): Float64Array {
	if (motion === 'slide') return Float64Array.of(axis[0] * value, axis[1] * value, axis[2] * value, 0, 0, 0, 1);
	const [s, c] = [sine(value / 2), cosine(value / 2)];
	return Float64Array.of(0, 0, 0, axis[0] * s, axis[1] * s, axis[2] * s, c);
}
