import { hashState } from '@manyworlds/model';
import type { ControlPlayback } from '@manyworlds/scene';
import { energyOf } from '@manyworlds/worlds';
import { type Asset, modelOf, type OpenedModel, openAsset, Simulation } from 'manyworlds';
import { driveEfforts } from './drive-efforts.ts';
import { LinkPull } from './link-pull.ts';
import { beside, farthest } from './robots-beside.ts';
import { RunRecord } from './run-record.ts';
import type { SweepWorlds } from './sweep-worlds.ts';
import { worldNumbers } from './world-numbers.ts';
import type { WorldQuantity } from './world-quantity-names.ts';

/** Solvers that a page can choose. */
export type SolverChoice = 'sap' | 'mujoco' | 'both';

/** How the page wants to simulate. */
export interface SimulationSettings {
	/** `both` shows two robots beside each other, one for each solver, in one world each. */
	readonly solver: SolverChoice;
	readonly worlds: number;
	readonly keyframe?: string;
	/** Coordinates [rad, m] of joints by label; those of the file where absent. */
	readonly joints?: Readonly<Record<string, number>>;
	/** Prims whose payloads are not loaded. */
	readonly unloaded?: readonly string[];
	/** Time step [s]; that of the file where absent. */
	readonly dt?: number;
	/** Gravity along the axis that is up [m/s²]; that of the file where absent. */
	readonly gravity?: number;
	/** Whether a robot without a ground of its own gets one; it does where absent. */
	readonly ground?: boolean;
	/** Plan of a sweep whose runs are the worlds: its path among the files. */
	readonly plan?: string;
}

/** What is drawn of a moment. */
export interface SimulationFrame {
	/** [s]. */
	readonly time: number;
	readonly steps: number;
	/** Position [m] and rotation x y z w of each link of each world. */
	readonly poses: Float32Array<ArrayBuffer>;
	/** Joint coordinates of the first world. */
	readonly coordinates: Float64Array<ArrayBuffer>;
	/** Points [m] and forces [N] of contacts of the first world, six numbers each. */
	readonly contacts: Float32Array<ArrayBuffer>;
	/** Velocities of joints of the first world, forces of their drives, and where those aim; where somebody tells. */
	readonly velocities?: Float64Array<ArrayBuffer>;
	readonly efforts?: Float64Array<ArrayBuffer>;
	readonly targets?: Float64Array<ArrayBuffer>;
	/** Energy of the first world [J]; where somebody tells. */
	readonly energy?: { readonly kinetic: number; readonly potential: number };
	/** A number of each world, where one is asked for. */
	readonly worldNumbers?: Float32Array<ArrayBuffer>;
	/** What lidars see [m], three numbers each; where somebody tells. */
	readonly points?: Float32Array<ArrayBuffer>;
	/** Force that pulls a link [N]; 0 when nothing does. */
	readonly pull: number;
	/** Farthest that a link of one solver is from the same of the other [m]; undefined with one solver. */
	readonly difference?: number;
	/** Worlds that could not go on, with the reason. */
	readonly failures: readonly { readonly world: number; readonly reason: string }[];
}

/** What a started simulation is like. */
export interface StartedSimulation {
	/** Time step [s]. */
	readonly dt: number;
	readonly worlds: number;
	/** What the solver cannot do with the asset, and where the robot was put. */
	readonly notes: readonly string[];
	/** Parameters of a sweep with their values in each world. */
	readonly sweep?: Pick<SweepWorlds, 'parameters' | 'values'>;
	readonly frame: SimulationFrame;
}

/** Most contacts of a world that are drawn, and most worlds for which they are asked for. */
const MOST_CONTACTS = 256;
const MANY_WORLDS = 64;

/** Longest that one call steps [ms]: the page stays in step with the worker. */
const BUSY = 40;

/** A simulation that a page drives, off the main thread. */
export class SimulationSession {
	#simulation: Simulation | undefined;
	/** The same robot with MuJoCo, where both solvers are shown. */
	#other: Simulation | undefined;
	#pull: LinkPull | undefined;
	readonly #files = new Map<string, Uint8Array>();
	#steps = 0;
	#solver: 'sap' | 'mujoco' = 'sap';
	#record: RunRecord | undefined;
	/** Targets that simulations play. */
	readonly #playbacks = new Map<Simulation, ControlPlayback>();
	#quantity: WorldQuantity | undefined;

	/** Takes a file of the folder. */
	put(path: string, bytes: Uint8Array): void {
		this.#files.set(path, bytes);
	}

	/** Opens an asset and puts it at its start. Rejects with a message when it cannot be simulated. */
	async start(entry: string, settings: SimulationSettings): Promise<StartedSimulation> {
		await this.close();
		const asset = await openAsset({ files: this.#files, entry });
		const { solver, worlds, dt, plan } = settings;
		const sweep = plan === undefined ? undefined : await this.#sweep(asset, plan, worlds);
		const create = async (name: 'sap' | 'mujoco'): Promise<Simulation> => {
			const opened = sweep?.opened ?? (await openModel(asset, settings));
			const playback = asset.format === 'scene' ? await this.#playback(asset, opened) : undefined;
			const made = await Simulation.create(opened, {
				solver: name,
				threads: 1,
				accountsEnergy: false,
				contactsKept: worlds > MANY_WORLDS ? 0 : MOST_CONTACTS,
				mujoco: () => import('@mujoco/mujoco'),
				...(dt !== undefined && { dt }),
			});
			if (playback !== undefined) this.#playbacks.set(made, playback);
			return made;
		};
		const simulation = await create(solver === 'both' ? 'sap' : solver);
		this.#simulation = simulation;
		if (solver === 'both') this.#other = await create('mujoco');
		this.#solver = solver === 'both' ? 'sap' : solver;
		this.#steps = 0;
		this.#record = new RunRecord(simulation);
		const notes = simulation.report.toArray().map(({ message }) => message);
		return {
			dt: simulation.dt,
			worlds: this.#other === undefined ? simulation.worldCount : 2,
			notes: [...(sweep?.notes ?? []), ...notes],
			...(sweep !== undefined && { sweep: { parameters: sweep.parameters, values: sweep.values } }),
			frame: this.frame(),
		};
	}

	/** Takes steps: as many as asked for, fewer when they take too long to look at. */
	async advance(steps: number): Promise<SimulationFrame> {
		const end = performance.now() + BUSY;
		for (let left = steps; left > 0 && performance.now() < end; ) {
			const now = Math.min(left, 4);
			await this.#step(now);
			left -= now;
		}
		return this.frame();
	}

	/** Takes exactly so many steps. */
	async step(steps: number): Promise<SimulationFrame> {
		await this.#step(steps);
		return this.frame();
	}

	async reset(): Promise<SimulationFrame> {
		this.release();
		await this.#running().reset();
		await this.#other?.reset();
		this.#steps = 0;
		this.#record = new RunRecord(this.#running());
		return this.frame();
	}

	/** Sets where drives of a joint aim at, in all worlds [rad, m]. */
	setTarget(joint: string, value: number): void {
		this.#running().setTargets({ [joint]: value });
		this.#other?.setTargets({ [joint]: value });
	}

	/** Pulls a point of a link of the first world towards a place, as a spring with a damper does. */
	pull(link: number, point: readonly number[], target: readonly number[]): void {
		this.#pull ??= new LinkPull(this.#running(), link, point);
		this.#pull.target.set(target);
	}

	/** Ends the pull. */
	release(): void {
		this.#pull?.release();
		this.#pull = undefined;
	}

	/** Tells a number of each world from now on; undefined tells none. */
	tell(quantity: WorldQuantity | undefined): SimulationFrame {
		this.#quantity = quantity;
		return this.frame();
	}

	/** The run so far as `manyworlds run --record` writes it. */
	csv(): string {
		const { engine } = this.#running();
		return this.#record?.csv(engine === undefined ? this.#solver : `${this.#solver} (${engine})`) ?? '';
	}

	/** A number that equal states share, as `manyworlds run` prints it. */
	hash(): string {
		return hashState(this.#running().state);
	}

	frame(): SimulationFrame {
		const simulation = this.#running();
		const { model, state, control } = simulation;
		const dofCount = model.worldCount > 0 ? model.jointDofWorldStart[1]! : state.jointQd.length;
		const coordinateCount = model.worldCount > 0 ? model.jointCoordWorldStart[1]! : state.jointQ.length;
		return {
			time: this.#steps * simulation.dt,
			steps: this.#steps,
			poses:
				this.#other === undefined
					? Float32Array.from(simulation.bodyPoses)
					: beside(simulation.bodyPoses, this.#other.bodyPoses),
			coordinates: state.jointQ.slice(0, coordinateCount),
			velocities: state.jointQd.slice(0, dofCount),
			efforts: driveEfforts(simulation),
			targets: control.jointTargetQ.slice(0, coordinateCount),
			energy: energyOf(model, state, 0),
			contacts: contactRows(simulation),
			...(this.#quantity !== undefined && { worldNumbers: worldNumbers(simulation, this.#quantity) }),
			pull: this.#pull?.force ?? 0,
			...(this.#other !== undefined && { difference: farthest(simulation.bodyPoses, this.#other.bodyPoses) }),
			failures: simulation.failures.map(({ world, reason }) => ({ world, reason })),
		};
	}

	async close(): Promise<void> {
		await this.#simulation?.dispose();
		await this.#other?.dispose();
		this.#simulation = undefined;
		this.#other = undefined;
		this.#playbacks.clear();
		this.#pull = undefined;
	}

	/** Steps: one at a time where somebody looks at each, or pulls, as that force follows the motion. */
	async #step(steps: number): Promise<void> {
		const simulation = this.#running();
		const playback = this.#playbacks.get(simulation);
		const isFree = simulation.worldCount > MANY_WORLDS && this.#pull === undefined && playback === undefined;
		const [other, first] = [this.#other, this.#steps];
		for (let left = steps; left > 0; ) {
			const now = isFree ? left : 1;
			this.#pull?.apply();
			playback?.apply(simulation.control, this.#steps, simulation.dt);
			await simulation.step(now);
			left -= now;
			this.#steps += now;
			this.#record?.add(this.#steps);
		}
		const others = other && this.#playbacks.get(other);
		if (others === undefined) await other?.step(steps);
		else {
			for (let i = 0; i < steps; i++) {
				others.apply(other!.control, first + i, other!.dt);
				await other!.step();
			}
		}
	}

	/** The targets that a scene plays; its start is where they say. */
	async #playback(asset: Asset, { model, start }: OpenedModel): Promise<ControlPlayback | undefined> {
		const { scenePlayback } = await import('./scene-playback.ts');
		const playback = await scenePlayback(asset, model);
		playback?.applyInitialState(start);
		return playback;
	}

	async #sweep(asset: Asset, plan: string, worlds: number): Promise<SweepWorlds> {
		const bytes = this.#files.get(plan);
		if (bytes === undefined) throw new Error(`'${plan}' is not among the files`);
		const { sweepWorlds } = await import('./sweep-worlds.ts');
		return sweepWorlds(asset, new TextDecoder().decode(bytes), plan, worlds);
	}

	#running(): Simulation {
		if (this.#simulation === undefined) throw new Error('no simulation is running');
		return this.#simulation;
	}
}

/** Where the shapes of the first world touch, and the force there as the body bears it that moves. */
function contactRows({ contactForces, model }: Simulation): Float32Array<ArrayBuffer> {
	if (contactForces === undefined) return new Float32Array();
	const { count, shape0, point, force } = contactForces;
	const out = new Float32Array(6 * count[0]!);
	for (let row = 0; row < count[0]!; row++) {
		// between two bodies either would do; the ground bears what the robot does not show
		const sign = isStill(model, shape0[row]!) ? 1 : -1;
		for (let k = 0; k < 3; k++) {
			out[6 * row + k] = point[3 * row + k]!;
			out[6 * row + 3 + k] = sign * force[3 * row + k]!;
		}
	}
	return out;
}

function isStill({ shapeBody }: Simulation['model'], shape: number): boolean {
	return shape < 0 || shapeBody[shape]! < 0;
}

/** The model of an asset with what a person asked for; what nobody asked for is as `manyworlds run` has it. */
async function openModel(asset: Asset, settings: SimulationSettings): Promise<OpenedModel> {
	const { solver, worlds, keyframe, joints, unloaded, ground, gravity } = settings;
	const opened = await modelOf(asset, {
		worlds: solver === 'both' ? 1 : worlds,
		...(keyframe !== undefined && { keyframe }),
		...(joints !== undefined && { joints }),
		...(unloaded !== undefined && { unloaded }),
		...(ground !== undefined && { ground }),
	});
	if (gravity !== undefined) {
		const { model } = opened;
		model.setGravity(Array.from('xyz', (axis) => (axis === model.upAxis ? gravity : 0)));
	}
	return opened;
}
