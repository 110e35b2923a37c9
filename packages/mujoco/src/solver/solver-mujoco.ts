import type { Report } from '@manyworlds/core';
import { type Contacts, type Control, type Model, ModelFlags, type State } from '@manyworlds/model';
import type { IndexRange } from '@manyworlds/model/internal';
import {
	type Solver,
	type SolverResetOptions,
	type StepOptions,
	type StepOutcome,
	WorldFault,
} from '@manyworlds/worlds';
import { appliedWork } from '@manyworlds/worlds/internal';
import { convertModel } from '../convert/convert-model.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { type CompiledModel, compileToBytes } from '../engine/compiled-model.ts';
import { loadMujoco } from '../engine/load-mujoco.ts';
import type { MujocoModule } from '../engine/mujoco-module.ts';
import { writeActive, writeMocapPoses } from '../engine/write-world.ts';
import { MujocoError } from '../mujoco-error.ts';
import type { ConvertOptions } from '../solver-options.ts';
import type { ControlSource } from './control-sync.ts';
import { Engine } from './engine.ts';
import { readContacts } from './read-contacts.ts';
import { readForces } from './read-forces.ts';

/** Options of {@link SolverMujoco}. @public */
export interface SolverMujocoOptions extends ConvertOptions {
	/** Steps after which coordinates are taken from the input state again; 0 takes them only at the start. */
	readonly updateDataInterval?: number;
	/** Whether `step` computes poses and velocities of bodies; without it only joint coordinates are written. */
	readonly updateBodies?: boolean;
	/** The run of worlds that this solver steps, when others step the rest; left out, all. */
	readonly range?: IndexRange;
	/** What {@link SolverMujoco.compile} gave for the same model and options; left out, the model is compiled. */
	readonly compiled?: Uint8Array;
}

/** Values of {@link SolverMujocoOptions} that are used when absent. @public */
export const SOLVER_MUJOCO_DEFAULTS = { updateDataInterval: 1, updateBodies: true } as const;

/** What {@link SolverMujoco.reset} puts back. @public */
export interface ResetOptions extends SolverResetOptions {
	/** Put the model's joint coordinates into the state. */
	readonly jointQ?: boolean;
	/** Put the model's joint velocities into the state. */
	readonly jointQd?: boolean;
}

/**
 * Steps a model with MuJoCo. Its worlds share one compiled model and one working state; what each world needs is kept
 * outside of the engine.
 *
 * ```ts
 * const solver = await SolverMujoco.create(model);
 * solver.step(state, next, control, undefined, 0.002);
 * solver.dispose();
 * ```
 * @public
 */
export class SolverMujoco implements Solver {
	readonly model: Model;
	/** What could not be converted, and what happened while stepping. */
	readonly report: Report;
	/** Faults last until the world is reset; until then it is held at its last good state. */
	readonly outcome: StepOutcome;
	readonly #range: IndexRange;
	readonly #options: Required<Pick<SolverMujocoOptions, keyof typeof SOLVER_MUJOCO_DEFAULTS>>;
	readonly #convertOptions: ConvertOptions;
	/** What the model says, for steps without a control. */
	readonly #ownControl: ControlSource;
	#engine: Engine;
	#step = 0;
	/** World whose contacts are in the engine, -1 for none. */
	#contactWorld = -1;
	/** Time step that the engine has [s]. */
	#timestep = Number.NaN;

	/** Loads MuJoCo, converts and compiles. Throws {@link MujocoError} for a model that MuJoCo cannot hold. */
	static async create(model: Model, options: SolverMujocoOptions = {}): Promise<SolverMujoco> {
		return new SolverMujoco(await loadMujoco(), model, options);
	}

	/** The model as MuJoCo compiles it, for {@link SolverMujocoOptions.compiled} of solvers in other threads. */
	static compile(module: MujocoModule, model: Model, options: SolverMujocoOptions = {}): Uint8Array {
		return compileToBytes(module, convertModel(model, options));
	}

	constructor(module: MujocoModule, model: Model, options: SolverMujocoOptions = {}) {
		this.model = model;
		const { updateDataInterval, updateBodies } = { ...SOLVER_MUJOCO_DEFAULTS, ...options };
		this.#options = { updateDataInterval, updateBodies };
		checkInterval(this.#options.updateDataInterval);
		const conversion = convertModel(model, options);
		if (!conversion.options.useMujocoContacts && conversion.resolved.integrator === 'rk4') {
			throw new MujocoError(
				'MJC003',
				"integrator 'rk4' finds contacts within a step, expected another one with given contacts",
			);
		}
		this.report = conversion.report;
		this.#convertOptions = options;
		const { jointF, jointTargetQ, jointTargetQd } = model;
		this.#ownControl = { jointF, jointTargetQ, jointTargetQd, attributes: model.attributesOf('control') };
		this.#range = checkRange(model, options.range);
		this.outcome = { fault: new Uint8Array(model.worldCount), contactCount: new Int32Array(model.worldCount) };
		this.#engine = new Engine(module, conversion, this.#range, options.compiled);
		for (let world = this.#range.start; world < this.#range.end; world++) this.#start(world, model);
	}

	/** The compiled model; another one after an edit that MuJoCo has to compile anew. */
	get compiled(): CompiledModel {
		return this.#engine.compiled;
	}

	/** Bytes held for each world outside of the compiled model. */
	get bytesPerWorld(): number {
		return this.#engine.states.bytesPerWorld;
	}

	/**
	 * Takes one step of `dt` [s]. Targets, controls and forces come from `control`, left out from the model, and from
	 * `stateIn.bodyF`. `contacts` are needed when MuJoCo does not find them itself. Both states may be the same.
	 */
	step(
		stateIn: State,
		stateOut: State,
		control: Control | undefined,
		contacts: Contacts | undefined,
		dt: number | ArrayLike<number>,
		options: StepOptions = EVERY_WORLD,
	): void {
		const { module, mj, data, conversion, coordinates } = this.compiled;
		const { control: controls, values, states, views, bodies, given, driveWork } = this.#engine;
		const { useMujocoContacts } = conversion.options;
		const { updateDataInterval: interval } = this.#options;
		// work of applied forces needs velocities of bodies
		const updateBodies = this.#options.updateBodies && (options.bodies !== false || options.work !== undefined);
		if (!useMujocoContacts && contacts === undefined) {
			throw new MujocoError('MJC003', 'no contacts were given, expected them because useMujocoContacts is false');
		}
		if (contacts !== undefined) given?.sort(contacts);
		const { start, end } = options.range === undefined ? this.#range : this.#checkRun(options.range);
		const { mask } = options;
		const drive = control ?? this.#ownControl;
		const { fault, contactCount } = this.outcome;
		controls.begin(drive);
		const isPushed = interval > 0 && this.#step % interval === 0;
		for (let world = start; world < end; world++) {
			if (mask !== undefined && !mask[world]) continue;
			if (fault[world] !== WorldFault.NONE) {
				this.#hold(world, stateIn, stateOut);
				continue;
			}
			values.load(world);
			const before = states.loadForStep(world, isPushed);
			states.isForced = controls.apply(world, stateIn, drive, before, states.isForced);
			if (isPushed) coordinates.push(world, stateIn, before.qpos, before.qvel);
			const ownDt = typeof dt === 'number' ? dt : dt[world]!;
			this.#setTimestep(ownDt);
			states.noteStart(world, ownDt);
			if (options.work !== undefined) driveWork.begin(before.qvel);
			if (contacts === undefined || given === undefined) module.mj_step(mj, data);
			else given.step(world, stateIn, contacts);
			const after = views.current;
			contactCount[world] = after.contactCount[0]!;
			this.#contactWorld = world;
			if (!areFinite(after.qpos) || !areFinite(after.qvel)) {
				this.#diverge(world, stateIn, stateOut);
				continue;
			}
			coordinates.pull(world, after.qpos, after.qvel, stateIn, stateOut);
			readForces(this.compiled, world, stateOut);
			if (options.work === undefined) continue;
			if (updateBodies) bodies.update(world, stateOut);
			const work = driveWork.end(after.qvel, ownDt);
			options.work[world]! += work + appliedWork(this.model, drive.jointF, stateIn, stateOut, world, ownDt);
		}
		if (updateBodies && options.work === undefined) this.#placeAll(start, end, mask, stateOut);
		this.#step++;
	}

	/** Bodies of all worlds in one go, which takes less time than in turn with the steps: the engine drives this code out of caches. */
	#placeAll(start: number, end: number, mask: StepOptions['mask'], state: State): void {
		const { bodies } = this.#engine;
		const { fault } = this.outcome;
		for (let world = start; world < end; world++) {
			if ((mask === undefined || mask[world]) && fault[world] === WorldFault.NONE) bodies.update(world, state);
		}
	}

	#setTimestep(dt: number): void {
		if (dt === this.#timestep) return;
		this.#timestep = dt;
		this.compiled.engineOptions.timestep = dt;
	}

	/**
	 * Takes over changes that were made to the model's arrays; the flags say which, the mask (one entry for each world) where;
	 * left out, in all. The cost is that of the named values in the chosen worlds.
	 */
	notifyModelChanged(flags: number, mask?: ArrayLike<number | boolean>): void {
		checkMask(this.model, mask);
		const outgrown = flags & ModelFlags.BODY_INERTIAL_PROPERTIES ? this.#engine.outgrownBodies : [];
		if (outgrown.length > 0) this.#compileAnew(outgrown);
		if (flags & ModelFlags.BODY_PROPERTIES) this.#engine.chooseIslands();
		this.#engine.values.update(flags, mask);
		if (flags & ModelFlags.BODY_PROPERTIES) this.compiled.slots.refresh();
		if (flags & ModelFlags.JOINT_DOF_PROPERTIES) this.compiled.coordinates.refreshReferences();
		if (flags & PLACING_FLAGS) this.#engine.bodies.refresh(mask);
		if ((flags & (ModelFlags.JOINT_PROPERTIES | ModelFlags.CONSTRAINT_PROPERTIES)) === 0) return;
		for (let world = this.#range.start; world < this.#range.end; world++) {
			if (mask !== undefined && !mask[world]) continue;
			const views = this.#engine.states.load(world);
			if (flags & ModelFlags.JOINT_PROPERTIES) writeMocapPoses(this.compiled, world, views.mocapPos, views.mocapQuat);
			if (flags & ModelFlags.CONSTRAINT_PROPERTIES) writeActive(this.compiled, world, views.active);
		}
	}

	/**
	 * Forgets forces, controls, activations and warm starts of the chosen worlds, puts the model's coordinates into
	 * `state` where asked, and lets diverged worlds go on.
	 */
	reset(state: State, options: ResetOptions = {}): void {
		const { mask } = options;
		checkMask(this.model, mask);
		for (let world = this.#range.start; world < this.#range.end; world++) {
			if (mask !== undefined && !mask[world]) continue;
			this.outcome.fault[world] = WorldFault.NONE;
			if (options.jointQ === true) copyWorld(this.model, 'jointCoord', world, this.model.jointQ, state.jointQ);
			if (options.jointQd === true) copyWorld(this.model, 'jointDof', world, this.model.jointQd, state.jointQd);
			const views = this.#engine.states.load(world);
			for (const array of [views.act, views.warmstart, views.ctrl, views.qfrcApplied, views.xfrcApplied]) array.fill(0);
			this.compiled.coordinates.push(world, state, views.qpos, views.qvel);
		}
	}

	/** Fills `contacts` with those that MuJoCo found in the last step of a world. */
	updateContacts(contacts: Contacts, state: State, world: number = 0): void {
		contacts.clear();
		if (this.#contactWorld !== world && !this.#repeatStep(world)) return;
		readContacts(this.compiled, world, state, contacts);
	}

	/**
	 * Takes the last step of a world again, to have its contacts and their forces in the engine, which serves all worlds in
	 * turn; nothing else comes of it. Gives false for a world that took no step.
	 */
	#repeatStep(world: number): boolean {
		const { module, mj, data, conversion } = this.compiled;
		if (!conversion.options.useMujocoContacts) {
			throw new MujocoError(
				'MJC003',
				`contacts of world ${world} were given to step, expected the world that was stepped last (${this.#contactWorld})`,
			);
		}
		this.#engine.values.load(world);
		const dt = this.#engine.states.loadStart(world);
		if (dt === undefined) return false;
		this.#setTimestep(dt);
		module.mj_step(mj, data);
		this.#contactWorld = world;
		return true;
	}

	placeBodies(world: number, state: State): void {
		if (this.#options.updateBodies) this.#engine.bodies.update(world, state);
	}

	/** Gives the engine's memory back. */
	dispose(): void {
		this.#engine.dispose();
	}

	/** Compiles the model as it is now, with bodies whose inertia may be any, and goes on from the same states. */
	#compileAnew(bodies: readonly number[]): void {
		const old = this.#engine;
		const generalBodies = [...old.compiled.conversion.generalBodies, ...bodies];
		this.#engine = new Engine(
			old.compiled.module,
			convertModel(this.model, { ...this.#convertOptions, generalBodies }),
			this.#range,
		);
		this.#engine.states.copyFrom(old.states);
		this.#timestep = Number.NaN;
		this.#contactWorld = -1;
		old.dispose();
	}

	/** A run of worlds that a step is about, which must be among those of this solver. */
	#checkRun(run: IndexRange): IndexRange {
		const { start, end } = this.#range;
		if (run.start >= start && run.start <= run.end && run.end <= end) return run;
		throw new MujocoError('MJC003', `range is ${run.start} to ${run.end}, expected a run of worlds ${start} to ${end}`);
	}

	/** Puts the model's coordinates and poses into the state of a world. */
	#start(world: number, source: Model): void {
		const views = this.#engine.states.load(world);
		this.compiled.coordinates.push(world, source, views.qpos, views.qvel);
		writeMocapPoses(this.compiled, world, views.mocapPos, views.mocapQuat);
		writeActive(this.compiled, world, views.active);
	}

	#diverge(world: number, stateIn: State, stateOut: State): void {
		this.outcome.fault[world] = WorldFault.DIVERGED;
		this.report.add(
			createDiagnostic(
				'MJC020',
				`world ${world} diverged in step ${this.#step}: a coordinate or velocity is not finite; it is held at its last state`,
			),
		);
		this.#hold(world, stateIn, stateOut);
		const views = this.#engine.states.load(world);
		this.compiled.module.mj_resetData(this.compiled.mj, this.compiled.data);
		this.compiled.coordinates.push(world, stateIn, views.qpos, views.qvel);
		writeMocapPoses(this.compiled, world, views.mocapPos, views.mocapQuat);
		writeActive(this.compiled, world, views.active);
	}

	#hold(world: number, stateIn: State, stateOut: State): void {
		copyWorld(this.model, 'jointCoord', world, stateIn.jointQ, stateOut.jointQ);
		copyWorld(this.model, 'jointDof', world, stateIn.jointQd, stateOut.jointQd);
		if (this.#options.updateBodies) this.#engine.bodies.update(world, stateOut);
	}
}

/** Made once: a default in place would be an object for every step. */
const EVERY_WORLD: StepOptions = {};

function checkRange(model: Model, range: IndexRange = { start: 0, end: model.worldCount }): IndexRange {
	const { start, end } = range;
	if (Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= model.worldCount) {
		return { start, end };
	}
	throw new MujocoError('MJC003', `range is ${start} to ${end}, expected a run of the ${model.worldCount} worlds`);
}

/** Flags of what body poses depend on: frames, axes, centres of mass. */
const PLACING_FLAGS =
	ModelFlags.JOINT_PROPERTIES | ModelFlags.JOINT_DOF_PROPERTIES | ModelFlags.BODY_INERTIAL_PROPERTIES;

function checkMask(model: Model, mask: ArrayLike<number | boolean> | undefined): void {
	if (mask === undefined || mask.length === model.worldCount) return;
	throw new MujocoError('MJC003', `mask has ${mask.length} entries, expected ${model.worldCount}`);
}

function checkInterval(interval: number): void {
	if (Number.isInteger(interval) && interval >= 0) return;
	throw new MujocoError('MJC003', `updateDataInterval is ${interval}, expected a whole number of 0 or more`);
}

/** Whether all numbers are finite: a sum over numbers that are not, is not. */
function areFinite(values: Float64Array): boolean {
	let [even, odd] = [0, 0];
	const end = values.length - 1;
	for (let i = 0; i < end; i += 2) {
		even += values[i]! * 0;
		odd += values[i + 1]! * 0;
	}
	if (end >= 0) even += values[end]! * 0;
	return even + odd === 0;
}

function copyWorld(
	model: Model,
	entity: 'jointCoord' | 'jointDof',
	world: number,
	from: Float64Array,
	to: Float64Array,
): void {
	if (from === to) return;
	const { start, end } = model.worlds.range(entity, world);
	to.set(from.subarray(start, end), start);
}
