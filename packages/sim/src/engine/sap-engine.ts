import { type Contacts, type Model, type State, UNLIMITED } from '@manyworlds/model';
import { worldRows } from '@manyworlds/worlds/internal';
import type { TreeKinematics } from '../dynamics/tree-kinematics.ts';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { ContactGroups } from '../sap/contact-groups.ts';
import type { ContactMaterials } from '../sap/contact-materials.ts';
import type { DofDrives, DriveSource } from '../sap/dof-drives.ts';
import type { FreeMotion, MotionState } from '../sap/free-motion.ts';
import { FRICTION_SIGMA, JOINT_BETA, nearRigidBound } from '../sap/regularise.ts';
import type { SapSettings } from '../sap/sap-options.ts';
import { type KernelExports, KernelMemory, type NumberBytes, VECTOR } from '../wasm/kernel-memory.ts';
import { type ContactExports, EngineContacts } from './engine-contacts.ts';
import type { EnginePlan } from './engine-plan.ts';
import { EngineState } from './engine-state.ts';
import { EngineValues } from './engine-values.ts';
import { ExtraRows } from './extra-rows.ts';
import { LaneNewton } from './lane-newton.ts';
import type { SparseNewton } from './sparse-newton.ts';

/** Numbers that the kernels tell of each lane. */
const RESULTS = 8;

/** Room for where the bodies of groups are, beyond which it is worth less than what it takes from the cache. */
const MOST_PLACEMENT_BYTES = 2 ** 20;

/** Relative tolerances of Newton's method that numbers of 32 bits can meet; there is no such bound for those of 64. */
const SINGLE_TOLERANCE = { optimality: 1e-5, cost: 1e-7 };
const NO_TOLERANCE = { optimality: 0, cost: 0 };

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
	'rowStiffness',
	'rowHessian',
	'rowIsOpen',
] as const;

/** Exports of an instance of the engine. */
export interface EngineExports extends KernelExports, ContactExports {
	/** Takes addresses: numbers that are no integers are boxed when they are passed. */
	readonly prepare: (
		joints: number,
		bodies: number,
		dofs: number,
		placement: number,
		member: number,
		last: number,
	) => void;
	readonly placementSize: () => number;
	readonly advance: (contacts: number, extras: number, countsWork: boolean) => void;
	/** What `advance` does before and after it solves. */
	readonly build: (contacts: number, extras: number) => void;
	readonly finish: (contacts: number, countsWork: boolean) => void;
}

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
	/** Work of drives [J], when it was counted. */
	work: number;
	dofs: number;
}

function noResult(): LaneResult {
	return {
		iterations: 0,
		evaluations: 0,
		residual: 0,
		stop: 0,
		hasGainedEnergy: false,
		isLost: false,
		work: 0,
		dofs: 0,
	};
}

/** What drives worlds in a step: forces of actuators included. */
export interface WorldDrive {
	readonly drive: DriveSource;
	readonly state: MotionState;
}

/** Arrays that the host reads or writes in every step; addresses in numbers. */
type Addresses = Readonly<Record<'timeSteps' | 'v0' | 'isFixed' | 'mass' | 'results', number>>;

/**
 * Steps two worlds at once, or four in 32 bits, with the kernels in WebAssembly: what `SolverSap` does in TypeScript, in the same steps. Model
 * values are taken over by `refresh`, states and controls in every step.
 */
export class SapEngine {
	/** Worlds that stand side by side. */
	readonly lanes: number;
	readonly results: readonly LaneResult[];
	readonly #exports: EngineExports;
	readonly #memory: KernelMemory;
	readonly #plan: EnginePlan;
	readonly #structure: TreeStructure;
	readonly #drives: DofDrives;
	readonly #options: SapSettings;
	readonly #at: Addresses;
	readonly #values: EngineValues;
	readonly #contacts: EngineContacts;
	/** What solves worlds of many trees; the kernels solve others. */
	readonly #laneNewton: LaneNewton | undefined;
	readonly #state: EngineState;
	/** Where groups have their bodies: one place for each, or as many as there is room for, in turn. */
	readonly #placements: Int32Array;
	/** Rows that the terms in TypeScript made, to be taken before `advance`. */
	readonly extraRows: ExtraRows;
	#rowCapacity = 0;
	/** First group of the batch at hand. */
	#firstGroup = 0;

	constructor(
		exports: EngineExports,
		bytes: NumberBytes,
		plan: EnginePlan,
		structure: TreeStructure,
		drives: DofDrives,
		materials: ContactMaterials,
		options: SapSettings,
		sparse: SparseNewton | undefined,
	) {
		this.#exports = exports;
		this.#memory = new KernelMemory(exports, bytes);
		this.lanes = this.#memory.lanes;
		this.results = Array.from({ length: this.lanes }, noResult);
		this.#plan = plan;
		this.#structure = structure;
		this.#drives = drives;
		this.#options = options;
		this.#writeTables();
		this.#at = this.#reserveArrays();
		this.#writeSettings();
		this.#placements = this.#reservePlacements();
		this.#state = new EngineState(this.#memory, plan, rowsOfWorld(structure.model));
		this.#values = new EngineValues(this.#memory, plan, structure, drives);
		this.#chooseFreeMotion();
		const atMidpoint = options.contactPointMode === 'contact_midpoint';
		const mostWorlds = this.lanes * this.batchGroups;
		this.#contacts = new EngineContacts(exports, this.#memory, plan, structure, materials, atMidpoint, mostWorlds);
		if (plan.isByBlocks && sparse !== undefined)
			this.#laneNewton = new LaneNewton(this.#memory, plan, sparse, options.initialGuess === 'free_motion');
		this.extraRows = new ExtraRows(this.#memory);
		this.#reserveRows(6 * plan.dofCount + 16);
	}

	/** Takes over the values of the model. */
	refresh(): void {
		this.#values.refresh();
		this.#chooseFreeMotion();
		const { integers } = this.#memory;
		// bodies are placed anew by them
		for (const placement of this.#placements) integers[placement / 4] = 0;
	}

	/** Says whether the velocities of free motion are found in every step, or only where they turn out to count. */
	#chooseFreeMotion(): void {
		const { initialGuess, enforceVelocityLimits } = this.#options;
		const knowsAll =
			initialGuess === 'free_motion' ||
			enforceVelocityLimits ||
			this.#plan.isByBlocks ||
			this.#spinners().some((joint) => joint >= 0) ||
			this.#values.needFreeMotion();
		this.#memory.set('knowsAll', knowsAll ? 1 : 0);
	}

	/** Groups of a batch, whose states are taken and given together. */
	get batchGroups(): number {
		return this.#state.groups;
	}

	/** Takes gravity, state and drives of a batch for a step: worlds `first`, which begins a group, to before `last`. */
	take(first: number, last: number, { drive, state }: WorldDrive): void {
		this.#firstGroup = first / this.lanes;
		this.#state.take(first, last, this.#structure.model.gravity, drive, state);
	}

	/** The motion without constraints of a group of the batch that was taken. */
	prepare(group: number, dts: Float64Array): void {
		const { numbers, lanes } = this.#memory;
		const last = Math.min(lanes, this.#plan.worlds.length - lanes * group) - 1;
		for (let lane = 0; lane < lanes; lane++) numbers[this.#at.timeSteps + lane] = dts[lane]!;
		const values = this.#values;
		const placement = this.#placements[group % this.#placements.length]!;
		const member = group - this.#firstGroup;
		this.#exports.prepare(values.joints(group), values.bodies(group), values.dofs(group), placement, member, last);
	}

	/**
	 * Gives the motion of a world to the terms in TypeScript: velocities and the diagonal of the mass matrix, and poses and twists of bodies
	 * where those are asked for.
	 */
	shareMotion(lane: number, world: number, motion: FreeMotion, withBodies: boolean): void {
		const plan = this.#plan;
		const at = this.#at;
		const { numbers, lanes } = this.#memory;
		const { dynamics, isFixed, v0 } = motion;
		const { positionOf, base } = this.#structure;
		const { dof: firstDof } = plan.worlds[world]!;
		for (let p = 0; p < plan.dofCount; p++) {
			const dof = firstDof + plan.dof[p]!;
			v0[dof] = numbers[at.v0 + lanes * p + lane]!;
			const position = positionOf[dof]!;
			isFixed[position] = this.#memory.isSet(at.isFixed + lanes * p + lane) ? 1 : 0;
			dynamics.mass[base[position]! + position] = numbers[at.mass + lanes * (plan.base[p]! + p) + lane]!;
		}
		if (withBodies) this.#shareBodies(lane, world, dynamics.kinematics);
	}

	#shareBodies(lane: number, world: number, { bodyQ, twist, origin }: TreeKinematics): void {
		const plan = this.#plan;
		const { numbers, lanes } = this.#memory;
		const at = {
			position: this.#memory.placeOf('position'),
			rotation: this.#memory.placeOf('rotation'),
			twist: this.#memory.placeOf('twist'),
			origin: this.#memory.placeOf('origin'),
		};
		const { worldTrees, worldStart } = this.#structure;
		const { dof: firstDof, body: firstBody } = plan.worlds[world]!;
		for (let slot = 0; slot < plan.jointCount; slot++) {
			const to = 7 * (firstBody + plan.body[slot]!);
			for (let k = 0; k < 3; k++) bodyQ[to + k] = numbers[at.position + lanes * (3 * slot + k) + lane]!;
			for (let k = 0; k < 4; k++) bodyQ[to + 3 + k] = numbers[at.rotation + lanes * (4 * slot + k) + lane]!;
		}
		for (let p = 0; p < plan.dofCount; p++) {
			const to = 6 * (firstDof + plan.dof[p]!);
			for (let k = 0; k < 6; k++) twist[to + k] = numbers[at.twist + lanes * (6 * p + k) + lane]!;
		}
		for (let tree = 0; tree < plan.treeCount; tree++) {
			const to = 3 * worldTrees[worldStart[world]! + tree]!;
			for (let k = 0; k < 3; k++) origin[to + k] = numbers[at.origin + lanes * (3 * tree + k) + lane]!;
		}
	}

	/** Takes the contacts of the worlds of the batch that was taken. */
	takeContacts(first: number, last: number, contacts: Contacts, sorted: ContactGroups): void {
		this.#contacts.take(first, last, contacts, sorted);
	}

	/**
	 * Steps a group of the batch that is prepared, of which so many lanes have worlds of their own. Results have the work of drives when it is
	 * counted.
	 */
	advance(group: number, own: number, hasContacts: boolean, countsWork: boolean): void {
		const slots = hasContacts ? this.#contacts.place(group - this.#firstGroup, own) : 0;
		const extras = this.extraRows.place();
		if (6 * this.#plan.dofCount + extras > this.#rowCapacity) this.#reserveRows(2 * this.#rowCapacity + extras);
		if (this.#laneNewton === undefined) this.#exports.advance(slots, extras, countsWork);
		else {
			this.#exports.build(slots, extras);
			this.#laneNewton.solve(own, slots);
			this.#exports.finish(slots, countsWork);
		}
		this.#readResults();
	}

	/** Writes the forces of all contacts of the batch at hand. */
	giveForces(force: Float64Array, sorted: ContactGroups): void {
		this.#contacts.give(force, sorted);
	}

	/** Writes those of one world of the batch. */
	giveForcesOf(world: number, force: Float64Array, sorted: ContactGroups): void {
		this.#contacts.giveWorld(world, force, sorted);
	}

	/** Writes the state of all worlds of the batch at hand at the end of the step. */
	give(out: State): void {
		this.#state.give(out);
	}

	/** Writes the state of a world of the batch at hand at the end of the step. */
	giveWorld(world: number, out: State): void {
		this.#state.giveWorld(world, out);
	}

	#readResults(): void {
		const { numbers, lanes } = this.#memory;
		const from = this.#at.results;
		for (let lane = 0; lane < lanes; lane++) {
			const result = this.results[lane]!;
			result.iterations = numbers[from + lane]!;
			result.evaluations = numbers[from + lanes + lane]!;
			result.residual = numbers[from + 2 * lanes + lane]!;
			result.stop = numbers[from + 3 * lanes + lane]!;
			// a mask is no number where it is set
			result.hasGainedEnergy = numbers[from + 4 * lanes + lane]! !== 0;
			result.isLost = numbers[from + 7 * lanes + lane]! !== 0;
			result.work = numbers[from + 5 * lanes + lane]!;
			result.dofs = numbers[from + 6 * lanes + lane]!;
		}
	}

	#writeTables(): void {
		const plan = this.#plan;
		const memory = this.#memory;
		const spinners = this.#spinners();
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
			spinnerOf: spinners,
		};
		for (const [name, values] of Object.entries(tables)) memory.set(name, memory.table(values));
		memory.set('jointCount', plan.jointCount);
		memory.set('dofCount', plan.dofCount);
		memory.set('treeCount', plan.treeCount);
		memory.set('coordinateCount', plan.coordinateCount);
		memory.set('hasSpinners', spinners.some((joint) => joint >= 0) ? 1 : 0);
	}

	/** By tree: the joint of those that are one body which turns freely, -1 for others. */
	#spinners(): Int32Array {
		const { treeCount, treeJoint, style } = this.#plan;
		return Int32Array.from({ length: treeCount }, (_, tree) => {
			const first = treeJoint[tree]!;
			const isSingle = treeJoint[tree + 1]! - first === 1;
			const turns = isSingle && style[first] === 1;
			return turns && this.#options.gyroscopicTerms === 'implicit' ? first : -1;
		});
	}

	#reserveArrays(): Addresses {
		const plan = this.#plan;
		const memory = this.#memory;
		const { jointCount: joints, dofCount: dofs } = plan;
		const sizes: Readonly<Record<string, number>> = {
			gravity: 3,
			timeSteps: 1,
			velocities: dofs,
			bodyForces: 6 * joints,
			forces: dofs,
			feedForward: dofs,
			targets: plan.coordinateCount,
			targetRates: dofs,
			twistRate: 6 * joints,
			acceleration: 6 * joints,
			force: 6 * joints,
			composite: 10 * joints,
			momentum: 6 * joints,
			startMomentum: dofs,
			v0: dofs,
			vStar: dofs,
			bias: dofs,
			isFixed: dofs,
			mass: plan.entryCount,
			right: dofs,
			impulse: dofs,
			still: dofs,
			isUsed: plan.treeCount,
			// contacts between branches widen rows up to the whole triangle
			factorValues: plan.isByBlocks ? plan.entryCount : (dofs * (dofs + 1)) / 2,
			factorInverse: dofs,
			solution: dofs,
			gradient: dofs,
			pull: dofs,
			free: dofs,
			push: dofs,
			scale: dofs,
			direction: dofs,
			best: dofs,
			wakeLow: dofs,
			wakeHigh: dofs,
			results: RESULTS,
		};
		const addresses = new Map<string, number>();
		for (const [name, size] of Object.entries(sizes)) {
			const address = memory.array(size);
			memory.set(name, address);
			addresses.set(name, memory.place(address));
		}
		memory.set('hessianFirst', memory.table(dofs));
		memory.set('hessianBase', memory.table(dofs));
		return Object.fromEntries(addresses) as Addresses;
	}

	/** As many groups as fit keep where their bodies are from step to step: those that take their steps together follow each other. */
	#reservePlacements(): Int32Array {
		const memory = this.#memory;
		const groups = Math.ceil(this.#plan.worlds.length / this.lanes);
		const size = this.#exports.placementSize();
		const count = Math.max(1, Math.min(groups, Math.floor(MOST_PLACEMENT_BYTES / size)));
		return Int32Array.from({ length: count }, () => memory.array(size / VECTOR));
	}

	#writeSettings(): void {
		const { newton, ...options } = this.#options;
		const { optimality, cost } = this.lanes === 4 ? SINGLE_TOLERANCE : NO_TOLERANCE;
		const settings: Readonly<Record<string, number>> = {
			maxIterations: newton.maxIterations,
			optimalityAbsTol: newton.optimalityAbsTol,
			optimalityRelTol: Math.max(optimality, newton.optimalityRelTol),
			costAbsTol: newton.costAbsTol,
			costRelTol: Math.max(cost, newton.costRelTol),
			diagShift: newton.diagShift,
			softSquare: newton.softNorm * newton.softNorm,
			lineSearchMaxIterations: newton.lineSearchMaxIterations,
			foreseesFriction: newton.frictionDirection === 'foreseen' ? 1 : 0,
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
		memory.set('lineRows', memory.table(rows));
		this.#rowCapacity = rows;
	}
}

/** Coordinates, degrees of freedom and bodies of a world; all have the same. */
function rowsOfWorld(model: Model): { coordinate: number; dof: number; body: number } {
	const count = (entity: 'jointCoord' | 'jointDof' | 'body'): number => {
		const { start, end } = worldRows(model, entity, 0);
		return end - start;
	};
	return { coordinate: count('jointCoord'), dof: count('jointDof'), body: count('body') };
}
