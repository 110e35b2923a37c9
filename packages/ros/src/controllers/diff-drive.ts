import { stampOf } from '../bus/action-server.ts';
import type { Publisher, RosBus } from '../bus/ros-bus.ts';
import type { DiffDriveSpec, JointSpec } from '../spec/robot-spec.ts';
import { type Controller, isDue, type Plant } from './controller.ts';
import type { DriveModes } from './drive-modes.ts';
import type { ControllerEvents } from './forward-command.ts';
import { topicOptions } from './joint-state-broadcaster.ts';

interface Vector {
	readonly x: number;
	readonly y: number;
	readonly z: number;
}

interface Twist {
	readonly linear: Vector;
	readonly angular: Vector;
}

interface TwistStamped {
	readonly header: { readonly stamp: { readonly sec: number; readonly nanosec: number } };
	readonly twist: Twist;
}

/** Time in which the speed of a wheel is corrected [s]. */
const TRIM_TIME = 0.05;

/** Drives wheels after velocities, and tells how far the wheels have rolled. */
export class DiffDrive implements Controller {
	readonly claims: readonly number[];
	readonly #spec: DiffDriveSpec;
	readonly #plant: Plant;
	readonly #drives: DriveModes;
	readonly #bus: RosBus;
	readonly #odometry: Publisher | undefined;
	/** The last command [m/s, rad/s], when it came [ns], and what was made of it within the limits. */
	#wanted: { readonly linear: number; readonly angular: number; readonly at: bigint } | undefined;
	#linear = 0;
	#angular = 0;
	/** Corrections of the speeds of wheels [rad/s], by joint. */
	readonly #trims = new Map<number, number>();
	/** Where the wheels say that their middle is [m, rad]; the base was at the origin at the start. */
	#x: number;
	#y: number;
	#yaw = 0;
	#angles: { readonly left: number; readonly right: number } | undefined;
	#odometryTwist = { linear: 0, angular: 0 };

	constructor(bus: RosBus, spec: DiffDriveSpec, plant: Plant, drives: DriveModes, events: ControllerEvents) {
		this.#bus = bus;
		this.#spec = spec;
		this.#plant = plant;
		this.#drives = drives;
		this.claims = [...spec.left, ...spec.right].map(({ joint }) => joint);
		[this.#x, this.#y] = spec.axle;
		const take = ({ linear, angular }: Twist): void => {
			if (!Number.isFinite(linear.x) || !Number.isFinite(angular.z)) {
				events.log(`${spec.command.name}: the velocity is ${linear.x} and ${angular.z}; the command was ignored`);
				return;
			}
			if (this.#wanted === undefined) events.claim(this);
			this.#wanted = { linear: linear.x, angular: angular.z, at: bus.time };
		};
		const options = topicOptions(spec.command);
		if (spec.command.type === 'geometry_msgs/msg/TwistStamped')
			bus.subscribe<TwistStamped>(options, (message) => this.#takeStamped(message, take));
		else bus.subscribe<Twist>(options, take);
		this.#odometry = spec.odometry && bus.advertise(topicOptions(spec.odometry));
		this.#angles = this.#measure();
	}

	beforeStep(time: bigint): void {
		const wanted = this.#wanted;
		if (wanted === undefined) return;
		const { maxLinear, maxAngular, maxLinearAcceleration, maxAngularAcceleration, timeout } = this.#spec;
		const { model, control, dt } = this.#plant;
		const isStale = timeout > 0 && Number(time - wanted.at) * 1e-9 > timeout;
		const linear = isStale ? 0 : clamp(wanted.linear, maxLinear);
		const angular = isStale ? 0 : clamp(wanted.angular, maxAngular);
		this.#linear += clamp(linear - this.#linear, maxLinearAcceleration * dt);
		this.#angular += clamp(angular - this.#angular, maxAngularAcceleration * dt);
		const { wheelRadius, wheelSeparation, left, right } = this.#spec;
		const turn = (this.#angular * wheelSeparation) / 2;
		for (const [wheels, speed] of [
			[left, (this.#linear - turn) / wheelRadius],
			[right, (this.#linear + turn) / wheelRadius],
		] as const) {
			for (const { joint } of wheels) {
				this.#drives.use(joint, 'velocity');
				const dof = model.jointQdStart[joint]!;
				if (this.#drives.isStiff(joint)) {
					control.jointTargetQd[dof] = speed;
					control.jointTargetQ[model.jointQStart[joint]!]! += speed * dt;
				} else control.jointTargetQd[dof] = speed + this.#trimmed(joint, dof, speed);
			}
		}
	}

	afterStep(time: bigint, step: number): void {
		this.#integrate();
		const { odometry } = this.#spec;
		if (odometry === undefined || this.#odometry === undefined || !isDue(step, odometry.rate, this.#plant.dt)) return;
		const { axle, baseFrame } = this.#spec;
		const [cos, sin] = [Math.cos(this.#yaw), Math.sin(this.#yaw)];
		const { linear, angular } = this.#odometryTwist;
		this.#odometry.publish({
			header: { stamp: stampOf(time), frame_id: odometry.frameId },
			child_frame_id: baseFrame,
			pose: {
				pose: {
					position: { x: this.#x - cos * axle[0] + sin * axle[1], y: this.#y - sin * axle[0] - cos * axle[1], z: 0 },
					orientation: { x: 0, y: 0, z: Math.sin(this.#yaw / 2), w: Math.cos(this.#yaw / 2) },
				},
			},
			twist: {
				twist: {
					linear: { x: linear + angular * axle[1], y: -angular * axle[0] },
					angular: { z: angular },
				},
			},
		});
	}

	release(): void {
		this.#wanted = undefined;
		this.#linear = 0;
		this.#angular = 0;
		this.#trims.clear();
	}

	reset(): void {
		this.release();
		[this.#x, this.#y] = this.#spec.axle;
		this.#yaw = 0;
		this.#angles = this.#measure();
	}

	#takeStamped({ header, twist }: TwistStamped, take: (twist: Twist) => void): void {
		const stamp = BigInt(header.stamp.sec) * 1_000_000_000n + BigInt(header.stamp.nanosec);
		const age = Number(this.#bus.time - stamp) * 1e-9;
		// a stamp of zero means now
		if (stamp > 0n && this.#spec.timeout > 0 && age > this.#spec.timeout) return;
		take(twist);
	}

	/**
	 * What is added to the target of a wheel so that it turns as fast as it should under load, as the speed controllers of real wheels
	 * do: a drive without stiffness alone would lag. It is no more than what takes the drive to its limit.
	 */
	#trimmed(joint: number, dof: number, speed: number): number {
		const { model, state, dt } = this.#plant;
		const most =
			model.jointEffortLimit[dof]! > 0
				? model.jointEffortLimit[dof]! / Math.max(model.jointTargetKd[dof]!, 1e-9)
				: Number.POSITIVE_INFINITY;
		const error = speed - state.jointQd[dof]!;
		const trim = clamp((this.#trims.get(joint) ?? 0) + (error * dt) / TRIM_TIME, most);
		this.#trims.set(joint, trim);
		return trim;
	}

	/** Moves along the arc that the wheels have measured. */
	#integrate(): void {
		const now = this.#measure();
		const before = this.#angles ?? now;
		this.#angles = now;
		const { wheelRadius, wheelSeparation } = this.#spec;
		const left = (now.left - before.left) * wheelRadius;
		const right = (now.right - before.right) * wheelRadius;
		const distance = (left + right) / 2;
		const turn = (right - left) / wheelSeparation;
		const half = turn / 2;
		// the chord of the arc
		const chord = Math.abs(half) < 1e-9 ? distance : (distance * Math.sin(half)) / half;
		this.#x += chord * Math.cos(this.#yaw + half);
		this.#y += chord * Math.sin(this.#yaw + half);
		this.#yaw += turn;
		const { dt } = this.#plant;
		this.#odometryTwist = { linear: distance / dt, angular: turn / dt };
	}

	#measure(): { left: number; right: number } {
		const mean = (wheels: readonly JointSpec[]): number => {
			const { model, state } = this.#plant;
			let sum = 0;
			for (const { joint } of wheels) sum += state.jointQ[model.jointQStart[joint]!]!;
			return sum / wheels.length;
		};
		return { left: mean(this.#spec.left), right: mean(this.#spec.right) };
	}
}

function clamp(value: number, limit: number): number {
	return Math.min(limit, Math.max(-limit, value));
}
