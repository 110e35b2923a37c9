import { stampOf } from '../bus/action-server.ts';
import type { Publisher, RosBus } from '../bus/ros-bus.ts';
import type { ControllerSpec, TopicSpec } from '../spec/robot-spec.ts';
import { type Controller, isDue, type Plant } from './controller.ts';

/** Tells the coordinates, velocities and applied forces of joints, as the solver found them. */
export class JointStateBroadcaster implements Controller {
	readonly claims: readonly number[] = [];
	readonly #spec: Extract<ControllerSpec, { kind: 'jointState' }>;
	readonly #plant: Plant;
	readonly #publisher: Publisher;
	readonly #names: readonly string[];
	readonly #position: Float64Array;
	readonly #velocity: Float64Array;
	readonly #effort: Float64Array;

	constructor(bus: RosBus, spec: Extract<ControllerSpec, { kind: 'jointState' }>, plant: Plant) {
		this.#spec = spec;
		this.#plant = plant;
		this.#publisher = bus.advertise(topicOptions(spec.topic));
		this.#names = spec.joints.map(({ name }) => name);
		const count = spec.joints.length;
		this.#position = new Float64Array(count);
		this.#velocity = new Float64Array(count);
		this.#effort = new Float64Array(count);
	}

	afterStep(time: bigint, step: number): void {
		const { topic, joints } = this.#spec;
		const { model, state, dt } = this.#plant;
		if (!isDue(step, topic.rate, dt)) return;
		for (const [i, { joint }] of joints.entries()) {
			const dof = model.jointQdStart[joint]!;
			this.#position[i] = state.jointQ[model.jointQStart[joint]!]!;
			this.#velocity[i] = state.jointQd[dof]!;
			this.#effort[i] = appliedForce(this.#plant, joint);
		}
		this.#publisher.publish({
			header: { stamp: stampOf(time), frame_id: topic.frameId },
			name: this.#names,
			position: this.#position,
			velocity: this.#velocity,
			effort: this.#effort,
		});
	}
}

/** The force [N, N·m] of the drive of a joint at the present state, within its limit, and what is applied besides. */
export function appliedForce({ model, state, control }: Plant, joint: number): number {
	const dof = model.jointQdStart[joint]!;
	const coordinate = model.jointQStart[joint]!;
	const stretch = control.jointTargetQ[coordinate]! - state.jointQ[coordinate]!;
	const lag = control.jointTargetQd[dof]! - state.jointQd[dof]!;
	const drive = model.jointTargetKe[dof]! * stretch + model.jointTargetKd[dof]! * lag + control.jointAct[dof]!;
	const limit = model.jointEffortLimit[dof]!;
	return (limit > 0 ? Math.min(limit, Math.max(-limit, drive)) : drive) + control.jointF[dof]!;
}

/** A topic of a specification as the bus takes it. */
export function topicOptions({ name, type, qos, domain }: TopicSpec): {
	name: string;
	type: string;
	qos: TopicSpec['qos'];
	domain?: number;
} {
	return { name, type, qos, ...(domain !== undefined && { domain }) };
}
