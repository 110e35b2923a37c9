import type { DiagnosticDetails } from '@manyworlds/core';
import type { LidarOptions } from '@manyworlds/sensors';
import type { Qos } from '../bus/qos.ts';

/** A frame of TF: a body of the model, or a place on one. */
export interface FrameSpec {
	readonly id: string;
	readonly parentId: string;
	/** Row of the body that it moves with; -1 for the world. */
	readonly body: number;
	/** Pose in that body [m, quaternion x y z w]. */
	readonly offset: Float64Array;
	/** The same of its parent. */
	readonly parentBody: number;
	readonly parentOffset: Float64Array;
	readonly isStatic: boolean;
}

/** A joint with one coordinate, as ROS names it. */
export interface JointSpec {
	readonly name: string;
	/** Row of the model. */
	readonly joint: number;
}

/** A topic that a part of a robot uses. */
export interface TopicSpec {
	readonly name: string;
	readonly type: string;
	readonly qos: Qos;
	/** [Hz]; 0 for topics that are listened to. */
	readonly rate: number;
	readonly domain?: number;
	readonly frameId: string;
	readonly isEnabled: boolean;
}

/** An action that a part of a robot offers. */
export interface ActionSpec {
	readonly name: string;
	readonly type: string;
	readonly domain?: number;
	readonly isEnabled: boolean;
}

/** What a controller does, with its joints and interfaces. */
export type ControllerSpec =
	| { readonly kind: 'jointState'; readonly joints: readonly JointSpec[]; readonly topic: TopicSpec }
	| DiffDriveSpec
	| TrajectorySpec
	| {
			readonly kind: 'forward';
			readonly mode: 'position' | 'velocity' | 'effort';
			readonly joints: readonly JointSpec[];
			readonly topic: TopicSpec;
	  };

/** A robot on two wheels, or on several at each side. */
export interface DiffDriveSpec {
	readonly kind: 'diffDrive';
	readonly left: readonly JointSpec[];
	readonly right: readonly JointSpec[];
	/** [m] */
	readonly wheelRadius: number;
	readonly wheelSeparation: number;
	/** Time after which a command no longer counts [s]. */
	readonly timeout: number;
	/** [m/s], [m/s²], [rad/s], [rad/s²]; infinite where nothing is said. */
	readonly maxLinear: number;
	readonly maxLinearAcceleration: number;
	readonly maxAngular: number;
	readonly maxAngularAcceleration: number;
	readonly command: TopicSpec;
	readonly odometry: TopicSpec | undefined;
	readonly baseFrame: string;
	/** Middle between the wheels in that frame, x and y [m]. */
	readonly axle: readonly [number, number];
}

/** Joints that follow trajectories. */
export interface TrajectorySpec {
	readonly kind: 'trajectory';
	readonly joints: readonly JointSpec[];
	readonly action: ActionSpec | undefined;
	readonly topic: TopicSpec | undefined;
	/** Feedback [Hz]. */
	readonly monitorRate: number;
	/** Speed below which a joint stands [rad/s, m/s]; 0: it is not asked. */
	readonly stoppedVelocity: number;
	/** Time that a goal may take longer than its trajectory [s]; 0: as long as it likes. */
	readonly timeout: number;
}

/** A sensor and where its readings go. */
export interface SensorSpec {
	readonly topic: TopicSpec;
	/** Row of the body that it is fixed to; -1 for the world. */
	readonly body: number;
	/** Pose in that body [m, quaternion x y z w]. */
	readonly offset: Float64Array;
	/** What a camera says of itself, in the units of USD. */
	readonly camera?: CameraSpec;
	/** Beams of a lidar; a ring of 360 unless given. */
	readonly beams?: Pick<LidarOptions, 'angleMin' | 'angleMax' | 'beams' | 'elevations' | 'rangeMin' | 'rangeMax'>;
	/** Standard deviations of noise; none unless given. */
	readonly noise?: NoiseSpec;
	/** Row of the joint whose forces are felt; contacts of the body are, unless given. */
	readonly joint?: number;
	/** What an IMU lacks. */
	readonly lacks?: readonly ('orientation' | 'angularVelocity' | 'linearAcceleration')[];
}

/** Standard deviations of Gaussian noise; along x, y and z where there are three [m, rad/s, m/s², N, N·m]. */
export interface NoiseSpec {
	readonly range?: number;
	readonly angularVelocity?: readonly number[];
	readonly linearAcceleration?: readonly number[];
	readonly force?: readonly number[];
	readonly torque?: readonly number[];
}

/** Optics of a camera; lengths in the same unit. */
export interface CameraSpec {
	readonly focalLength: number;
	readonly horizontalAperture: number;
	readonly verticalAperture: number;
	/** Width of its image [pixels]; 640 unless given. */
	readonly width?: number;
}

/** An interface that the asset declares and nobody serves, with the reason. */
export interface InterfaceOff {
	readonly name: string;
	readonly type: string;
	readonly role: string;
	readonly reason: string;
	/** Whether its type is unknown. */
	readonly isUnknownType: boolean;
	/** Where it was written, if that is known. */
	readonly from?: DiagnosticDetails;
}

/** What a robot is to ROS. */
export interface RobotSpec {
	/** `/` or `/robot_1`. */
	readonly namespace: string;
	readonly domain?: number;
	readonly frames: readonly FrameSpec[];
	readonly controllers: readonly ControllerSpec[];
	readonly sensors: readonly SensorSpec[];
	readonly off: readonly InterfaceOff[];
}

/** A name below a namespace. */
export function nameBelow(namespace: string, name: string): string {
	return namespace === '/' ? `/${name}` : `${namespace}/${name}`;
}

/** The same robot with all its names below another namespace. */
export function specBelow(spec: RobotSpec, prefix: string): RobotSpec {
	const move = <T extends { readonly name: string }>(one: T): T => ({ ...one, name: `${prefix}${one.name}` });
	const moved = <T extends { readonly name: string }>(one: T | undefined): T | undefined => one && move(one);
	const controllers = spec.controllers.map((one): ControllerSpec => {
		if (one.kind === 'diffDrive') return { ...one, command: move(one.command), odometry: moved(one.odometry) };
		if (one.kind === 'trajectory') return { ...one, action: moved(one.action), topic: moved(one.topic) };
		return { ...one, topic: move(one.topic) };
	});
	return {
		...spec,
		namespace: spec.namespace === '/' ? prefix : `${prefix}${spec.namespace}`,
		controllers,
		sensors: spec.sensors.map((one) => ({ ...one, topic: move(one.topic) })),
		off: spec.off.map(move),
	};
}
