import type { Contacts, Control, Model, State } from '@manyworlds/model';
import { type StepOptions, WorldFault } from '@manyworlds/worlds';
import type { TreeStructure } from '../dynamics/tree-structure.ts';
import type { ActuatorTerms } from '../sap/actuator-terms.ts';
import type { ContactGroups } from '../sap/contact-groups.ts';
import type { FreeMotion } from '../sap/free-motion.ts';
import type { JointTerms } from '../sap/joint-terms.ts';
import type { LoopTerms } from '../sap/loop-terms.ts';
import { SapStop } from '../sap/sap-newton.ts';
import { holdTrees } from '../sap/tree-advance.ts';
import { workOfForces } from '../sap/work-of-forces.ts';
import type { WorldProblem } from '../sap/world-problem.ts';
import { droppedContacts, type SapOutcome } from '../sap-outcome.ts';
import type { SapEngine } from './sap-engine.ts';

/** Parts of a solver that make what is rare: rows of loops, couplings, actuators and tendons. */
export interface EngineStepParts {
	readonly structure: TreeStructure;
	readonly motion: FreeMotion;
	readonly world: WorldProblem;
	readonly joints: JointTerms;
	readonly loops: LoopTerms;
	readonly groups: ContactGroups;
	readonly outcome: SapOutcome;
}

/** Steps worlds by the engine: groups of as many as it has lanes, and a few groups at a time from state to state. */
export class EngineSteps {
	/** Those of the model as it is; the owner replaces them when it changes. */
	actuators: ActuatorTerms;
	readonly engine: SapEngine;
	readonly #parts: EngineStepParts;
	readonly #model: Model;
	readonly #worldCount: number;
	/** Of the group at hand: the world of each lane, and its time step. */
	readonly #lanes: Int32Array;
	readonly #dts: Float64Array;
	/** By world of the batch: whether it was asked for, whether it stays where it was, and the work of its drives [J]. */
	readonly #isAsked: Uint8Array;
	readonly #isHeld: Uint8Array;
	readonly #driveWork: Float64Array;

	constructor(engine: SapEngine, parts: EngineStepParts, actuators: ActuatorTerms) {
		this.engine = engine;
		this.actuators = actuators;
		this.#parts = parts;
		this.#model = parts.structure.model;
		this.#worldCount = Math.max(1, this.#model.worldCount);
		this.#lanes = new Int32Array(engine.lanes);
		this.#dts = new Float64Array(engine.lanes);
		const worlds = engine.lanes * engine.batchGroups;
		this.#isAsked = new Uint8Array(worlds);
		this.#isHeld = new Uint8Array(worlds);
		this.#driveWork = new Float64Array(worlds);
	}

	/** Steps worlds `start` to before `end`, whose contacts have been sorted by world. */
	step(
		stateIn: State,
		stateOut: State,
		control: Control | Model,
		contacts: Contacts | undefined,
		dt: number | Float64Array,
		start: number,
		end: number,
		{ mask, work }: StepOptions,
	): void {
		const { lanes } = this.engine;
		const worlds = this.#isAsked.length;
		const { groups } = this.#parts;
		const needsExtraRows = !this.#parts.loops.isEmpty || !this.actuators.onlyPushes;
		// batches hold whole groups
		const stop = Math.min(Math.ceil(end / lanes) * lanes, this.#worldCount);
		for (let first = start - (start % lanes); first < end; first += worlds) {
			const last = Math.min(first + worlds, stop);
			let asked = 0;
			for (let world = first; world < last; world++) {
				const isAsked = world >= start && world < end && (mask === undefined || Boolean(mask[world]));
				this.#isAsked[world - first] = isAsked ? 1 : 0;
				this.#isHeld[world - first] = 0;
				if (isAsked) asked++;
			}
			if (asked === 0) continue;
			this.actuators.prepare(first, last, stateIn, control);
			this.engine.take(first, last, this.actuators);
			if (contacts !== undefined) this.engine.takeContacts(first, last, contacts, groups);
			let held = 0;
			for (let member = first; member < last; member += lanes) {
				if (!this.#isAnyAsked(member - first)) continue;
				this.#placeLanes(member, dt);
				this.engine.prepare(member / lanes, this.#dts);
				if (needsExtraRows) for (let lane = 0; lane < lanes; lane++) this.#addExtraRows(lane, stateIn);
				const own = Math.min(lanes, last - member);
				this.engine.advance(member / lanes, own, contacts !== undefined, work !== undefined);
				held += this.#finishGroup(member, first, last, contacts);
			}
			const force = contacts?.rigidForce;
			if (force !== undefined && asked === last - first) this.engine.giveForces(force, groups);
			else if (force !== undefined) this.#giveForcesOfAsked(first, last, force);
			if (held === 0 && asked === last - first) this.engine.give(stateOut);
			else this.#giveAsked(first, last, stateIn, stateOut);
			for (let world = first; world < last; world++) {
				if (this.#isAsked[world - first] === 0) continue;
				const step = typeof dt === 'number' ? dt : dt[world]!;
				this.actuators.advance(world, stateIn, stateOut, step);
				if (work === undefined) continue;
				const own = this.#driveWork[world - first]! + this.actuators.work(world, control, stateIn, stateOut, step);
				work[world]! += own + workOfForces(this.#parts.motion, world, stateIn, stateOut, control, step);
			}
		}
	}

	/** Whether a world of a group was asked for; `from` is its first among those of the batch. */
	#isAnyAsked(from: number): boolean {
		for (let lane = 0; lane < this.engine.lanes; lane++) if (this.#isAsked[from + lane] === 1) return true;
		return false;
	}

	/** Lanes without a world of their own repeat the last one. */
	#placeLanes(first: number, dt: number | Float64Array): void {
		for (let lane = 0; lane < this.engine.lanes; lane++) {
			const world = Math.min(first + lane, this.#worldCount - 1);
			this.#lanes[lane] = world;
			this.#dts[lane] = typeof dt === 'number' ? dt : dt[world]!;
		}
	}

	/** Makes the rows of loops, couplings, actuators and tendons of the world of a lane and gives them to the engine. */
	#addExtraRows(lane: number, stateIn: State): void {
		const { extraRows } = this.engine;
		const { structure, motion, world: problemOf, joints, loops } = this.#parts;
		const world = this.#lanes[lane]!;
		const dt = this.#dts[lane]!;
		const { order, problem } = problemOf;
		// a lane that repeats the world before it has its rows
		if (lane > 0 && world === this.#lanes[lane - 1]) {
			extraRows.take(lane, problem, this.#isCounted);
			return;
		}
		this.engine.shareMotion(lane, world, motion, loops.hasFrames);
		order.clear();
		const { worldTrees, worldStart } = structure;
		for (let i = worldStart[world]!; i < worldStart[world + 1]!; i++) order.use(worldTrees[i]!);
		order.settle();
		problemOf.begin();
		joints.begin();
		loops.add(world, stateIn.jointQ, dt);
		this.actuators.add(world, stateIn, dt);
		extraRows.take(lane, problem, this.#isCounted);
		problemOf.end();
	}

	readonly #isCounted = (row: number): boolean => this.#parts.joints.isCounted(row);

	/** Notes what the engine came to for the worlds of a group that were asked for. Gives how many of them stay where they were. */
	#finishGroup(group: number, first: number, last: number, contacts: Contacts | undefined): number {
		let held = 0;
		for (let lane = 0; lane < this.engine.lanes && group + lane < last; lane++) {
			const world = group + lane;
			if (this.#isAsked[world - first] === 0) continue;
			const { isLost, hasGainedEnergy, work } = this.engine.results[lane]!;
			this.#driveWork[world - first] = work;
			if (isLost || hasGainedEnergy) {
				this.#isHeld[world - first] = 1;
				held++;
			}
			this.#report(lane, world, contacts);
		}
		return held;
	}

	#report(lane: number, world: number, contacts: Contacts | undefined): void {
		const { outcome, groups } = this.#parts;
		const result = this.engine.results[lane]!;
		const isBroken = result.stop === SapStop.BROKEN;
		outcome.iterations[world] = result.iterations;
		outcome.lineSearchEvaluations[world] = result.evaluations;
		outcome.residual[world] = result.residual;
		outcome.converged[world] = result.stop === SapStop.OPTIMAL || result.stop === SapStop.COST ? 1 : 0;
		outcome.stop[world] = result.stop;
		outcome.fault[world] = isBroken
			? WorldFault.DIVERGED
			: result.hasGainedEnergy
				? WorldFault.GAINED_ENERGY
				: WorldFault.NONE;
		outcome.contactCount[world] = groups.start[world + 1]! - groups.start[world]!;
		outcome.dofCount[world] = result.dofs;
		outcome.droppedContactCount[world] = droppedContacts(contacts, world);
	}

	#giveForcesOfAsked(first: number, last: number, force: Float64Array): void {
		for (let world = first; world < last; world++)
			if (this.#isAsked[world - first] === 1) this.engine.giveForcesOf(world, force, this.#parts.groups);
	}

	/** Writes the states of the worlds of a batch that were asked for; those that came to a fault keep the old one. */
	#giveAsked(first: number, last: number, stateIn: State, stateOut: State): void {
		const { structure } = this.#parts;
		const { worldStart } = structure;
		for (let world = first; world < last; world++) {
			if (this.#isAsked[world - first] === 0) continue;
			if (this.#isHeld[world - first] === 1)
				holdTrees(structure, worldStart[world]!, worldStart[world + 1]!, stateIn, stateOut);
			else this.engine.giveWorld(world, stateOut);
		}
	}
}
