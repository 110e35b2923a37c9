import { transformInvert, transformMultiply } from '@manyworlds/core/internal';
import type { State } from '@manyworlds/model';
import { stampOf } from '../bus/action-server.ts';
import type { Publisher, RosBus } from '../bus/ros-bus.ts';
import { type FrameSpec, nameBelow, type RobotSpec } from '../spec/robot-spec.ts';

/** A transform as `geometry_msgs/msg/TransformStamped` has it. */
interface TransformMessage {
	readonly header: { readonly stamp: { sec: number; nanosec: number }; readonly frame_id: string };
	readonly child_frame_id: string;
	readonly transform: { readonly translation: object; readonly rotation: object };
}

/** Tells TF where frames are: all that move in one message, all that stand in another that late ones get too. */
export class TransformBroadcaster {
	readonly #frames: readonly FrameSpec[];
	readonly #moving: Publisher;
	readonly #fixed: Publisher;
	readonly #bus: RosBus;

	constructor(bus: RosBus, { namespace, frames, domain }: RobotSpec) {
		const place = domain === undefined ? {} : { domain };
		const type = 'tf2_msgs/msg/TFMessage';
		this.#bus = bus;
		this.#frames = frames;
		this.#moving = bus.advertise({ name: nameBelow(namespace, 'tf'), type, qos: { depth: 100 }, ...place });
		const qos = { durability: 'transient_local', depth: 1 } as const;
		this.#fixed = bus.advertise({ name: nameBelow(namespace, 'tf_static'), type, qos, ...place });
	}

	/** Frames that do not move in their parent. */
	publishFixed(state: State): void {
		this.#fixed.publish({
			transforms: this.#frames.filter(({ isStatic }) => isStatic).map((frame) => this.#message(frame, state)),
		});
	}

	/** Frames that move; `more` are those that others know of, such as odometry. */
	publishMoving(state: State, more: readonly TransformMessage[] = []): void {
		const transforms = this.#frames.filter(({ isStatic }) => !isStatic).map((frame) => this.#message(frame, state));
		this.#moving.publish({ transforms: [...transforms, ...more] });
	}

	#message(frame: FrameSpec, state: State): TransformMessage {
		const parent = worldPose(state, frame.parentBody, frame.parentOffset);
		const own = worldPose(state, frame.body, frame.offset);
		const pose = transformMultiply(new Float64Array(7), transformInvert(new Float64Array(7), parent), own);
		return {
			header: { stamp: stampOf(this.#bus.time), frame_id: frame.parentId },
			child_frame_id: frame.id,
			transform: poseMessage(pose, 'translation', 'rotation') as TransformMessage['transform'],
		};
	}
}

/** The pose in the world of a place on a body. */
export function worldPose(state: State, body: number, offset: Float64Array): Float64Array {
	if (body < 0) return offset;
	return transformMultiply(new Float64Array(7), state.bodyQ, offset, 0, 7 * body);
}

/** A pose as messages have it, under the names that they give its parts. */
export function poseMessage(pose: Float64Array, position: string, orientation: string): Record<string, object> {
	// tf2 refuses quaternions that are not of length one
	const [x, y, z, w] = pose.subarray(3, 7) as unknown as [number, number, number, number];
	const length = Math.hypot(x, y, z, w) || 1;
	return {
		[position]: { x: pose[0]!, y: pose[1]!, z: pose[2]! },
		[orientation]: { x: x / length, y: y / length, z: z / length, w: w / length },
	};
}
