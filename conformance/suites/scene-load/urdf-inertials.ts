import { readFileSync } from 'node:fs';
import { eigenSymmetric3, quatRotate } from '@manyworlds/core/internal';
import { readUrdf } from '@manyworlds/formats';
import type { LoadedScene } from '@manyworlds/scene';

/** Inertia tensors by body label. */
export type UrdfInertials = ReadonlyMap<string, number[][]>;

/** Inertias of the URDF assets of a scene as the reference has them: R I, made symmetric and corrected. */
export function urdfInertials({ assets }: LoadedScene): UrdfInertials {
	const out = new Map<string, number[][]>();
	for (const { format, file } of assets) {
		if (format !== 'urdf' || file === undefined) continue;
		const { robot } = readUrdf(new Uint8Array(readFileSync(file)));
		for (const link of robot?.links ?? []) {
			const { inertial } = link;
			if (inertial?.inertia === undefined) continue;
			const [ixx, ixy, ixz, iyy, iyz, izz] = inertial.inertia as readonly number[];
			const tensor = Float64Array.of(ixx!, ixy!, ixz!, ixy!, iyy!, iyz!, ixz!, iyz!, izz!);
			const [roll, pitch, yaw] = inertial.origin.rpy as readonly number[];
			const rotation = quaternion(roll!, pitch!, yaw!);
			// one column of the tensor after the other
			const turned = new Float64Array(9);
			for (let k = 0; k < 9; k += 3) quatRotate(turned, rotation, tensor, k, 0, k);
			const symmetric = turned.map((value, i) => (value + turned[3 * (i % 3) + Math.floor(i / 3)]!) / 2);
			const shift = correction(symmetric);
			out.set(
				`${robot?.name}/${link.name}`,
				[0, 1, 2].map((i) => [0, 1, 2].map((k) => symmetric[3 * i + k]! + (i === k ? shift : 0))),
			);
		}
	}
	return out;
}

/** What the reference adds to the diagonal of a tensor that no body can have. */
function correction(tensor: Float64Array): number {
	const values = new Float64Array(3);
	eigenSymmetric3(values, new Float64Array(9), tensor);
	const [a, b, c] = Array.from(values).sort((x, y) => x - y) as [number, number, number];
	const floor = Math.max(0, 1e-6 - a);
	const deficit = c - a - b - floor;
	return floor + (deficit > 1e-6 ? deficit + 1e-6 : 0);
}

function quaternion(roll: number, pitch: number, yaw: number): Float64Array {
	const [cr, cp, cy] = [roll, pitch, yaw].map((angle) => Math.cos(angle / 2)) as [number, number, number];
	const [sr, sp, sy] = [roll, pitch, yaw].map((angle) => Math.sin(angle / 2)) as [number, number, number];
	return Float64Array.of(
		sr * cp * cy - cr * sp * sy,
		cr * sp * cy + sr * cp * sy,
		cr * cp * sy - sr * sp * cy,
		cr * cp * cy + sr * sp * sy,
	);
}
