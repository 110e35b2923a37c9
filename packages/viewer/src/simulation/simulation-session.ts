import { hashState } from '@manyworlds/model';
import { openAsset, Simulation } from 'manyworlds';
import { LinkPull } from './link-pull.ts';

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

	/** Takes a file of the folder. */
	put(path: string, bytes: Uint8Array): void {
		this.#files.set(path, bytes);
	}

	/** Opens an asset and puts it at its start. Rejects with a message when it cannot be simulated. */
	async start(entry: string, settings: SimulationSettings): Promise<StartedSimulation> {
		await this.close();
		const asset = await openAsset({ files: this.#files, entry });
		const { solver, worlds, keyframe, dt, joints, unloaded } = settings;
		const create = (name: 'sap' | 'mujoco'): Promise<Simulation> =>
			Simulation.create(asset, {
				solver: name,
				worlds: solver === 'both' ? 1 : worlds,
				threads: 1,
				accountsEnergy: false,
				contactsKept: worlds > MANY_WORLDS ? 0 : MOST_CONTACTS,
				mujoco: () => import('@mujoco/mujoco'),
				...(keyframe !== undefined && { keyframe }),
				...(dt !== undefined && { dt }),
				...(joints !== undefined && { joints }),
				...(unloaded !== undefined && { unloaded }),
			});
		const simulation = await create(solver === 'both' ? 'sap' : solver);
		this.#simulation = simulation;
		if (solver === 'both') this.#other = await create('mujoco');
		this.#steps = 0;
		const notes = simulation.report.toArray().map(({ message }) => message);
		return {
			dt: simulation.dt,
			worlds: this.#other === undefined ? simulation.worldCount : 2,
			notes,
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

	/** A number that equal states share, as `manyworlds run` prints it. */
	hash(): string {
		return hashState(this.#running().state);
	}

	frame(): SimulationFrame {
		const simulation = this.#running();
		const { model, state } = simulation;
		const coordinateCount = model.worldCount > 0 ? model.jointCoordWorldStart[1]! : state.jointQ.length;
		return {
			time: this.#steps * simulation.dt,
			steps: this.#steps,
			poses: this.#other === undefined ? Float32Array.from(simulation.bodyPoses) : beside(simulation, this.#other),
			coordinates: state.jointQ.slice(0, coordinateCount),
			contacts: contactRows(simulation),
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
		this.#pull = undefined;
	}

	/** Steps; one at a time while something is pulled, as the force follows the motion. */
	async #step(steps: number): Promise<void> {
		const simulation = this.#running();
		if (this.#pull === undefined) await simulation.step(steps);
		else {
			for (let i = 0; i < steps; i++) {
				this.#pull.apply();
				await simulation.step();
			}
		}
		await this.#other?.step(steps);
		this.#steps += steps;
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

/** Poses of two robots, the second one beside the first. */
function beside(first: Simulation, second: Simulation): Float32Array<ArrayBuffer> {
	const [a, b] = [first.bodyPoses, second.bodyPoses];
	const out = new Float32Array(a.length + b.length);
	out.set(a);
	out.set(b, a.length);
	let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (let at = 1; at < a.length; at += 7) [low, high] = [Math.min(low, a[at]!), Math.max(high, a[at]!)];
	const apart = Math.ceil(2 * (high - low + 0.5)) / 2;
	for (let at = a.length + 1; at < out.length; at += 7) out[at] = out[at]! + apart;
	return out;
}

/** The largest distance between positions of poses [m]. */
function farthest(a: Float64Array, b: Float64Array): number {
	let most = 0;
	for (let at = 0; at < a.length; at += 7) {
		most = Math.max(most, Math.hypot(a[at]! - b[at]!, a[at + 1]! - b[at + 1]!, a[at + 2]! - b[at + 2]!));
	}
	return most;
}
