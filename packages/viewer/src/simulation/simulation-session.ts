import { transformPoint } from '@manyworlds/core/internal';
import { hashState } from '@manyworlds/model';
import { openAsset, Simulation } from 'manyworlds';
import type { FolderFiles } from '../asset/asset-types.ts';

/** How the page wants to simulate. */
export interface SimulationSettings {
	readonly solver: 'sap' | 'mujoco';
	readonly worlds: number;
	readonly keyframe?: string;
	/** Coordinates [rad, m] of joints by label; those of the file where absent. */
	readonly joints?: Readonly<Record<string, number>>;
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
	/** Points and normals of contacts of the first world, six numbers each. */
	readonly contacts: Float32Array<ArrayBuffer>;
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

/** Longest that one call steps [ms]: the page stays in step with the worker. */
const BUSY = 40;

/** A simulation that a page drives, off the main thread. */
export class SimulationSession {
	#simulation: Simulation | undefined;
	#steps = 0;

	/** Opens an asset and puts it at its start. Rejects with a message when it cannot be simulated. */
	async start(files: FolderFiles, entry: string, settings: SimulationSettings): Promise<StartedSimulation> {
		await this.close();
		const asset = await openAsset({ files, entry });
		const { solver, worlds, keyframe, dt, joints } = settings;
		const simulation = await Simulation.create(asset, {
			solver,
			worlds,
			threads: 1,
			accountsEnergy: false,
			mujoco: () => import('@mujoco/mujoco'),
			...(keyframe !== undefined && { keyframe }),
			...(dt !== undefined && { dt }),
			...(joints !== undefined && { joints }),
		});
		this.#simulation = simulation;
		this.#steps = 0;
		const notes = simulation.report.toArray().map(({ message }) => message);
		return { dt: simulation.dt, worlds: simulation.worldCount, notes, frame: this.frame() };
	}

	/** Takes steps: as many as asked for, fewer when they take too long to look at. */
	async advance(steps: number): Promise<SimulationFrame> {
		const simulation = this.#running();
		const end = performance.now() + BUSY;
		for (let left = steps; left > 0 && performance.now() < end; ) {
			const now = Math.min(left, 4);
			await simulation.step(now);
			this.#steps += now;
			left -= now;
		}
		return this.frame();
	}

	/** Takes exactly so many steps. */
	async step(steps: number): Promise<SimulationFrame> {
		await this.#running().step(steps);
		this.#steps += steps;
		return this.frame();
	}

	async reset(): Promise<SimulationFrame> {
		await this.#running().reset();
		this.#steps = 0;
		return this.frame();
	}

	/** Sets where drives of a joint aim at, in all worlds [rad, m]. */
	setTarget(joint: string, value: number): void {
		this.#running().setTargets({ [joint]: value });
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
			poses: Float32Array.from(simulation.bodyPoses),
			coordinates: state.jointQ.slice(0, coordinateCount),
			contacts: model.worldCount > 64 ? new Float32Array() : contactRows(simulation),
			failures: simulation.failures.map(({ world, reason }) => ({ world, reason })),
		};
	}

	async close(): Promise<void> {
		await this.#simulation?.dispose();
		this.#simulation = undefined;
	}

	#running(): Simulation {
		if (this.#simulation === undefined) throw new Error('no simulation is running');
		return this.#simulation;
	}
}

/** Where the shapes of the first world touch, and in which direction: points on the first shape of each pair. */
function contactRows(simulation: Simulation): Float32Array<ArrayBuffer> {
	const contacts = simulation.contacts();
	const { model, bodyPoses } = simulation;
	const end = contacts.worldStart[1]!;
	const out = new Float32Array(6 * end);
	const point = new Float64Array(3);
	for (let row = 0; row < end; row++) {
		const body = model.shapeBody[contacts.rigidShape0[row]!]!;
		const local = contacts.rigidPoint0.subarray(3 * row, 3 * row + 3);
		if (body < 0) point.set(local);
		else transformPoint(point, bodyPoses.subarray(7 * body, 7 * body + 7), local);
		out.set(point, 6 * row);
		out.set(contacts.rigidNormal.subarray(3 * row, 3 * row + 3), 6 * row + 3);
	}
	return out;
}
