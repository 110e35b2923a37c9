import { type Contacts, JointTargetMode, type Model, type State, UNLIMITED, WORLD } from '@manyworlds/model';
import { PLACING_CONSTANTS, TreePlan } from '@manyworlds/model/internal';
import { WorldContacts } from '../collision/world-contacts.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import { writeContactFrame } from '../sap/contact-frame.ts';
import type { ContactMaterials } from '../sap/contact-materials.ts';
import { BOUNDS, type DofDrives, type DriveSource, FORCE, RATE, TARGET } from '../sap/dof-drives.ts';
import type { FreeMotion, MotionState } from '../sap/free-motion.ts';
import { FRICTION_SIGMA, JOINT_BETA, nearRigidBound } from '../sap/regularise.ts';
import type { SettledSapOptions } from '../sap/sap-options.ts';
import { ContactColumns } from './contact-columns.ts';
import { type EngineExports, EngineMemory, LANES, VECTOR } from './engine-memory.ts';
import type { EnginePlan } from './engine-plan.ts';
import { ExtraRows } from './extra-rows.ts';

/** Constants of a joint, of a body and of a degree of freedom; see the kernels. */
const JOINT_CONSTANTS = 38;
const BODY_CONSTANTS = 7;
const DOF_CONSTANTS = 20;
/** Constants of a degree of freedom that are masks. */
const HAS_DRIVE = 2;
const IS_STIFF = 12;
/** Numbers of a contact that the kernels get. */
const CONTACT_INPUT = 19;
const RESULTS = 8;

/** Arrays of the kernels with one entry for each row. */
const ROW_ARRAYS = [
	'rowSign',
	'rowR',
	'rowTarget',
	'rowLower',
	'rowUpper',
	'rowIsThere',
	'rowVelocity',
	'rowChange',
	'rowImpulse',
	'rowIsInside',
] as const;

/** What an engine came to for one lane. */
export interface LaneResult {
	iterations: number;
	evaluations: number;
	residual: number;
	/** A `SapStop`. */
	stop: number;
	hasGainedEnergy: boolean;
	/** Whether the velocities are no numbers, or beyond all meaning. */
	isLost: boolean;
	/** Work of drives [J]. */
	work: number;
	dofs: number;
}

/** What drives a world in a step: forces of actuators included. */
export interface WorldDrive {
	readonly drive: DriveSource;
	readonly state: MotionState;
}

/** Arrays that the host reads or writes in every step; addresses in numbers. */
type Addresses = Readonly<
	Record<
		| 'gravity'
		| 'coordinates'
		| 'velocities'
		| 'bodyForces'
		| 'forces'
		| 'feedForward'
		| 'targets'
		| 'targetRates'
		| 'position'
		| 'rotation'
		| 'centre'
		| 'twistRate'
		| 'twist'
		| 'origin'
		| 'v0'
		| 'isFixed'
		| 'mass'
		| 'results',
		number
	>
>;

/**
 * Steps two worlds at once with the kernels in WebAssembly: what `SolverSap` does in TypeScript, in the same steps. Model
 * values are taken over by `refresh`, states and controls in every step.
 */
export class SapEngine {
	readonly results: readonly LaneResult[] = Array.from({ length: LANES }, () => ({
		iterations: 0,
		evaluations: 0,
		residual: 0,
		stop: 0,
		hasGainedEnergy: false,
		isLost: false,
		work: 0,
		dofs: 0,
	}));
	readonly #exports: EngineExports;
	readonly #memory: EngineMemory;
	readonly #plan: EnginePlan;
	readonly #structure: TreeStructure;
	readonly #drives: DofDrives;
	readonly #materials: ContactMaterials;
	readonly #options: SettledSapOptions;
	readonly #columns: ContactColumns;
	/** Rows that the terms in TypeScript made, to be taken before `advance`. */
	readonly extraRows: ExtraRows;
	#rowCapacity = 0;
	/** Joint that moves each body of a world, -1 for none. */
	readonly #slotOf: Int32Array;
	/** Constants of each group of worlds: joints, bodies, degrees of freedom. */
	readonly #constants: Int32Array;
	readonly #at: Addresses;
	#contactCapacity = 0;
	#columnCapacity = 0;
	#input = 0;
	#impulse = 0;
	#body0 = 0;
	#body1 = 0;
	#contactColumns = 0;
	#contactStart = 0;
	/** Rows of the contacts in the slots, by lane; -1 for none. */
	#slotRow: readonly Int32Array[] = [];
	readonly #keyBase: number;
	readonly #frame = new Float64Array(9);
	readonly #point = new Float64Array(6);
	/** Centres of mass at the start of the step, as the kernels lay them out. */
	readonly #centres: Float64Array;

	constructor(
		exports: EngineExports,
		plan: EnginePlan,
		structure: TreeStructure,
		drives: DofDrives,
		materials: ContactMaterials,
		options: SettledSapOptions,
	) {
		this.#exports = exports;
		this.#memory = new EngineMemory(exports);
		this.#plan = plan;
		this.#structure = structure;
		this.#drives = drives;
		this.#materials = materials;
		this.#options = options;
		const { model } = structure;
		const bodies = Math.max(0, ...plan.body) + 1;
		this.#slotOf = new Int32Array(Math.max(bodies, model.bodyCount)).fill(-1);
		for (const [slot, body] of plan.body.entries()) this.#slotOf[body] = slot;
		this.#keyBase = plan.jointCount + 1;
		this.#centres = new Float64Array(LANES * 3 * plan.jointCount);
		this.#writeTables();
		this.#at = this.#reserveArrays();
		this.#writeSettings();
		this.#columns = new ContactColumns(plan, this.#memory);
		this.extraRows = new ExtraRows(this.#memory);
		this.#reserveRows(6 * plan.dofCount + 16);
		this.#reserveContacts(16, 16 * plan.dofCount);
		const groups = Math.ceil(plan.worlds.length / LANES);
		const { jointCount, dofCount } = plan;
		const size = JOINT_CONSTANTS * jointCount + BODY_CONSTANTS * jointCount + DOF_CONSTANTS * dofCount;
		this.#constants = Int32Array.from({ length: groups }, () => this.#memory.array(size));
		this.refresh();
	}

	/** Takes over the values of the model. */
	refresh(): void {
		const { plan, model } = { plan: this.#plan, model: this.#structure.model };
		for (let group = 0; group < this.#constants.length; group++) {
			for (let lane = 0; lane < LANES; lane++) {
				// a lane without a world does what the first does
				const world = Math.min(LANES * group + lane, plan.worlds.length - 1);
				this.#writeJoints(model, this.#constants[group]!, lane, world);
				this.#writeBodies(model, this.#constants[group]!, lane, world);
				this.#writeDofs(model, this.#constants[group]!, lane, world);
			}
		}
	}

	/**
	 * Gathers one world of a group for a step. `lane` is its place in the group; the other lane takes the same numbers where it
	 * has no world of its own.
	 */
	gather(lane: number, world: number, { drive, state }: WorldDrive, gravity: Float64Array): void {
		const plan = this.#plan;
		const { dof: dofs, body: bodies, coordinateCount, dofCount, jointCount } = plan;
		const { numbers } = this.#memory;
		const { coordinate, dof: firstDof, body: firstBody } = plan.worlds[world]!;
		const at = this.#at;
		const { jointQ, jointQd, bodyF } = state;
		const { jointF, jointAct, jointTargetQ, jointTargetQd } = drive;
		for (let q = 0; q < coordinateCount; q++) {
			numbers[at.coordinates + LANES * q + lane] = jointQ[coordinate + q]!;
			numbers[at.targets + LANES * q + lane] = jointTargetQ[coordinate + q]!;
		}
		for (let p = 0; p < dofCount; p++) {
			const dof = firstDof + dofs[p]!;
			const to = LANES * p + lane;
			numbers[at.velocities + to] = jointQd[dof]!;
			numbers[at.forces + to] = jointF[dof]!;
			numbers[at.feedForward + to] = jointAct[dof]!;
			numbers[at.targetRates + to] = jointTargetQd[dof]!;
		}
		for (let slot = 0; slot < jointCount; slot++) {
			const from = 6 * (firstBody + bodies[slot]!);
			const to = at.bodyForces + LANES * 6 * slot + lane;
			numbers[to] = bodyF[from]!;
			numbers[to + LANES] = bodyF[from + 1]!;
			numbers[to + 2 * LANES] = bodyF[from + 2]!;
			numbers[to + 3 * LANES] = bodyF[from + 3]!;
			numbers[to + 4 * LANES] = bodyF[from + 4]!;
			numbers[to + 5 * LANES] = bodyF[from + 5]!;
		}
		for (let k = 0; k < 3; k++) numbers[at.gravity + LANES * k + lane] = gravity[k]!;
	}

	/** The motion without constraints of a group of worlds that are gathered. */
	prepare(group: number, dts: Float64Array): void {
		const memory = this.#memory;
		const { jointCount } = this.#plan;
		const constants = this.#constants[group]!;
		memory.set('jointConstants', constants);
		memory.set('bodyConstants', constants + VECTOR * JOINT_CONSTANTS * jointCount);
		memory.set('dofConstants', constants + VECTOR * (JOINT_CONSTANTS + BODY_CONSTANTS) * jointCount);
		this.#exports.prepare(dts[0]!, dts[1]!);
	}

	/** Gives the motion of a world to the terms in TypeScript: poses, twists, velocities and the diagonal of the mass matrix. */
	shareMotion(lane: number, world: number, motion: FreeMotion): void {
		const plan = this.#plan;
		const at = this.#at;
		const { numbers, integers } = this.#memory;
		const { dynamics, isFixed, v0 } = motion;
		const { bodyQ, twist, origin } = dynamics.kinematics;
		const { positionOf, base, worldTrees, worldStart } = this.#structure;
		const { dof: firstDof, body: firstBody } = plan.worlds[world]!;
		for (let slot = 0; slot < plan.jointCount; slot++) {
			const to = 7 * (firstBody + plan.body[slot]!);
			for (let k = 0; k < 3; k++) bodyQ[to + k] = numbers[at.position + LANES * (3 * slot + k) + lane]!;
			for (let k = 0; k < 4; k++) bodyQ[to + 3 + k] = numbers[at.rotation + LANES * (4 * slot + k) + lane]!;
		}
		for (let p = 0; p < plan.dofCount; p++) {
			const dof = firstDof + plan.dof[p]!;
			for (let k = 0; k < 6; k++) twist[6 * dof + k] = numbers[at.twist + LANES * (6 * p + k) + lane]!;
			v0[dof] = numbers[at.v0 + LANES * p + lane]!;
			const position = positionOf[dof]!;
			isFixed[position] = integers[2 * (at.isFixed + LANES * p + lane)] === 0 ? 0 : 1;
			dynamics.mass[base[position]! + position] = numbers[at.mass + LANES * (plan.base[p]! + p) + lane]!;
		}
		for (let tree = 0; tree < plan.treeCount; tree++) {
			const to = 3 * worldTrees[worldStart[world]! + tree]!;
			for (let k = 0; k < 3; k++) origin[to + k] = numbers[at.origin + LANES * (3 * tree + k) + lane]!;
		}
	}

	/**
	 * Steps a group of worlds that are prepared; `worlds` are those of its lanes. The contacts of world w are `rows[start[w]]` to
	 * before `rows[start[w + 1]]`; their forces are written when the buffer holds some.
	 */
	advance(
		worlds: Int32Array,
		dts: Float64Array,
		contacts: Contacts | undefined,
		rows: Int32Array,
		start: Int32Array,
	): void {
		const slots = contacts === undefined ? 0 : this.#placeContacts(worlds, contacts, rows, start);
		const extras = this.extraRows.place();
		if (6 * this.#plan.dofCount + extras > this.#rowCapacity) this.#reserveRows(2 * this.#rowCapacity + extras);
		const { numbers } = this.#memory;
		const { centre } = this.#at;
		const centres = this.#centres;
		for (let i = 0; i < centres.length; i++) centres[i] = numbers[centre + i]!;
		this.#exports.advance(slots, extras);
		this.#readResults();
		if (contacts?.rigidForce !== undefined) this.#writeForces(contacts.rigidForce, slots, worlds, dts);
	}

	/** Writes the state of a world at the end of the step. */
	scatter(lane: number, world: number, out: State): void {
		const plan = this.#plan;
		const { dof: dofs, body: bodies, coordinateCount, dofCount, jointCount } = plan;
		const { numbers } = this.#memory;
		const { coordinate, dof: firstDof, body: firstBody } = plan.worlds[world]!;
		const at = this.#at;
		const { jointQ, jointQd, bodyQ, bodyQd } = out;
		for (let q = 0; q < coordinateCount; q++) {
			jointQ[coordinate + q] = numbers[at.coordinates + LANES * q + lane]!;
		}
		for (let p = 0; p < dofCount; p++) {
			jointQd[firstDof + dofs[p]!] = numbers[at.velocities + LANES * p + lane]!;
		}
		for (let slot = 0; slot < jointCount; slot++) {
			const body = firstBody + bodies[slot]!;
			const position = at.position + LANES * 3 * slot + lane;
			const rotation = at.rotation + LANES * 4 * slot + lane;
			const velocity = at.twistRate + LANES * 6 * slot + lane;
			const q = 7 * body;
			bodyQ[q] = numbers[position]!;
			bodyQ[q + 1] = numbers[position + LANES]!;
			bodyQ[q + 2] = numbers[position + 2 * LANES]!;
			bodyQ[q + 3] = numbers[rotation]!;
			bodyQ[q + 4] = numbers[rotation + LANES]!;
			bodyQ[q + 5] = numbers[rotation + 2 * LANES]!;
			bodyQ[q + 6] = numbers[rotation + 3 * LANES]!;
			const v = 6 * body;
			bodyQd[v] = numbers[velocity]!;
			bodyQd[v + 1] = numbers[velocity + LANES]!;
			bodyQd[v + 2] = numbers[velocity + 2 * LANES]!;
			bodyQd[v + 3] = numbers[velocity + 3 * LANES]!;
			bodyQd[v + 4] = numbers[velocity + 4 * LANES]!;
			bodyQd[v + 5] = numbers[velocity + 5 * LANES]!;
		}
	}

	/** Contacts of the worlds of a group side by side; those of the same two bodies share a slot. Gives the number of slots. */
	#placeContacts(worlds: Int32Array, contacts: Contacts, rows: Int32Array, start: Int32Array): number {
		const world0 = worlds[0]!;
		const world1 = worlds[1]!;
		let i = start[world0]!;
		const end0 = start[world0 + 1]!;
		// a lane that repeats the first has the same contacts
		let j = start[world1]!;
		const end1 = start[world1 + 1]!;
		let slot = 0;
		let column = 0;
		while (i < end0 || j < end1) {
			const key0 = i < end0 ? this.#keyOf(contacts, rows[i]!, world0) : Number.POSITIVE_INFINITY;
			const key1 = j < end1 ? this.#keyOf(contacts, rows[j]!, world1) : Number.POSITIVE_INFINITY;
			const key = Math.min(key0, key1);
			const row0 = key0 === key ? rows[i++]! : -1;
			const row1 = key1 === key ? rows[j++]! : -1;
			const slot0 = Math.floor(key / this.#keyBase) - 1;
			const slot1 = (key % this.#keyBase) - 1;
			const columns = this.#columns.of(slot0, slot1);
			if (slot === this.#contactCapacity || column + columns.count > this.#columnCapacity) {
				this.#reserveContacts(2 * this.#contactCapacity, 2 * (this.#columnCapacity + columns.count));
			}
			this.#openSlot(slot, column, columns.address, slot0, slot1);
			this.#writeContact(slot, 0, row0, contacts, world0);
			if (world1 === world0) this.#repeatContact(slot);
			else this.#writeContact(slot, 1, row1, contacts, world1);
			column += columns.count;
			slot++;
		}
		return slot;
	}

	/** The two bodies of a contact as one number. */
	#keyOf(contacts: Contacts, row: number, world: number): number {
		const slot0 = this.#slotOfShape(contacts.rigidShape0[row]!, world);
		const slot1 = this.#slotOfShape(contacts.rigidShape1[row]!, world);
		return (slot0 + 1) * this.#keyBase + slot1 + 1;
	}

	/** Joint that moves the body of a shape, -1 for what does not move. */
	#slotOfShape(shape: number, world: number): number {
		const body = shape < 0 ? WORLD : this.#structure.model.shapeBody[shape]!;
		return body < 0 ? -1 : this.#slotOf[body - this.#plan.worlds[world]!.body]!;
	}

	#openSlot(slot: number, column: number, columns: number, slot0: number, slot1: number): void {
		const { integers } = this.#memory;
		integers[this.#contactColumns + slot] = columns;
		integers[this.#contactStart + slot] = column;
		integers[this.#body0 + slot] = slot0;
		integers[this.#body1 + slot] = slot1;
	}

	/** Gives a lane that repeats the first its contact. */
	#repeatContact(slot: number): void {
		const { numbers } = this.#memory;
		const from = this.#input + LANES * CONTACT_INPUT * slot;
		for (let k = 0; k < LANES * CONTACT_INPUT; k += LANES) numbers[from + k + 1] = numbers[from + k]!;
		this.#slotRow[1]![slot] = this.#slotRow[0]![slot]!;
	}

	/** Frame, points, material and distance of a contact; zeros for a lane without it. */
	#writeContact(slot: number, lane: number, row: number, contacts: Contacts, world: number): void {
		const { numbers } = this.#memory;
		const to = this.#input + LANES * CONTACT_INPUT * slot + lane;
		this.#slotRow[lane]![slot] = row;
		if (row < 0) {
			for (let k = 0; k < CONTACT_INPUT; k++) numbers[to + LANES * k] = k === 16 ? 1 : 0;
			return;
		}
		const { rigidNormal: normal } = contacts;
		const shape0 = contacts.rigidShape0[row]!;
		const shape1 = contacts.rigidShape1[row]!;
		const frame = this.#frame;
		const point = this.#point;
		writeContactFrame(frame, 0, normal, 3 * row);
		this.#surfacePoint(0, contacts.rigidPoint0, contacts.rigidOffset0, 3 * row, shape0, lane, world);
		this.#surfacePoint(3, contacts.rigidPoint1, contacts.rigidOffset1, 3 * row, shape1, lane, world);
		let distance = 0;
		for (let k = 0; k < 3; k++) distance += (point[3 + k]! - point[k]!) * normal[3 * row + k]!;
		const materials = this.#materials;
		materials.combine(shape0, shape1);
		const isAhead = contacts instanceof WorldContacts && contacts.isAhead[row] === 1;
		const isMidpoint = this.#options.contactPointMode === 'contact_midpoint' && !isAhead;
		for (let k = 0; k < 3; k++) {
			const middle = point[k]! + materials.share * (point[3 + k]! - point[k]!);
			numbers[to + LANES * (9 + k)] = isMidpoint ? middle : point[k]!;
			numbers[to + LANES * (12 + k)] = isMidpoint ? middle : point[3 + k]!;
		}
		for (let k = 0; k < 9; k++) numbers[to + LANES * k] = frame[k]!;
		numbers[to + LANES * 15] = materials.mu;
		numbers[to + LANES * 16] = materials.stiffness;
		numbers[to + LANES * 17] = materials.tau;
		numbers[to + LANES * 18] = distance;
	}

	/** World point of a contact on the surface of a body, margin included. */
	#surfacePoint(
		out: number,
		local: Float64Array,
		offset: Float64Array,
		at: number,
		shape: number,
		lane: number,
		world: number,
	): void {
		const point = this.#point;
		const x = local[at]! + offset[at]!;
		const y = local[at + 1]! + offset[at + 1]!;
		const z = local[at + 2]! + offset[at + 2]!;
		const body = shape < 0 ? WORLD : this.#structure.model.shapeBody[shape]!;
		if (body < 0) {
			point[out] = x;
			point[out + 1] = y;
			point[out + 2] = z;
			return;
		}
		const slot = this.#slotOf[body - this.#plan.worlds[world]!.body]!;
		const { numbers } = this.#memory;
		// bodies of no tree stand where the model has them
		const isMoved = slot >= 0;
		const { bodyQ } = this.#structure.model;
		const p = this.#at.position + LANES * 3 * slot + lane;
		const r = this.#at.rotation + LANES * 4 * slot + lane;
		const b = 7 * body;
		const qx = isMoved ? numbers[r]! : bodyQ[b + 3]!;
		const qy = isMoved ? numbers[r + LANES]! : bodyQ[b + 4]!;
		const qz = isMoved ? numbers[r + 2 * LANES]! : bodyQ[b + 5]!;
		const qw = isMoved ? numbers[r + 3 * LANES]! : bodyQ[b + 6]!;
		const cx = qy * z - qz * y;
		const cy = qz * x - qx * z;
		const cz = qx * y - qy * x;
		point[out] = (isMoved ? numbers[p]! : bodyQ[b]!) + x + 2 * (qw * cx + qy * cz - qz * cy);
		point[out + 1] = (isMoved ? numbers[p + LANES]! : bodyQ[b + 1]!) + y + 2 * (qw * cy + qz * cx - qx * cz);
		point[out + 2] = (isMoved ? numbers[p + 2 * LANES]! : bodyQ[b + 2]!) + z + 2 * (qw * cz + qx * cy - qy * cx);
	}

	#readResults(): void {
		const { numbers } = this.#memory;
		const from = this.#at.results;
		for (let lane = 0; lane < LANES; lane++) {
			const result = this.results[lane]!;
			result.iterations = numbers[from + lane]!;
			result.evaluations = numbers[from + LANES + lane]!;
			result.residual = numbers[from + 2 * LANES + lane]!;
			result.stop = numbers[from + 3 * LANES + lane]!;
			// a mask is no number where it is set
			result.hasGainedEnergy = numbers[from + 4 * LANES + lane]! !== 0;
			result.isLost = numbers[from + 7 * LANES + lane]! !== 0;
			result.work = numbers[from + 5 * LANES + lane]!;
			result.dofs = numbers[from + 6 * LANES + lane]!;
		}
	}

	/** Forces on body 0 of each contact, with the torque about its centre of mass before the step. */
	#writeForces(force: Float64Array, slots: number, worlds: Int32Array, dts: Float64Array): void {
		const { numbers, integers } = this.#memory;
		const centres = this.#centres;
		for (let lane = 0; lane < LANES; lane++) {
			if (lane > 0 && worlds[lane] === worlds[0]) break;
			const rows = this.#slotRow[lane]!;
			for (let slot = 0; slot < slots; slot++) {
				const row = rows[slot]!;
				if (row < 0) continue;
				const input = this.#input + LANES * CONTACT_INPUT * slot + lane;
				const impulse = this.#impulse + LANES * 3 * slot + lane;
				const at = 6 * row;
				for (let k = 0; k < 3; k++) {
					force[at + k] =
						-(
							numbers[input + LANES * k]! * numbers[impulse]! +
							numbers[input + LANES * (3 + k)]! * numbers[impulse + LANES]! +
							numbers[input + LANES * (6 + k)]! * numbers[impulse + 2 * LANES]!
						) / dts[lane]!;
				}
				const body = integers[this.#body0 + slot]!;
				const centre = LANES * 3 * body + lane;
				const rx = numbers[input + LANES * 9]! - (body < 0 ? 0 : centres[centre]!);
				const ry = numbers[input + LANES * 10]! - (body < 0 ? 0 : centres[centre + LANES]!);
				const rz = numbers[input + LANES * 11]! - (body < 0 ? 0 : centres[centre + 2 * LANES]!);
				force[at + 3] = ry * force[at + 2]! - rz * force[at + 1]!;
				force[at + 4] = rz * force[at]! - rx * force[at + 2]!;
				force[at + 5] = rx * force[at + 1]! - ry * force[at]!;
			}
		}
	}

	#writeJoints(model: Model, constants: number, lane: number, world: number): void {
		const { numbers } = this.#memory;
		const { joint: first, treeCount, treeJoint } = this.#plan;
		const shift = this.#jointOf(world, 0) - first[0]!;
		for (let tree = 0; tree < treeCount; tree++) {
			const own = first.subarray(treeJoint[tree]!, treeJoint[tree + 1]!).map((joint) => joint + shift);
			const plan = new TreePlan(model, own);
			for (const [i, joint] of own.entries()) {
				const to = constants / 8 + LANES * JOINT_CONSTANTS * (treeJoint[tree]! + i) + lane;
				for (let k = 0; k < PLACING_CONSTANTS; k++) {
					numbers[to + LANES * k] = plan.constants[PLACING_CONSTANTS * i + k]!;
				}
				const dofs = model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
				for (let k = 0; k < 3 * dofs; k++) {
					numbers[to + LANES * (PLACING_CONSTANTS + k)] = model.jointAxis[3 * model.jointQdStart[joint]! + k]!;
				}
			}
		}
	}

	/** Joint of the model that a joint of a world is. */
	#jointOf(world: number, slot: number): number {
		const { worlds, body } = this.#plan;
		return this.#structure.moverOf[worlds[world]!.body + body[slot]!]!;
	}

	#writeBodies(model: Model, constants: number, lane: number, world: number): void {
		const { numbers } = this.#memory;
		const { jointCount, body: bodies, worlds } = this.#plan;
		const start = constants / 8 + LANES * JOINT_CONSTANTS * jointCount + lane;
		for (let slot = 0; slot < jointCount; slot++) {
			const body = worlds[world]!.body + bodies[slot]!;
			const to = start + LANES * BODY_CONSTANTS * slot;
			const inertia = 9 * body;
			numbers[to] = model.bodyMass[body]!;
			for (const [k, entry] of [0, 1, 2, 4, 5, 8].entries()) {
				numbers[to + LANES * (1 + k)] = model.bodyInertia[inertia + entry]!;
			}
		}
	}

	#writeDofs(model: Model, constants: number, lane: number, world: number): void {
		const { numbers } = this.#memory;
		const { jointCount, dofCount, dof: dofs, worlds } = this.#plan;
		const drives = this.#drives;
		const start = constants / 8 + LANES * (JOINT_CONSTANTS + BODY_CONSTANTS) * jointCount + lane;
		for (let p = 0; p < dofCount; p++) {
			const dof = worlds[world]!.dof + dofs[p]!;
			const isStiff = drives.coordinate[dof]! >= 0 && model.jointTargetMode[dof] !== JointTargetMode.VELOCITY;
			const effort = model.jointEffortLimit[dof]!;
			const bounds = drives.bounds.subarray(BOUNDS * dof, BOUNDS * (dof + 1));
			const values = [
				model.jointArmature[dof]!,
				model.jointDamping[dof]!,
				0,
				isStiff ? model.jointTargetKe[dof]! : 0,
				drives.dampingOf(dof),
				effort > 0 ? effort : Number.POSITIVE_INFINITY,
				bounds[TARGET]!,
				bounds[TARGET + 1]!,
				bounds[RATE]!,
				bounds[RATE + 1]!,
				bounds[FORCE]!,
				bounds[FORCE + 1]!,
				0,
				model.jointLimitKe[dof]!,
				model.jointLimitKd[dof]!,
				model.jointLimitLower[dof]!,
				model.jointLimitUpper[dof]!,
				drives.reference[dof]!,
				model.jointFriction[dof]!,
				model.jointVelocityLimit[dof]!,
			];
			const to = start + LANES * DOF_CONSTANTS * p;
			for (const [k, value] of values.entries()) numbers[to + LANES * k] = value;
			this.#writeMask(to + LANES * HAS_DRIVE, drives.has(dof));
			this.#writeMask(to + LANES * IS_STIFF, isStiff);
		}
	}

	/** All bits of a lane, or none; as a number it would be one of many that are none, of which engines keep a single one. */
	#writeMask(at: number, isSet: boolean): void {
		this.#memory.integers[2 * at] = isSet ? -1 : 0;
		this.#memory.integers[2 * at + 1] = isSet ? -1 : 0;
	}

	#writeTables(): void {
		const plan = this.#plan;
		const memory = this.#memory;
		const tables: Readonly<Record<string, ArrayLike<number>>> = {
			kindOf: plan.kind,
			parentOf: plan.parent,
			treeOf: plan.tree,
			coordinateOf: plan.coordinate,
			placeOf: plan.place,
			linearOf: plan.linear,
			angularOf: plan.angular,
			styleOf: plan.style,
			subtreeOf: plan.subtree,
			aboveOf: plan.above,
			baseOf: plan.base,
			jointAt: plan.jointAt,
			dofTreeOf: plan.dofTree,
			isGivenOf: plan.isGiven,
			treeJoint: plan.treeJoint,
			treePlace: plan.treePlace,
			ownCoordinateOf: plan.dof.map((dof) => {
				const own = this.#drives.coordinate[plan.worlds[0]!.dof + dof]!;
				return own < 0 ? -1 : own - plan.worlds[0]!.coordinate;
			}),
			spinnerOf: Int32Array.from({ length: plan.treeCount }, (_, tree) => {
				const first = plan.treeJoint[tree]!;
				const isSingle = plan.treeJoint[tree + 1]! - first === 1;
				const turns = isSingle && plan.style[first] === 1;
				return turns && this.#options.gyroscopicTerms === 'implicit' ? first : -1;
			}),
		};
		for (const [name, values] of Object.entries(tables)) memory.set(name, memory.table(values));
		memory.set('jointCount', plan.jointCount);
		memory.set('dofCount', plan.dofCount);
		memory.set('treeCount', plan.treeCount);
	}

	#reserveArrays(): Addresses {
		const plan = this.#plan;
		const memory = this.#memory;
		const { jointCount: joints, dofCount: dofs } = plan;
		const sizes: Readonly<Record<string, number>> = {
			gravity: 3,
			coordinates: plan.coordinateCount,
			velocities: dofs,
			bodyForces: 6 * joints,
			forces: dofs,
			feedForward: dofs,
			targets: plan.coordinateCount,
			targetRates: dofs,
			position: 3 * joints,
			rotation: 4 * joints,
			matrix: 9 * joints,
			centre: 3 * joints,
			twistRate: 6 * joints,
			acceleration: 6 * joints,
			force: 6 * joints,
			inertia: 10 * joints,
			composite: 10 * joints,
			pivot: 3 * joints,
			frame: 4 * joints,
			origin: 3 * plan.treeCount,
			twist: 6 * dofs,
			v0: dofs,
			vStar: dofs,
			bias: dofs,
			isFixed: dofs,
			mass: plan.entryCount,
			right: dofs,
			still: dofs,
			isUsed: plan.treeCount,
			// contacts between branches widen rows up to the whole triangle
			factorValues: (dofs * (dofs + 1)) / 2,
			factorInverse: dofs,
			solution: dofs,
			gradient: dofs,
			pull: dofs,
			free: dofs,
			push: dofs,
			scale: dofs,
			direction: dofs,
			best: dofs,
			results: RESULTS,
		};
		const addresses = new Map<string, number>();
		for (const [name, size] of Object.entries(sizes)) {
			const address = memory.array(size);
			memory.set(name, address);
			addresses.set(name, address / 8);
		}
		memory.set('hessianFirst', memory.table(dofs));
		memory.set('hessianBase', memory.table(dofs));
		return Object.fromEntries(addresses) as Addresses;
	}

	#writeSettings(): void {
		const { newton, ...options } = this.#options;
		const settings: Readonly<Record<string, number>> = {
			maxIterations: newton.maxIterations,
			optimalityAbsTol: newton.optimalityAbsTol,
			optimalityRelTol: newton.optimalityRelTol,
			costAbsTol: newton.costAbsTol,
			costRelTol: newton.costRelTol,
			diagShift: newton.diagShift,
			softSquare: newton.softNorm * newton.softNorm,
			lineSearchMaxIterations: newton.lineSearchMaxIterations,
			contactNearRigid: nearRigidBound(options.contactBeta, 1),
			contactSigma: options.contactSigma,
			jointNearRigid: nearRigidBound(JOINT_BETA, 1),
			frictionSigma: FRICTION_SIGMA,
			weighsBodies: options.contactWeightMode === 'body_inertia' ? 1 : 0,
			startsFree: options.initialGuess === 'free_motion' ? 1 : 0,
			limitsSpeed: options.enforceVelocityLimits ? 1 : 0,
			isMidpoint: options.positionIntegration === 'midpoint' ? 1 : 0,
			unlimited: UNLIMITED,
		};
		for (const [name, value] of Object.entries(settings)) this.#memory.set(name, value);
	}

	/** Makes room for rows, which the kernels write. */
	#reserveRows(rows: number): void {
		const memory = this.#memory;
		for (const name of ROW_ARRAYS) memory.set(name, memory.array(rows));
		memory.set('rowPlace', memory.table(rows + 1));
		memory.set('rowIsDrive', memory.table(rows + 1));
		this.#rowCapacity = rows;
	}

	/** Makes room for contacts and keeps what is written. */
	#reserveContacts(contacts: number, columns: number): void {
		const memory = this.#memory;
		const old = { capacity: this.#contactCapacity, input: this.#input };
		const copyTable = (name: string, at: number): number => {
			const address = memory.table(contacts + 1);
			memory.set(name, address);
			memory.integers.copyWithin(address / 4, at, at + old.capacity);
			return address / 4;
		};
		this.#contactColumns = copyTable('contactColumns', this.#contactColumns);
		this.#contactStart = copyTable('contactStart', this.#contactStart);
		this.#body0 = copyTable('contactBody0', this.#body0);
		this.#body1 = copyTable('contactBody1', this.#body1);
		const array = (name: string, size: number): number => {
			const address = memory.array(size);
			memory.set(name, address);
			return address / 8;
		};
		this.#input = array('contactInput', CONTACT_INPUT * contacts);
		memory.numbers.copyWithin(this.#input, old.input, old.input + LANES * CONTACT_INPUT * old.capacity);
		array('contactJacobian', 3 * columns);
		array('contactRt', contacts);
		array('contactRn', contacts);
		array('contactTarget', 3 * contacts);
		array('contactVelocity', 3 * contacts);
		array('contactChange', 3 * contacts);
		this.#impulse = array('contactImpulse', 3 * contacts);
		array('contactHessian', 6 * contacts);
		array('contactIsActive', contacts);
		this.#contactCapacity = contacts;
		this.#columnCapacity = columns;
		this.#slotRow = Array.from({ length: LANES }, (_, lane) => {
			const rows = new Int32Array(contacts);
			rows.set(this.#slotRow[lane] ?? []);
			return rows;
		});
	}
}
