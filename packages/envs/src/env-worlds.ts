import { UsageRangeError } from '@manyworlds/core';
import { type Control, JointType, type Model, type State } from '@manyworlds/model';
import type { WorldRunner } from '@manyworlds/worlds';
import { WorldNames, worldRows } from '@manyworlds/worlds/internal';

/** What {@link EnvWorlds} is made from. */
export interface EnvWorldsSetup {
	readonly runner: WorldRunner;
	/** Where worlds start before anything random is added. */
	readonly start: State;
	/** Time step [s], and how many of them one action lasts. */
	readonly dt: number;
	readonly substeps: number;
	readonly seed: number;
}

/**
 * The worlds of an environment as its terms see them: model, state and control of all worlds, rows by name, and where each
 * world is in its episode. @public
 */
export class EnvWorlds {
	readonly model: Model;
	readonly state: State;
	readonly control: Control;
	/** Where worlds start before anything random is added. */
	readonly start: State;
	readonly worldCount: number;
	/** Time step of the simulation [s]. */
	readonly dt: number;
	/** Steps of the simulation that one action lasts. */
	readonly substeps: number;
	/** Seed of all that is random. */
	seed: number;
	/** Whose random numbers each world draws: its own, unless worlds are to meet the same; shape (worlds). */
	readonly stream: Int32Array;
	/** Episode of each world, counted from 0; shape (worlds). */
	readonly episode: Int32Array;
	/** Actions that each world has taken in its episode; shape (worlds). */
	readonly steps: Int32Array;
	/** The actions that were taken last, after they were clipped; shape (worlds, actions). */
	lastActions: Float64Array = new Float64Array(0);
	/** The same of the step before. */
	earlierActions: Float64Array = new Float64Array(0);
	actionCount = 0;
	readonly #runner: WorldRunner;
	readonly #names: WorldNames;

	constructor({ runner, start, dt, substeps, seed }: EnvWorldsSetup) {
		this.#runner = runner;
		this.model = runner.model;
		this.state = runner.state;
		this.control = runner.control;
		this.start = start;
		this.worldCount = Math.max(1, runner.model.worldCount);
		this.dt = dt;
		this.substeps = substeps;
		this.seed = seed;
		this.stream = Int32Array.from({ length: this.worldCount }, (_, world) => world);
		this.episode = new Int32Array(this.worldCount);
		this.steps = new Int32Array(this.worldCount);
		this.#names = new WorldNames(runner.model);
		this.#checkAlike();
	}

	/** Time that one action lasts [s]. */
	get period(): number {
		return this.substeps * this.dt;
	}

	/** Names of the bodies of a world: the last parts of their labels where that is enough. */
	get bodyNames(): readonly string[] {
		return shortNames(this.#names.bodies);
	}

	/** Names of the joints of a world with one coordinate, which can be observed and driven by it. */
	get scalarJointNames(): readonly string[] {
		const { jointType, jointWorldStart } = this.model;
		return shortNames(this.#names.joints).filter((_, i) => {
			const type = jointType[jointWorldStart[0]! + i];
			return type === JointType.REVOLUTE || type === JointType.PRISMATIC;
		});
	}

	/**
	 * Force [N] and torque [N·m] of all contacts on each body at its centre of mass in the last step; shape (bodies, 6), empty
	 * unless a term asked for it.
	 */
	get bodyContactF(): Float64Array {
		return this.#runner.bodyContactF;
	}

	/** Row of a body in a world, by its label or the last part of it. */
	body(name: string, world: number): number {
		return this.#names.bodyIn(name, world);
	}

	/** Row of a joint in a world, by its label or the last part of it. */
	joint(name: string, world: number): number {
		return this.#names.jointsIn(name, world)[0]!;
	}

	/** Row of the first coordinate of a joint in a world. */
	coordinate(joint: string, world: number): number {
		return this.model.jointQStart[this.joint(joint, world)]!;
	}

	/** Row of the first degree of freedom of a joint in a world. */
	dof(joint: string, world: number): number {
		return this.model.jointQdStart[this.joint(joint, world)]!;
	}

	/** First coordinate and degree of freedom of scalar joints in each world; shape (worlds, joints). */
	scalarRows(joints: readonly string[]): { readonly coordinate: Int32Array; readonly dof: Int32Array } {
		const { jointQStart, jointQdStart } = this.model;
		const coordinate = new Int32Array(this.worldCount * joints.length);
		const dof = new Int32Array(coordinate.length);
		for (let world = 0; world < this.worldCount; world++) {
			for (const [i, name] of joints.entries()) {
				const joint = this.joint(name, world);
				const size = jointQStart[joint + 1]! - jointQStart[joint]!;
				if (size !== 1) throw new UsageRangeError(`joint '${name}' has ${size} coordinates, expected one`);
				coordinate[world * joints.length + i] = jointQStart[joint]!;
				dof[world * joints.length + i] = jointQdStart[joint]!;
			}
		}
		return { coordinate, dof };
	}

	/** Rows of bodies in each world; shape (worlds, bodies). */
	bodyRows(bodies: readonly string[]): Int32Array {
		const rows = new Int32Array(this.worldCount * bodies.length);
		for (let world = 0; world < this.worldCount; world++) {
			for (const [i, name] of bodies.entries()) rows[world * bodies.length + i] = this.body(name, world);
		}
		return rows;
	}

	/** Simulated time of the episode of a world [s]. */
	secondsOf(world: number): number {
		return this.steps[world]! * this.period;
	}

	/** Observations and actions have one shape, so all worlds must hold the same. */
	#checkAlike(): void {
		const { model } = this;
		for (const entity of ['body', 'joint', 'shape', 'jointDof'] as const) {
			const first = worldRows(model, entity, 0);
			for (let world = 1; world < this.worldCount; world++) {
				const own = worldRows(model, entity, world);
				if (own.end - own.start === first.end - first.start) continue;
				throw new UsageRangeError(
					`world ${world} has ${own.end - own.start} of ${entity}, world 0 ${first.end - first.start}: expected worlds alike`,
				);
			}
		}
	}
}

/** The last parts of labels, and whole labels where several end alike. */
function shortNames(labels: readonly string[]): readonly string[] {
	const last = labels.map((label) => label.slice(label.lastIndexOf('/') + 1));
	const counts = new Map<string, number>();
	for (const name of last) counts.set(name, (counts.get(name) ?? 0) + 1);
	return last.map((name, i) => (counts.get(name) === 1 ? name : labels[i]!));
}
