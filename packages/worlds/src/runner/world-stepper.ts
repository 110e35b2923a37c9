import type { Contacts, Model, OptionalStateArray, State } from '@manyworlds/model';
import type { ArrayAllocator, IndexRange, NumberArray } from '@manyworlds/model/internal';
import { EnergyAccount } from '../energy/energy-account.ts';
import { type Solver, type StepOptions, WorldFault } from '../solver.ts';
import type { WorldSolver } from '../solver-factory.ts';
import { CommandKind, type SharedWorlds } from './shared-worlds.ts';
import { StateRows } from './state-rows.ts';
import { sumContactForces } from './sum-contact-forces.ts';

/** Options of all steppers of a runner. */
export interface StepperSettings {
	readonly include: readonly OptionalStateArray[];
	/** [m/s, rad/s] */
	readonly maxSpeed: number;
	/** Whether the energy of worlds is accounted for. */
	readonly accountsEnergy: boolean;
	/** Room for contacts of each world; 0 when nobody wants them. */
	readonly contactsKept: number;
	/** Whether forces of contacts are told. */
	readonly tellsContacts: boolean;
}

/**
 * Carries out commands on a run of worlds in one thread. While it steps it works on two states of its own; shared memory
 * gets the result of the last step. Nothing of another run is read or written, and what belongs to no world moves alike in
 * every stepper.
 */
export class WorldStepper {
	readonly #shared: SharedWorlds;
	readonly #solver: Solver;
	readonly #model: Model;
	readonly #own: WorldSolver;
	readonly #range: IndexRange;
	readonly #rows: StateRows;
	#now: State;
	#next: State;
	readonly #maxSpeed: number;
	/** First degree of freedom of each world, and the one behind its last. */
	readonly #dofRuns: Int32Array;
	/** Worlds of this run that are being stepped; one entry for each world of the model. */
	readonly #active: Uint8Array;
	/** All worlds of this run that are active, for the solver. */
	readonly #chosen: StepOptions;
	/** Worlds that take all steps of a command before the next ones take theirs. */
	readonly #blocks: readonly Block[];
	readonly #account: EnergyAccount | undefined;
	/** Worlds whose account has been opened. */
	readonly #isOpened: Uint8Array;
	/** Work of the last step of each world [J]. */
	readonly #work: Float64Array;

	constructor(model: Model, shared: SharedWorlds, own: WorldSolver, range: IndexRange, options: StepperSettings) {
		const { include, maxSpeed, accountsEnergy } = options;
		this.#maxSpeed = maxSpeed;
		this.#shared = shared;
		this.#solver = own.solver;
		this.#model = model;
		this.#own = own;
		this.#range = range;
		this.#rows = new StateRows(model);
		this.#now = model.createState({ include, keep: workingArrays(shared.state) });
		this.#next = model.createState({ include, keep: workingArrays(shared.state) });
		this.#active = new Uint8Array(model.worldCount);
		this.#isOpened = new Uint8Array(model.worldCount);
		this.#work = new Float64Array(accountsEnergy ? model.worldCount : 0);
		this.#account = accountsEnergy ? new EnergyAccount(model, shared.statistics, range) : undefined;
		const seesBodies = accountsEnergy || own.collide !== undefined || own.solver.placeBodies === undefined;
		// what belongs to no world moves with all of them
		const size = (this.#rows.hasGlobals ? undefined : own.worldsAtOnce) ?? Math.max(1, range.end - range.start);
		this.#chosen = this.#optionsFor(range);
		this.#blocks = blocksOf(range, size).map((block) => {
			const chosen = this.#optionsFor(block);
			return { range: block, chosen, passing: seesBodies ? chosen : { ...chosen, bodies: false } };
		});
		this.#dofRuns = new Int32Array(2 * model.worldCount);
		for (let world = range.start; world < range.end; world++)
			this.#dofRuns.set(this.#rows.runOf('jointDof', world, world + 1), 2 * world);
	}

	/** Does what it is told; the last stepper to finish must then call {@link publishGlobals}. */
	run(kind: CommandKind, argument: number): void {
		switch (kind) {
			case CommandKind.STEP:
				this.#step(argument, this.#shared.firstStep[0]!);
				break;
			case CommandKind.RESET:
				this.#reset();
				break;
			case CommandKind.MODEL_CHANGED:
				this.#solver.notifyModelChanged(argument);
				this.#own.notifyModelChanged?.(argument);
				break;
			case CommandKind.NONE:
				break;
		}
	}

	/** Writes what belongs to no world: only when no stepper needs the old values any more. */
	publishGlobals(kind: CommandKind): void {
		if (kind === CommandKind.STEP && this.#rows.hasGlobals) this.#rows.copyGlobals(this.#now, this.#shared.state);
	}

	dispose(): void {
		this.#solver.dispose();
	}

	#step(count: number, firstStep: number): void {
		const { state, statistics } = this.#shared;
		for (let world = this.#range.start; world < this.#range.end; world++) {
			const isActive = this.#shared.mask[world] !== 0 && statistics.fault[world] === WorldFault.NONE;
			this.#active[world] = isActive ? 1 : 0;
		}
		this.#fetch();
		this.#openAccounts();
		const [first, second] = [this.#now, this.#next];
		for (const block of this.#blocks) {
			[this.#now, this.#next] = [first, second];
			this.#stepBlock(block, count, firstStep);
		}
		this.#eachRun((from, to) => this.#rows.copyWorlds(this.#now, state, from, to));
	}

	/** Takes the steps of a command with some of the worlds. */
	#stepBlock({ range, chosen, passing }: Block, count: number, firstStep: number): void {
		const { control, dt, state, statistics } = this.#shared;
		// without an active world too: solvers count steps, and what belongs to no world moves
		for (let i = 0; i < count; i++) {
			this.#work.fill(0, range.start, range.end);
			const contacts: Contacts | undefined = this.#own.collide?.(this.#now, this.#active, dt, range);
			const options = i === count - 1 ? chosen : passing;
			this.#solver.step(this.#now, this.#next, control, contacts, dt, options);
			if (contacts !== undefined && i === count - 1) this.#sumForces(contacts, range);
			[this.#now, this.#next] = [this.#next, this.#now];
			for (let world = range.start; world < range.end; world++) {
				if (this.#active[world] === 0) continue;
				statistics.note(world, this.#solver.outcome);
				const fault = this.#faultOf(world);
				if (fault === WorldFault.NONE) {
					this.#account?.enter(world, this.#now, this.#work[world]!, firstStep + i);
					continue;
				}
				statistics.fault[world] = fault;
				statistics.faultStep[world] = firstStep + i;
				// held at the state before the step
				if (i > 0 && passing.bodies === false) this.#solver.placeBodies?.(world, this.#next);
				this.#rows.copyWorlds(this.#next, state, world, world + 1);
				this.#active[world] = 0;
			}
		}
		this.#keepContacts(range);
	}

	/** Forces of contacts on the bodies of some worlds, and on those of no world. */
	#sumForces(contacts: Contacts, { start, end }: IndexRange): void {
		const bodies = this.#rows.hasGlobals ? [0, this.#model.bodyCount] : this.#rows.runOf('body', start, end);
		sumContactForces(this.#shared.bodyContactF, this.#model, this.#now, contacts, this.#active, bodies);
	}

	/** Contacts of the step that was just taken; worlds that took none keep theirs. */
	#keepContacts({ start, end }: IndexRange): void {
		const { contacts } = this.#shared;
		if (contacts === undefined || this.#own.contactsOf === undefined) return;
		for (let world = start; world < end; world++) {
			if (this.#active[world] === 0) continue;
			const found = this.#own.contactsOf(world, this.#now);
			contacts.take(this.#model, world, this.#now, found.contacts, found.start, found.end);
		}
	}

	#optionsFor(range: IndexRange): StepOptions {
		return { range, mask: this.#active, ...(this.#account !== undefined && { work: this.#work }) };
	}

	/** Between commands somebody may have changed the state. */
	#openAccounts(): void {
		if (this.#account === undefined) return;
		for (let world = this.#range.start; world < this.#range.end; world++) {
			if (this.#active[world] === 0) continue;
			if (this.#isOpened[world] === 0) this.#account.open(world, this.#now);
			else this.#account.resume(world, this.#now);
			this.#isOpened[world] = 1;
		}
	}

	#faultOf(world: number): WorldFault {
		const fault = this.#solver.outcome.fault[world] as WorldFault;
		if (fault !== WorldFault.NONE) return fault;
		const { jointQd } = this.#now;
		const end = this.#dofRuns[2 * world + 1]!;
		for (let dof = this.#dofRuns[2 * world]!; dof < end; dof++) {
			if (Math.abs(jointQd[dof]!) <= this.#maxSpeed) continue;
			this.#shared.statistics.faultDof[world] = dof;
			this.#shared.statistics.faultSpeed[world] = jointQd[dof]!;
			return Number.isFinite(jointQd[dof]!) ? WorldFault.TOO_FAST : WorldFault.DIVERGED;
		}
		return WorldFault.NONE;
	}

	#reset(): void {
		for (let world = this.#range.start; world < this.#range.end; world++) {
			this.#active[world] = this.#shared.mask[world]!;
			if (this.#active[world] === 0) continue;
			this.#shared.statistics.fault[world] = WorldFault.NONE;
			this.#isOpened[world] = 0;
			this.#shared.contacts?.clear(world);
		}
		this.#fetch();
		this.#solver.reset(this.#now, this.#chosen);
	}

	/** Takes over the active worlds. Solvers leave alone what they do not move, so both states need it. */
	#fetch(): void {
		const { state } = this.#shared;
		for (const own of [this.#now, this.#next]) {
			this.#eachRun((first, last) => this.#rows.copyWorlds(state, own, first, last));
			if (this.#rows.hasGlobals) this.#rows.copyGlobals(state, own);
		}
	}

	/** Calls a function for every run of active worlds without holes. */
	#eachRun(visit: (first: number, last: number) => void): void {
		const { start, end } = this.#range;
		for (let first = start; first < end; first++) {
			if (this.#active[first] === 0) continue;
			let last = first + 1;
			while (last < end && this.#active[last] !== 0) last++;
			visit(first, last);
			first = last;
		}
	}
}

/** Worlds that are stepped together, and what the solver is asked for. */
interface Block {
	readonly range: IndexRange;
	readonly chosen: StepOptions;
	/** The same for steps that another follows at once, whose poses of bodies nobody sees. */
	readonly passing: StepOptions;
}

/** Runs of so many worlds, the last one with what is left; one without worlds when there are none. */
function blocksOf({ start, end }: IndexRange, size: number): IndexRange[] {
	const blocks = [{ start, end: Math.min(end, start + size) }];
	for (let first = start + size; first < end; first += size)
		blocks.push({ start: first, end: Math.min(end, first + size) });
	return blocks;
}

/** Forces and custom attributes are only read, so they stay shared; the rest is memory that costs nothing until it is used. */
function workingArrays(shared: State): ArrayAllocator {
	return <T extends NumberArray>(initial: T, name: string): T => {
		if (name === 'bodyF') return shared.bodyF as NumberArray as T;
		if (name === 'particleF') return shared.particleF as NumberArray as T;
		if (name.startsWith('attribute/'))
			return shared.attributes.get(name.slice('attribute/'.length)) as NumberArray as T;
		return new (initial.constructor as new (count: number) => T)(initial.length);
	};
}
