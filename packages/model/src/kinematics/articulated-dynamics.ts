import type { Model } from '../model/model.ts';
import { ModelError } from '../model-error.ts';
import { ArticulationSweep } from './articulation-sweep.ts';
import { type ArticulationChoice, chooseArticulations } from './choose-articulations.ts';
import {
	articulationGravity,
	type ForwardKinematicsOptions,
	forwardKinematics,
	type KinematicState,
} from './forward-kinematics.ts';
import { InverseDynamicsScratch, writeInverseDynamics } from './inverse-dynamics.ts';
import { writeJacobian } from './jacobian.ts';
import { MassMatrixScratch, writeMassMatrix } from './mass-matrix.ts';
import { recoverCoordinates } from './recover-coordinates.ts';
import type { PlacedBodies } from './tree-placement.ts';

/** Joint coordinates and velocities; a `State` has them. @public */
export interface JointState {
	readonly jointQ: Float64Array;
	readonly jointQd: Float64Array;
}

/** Joint accelerations, and which articulations. @public */
export interface InverseDynamicsOptions extends ArticulationChoice {
	/** [m/s², rad/s²], one for each degree of freedom; left out, zero. */
	readonly jointQdd?: Float64Array;
	/** Leave gravity out. */
	readonly withoutGravity?: boolean;
	/** Leave velocities out: only gravity and accelerations count. */
	readonly withoutVelocity?: boolean;
}

/**
 * Kinematics and dynamics of the articulations of a model, in joint coordinates. It keeps scratch memory, so make one for
 * a model and use it again; nothing is allocated by calls that are given an output array.
 *
 * Joint velocities follow the model's conventions: see `jointQd` of {@link Model}. All forces are consistent with
 * `tau = M · qdd + bias`, floating joints included.
 * @public
 */
export class ArticulatedDynamics {
	readonly model: Model;
	/** Columns of a Jacobian and of a mass matrix: the degrees of freedom of the largest articulation. */
	readonly maxDofs: number;
	/** Row blocks of a Jacobian: the tree joints of the largest articulation. */
	readonly maxJoints: number;
	readonly #sweep: ArticulationSweep;
	readonly #bodies: PlacedBodies;
	readonly #massMatrix: MassMatrixScratch;
	readonly #inverseDynamics: InverseDynamicsScratch;

	constructor(model: Model) {
		this.model = model;
		this.maxDofs = model.maxDofsPerArticulation;
		this.maxJoints = model.maxJointsPerArticulation;
		this.#sweep = new ArticulationSweep(model);
		this.#bodies = { bodyQ: Float64Array.from(model.bodyQ), bodyQd: Float64Array.from(model.bodyQd) };
		this.#massMatrix = new MassMatrixScratch(this.maxJoints, this.maxDofs);
		this.#inverseDynamics = new InverseDynamicsScratch(this.maxJoints);
	}

	/** Takes over edits of the model's joint frames, axes and centres of mass; masses, inertias and gravity are read anew each time. */
	notifyModelChanged(): void {
		this.#sweep.refresh();
	}

	/** Sets body poses and velocities from joint coordinates and velocities. */
	forwardKinematics(state: KinematicState, options: ForwardKinematicsOptions = {}): void {
		forwardKinematics(this.#sweep, state, options);
	}

	/** Sets joint coordinates and velocities from body poses and velocities. */
	recoverCoordinates(state: KinematicState, choice: ArticulationChoice = {}): void {
		recoverCoordinates(this.#sweep, state, choice);
	}

	/**
	 * The Jacobians of the chosen articulations; shape (articulations of the model, 6 · maxJoints, maxDofs), zero elsewhere.
	 * Six rows for each tree joint: linear, then angular velocity of the child's centre of mass in world axes.
	 */
	jacobian(state: JointState, choice: ArticulationChoice = {}, out?: Float64Array): Float64Array {
		const stride = 6 * this.maxJoints * this.maxDofs;
		const result = this.#output(out, stride * this.model.articulationCount, 'Jacobian');
		for (const articulation of this.#place(state, choice)) {
			writeJacobian(this.#sweep, articulation, result, articulation * stride, this.maxDofs);
		}
		return result;
	}

	/** The mass matrices of the chosen articulations, without armature; shape (articulations of the model, maxDofs, maxDofs). */
	massMatrix(state: JointState, choice: ArticulationChoice = {}, out?: Float64Array): Float64Array {
		const stride = this.maxDofs * this.maxDofs;
		const result = this.#output(out, stride * this.model.articulationCount, 'mass matrix');
		for (const articulation of this.#place(state, choice)) {
			writeMassMatrix(
				this.#sweep,
				articulation,
				this.#bodies.bodyQ,
				this.#massMatrix,
				result,
				articulation * stride,
				this.maxDofs,
			);
		}
		return result;
	}

	/** Coriolis, centrifugal and gravity forces [N, N·m]; shape (dofs of the model), zero for articulations not chosen. */
	biasForces(state: JointState, choice: ArticulationChoice = {}, out?: Float64Array): Float64Array {
		return this.inverseDynamics(state, choice, out);
	}

	/** Forces that hold the articulations against gravity [N, N·m]; shape (dofs of the model). */
	gravityForces(state: JointState, choice: ArticulationChoice = {}, out?: Float64Array): Float64Array {
		return this.inverseDynamics(state, { ...choice, withoutVelocity: true }, out);
	}

	/** Joint forces [N, N·m] that give the joints an acceleration; shape (dofs of the model). */
	inverseDynamics(state: JointState, options: InverseDynamicsOptions = {}, out?: Float64Array): Float64Array {
		const { model } = this;
		if (options.jointQdd !== undefined && options.jointQdd.length !== model.jointDofCount) {
			throw new ModelError(
				'MODEL051',
				`jointQdd has ${options.jointQdd.length} numbers, expected ${model.jointDofCount}`,
				{ kind: 'array', label: 'jointQdd' },
			);
		}
		const result = this.#output(out, model.jointDofCount, 'joint forces');
		const moves = options.withoutVelocity !== true;
		for (const articulation of this.#place(state, options, moves)) {
			const input = {
				bodyQ: this.#bodies.bodyQ,
				bodyQd: moves ? this.#bodies.bodyQd : undefined,
				jointQd: moves ? state.jointQd : undefined,
				jointQdd: options.jointQdd,
				gravity: options.withoutGravity ? NO_GRAVITY : articulationGravity(model, articulation),
			};
			const [firstDof] = this.#sweep.dofRange(articulation);
			writeInverseDynamics(this.#sweep, articulation, input, this.#inverseDynamics, result, firstDof);
		}
		return result;
	}

	/** Places the chosen articulations and gives their indices. */
	#place(state: JointState, choice: ArticulationChoice, moves = false): Int32Array {
		const chosen = chooseArticulations(this.model, choice);
		const jointQd = moves ? state.jointQd : undefined;
		for (const articulation of chosen) this.#sweep.place(articulation, state.jointQ, jointQd, this.#bodies);
		return chosen;
	}

	#output(out: Float64Array | undefined, size: number, what: string): Float64Array {
		if (out === undefined) return new Float64Array(size);
		if (out.length !== size) {
			throw new ModelError('MODEL051', `the array for the ${what} has ${out.length} numbers, expected ${size}`, {
				kind: 'array',
				label: what,
			});
		}
		out.fill(0);
		return out;
	}
}

const NO_GRAVITY: readonly number[] = [0, 0, 0];
