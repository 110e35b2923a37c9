import { arcTangent, tangent, type XmlElement } from '@manyworlds/core/internal';
import type { SdfLight, SdfPose, SdfSensor } from '@manyworlds/formats';
import { toLinear } from '../model/colour.ts';
import type {
	ConversionCamera,
	ConversionLight,
	ConversionOther,
	ConversionSensor,
	SensorKind,
} from '../model/conversion-model.ts';
import { compose } from '../model/pose.ts';
import { FROM_SDF_CAMERA } from '../model/sdf-camera.ts';
import { quatBetweenDirections } from './quat-between.ts';

/** The pose in its link of something that a file places. */
export type SensorPlace = (pose: SdfPose, at: XmlElement) => Float64Array;

/** Where a sensor is. */
export interface SensorMount {
	readonly body: number;
	readonly pose: Float64Array;
	readonly joint?: number;
	readonly shape?: number;
}

/** Sensors of SDF: cameras are cameras, others are what they measure, and the rest has no counterpart. */
export class SdfSensors {
	readonly cameras: ConversionCamera[] = [];
	readonly sensors: ConversionSensor[] = [];
	readonly #others: ConversionOther[];

	constructor(others: ConversionOther[]) {
		this.#others = others;
	}

	add(sensor: SdfSensor, mount: SensorMount): void {
		const { element, name, type, updateRate, lidar } = sensor;
		const measures = CAMERAS[type];
		const kind = KINDS[type];
		const from = element.location;
		const rate = updateRate === undefined ? {} : { rate: updateRate };
		if (measures !== undefined) this.#camera(sensor, mount, measures);
		else if (kind === undefined) {
			const what = `the sensor of type '${type}'`;
			this.#others.push({ kind: 'sensor', name, code: 'sensor', what, from });
		} else {
			const beams = lidar === undefined ? {} : { beams: beamsOf(lidar) };
			const noise = Object.keys(sensor.noise).length === 0 ? {} : { noise: sensor.noise };
			this.sensors.push({ name, kind, ...mount, ...rate, ...beams, ...noise, ...namesOf(sensor), from });
		}
		for (const other of sensor.others) {
			this.#others.push({
				kind: 'plugin',
				name: other.get('name') ?? '',
				code: 'plugin',
				what: '<plugin> of <sensor>',
				from: other.location,
			});
		}
	}

	#camera(
		{ element, name, updateRate, camera }: SdfSensor,
		mount: SensorMount,
		measures: NonNullable<ConversionCamera['measures']>,
	): void {
		const { horizontalFov = 1.047, width = 320, height = 240, near = 0.1, far = 100 } = camera ?? {};
		const place = camera === undefined ? mount.pose : compose(mount.pose, camera.pose.values);
		this.cameras.push({
			name,
			body: mount.body,
			pose: compose(place, FROM_SDF_CAMERA),
			projection: 'perspective',
			vertical: 2 * arcTangent((tangent(horizontalFov / 2) * height) / width),
			aspect: width / height,
			near,
			far,
			resolution: [width, height],
			...(updateRate === undefined ? {} : { rate: updateRate }),
			...(measures === 'color' ? {} : { measures }),
			...(camera?.opticalFrameId === undefined ? {} : { opticalFrame: camera.opticalFrameId }),
			from: element.location,
		});
	}
}

/** Names that a sensor gives its topic and its frame, or that a plugin for ROS gives them. */
function namesOf({ topic, element, others }: SdfSensor): { topic?: string; frame?: string } {
	const said = (name: string): string | undefined =>
		others.map((plugin) => plugin.child(name)?.text.trim()).find((text) => text !== undefined && text !== '');
	const remapped = others
		.flatMap((plugin) => plugin.child('ros')?.childrenNamed('remapping') ?? [])
		.map(({ text }) => /^~\/out:=(\S+)$/.exec(text.trim())?.[1])
		.find((name) => name !== undefined);
	const chosen = remapped ?? said('topicName') ?? said('topic_name') ?? topic;
	const frame =
		said('frameName') ??
		said('frame_name') ??
		(element.child('gz_frame_id') ?? element.child('ignition_frame_id'))?.text.trim();
	return { ...(chosen !== undefined && { topic: chosen }), ...(frame && { frame }) };
}

/** A light that shines along -z. */
export function lightOf(light: SdfLight, body: number, pose: Float64Array): ConversionLight {
	const [r, g, b] = light.diffuse;
	const turn = Float64Array.of(0, 0, 0, ...quatBetweenDirections([0, 0, -1], light.direction));
	return {
		name: light.name,
		body,
		pose: light.type === 'point' ? pose : compose(pose, turn),
		kind: light.type,
		color: [toLinear(r), toLinear(g), toLinear(b)],
		intensity: light.intensity,
		...(light.type === 'spot' ? { cone: { inner: light.innerAngle / 2, outer: light.outerAngle / 2 } } : {}),
		...(light.range === undefined || !Number.isFinite(light.range) ? {} : { range: light.range }),
		castsShadows: light.castShadows,
		from: light.element.location,
	};
}

function beamsOf({
	horizontal,
	vertical,
	near,
	far,
	resolution,
}: NonNullable<SdfSensor['lidar']>): NonNullable<ConversionSensor['beams']> {
	const fan = (scan: typeof horizontal) => ({ samples: scan.samples, lower: scan.minAngle, upper: scan.maxAngle });
	return {
		horizontal: fan(horizontal),
		...(vertical === undefined ? {} : { vertical: fan(vertical) }),
		near,
		far,
		...(resolution === undefined ? {} : { resolution }),
	};
}

const CAMERAS: Readonly<Record<string, NonNullable<ConversionCamera['measures']>>> = {
	camera: 'color',
	wideanglecamera: 'color',
	wide_angle_camera: 'color',
	depth: 'depth',
	depth_camera: 'depth',
	rgbd: 'color-depth',
	rgbd_camera: 'color-depth',
	thermal: 'thermal',
	thermal_camera: 'thermal',
	segmentation: 'segmentation',
	segmentation_camera: 'segmentation',
};

const KINDS: Readonly<Record<string, SensorKind>> = {
	imu: 'imu',
	lidar: 'lidar',
	gpu_lidar: 'lidar',
	ray: 'lidar',
	gpu_ray: 'lidar',
	contact: 'contact',
	force_torque: 'wrench',
	altimeter: 'altimeter',
	magnetometer: 'magnetometer',
	navsat: 'navsat',
	gps: 'navsat',
};
