import { arcTangent, tangent } from '@manyworlds/core/internal';
import { toScreen } from '../model/colour.ts';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type {
	BeamFan,
	ConversionCamera,
	ConversionLight,
	ConversionModel,
	ConversionSensor,
	SensorKind,
} from '../model/conversion-model.ts';
import { compose, inverse } from '../model/pose.ts';
import { FROM_SDF_CAMERA } from '../model/sdf-camera.ts';
import type { UniqueNames } from './unique-names.ts';
import { XmlText } from './xml-text.ts';

/** Where devices go: the elements of links and joints, and names of colliders. */
export interface DevicePlaces {
	/** The link that a body is part of with the pose of the body in it; undefined for the world. */
	readonly linkOf: (body: number) => DeviceLink | undefined;
	/** The element of a joint, and of that which holds a body; undefined when none is written. */
	readonly jointOf: (joint: number) => XmlText | undefined;
	readonly holderOf: (body: number) => XmlText | undefined;
	/** Name of a collider, or of the first one of a body. */
	readonly colliderOf: (shape: number | undefined, body: number) => string | undefined;
	readonly writePose: (element: XmlText, pose: Float64Array) => void;
	readonly safeName: (name: string) => string;
}

/** A link that devices are written into. */
export interface DeviceLink {
	readonly element: XmlText;
	readonly names: UniqueNames;
	readonly pose: Float64Array;
}

/** Writes lights, cameras and sensors into the links and joints of an SDF model. Each is held, or stays lost with a reason. */
export function writeSdfDevices(model: ConversionModel, places: DevicePlaces, ledger: ConversionLedger): void {
	new DeviceWriter(model, places, ledger).write();
}

class DeviceWriter {
	readonly #model: ConversionModel;
	readonly #places: DevicePlaces;
	readonly #ledger: ConversionLedger;
	/** Sensors of parts of what one of SDF measures, by place: the element that stands for them. */
	readonly #shared = new Set<string>();

	constructor(model: ConversionModel, places: DevicePlaces, ledger: ConversionLedger) {
		this.#model = model;
		this.#places = places;
		this.#ledger = ledger;
	}

	write(): void {
		for (const [index, light] of this.#model.lights.entries()) this.#light(index, light);
		for (const [index, camera] of this.#model.cameras.entries()) this.#camera(index, camera);
		for (const [index, sensor] of this.#model.sensors.entries()) this.#sensor(index, sensor);
	}

	#light(index: number, light: ConversionLight): void {
		const { name, kind, color, intensity, cone, range } = light;
		if (kind === 'area' || kind === 'dome') {
			const code = kind === 'area' ? 'area-light' : 'dome-light';
			this.#lose('light', index, code, `light '${name}' has a shape, SDF has points, spots and the sun`);
			return;
		}
		const link = this.#places.linkOf(light.body);
		if (link === undefined) {
			this.#lose('light', index, 'surroundings', `light '${name}' belongs to the world, not to the robot`);
			return;
		}
		const element = link.element.add('light', { name: link.names.take(this.#places.safeName(name)), type: kind });
		this.#places.writePose(element, compose(link.pose, light.pose));
		const screen = [...color.map(toScreen), 1];
		element.add('cast_shadows', {}, String(light.castsShadows ?? false));
		element.add('intensity', {}, intensity);
		element.add('diffuse', {}, screen);
		element.add('specular', {}, screen);
		if (range !== undefined) {
			const attenuation = element.add('attenuation');
			attenuation.add('range', {}, range);
		}
		element.add('direction', {}, [0, 0, -1]);
		if (cone !== undefined) {
			const spot = element.add('spot');
			spot.add('inner_angle', {}, 2 * cone.inner);
			spot.add('outer_angle', {}, 2 * cone.outer);
			spot.add('falloff', {}, 1);
		}
		this.#ledger.hold('light', index);
		if (this.#model.format === 'sdf') return;
		const message = `the strength of light '${name}' is ${intensity}, SDF gives strengths without a unit`;
		this.#ledger.approximate('light', index, 'light', message);
	}

	#camera(index: number, camera: ConversionCamera): void {
		const { name, projection, vertical, aspect, near, far, rate, opticalFrame, measures = 'color' } = camera;
		const link = this.#places.linkOf(camera.body);
		if (link === undefined) {
			this.#lose('camera', index, 'surroundings', `camera '${name}' belongs to the world, not to the robot`);
			return;
		}
		if (projection === 'orthographic') {
			this.#lose('camera', index, 'camera', `camera '${name}' sees without perspective, which no camera of SDF does`);
			return;
		}
		const element = link.element.add('sensor', {
			name: link.names.take(this.#places.safeName(name)),
			type: CAMERA_TYPES[measures],
		});
		this.#places.writePose(element, compose(compose(link.pose, camera.pose), inverse(FROM_SDF_CAMERA)));
		if (rate !== undefined) element.add('update_rate', {}, rate);
		const inner = element.add('camera');
		const [width, height] = camera.resolution ?? [640, Math.max(1, Math.round(640 / aspect))];
		inner.add('horizontal_fov', {}, 2 * arcTangent(tangent(vertical / 2) * aspect));
		const image = inner.add('image');
		image.add('width', {}, width);
		image.add('height', {}, height);
		const clip = inner.add('clip');
		clip.add('near', {}, near);
		clip.add('far', {}, Math.min(far, FARTHEST));
		if (opticalFrame !== undefined) inner.add('optical_frame_id', {}, opticalFrame);
		this.#ledger.hold('camera', index);
		if (camera.isOffCentre !== true) return;
		const message = `camera '${name}' looks off its axis or follows something, which SDF cannot say`;
		this.#ledger.approximate('camera', index, 'camera-offset', message);
	}

	#sensor(index: number, sensor: ConversionSensor): void {
		const { name, kind, rate, body } = sensor;
		const link = this.#places.linkOf(body);
		if (link === undefined) {
			this.#lose('sensor', index, 'surroundings', `sensor '${name}' belongs to the world, not to the robot`);
			return;
		}
		const type = SENSOR_TYPES[kind];
		const owner = kind === 'wrench' ? this.#joint(sensor) : link.element;
		if (owner === undefined) {
			this.#lose('sensor', index, 'sensor', `sensor '${name}' measures a wrench where no joint is, which SDF cannot`);
			return;
		}
		const pose = compose(link.pose, sensor.pose);
		// an imu is what MJCF has two sensors for, and a wrench too
		const place = `${type} ${body} ${sensor.joint} ${pose.join(' ')}`;
		const isShared = this.#shared.has(place) && (kind === 'gyro' || kind === 'accelerometer' || kind === 'wrench');
		this.#shared.add(place);
		if (isShared) {
			this.#ledger.hold('sensor', index);
			return;
		}
		const element = new XmlText('sensor', { name: link.names.take(this.#places.safeName(name)), type });
		if (kind !== 'wrench') this.#places.writePose(element, pose);
		if (rate !== undefined) element.add('update_rate', {}, rate);
		if (kind === 'contact') {
			const collider = this.#places.colliderOf(sensor.shape, body);
			if (collider === undefined) {
				this.#lose('sensor', index, 'sensor', `sensor '${name}' feels contacts of a link without colliders`);
				return;
			}
			element.add('contact').add('collision', {}, collider);
		}
		if (kind === 'wrench') element.add('force_torque').add('frame', {}, 'child');
		if (kind === 'lidar') writeBeams(element.add('lidar'), sensor);
		owner.append(element);
		this.#ledger.hold('sensor', index);
		if (kind === 'lidar' && sensor.beams === undefined) {
			this.#ledger.approximate('sensor', index, 'sensor', `the source does not say which beams '${name}' has`);
		}
	}

	#joint({ joint, body }: ConversionSensor): XmlText | undefined {
		return joint === undefined ? this.#places.holderOf(body) : this.#places.jointOf(joint);
	}

	#lose(
		kind: 'light' | 'camera' | 'sensor',
		index: number,
		code: 'area-light' | 'dome-light' | 'surroundings' | 'sensor' | 'camera',
		message: string,
	): void {
		this.#ledger.hold(kind, index);
		this.#ledger.drop(kind, index, code, message);
	}
}

/** The farthest that cameras and beams are told to reach [m]. */
const FARTHEST = 1e7;

function writeBeams(lidar: XmlText, { beams }: ConversionSensor): void {
	const { horizontal, vertical, near, far, resolution } = beams ?? ONE_TURN;
	const scan = lidar.add('scan');
	const fan = (tag: string, { samples, lower, upper }: BeamFan): void => {
		const element = scan.add(tag);
		element.add('samples', {}, samples);
		element.add('resolution', {}, 1);
		element.add('min_angle', {}, lower);
		element.add('max_angle', {}, upper);
	};
	fan('horizontal', horizontal);
	if (vertical !== undefined) fan('vertical', vertical);
	const range = lidar.add('range');
	range.add('min', {}, near);
	range.add('max', {}, Math.min(far, FARTHEST));
	if (resolution !== undefined) range.add('resolution', {}, resolution);
}

/** Beams all around, for lidars that say nothing of them. */
const ONE_TURN: NonNullable<ConversionSensor['beams']> = {
	horizontal: { samples: 360, lower: -Math.PI, upper: Math.PI },
	near: 0.1,
	far: 30,
};

const CAMERA_TYPES: Readonly<Record<NonNullable<ConversionCamera['measures']>, string>> = {
	color: 'camera',
	depth: 'depth_camera',
	'color-depth': 'rgbd_camera',
	thermal: 'thermal_camera',
	segmentation: 'segmentation_camera',
};

const SENSOR_TYPES: Readonly<Record<SensorKind, string>> = {
	imu: 'imu',
	accelerometer: 'imu',
	gyro: 'imu',
	lidar: 'gpu_lidar',
	contact: 'contact',
	wrench: 'force_torque',
	altimeter: 'altimeter',
	magnetometer: 'magnetometer',
	navsat: 'navsat',
};
