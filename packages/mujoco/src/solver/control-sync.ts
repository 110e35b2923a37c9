import { quatConjugate, quatMultiply, quatRotate, quatToRotationVector } from '@manyworlds/core';
import { BodyFlags, type Control, type Model, type State } from '@manyworlds/model';
import type { CompiledModel } from '../engine/compiled-model.ts';
import type { Views } from '../engine/data-views.ts';
import { doubleField } from '../engine/mj-fields.ts';
import { WorldShift } from '../engine/world-shift.ts';

/** Actuators whose control is one number of an array: which actuator, and where the number is in the template world. */
interface Sources {
	readonly actuator: Int32Array;
	readonly from: Int32Array;
}

/** Brings targets, direct controls and forces of one world into the engine. */
export class ControlSync {
	readonly #compiled: CompiledModel;
	readonly #model: Model;
	readonly #shift: WorldShift;
	readonly #positions: Sources;
	readonly #velocities: Sources;
	readonly #direct: Sources;
	/** Direct controls of each world. */
	readonly #directCount: number;
	readonly #balls: readonly number[];
	/** MuJoCo bodies and their bodies of the template world. */
	readonly #id: Int32Array;
	readonly #body: Int32Array;
	/** Free joints of the template world with their MuJoCo bodies. */
	readonly #free: readonly { readonly id: number; readonly joint: number }[];
	/** MuJoCo bodies of no world, with their body. */
	readonly #global: readonly { readonly id: number; readonly body: number }[];
	#given: ArrayLike<number> = EMPTY;
	readonly #turn: Float64Array = new Float64Array(4);
	readonly #other: Float64Array = new Float64Array(4);
	readonly #vector: Float64Array = new Float64Array(3);
	readonly #rotated: Float64Array = new Float64Array(3);

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		const { model, template, attributes, actuators } = compiled.conversion;
		this.#model = model;
		this.#shift = new WorldShift(compiled.conversion);
		this.#directCount = Math.floor(attributes.count('actuator') / Math.max(template.worldCount, 1));
		const ids = actuators.map((_, id) => id);
		const targets = ids.filter((id) => actuators[id]!.source === 0 && actuators[id]!.axis < 0);
		const choose = (chosen: readonly number[], from: (id: number) => number): Sources => ({
			actuator: Int32Array.from(chosen),
			from: Int32Array.from(chosen, from),
		});
		this.#positions = choose(
			targets.filter((id) => actuators[id]!.index >= 0),
			(id) => actuators[id]!.coordinate,
		);
		this.#velocities = choose(
			targets.filter((id) => actuators[id]!.index < 0),
			(id) => -(actuators[id]!.index + 2),
		);
		this.#direct = choose(
			ids.filter((id) => actuators[id]!.source === 1),
			(id) => actuators[id]!.index % this.#directCount,
		);
		this.#balls = ids.filter((id) => actuators[id]!.source === 0 && actuators[id]!.axis >= 0);
		const moved = Array.from(compiled.maps.body.entries()).filter(([id, body]) => id > 0 && body >= 0);
		this.#id = Int32Array.from(moved, ([id]) => id);
		this.#body = Int32Array.from(moved, ([, body]) => body);
		this.#free = compiled.slots.turning
			.filter(({ isFree }) => isFree)
			.map(({ joint }) => ({ joint, id: compiled.maps.body.indexOf(model.jointChild[joint]!) }));
		this.#global = moved.filter(([, body]) => model.bodyWorld[body]! < 0).map(([id, body]) => ({ id, body }));
	}

	/** Looks up what all worlds of a step share. */
	begin(control: Control): void {
		this.#given = this.#directCount > 0 ? directControls(control) : EMPTY;
	}

	apply(world: number, state: State, control: Control, views: Views): void {
		this.#applyControls(world, state, control, views.ctrl);
		this.#applyJointForces(world, state, control, views.qfrcApplied);
		this.#applyBodyForces(world, state, control, views.xfrcApplied);
	}

	#applyControls(world: number, state: State, control: Control, ctrl: Float64Array): void {
		copyNumbers(ctrl, this.#positions, control.jointTargetQ, this.#shift.jointCoord(world));
		copyNumbers(ctrl, this.#velocities, control.jointTargetQd, this.#shift.jointDof(world));
		const { actuator, from } = this.#direct;
		const start = world * this.#directCount;
		for (let i = 0; i < actuator.length; i++) ctrl[actuator[i]!] = this.#given[start + from[i]!] ?? 0;
		for (const id of this.#balls) this.#applyBall(world, id, state, control, ctrl);
	}

	#applyBall(world: number, id: number, state: State, control: Control, ctrl: Float64Array): void {
		const { ballJoint, index, axis } = this.#compiled.conversion.actuators[id]!;
		const joint = ballJoint + this.#shift.joint(world);
		if (index >= 0) this.#ballPosition(joint, control.jointTargetQ);
		else this.#ballVelocity(joint, state.jointQ, control.jointTargetQd, this.#model.jointQdStart[joint]!);
		ctrl[id] = this.#rotated[axis]!;
	}

	/** The rotation vector of a ball's target, of an angle up to π, in body axes. */
	#ballPosition(joint: number, targets: Float64Array): void {
		const start = this.#model.jointQStart[joint]!;
		quatToRotationVector(this.#vector, targets, 0, start);
		quatRotate(this.#rotated, this.#model.jointXC, this.#vector, 0, 7 * joint + 3);
	}

	/** A vector of the parent anchor in axes of the body as it is turned now: by q_c · r⁻¹. */
	#ballVelocity(joint: number, jointQ: Float64Array, values: Float64Array, dof: number): void {
		quatConjugate(this.#other, jointQ, 0, this.#model.jointQStart[joint]!);
		quatMultiply(this.#turn, this.#model.jointXC, this.#other, 0, 7 * joint + 3);
		quatRotate(this.#rotated, this.#turn, values, 0, 0, dof);
	}

	#applyJointForces(world: number, state: State, control: Control, qfrc: Float64Array): void {
		const { dof, qvel, turning, isHeld } = this.#compiled.slots;
		const { jointF } = control;
		const dofs = this.#shift.jointDof(world);
		for (let i = 0; i < dof.length; i++) {
			const d = dof[i]! + dofs;
			qfrc[qvel[i]!] = isHeld[d] === 1 ? 0 : jointF[d]!;
		}
		for (const { joint, isFree, dof: first, qvel: start } of turning) {
			// wrenches of free joints act on the body instead, at its centre of mass
			if (isFree) qfrc.fill(0, start, start + 6);
			else if (isHeld[first + dofs] === 1) qfrc.fill(0, start, start + 3);
			else {
				this.#ballVelocity(joint + this.#shift.joint(world), state.jointQ, jointF, first + dofs);
				qfrc.set(this.#rotated, start);
			}
		}
	}

	#applyBodyForces(world: number, state: State, control: Control, xfrc: Float64Array): void {
		const { bodyFlags } = this.#model;
		const { bodyF } = state;
		const bodies = this.#shift.body(world);
		for (let i = 0; i < this.#id.length; i++) {
			const at = 6 * this.#id[i]!;
			const body = this.#body[i]! + bodies;
			const from = 6 * body;
			const isHeld = (bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0;
			for (let k = 0; k < 6; k++) xfrc[at + k] = isHeld ? 0 : bodyF[from + k]!;
		}
		for (const { joint, id } of this.#free) this.#addFreeWrench(joint + this.#shift.joint(world), id, control, xfrc);
		for (const { body, id } of this.#global) this.#correctGravity(world, body, id, xfrc);
	}

	#addFreeWrench(joint: number, id: number, control: Control, xfrc: Float64Array): void {
		const model = this.#model;
		if ((model.bodyFlags[model.jointChild[joint]!]! & BodyFlags.KINEMATIC) !== 0) return;
		const dof = model.jointQdStart[joint]!;
		for (let part = 0; part < 2; part++) {
			quatRotate(this.#vector, model.jointXP, control.jointF, 0, 7 * joint + 3, dof + 3 * part);
			for (let k = 0; k < 3; k++) xfrc[6 * id + 3 * part + k]! += this.#vector[k]!;
		}
	}

	/** A body of no world has a gravity of its own: what it differs from that of the world is applied as a force. */
	#correctGravity(world: number, body: number, id: number, xfrc: Float64Array): void {
		const model = this.#model;
		if ((model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0) return;
		const own = model.globalGravity;
		const used = model.gravityOf(Math.max(world, 0));
		if (own[0] === used[0] && own[1] === used[1] && own[2] === used[2]) return;
		const share = model.bodyMass[body]! * (1 - doubleField(this.#compiled.mj, 'body_gravcomp')[id]!);
		for (let k = 0; k < 3; k++) xfrc[6 * id + k]! += share * (own[k]! - used[k]!);
	}
}

const EMPTY = new Float64Array(0);

function copyNumbers(out: Float64Array, { actuator, from }: Sources, source: Float64Array, shift: number): void {
	for (let i = 0; i < actuator.length; i++) out[actuator[i]!] = source[from[i]! + shift]!;
}

/** Direct controls of all worlds. */
function directControls(control: Control): ArrayLike<number> {
	return control.attributes.has('mujoco:ctrl') ? (control.attributes.get('mujoco:ctrl') as ArrayLike<number>) : EMPTY;
}
