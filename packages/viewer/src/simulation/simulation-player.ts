import { type Remote, transfer, wrap } from 'comlink';
import type { RecordedFrame } from '../asset/asset-types.ts';
import type { FolderFiles } from '../files/folder-files.ts';
import { isShared } from '../files/shared-files.ts';
import { makeSimulationThread } from '../threads.ts';
import { startWorker } from '../worker-life.ts';
import { beside, farthest } from './robots-beside.ts';
import type {
	SimulationFrame,
	SimulationSession,
	SimulationSettings,
	StartedSimulation,
} from './simulation-session.ts';
import type { WorldQuantity } from './world-quantity-names.ts';

/** Most memory that past moments take [bytes]. */
const MOST_MEMORY = 256 * 2 ** 20;

/** Plays a simulation that runs in a thread of its own: play, pause, step, speed, and going back in time. */
export class SimulationPlayer {
	isStarted = false;
	/** What is shown instead of a simulation: a recording, or a robot that tells of itself. */
	source: string | undefined;
	isPlaying = false;
	/** Simulated seconds in a second. */
	speed = 1;
	dt = 0;
	worlds = 1;
	solver: SimulationSettings['solver'] = 'sap';
	notes: readonly string[] = [];
	/** Parameters of a sweep with their values in each world, where its runs are the worlds. */
	sweep: StartedSimulation['sweep'];
	/** Number that tells worlds apart by colours. */
	quantity: WorldQuantity | undefined;
	/** Times between which moments are shown again and again [s]. */
	loop: readonly [number, number] | undefined;
	/** What the robot is compared with. */
	compared: string | undefined;
	problem: string | undefined;
	/** Moments that were drawn, the oldest first. */
	readonly frames: SimulationFrame[] = [];
	/** Place of the moment that is shown. */
	shown = 0;
	#memory = 0;
	#worker: Worker | undefined;
	#session: Remote<SimulationSession> | undefined;
	#clock = 0;
	#owed = 0;
	readonly #show: (frame: SimulationFrame) => void;
	readonly #tell: () => void;

	constructor(show: (frame: SimulationFrame) => void, tell: () => void) {
		this.#show = show;
		this.#tell = tell;
	}

	/** The moment that is shown. */
	get frame(): SimulationFrame | undefined {
		return this.frames[this.shown];
	}

	async start(files: FolderFiles, entry: string, settings: SimulationSettings): Promise<void> {
		await this.stop();
		const worker = startWorker(makeSimulationThread, (why) => {
			if (this.#worker === worker) void this.#end(`the thread that simulates ended: ${why}; start it again`);
		});
		this.#worker = worker;
		this.#session = wrap<SimulationSession>(worker);
		try {
			// one by one, so that the page stays awake
			for (const [path, bytes] of files) {
				if (isShared(bytes)) await this.#session.put(path, bytes);
				else {
					const copy = bytes.slice();
					await this.#session.put(path, transfer(copy, [copy.buffer]));
				}
			}
			const { dt, worlds, notes, frame, sweep } = await this.#session.start(entry, settings);
			this.dt = dt;
			this.worlds = worlds;
			this.solver = settings.solver;
			this.notes = notes;
			this.sweep = sweep;
			this.isStarted = true;
			this.problem = undefined;
			this.#keep(frame);
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	/** Shows moments that were recorded. */
	async open(source: string, frames: readonly RecordedFrame[]): Promise<void> {
		await this.follow(source);
		for (const frame of frames) this.append(frame);
		this.seek(0);
	}

	/**
	 * Shows a recording beside what is shown, moment by moment. What simulates ends: its moments are there to look at. Of the recording
	 * the last moment is taken that is not later.
	 */
	async compare(name: string, recorded: readonly RecordedFrame[]): Promise<void> {
		const own = this.frames.map((frame) => ({ ...frame, poses: frame.poses.slice(0, recorded[0]!.poses.length) }));
		const source = this.source ?? 'simulation';
		await this.follow(source);
		this.compared = name;
		this.worlds = 2;
		let at = 0;
		for (const frame of own) {
			while (at + 1 < recorded.length && recorded[at + 1]!.time <= frame.time) at++;
			const other = recorded[at]!;
			this.#keep({
				...frame,
				poses: beside(frame.poses, other.poses),
				difference: farthest(frame.poses, other.poses),
			});
		}
		this.seek(0);
	}

	/** Shows moments between two times again and again; undefined goes on as it was. */
	setLoop(loop: readonly [number, number] | undefined): void {
		this.loop = loop === undefined || loop[0] <= loop[1] ? loop : [loop[1], loop[0]];
		this.#tell();
	}

	/** Tells worlds apart by a number; undefined no longer does. */
	async setQuantity(quantity: WorldQuantity | undefined): Promise<void> {
		this.quantity = quantity;
		const frame = await this.#session?.tell(quantity);
		if (frame === undefined) return;
		// the moment is the one that was shown last
		this.#drop(this.frames.length - 1);
		this.#keep(frame);
	}

	/** The run so far as `manyworlds run --record` writes it; undefined for what is no simulation. */
	async csv(): Promise<string | undefined> {
		return this.#session?.csv();
	}

	/** Gets ready for moments that come one by one. */
	async follow(source: string): Promise<void> {
		await this.stop();
		this.source = source;
		this.problem = undefined;
		this.isStarted = true;
	}

	/** Shows one more moment. */
	append(frame: RecordedFrame): void {
		this.#keep({ ...frame, steps: 0, contacts: new Float32Array(), pull: 0, failures: [] });
	}

	play(): void {
		if (!this.isStarted || this.isPlaying) return;
		this.isPlaying = true;
		this.#clock = performance.now();
		this.#owed = 0;
		void (this.source === undefined && this.loop === undefined ? this.#run() : this.#replay());
		this.#tell();
	}

	pause(): void {
		this.isPlaying = false;
		this.#tell();
	}

	/** Takes some steps and stays there. */
	async step(steps: number): Promise<void> {
		this.isPlaying = false;
		if (this.#session !== undefined) this.#keep(await this.#session.step(steps));
	}

	async reset(): Promise<void> {
		this.isPlaying = false;
		if (this.#session === undefined) return;
		this.#forget();
		this.#keep(await this.#session.reset());
	}

	/** Shows a moment of the past. */
	seek(place: number): void {
		this.isPlaying = false;
		this.shown = Math.min(Math.max(0, place), this.frames.length - 1);
		const { frame } = this;
		if (frame !== undefined) this.#show(frame);
		this.#tell();
	}

	setSpeed(speed: number): void {
		this.speed = speed;
		this.#tell();
	}

	setTarget(joint: string, value: number): void {
		void this.#session?.setTarget(joint, value);
	}

	/** Pulls a point of a link, given in its frame, towards a place. */
	pull(link: number, point: readonly number[], target: readonly number[]): void {
		void this.#session?.pull(link, point, target);
	}

	release(): void {
		void this.#session?.release();
	}

	/** A number that equal states share. */
	async hash(): Promise<string> {
		return (await this.#session?.hash()) ?? '';
	}

	async stop(): Promise<void> {
		this.isPlaying = false;
		this.isStarted = false;
		this.source = undefined;
		this.compared = undefined;
		this.loop = undefined;
		this.sweep = undefined;
		this.quantity = undefined;
		this.notes = [];
		this.#worker?.terminate();
		this.#worker = undefined;
		this.#session = undefined;
		this.#forget();
		this.worlds = 1;
		this.#tell();
	}

	async #end(problem: string): Promise<void> {
		await this.stop();
		this.problem = problem;
		this.#tell();
	}

	async #run(): Promise<void> {
		while (this.isPlaying && this.#session !== undefined) {
			await new Promise(requestAnimationFrame);
			const now = performance.now();
			// what a slow machine cannot keep up with is not owed
			this.#owed = Math.min(this.#owed + ((now - this.#clock) / 1000) * this.speed, 0.25);
			this.#clock = now;
			const steps = Math.floor(this.#owed / this.dt);
			if (steps === 0) continue;
			this.#owed -= steps * this.dt;
			// it may have ended while the page waited for its turn
			const session: Remote<SimulationSession> | undefined = this.#session;
			if (session === undefined) return;
			const frame = await session.advance(steps).catch((error: unknown) => {
				this.problem = error instanceof Error ? error.message : String(error);
				return undefined;
			});
			if (frame === undefined) this.isPlaying = false;
			else if (this.isPlaying) this.#keep(frame);
		}
	}

	/** Shows moments as they came, from the one that is shown; from the first one after the last. */
	async #replay(): Promise<void> {
		if (this.shown >= this.frames.length - 1) this.shown = 0;
		let time = this.frame?.time ?? 0;
		while (this.isPlaying && (this.loop !== undefined || this.shown < this.frames.length - 1)) {
			await new Promise(requestAnimationFrame);
			const now = performance.now();
			time += ((now - this.#clock) / 1000) * this.speed;
			this.#clock = now;
			const { loop } = this;
			let next = this.shown;
			if (loop !== undefined && (time > loop[1] || time < loop[0])) {
				time = loop[0];
				next = this.#placeOf(loop[0]);
			}
			while (next < this.frames.length - 1 && this.frames[next + 1]!.time <= time) next++;
			if (next === this.shown || !this.isPlaying) continue;
			this.shown = next;
			this.#show(this.frame!);
			this.#tell();
		}
		this.isPlaying = false;
		this.#tell();
	}

	#keep(frame: SimulationFrame): void {
		this.frames.push(frame);
		this.#memory += bytesOf(frame);
		while (this.#memory > MOST_MEMORY && this.frames.length > 1) this.#memory -= bytesOf(this.frames.shift()!);
		this.shown = this.frames.length - 1;
		this.#show(frame);
		this.#tell();
	}

	/** Place of the first moment that is not earlier. */
	#placeOf(time: number): number {
		const found = this.frames.findIndex((frame) => frame.time >= time);
		return found < 0 ? this.frames.length - 1 : found;
	}

	#drop(place: number): void {
		for (const frame of this.frames.splice(place, 1)) this.#memory -= bytesOf(frame);
	}

	#forget(): void {
		this.frames.length = 0;
		this.#memory = 0;
		this.shown = 0;
	}
}

function bytesOf({ poses, coordinates, contacts }: SimulationFrame): number {
	return poses.byteLength + coordinates.byteLength + contacts.byteLength;
}
