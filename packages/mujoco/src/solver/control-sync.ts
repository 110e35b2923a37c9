import { quatConjugate, quatMultiply, quatRotate, quatToRotationVector } from '@manyworlds/core';
import { BodyFlags, type Control, JointType, type Model, type State } from '@manyworlds/model';
import { isFreeJoint } from '../convert/free-joint.ts';
import type { CompiledModel } from '../engine/compiled-model.ts';
import type { Views } from '../engine/data-views.ts';
import { doubleField } from '../engine/mj-fields.ts';
import { inWorld } from '../engine/model-maps.ts';

/** Brings targets, direct controls and forces of one world into the engine. */
export class ControlSync {
	readonly #compiled: CompiledModel;
	readonly #model: Model;
	/** Degrees of freedom of the free joint of each MuJoCo body's entity in the template, -1 without one. */
	readonly #freeJoint: Int32Array;
	readonly #directCount: number;
	/** Columns of the actuators' sources. */
	readonly #source: Uint8Array;
	readonly #index: Int32Array;
	readonly #coordinate: Int32Array;
	readonly #axis: Int32Array;
	/** A coordinate and a degree of freedom of the template world, to shift the others by. */
	readonly #firstCoordinate: number;
	readonly #firstDof: number;
	readonly #turn: Float64Array = new Float64Array(4);
	readonly #other: Float64Array = new Float64Array(4);
	readonly #vector: Float64Array = new Float64Array(3);
	readonly #rotated: Float64Array = new Float64Array(3);

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		const { model, template, attributes } = compiled.conversion;
		this.#model = model;
		const { actuators } = compiled.conversion;
		this.#source = Uint8Array.from(actuators, ({ source }) => source);
		this.#index = Int32Array.from(actuators, ({ index }) => index);
		this.#coordinate = Int32Array.from(actuators, ({ coordinate }) => coordinate);
		this.#axis = Int32Array.from(actuators, ({ axis }) => axis);
		this.#firstCoordinate = template.world < 0 ? 0 : model.jointCoordWorldStart[template.world]!;
		this.#firstDof = template.world < 0 ? 0 : model.jointDofWorldStart[template.world]!;
		this.#directCount = Math.floor(attributes.count('actuator') / Math.max(template.worldCount, 1));
		this.#freeJoint = new Int32Array(compiled.mj.nbody).fill(-1);
		for (const joint of template.joints) {
			if (!isFreeJoint(model.jointType[joint]!)) continue;
			const id = compiled.maps.body.indexOf(model.jointChild[joint]!);
			if (id > 0) this.#freeJoint[id] = joint;
		}
	}

	apply(world: number, state: State, control: Control, views: Views): void {
		this.#applyControls(world, state, control, views.ctrl);
		this.#applyJointForces(world, state, control, views.qfrcApplied);
		this.#applyBodyForces(world, state, control, views.xfrcApplied);
	}

	#applyControls(world: number, state: State, control: Control, ctrl: Float64Array): void {
		const { conversion } = this.#compiled;
		const direct = this.#directCount > 0 ? directControls(control) : EMPTY;
		const coordinates = inWorld(conversion, 'jointCoord', this.#firstCoordinate, world) - this.#firstCoordinate;
		const dofs = inWorld(conversion, 'jointDof', this.#firstDof, world) - this.#firstDof;
		for (let id = 0; id < this.#source.length; id++) {
			const index = this.#index[id]!;
			if (this.#source[id] === 1) ctrl[id] = direct[world * this.#directCount + (index % this.#directCount)] ?? 0;
			else if (this.#axis[id]! >= 0) this.#applyBall(world, id, state, control, ctrl);
			else if (index >= 0) ctrl[id] = control.jointTargetQ[this.#coordinate[id]! + coordinates]!;
			else ctrl[id] = control.jointTargetQd[-(index + 2) + dofs]!;
		}
	}

	#applyBall(world: number, id: number, state: State, control: Control, ctrl: Float64Array): void {
		const { actuators } = this.#compiled.conversion;
		const joint = inWorld(this.#compiled.conversion, 'joint', actuators[id]!.ballJoint, world);
		if (this.#index[id]! >= 0) this.#ballPosition(joint, control.jointTargetQ);
		else this.#ballVelocity(joint, state.jointQ, control.jointTargetQd, this.#model.jointQdStart[joint]!);
		ctrl[id] = this.#rotated[this.#axis[id]!]!;
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
		const { conversion, maps } = this.#compiled;
		const { joints } = conversion.template;
		const model = this.#model;
		for (let i = 0; i < joints.length; i++) {
			const start = maps.qvelStart[i]!;
			if (start < 0) continue;
			const joint = inWorld(conversion, 'joint', joints[i]!, world);
			const dof = model.jointQdStart[joint]!;
			const count = model.jointQdStart[joint + 1]! - dof;
			const type = model.jointType[joint]!;
			const isHeld = (model.bodyFlags[model.jointChild[joint]!]! & BodyFlags.KINEMATIC) !== 0;
			// wrenches of free joints act on the body instead, at its centre of mass
			if (isHeld || isFreeJoint(type)) qfrc.fill(0, start, start + count);
			else if (type === JointType.BALL) {
				this.#ballVelocity(joint, state.jointQ, control.jointF, dof);
				qfrc.set(this.#rotated, start);
			} else for (let k = 0; k < count; k++) qfrc[start + k] = control.jointF[dof + k]!;
		}
	}

	#applyBodyForces(world: number, state: State, control: Control, xfrc: Float64Array): void {
		const { conversion, maps, bodyCount } = this.#compiled;
		const model = this.#model;
		for (let id = 1; id < bodyCount; id++) {
			const at = 6 * id;
			const body = inWorld(conversion, 'body', maps.body[id]!, world);
			if (body < 0 || (model.bodyFlags[body]! & BodyFlags.KINEMATIC) !== 0) {
				xfrc.fill(0, at, at + 6);
				continue;
			}
			for (let k = 0; k < 6; k++) xfrc[at + k] = state.bodyF[6 * body + k]!;
			const template = this.#freeJoint[id]!;
			if (template >= 0) {
				const joint = inWorld(conversion, 'joint', template, world);
				const dof = model.jointQdStart[joint]!;
				for (let part = 0; part < 2; part++) {
					quatRotate(this.#vector, model.jointXP, control.jointF, 0, 7 * joint + 3, dof + 3 * part);
					for (let k = 0; k < 3; k++) xfrc[at + 3 * part + k]! += this.#vector[k]!;
				}
			}
			this.#correctGravity(world, body, id, xfrc);
		}
	}

	/** A body of no world has a gravity of its own: what it differs from that of the world is applied as a force. */
	#correctGravity(world: number, body: number, id: number, xfrc: Float64Array): void {
		const model = this.#model;
		if (model.bodyWorld[body]! >= 0) return;
		const own = model.globalGravity;
		const used = model.gravityOf(Math.max(world, 0));
		if (own[0] === used[0] && own[1] === used[1] && own[2] === used[2]) return;
		const share = model.bodyMass[body]! * (1 - doubleField(this.#compiled.mj, 'body_gravcomp')[id]!);
		for (let k = 0; k < 3; k++) xfrc[6 * id + k]! += share * (own[k]! - used[k]!);
	}
}

const EMPTY = new Float64Array(0);

/** Direct controls of all worlds. */
function directControls(control: Control): ArrayLike<number> {
	return control.attributes.has('mujoco:ctrl') ? (control.attributes.get('mujoco:ctrl') as ArrayLike<number>) : EMPTY;
}
