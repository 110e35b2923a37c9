import { JointType, type Model } from '@manyworlds/model';
import { rosNameOf } from '@manyworlds/rep158/internal';
import { QOS_DEFAULTS } from '../bus/qos.ts';
import {
	type ControllerSpec,
	type FrameSpec,
	type JointSpec,
	nameBelow,
	type RobotSpec,
	type TopicSpec,
} from './robot-spec.ts';

/** Options of {@link specFromModel}. */
export interface SpecFromModelOptions {
	/** World that is served. */
	readonly world?: number;
	/** `/` unless given. */
	readonly namespace?: string;
	/** What can be commanded and read of joints, by their names in ROS; everything unless given. */
	readonly hardware?: ReadonlyMap<string, JointHardware>;
}

/** Names such as `position`, `velocity` and `effort`. */
export interface JointHardware {
	readonly commands: readonly string[];
	readonly states: readonly string[];
}

/** Rates of robots that say nothing about it [Hz]. */
export const DEFAULT_RATES = { jointStates: 50, actionMonitor: 20 } as const;

const IDENTITY = new Float64Array([0, 0, 0, 0, 0, 0, 1]);

/**
 * What a robot that says nothing about ROS is to it: frames of its links, joint states, and commands for all joints that
 * can be driven.
 */
export function specFromModel(model: Model, options: SpecFromModelOptions = {}): RobotSpec {
	const { world = 0, namespace = '/', hardware } = options;
	const all = modelJoints(model, world);
	const joints = all.filter(({ name }) => hardware === undefined || (hardware.get(name)?.states.length ?? 0) > 0);
	const topic = (name: string, type: string, rate: number): TopicSpec => ({
		name: nameBelow(namespace, name),
		type,
		qos: QOS_DEFAULTS,
		rate,
		frameId: '',
		isEnabled: true,
	});
	const followers = new Set(model.constraintMimicJoint0);
	const drivenBy = (mode: string): JointSpec[] =>
		all.filter(
			({ name, joint }) =>
				!followers.has(joint) && (hardware === undefined || hardware.get(name)?.commands.includes(mode) === true),
		);
	const placed = drivenBy('position');
	const controllers: ControllerSpec[] = [];
	if (joints.length > 0)
		controllers.push({
			kind: 'jointState',
			joints,
			topic: topic('joint_states', 'sensor_msgs/msg/JointState', DEFAULT_RATES.jointStates),
		});
	if (placed.length > 0)
		controllers.push({
			kind: 'trajectory',
			joints: placed,
			topic: topic('joint_trajectory', 'trajectory_msgs/msg/JointTrajectory', 0),
			action: {
				name: nameBelow(namespace, 'follow_joint_trajectory'),
				type: 'control_msgs/action/FollowJointTrajectory',
				isEnabled: true,
			},
			monitorRate: DEFAULT_RATES.actionMonitor,
			stoppedVelocity: 0.01,
			timeout: 0,
		});
	for (const mode of ['position', 'velocity', 'effort'] as const) {
		const driven = drivenBy(mode);
		if (driven.length === 0) continue;
		controllers.push({
			kind: 'forward',
			mode,
			joints: driven,
			topic: topic(`${mode}_commands`, 'std_msgs/msg/Float64MultiArray', 0),
		});
	}
	return { namespace, frames: modelFrames(model, world), controllers, sensors: [], off: [] };
}

/** Joints with one coordinate, in the order of the model. */
export function modelJoints(model: Model, world: number): JointSpec[] {
	const joints: JointSpec[] = [];
	const names = shortNames(model.jointLabels, model.jointWorld);
	for (let joint = 0; joint < model.jointType.length; joint++) {
		const type = model.jointType[joint];
		if ((type !== JointType.REVOLUTE && type !== JointType.PRISMATIC) || !isInWorld(model.jointWorld[joint]!, world))
			continue;
		joints.push({ name: names[joint]!, joint });
	}
	return joints;
}

/** Frames of links: bodies that joints connect. Loose bodies have none. */
function modelFrames(model: Model, world: number): FrameSpec[] {
	const { jointType, jointParent, jointChild, jointWorld } = model;
	const names = shortNames(model.bodyLabels, model.bodyWorld);
	const linked = new Set<number>();
	for (let joint = 0; joint < jointType.length; joint++) {
		if (!isInWorld(jointWorld[joint]!, world) || jointType[joint] === JointType.FREE) continue;
		if (jointParent[joint]! >= 0) linked.add(jointParent[joint]!);
		linked.add(jointChild[joint]!);
	}
	const frames: FrameSpec[] = [];
	const done = new Set<number>();
	for (let joint = 0; joint < jointType.length; joint++) {
		const parent = jointParent[joint]!;
		const body = jointChild[joint]!;
		if (!isInWorld(jointWorld[joint]!, world) || !linked.has(body) || done.has(body)) continue;
		done.add(body);
		frames.push({
			id: names[body]!,
			parentId: parent < 0 ? 'world' : names[parent]!,
			body,
			offset: IDENTITY,
			parentBody: parent,
			parentOffset: IDENTITY,
			isStatic: jointType[joint] === JointType.FIXED && parent >= 0,
		});
	}
	return frames;
}

/** The ends of labels as ROS takes them; labels whose end others of their world have too stay whole. */
export function shortNames(labels: readonly string[], worlds: ArrayLike<number>): string[] {
	const ends = labels.map((label) => rosNameOf(label.slice(label.lastIndexOf('/') + 1)));
	const counts = new Map<string, number>();
	const inWorld = (name: string, i: number): string => `${worlds[i]} ${name}`;
	for (const [i, end] of ends.entries()) counts.set(inWorld(end, i), (counts.get(inWorld(end, i)) ?? 0) + 1);
	const used = new Set<string>();
	return ends.map((end, i) => {
		let name = counts.get(inWorld(end, i)) === 1 ? end : rosNameOf(labels[i]!.replace(/^\//, ''));
		while (used.has(inWorld(name, i))) name = `${name}_${i}`;
		used.add(inWorld(name, i));
		return name;
	});
}

/** Whether a row belongs to a world; -1 stands for all. */
export function isInWorld(own: number, world: number): boolean {
	return own === world || own < 0;
}
