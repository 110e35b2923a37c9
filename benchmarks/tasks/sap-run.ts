import { ArticulatedDynamics, type Model, type State } from '@manyworlds/model';
import {
	type CollideOptions,
	CollisionPipeline,
	type LookAhead,
	SolverSap,
	type SolverSapOptions,
	type WorldContacts,
} from '@manyworlds/sim';
import { worldsAtOnce } from '@manyworlds/sim/internal';
import type { StepOptions } from '@manyworlds/worlds';
import type { SceneRecipe } from './sap-scenes.ts';

/** World-steps that allocation is measured over, at least, and how often. */
const MEASURED_STEPS = 1024;
const WINDOWS = 12;
/** Bytes of a world-step that count as none: the caller's time step is boxed. */
const MOST_BYTES = 32;
/** Bytes that the collector's caller and the compiler may leave in the heap meanwhile. */
const NOISE = 65536;

/** Relative residuals that a solved step may have, in 64 and in 32 bits. */
const MOST_RESIDUAL = 1e-6;
const MOST_RESIDUAL_32 = 1e-4;

/**
 * Worlds that walk through one trajectory together: each begins where the world before it will end. So any number of worlds does
 * the same steps, and the end of each is known to the last bit.
 */
export class SapRun {
	readonly model: Model;
	readonly recipe: SceneRecipe;
	/** Steps of each world. */
	readonly steps: number;
	iterations = 0;
	evaluations = 0;
	contactCount = 0;
	unconverged = 0;
	dropped = 0;
	worstResidual = 0;
	readonly #pipeline: CollisionPipeline;
	readonly #solver: SolverSap;
	readonly #contacts: WorldContacts;
	readonly #ahead: LookAhead;
	/** Worlds that take all of their steps before the next ones take theirs, as `WorldRunner` has it. */
	readonly #block: number;
	readonly #start: State;
	readonly #end: State;
	#state: State;
	#next: State;

	/** With `inStep` all worlds take each step together. */
	constructor(recipe: SceneRecipe, worlds: number, options: SolverSapOptions = {}, inStep = false) {
		this.recipe = recipe;
		this.steps = recipe.steps / worlds;
		this.model = recipe.model(worlds);
		this.#pipeline = new CollisionPipeline(this.model);
		this.#contacts = this.#pipeline.createContacts({ perWorld: recipe.perWorld });
		this.#solver = new SolverSap(this.model, options);
		this.#ahead = this.#solver.lookAhead(recipe.dt);
		this.#block = inStep ? worlds : Math.min(worlds, worldsAtOnce(this.model));
		this.#start = this.model.createState();
		this.#end = this.model.createState();
		this.#state = this.model.createState();
		this.#next = this.model.createState();
		this.#layOut(worlds, options);
	}

	get worldSteps(): number {
		return this.recipe.steps;
	}

	/** Contacts at the end of the last run. */
	get contacts(): WorldContacts {
		return this.#contacts;
	}

	/** Takes every world through its part of the trajectory. */
	run(): void {
		this.#state.assign(this.#start);
		this.iterations = 0;
		this.evaluations = 0;
		this.contactCount = 0;
		this.unconverged = 0;
		this.dropped = 0;
		this.worstResidual = 0;
		const worlds = Math.max(1, this.model.worldCount);
		const [first, second] = [this.#state, this.#next];
		for (let start = 0; start < worlds; start += this.#block) {
			this.#state = first;
			this.#next = second;
			this.#runBlock({ start, end: Math.min(worlds, start + this.#block) });
		}
	}

	#runBlock(range: { readonly start: number; readonly end: number }): void {
		const { outcome } = this.#solver;
		const { dt } = this.recipe;
		const options = { range };
		const ahead = { ...this.#ahead, range };
		for (let i = 0; i < this.steps; i++) {
			this.#step(dt, ahead, options);
			for (let world = range.start; world < range.end; world++) {
				this.iterations += outcome.iterations[world]!;
				this.evaluations += outcome.lineSearchEvaluations[world]!;
				this.contactCount += outcome.contactCount[world]!;
				this.unconverged += 1 - outcome.converged[world]!;
				this.dropped += outcome.droppedContactCount[world]!;
				this.worstResidual = Math.max(this.worstResidual, outcome.residual[world]!);
			}
		}
	}

	/** Throws unless every step was solved, nothing was dropped, and every world ended where the next begins. */
	check(): void {
		if (this.unconverged > 0) throw new Error(`${this.unconverged} steps did not converge`);
		const most = this.#solver.engine === 'wasm32' ? MOST_RESIDUAL_32 : MOST_RESIDUAL;
		if (!(this.worstResidual <= most)) throw new Error(`the worst residual is ${this.worstResidual}, expected ${most}`);
		if (this.dropped > 0) throw new Error(`${this.dropped} contacts had no room`);
		for (const name of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const) {
			const found = this.#state[name];
			const expected = this.#end[name];
			const at = found.findIndex((value, i) => value !== expected[i]);
			if (at >= 0) throw new Error(`${name}[${at}] is ${found[at]}, expected ${expected[at]}`);
		}
		const last =
			this.#end.bodyQ[7 * (this.model.bodyCount - this.model.bodyCount / Math.max(1, this.model.worldCount)) + 2]!;
		const [low, high] = this.recipe.endHeight;
		if (!(last >= low && last <= high)) throw new Error(`the first body ends at ${last} m, expected ${low} to ${high}`);
	}

	/** Bytes that a world-step allocates, or undefined without a collector to call. Throws when that is more than noise. */
	allocation(): number | undefined {
		if (globalThis.gc === undefined) return undefined;
		const runs = Math.ceil(MEASURED_STEPS / this.worldSteps);
		const steps = runs * this.worldSteps;
		const most = (this.recipe.mostBytes ?? MOST_BYTES) * steps + NOISE;
		let least = Number.POSITIVE_INFINITY;
		// code that is not compiled yet boxes its numbers: the first window without them counts
		for (let i = 0; i < WINDOWS && !(least <= most); i++) {
			globalThis.gc();
			const before = process.memoryUsage().heapUsed;
			for (let run = 0; run < runs; run++) this.run();
			const bytes = process.memoryUsage().heapUsed - before;
			// a collection in between would hide what was allocated
			if (bytes >= 0) least = Math.min(least, bytes);
		}
		if (!(least <= most)) {
			throw new Error(`a world-step allocates ${(least / steps).toFixed(0)} bytes, expected none`);
		}
		return least / steps;
	}

	#step(dt: number, ahead: CollideOptions, options: StepOptions): void {
		this.#pipeline.collide(this.#state, this.#contacts, ahead);
		this.#solver.step(this.#state, this.#next, undefined, this.#contacts, dt, options);
		const state = this.#state;
		this.#state = this.#next;
		this.#next = state;
	}

	/** Runs the trajectory in one world and takes the beginning and end of each world's part from it. */
	#layOut(worlds: number, options: SolverSapOptions): void {
		const model = worlds === 1 ? this.model : this.recipe.model(1);
		const pipeline = new CollisionPipeline(model);
		const contacts = pipeline.createContacts({ perWorld: this.recipe.perWorld });
		const solver = new SolverSap(model, options);
		let state = model.createState();
		let next = model.createState();
		new ArticulatedDynamics(model).forwardKinematics(state);
		for (let step = 0; step <= this.recipe.steps; step++) {
			if (step % this.steps === 0) {
				const world = step / this.steps;
				if (world < worlds) copyWorld(state, this.#start, world);
				if (world > 0) copyWorld(state, this.#end, world - 1);
			}
			pipeline.collide(state, contacts, solver.lookAhead(this.recipe.dt));
			solver.step(state, next, undefined, contacts, this.recipe.dt);
			[state, next] = [next, state];
		}
	}
}

/** Copies a state of one world to its place among many. */
function copyWorld(from: State, to: State, world: number): void {
	for (const name of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const)
		to[name].set(from[name], world * from[name].length);
}
