import type { RosBus } from '../bus/ros-bus.ts';
import type { ControllerSpec } from '../spec/robot-spec.ts';
import type { Controller, Plant } from './controller.ts';
import type { DriveModes } from './drive-modes.ts';
import { topicOptions } from './joint-state-broadcaster.ts';

type ForwardSpec = Extract<ControllerSpec, { kind: 'forward' }>;

/** What controllers tell others. */
export interface ControllerEvents {
	/** It has a command and takes its joints over. */
	claim(controller: Controller): void;
	/** A sentence for the log. */
	log(message: string): void;
}

/** Passes the numbers of a message on to joints: as targets of their drives, or as forces. */
export class ForwardCommand implements Controller {
	readonly claims: readonly number[];
	readonly #spec: ForwardSpec;
	readonly #plant: Plant;
	readonly #drives: DriveModes;
	#command: readonly number[] | undefined;

	constructor(bus: RosBus, spec: ForwardSpec, plant: Plant, drives: DriveModes, events: ControllerEvents) {
		this.#spec = spec;
		this.#plant = plant;
		this.#drives = drives;
		this.claims = spec.joints.map(({ joint }) => joint);
		bus.subscribe<{ data: ArrayLike<number> }>(topicOptions(spec.topic), ({ data }) => {
			const problem = this.#problem(data);
			if (problem !== undefined) {
				events.log(`${spec.topic.name}: ${problem}; the command was ignored`);
				return;
			}
			if (this.#command === undefined) events.claim(this);
			this.#command = Array.from(data);
		});
	}

	beforeStep(): void {
		const command = this.#command;
		if (command === undefined) return;
		const { model, control, dt } = this.#plant;
		for (const [i, joint] of this.claims.entries()) {
			const dof = model.jointQdStart[joint]!;
			const coordinate = model.jointQStart[joint]!;
			this.#drives.use(joint, this.#spec.mode);
			if (this.#spec.mode === 'position') {
				control.jointTargetQ[coordinate] = command[i]!;
				control.jointTargetQd[dof] = 0;
			} else if (this.#spec.mode === 'velocity') {
				control.jointTargetQd[dof] = command[i]!;
				if (this.#drives.isStiff(joint)) control.jointTargetQ[coordinate]! += command[i]! * dt;
			} else {
				const limit = model.jointEffortLimit[dof]!;
				control.jointF[dof] = limit > 0 ? Math.min(limit, Math.max(-limit, command[i]!)) : command[i]!;
			}
		}
	}

	release(): void {
		this.#command = undefined;
	}

	reset(): void {
		this.#command = undefined;
	}

	#problem(data: ArrayLike<number>): string | undefined {
		const { length } = this.claims;
		if (data.length !== length) return `${data.length} numbers for ${length} joints`;
		for (let i = 0; i < length; i++) if (!Number.isFinite(data[i])) return `number ${i} is ${data[i]}`;
		return undefined;
	}
}
