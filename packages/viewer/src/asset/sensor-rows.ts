import type { Model } from '@manyworlds/model';
import { specFromStage, TypeRegistry } from '@manyworlds/ros';
import type { Stage } from '@manyworlds/usd';
import type { SensorRow } from './asset-types.ts';

/** Sensors that a stage declares to ROS (REP 0158), each with the link that carries it. */
export function sensorRows(stage: Stage, model: Model): SensorRow[] {
	const spec = specFromStage(stage, model, TypeRegistry.standard);
	return (spec?.sensors ?? []).map(({ topic, body, offset, camera, beams }) => ({
		name: topic.name,
		kind: camera !== undefined ? 'camera' : /LaserScan|PointCloud/.test(topic.type) ? 'lidar' : 'other',
		link: body,
		pose: [...offset],
		...(beams?.angleMin !== undefined &&
			beams.angleMax !== undefined && { fan: [beams.angleMin, beams.angleMax] as const }),
		...(camera !== undefined && {
			halfWidth: camera.horizontalAperture / (2 * camera.focalLength),
			halfHeight: camera.verticalAperture / (2 * camera.focalLength),
		}),
	}));
}
