import { quatConjugate, quatMultiply, quatRotate, quatToRotationVector } from '@manyworlds/core/internal';
import { BodyFlags, type Control, type Model, type State } from '@manyworlds/model';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { copyRuns, makeRuns, type Runs } from '../engine/copy-runs.ts';
import type { Views } from '../engine/data-views.ts';
import { doubleField } from '../engine/mj-fields.ts';
import { WorldShift } from '../engine/world-shift.ts';

/** What of a `Control` the engine takes. */
export type ControlSource = Pick<Control, 'jointF' | 'jointTargetQ' | 'jointTargetQd' | 'attributes'>;

/** Brings targets, direct controls and forces of one world into the engine. */
export class ControlSync {
	readonly #compiled: CompiledModel;
	readonly #model: Model;
	readonly #shift: WorldShift;
	/** Whether there is one world. */
	readonly #isAlone: boolean;
	/** Controls that are one number of an array of the template world: target positions and velocities, direct controls. */
	readonly #positions: Runs;
	readonly #velocities: Runs;
	readonly #direct: Runs;
	/** Direct controls of each world. */
	readonly #directCount: number;
	readonly #balls: readonly number[];
	/** Forces of degrees of freedom that are one number each, and of bodies. */
	readonly #dofs: Runs;
	readonly #bodies: Runs;
	/** MuJoCo bodies and their bodies of the template world. */
	readonly #id: Int32Array;
	readonly #body: Int32Array;
	/** Free joints of the template world with their MuJoCo bodies. */
	readonly #free: readonly { readonly id: number; readonly joint: number; readonly dof: number }[];
	/** MuJoCo bodies of no world, with their body. */
	readonly #global: readonly { readonly id: number; readonly body: number }[];
	#given: Float64Array = EMPTY;
	readonly #turn: Float64Array = new Float64Array(4);
	readonly #other: Float64Array = new Float64Array(4);
	readonly #vector: Float64Array = new Float64Array(3);
	readonly #rotated: Float64Array = new Float64Array(3);

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		const { model, template, attributes, actuators } = compiled.conversion;
		this.#model = model;
		this.#shift = new WorldShift(compiled.conversion);
		this.#isAlone = model.worldCount <= 1;
		this.#directCount = Math.floor(attributes.count('actuator') / Math.max(template.worldCount, 1));
		const ids = actuators.map((_, id) => id);
		const targets = ids.filter((id) => actuators[id]!.source === 0 && actuators[id]!.axis < 0);
		const choose = (chosen: readonly number[], from: (id: number) => number): Runs =>
			makeRuns(chosen, chosen.map(from));
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
		this.#bodies = makeRuns(this.#id, this.#body);
		const { runs } = compiled.slots;
		this.#dofs = {
			to: Int32Array.from(runs, ({ qvel }) => qvel),
			from: Int32Array.from(runs, ({ dof }) => dof),
			count: Int32Array.from(runs, ({ count }) => count),
		};
		this.#free = compiled.slots.turning
			.filter(({ isFree }) => isFree)
			.map(({ joint, dof }) => ({ joint, dof, id: compiled.maps.body.indexOf(model.jointChild[joint]!) }));
		this.#global = moved.filter(([, body]) => model.bodyWorld[body]! < 0).map(([id, body]) => ({ id, body }));
	}

	/** Looks up what all worlds of a step share. */
	begin(control: ControlSource): void {
		const count = this.#directCount * Math.max(this.#compiled.conversion.template.worldCount, 1);
		this.#given = count > 0 ? directControls(control, count) : EMPTY;
	}

	/** Tells whether forces on bodies are in the engine now; `wasForced`, whether there may be some from before. */
	apply(world: number, state: State, control: ControlSource, views: Views, wasForced: boolean): boolean {
		this.#applyControls(world, state, control, views.ctrl);
		this.#applyJointForces(world, state, control, views.qfrcApplied);
		// most worlds have no force at any time, and there are six numbers for each body; those of one world are one copy,
		// which takes less time than looking at them
		const isForced = this.#isAlone || this.#isForced(world, state, control);
		if (isForced || wasForced) this.#applyBodyForces(world, state, control, views.xfrcApplied);
		return isForced;
	}

	#applyControls(world: number, state: State, control: ControlSource, ctrl: Float64Array): void {
		copyRuns(ctrl, this.#positions, control.jointTargetQ, this.#shift.jointCoord(world), 1);
		copyRuns(ctrl, this.#velocities, control.jointTargetQd, this.#shift.jointDof(world), 1);
		copyRuns(ctrl, this.#direct, this.#given, world * this.#directCount, 1);
		for (const id of this.#balls) this.#applyBall(world, id, state, control, ctrl);
	}

	#applyBall(world: number, id: number, state: State, control: ControlSource, ctrl: Float64Array): void {
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

	#applyJointForces(world: number, state: State, control: ControlSource, qfrc: Float64Array): void {
		const { runs, turning, isHeld, hasHeld } = this.#compiled.slots;
		const { jointF } = control;
		const dofs = this.#shift.jointDof(world);
		copyRuns(qfrc, this.#dofs, jointF, dofs, 1);
		if (hasHeld) {
			for (const { dof, qvel, count } of runs)
				for (let i = 0; i < count; i++) if (isHeld[dof + dofs + i] === 1) qfrc[qvel + i] = 0;
		}
		for (const { joint, isFree, dof: first, qvel: start } of turning) {
			// wrenches of free joints act on the body instead, at its centre of mass
			if (isFree) for (let i = start; i < start + 6; i++) qfrc[i] = 0;
			else if (isHeld[first + dofs] === 1) qfrc.fill(0, start, start + 3);
			else {
				this.#ballVelocity(joint + this.#shift.joint(world), state.jointQ, jointF, first + dofs);
				qfrc.set(this.#rotated, start);
			}
		}
	}

	#applyBodyForces(world: number, state: State, control: ControlSource, xfrc: Float64Array): void {
		const bodies = this.#shift.body(world);
		copyRuns(xfrc, this.#bodies, state.bodyF, bodies, 6);
		if (this.#compiled.slots.hasHeld) {
			for (let i = 0; i < this.#id.length; i++) {
				if (this.#isHeld(this.#body[i]! + bodies)) xfrc.fill(0, 6 * this.#id[i]!, 6 * this.#id[i]! + 6);
			}
		}
		for (const { joint, id, dof } of this.#free) {
			const first = dof + this.#shift.jointDof(world);
			if (isZero(control.jointF, first, first + 6)) continue;
			this.#addFreeWrench(joint + this.#shift.joint(world), id, control, xfrc);
		}
		for (const { body, id } of this.#global) this.#correctGravity(world, body, id, xfrc);
	}

	/** Whether a force acts on a body of a world. */
	#isForced(world: number, { bodyF }: State, { jointF }: ControlSource): boolean {
		if (this.#global.length > 0) return true;
		const { from, count } = this.#bodies;
		const bodies = this.#shift.body(world);
		for (let run = 0; run < from.length; run++) {
			const first = 6 * (from[run]! + bodies);
			if (!isZero(bodyF, first, first + 6 * count[run]!)) return true;
		}
		const dofs = this.#shift.jointDof(world);
		for (let i = 0; i < this.#free.length; i++) {
			const first = this.#free[i]!.dof + dofs;
			if (!isZero(jointF, first, first + 6)) return true;
		}
		return false;
	}

	#addFreeWrench(joint: number, id: number, control: ControlSource, xfrc: Float64Array): void {
		const model = this.#model;
		if (this.#isHeld(model.jointChild[joint]!)) return;
		const dof = model.jointQdStart[joint]!;
		for (let part = 0; part < 2; part++) {
			quatRotate(this.#vector, model.jointXP, control.jointF, 0, 7 * joint + 3, dof + 3 * part);
			for (let k = 0; k < 3; k++) xfrc[6 * id + 3 * part + k]! += this.#vector[k]!;
		}
	}

	#isHeld(body: number): boolean {
		return (this.#model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0;
	}

	/** A body of no world has a gravity of its own: what it differs from that of the world is applied as a force. */
	#correctGravity(world: number, body: number, id: number, xfrc: Float64Array): void {
		const model = this.#model;
		if (this.#isHeld(body)) return;
		const own = model.globalGravity;
		const used = model.gravityOf(Math.max(world, 0));
		if (own[0] === used[0] && own[1] === used[1] && own[2] === used[2]) return;
		const share = model.bodyMass[body]! * (1 - doubleField(this.#compiled.mj, 'body_gravcomp')[id]!);
		for (let k = 0; k < 3; k++) xfrc[6 * id + k]! += share * (own[k]! - used[k]!);
	}
}

/** Whether a run of numbers is all zero; its length is a multiple of six. */
function isZero(values: Float64Array, start: number, end: number): boolean {
	for (let i = start; i < end; i += 6) {
		if (values[i] !== 0 || values[i + 1] !== 0 || values[i + 2] !== 0) return false;
		if (values[i + 3] !== 0 || values[i + 4] !== 0 || values[i + 5] !== 0) return false;
	}
	return true;
}

const EMPTY = new Float64Array(0);

/** Direct controls of all worlds. */
function directControls(control: ControlSource, count: number): Float64Array {
	const given = control.attributes.has('mujoco:ctrl') ? control.attributes.get('mujoco:ctrl') : EMPTY;
	if (given instanceof Float64Array && given.length === count) return given;
	return Float64Array.from({ length: count }, (_, i) => Number(given[i] ?? 0));
}
