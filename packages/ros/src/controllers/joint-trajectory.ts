import { type ActionGoal, ActionServer, stampOf } from '../bus/action-server.ts';
import type { RosBus } from '../bus/ros-bus.ts';
import type { RosMessage } from '../msg/message-codec.ts';
import type { TrajectorySpec } from '../spec/robot-spec.ts';
import { type Controller, isDue, type Plant } from './controller.ts';
import type { DriveModes } from './drive-modes.ts';
import type { ControllerEvents } from './forward-command.ts';
import { topicOptions } from './joint-state-broadcaster.ts';
import { Trajectory, type TrajectoryPoint } from './trajectory.ts';

/** Results of `control_msgs/action/FollowJointTrajectory`. */
export const TrajectoryResult = {
	SUCCESSFUL: 0,
	INVALID_GOAL: -1,
	INVALID_JOINTS: -2,
	OLD_HEADER_TIMESTAMP: -3,
	PATH_TOLERANCE_VIOLATED: -4,
	GOAL_TOLERANCE_VIOLATED: -5,
} as const;

interface TrajectoryMessage {
	readonly header: { readonly stamp: Stamp };
	readonly joint_names: readonly string[];
	readonly points: readonly {
		readonly positions: Float64Array;
		readonly velocities: Float64Array;
		readonly accelerations: Float64Array;
		readonly time_from_start: Stamp;
	}[];
}

interface Stamp {
	readonly sec: number;
	readonly nanosec: number;
}

interface Tolerance {
	readonly name: string;
	readonly position: number;
	readonly velocity: number;
}

interface Run {
	readonly trajectory: Trajectory;
	/** [ns] */
	readonly startsAt: bigint;
	readonly goal: ActionGoal | undefined;
	readonly path: readonly (Tolerance | undefined)[];
	readonly end: readonly (Tolerance | undefined)[];
	/** Time that the joints may take longer [s]. */
	readonly goalTime: number;
	isDone: boolean;
}

interface Refusal {
	readonly code: number;
	readonly reason: string;
}

/** Takes joints along trajectories, given by a topic or as goals of an action. */
export class JointTrajectory implements Controller {
	readonly claims: readonly number[];
	readonly #spec: TrajectorySpec;
	readonly #plant: Plant;
	readonly #drives: DriveModes;
	readonly #bus: RosBus;
	readonly #events: ControllerEvents;
	#run: Run | undefined;
	/** What was last wanted of the joints. */
	#desired: TrajectoryPoint | undefined;

	constructor(bus: RosBus, spec: TrajectorySpec, plant: Plant, drives: DriveModes, events: ControllerEvents) {
		this.#bus = bus;
		this.#spec = spec;
		this.#plant = plant;
		this.#drives = drives;
		this.#events = events;
		this.claims = spec.joints.map(({ joint }) => joint);
		if (spec.topic !== undefined) {
			bus.subscribe<TrajectoryMessage>(topicOptions(spec.topic), (message) => {
				const read = this.#read(message);
				if ('reason' in read) events.log(`${spec.topic!.name}: ${read.reason}; the trajectory was ignored`);
				else this.#begin(read, undefined, [], [], 0);
			});
		}
		if (spec.action !== undefined) {
			new ActionServer(bus, spec.action, {
				accepts: (goal) => {
					const read = this.#read(goal['trajectory'] as unknown as TrajectoryMessage);
					if ('reason' in read) events.log(`${spec.action!.name}: ${read.reason}; the goal was refused`);
					return !('reason' in read);
				},
				start: (goal) => this.#start(goal),
				cancel: (goal) => this.#cancel(goal),
			});
		}
	}

	beforeStep(time: bigint): void {
		const run = this.#run;
		if (run === undefined) return;
		const { model, control, dt } = this.#plant;
		// the target is that of the end of the step
		const wanted = run.trajectory.at(Number(time - run.startsAt) * 1e-9 + dt);
		this.#desired = { time: 0, positions: wanted.positions, velocities: wanted.velocities, accelerations: undefined };
		for (const [i, joint] of this.claims.entries()) {
			this.#drives.use(joint, 'position');
			control.jointTargetQ[model.jointQStart[joint]!] = wanted.positions[i]!;
			control.jointTargetQd[model.jointQdStart[joint]!] = wanted.velocities[i]!;
		}
	}

	afterStep(time: bigint, step: number): void {
		const run = this.#run;
		if (run === undefined || run.isDone) return;
		const elapsed = Number(time - run.startsAt) * 1e-9;
		const wanted = run.trajectory.at(elapsed);
		const { goal } = run;
		if (goal !== undefined && isDue(step, this.#spec.monitorRate, this.#plant.dt))
			goal.feedback(this.#feedback(time, wanted));
		if (elapsed < run.trajectory.duration) {
			const broken = this.#outside(run.path, wanted.positions, wanted.velocities);
			if (broken !== undefined) this.#fail(run, TrajectoryResult.PATH_TOLERANCE_VIOLATED, broken);
			return;
		}
		const standing = new Float64Array(this.claims.length);
		const broken = this.#outside(run.end, wanted.positions, standing);
		if (broken === undefined) {
			run.isDone = true;
			goal?.succeed({ error_code: TrajectoryResult.SUCCESSFUL, error_string: '' });
		} else if (run.goalTime > 0 && elapsed > run.trajectory.duration + run.goalTime)
			this.#fail(run, TrajectoryResult.GOAL_TOLERANCE_VIOLATED, broken);
	}

	release(): void {
		this.#preempt('another controller has taken the joints over');
		this.#run = undefined;
		this.#desired = undefined;
	}

	reset(): void {
		this.#preempt('the simulation was reset');
		this.#run = undefined;
		this.#desired = undefined;
	}

	#start(goal: ActionGoal): void {
		const message = goal.goal as RosMessage & {
			readonly trajectory: TrajectoryMessage;
			readonly path_tolerance: readonly Tolerance[];
			readonly goal_tolerance: readonly Tolerance[];
			readonly goal_time_tolerance: Stamp;
		};
		const read = this.#read(message.trajectory);
		if ('reason' in read) {
			goal.abort({ error_code: read.code, error_string: read.reason });
			return;
		}
		const byJoint = (given: readonly Tolerance[]): (Tolerance | undefined)[] =>
			this.#spec.joints.map(({ name }) => given.find((tolerance) => tolerance.name === name));
		const goalTime = seconds(message.goal_time_tolerance) || this.#spec.timeout;
		const end = byJoint(message.goal_tolerance).map(
			(tolerance, i) =>
				tolerance ?? { name: this.#spec.joints[i]!.name, position: 0, velocity: this.#spec.stoppedVelocity },
		);
		this.#begin(read, goal, byJoint(message.path_tolerance), end, goalTime);
	}

	#begin(
		read: { readonly trajectory: Trajectory; readonly startsAt: bigint },
		goal: ActionGoal | undefined,
		path: Run['path'],
		end: Run['end'],
		goalTime: number,
	): void {
		this.#preempt('a new trajectory has taken its place');
		if (this.#run === undefined) this.#events.claim(this);
		this.#run = { ...read, goal, path, end, goalTime, isDone: false };
	}

	/** Stops where it is. */
	#cancel(goal: ActionGoal): boolean {
		if (this.#run?.goal === goal) {
			this.#run.isDone = true;
			this.#hold();
		}
		goal.canceled({ error_code: TrajectoryResult.SUCCESSFUL, error_string: 'canceled' });
		return true;
	}

	#fail(run: Run, code: number, reason: string): void {
		run.isDone = true;
		run.goal?.abort({ error_code: code, error_string: reason });
		this.#hold();
	}

	#preempt(reason: string): void {
		const run = this.#run;
		if (run === undefined || run.isDone) return;
		run.isDone = true;
		run.goal?.abort({ error_code: TrajectoryResult.INVALID_GOAL, error_string: reason });
	}

	#hold(): void {
		const positions = this.#measured();
		const point = { time: 0, positions, velocities: undefined, accelerations: undefined };
		this.#run = {
			trajectory: new Trajectory([point]),
			startsAt: this.#bus.time,
			goal: undefined,
			path: [],
			end: [],
			goalTime: 0,
			isDone: true,
		};
	}

	#measured(): Float64Array {
		const { model, state } = this.#plant;
		return Float64Array.from(this.claims, (joint) => state.jointQ[model.jointQStart[joint]!]!);
	}

	/** Reads a trajectory; its joints may stand in another order, but must be those of the controller. */
	#read(message: TrajectoryMessage): { readonly trajectory: Trajectory; readonly startsAt: bigint } | Refusal {
		const names = this.#spec.joints.map(({ name }) => name);
		const order = names.map((name) => message.joint_names.indexOf(name));
		if (message.joint_names.length !== names.length || order.includes(-1))
			return {
				code: TrajectoryResult.INVALID_JOINTS,
				reason: `the joints are ${message.joint_names.join(', ')}, expected ${names.join(', ')}`,
			};
		const invalid = (reason: string): Refusal => ({ code: TrajectoryResult.INVALID_GOAL, reason });
		if (message.points.length === 0) return invalid('there are no points');
		const pick = (given: Float64Array): Float64Array | undefined =>
			given.length === 0 ? undefined : Float64Array.from(order, (i) => given[i]!);
		// the first piece begins with what was wanted before, or with where the joints are
		const points: TrajectoryPoint[] = [];
		let before = 0;
		for (const [index, point] of message.points.entries()) {
			const time = seconds(point.time_from_start);
			const { positions, velocities, accelerations } = point;
			if (positions.length !== names.length)
				return invalid(`point ${index} has ${positions.length} positions for ${names.length} joints`);
			if (index > 0 ? time <= before : time < 0) return invalid(`point ${index} is not later than the one before`);
			if (
				![positions, velocities, accelerations].every(
					(values) => values.length === 0 || (values.length === names.length && values.every(Number.isFinite)),
				)
			)
				return invalid(`point ${index} has numbers that are missing or not finite`);
			before = time;
			points.push({
				time,
				positions: pick(positions)!,
				velocities: pick(velocities),
				accelerations: pick(accelerations),
			});
		}
		if (points[0]!.time > 0) {
			const zeros = new Float64Array(names.length);
			const start = this.#desired ?? { positions: this.#measured(), velocities: zeros };
			points.unshift({
				time: 0,
				positions: start.positions,
				velocities: start.velocities ?? zeros,
				accelerations: zeros,
			});
		}
		const stamp = nanoseconds(message.header.stamp);
		const startsAt = stamp === 0n ? this.#bus.time : stamp;
		const end = startsAt + BigInt(Math.round(points.at(-1)!.time * 1e9));
		if (end < this.#bus.time)
			return { code: TrajectoryResult.OLD_HEADER_TIMESTAMP, reason: 'the trajectory has ended before it came' };
		return { trajectory: new Trajectory(points), startsAt };
	}

	/** Which joint is not where it should be; undefined when all are. A tolerance of zero is none. */
	#outside(tolerances: Run['path'], positions: Float64Array, velocities: Float64Array): string | undefined {
		const { model, state } = this.#plant;
		for (const [i, tolerance] of tolerances.entries()) {
			if (tolerance === undefined) continue;
			const joint = this.claims[i]!;
			const off = Math.abs(state.jointQ[model.jointQStart[joint]!]! - positions[i]!);
			const fast = Math.abs(state.jointQd[model.jointQdStart[joint]!]! - velocities[i]!);
			if (tolerance.position > 0 && off > tolerance.position)
				return `${tolerance.name} is ${off.toPrecision(3)} off its place, allowed are ${tolerance.position}`;
			if (tolerance.velocity > 0 && fast > tolerance.velocity)
				return `${tolerance.name} is ${fast.toPrecision(3)} off its speed, allowed are ${tolerance.velocity}`;
		}
		return undefined;
	}

	#feedback(
		time: bigint,
		wanted: { readonly positions: Float64Array; readonly velocities: Float64Array; readonly index: number },
	): RosMessage {
		const { model, state } = this.#plant;
		const positions = this.#measured();
		const velocities = Float64Array.from(this.claims, (joint) => state.jointQd[model.jointQdStart[joint]!]!);
		return {
			header: { stamp: stampOf(time), frame_id: '' },
			joint_names: this.#spec.joints.map(({ name }) => name),
			desired: { positions: wanted.positions, velocities: wanted.velocities },
			actual: { positions, velocities },
			error: {
				positions: positions.map((value, i) => wanted.positions[i]! - value),
				velocities: velocities.map((value, i) => wanted.velocities[i]! - value),
			},
			index: wanted.index,
		};
	}
}

function seconds({ sec, nanosec }: Stamp): number {
	return sec + nanosec * 1e-9;
}

function nanoseconds({ sec, nanosec }: Stamp): bigint {
	return BigInt(sec) * 1_000_000_000n + BigInt(nanosec);
}
