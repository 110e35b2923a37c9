import { Report } from '@manyworlds/core';
import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { Model } from '@manyworlds/model';
import { buildFrames, type RosFrame, type RosFrames } from '@manyworlds/rep158';
import { jointName } from '@manyworlds/rep158/internal';
import { type Path, type Prim, parsePhysics, type Stage, XformCache } from '@manyworlds/usd';
import {
	authoredBool,
	authoredNumber,
	authoredText,
	ContextResolver,
	factorMatrix,
	type RosInterface,
	readInterfaces,
	readQos,
} from '@manyworlds/usd/internal';
import type { Qos } from '../bus/qos.ts';
import type { TypeRegistry } from '../msg/type-registry.ts';
import type {
	ActionSpec,
	ControllerSpec,
	DiffDriveSpec,
	FrameSpec,
	InterfaceOff,
	JointSpec,
	RobotSpec,
	SensorSpec,
	TopicSpec,
	TrajectorySpec,
} from './robot-spec.ts';
import { DEFAULT_RATES, isInWorld } from './spec-from-model.ts';

/** Topics that belong to simulators, never to assets (REP 0158 §2.9). */
const PROHIBITED: ReadonlySet<string> = new Set(['/clock', '/tf', '/tf_static']);
/** Readings that are simulated. */
const SENSOR_TYPES: ReadonlySet<string> = new Set([
	'sensor_msgs/msg/Imu',
	'sensor_msgs/msg/LaserScan',
	'sensor_msgs/msg/PointCloud2',
	'sensor_msgs/msg/CameraInfo',
	'geometry_msgs/msg/WrenchStamped',
]);

/**
 * Reads what a REP 0158 asset is to ROS. The model is that of the same stage: labels of its rows are paths of prims, in each of its
 * worlds.
 */
export function specFromStage(stage: Stage, model: Model, types: TypeRegistry, world = 0): RobotSpec | undefined {
	return new StageReader(stage, model, types, world).read();
}

class StageReader {
	readonly #stage: Stage;
	readonly #model: Model;
	readonly #types: TypeRegistry;
	readonly #contexts = new ContextResolver();
	readonly #transforms = new XformCache();
	readonly #bodies = new Map<string, number>();
	readonly #joints = new Map<string, number>();
	readonly #prims: readonly Prim[];
	readonly #frames: RosFrames;
	readonly #off: InterfaceOff[] = [];
	/** Interfaces by the prim that declares them; those that something uses are taken out. */
	readonly #open = new Map<Path, RosInterface>();

	constructor(stage: Stage, model: Model, types: TypeRegistry, world: number) {
		this.#stage = stage;
		this.#model = model;
		this.#types = types;
		for (const [row, label] of model.bodyLabels.entries())
			if (!this.#bodies.has(label) && isInWorld(model.bodyWorld[row]!, world)) this.#bodies.set(label, row);
		for (const [row, label] of model.jointLabels.entries())
			if (!this.#joints.has(label) && isInWorld(model.jointWorld[row]!, world)) this.#joints.set(label, row);
		this.#prims = [...stage.traverse()];
		const physics = parsePhysics(stage, { report: new Report({ cap: 0 }), inheritMaterials: true });
		this.#frames = buildFrames({ prims: this.#prims, physics, contexts: this.#contexts });
	}

	read(): RobotSpec | undefined {
		for (const prim of this.#prims)
			for (const found of readInterfaces(prim, this.#contexts))
				if (this.#isServed(found)) this.#open.set(prim.path, found);
		const robot = this.#prims.find((prim) => this.#contexts.outermost(prim)?.path === prim.path);
		if (robot === undefined && this.#open.size === 0) return undefined;
		const domain = robot === undefined ? undefined : this.#contexts.domain(robot);
		const controllers = this.#prims.flatMap((prim) => this.#controller(prim) ?? []);
		const sensors = this.#sensors();
		for (const found of this.#open.values()) this.#turnOff(found, reasonOf(found));
		return {
			namespace: robot === undefined ? '/' : this.#contexts.namespace(robot),
			...(domain !== undefined && { domain }),
			frames: this.#frameSpecs(),
			controllers,
			sensors,
			off: this.#off,
		};
	}

	/** Whether an interface can be served at all; says why it cannot. */
	#isServed(found: RosInterface): boolean {
		const { resolvedName, type, startsEnabled, name } = found;
		if (resolvedName === undefined || type === undefined || name === undefined)
			return this.#turnOff(found, 'it has no name or no type');
		const end = resolvedName.slice(resolvedName.lastIndexOf('/'));
		if (PROHIBITED.has(resolvedName) || end === '/tf' || end === '/tf_static')
			return this.#turnOff(found, 'the simulator owns it (REP 0158 §2.9)');
		if (type.split('/')[1] !== found.schema.kind || !this.#types.has(type)) {
			this.#off.push({ ...describe(found), reason: `the type '${type}' is unknown`, isUnknownType: true });
			return false;
		}
		return startsEnabled || this.#turnOff(found, 'starts_enabled is false');
	}

	#turnOff(found: RosInterface, reason: string): false {
		this.#off.push({ ...describe(found), reason, isUnknownType: false });
		return false;
	}

	/** The interface that a relationship of a controller leads to. */
	#take(prim: Prim, relationship: string): RosInterface | undefined {
		const [target] = prim.relationship(relationship).forwardedTargets();
		const found = target === undefined ? undefined : this.#open.get(target);
		if (found !== undefined) this.#open.delete(found.prim.path);
		return found;
	}

	#topic(found: RosInterface, isSensor: boolean): TopicSpec {
		const { prim, domain } = found;
		const frameId = authoredText(prim, 'ros:topic:override_frame_id') ?? this.#frames.nearest(prim)?.id ?? '';
		return {
			name: found.resolvedName!,
			type: found.type!,
			qos: qosOf(prim, isSensor),
			rate: authoredNumber(prim, 'ros:topic:publish_rate') ?? 0,
			...(domain !== undefined && { domain }),
			frameId,
			isEnabled: true,
		};
	}

	#jointSpecs(prim: Prim, relationship: string): JointSpec[] {
		return prim
			.relationship(relationship)
			.forwardedTargets()
			.flatMap((path) => {
				const joint = this.#joints.get(path.toString());
				const target = this.#stage.prim(path);
				return joint === undefined || target === undefined ? [] : [{ name: jointName(target), joint }];
			});
	}

	#controller(prim: Prim): ControllerSpec | undefined {
		if (authoredBool(prim, 'control:starts_enabled') === false) return undefined;
		if (prim.hasSchema('RosControlJointStateBroadcasterAPI')) {
			const found = this.#take(prim, 'ros:joint_state_broadcaster:publisher');
			const joints = this.#jointSpecs(prim, 'ros:joint_state_broadcaster:joints');
			if (found === undefined) return undefined;
			// joint states have no frame
			return { kind: 'jointState', joints, topic: { ...this.#topic(found, false), frameId: '' } };
		}
		if (prim.hasSchema('RosControlDiffDriveAPI')) return this.#diffDrive(prim);
		if (prim.hasSchema('RosControlJointTrajectoryAPI')) return this.#trajectory(prim);
		return undefined;
	}

	#diffDrive(prim: Prim): DiffDriveSpec | undefined {
		const number = (name: string, fallback: number): number =>
			authoredNumber(prim, `ros:diff_drive:${name}`) ?? fallback;
		const command = this.#take(prim, 'ros:diff_drive:subscriber');
		const odometry = this.#take(prim, 'ros:diff_drive:odom');
		const left = this.#jointSpecs(prim, 'ros:diff_drive:left_wheels');
		const right = this.#jointSpecs(prim, 'ros:diff_drive:right_wheels');
		const radius = number('wheel_radius', 0);
		const separation = number('wheel_separation', 0);
		if (command === undefined) return undefined;
		if (left.length === 0 || right.length === 0 || radius <= 0 || separation <= 0) {
			this.#turnOff(command, `the controller ${prim.path.toString()} lacks wheels, a radius or a separation`);
			return undefined;
		}
		const wheelBody = this.#model.jointParent[left[0]!.joint]!;
		const body = wheelBody < 0 ? undefined : this.#stage.prim(this.#model.bodyLabels[wheelBody]!);
		const base = this.#frames.nearest(body);
		return {
			kind: 'diffDrive',
			left,
			right,
			wheelRadius: radius,
			wheelSeparation: separation,
			timeout: number('cmd_vel_timeout', 0.5),
			maxLinear: number('linear:x:max_velocity', Number.POSITIVE_INFINITY),
			maxLinearAcceleration: number('linear:x:max_acceleration', Number.POSITIVE_INFINITY),
			maxAngular: number('angular:z:max_velocity', Number.POSITIVE_INFINITY),
			maxAngularAcceleration: number('angular:z:max_acceleration', Number.POSITIVE_INFINITY),
			command: this.#topic(command, false),
			odometry: odometry && this.#topic(odometry, false),
			baseFrame: base?.id ?? 'base_link',
			axle: this.#axle([...left, ...right], base === undefined ? WORLD_PLACE.offset : this.#placeOf(base.prim).offset),
		};
	}

	/** The middle of wheels in the frame of the base, whose pose in the body of the wheels is given. */
	#axle(wheels: readonly JointSpec[], frame: Float64Array): [number, number] {
		const middle = new Float64Array([0, 0, 0, 0, 0, 0, 1]);
		for (const { joint } of wheels)
			for (let i = 0; i < 3; i++) middle[i]! += this.#model.jointXP[7 * joint + i]! / wheels.length;
		const inBase = transformMultiply(new Float64Array(7), transformInvert(new Float64Array(7), frame), middle);
		return [inBase[0]!, inBase[1]!];
	}

	#trajectory(prim: Prim): TrajectorySpec | undefined {
		const number = (name: string, fallback: number): number =>
			authoredNumber(prim, `ros:joint_trajectory:${name}`) ?? fallback;
		const server = this.#take(prim, 'ros:joint_trajectory:server');
		const joints = this.#jointSpecs(prim, 'ros:joint_trajectory:command_joints');
		if (server === undefined) return undefined;
		const isAction = server.schema.noun === 'action';
		const { domain } = server;
		const action: ActionSpec = {
			name: server.resolvedName!,
			type: server.type!,
			isEnabled: true,
			...(domain !== undefined && { domain }),
		};
		return {
			kind: 'trajectory',
			joints,
			action: isAction ? action : undefined,
			topic: isAction ? undefined : this.#topic(server, false),
			monitorRate: number('action_monitor_rate', DEFAULT_RATES.actionMonitor),
			stoppedVelocity: number('stopped_velocity_tolerance', 0.01),
			timeout: number('timeout', 0),
		};
	}

	#sensors(): SensorSpec[] {
		const sensors: SensorSpec[] = [];
		for (const found of [...this.#open.values()]) {
			if (found.role !== 'publisher' || !SENSOR_TYPES.has(found.type!)) continue;
			this.#open.delete(found.prim.path);
			const topic = this.#topic(found, true);
			if (topic.rate <= 0) {
				this.#turnOff(found, 'publish_rate is not positive');
				continue;
			}
			// what is measured is measured in the frame that the message names
			const frame = this.#frames.nearest(found.prim);
			const { body, offset } = this.#placeOf(frame?.prim ?? found.prim);
			const camera = this.#camera(found.prim);
			if (found.type === 'sensor_msgs/msg/CameraInfo' && camera === undefined) {
				this.#turnOff(found, 'no camera is above it');
				continue;
			}
			sensors.push({ topic, body, offset, ...(camera !== undefined && { camera }) });
		}
		return sensors;
	}

	#camera(prim: Prim): SensorSpec['camera'] {
		for (let path: Path | null = prim.path; path !== null; path = path.parent) {
			const at = this.#stage.prim(path);
			if (at?.typeName !== 'Camera') continue;
			const value = (name: string): number => Number(at.attribute(name).get()?.data ?? 0);
			return {
				focalLength: value('focalLength'),
				horizontalAperture: value('horizontalAperture'),
				verticalAperture: value('verticalAperture'),
			};
		}
		return undefined;
	}

	#frameSpecs(): FrameSpec[] {
		return this.#frames.all.flatMap((frame) => {
			if (frame.parentId === undefined || isIdle(frame)) return [];
			const own = this.#placeOf(frame.prim);
			const parent = frame.parent === undefined ? WORLD_PLACE : this.#placeOf(frame.parent.prim);
			return [
				{
					id: frame.id,
					parentId: frame.parentId,
					...own,
					parentBody: parent.body,
					parentOffset: parent.offset,
					isStatic: frame.isStatic && own.body === parent.body,
				},
			];
		});
	}

	/** The body that a prim moves with, and where it is in it. A root without a body is where the first body of it is. */
	#placeOf(prim: Prim): { readonly body: number; readonly offset: Float64Array } {
		for (let path: Path | null = prim.path; path !== null; path = path.parent) {
			const body = this.#bodies.get(path.toString());
			if (body !== undefined) return { body, offset: this.#relative(this.#stage.prim(path)!, prim) };
		}
		const start = `${prim.path.toString()}/`;
		for (const [label, body] of this.#bodies) {
			const below = label.startsWith(start) ? this.#stage.prim(label) : undefined;
			if (below !== undefined) return { body, offset: this.#relative(below, prim) };
		}
		return { body: -1, offset: this.#pose(prim) };
	}

	#relative(base: Prim, prim: Prim): Float64Array {
		if (base.path === prim.path) return new Float64Array([0, 0, 0, 0, 0, 0, 1]);
		const inverse = transformInvert(new Float64Array(7), this.#pose(base));
		return transformMultiply(new Float64Array(7), inverse, this.#pose(prim));
	}

	#pose(prim: Prim): Float64Array {
		const { translation, rotation } = factorMatrix(this.#transforms.worldTransform(prim));
		return Float64Array.from([...translation, ...rotation]);
	}
}

const WORLD_PLACE = { body: -1, offset: new Float64Array([0, 0, 0, 0, 0, 0, 1]) };

/** A frame that hangs on nothing. */
function isIdle(frame: RosFrame): boolean {
	return frame.parent === undefined && frame.robot === undefined;
}

function describe({ resolvedName, name, type, role }: RosInterface): Omit<InterfaceOff, 'reason' | 'isUnknownType'> {
	return { name: resolvedName ?? name ?? '', type: type ?? '', role: role ?? '' };
}

function reasonOf({ type, schema, role }: RosInterface): string {
	if (type === 'sensor_msgs/msg/Image') return 'images need a renderer, and there is none';
	if (role === 'client' || role === 'server') return `the model has nothing that answers this ${schema.noun}`;
	return 'no controller or sensor uses it';
}

/** System defaults are best effort for sensors (REP 2003) and reliable for others. */
function qosOf(prim: Prim, isSensor: boolean): Qos {
	const { reliability, durability, history, depth } = readQos(prim);
	const isReliable = reliability === 'reliable' || (reliability === 'system_default' && !isSensor);
	return {
		reliability: isReliable ? 'reliable' : 'best_effort',
		durability: durability === 'transient_local' ? 'transient_local' : 'volatile',
		depth: history === 'keep_all' ? 0 : depth,
	};
}
