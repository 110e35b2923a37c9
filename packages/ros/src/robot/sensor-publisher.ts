import { cameraMatrix, Imu, Lidar, RayScene } from '@manyworlds/sensors';
import { stampOf } from '../bus/action-server.ts';
import type { Publisher, RosBus } from '../bus/ros-bus.ts';
import { type Controller, isDue, type Plant } from '../controllers/controller.ts';
import { topicOptions } from '../controllers/joint-state-broadcaster.ts';
import type { RosMessage } from '../msg/message-codec.ts';
import type { SensorSpec } from './robot-spec.ts';
import { worldPose } from './transform-broadcaster.ts';

/** Options of {@link createSensors}. */
export interface SensorsOptions {
	/** Noise is the same for the same seed. */
	readonly seed?: number;
	/** Standard deviation of the ranges of lidars [m]; 0 unless given. */
	readonly lidarNoise?: number;
	/** World that is looked at. */
	readonly world?: number;
}

type Observer = Pick<Controller, 'afterStep' | 'reset'>;

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
	const scene = new RayScene(plant.model, { world });
	return specs.flatMap((spec, sensor) => {
		const publisher = bus.advertise(topicOptions(spec.topic));
		const read = reading(spec, plant, scene, { seed, sensor, sigma: lidarNoise });
		return read === undefined ? [] : [new SensorPublisher(publisher, spec, plant, read)];
	});
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
	readonly #reading: Reading;
	#sample = 0;

	constructor(publisher: Publisher, spec: SensorSpec, plant: Plant, read: Reading) {
		this.#publisher = publisher;
		this.#spec = spec;
		this.#plant = plant;
		this.#reading = read;
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
	switch (topic.type) {
		case 'sensor_msgs/msg/Imu':
			return imuReading(spec, plant);
		case 'sensor_msgs/msg/LaserScan': {
			const lidar = new Lidar({ ...noise, ignore: body });
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
			const lidar = new Lidar({ ...noise, ignore: body, elevations: RINGS });
			return { read: (sample) => pointCloud(lidar.points(lidar.scan(scene, pose(), sample))) };
		}
		case 'sensor_msgs/msg/CameraInfo': {
			if (camera === undefined) return undefined;
			const { width, height, fx, fy, cx, cy } = cameraMatrix(camera, IMAGE_WIDTH);
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

function imuReading({ body, offset }: SensorSpec, plant: Plant): Reading {
	const imu = new Imu(plant.model, body, offset);
	const vector = (v: Float64Array): RosMessage => ({ x: v[0]!, y: v[1]!, z: v[2]! });
	return {
		update: () => imu.update(plant.state, plant.dt),
		reset: () => imu.reset(),
		read: () => {
			const { orientation, angularVelocity, specificForce } = imu.read(plant.state);
			const [x, y, z, w] = orientation as unknown as [number, number, number, number];
			return {
				orientation: { x, y, z, w },
				angular_velocity: vector(angularVelocity),
				linear_acceleration: vector(specificForce),
			};
		},
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
