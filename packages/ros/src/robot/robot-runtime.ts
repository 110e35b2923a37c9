import { type Control, type Model, ModelFlags, type State } from '@manyworlds/model';
import { stampOf } from '../bus/action-server.ts';
import { QOS_LATCHED } from '../bus/qos.ts';
import type { Publisher, RosBus } from '../bus/ros-bus.ts';
import { type Controller, isDue, type Plant } from '../controllers/controller.ts';
import { DiffDrive } from '../controllers/diff-drive.ts';
import { DriveModes } from '../controllers/drive-modes.ts';
import { type ControllerEvents, ForwardCommand } from '../controllers/forward-command.ts';
import { JointStateBroadcaster } from '../controllers/joint-state-broadcaster.ts';
import { JointTrajectory } from '../controllers/joint-trajectory.ts';
import { type ControllerSpec, nameBelow, type RobotSpec } from '../spec/robot-spec.ts';
import { TransformBroadcaster } from './transform-broadcaster.ts';

/** The simulation that a robot lives in; `Simulation` of the package `manyworlds` is one. */
export interface RobotSimulation extends Plant {
	readonly model: Model;
	readonly state: State;
	/** Takes steps. */
	step(steps?: number): Promise<void>;
	/** Goes back to the start. */
	reset(): Promise<void>;
	/** Tells the solver that gains of the model have changed; bits of `ModelFlags` say what. */
	notifyModelChanged(flags: number): Promise<void>;
}

/** Options of {@link RobotRuntime}. */
export interface RobotRuntimeOptions {
	/** URDF of the robot, for `robot_description`. */
	readonly description?: string;
	/** Told of what happens: a sentence. */
	readonly log?: (message: string) => void;
	/** More that looks at the state after each step, such as sensors. */
	readonly observers?: readonly Pick<Controller, 'afterStep' | 'reset' | 'replant'>[];
}

/** Most messages of `/clock` in a second of simulated time. */
const CLOCK_RATE = 1000;
/** What controllers may write. */
const CONTROL_ARRAYS = ['jointF', 'jointTargetQ', 'jointTargetQd', 'jointAct'] as const;
function copyControl(control: Control): Record<(typeof CONTROL_ARRAYS)[number], Float64Array> {
	return {
		jointF: control.jointF.slice(),
		jointTargetQ: control.jointTargetQ.slice(),
		jointTargetQd: control.jointTargetQd.slice(),
		jointAct: control.jointAct.slice(),
	};
}

/** TF of moving frames [Hz]. */
const TRANSFORM_RATE = 50;

/**
 * A robot in motion, as ROS sees it: takes commands before each step and tells what became of them after it. Time is the
 * number of steps times their length, in whole nanoseconds.
 */
export class RobotRuntime {
	readonly drives: DriveModes;
	readonly #bus: RosBus;
	readonly #simulation: RobotSimulation;
	readonly #controllers: readonly Controller[];
	readonly #observers: readonly Pick<Controller, 'afterStep' | 'reset' | 'replant'>[];
	readonly #transforms: readonly TransformBroadcaster[];
	readonly #clock: Publisher;
	readonly #stepNanoseconds: bigint;
	readonly #log: (message: string) => void;
	#start: Readonly<Record<(typeof CONTROL_ARRAYS)[number], Float64Array>>;
	#step = 0;

	/** `specs` are robots in one simulation, such as one for each of its worlds; the description is that of each. */
	constructor(
		bus: RosBus,
		specs: readonly RobotSpec[],
		simulation: RobotSimulation,
		options: RobotRuntimeOptions = {},
	) {
		this.#bus = bus;
		this.#simulation = simulation;
		this.#log = options.log ?? (() => {});
		this.#stepNanoseconds = BigInt(Math.round(simulation.dt * 1e9));
		this.#start = copyControl(simulation.control);
		this.drives = new DriveModes(simulation);
		this.#observers = options.observers ?? [];
		this.#clock = bus.advertise({ name: '/clock', type: 'rosgraph_msgs/msg/Clock', qos: { depth: 1 } });
		this.#transforms = specs.map((spec) => new TransformBroadcaster(bus, spec));
		const events: ControllerEvents = { claim: (controller) => this.#claim(controller), log: this.#log };
		this.#controllers = specs.flatMap(({ controllers }) => controllers.map((one) => this.#create(one, events)));
		for (const spec of options.description === undefined ? [] : specs) {
			const place = spec.domain === undefined ? {} : { domain: spec.domain };
			const name = nameBelow(spec.namespace, 'robot_description');
			bus
				.advertise({ name, type: 'std_msgs/msg/String', qos: QOS_LATCHED, ...place })
				.publish({ data: options.description });
		}
		for (const transforms of this.#transforms) transforms.publishFixed(simulation.state);
	}

	/** Simulated time [ns]. */
	get time(): bigint {
		return BigInt(this.#step) * this.#stepNanoseconds;
	}

	/** Steps since the start. */
	get stepCount(): number {
		return this.#step;
	}

	/** Takes one step: commands, motion, messages. */
	async step(): Promise<void> {
		for (const controller of this.#controllers) controller.beforeStep?.(this.time);
		await this.#applyGains();
		await this.#simulation.step(1);
		this.#step++;
		this.#tell();
	}

	/** Goes back to the start: state, time and controllers. */
	async reset(): Promise<void> {
		for (const controller of this.#controllers) controller.reset?.();
		this.drives.reset();
		await this.#applyGains();
		await this.#simulation.reset();
		const { control } = this.#simulation;
		for (const name of CONTROL_ARRAYS) control[name].set(this.#start[name]);
		this.#step = 0;
		for (const observer of this.#observers) observer.reset?.();
		this.#tell();
	}

	/**
	 * The model of the simulation is another one: what was there before is in its first rows. `start` is its control at the start.
	 */
	replant(start: Control): void {
		this.#start = copyControl(start);
		for (const observer of this.#observers) observer.replant?.();
	}

	/** Tells the present state: once at the start, and after each step. */
	publish(): void {
		this.#tell();
	}

	#tell(): void {
		const { state, dt } = this.#simulation;
		const time = this.time;
		this.#bus.time = time;
		if (isDue(this.#step, CLOCK_RATE, dt)) this.#clock.publish({ clock: stampOf(time) });
		if (isDue(this.#step, TRANSFORM_RATE, dt))
			for (const transforms of this.#transforms) transforms.publishMoving(state);
		for (const controller of this.#controllers) controller.afterStep?.(time, this.#step);
		for (const observer of this.#observers) observer.afterStep?.(time, this.#step);
	}

	async #applyGains(): Promise<void> {
		const changes = this.drives.takeChanges();
		if (changes.length === 0) return;
		const { model } = this.#simulation;
		for (const { joint, stiffness, damping, mode } of changes) {
			const dof = model.jointQdStart[joint]!;
			model.jointTargetKe[dof] = stiffness;
			model.jointTargetKd[dof] = damping;
			model.jointTargetMode[dof] = mode;
		}
		await this.#simulation.notifyModelChanged(ModelFlags.JOINT_DOF_PROPERTIES);
	}

	/** A controller with a new command takes its joints from those that share them. */
	#claim(claimant: Controller): void {
		const joints = new Set(claimant.claims);
		for (const other of this.#controllers) {
			if (other !== claimant && other.claims.some((joint) => joints.has(joint))) other.release?.();
		}
	}

	#create(spec: ControllerSpec, events: ControllerEvents): Controller {
		switch (spec.kind) {
			case 'jointState':
				return new JointStateBroadcaster(this.#bus, spec, this.#simulation);
			case 'forward':
				return new ForwardCommand(this.#bus, spec, this.#simulation, this.drives, events);
			case 'diffDrive':
				return new DiffDrive(this.#bus, spec, this.#simulation, this.drives, events);
			case 'trajectory':
				return new JointTrajectory(this.#bus, spec, this.#simulation, this.drives, events);
		}
	}
}
