import { Report, UsageRangeError } from '@manyworlds/core';
import { type Control, Model, ModelFlags, type State } from '@manyworlds/model';
import { CollisionPipeline, overlapsOf, type WorldContacts } from '@manyworlds/sim';
import {
	type ContactForces,
	ROBOT_DEFAULTS,
	startOf,
	type WorldFailure,
	WorldRunner,
	type WorldStatistics,
} from '@manyworlds/worlds';
import { reportEnergyGains, WorldNames } from '@manyworlds/worlds/internal';
import type { Asset } from './asset.ts';
import { modelOf, type OpenedModel, type RobotOptions } from './model-of.ts';
import { contactRoom, type RunnerSettings, runnerOptions } from './runner-options.ts';

/** Options of {@link Simulation.create}. @public */
export interface SimulationOptions extends RobotOptions, RunnerSettings {
	/** Time step [s]; that of the scene or of the file of a robot, else 0.002, unless given. */
	readonly dt?: number;
	/** Whether {@link Simulation.findings} tells of energy that came from nothing; true unless given. */
	readonly accountsEnergy?: boolean;
	/** Contacts of each world that {@link Simulation.contactForces} has room for; 0 keeps none, 0 unless given. */
	readonly contactsKept?: number;
	/** Whether {@link Simulation.bodyContactForces} tells the forces of contacts. */
	readonly tellsContacts?: boolean;
}

/** Values of {@link SimulationOptions} that are used when absent. @public */
export const SIMULATION_DEFAULTS = { solver: 'sap', contactsPerWorld: 512, accountsEnergy: true } as const;

/** Targets by joint name: a number [rad, m], or one for each coordinate of the joint. @public */
export type JointTargets = Readonly<Record<string, number | readonly number[]>>;

/** Gains of drives by joint name: stiffness [N/m, N·m/rad] and damping [N·s/m, N·m·s/rad]. @public */
export type JointGains = Readonly<Record<string, { readonly stiffness?: number; readonly damping?: number }>>;

/**
 * A robot or scene in motion, in one world or thousands. Arrays hold all worlds one after the other and always stay the
 * same objects: read them after a step, write targets before one.
 *
 * ```ts
 * const simulation = await Simulation.create(await openAsset('arm.urdf'), { worlds: 100 });
 * simulation.setTargets({ shoulder: 0.5, elbow: -0.3 });
 * await simulation.step(500);
 * simulation.bodyPoses; // 100 worlds × bodies × 7
 * await simulation.dispose();
 * ```
 * @public
 */
export class Simulation {
	readonly model: Model;
	/** Time step [s]. */
	readonly dt: number;
	/** What was found while the asset was opened, and what the solver cannot do with it. */
	readonly report: Report;
	/** States that the file of a robot names, to start from with `keyframe`. */
	readonly keyframes: readonly string[];
	readonly #runner: WorldRunner;
	readonly #start: State;
	readonly #names: WorldNames;
	readonly #contactsPerWorld: number;
	#collision: { readonly pipeline: CollisionPipeline; readonly contacts: WorldContacts } | undefined;

	/** Opens the model of an asset, or takes one, loads the solver and starts threads. */
	static async create(subject: Asset | Model | OpenedModel, options: SimulationOptions = {}): Promise<Simulation> {
		const opened =
			subject instanceof Model ? ofModel(subject) : 'start' in subject ? subject : await modelOf(subject, options);
		const { model, start, report } = opened;
		const settings = await runnerOptions(opened, options);
		const runner = await WorldRunner.create(model, {
			...settings,
			accountsEnergy: options.accountsEnergy ?? SIMULATION_DEFAULTS.accountsEnergy,
			contactsKept: options.contactsKept ?? 0,
			tellsContacts: options.tellsContacts ?? false,
		});
		report.addAll(runner.report);
		runner.state.assign(start);
		return new Simulation(runner, opened, options.dt ?? opened.dt, contactRoom(opened, options));
	}

	private constructor(runner: WorldRunner, opened: OpenedModel, dt: number, contactsPerWorld: number) {
		this.model = opened.model;
		this.dt = dt;
		this.report = opened.report;
		this.keyframes = opened.keyframes ?? [];
		this.#runner = runner;
		this.#start = opened.start;
		this.#names = new WorldNames(opened.model);
		this.#contactsPerWorld = contactsPerWorld;
	}

	get worldCount(): number {
		return Math.max(1, this.model.worldCount);
	}

	/** Simulated time [s]. */
	get time(): number {
		return this.#runner.stepCount * this.dt;
	}

	/** Names of the bodies of a world, in the order of {@link bodyPoses}. */
	get bodyNames(): readonly string[] {
		return this.#names.bodies;
	}

	/** Names of the joints of a world. */
	get jointNames(): readonly string[] {
		return this.#names.joints;
	}

	/** Position [m] and rotation (x y z w) of every body; shape (bodies of all worlds, 7). */
	get bodyPoses(): Float64Array {
		return this.#runner.state.bodyQ;
	}

	/** Linear [m/s] and angular [rad/s] velocity of every body at its centre of mass; shape (bodies of all worlds, 6). */
	get bodyVelocities(): Float64Array {
		return this.#runner.state.bodyQd;
	}

	/** Joint coordinates [m, rad, quaternion]; shape (coordinates of all worlds). */
	get jointPositions(): Float64Array {
		return this.#runner.state.jointQ;
	}

	/** Joint velocities [m/s, rad/s]; shape (degrees of freedom of all worlds). */
	get jointVelocities(): Float64Array {
		return this.#runner.state.jointQd;
	}

	/** All of the state. */
	get state(): State {
		return this.#runner.state;
	}

	/** All that drives the worlds. */
	get control(): Control {
		return this.#runner.control;
	}

	/** Worlds that could not go on; they stay at their last good state until they are reset. */
	get failures(): readonly WorldFailure[] {
		return this.#runner.failures;
	}

	/** What computes the steps, for solvers that have several ways: with SAP `wasm` or `reference`. */
	get engine(): string | undefined {
		return this.#runner.engine;
	}

	/** What became of each world: contacts, iterations, faults. Always the same object. */
	get statistics(): WorldStatistics {
		return this.#runner.statistics;
	}

	/** What is wrong with the motion so far: energy that came from nothing, by world. */
	get findings(): Report {
		const report = new Report();
		reportEnergyGains(this.#runner.statistics, report);
		return report;
	}

	/** The pose of a body in a world, 7 numbers of {@link bodyPoses}. */
	bodyPose(name: string, world = 0): Float64Array {
		const at = 7 * this.#names.bodyIn(name, world);
		return this.bodyPoses.subarray(at, at + 7);
	}

	/** Sets target coordinates of drives by joint name, in one world or in all. Joints without gains stay limp: {@link setGains}. */
	setTargets(targets: JointTargets, world?: number): void {
		const { jointQStart } = this.model;
		for (const [name, target] of Object.entries(targets)) {
			const values = typeof target === 'number' ? [target] : target;
			for (const joint of this.#names.jointsIn(name, world)) {
				const start = jointQStart[joint]!;
				const size = jointQStart[joint + 1]! - start;
				if (values.length !== size) {
					const found = values.length === 1 ? 'one number' : `${values.length} numbers`;
					throw new UsageRangeError(`the target of '${name}' has ${found}, expected ${size}`);
				}
				this.control.jointTargetQ.set(values, start);
			}
		}
	}

	/** Sets target velocities [rad/s, m/s] of drives by joint name, in one world or in all. */
	setTargetVelocities(targets: JointTargets, world?: number): void {
		const { jointQdStart } = this.model;
		for (const [name, target] of Object.entries(targets)) {
			const values = typeof target === 'number' ? [target] : target;
			for (const joint of this.#names.jointsIn(name, world)) {
				const start = jointQdStart[joint]!;
				const size = jointQdStart[joint + 1]! - start;
				if (values.length !== size) {
					throw new UsageRangeError(`the target velocity of '${name}' has ${values.length} numbers, expected ${size}`);
				}
				this.control.jointTargetQd.set(values, start);
			}
		}
	}

	/** Sets the gains of drives by joint name, in one world or in all. */
	async setGains(gains: JointGains, world?: number): Promise<void> {
		const { jointQdStart, jointTargetKe, jointTargetKd } = this.model;
		for (const [name, { stiffness, damping }] of Object.entries(gains)) {
			for (const joint of this.#names.jointsIn(name, world)) {
				for (let dof = jointQdStart[joint]!; dof < jointQdStart[joint + 1]!; dof++) {
					if (stiffness !== undefined) jointTargetKe[dof] = stiffness;
					if (damping !== undefined) jointTargetKd[dof] = damping;
				}
			}
		}
		await this.#runner.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
	}

	/** Takes over changes that were made to the model's arrays; bits of `ModelFlags` say which. */
	async notifyModelChanged(flags: number = ModelFlags.ALL): Promise<void> {
		this.#collision?.pipeline.notifyModelChanged();
		await this.#runner.notifyModelChanged(flags);
	}

	/** Takes steps of {@link dt}. */
	async step(steps = 1): Promise<void> {
		await this.#runner.step(this.dt, { steps });
	}

	/**
	 * Force [N] and torque [N·m] of all contacts on each body at its centre of mass in the last step, in world axes; shape
	 * (bodies, 6). Empty unless `tellsContacts` is set; zero with MuJoCo, which keeps them.
	 */
	get bodyContactForces(): Float64Array {
		return this.#runner.bodyContactF;
	}

	/** Points of contact at the present state, in all worlds; always the same object. Forces: {@link contactForces}. */
	contacts(): WorldContacts {
		if (this.#collision === undefined) {
			const pipeline = new CollisionPipeline(this.model);
			const contacts = pipeline.createContacts({ perWorld: this.#contactsPerWorld, withForce: false });
			this.#collision = { pipeline, contacts };
		}
		const { pipeline, contacts } = this.#collision;
		pipeline.collide(this.state, contacts);
		return contacts;
	}

	/** Contacts of the last step with their forces, always the same object; undefined without `contactsKept`. */
	get contactForces(): ContactForces | undefined {
		return this.#runner.contacts;
	}

	/** Puts worlds back to the start: all of them, or those whose entry of the mask is not zero. */
	async reset(mask?: ArrayLike<number | boolean>): Promise<void> {
		await this.#runner.reset({ from: this.#start, ...(mask !== undefined && { mask }) });
	}

	/** Ends threads and gives the solver's memory back. */
	async dispose(): Promise<void> {
		await this.#runner.dispose();
	}
}

function ofModel(model: Model): OpenedModel {
	const report = new Report();
	report.addAll(model.report);
	// a model is taken at its word: nothing is lifted, overlaps are told
	const { state } = startOf(model, report, { findOverlaps: overlapsOf(model), lift: false });
	return { model, start: state, dt: ROBOT_DEFAULTS.dt, sap: {}, report };
}
