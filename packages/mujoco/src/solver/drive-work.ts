import type { CompiledModel } from '../engine/compiled-model.ts';
import { doubleField, intField } from '../engine/mj-fields.ts';

/** MuJoCo's numbers of integrators that take dampers of actuators at the end of the step. */
const IMPLICIT = new Set([2, 3]);
/** MuJoCo's number of affine gains and biases. */
const AFFINE = 1;
/** Numbers of `gainprm` and `biasprm` of an actuator. */
const PARAMETERS = 10;

/**
 * Work of actuators and springs in a step of MuJoCo. Impulses times the mean of the velocities before and after are what the
 * kinetic energy changes by.
 */
export class DriveWork {
	readonly #compiled: CompiledModel;
	readonly #before: Float64Array;

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		this.#before = new Float64Array(compiled.mj.nv);
	}

	/** Keeps the velocities at the start of a step. */
	begin(qvel: Float64Array): void {
		this.#before.set(qvel);
	}

	/** Work [J] of the step that was just taken. */
	end(qvel: Float64Array, dt: number): number {
		const { data } = this.#compiled;
		const before = this.#before;
		let power = 0;
		for (const name of ['qfrc_actuator', 'qfrc_spring', 'qfrc_gravcomp']) {
			const force = doubleField(data, name);
			for (let i = 0; i < force.length; i++) power += 0.5 * force[i]! * (before[i]! + qvel[i]!);
		}
		return dt * (power + this.#implicitPower(qvel));
	}

	/** What dampers of actuators do beyond their force at the start, with integrators that take them at the end. */
	#implicitPower(qvel: Float64Array): number {
		const { mj, data, engineOptions } = this.#compiled;
		if (mj.nu === 0 || !IMPLICIT.has(engineOptions.integrator)) return 0;
		const before = this.#before;
		const moment = doubleField(data, 'actuator_moment');
		const [counts, starts, columns] = [
			intField(data, 'moment_rownnz'),
			intField(data, 'moment_rowadr'),
			intField(data, 'moment_colind'),
		];
		const [gains, biases] = [doubleField(mj, 'actuator_gainprm'), doubleField(mj, 'actuator_biasprm')];
		const [gainTypes, biasTypes] = [intField(mj, 'actuator_gaintype'), intField(mj, 'actuator_biastype')];
		const ranges = doubleField(mj, 'actuator_forcerange');
		const forces = doubleField(data, 'actuator_force');
		const ctrl = doubleField(data, 'ctrl');
		let power = 0;
		for (let i = 0; i < mj.nu; i++) {
			let slope = biasTypes[i] === AFFINE ? biases[PARAMETERS * i + 2]! : 0;
			if (gainTypes[i] === AFFINE) slope += gains[PARAMETERS * i + 2]! * ctrl[i]!;
			const [low, high] = [ranges[2 * i]!, ranges[2 * i + 1]!];
			// a force at its limit does not depend on the velocity
			if (slope === 0 || (low < high && (forces[i]! <= low || forces[i]! >= high))) continue;
			let [first, last] = [0, 0];
			for (let k = starts[i]!; k < starts[i]! + counts[i]!; k++) {
				first += moment[k]! * before[columns[k]!]!;
				last += moment[k]! * qvel[columns[k]!]!;
			}
			power += 0.5 * slope * (last - first) * (last + first);
		}
		return power;
	}
}
