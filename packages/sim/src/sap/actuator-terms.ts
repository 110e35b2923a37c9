import { quatRotate } from '@manyworlds/core/internal';
import type { Control, Model, State } from '@manyworlds/model';
import type { DriveSource } from './dof-drives.ts';
import { groupByWorld } from './group-by-world.ts';
import {
	ACTIVATION,
	ActivationKind,
	type LinearActuator,
	type LinearActuators,
	type LinearLength,
	type PassiveLength,
	type SiteActuator,
} from './linear-actuators.ts';
import { MujocoRows } from './mujoco-rows.ts';
import { isPlainMotor, PlainMotors } from './plain-motors.ts';
import {
	FRICTION_SIGMA,
	JOINT_BETA,
	nearRigidBound,
	regulariseDryFriction,
	regulariseLimit,
	rowsWeight,
} from './regularise.ts';
import type { WorldProblem } from './world-problem.ts';

/** A force `constant − kp L − kd L'` within bounds, for one step. */
interface Law {
	constant: number;
	kp: number;
	kd: number;
	lower: number;
	upper: number;
}

/** What free motion reads of a state. */
type StepForces = Pick<State, 'jointQ' | 'jointQd' | 'bodyF'>;

const NONE = new Float64Array(0);

/** A limit of a tendon counts when it could be reached in so many steps at the present speed, as that of a joint does. */
const LIMIT_WINDOW = 2;

/**
 * Actuators of the `mujoco` namespace, springs of joints, and tendons along joints. What pulls back towards a length, or
 * brakes, is an implicit row of the problem as a drive is; plain forces act at the start of the step.
 */
export class ActuatorTerms {
	readonly #model: Model;
	readonly #world: WorldProblem;
	readonly #motors: PlainMotors;
	/** Those that are no plain motors. */
	readonly #linear: readonly (readonly LinearActuator[])[];
	/** Those of them whose force depends on length or rate, which may be implicit. */
	readonly #sloped: readonly (readonly LinearActuator[])[];
	/** Those of them with an activation. */
	readonly #active: readonly (readonly LinearActuator[])[];
	readonly #sites: readonly (readonly SiteActuator[])[];
	readonly #passive: readonly (readonly PassiveLength[])[];
	/** Part of its weight that each body is held up by, where there is any. */
	readonly #lifted: ArrayLike<number> | undefined;
	readonly #isEmpty: boolean;
	/** Whether actuators only push, with forces that are known before the step. */
	readonly onlyPushes: boolean;
	/** Whether bodies feel more than the forces that are given. */
	readonly #pushesBodies: boolean;
	readonly #countWork: (row: number) => void;
	readonly #law: Law = { constant: 0, kp: 0, kd: 0, lower: 0, upper: 0 };
	readonly #jointF: Float64Array;
	readonly #own: Float64Array;
	/** By group: 1 when `#own` has numbers of its last step. */
	readonly #isPushed: Uint8Array;
	readonly #bodyF: Float64Array;
	/** Runs of degrees of freedom of each world, first and end of each, and its bodies. */
	readonly #dofs: readonly Int32Array[];
	readonly #bodies: readonly Int32Array[];
	/** What `prepare` settled. */
	readonly drive: { -readonly [K in keyof DriveSource]: DriveSource[K] };
	readonly state: { -readonly [K in keyof StepForces]: StepForces[K] };
	readonly #vector = new Float64Array(6);
	#column = new Int32Array(16);
	#value = new Float64Array(16);
	/** Controls and activations of the step; without numbers where there are none. */
	#control: Float64Array = NONE;
	/** Whose controls they are: asking for them makes an object. */
	#lastControl: Control | Model | undefined;
	#activation: Float64Array = NONE;

	/** @param countWork Told of each row that does work. */
	constructor(world: WorldProblem, actuators: LinearActuators, countWork: (row: number) => void) {
		this.#countWork = countWork;
		const { model } = world.motion.structure;
		this.#model = model;
		this.#world = world;
		this.#motors = new PlainMotors(actuators.linear, model.worldCount);
		this.#linear = groupByWorld(
			actuators.linear.filter((actuator) => !isPlainMotor(actuator)),
			model.worldCount,
		);
		this.#sloped = groupByWorld(actuators.linear.filter(hasSlope), model.worldCount);
		this.#active = groupByWorld(actuators.linear.filter(isActive), model.worldCount);
		this.#sites = groupByWorld(actuators.sites, model.worldCount);
		this.#passive = groupByWorld(actuators.passive, model.worldCount);
		const lifted = new MujocoRows(model).values('gravcomp');
		this.#lifted = lifted !== undefined && Array.from(lifted).some((part) => part !== 0) ? lifted : undefined;
		const { linear, sites, passive } = actuators;
		this.#isEmpty = linear.length + sites.length + passive.length === 0 && this.#lifted === undefined;
		this.onlyPushes = [this.#sloped, this.#active, this.#passive].every((groups) =>
			groups.every((group) => group.length === 0),
		);
		this.#pushesBodies = sites.length > 0 || this.#lifted !== undefined;
		const dofs = this.#isEmpty ? 0 : model.jointDofCount;
		this.#jointF = new Float64Array(dofs);
		this.#own = new Float64Array(dofs);
		this.#isPushed = new Uint8Array(this.#linear.length);
		this.#bodyF = new Float64Array(this.#pushesBodies ? 6 * model.bodyCount : 0);
		const entries = (worldOf: Int32Array): Int32Array[] =>
			groupByWorld(
				Array.from(this.#isEmpty ? [] : worldOf, (own, index) => ({ world: own, index })),
				model.worldCount,
			).map((items) => Int32Array.from(items, ({ index }) => index));
		this.#bodies = entries(model.bodyWorld);
		this.#dofs = entries(model.jointWorld).map((joints) => dofRuns(model, joints));
		this.drive = { jointF: this.#jointF, jointAct: NONE, jointTargetQ: NONE, jointTargetQd: NONE };
		this.state = { jointQ: NONE, jointQd: NONE, bodyF: this.#bodyF };
	}

	/** Whether there is nothing to do. */
	get isEmpty(): boolean {
		return this.#isEmpty;
	}

	/**
	 * Settles the forces on joints and bodies of groups `first` to before `end` for one step in `drive` and `state`: those that were given,
	 * and those of actuators that only push.
	 */
	prepare(first: number, end: number, state: State, control: Control | Model): void {
		// always the same two objects: what reads them is then compiled for one kind
		const drive = this.drive;
		const forces = this.state;
		drive.jointAct = control.jointAct;
		drive.jointTargetQ = control.jointTargetQ;
		drive.jointTargetQd = control.jointTargetQd;
		forces.jointQ = state.jointQ;
		forces.jointQd = state.jointQd;
		drive.jointF = control.jointF;
		forces.bodyF = this.#pushesBodies ? this.#bodyF : state.bodyF;
		if (this.#isEmpty) return;
		if (control !== this.#lastControl) {
			this.#lastControl = control;
			const attributes = 'attributesOf' in control ? control.attributesOf('control') : control.attributes;
			this.#control = attributes.has('mujoco:ctrl') ? (attributes.get('mujoco:ctrl') as Float64Array) : NONE;
		}
		let isPushed = false;
		for (let group = first; group < end; group++) {
			if (this.#active[group]!.length > 0) this.#activation = state.attributes.get(ACTIVATION) as Float64Array;
			if (this.#pushesBodies) this.#pushBodies(group, state);
			if (this.#pushJoints(group, state, control.jointF)) isPushed = true;
		}
		if (!isPushed) return;
		drive.jointF = this.#jointF;
		for (let group = first; group < end; group++)
			if (this.#isPushed[group] === 0) this.#takeGiven(group, control.jointF);
	}

	/** Forces on bodies: those given, those of actuators at sites, and what holds bodies up. */
	#pushBodies(group: number, state: State): void {
		const bodies = this.#bodies[group]!;
		for (let k = 0; k < bodies.length; k++) {
			const first = 6 * bodies[k]!;
			for (let i = first; i < first + 6; i++) this.#bodyF[i] = state.bodyF[i]!;
		}
		for (const actuator of this.#sites[group]!) this.#pushSite(actuator, state);
		this.#lift(bodies, group);
	}

	/** Forces on joints that were given, of a group without others. */
	#takeGiven(group: number, given: Float64Array): void {
		const dofs = this.#dofs[group]!;
		for (let run = 0; run < dofs.length; run += 2)
			for (let dof = dofs[run]!, end = dofs[run + 1]!; dof < end; dof++) this.#jointF[dof] = given[dof]!;
	}

	/**
	 * Forces on joints: those given, and those of actuators at the start of the step within what a joint may take. False where there are
	 * none of actuators; nothing is written then.
	 */
	#pushJoints(group: number, state: State, given: Float64Array): boolean {
		const dofs = this.#dofs[group]!;
		const own = this.#own;
		const jointF = this.#jointF;
		const linear = this.#linear[group]!;
		for (let run = 0; run < dofs.length && this.#isPushed[group] === 1; run += 2)
			for (let dof = dofs[run]!; dof < dofs[run + 1]!; dof++) own[dof] = 0;
		const isPushed = this.#motors.push(group, this.#control, own) || linear.length > 0;
		this.#isPushed[group] = isPushed ? 1 : 0;
		if (!isPushed) return false;
		for (const actuator of linear) {
			this.#settle(actuator);
			if (this.#isImplicit()) continue;
			const force = this.#forceNow(actuator, state);
			if (force === 0) continue;
			for (let i = 0; i < actuator.dofs.length; i++) {
				const dof = actuator.dofs[i]!;
				own[dof] = own[dof]! + actuator.moments[i]! * force;
			}
		}
		const { jointEffortLimit } = this.#model;
		for (let run = 0; run < dofs.length; run += 2) {
			for (let dof = dofs[run]!; dof < dofs[run + 1]!; dof++) {
				const limit = jointEffortLimit[dof]!;
				const force = own[dof]!;
				jointF[dof] = given[dof]! + (limit > 0 ? Math.min(limit, Math.max(-limit, force)) : force);
			}
		}
		return true;
	}

	/** Makes the trees of the lengths of a world take part. */
	connect(group: number): void {
		if (this.#isEmpty) return;
		for (const actuator of this.#sloped[group]!) {
			this.#settle(actuator);
			if (this.#isImplicit()) this.#use(actuator);
		}
		for (const length of this.#passive[group]!) this.#use(length);
	}

	/** Adds the rows of a world. */
	add(group: number, state: State, dt: number): void {
		if (this.#isEmpty) return;
		const law = this.#law;
		for (const actuator of this.#sloped[group]!) {
			this.#settle(actuator);
			if (this.#isImplicit()) this.#addRow(actuator, state, dt);
		}
		for (const length of this.#passive[group]!) {
			const at = lengthOf(length, state.jointQ);
			const low = length.slack[0]!;
			const high = length.slack[1]!;
			const isTaut = length.stiffness > 0 && (at > high || at < low || low === high);
			law.kp = isTaut ? length.stiffness : 0;
			law.constant = isTaut ? length.stiffness * (at > high ? high : low) : 0;
			law.kd = length.damping;
			law.lower = Number.NEGATIVE_INFINITY;
			law.upper = Number.POSITIVE_INFINITY;
			if (law.kp > 0 || law.kd > 0) this.#addRow(length, state, dt);
			if (length.friction > 0) this.#addFriction(length, dt);
			this.#addLimits(length, at, state, dt);
		}
	}

	/** Work [J] of the forces that were applied in the last step of a world, beyond those that were given. */
	work(group: number, control: Control | Model, stateIn: State, stateOut: State, dt: number): number {
		if (this.#isEmpty) return 0;
		let power = 0;
		const dofs = this.#dofs[group]!;
		for (let run = 0; run < dofs.length && this.#isPushed[group] === 1; run += 2) {
			for (let dof = dofs[run]!; dof < dofs[run + 1]!; dof++) {
				const force = this.#jointF[dof]! - control.jointF[dof]!;
				if (force !== 0) power += 0.5 * force * (stateIn.jointQd[dof]! + stateOut.jointQd[dof]!);
			}
		}
		const bodies = this.#bodies[group]!;
		for (let k = 0; this.#pushesBodies && k < bodies.length; k++) {
			const first = 6 * bodies[k]!;
			for (let i = first; i < first + 6; i++) {
				const force = this.#bodyF[i]! - stateIn.bodyF[i]!;
				if (force !== 0) power += 0.5 * force * (stateIn.bodyQd[i]! + stateOut.bodyQd[i]!);
			}
		}
		return dt * power;
	}

	/** Moves the activations of a world on by a step. */
	advance(group: number, stateIn: State, stateOut: State, dt: number): void {
		if (this.#isEmpty || this.#active[group]!.length === 0) return;
		const from = stateIn.attributes.get(ACTIVATION) as Float64Array;
		const to = stateOut.attributes.get(ACTIVATION) as Float64Array;
		for (const { row, activation, control, timeConstant, activationRange } of this.#active[group]!) {
			const u = clamp(this.#controlOf(row), control);
			const act = from[row]!;
			const tau = Math.max(1e-15, timeConstant);
			const next =
				activation === ActivationKind.INTEGRATOR
					? act + dt * u
					: activation === ActivationKind.FILTER
						? act + (dt / tau) * (u - act)
						: act + (1 - Math.exp(-dt / tau)) * (u - act);
			to[row] = clamp(next, activationRange);
		}
	}

	/** The law of an actuator for the present control. */
	#settle(actuator: LinearActuator): void {
		const { row, gain, bias, control, force, activation } = actuator;
		const u = activation === ActivationKind.NONE ? clamp(this.#controlOf(row), control) : this.#activation[row]!;
		const law = this.#law;
		law.constant = gain[0]! * u + bias[0]!;
		law.kp = -(gain[1]! * u + bias[1]!);
		law.kd = -(gain[2]! * u + bias[2]!);
		law.lower = force[0]!;
		law.upper = force[1]!;
	}

	#controlOf(row: number): number {
		return row < this.#control.length ? this.#control[row]! : 0;
	}

	/** Whether the law that was settled can be implicit: it pulls back or brakes, and does neither the other way. */
	#isImplicit(): boolean {
		const { kp, kd } = this.#law;
		return kp >= 0 && kd >= 0 && kp + kd > 0;
	}

	#forceNow(length: LinearLength, state: State): number {
		const { constant, kp, kd, lower, upper } = this.#law;
		const force = constant - kp * lengthOf(length, state.jointQ) - kd * rateOf(length, state.jointQd);
		return Math.min(upper, Math.max(lower, force));
	}

	#use({ dofs }: LinearLength): void {
		const { structure } = this.#world.motion;
		let first = -1;
		for (let i = 0; i < dofs.length; i++) {
			const position = structure.positionOf[dofs[i]!]!;
			if (position < 0) continue;
			const tree = structure.treeOf[structure.bodyAt[position]!]!;
			if (first < 0) this.#world.order.use(tree);
			else if (tree !== first) this.#world.order.connect(first, tree);
			first = tree;
		}
	}

	/** Rate of the length of the row that was begun last, by joints whose motion is given. */
	#given = 0;

	/** Begins a row with the columns of a length, ascending and each once; -1 when nothing of it can move. */
	#begin(length: LinearLength, sign: number, lower: number, upper: number): number {
		const { dofs, moments } = length;
		if (dofs.length > this.#column.length) {
			this.#column = new Int32Array(2 * dofs.length);
			this.#value = new Float64Array(2 * dofs.length);
		}
		const columns = this.#column;
		const values = this.#value;
		const { v0 } = this.#world.motion;
		let count = 0;
		this.#given = 0;
		for (let i = 0; i < dofs.length; i++) {
			const column = this.#world.placeOf(dofs[i]!);
			const value = sign * moments[i]!;
			if (column < 0) this.#given += value * v0[dofs[i]!]!;
			if (column < 0 || value === 0) continue;
			let at = count;
			while (at > 0 && columns[at - 1]! > column) at--;
			if (at > 0 && columns[at - 1] === column) {
				values[at - 1] = values[at - 1]! + value;
				continue;
			}
			for (let k = count; k > at; k--) {
				columns[k] = columns[k - 1]!;
				values[k] = values[k - 1]!;
			}
			columns[at] = column;
			values[at] = value;
			count++;
		}
		if (count === 0) return -1;
		const { problem } = this.#world;
		const row = problem.addRow(lower, upper);
		for (let i = 0; i < count; i++) problem.addRowColumn(columns[i]!, values[i]!);
		return row;
	}

	#addRow(length: LinearLength, state: State, dt: number): void {
		const { constant, kp, kd, lower, upper } = this.#law;
		const row = this.#begin(length, 1, dt * lower, dt * upper);
		if (row < 0) return;
		const { problem } = this.#world;
		const gain = dt * kp + kd;
		const rigid = nearRigidBound(JOINT_BETA, rowsWeight(problem, row, 1));
		// a drive stiffer than the near-rigid bound keeps the ratio of its gains, and so its velocity
		problem.rowR[row] = Math.max(1 / (dt * gain), rigid);
		problem.rowVHat[row] = (constant - kp * lengthOf(length, state.jointQ)) / gain - this.#given;
		this.#countWork(row);
	}

	#addFriction(length: PassiveLength, dt: number): void {
		const most = dt * length.friction;
		const row = this.#begin(length, 1, -most, most);
		if (row < 0) return;
		const { problem } = this.#world;
		regulariseDryFriction(problem, row, rowsWeight(problem, row, 1), FRICTION_SIGMA);
		problem.rowVHat[row] = problem.rowVHat[row]! - this.#given;
	}

	#addLimits(length: PassiveLength, at: number, state: State, dt: number): void {
		const { problem } = this.#world;
		const speed = Math.abs(rateOf(length, state.jointQd));
		for (let side = 1; side >= -1; side -= 2) {
			const limit = length.limits[side > 0 ? 0 : 1]!;
			const gap = side * (at - limit);
			if (!Number.isFinite(limit) || gap > LIMIT_WINDOW * dt * speed + 1e-6) continue;
			const row = this.#begin(length, side, 0, Number.POSITIVE_INFINITY);
			if (row < 0) continue;
			regulariseLimit(problem, row, rowsWeight(problem, row, 1), dt, gap, Number.POSITIVE_INFINITY, dt);
			problem.rowVHat[row] = problem.rowVHat[row]! - this.#given;
		}
	}

	/** A force and torque at a site, moved to the centre of mass of its body. */
	#pushSite({ row, body, site, gear, gain, bias, control, force }: SiteActuator, state: State): void {
		const model = this.#model;
		const most = clamp(gain * clamp(this.#controlOf(row), control) + bias, force);
		if (most === 0) return;
		const out = this.#vector;
		const { bodyQ } = state;
		const turn = siteTurn;
		turnOf(turn, bodyQ, 7 * body + 3, model.shapeTransform, 7 * site + 3);
		quatRotate(out, turn, gear, 0, 0, 0);
		quatRotate(out, turn, gear, 3, 0, 3);
		for (let k = 0; k < 3; k++) arm[k] = model.shapeTransform[7 * site + k]! - model.bodyCom[3 * body + k]!;
		quatRotate(arm, bodyQ, arm, 0, 7 * body + 3);
		const b = 6 * body;
		const wrench = this.#bodyF;
		for (let k = 0; k < 3; k++) {
			const i = (k + 1) % 3;
			const j = (k + 2) % 3;
			wrench[b + k] = wrench[b + k]! + most * out[k]!;
			wrench[b + 3 + k] = wrench[b + 3 + k]! + most * (out[3 + k]! + arm[i]! * out[j]! - arm[j]! * out[i]!);
		}
	}

	/** Holds bodies up by the part of their weight that the file says. */
	#lift(bodies: Int32Array, group: number): void {
		const lifted = this.#lifted;
		if (lifted === undefined) return;
		const { bodyMass, globalGravity, worldCount } = this.#model;
		const isGlobal = group >= Math.max(1, worldCount);
		const gravity = isGlobal ? globalGravity : this.#model.gravity;
		const at = isGlobal ? 0 : 3 * group;
		for (let i = 0; i < bodies.length; i++) {
			const body = bodies[i]!;
			const weight = Number(lifted[body]) * bodyMass[body]!;
			if (weight === 0) continue;
			for (let k = 0; k < 3; k++) this.#bodyF[6 * body + k] = this.#bodyF[6 * body + k]! - weight * gravity[at + k]!;
		}
	}
}

function hasSlope({ gain, bias }: LinearActuator): boolean {
	return [gain[1], gain[2], bias[1], bias[2]].some((slope) => slope !== 0);
}

function isActive({ activation }: LinearActuator): boolean {
	return activation !== ActivationKind.NONE;
}

const siteTurn = new Float64Array(4);
const arm = new Float64Array(3);

/** The product of two quaternions x y z w. */
function turnOf(out: Float64Array, a: Float64Array, i: number, b: Float64Array, j: number): void {
	const ax = a[i]!;
	const ay = a[i + 1]!;
	const az = a[i + 2]!;
	const aw = a[i + 3]!;
	const bx = b[j]!;
	const by = b[j + 1]!;
	const bz = b[j + 2]!;
	const bw = b[j + 3]!;
	out[0] = aw * bx + ax * bw + ay * bz - az * by;
	out[1] = aw * by - ax * bz + ay * bw + az * bx;
	out[2] = aw * bz + ax * by - ay * bx + az * bw;
	out[3] = aw * bw - ax * bx - ay * by - az * bz;
}

function clamp(value: number, range: Float64Array): number {
	return Math.min(range[1]!, Math.max(range[0]!, value));
}

function lengthOf({ rest, coordinates, moments }: LinearLength, jointQ: Float64Array): number {
	let length = rest;
	for (let i = 0; i < coordinates.length; i++) length += moments[i]! * jointQ[coordinates[i]!]!;
	return length;
}

function rateOf({ dofs, moments }: LinearLength, jointQd: Float64Array): number {
	let rate = 0;
	for (let i = 0; i < dofs.length; i++) rate += moments[i]! * jointQd[dofs[i]!]!;
	return rate;
}

/** Degrees of freedom of joints as runs of neighbours: the first of each, and the first behind it. */
function dofRuns(model: Model, joints: Int32Array): Int32Array {
	const runs: number[] = [];
	for (const joint of joints) {
		const first = model.jointQdStart[joint]!;
		const end = model.jointQdStart[joint + 1]!;
		const last = runs.length - 1;
		if (runs[last] === first) runs[last] = end;
		else if (end > first) runs.push(first, end);
	}
	return Int32Array.from(runs);
}
