import type { ConversionModel } from '@manyworlds/convert';
import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { SensorRow } from './asset-types.ts';

/** From a camera that looks against z to its optical frame: half a turn about x. */
const TO_OPTICAL = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

/**
 * Sensors and cameras that a robot of any format carries. `linkOfBody` gives the link that a body of the robot is; what is fixed to
 * a link without being one of its own is carried by that link.
 */
export function robotSensorRows(robot: ConversionModel, linkOfBody: (body: number) => number): SensorRow[] {
	const { bodies, joints, sensors, cameras } = robot;
	const placed = (body: number, pose: Float64Array): Pick<SensorRow, 'link' | 'pose'> | undefined => {
		if (body < 0) return { link: -1, pose: [...pose] };
		const world = transformMultiply(new Float64Array(7), bodies[body]!.pose, pose);
		for (let at = body; at >= 0; ) {
			const link = linkOfBody(at);
			if (link >= 0) {
				const inverse = transformInvert(new Float64Array(7), bodies[at]!.pose);
				return { link, pose: [...transformMultiply(new Float64Array(7), inverse, world)] };
			}
			at = joints.find(({ child, kind }) => child === at && kind === 'fixed')?.parent ?? -1;
		}
		return undefined;
	};
	const rows: SensorRow[] = [];
	for (const { name, kind, body, pose, beams } of sensors) {
		const place = placed(body, pose);
		if (place === undefined) continue;
		const { horizontal, vertical } = beams ?? {};
		rows.push({
			name,
			kind: kind === 'lidar' ? 'lidar' : 'other',
			...place,
			...(horizontal !== undefined && { fan: [horizontal.lower, horizontal.upper] as const }),
			...(vertical !== undefined && vertical.samples > 1 && { tilt: [vertical.lower, vertical.upper] as const }),
		});
	}
	for (const { name, body, pose, vertical, aspect, projection } of cameras) {
		const place = placed(body, transformMultiply(new Float64Array(7), pose, TO_OPTICAL));
		if (place === undefined || projection !== 'perspective') continue;
		const halfHeight = Math.tan(vertical / 2);
		rows.push({ name, kind: 'camera', ...place, halfHeight, halfWidth: halfHeight * aspect });
	}
	return rows;
}
