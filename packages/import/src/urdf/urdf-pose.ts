import { quatMultiply } from '@manyworlds/core/internal';
import type { UrdfPose } from '@manyworlds/formats';

/** Seven numbers of a pose, with its position scaled. */
export function transformOf(pose: UrdfPose, scale: number): Float64Array {
	const out = new Float64Array(7);
	for (let i = 0; i < 3; i++) out[i] = pose.xyz[i]! * scale;
	out.set(quatOfRpy(pose.rpy), 3);
	return out;
}

/** Roll about x, then pitch about the fixed y, then yaw about the fixed z. */
function quatOfRpy([roll, pitch, yaw]: readonly [number, number, number]): Float64Array {
	const about = (axis: number, angle: number): Float64Array => {
		const q = Float64Array.of(0, 0, 0, Math.cos(angle / 2));
		q[axis] = Math.sin(angle / 2);
		return q;
	};
	const q = about(2, yaw);
	quatMultiply(q, q, about(1, pitch));
	quatMultiply(q, q, about(0, roll));
	return q;
}
