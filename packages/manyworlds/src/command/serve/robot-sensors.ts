import type { ConversionCamera, ConversionModel, ConversionSensor, SensorKind } from '@manyworlds/convert';
import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import { rosNameOf } from '@manyworlds/rep158/internal';
import type { FrameSpec, InterfaceOff, RobotSpec, SensorSpec } from '@manyworlds/ros';
import { QOS_SENSOR, shortNames } from '@manyworlds/ros/internal';

/** Rates of sensors that do not give one [Hz]. */
const RATES: Readonly<Partial<Record<SensorKind | 'camera', number>>> = {
	imu: 100,
	accelerometer: 100,
	gyro: 100,
	lidar: 10,
	contact: 50,
	wrench: 100,
	camera: 30,
};

const IDENTITY = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
/** From a camera of USD to its optical frame: half a turn about x. */
const TO_OPTICAL = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

/**
 * Adds the sensors of a URDF, MJCF or SDF robot to what it is to ROS: topics, frames where they stand, and what is not simulated.
 * `model` is the one that is simulated; links that it has not are part of the body that carries them.
 */
export function withRobotSensors(
	spec: RobotSpec,
	robot: ConversionModel,
	model: Model,
	options: { readonly knowsContacts: boolean; readonly world: number },
): RobotSpec {
	return new SensorReader(spec, robot, model, options).read();
}

/** Where something is in the simulated model. */
interface Place {
	readonly body: number;
	readonly offset: Float64Array;
}

class SensorReader {
	readonly #spec: RobotSpec;
	readonly #robot: ConversionModel;
	readonly #model: Model;
	readonly #knowsContacts: boolean;
	readonly #bodies: ReadonlyMap<string, number>;
	readonly #joints: ReadonlyMap<string, number>;
	readonly #frames: FrameSpec[];
	readonly #frameIds: Set<string>;
	readonly #topics: Set<string>;
	readonly #sensors: SensorSpec[] = [];
	readonly #off: InterfaceOff[] = [];

	constructor(
		spec: RobotSpec,
		robot: ConversionModel,
		model: Model,
		{ knowsContacts, world }: { readonly knowsContacts: boolean; readonly world: number },
	) {
		this.#spec = spec;
		this.#robot = robot;
		this.#model = model;
		this.#knowsContacts = knowsContacts;
		this.#bodies = rowsByName(model.bodyLabels, model.bodyWorld, world);
		this.#joints = rowsByName(model.jointLabels, model.jointWorld, world);
		this.#frames = [...spec.frames];
		this.#frameIds = new Set(spec.frames.flatMap(({ id, parentId }) => [id, parentId]));
		this.#topics = new Set(spec.controllers.flatMap((one) => ('topic' in one ? (one.topic?.name ?? []) : [])));
	}

	read(): RobotSpec {
		for (const sensor of this.#robot.sensors) this.#sensor(sensor);
		for (const camera of this.#robot.cameras) this.#camera(camera);
		for (const { kind, name, what, from } of this.#robot.others) {
			if (kind !== 'sensor') continue;
			const reason = `${what} is not simulated`;
			this.#off.push({ name: this.#topicName(name), type: '', role: 'sensor', reason, isUnknownType: false, from });
		}
		const { sensors, off } = this.#spec;
		return {
			...this.#spec,
			frames: this.#frames,
			sensors: [...sensors, ...this.#sensors],
			off: [...off, ...this.#off],
		};
	}

	#sensor(sensor: ConversionSensor): void {
		const { name, kind, beams, rate, noise, from } = sensor;
		const type = typeOf(sensor);
		const turnOff = (reason: string): void => {
			const topic = this.#topicName(sensor.topic ?? name);
			this.#off.push({ name: topic, type: type ?? '', role: 'sensor', reason, isUnknownType: false, from });
		};
		const place = this.#placeOf(sensor.body, sensor.pose);
		if (type === undefined) turnOff(`a sensor of the kind '${kind}' is not simulated`);
		else if (place === undefined) turnOff('no body of the model carries it');
		else if (type === WRENCH && !this.#knowsContacts) turnOff('the solver keeps the forces of contacts to itself');
		else {
			const joint = kind === 'wrench' ? this.#jointOf(sensor) : undefined;
			if (kind === 'wrench' && joint === undefined) {
				turnOff('no joint of the model is there');
				return;
			}
			// what a joint feels is given in its child
			const at =
				joint === undefined
					? place
					: { body: this.#model.jointChild[joint]!, offset: this.#inBody(place, this.#model.jointChild[joint]!) };
			this.#sensors.push({
				topic: this.#topic(sensor.topic ?? name, type, rate ?? RATES[kind]!, this.#frame(sensor.frame ?? name, at)),
				...at,
				...(noise !== undefined && { noise }),
				...(joint !== undefined && { joint }),
				...(beams !== undefined && { beams: beamsOf(beams) }),
				...(kind === 'gyro' && { lacks: ['orientation', 'linearAcceleration'] as const }),
				...(kind === 'accelerometer' && { lacks: ['orientation', 'angularVelocity'] as const }),
			});
		}
	}

	#camera(camera: ConversionCamera): void {
		const { name, body, pose, vertical, aspect, resolution, rate, projection, from } = camera;
		// a point of view, not a sensor
		if (resolution === undefined || body < 0 || projection !== 'perspective') return;
		const image = this.#topicName(`${name}/image_raw`);
		const reason = 'images need a renderer, and there is none';
		this.#off.push({ name: image, type: 'sensor_msgs/msg/Image', role: 'sensor', reason, isUnknownType: false, from });
		const place = this.#placeOf(body, pose);
		if (place === undefined) return;
		const optical = { body: place.body, offset: transformMultiply(new Float64Array(7), place.offset, TO_OPTICAL) };
		const frame = this.#frame(camera.opticalFrame ?? `${name}_optical_frame`, optical);
		const height = 2 * Math.tan(vertical / 2);
		this.#sensors.push({
			topic: this.#topic(`${name}/camera_info`, 'sensor_msgs/msg/CameraInfo', rate ?? RATES.camera!, frame),
			...optical,
			camera: {
				focalLength: 1,
				horizontalAperture: height * aspect,
				verticalAperture: height,
				width: resolution[0],
			},
		});
	}

	#topic(name: string, type: string, rate: number, frameId: string): SensorSpec['topic'] {
		let full = this.#topicName(name);
		while (this.#topics.has(full)) full = `${full}_`;
		this.#topics.add(full);
		return { name: full, type, qos: QOS_SENSOR, rate, frameId, isEnabled: true };
	}

	/** A name as ROS takes it; one that begins with a slash is not below the namespace of the robot. */
	#topicName(name: string): string {
		const { namespace } = this.#spec;
		const parts = name.split('/').filter((part) => part !== '' && part !== '~');
		const safe = parts.map((part) => rosNameOf(part)).join('/');
		return name.startsWith('/') || namespace === '/' ? `/${safe}` : `${namespace}/${safe}`;
	}

	/** The name of the frame at a place: that of the link if it is there, else one of its own. */
	#frame(wanted: string, { body, offset }: Place): string {
		const id = rosNameOf(wanted.replaceAll('/', '_'));
		const there = this.#frames.find((frame) => frame.body === body && isSame(frame.offset, offset));
		if (there !== undefined && (there.id === id || isSame(offset, IDENTITY))) return there.id;
		// a frame that the robot has already is what its author means
		if (this.#frameIds.has(id)) return id;
		const carrier = this.#frames.find((frame) => frame.body === body && isSame(frame.offset, IDENTITY));
		this.#frameIds.add(id);
		this.#frames.push({
			id,
			parentId: carrier?.id ?? (body < 0 ? 'world' : shortNames(this.#model.bodyLabels, this.#model.bodyWorld)[body]!),
			body,
			offset,
			parentBody: body,
			parentOffset: IDENTITY,
			isStatic: true,
		});
		return id;
	}

	/** The body of the simulated model that a link is part of, and a pose in it. */
	#placeOf(link: number, pose: Float64Array): Place | undefined {
		if (link < 0) return { body: -1, offset: pose };
		const { bodies, joints } = this.#robot;
		for (let at = link; at >= 0; ) {
			const body = this.#bodies.get(rosNameOf(bodies[at]!.name));
			if (body !== undefined) {
				const inverse = transformInvert(new Float64Array(7), bodies[at]!.pose);
				const own = transformMultiply(new Float64Array(7), bodies[link]!.pose, pose);
				return { body, offset: at === link ? pose : transformMultiply(new Float64Array(7), inverse, own) };
			}
			const holder = joints.find(({ child, kind }) => child === at && kind === 'fixed');
			if (holder === undefined) return undefined;
			at = holder.parent;
		}
		return undefined;
	}

	/** The same place in another body that is fixed to the first, at the start. */
	#inBody({ body, offset }: Place, other: number): Float64Array {
		if (body === other) return offset;
		const poseOf = (row: number): Float64Array => (row < 0 ? IDENTITY : this.#model.bodyQ.slice(7 * row, 7 * row + 7));
		const world = transformMultiply(new Float64Array(7), poseOf(body), offset);
		return transformMultiply(new Float64Array(7), transformInvert(new Float64Array(7), poseOf(other)), world);
	}

	/** The row of the joint of a wrench: the one that is named, else the one that holds the body. */
	#jointOf({ joint, body }: ConversionSensor): number | undefined {
		const { joints } = this.#robot;
		const named = joint === undefined ? joints.find(({ child }) => child === body) : joints[joint];
		return named === undefined ? undefined : this.#joints.get(rosNameOf(named.name));
	}
}

const WRENCH = 'geometry_msgs/msg/WrenchStamped';

/** The message of a kind of sensor; undefined for those that are not simulated. */
function typeOf({ kind, beams }: ConversionSensor): string | undefined {
	switch (kind) {
		case 'imu':
		case 'accelerometer':
		case 'gyro':
			return 'sensor_msgs/msg/Imu';
		case 'lidar':
			if ((beams?.vertical?.samples ?? 1) > 1) return 'sensor_msgs/msg/PointCloud2';
			return (beams?.horizontal.samples ?? 1) > 1 ? 'sensor_msgs/msg/LaserScan' : 'sensor_msgs/msg/Range';
		case 'contact':
		case 'wrench':
			return WRENCH;
		default:
			return undefined;
	}
}

function beamsOf({
	horizontal,
	vertical,
	near,
	far,
}: NonNullable<ConversionSensor['beams']>): NonNullable<SensorSpec['beams']> {
	const rings = vertical?.samples ?? 1;
	const step = rings > 1 ? (vertical!.upper - vertical!.lower) / (rings - 1) : 0;
	return {
		angleMin: horizontal.lower,
		angleMax: horizontal.upper,
		beams: horizontal.samples,
		elevations: Array.from({ length: rings }, (_, i) => (vertical?.lower ?? 0) + i * step),
		rangeMin: near,
		rangeMax: far,
	};
}

function rowsByName(labels: readonly string[], worlds: ArrayLike<number>, world: number): Map<string, number> {
	const rows = new Map<string, number>();
	for (const [row, label] of labels.entries()) {
		const name = rosNameOf(label.slice(label.lastIndexOf('/') + 1));
		if (!rows.has(name) && (worlds[row] === world || worlds[row]! < 0)) rows.set(name, row);
	}
	return rows;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
	return a.every((value, i) => Math.abs(value - b[i]!) < 1e-12);
}
