import { type Report, UsageRangeError } from '@manyworlds/core';
import { type Contacts, type Control, type Model, ModelFlags, type State, WORLD } from '@manyworlds/model';
import { type Solver, type SolverResetOptions, type StepOptions, WorldFault } from '@manyworlds/worlds';
import type { LookAhead } from './collision/collision-pipeline.ts';
import { TreeStructure } from './dynamics/tree-structure.ts';
import { numberBytes, planEngine } from './engine/engine-plan.ts';
import { EngineSteps } from './engine/engine-steps.ts';
import { type EngineExports, SapEngine } from './engine/sap-engine.ts';
import { canBeSparse, type SparseExports, SparseNewton } from './engine/sparse-newton.ts';
import { ActuatorTerms } from './sap/actuator-terms.ts';
import { ContactGroups } from './sap/contact-groups.ts';
import { ContactMaterials } from './sap/contact-materials.ts';
import { ContactTerms } from './sap/contact-terms.ts';
import { FreeMotion } from './sap/free-motion.ts';
import { JointTerms } from './sap/joint-terms.ts';
import { readActuators } from './sap/linear-actuators.ts';
import { LoopTerms } from './sap/loop-terms.ts';
import { loopsOf } from './sap/loops.ts';
import { reportUnsupported } from './sap/report-unsupported.ts';
import { SapNewton, SapStop } from './sap/sap-newton.ts';
import { resolveSapOptions, type SapSettings, type SolverSapOptions } from './sap/sap-options.ts';
import { holdTrees, TreeAdvance } from './sap/tree-advance.ts';
import { TreeSleep } from './sap/tree-sleep.ts';
import { UnmovedRows } from './sap/unmoved-rows.ts';
import { workOfForces } from './sap/work-of-forces.ts';
import { WorldProblem } from './sap/world-problem.ts';
import { droppedContacts, SapOutcome } from './sap-outcome.ts';
import { instantiateKernels } from './wasm/kernels.ts';

/** Edits after which actuators, springs and tendons are read again. */
const ACTUATOR_FLAGS =
	ModelFlags.ACTUATOR_PROPERTIES |
	ModelFlags.TENDON_PROPERTIES |
	ModelFlags.JOINT_DOF_PROPERTIES |
	ModelFlags.BODY_INERTIAL_PROPERTIES |
	ModelFlags.BODY_PROPERTIES;

/**
 * Steps a model in time with the semi-analytic primal solver: contact, friction, limits, drives and loops are one convex
 * problem for the velocities at the end of the step, solved to its minimum (Castro, Permenter and Han 2022).
 *
 * Worlds share nothing, so a world does the same, bit for bit, alone or among others. A step depends on its arguments only, but for
 * what sleeps (see `sleepTime`). After
 * the first steps nothing is allocated. The kernels in WebAssembly take the steps of two worlds at once, or of four in 32 bits, wherever they can do
 * all that the model asks for, else the code here does, with kernels for its convex problems: see `engine`.
 *
 * ```ts
 * const solver = new SolverSap(model, { contactPresetVariant: 'drake' });
 * pipeline.collide(state0, contacts, solver.lookAhead(0.005));
 * solver.step(state0, state1, control, contacts, 0.005);
 * [state0, state1] = [state1, state0];
 * ```
 * @public
 */
export class SolverSap implements Solver {
	readonly model: Model;
	readonly options: SapSettings;
	readonly outcome: SapOutcome;
	/** What of the model is not simulated. */
	readonly report: Report;
	readonly #structure: TreeStructure;
	readonly #motion: FreeMotion;
	readonly #world: WorldProblem;
	readonly #materials: ContactMaterials;
	readonly #contacts: ContactTerms;
	readonly #joints: JointTerms;
	readonly #loops: LoopTerms;
	#actuators: ActuatorTerms;
	readonly #newton: SapNewton | SparseNewton;
	readonly #countWork = (row: number): void => this.#joints.countWork(row);
	readonly #trees: TreeAdvance;
	readonly #unmoved: UnmovedRows;
	readonly #groups: ContactGroups;
	/** What takes no part in steps; undefined when nothing may sleep. */
	readonly #sleep: TreeSleep | undefined;
	readonly #engine: EngineSteps | string;

	constructor(model: Model, options: SolverSapOptions = {}) {
		this.model = model;
		this.options = resolveSapOptions(options);
		const worlds = Math.max(1, model.worldCount);
		this.outcome = new SapOutcome(worlds);
		this.#structure = new TreeStructure(model);
		const actuators = readActuators(model);
		this.report = reportUnsupported(this.#structure, this.options, actuators);
		this.#motion = new FreeMotion(this.#structure, this.options);
		this.#world = new WorldProblem(this.#motion, this.options.initialGuess === 'free_motion');
		this.#materials = new ContactMaterials(model, this.options);
		this.#contacts = new ContactTerms(this.#world, this.#materials, this.options);
		this.#joints = new JointTerms(this.#world, this.options.enforceVelocityLimits);
		this.#loops = new LoopTerms(this.#world, this.options.loopTau);
		this.#actuators = new ActuatorTerms(this.#world, actuators, this.#countWork);
		this.#unmoved = new UnmovedRows(this.#structure);
		this.#groups = new ContactGroups(this.#structure);
		if (this.options.sleepTime > 0) {
			const loops = loopsOf(model, this.#structure.loopJoints);
			this.#sleep = new TreeSleep(this.#structure, this.#motion.drives, actuators, loops, this.options);
		}
		const isAsleep = this.#sleep?.isAsleep ?? new Uint8Array(this.#structure.treeCount);
		this.#trees = new TreeAdvance(this.#motion, this.options.positionIntegration === 'midpoint', isAsleep);
		this.#newton = this.#makeNewton();
		this.#engine = this.#makeEngine();
	}

	/**
	 * What steps the worlds: `wasm` the engine, all of the step and two worlds at once; `wasm32` the same with numbers of 32 bits and
	 * four worlds, for the preset `approx32`; `sparse` terms in TypeScript and Newton's method in WebAssembly by blocks of bodies,
	 * for worlds of many; `reference` all in TypeScript.
	 */
	get engine(): 'wasm' | 'wasm32' | 'sparse' | 'reference' {
		if (this.#engine instanceof EngineSteps) return this.#engine.engine.lanes === 4 ? 'wasm32' : 'wasm';
		return this.#newton instanceof SparseNewton ? 'sparse' : 'reference';
	}

	/** Why the engine does not step the worlds; undefined where it does. */
	get engineNote(): string | undefined {
		return this.#engine instanceof EngineSteps ? undefined : this.#engine;
	}

	/** The engine, or why there is none. */
	#makeEngine(): EngineSteps | string {
		if (this.options.engine === 'reference') return 'the reference was asked for';
		const sparse = this.#newton instanceof SparseNewton ? this.#newton : undefined;
		const plan = planEngine(this.#structure, this.options, sparse !== undefined);
		if (typeof plan === 'string') return plan;
		const bytes = numberBytes(this.options)!;
		const exports = instantiateKernels<EngineExports>(bytes === 8 ? 'engine' : 'engine32');
		if (exports === undefined) return 'WebAssembly has no SIMD here';
		const structure = this.#structure;
		const motion = this.#motion;
		const engine = new SapEngine(exports, bytes, plan, structure, motion.drives, this.#materials, this.options, sparse);
		const parts = {
			structure,
			motion,
			world: this.#world,
			joints: this.#joints,
			loops: this.#loops,
			groups: this.#groups,
			outcome: this.outcome,
		};
		return new EngineSteps(engine, parts, this.#actuators);
	}

	/** Newton's method for worlds that the engine does not take. */
	#makeNewton(): SapNewton | SparseNewton {
		const { engine, frictionModel, newton } = this.options;
		const isPlain = engine !== 'reference' && frictionModel === 'cone';
		const exports =
			isPlain && canBeSparse(newton, this.#mostDofs()) ? instantiateKernels<SparseExports>('sparse') : undefined;
		return exports === undefined ? new SapNewton(newton) : new SparseNewton(exports, newton);
	}

	/** Degrees of freedom of the largest group of trees that a problem may hold. */
	#mostDofs(): number {
		const { worldStart, worldTrees, dofStart } = this.#structure;
		let most = 0;
		for (let group = 0; group + 1 < worldStart.length; group++) {
			let dofs = 0;
			for (let i = worldStart[group]!; i < worldStart[group + 1]!; i++)
				dofs += dofStart[worldTrees[i]! + 1]! - dofStart[worldTrees[i]!]!;
			most = Math.max(most, dofs);
		}
		return most;
	}

	/**
	 * Writes the state one step later to `stateOut`, which must not be `stateIn`. `dt` [s] is one number, or one for each world.
	 * Contacts must belong to the body poses of `stateIn`; their forces are written when the buffer holds some.
	 */
	step(
		stateIn: State,
		stateOut: State,
		control: Control | undefined,
		contacts: Contacts | undefined,
		dt: number | Float64Array,
		options: StepOptions = EVERY_WORLD,
	): void {
		const { model } = this;
		const worlds = Math.max(1, model.worldCount);
		checkStep(model, stateIn, stateOut, dt, worlds);
		const start = options.range?.start ?? 0;
		const end = options.range?.end ?? worlds;
		if (!(start >= 0 && start <= end && end <= worlds))
			throw new UsageRangeError(`worlds ${start} to ${end} of ${worlds}`);
		// the model has the arrays of a control
		const drive = control ?? model;
		// worlds that share lanes with those that are stepped count too
		const lanes = this.#engine instanceof EngineSteps ? this.#engine.engine.lanes : 1;
		this.#groups.sort(contacts, start - (start % lanes), Math.min(worlds, lanes * Math.ceil(end / lanes)));
		if (this.#engine instanceof EngineSteps) {
			this.#engine.step(stateIn, stateOut, drive, contacts, dt, start, end, options);
			this.#unmoved.copy(stateIn, stateOut);
			return;
		}
		this.#unmoved.copy(stateIn, stateOut);
		// bodies of no world come first: worlds see them move
		const hasGlobals = this.#structure.worldStart[worlds + 1]! > this.#structure.worldStart[worlds]!;
		if (hasGlobals) this.#stepGroup(worlds, stateIn, stateOut, drive, contacts, typeof dt === 'number' ? dt : dt[0]!);
		for (let world = start; world < end; world++) {
			if (options.mask !== undefined && !options.mask[world]) continue;
			this.#stepGroup(world, stateIn, stateOut, drive, contacts, typeof dt === 'number' ? dt : dt[world]!);
			this.#report(world, contacts);
			if (options.work !== undefined)
				options.work[world]! += this.#work(world, stateIn, stateOut, drive, typeof dt === 'number' ? dt : dt[world]!);
		}
	}

	/** How far ahead a `CollisionPipeline` should look for steps of `dt` [s], one number or one for each world. */
	lookAhead(dt: number | Float64Array): LookAhead {
		const { largestMu, longestTau } = this.#materials;
		return { dt, friction: largestMu, relaxation: 2 * longestTau };
	}

	/** Work [J] of drives and applied forces in the step of a world that was just taken. */
	#work(world: number, stateIn: State, stateOut: State, control: Control | Model, dt: number): number {
		const driven = this.#joints.work() + this.#actuators.work(world, control, stateIn, stateOut, dt);
		return driven + workOfForces(this.#motion, world, stateIn, stateOut, control, dt);
	}

	/** Forgets the last outcome of the chosen worlds and wakes what sleeps in them: else a step depends on its arguments only. */
	reset(_state: State, options: SolverResetOptions = {}): void {
		const { fault } = this.outcome;
		for (let world = 0; world < fault.length; world++) {
			if (options.mask !== undefined && !options.mask[world]) continue;
			fault[world] = WorldFault.NONE;
			this.#sleep?.wakeAll(world);
		}
	}

	/**
	 * Takes over edits of the model. Materials of shapes and gravity are read anew in every step anyway; joints and bodies cannot be
	 * added.
	 */
	notifyModelChanged(flags: number = ModelFlags.ALL): void {
		if (flags === ModelFlags.NONE) return;
		this.#motion.invalidate();
		if (this.#sleep !== undefined || flags & ACTUATOR_FLAGS) {
			const actuators = readActuators(this.model);
			this.#actuators = new ActuatorTerms(this.#world, actuators, this.#countWork);
			if (this.#engine instanceof EngineSteps) this.#engine.actuators = this.#actuators;
			this.#sleep?.refresh(actuators);
		}
		if (this.#engine instanceof EngineSteps) {
			const { engine } = this.#engine;
			engine.refresh();
			engine.extraRows.clear();
		}
	}

	/** All memory is the garbage collector's. */
	dispose(): void {}

	#stepGroup(
		group: number,
		stateIn: State,
		stateOut: State,
		control: Control | Model,
		contacts: Contacts | undefined,
		dt: number,
	): void {
		const structure = this.#structure;
		const first = structure.worldStart[group]!;
		const last = structure.worldStart[group + 1]!;
		const gravity = this.#gravityOf(group);
		const world = this.#world;
		const { order } = world;
		order.clear();
		this.#actuators.prepare(group, group + 1, stateIn, control);
		const { drive, state } = this.#actuators;
		this.#motion.begin();
		const { rows, start } = this.#groups;
		const from = start[group]!;
		const to = start[group + 1]!;
		const sleep = this.#sleep;
		sleep?.wake(group, state, drive, gravity, contacts, rows, from, to);
		for (let i = first; i < last; i++) {
			const tree = structure.worldTrees[i]!;
			if (sleep?.isAsleep[tree] === 1) continue;
			this.#motion.compute(tree, state, drive, dt, gravity);
			if (this.#joints.isNeeded(tree, stateIn.jointQ, dt)) order.use(tree);
		}
		for (let i = from; i < to; i++)
			if (sleep?.isResting(contacts!, rows[i]!) !== true) this.#connectContact(contacts!, rows[i]!, group);
		this.#loops.connect(group);
		this.#actuators.connect(group);
		order.settle();
		world.begin();
		this.#contacts.begin(contacts);
		this.#joints.begin();
		for (let i = from; i < to; i++)
			if (sleep?.isResting(contacts!, rows[i]!) !== true) this.#contacts.add(contacts!, rows[i]!, dt);
		for (let i = 0; i < order.count; i++) this.#joints.add(order.trees[i]!, stateIn.jointQ, drive, dt);
		this.#loops.add(group, stateIn.jointQ, dt);
		this.#actuators.add(group, stateIn, dt);
		this.#newton.solve(world.problem, world.v);
		const trees = this.#trees;
		trees.takeVelocities(world, first, last);
		world.end();
		if (contacts !== undefined) this.#contacts.writeForces(contacts, dt);
		const isLost = !this.#motion.hasGainedEnergy && !trees.areFinite(first, last);
		if (isLost) this.#newton.stop = SapStop.BROKEN;
		// a world that came to a fault stays where it was, awake: asleep it would seem to be well
		if (isLost || this.#motion.hasGainedEnergy) {
			holdTrees(structure, first, last, stateIn, stateOut);
			sleep?.wakeAll(group);
		} else {
			trees.advance(first, last, stateIn, stateOut, dt);
			sleep?.settle(group, state, drive, stateOut, contacts, rows, from, to, dt);
		}
		this.#actuators.advance(group, stateIn, stateOut, dt);
	}

	/** Gravity of a group; a view would be an object for every step. */
	#gravityOf(group: number): Float64Array {
		const gravity = this.#gravity;
		const worlds = Math.max(1, this.model.worldCount);
		if (group >= worlds) {
			const own = this.model.globalGravity;
			for (let k = 0; k < 3; k++) gravity[k] = own[k]!;
		} else for (let k = 0; k < 3; k++) gravity[k] = this.model.gravity[3 * group + k]!;
		return gravity;
	}

	readonly #gravity = new Float64Array(3);

	#connectContact(contacts: Contacts, row: number, group: number): void {
		const { treeOf, leafOf, world } = this.#structure;
		const worlds = Math.max(1, this.model.worldCount);
		let first = -1;
		let second = -1;
		for (let side = 0; side < 2; side++) {
			const shape = (side === 0 ? contacts.rigidShape0 : contacts.rigidShape1)[row]!;
			const body = shape < 0 ? WORLD : this.model.shapeBody[shape]!;
			if (body < 0 || leafOf[body]! < 0) continue;
			const tree = treeOf[body]!;
			const own = world[tree]! < 0 ? (worlds === 1 ? 0 : worlds) : world[tree]!;
			if (own !== group) continue;
			if (first < 0) first = tree;
			else second = tree;
		}
		if (second >= 0) this.#world.order.connect(first, second);
		else if (first >= 0) this.#world.order.use(first);
	}

	#report(world: number, contacts: Contacts | undefined): void {
		const { outcome } = this;
		const newton = this.#newton;
		outcome.iterations[world] = newton.iterations;
		outcome.lineSearchEvaluations[world] = newton.lineSearchEvaluations;
		outcome.residual[world] = newton.relativeResidual;
		outcome.converged[world] = newton.converged ? 1 : 0;
		outcome.stop[world] = newton.stop;
		outcome.fault[world] =
			newton.stop === SapStop.BROKEN
				? WorldFault.DIVERGED
				: this.#motion.hasGainedEnergy
					? WorldFault.GAINED_ENERGY
					: WorldFault.NONE;
		outcome.contactCount[world] = this.#world.problem.contactCount;
		if (this.#sleep !== undefined) outcome.asleepCount[world] = this.#sleep.count(world);
		outcome.dofCount[world] = this.#world.problem.dofCount;
		outcome.droppedContactCount[world] = droppedContacts(contacts, world);
	}
}

/** Made once: a default in place would be an object for every step. */
const EVERY_WORLD: StepOptions = {};

function checkStep(model: Model, stateIn: State, stateOut: State, dt: number | Float64Array, worlds: number): void {
	if (stateIn === stateOut) throw new UsageRangeError('stateOut is stateIn, expected another state');
	if (stateIn.jointQ.length !== model.jointCoordCount || stateOut.jointQ.length !== model.jointCoordCount) {
		throw new UsageRangeError(
			`the states have ${stateIn.jointQ.length} and ${stateOut.jointQ.length} coordinates, the model ${model.jointCoordCount}`,
		);
	}
	if (typeof dt === 'number') {
		if (!(dt > 0 && dt < Number.POSITIVE_INFINITY))
			throw new UsageRangeError(`dt is ${dt} s, expected a positive number`);
		return;
	}
	if (dt.length !== worlds)
		throw new UsageRangeError(`dt has ${dt.length} entries, expected one for each of ${worlds} worlds`);
	for (let world = 0; world < worlds; world++) {
		if (!(dt[world]! > 0 && dt[world]! < Number.POSITIVE_INFINITY)) {
			throw new UsageRangeError(`dt of world ${world} is ${dt[world]} s, expected a positive number`);
		}
	}
}
