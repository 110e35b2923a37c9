import { quatRotateInverse } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import { cameraMatrix, Imu, JointWrench, Lidar, normalNoise, RayScene } from '@manyworlds/sensors';
import { stampOf } from '../bus/action-server.ts';
import type { Publisher, RosBus } from '../bus/ros-bus.ts';
import { type Controller, isDue, type Plant } from '../controllers/controller.ts';
import { topicOptions } from '../controllers/joint-state-broadcaster.ts';
import type { RosMessage } from '../msg/message-codec.ts';
import type { SensorSpec } from '../spec/robot-spec.ts';
import { worldPose } from './transform-broadcaster.ts';

/** Options of {@link createSensors}. */
export interface SensorsOptions {
	/** Noise is the same for the same seed. */
	readonly seed?: number;
	/** Standard deviation of the ranges of lidars that do not give it themselves [m]; 0 unless given. */
	readonly lidarNoise?: number;
	/** World that is looked at. */
	readonly world?: number;
}

type Observer = Pick<Controller, 'afterStep' | 'reset' | 'replant'>;

/** Width of images of cameras that do not say it [pixels]. */
const IMAGE_WIDTH = 640;
/** Rings of a lidar that gives points [rad]. */
const RINGS: readonly number[] = Array.from({ length: 16 }, (_, i) => ((2 * i - 15) * Math.PI) / 180);

/** The sensors of a robot; each tells its readings at the rate of its topic, at boundaries of steps. */
export function createSensors(
	bus: RosBus,
	specs: readonly SensorSpec[],
	plant: Plant,
	options: SensorsOptions = {},
): Observer[] {
	const { seed = 0, lidarNoise = 0, world = 0 } = options;
	const eyes = new Eyes(plant, world);
	return specs.flatMap((spec, sensor) => {
		const publisher = bus.advertise(topicOptions(spec.topic));
		const sigma = spec.noise?.range ?? lidarNoise;
		const create = (): Reading | undefined => reading(spec, plant, eyes.scene, { seed, sensor, sigma });
		const first = create();
		return first === undefined ? [] : [new SensorPublisher(publisher, spec, plant, first, create)];
	});
}

/** What beams see; another scene when the model is another one. */
class Eyes {
	readonly #plant: Plant;
	readonly #world: number;
	#model: Model;
	#scene: RayScene;

	constructor(plant: Plant, world: number) {
		this.#plant = plant;
		this.#world = world;
		this.#model = plant.model;
		this.#scene = new RayScene(plant.model, { world });
	}

	get scene(): RayScene {
		if (this.#model !== this.#plant.model) {
			this.#model = this.#plant.model;
			this.#scene = new RayScene(this.#model, { world: this.#world });
		}
		return this.#scene;
	}
}

/** What is read of the world, and kept between steps. */
interface Reading {
	/** Looks at every step. */
	update?(): void;
	reset?(): void;
	/** The fields of the message but its header; `sample` counts the messages. */
	read(sample: number): RosMessage;
}

class SensorPublisher implements Observer {
	readonly #publisher: Publisher;
	readonly #spec: SensorSpec;
	readonly #plant: Plant;
	readonly #create: () => Reading | undefined;
	#reading: Reading;
	#sample = 0;

	constructor(publisher: Publisher, spec: SensorSpec, plant: Plant, first: Reading, create: () => Reading | undefined) {
		this.#publisher = publisher;
		this.#spec = spec;
		this.#plant = plant;
		this.#reading = first;
		this.#create = create;
	}

	afterStep(time: bigint, step: number): void {
		this.#reading.update?.();
		const { rate, frameId } = this.#spec.topic;
		if (!isDue(step, rate, this.#plant.dt)) return;
		const header = { stamp: stampOf(time), frame_id: frameId };
		this.#publisher.publish({ header, ...this.#reading.read(this.#sample++) });
	}

	reset(): void {
		this.#sample = 0;
		this.#reading.reset?.();
	}

	replant(): void {
		this.#reading = this.#create() ?? this.#reading;
	}
}

function reading(
	spec: SensorSpec,
	plant: Plant,
	scene: RayScene,
	noise: { readonly seed: number; readonly sensor: number; readonly sigma: number },
): Reading | undefined {
	const { topic, body, offset, camera } = spec;
	const pose = (): Float64Array => {
		scene.update(plant.state);
		return worldPose(plant.state, body, offset);
	};
	const beams = { ...spec.beams, ...noise, ignore: body };
	switch (topic.type) {
		case 'sensor_msgs/msg/Imu':
			return imuReading(spec, plant, noise);
		case 'geometry_msgs/msg/WrenchStamped':
			return wrenchReading(spec, plant, noise);
		case 'sensor_msgs/msg/Range': {
			const lidar = new Lidar(beams);
			const { rangeMin, rangeMax } = lidar.options;
			const fixed = { radiation_type: INFRARED, field_of_view: 0, min_range: rangeMin, max_range: rangeMax };
			return { read: (sample) => ({ ...fixed, range: lidar.scan(scene, pose(), sample)[0]! }) };
		}
		case 'sensor_msgs/msg/LaserScan': {
			const lidar = new Lidar(beams);
			const { angleMin, angleMax, rangeMin, rangeMax } = lidar.options;
			const fixed = {
				angle_min: angleMin,
				angle_max: angleMax,
				angle_increment: lidar.angleIncrement,
				time_increment: 0,
				scan_time: 1 / topic.rate,
				range_min: rangeMin,
				range_max: rangeMax,
			};
			return { read: (sample) => ({ ...fixed, ranges: lidar.scan(scene, pose(), sample), intensities: [] }) };
		}
		case 'sensor_msgs/msg/PointCloud2': {
			const lidar = new Lidar({ elevations: RINGS, ...beams });
			return { read: (sample) => pointCloud(lidar.points(lidar.scan(scene, pose(), sample))) };
		}
		case 'sensor_msgs/msg/CameraInfo': {
			if (camera === undefined) return undefined;
			const { width, height, fx, fy, cx, cy } = cameraMatrix(camera, camera.width ?? IMAGE_WIDTH);
			const info = {
				width,
				height,
				distortion_model: 'plumb_bob',
				d: new Float64Array(5),
				k: [fx, 0, cx, 0, fy, cy, 0, 0, 1],
				r: [1, 0, 0, 0, 1, 0, 0, 0, 1],
				p: [fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0],
			};
			return { read: () => info };
		}
		default:
			return undefined;
	}
}

/** `radiation_type` of `sensor_msgs/msg/Range`. */
const INFRARED = 1;

interface NoiseKey {
	readonly seed: number;
	readonly sensor: number;
}

/** A vector with noise; `first` tells vectors of one message apart. */
function noisy(
	v: Float64Array,
	sigmas: readonly number[] | undefined,
	{ seed, sensor }: NoiseKey,
	sample: number,
	first: number,
): RosMessage {
	const at = (i: number): number => {
		const sigma = sigmas?.[i] ?? 0;
		return sigma > 0 ? v[i]! + sigma * normalNoise(seed, sensor, sample, first + i) : v[i]!;
	};
	return { x: at(0), y: at(1), z: at(2) };
}

/** A covariance as messages have it: variances of noise, or -1 in front for what is not measured. */
function covariance(sigmas: readonly number[] | undefined, isAbsent: boolean): Float64Array {
	const [x = 0, y = 0, z = 0] = sigmas ?? [];
	return Float64Array.of(isAbsent ? -1 : x * x, 0, 0, 0, y * y, 0, 0, 0, z * z);
}

function imuReading({ body, offset, noise, lacks = [] }: SensorSpec, plant: Plant, key: NoiseKey): Reading {
	const imu = new Imu(plant.model, body, offset);
	const nothing = new Float64Array(3);
	const [noTurn, noSpin, noForce] = (['orientation', 'angularVelocity', 'linearAcceleration'] as const).map((one) =>
		lacks.includes(one),
	) as [boolean, boolean, boolean];
	const fixed = {
		orientation_covariance: covariance(undefined, noTurn),
		angular_velocity_covariance: covariance(noise?.angularVelocity, noSpin),
		linear_acceleration_covariance: covariance(noise?.linearAcceleration, noForce),
	};
	return {
		update: () => imu.update(plant.state, plant.dt),
		reset: () => imu.reset(),
		read: (sample) => {
			const { orientation, angularVelocity, specificForce } = imu.read(plant.state);
			const [x, y, z, w] = (noTurn ? [0, 0, 0, 1] : orientation) as unknown as [number, number, number, number];
			return {
				...fixed,
				orientation: { x, y, z, w },
				angular_velocity: noisy(noSpin ? nothing : angularVelocity, noise?.angularVelocity, key, sample, 0),
				linear_acceleration: noisy(noForce ? nothing : specificForce, noise?.linearAcceleration, key, sample, 3),
			};
		},
	};
}

/** Forces at a joint, or of the contacts of a body. */
function wrenchReading({ body, offset, noise, joint }: SensorSpec, plant: Plant, key: NoiseKey): Reading {
	const none = new Float64Array(0);
	const message = (force: Float64Array, torque: Float64Array, sample: number): RosMessage => ({
		wrench: {
			force: noisy(force, noise?.force, key, sample, 0),
			torque: noisy(torque, noise?.torque, key, sample, 3),
		},
	});
	if (joint !== undefined) {
		const felt = new JointWrench(plant.model, joint, offset);
		return {
			update: () => felt.update(plant.state, plant.dt),
			reset: () => felt.reset(),
			read: (sample) => {
				const { force, torque } = felt.read(plant.state, plant.bodyContactForces ?? none);
				return message(force, torque, sample);
			},
		};
	}
	return {
		read: (sample) => {
			const { force, torque } = contactWrench(plant, body, offset);
			return message(force, torque, sample);
		},
	};
}

/** All forces of contacts on a body, at a place on it and along its axes. */
function contactWrench(
	{ model, state, bodyContactForces = new Float64Array(0) }: Plant,
	body: number,
	offset: Float64Array,
): { readonly force: Float64Array; readonly torque: Float64Array } {
	const place = worldPose(state, body, offset);
	const center = worldPose(state, body, Float64Array.of(...model.bodyCom.slice(3 * body, 3 * body + 3), 0, 0, 0, 1));
	const [fx = 0, fy = 0, fz = 0, tx = 0, ty = 0, tz = 0] = bodyContactForces.subarray(6 * body, 6 * body + 6);
	const [rx, ry, rz] = [center[0]! - place[0]!, center[1]! - place[1]!, center[2]! - place[2]!];
	const torque = Float64Array.of(tx + ry * fz - rz * fy, ty + rz * fx - rx * fz, tz + rx * fy - ry * fx);
	return {
		force: quatRotateInverse(new Float64Array(3), place, Float64Array.of(fx, fy, fz), 0, 3),
		torque: quatRotateInverse(new Float64Array(3), place, torque, 0, 3),
	};
}

/** Points x y z as a message; none of them is missing. */
function pointCloud(points: Float32Array): RosMessage {
	const FLOAT32 = 7;
	const width = points.length / 3;
	return {
		height: 1,
		width,
		fields: ['x', 'y', 'z'].map((name, i) => ({ name, offset: 4 * i, datatype: FLOAT32, count: 1 })),
		is_bigendian: false,
		point_step: 12,
		row_step: 12 * width,
		data: new Uint8Array(points.buffer, points.byteOffset, points.byteLength),
		is_dense: true,
	};
}
