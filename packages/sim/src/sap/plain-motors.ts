import { groupByWorld } from './group-by-world.ts';
import { ActivationKind, type LinearActuator } from './linear-actuators.ts';

/** Numbers of each motor: gain, bias, bounds of the control, bounds of the force. */
const LAW = 6;

/**
 * Actuators whose force depends on their control only, `gain · u + bias` within bounds: most of a robot's. Arrays in place of
 * objects, as every one of them acts in every step.
 */
export class PlainMotors {
	/** Motors of each group: `#groupStart[g]` to `#groupStart[g + 1]`. */
	readonly #groupStart: Int32Array;
	/** Row of each motor among the controls. */
	readonly #row: Int32Array;
	readonly #law: Float64Array;
	/** Entries of each motor: what its force is multiplied with, and the degree of freedom that it goes to. */
	readonly #start: Int32Array;
	readonly #dof: Int32Array;
	readonly #moment: Float64Array;
	/** 1 for motors that do not push when their control is 0. */
	readonly #restsAtZero: Uint8Array;
	/** 1 for groups of motors that all rest at 0, and have rows one behind the other. */
	readonly #canRest: Uint8Array;

	/** Takes those of the actuators that are plain motors; others are left alone. */
	constructor(actuators: readonly LinearActuator[], worldCount: number) {
		const groups = groupByWorld(actuators.filter(isPlainMotor), worldCount);
		const motors = groups.flat();
		this.#groupStart = new Int32Array(groups.length + 1);
		for (const [group, { length }] of groups.entries()) this.#groupStart[group + 1] = this.#groupStart[group]! + length;
		this.#row = Int32Array.from(motors, ({ row }) => row);
		this.#law = new Float64Array(LAW * motors.length);
		this.#start = new Int32Array(motors.length + 1);
		this.#restsAtZero = new Uint8Array(motors.length);
		for (const [i, { gain, bias, control, force, dofs }] of motors.entries()) {
			this.#law.set([gain[0]!, bias[0]!, control[0]!, control[1]!, force[0]!, force[1]!], LAW * i);
			this.#start[i + 1] = this.#start[i]! + dofs.length;
			this.#restsAtZero[i] = this.#forceOf(i, 0) === 0 ? 1 : 0;
		}
		this.#canRest = Uint8Array.from(groups, (_, group) => (this.#areInRow(group) ? 1 : 0));
		this.#dof = Int32Array.from(motors.flatMap(({ dofs }) => Array.from(dofs)));
		this.#moment = Float64Array.from(motors.flatMap(({ moments }) => Array.from(moments)));
	}

	/**
	 * Adds the forces of the motors of a group to those by degree of freedom; motors beyond the controls have a control of 0. Gives
	 * whether there are any.
	 */
	push(group: number, controls: Float64Array, forces: Float64Array): boolean {
		if (this.#canRest[group] === 1 && this.#isAtRest(group, controls)) return false;
		const row = this.#row;
		const restsAtZero = this.#restsAtZero;
		const start = this.#start;
		const dof = this.#dof;
		const moment = this.#moment;
		const end = this.#groupStart[group + 1]!;
		let isPushed = false;
		for (let i = this.#groupStart[group]!; i < end; i++) {
			const given = row[i]! < controls.length ? controls[row[i]!]! : 0;
			if (given === 0 && restsAtZero[i] === 1) continue;
			const force = this.#forceOf(i, given);
			if (force === 0) continue;
			isPushed = true;
			for (let k = start[i]!; k < start[i + 1]!; k++) {
				forces[dof[k]!] = forces[dof[k]!]! + moment[k]! * force;
			}
		}
		return isPushed;
	}

	/** Whether the controls of a group of motors that rest at 0 are 0, which many are in many steps. */
	#isAtRest(group: number, controls: Float64Array): boolean {
		const first = this.#groupStart[group]!;
		const count = this.#groupStart[group + 1]! - first;
		const row = count > 0 ? this.#row[first]! : 0;
		const end = Math.min(row + count, controls.length);
		for (let i = row; i < end; i++) if (controls[i] !== 0) return false;
		return true;
	}

	#areInRow(group: number): boolean {
		const first = this.#groupStart[group]!;
		for (let i = first; i < this.#groupStart[group + 1]!; i++)
			if (this.#restsAtZero[i] === 0 || this.#row[i] !== this.#row[first]! + i - first) return false;
		return true;
	}

	#forceOf(motor: number, control: number): number {
		const law = this.#law;
		const at = LAW * motor;
		const u = Math.min(law[at + 3]!, Math.max(law[at + 2]!, control));
		return Math.min(law[at + 5]!, Math.max(law[at + 4]!, law[at]! * u + law[at + 1]!));
	}
}

/** Whether the force of an actuator is that of a plain motor: it feels neither length nor rate, and has no activation. */
export function isPlainMotor({ gain, bias, activation }: LinearActuator): boolean {
	return activation === ActivationKind.NONE && gain[1] === 0 && gain[2] === 0 && bias[1] === 0 && bias[2] === 0;
}
