import { transformMultiply, transformPoint } from '@manyworlds/core/internal';
import { type RosMessage, TypeRegistry } from '@manyworlds/ros';

/** A robot as its topics tell of it at one moment. */
export interface TopicMoment {
	/** Coordinates [rad, m] by the name of the joint. */
	readonly joints: ReadonlyMap<string, number>;
	/** Poses of frames in the outermost one: position [m], rotation x y z w. */
	readonly frames: ReadonlyMap<string, Float64Array>;
	/** What lidars see, in the outermost frame [m]; three numbers each. */
	readonly points: Float32Array<ArrayBuffer>;
}

/** Types that tell where a robot is and what it sees. */
export const TOPIC_TYPES: ReadonlySet<string> = new Set([
	'sensor_msgs/msg/JointState',
	'tf2_msgs/msg/TFMessage',
	'sensor_msgs/msg/LaserScan',
]);

interface Held {
	readonly parent: string;
	readonly pose: Float64Array;
}

interface Scan {
	readonly frame: string;
	/** In that frame. */
	readonly points: Float64Array;
}

/** Keeps what the topics of a robot last said. */
export class RobotTopics {
	readonly #joints = new Map<string, number>();
	readonly #held = new Map<string, Held>();
	readonly #scans = new Map<string, Scan>();

	/** Takes a message as its bytes; false for one that cannot be read or tells nothing of a robot. */
	take(topic: string, type: string, bytes: Uint8Array): boolean {
		if (!TOPIC_TYPES.has(type)) return false;
		const decoded = TypeRegistry.standard.codec(type).decode(bytes);
		if (!('message' in decoded)) return false;
		if (type === 'sensor_msgs/msg/JointState') this.#takeJoints(decoded.message);
		else if (type === 'tf2_msgs/msg/TFMessage') this.#takeTransforms(decoded.message);
		else this.#takeScan(topic, decoded.message);
		return true;
	}

	moment(): TopicMoment {
		const frames = new Map<string, Float64Array>();
		for (const name of this.#held.keys()) this.#frame(name, frames, 0);
		const seen = [...this.#scans.values()];
		const points = new Float32Array(seen.reduce((sum, scan) => sum + scan.points.length, 0));
		const [own, out] = [new Float64Array(3), new Float64Array(3)];
		let at = 0;
		for (const scan of seen) {
			const pose = frames.get(scan.frame) ?? IDENTITY;
			for (let i = 0; i < scan.points.length; i += 3) {
				own.set(scan.points.subarray(i, i + 3));
				points.set(transformPoint(out, pose, own), at);
				at += 3;
			}
		}
		return { joints: new Map(this.#joints), frames, points };
	}

	/** Pose of a frame in the outermost one. */
	#frame(name: string, known: Map<string, Float64Array>, depth: number): Float64Array {
		const found = known.get(name);
		if (found !== undefined) return found;
		const held = this.#held.get(name);
		// frames that hold each other are broken data
		if (held === undefined || depth > MOST_DEPTH) return IDENTITY;
		const pose = transformMultiply(new Float64Array(7), this.#frame(held.parent, known, depth + 1), held.pose);
		known.set(name, pose);
		return pose;
	}

	#takeJoints({ name, position }: RosMessage): void {
		const values = position as ArrayLike<number>;
		for (const [i, joint] of (name as readonly string[]).entries()) {
			const value = values[i];
			if (value !== undefined && Number.isFinite(value)) this.#joints.set(joint, value);
		}
	}

	#takeTransforms({ transforms }: RosMessage): void {
		for (const { header, child_frame_id: child, transform } of transforms as readonly Transform[]) {
			const { translation: p, rotation: q } = transform;
			this.#held.set(child, { parent: header.frame_id, pose: Float64Array.of(p.x, p.y, p.z, q.x, q.y, q.z, q.w) });
		}
	}

	#takeScan(topic: string, message: RosMessage): void {
		const {
			header,
			angle_min: first,
			angle_increment: step,
			range_min: least,
			range_max: most,
			ranges,
		} = message as unknown as LaserScan;
		const points: number[] = [];
		for (let i = 0; i < ranges.length; i++) {
			const range = ranges[i]!;
			if (!(range >= least && range <= most)) continue;
			points.push(range * Math.cos(first + i * step), range * Math.sin(first + i * step), 0);
		}
		this.#scans.set(topic, { frame: header.frame_id, points: Float64Array.from(points) });
	}
}

const IDENTITY: Float64Array = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
/** Longest chain of frames. */
const MOST_DEPTH = 1000;

interface Vector {
	readonly x: number;
	readonly y: number;
	readonly z: number;
}

interface Transform {
	readonly header: { readonly frame_id: string };
	readonly child_frame_id: string;
	readonly transform: { readonly translation: Vector; readonly rotation: Vector & { readonly w: number } };
}

interface LaserScan {
	readonly header: { readonly frame_id: string };
	readonly angle_min: number;
	readonly angle_increment: number;
	readonly range_min: number;
	readonly range_max: number;
	readonly ranges: ArrayLike<number>;
}
