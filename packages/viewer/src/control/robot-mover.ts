import { download } from '../files/download.ts';
import type { PoseControl } from '../pose-control.ts';
import type { RobotDisplay } from '../robot-display.ts';
import { SimulationPlayer } from '../simulation/simulation-player.ts';
import type { SimulationFrame, SimulationSettings, SolverChoice } from '../simulation/simulation-session.ts';
import type { SceneView } from '../view/scene-view.ts';
import { worldColors } from '../view/world-colors.ts';
import type { AssetOpener } from './asset-opener.ts';
import { LiveRobot } from './live-robot.ts';
import type { WorkStatus } from './work-status.ts';

/** What a person may wish of a simulation; as the file has it where nothing is wished. */
export type SimulationWishes = Pick<SimulationSettings, 'keyframe' | 'dt' | 'gravity' | 'ground' | 'plan'>;

/** A simulation as it was asked for. */
interface SimulationRun {
	readonly solver: SolverChoice;
	readonly worlds: number;
	readonly wishes: SimulationWishes;
	/** Joints that a person had moved before the robot was simulated. */
	readonly posed: Readonly<Record<string, number>> | undefined;
}

/** What is moved, and who is told of it. */
export interface MoveHost {
	readonly opener: AssetOpener;
	readonly status: WorkStatus;
	readonly display: RobotDisplay;
	readonly view: SceneView;
	readonly poser: PoseControl;
	/** Told when a recording or a live robot is there to look at. */
	readonly onSource: () => void;
	readonly tell: () => void;
}

/** Everything that moves a robot over time: simulations, recordings, and robots that tell of themselves. */
export class RobotMover {
	readonly player: SimulationPlayer;
	/** How far worlds are drawn apart, in sizes of the robot. */
	spread = 1;
	readonly #host: MoveHost;
	readonly #live: LiveRobot;
	/** Plans of sweeps that were opened beside the robot. */
	readonly #plans = new Map<string, Uint8Array>();
	/** How the simulation was started last. */
	#last: SimulationRun | undefined;
	/** World that is shown alone. */
	only: number | undefined;

	constructor(host: MoveHost) {
		this.#host = host;
		this.player = new SimulationPlayer((frame) => this.#show(frame), host.tell);
		this.#live = new LiveRobot({
			session: () => host.opener.session,
			player: this.player,
			onEnd: (problem) => (problem === undefined ? host.tell() : host.status.fail(problem)),
		});
	}

	async simulate(solver: SolverChoice, worlds: number, wishes: SimulationWishes = {}): Promise<void> {
		// another start is where the first one was, not where the robot has come to
		const posed = this.player.isStarted ? this.#last?.posed : this.#host.poser.moved();
		await this.#start({ solver, worlds, wishes, posed });
	}

	/** What starts the simulation that runs now again, once the robot is opened in another way; undefined when none runs. */
	resume(): (() => Promise<void>) | undefined {
		const last = this.#last;
		const { isStarted, isPlaying, source } = this.player;
		if (!isStarted || source !== undefined || last === undefined) return undefined;
		return async () => {
			const joints = new Set(this.#host.opener.asset?.robot?.joints.map(({ label }) => label));
			const posed = Object.entries(last.posed ?? {}).filter(([label]) => joints.has(label));
			await this.#start({ ...last, posed: posed.length > 0 ? Object.fromEntries(posed) : undefined });
			if (isPlaying) this.player.play();
		};
	}

	async #start(run: SimulationRun): Promise<void> {
		const { solver, worlds, wishes, posed } = run;
		const { keyframe, ...others } = wishes;
		const { opener, status } = this.#host;
		await status.try('starting the simulation', async () => {
			const { entry, extra, unloaded } = await opener.session.subject();
			const files = new Map([...opener.files.current, ...extra, ...this.#plans]);
			this.#last = run;
			await this.player.start(files, entry, {
				unloaded,
				solver,
				worlds,
				...others,
				...(keyframe !== undefined && { keyframe }),
				...(posed !== undefined && keyframe === undefined && { joints: posed }),
			});
			this.setSpread(this.spread);
			this.#host.view.followGround();
		});
	}

	/** Shows runs of a sweep as worlds: those of a plan that is read beside the robot. */
	async previewSweep(name: string, bytes: Uint8Array, worlds: number): Promise<void> {
		this.#plans.set(name, bytes);
		await this.simulate('sap', worlds, { plan: name });
	}

	/** Opens a recording of the robot that is shown: CSV of `manyworlds run`, MCAP of `manyworlds record` or of ROS 2. */
	async openRecording(name: string, bytes: Uint8Array): Promise<void> {
		const { opener, status, onSource } = this.#host;
		await status.try(`reading ${name}`, async () => {
			const frames = await opener.session.readRecording(bytes, name);
			if (frames.length === 0) throw new Error(`'${name}' holds no moment`);
			await this.player.open(name, frames);
			onSource();
		});
	}

	/** Shows a recording beside what is shown. */
	async compareWith(name: string, bytes: Uint8Array): Promise<void> {
		const { opener, status } = this.#host;
		await status.try(`reading ${name}`, async () => {
			const frames = await opener.session.readRecording(bytes, name);
			if (frames.length === 0) throw new Error(`'${name}' holds no moment`);
			if (this.player.frames.length === 0) throw new Error('there is nothing to compare it with yet');
			await this.player.compare(name, frames);
			// the second robot is beside what was looked at
			this.#host.view.fit();
		});
	}

	/** Offers the run so far for download, as `manyworlds run --record` writes it. */
	async downloadRun(): Promise<void> {
		const text = await this.player.csv();
		if (text !== undefined) download(`${this.#host.opener.stem}.csv`, new Map([['', new TextEncoder().encode(text)]]));
	}

	/** Shows one world alone; undefined shows all. */
	showOnly(world: number | undefined): void {
		if (world === this.only) return;
		this.only = world;
		const { display, view, tell } = this.#host;
		display.showOnly(world);
		if (this.player.worlds > 1) view.fit();
		tell();
	}

	/** Shows what a robot tells of itself over a Foxglove server. */
	async connect(address: string): Promise<void> {
		const { status, onSource } = this.#host;
		await status.try(`connecting to ${address}`, async () => {
			await this.#live.connect(address);
			onSource();
		});
	}

	/** Whether a robot is listened to. */
	get isConnected(): boolean {
		return this.#live.isConnected;
	}

	disconnect(): void {
		this.#live.disconnect();
		this.#host.tell();
	}

	/** Draws worlds nearer to each other or farther apart: 0 over each other, 1 beside each other. */
	setSpread(spread: number): void {
		this.spread = spread;
		const { worlds, frames, solver } = this.player;
		const { display, view, tell } = this.#host;
		const isGrid = worlds > 1 && solver !== 'both' && frames.length > 0;
		display.setSpread(isGrid ? frames[0]!.poses : new Float32Array(), isGrid ? worlds : 1, spread);
		if (worlds > 1) view.fit();
		tell();
	}

	/** Moves a joint [rad, m]; while a simulation runs, its drive aims there. */
	setCoordinate(coordinate: number, value: number): void {
		const { opener, poser, tell } = this.#host;
		const joint = opener.asset?.robot?.joints.find(({ freedoms }) =>
			freedoms.some((freedom) => freedom.coordinate === coordinate),
		);
		if (!this.player.isStarted) poser.set(coordinate, value);
		else if (joint?.freedoms.length === 1 && this.player.source === undefined)
			this.player.setTarget(joint.label, value);
		tell();
	}

	/** Ends what moves the robot. */
	async halt(): Promise<void> {
		this.disconnect();
		await this.player.stop();
		this.showOnly(undefined);
		this.#host.display.setWorldColors(undefined);
	}

	/** Ends what moves the robot and goes back to its pose. */
	async stop(): Promise<void> {
		await this.halt();
		const { display, poser, view } = this.#host;
		display.setSpread(new Float32Array(), 1, 0);
		poser.apply(poser.coordinates);
		view.followGround();
	}

	#show({ poses, coordinates, targets, contacts, points = new Float32Array(), worldNumbers }: SimulationFrame): void {
		const { display, poser, tell } = this.#host;
		display.setSensed(contacts, points);
		display.setCoordinates(coordinates, targets);
		display.setWorldColors(worldNumbers === undefined ? undefined : worldColors(worldNumbers));
		display.place(poses, this.player.worlds);
		poser.coordinates = coordinates;
		tell();
	}
}
