import type { Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import type { SdfCamera, SdfLidar, SdfLight, SdfNoise, SdfScan, SdfSensor } from './sdf-document.ts';
import { SdfValues } from './sdf-values.ts';

/** A `sensor`; undefined without a name. */
export function readSensor(element: XmlElement, values: SdfValues): SdfSensor | undefined {
	const name = values.name(element);
	if (name === undefined) return undefined;
	const camera = element.child('camera');
	const lidar = element.child('lidar') ?? element.child('ray');
	const rate = values.number(element, 'update_rate');
	return {
		element,
		name,
		type: element.get('type')?.trim() ?? '',
		pose: values.pose(element),
		updateRate: rate !== undefined && rate > 0 ? rate : undefined,
		camera: camera && readCamera(camera, values),
		lidar: lidar && readLidar(lidar, values),
		collisions: (element.child('contact')?.childrenNamed('collision') ?? []).map(({ text }) => text.trim()),
		wrenchFrame: values.text(element.child('force_torque'), 'frame'),
		topic: values.text(element, 'topic') || undefined,
		noise: readNoise(element, values),
		others: element.childrenNamed('plugin'),
	};
}

/** Noise of beams, of an IMU and of a sensor of forces. */
function readNoise(element: XmlElement, values: SdfValues): SdfNoise {
	const deviation = (parent: XmlElement | undefined): number => values.number(parent?.child('noise'), 'stddev') ?? 0;
	const along = (parent: XmlElement | undefined): readonly [number, number, number] | undefined => {
		const found = (['x', 'y', 'z'] as const).map((axis) => deviation(parent?.child(axis)));
		return found.some((value) => value > 0) ? [found[0]!, found[1]!, found[2]!] : undefined;
	};
	const imu = element.child('imu');
	const wrench = element.child('force_torque');
	const range = deviation(element.child('lidar') ?? element.child('ray'));
	const [angularVelocity, linearAcceleration] = [
		along(imu?.child('angular_velocity')),
		along(imu?.child('linear_acceleration')),
	];
	const [force, torque] = [along(wrench?.child('force')), along(wrench?.child('torque'))];
	return {
		...(range > 0 && { range }),
		...(angularVelocity && { angularVelocity }),
		...(linearAcceleration && { linearAcceleration }),
		...(force && { force }),
		...(torque && { torque }),
	};
}

/** A `sensor` outside of an SDF file, as URDF has them in `gazebo` elements. */
export function readSdfSensor(element: XmlElement, report: Report): SdfSensor | undefined {
	return readSensor(element, new SdfValues(report));
}

function readCamera(element: XmlElement, values: SdfValues): SdfCamera {
	const image = element.child('image');
	const clip = element.child('clip');
	return {
		element,
		pose: values.pose(element),
		horizontalFov: values.number(element, 'horizontal_fov') ?? 1.047,
		width: values.number(image, 'width') ?? 320,
		height: values.number(image, 'height') ?? 240,
		near: values.number(clip, 'near') ?? 0.1,
		far: values.number(clip, 'far') ?? 100,
		opticalFrameId: values.text(element, 'optical_frame_id') || undefined,
	};
}

function readLidar(element: XmlElement, values: SdfValues): SdfLidar {
	const scan = element.child('scan');
	const range = element.child('range');
	const vertical = scan?.child('vertical');
	return {
		element,
		horizontal: readScan(scan?.child('horizontal'), values),
		vertical: vertical && readScan(vertical, values),
		near: values.bound(range, 'min') ?? 0,
		far: values.bound(range, 'max') ?? Number.POSITIVE_INFINITY,
		resolution: values.number(range, 'resolution'),
	};
}

function readScan(element: XmlElement | undefined, values: SdfValues): SdfScan {
	return {
		samples: Math.max(1, Math.round(values.number(element, 'samples') ?? 1)),
		minAngle: values.number(element, 'min_angle') ?? 0,
		maxAngle: values.number(element, 'max_angle') ?? 0,
	};
}

/** A `light`; undefined without a name. */
export function readLight(element: XmlElement, values: SdfValues): SdfLight | undefined {
	const name = values.name(element);
	if (name === undefined) return undefined;
	const type = element.get('type');
	const [r, g, b] = values.color(element, 'diffuse') ?? [1, 1, 1];
	const spot = element.child('spot');
	return {
		element,
		name,
		type: type === 'directional' || type === 'spot' ? type : 'point',
		pose: values.pose(element),
		diffuse: [r, g, b],
		intensity: values.number(element, 'intensity') ?? 1,
		direction: values.vector(element, 'direction', [0, 0, -1]),
		castShadows: values.bool(element, 'cast_shadows') ?? false,
		range: values.bound(element.child('attenuation'), 'range'),
		innerAngle: values.number(spot, 'inner_angle') ?? 0,
		outerAngle: values.number(spot, 'outer_angle') ?? 0,
	};
}
