import { quatRotate, transformInvert, transformMultiply } from '@manyworlds/core/internal';

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
	const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
	const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
	const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
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
	const up = Math.hypot(x - z, w + y);
	const down = Math.hypot(x + z, w - y);
	const ofUp = 2 * Math.atan2(x - z, w + y);
	const ofDown = 2 * Math.atan2(x + z, w - y);
	const difference = up === 0 ? ofDown : ofUp;
	const sum = down === 0 ? ofUp : ofDown;
	return [wrapped((sum + difference) / 2), 2 * Math.atan2(up, down) - Math.PI / 2, wrapped((sum - difference) / 2)];
}

/** The same angle between -π and π. */
function wrapped(angle: number): number {
	return angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
}
