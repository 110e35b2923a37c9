import type { Diagnostic } from '@manyworlds/core';
import { type Remote, transfer, wrap } from 'comlink';
import type { ConvertFormat } from 'manyworlds';
import type { AssetSession } from './asset/asset-session.ts';
import {
	type EditTarget,
	type FixPreview,
	type FolderFiles,
	type OpenedAsset,
	type PropertyRow,
	type PurposeName,
	STAGE_CHOICES_DEFAULTS,
	type StageChoices,
} from './asset/asset-types.ts';
import { download } from './files/download.ts';
import { fetchFolder } from './files/fetch-folder.ts';
import { findEntries } from './files/find-entries.ts';
import { chooseFolder, readFolderHandle, writeToFolder } from './files/folder-handle.ts';
import { PictureTools } from './picture-tools.ts';
import { PoseControl } from './pose-control.ts';
import type { FoxgloveClient } from './recording/foxglove-client.ts';
import { SimulationPlayer } from './simulation/simulation-player.ts';
import type { SimulationFrame, SolverChoice } from './simulation/simulation-session.ts';
import { type OverlayName, OverlayView } from './view/overlay-view.ts';
import { RobotView } from './view/robot-view.ts';
import type { SceneView, SideName } from './view/scene-view.ts';
import { worldShifts } from './view/world-shifts.ts';
import { startWorker } from './worker-life.ts';

/** Panels beside the picture. */
export const TABS = {
	joints: 'Joints',
	properties: 'Properties',
	findings: 'Findings',
	simulate: 'Simulate',
	text: 'Text',
	export: 'Export',
} as const;
export type TabName = keyof typeof TABS;

/** A file that is open as text, and the line to look at. */
export interface OpenText {
	readonly path: string;
	readonly content: string;
	readonly line: number;
}

/** Files before a change, to take it back: undefined for those that were not there. */
type Undo = ReadonlyMap<string, Uint8Array | undefined>;

/** Size of axes, as part of the size of a robot. */
const AXIS_SHARE = 0.06;

/**
 * The application: what is open, what is selected, and everything a person can do. It holds no pixels and no elements; panels draw it
 * and call it.
 */
export class App {
	files: FolderFiles = new Map();
	entries: readonly string[] = [];
	asset: OpenedAsset | undefined;
	/** What is going on, in a few words. */
	busy: string | undefined;
	/** What went wrong last. */
	problem: string | undefined;
	link = -1;
	prim: string | undefined;
	lens: 'links' | 'prims' = 'links';
	filter = '';
	tab: TabName = 'joints';
	overlays: ReadonlySet<OverlayName> = new Set();
	choices: StageChoices = STAGE_CHOICES_DEFAULTS;
	properties: readonly PropertyRow[] = [];
	findings: readonly Diagnostic[] | undefined;
	fixes: FixPreview | undefined;
	text: OpenText | undefined;
	theme: 'light' | 'dark' = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
	isDegrees = true;
	/** How far worlds are drawn apart, in sizes of the robot. */
	spread = 1;
	readonly tools: PictureTools;
	readonly player: SimulationPlayer;
	readonly poser: PoseControl;
	/** Folder on disk that changes can be written to. */
	folder: FileSystemDirectoryHandle | undefined;
	/** Files as they were opened, or last written. */
	#kept: FolderFiles = new Map();
	#changedCount = 0;
	readonly #undo: Undo[] = [];
	readonly #view: SceneView;
	#worker: Worker | undefined;
	#remote: Remote<AssetSession> | undefined;
	#robot: RobotView | undefined;
	#overlayView: OverlayView | undefined;
	#opening = 0;
	/** Whether the thread that reads assets died since an asset was opened by a person. */
	#isRevived = false;
	#textTimer = 0;
	#live: FoxgloveClient | undefined;
	#film: MediaRecorder | undefined;
	#shownPoses: Float32Array = new Float32Array();
	/** Size of one robot [m]. */
	#size = 1;
	/** Told when something changed that is drawn in panels. */
	onChange: () => void = () => {};

	constructor(view: SceneView) {
		this.#view = view;
		this.player = new SimulationPlayer(
			(frame) => this.#show(frame),
			() => this.onChange(),
		);
		this.poser = new PoseControl({
			session: () => this.#session,
			place: (poses) => this.#place(poses, 1),
			tell: () => this.onChange(),
			fail: (error) => this.#fail(messageOf(error)),
		});
		this.tools = new PictureTools(view, () => this.onChange());
		view.setTheme(this.theme);
	}

	/** Joint coordinates that are shown [m, rad, quaternion]: of the pose, or of the moment of a simulation. */
	get coordinates(): Float64Array {
		return this.poser.coordinates;
	}

	/** Opens files; the one that is meant, or the most likely one. */
	async openFiles(files: FolderFiles, entry?: string): Promise<void> {
		const recorded = [...files].find(([path]) => /\.(csv|mcap)$/i.test(path));
		if (files.size === 1 && recorded !== undefined && this.asset !== undefined) {
			await this.openRecording(...recorded);
			return;
		}
		const entries = findEntries(files);
		const chosen = entry ?? entries[0];
		if (chosen === undefined) {
			this.#fail(
				`nothing in ${files.size === 1 ? 'this file' : `these ${files.size} files`} can be opened: expected OpenUSD, URDF, MJCF, SDF or a scene`,
			);
			return;
		}
		this.files = files;
		this.#kept = files;
		this.#changedCount = 0;
		this.#isRevived = false;
		this.folder = undefined;
		this.entries = entries.includes(chosen) ? entries : [chosen, ...entries];
		this.choices = STAGE_CHOICES_DEFAULTS;
		this.#undo.length = 0;
		await this.#open(`opening ${chosen}`, () => this.#openIn(files, chosen, STAGE_CHOICES_DEFAULTS), true);
	}

	/** Opens what a source gives once it has been read. */
	async openFrom(
		what: string,
		read: () => Promise<{ readonly files: FolderFiles; readonly entry?: string }>,
	): Promise<void> {
		this.#work(`reading ${what}`);
		try {
			const { files, entry } = await read();
			await this.openFiles(files, entry);
		} catch (error) {
			this.#fail(messageOf(error));
		}
	}

	/** Closes what is open, or what is being opened, and gives its memory back. */
	async close(): Promise<void> {
		this.#opening++;
		this.disconnect();
		await this.player.stop();
		if (this.busy === undefined) await this.#remote?.clear();
		else this.#dropWorker();
		this.poser.take(undefined, true);
		this.tools.reset();
		this.#view.setRobot(undefined, undefined);
		this.#robot = undefined;
		this.#overlayView = undefined;
		this.#shownPoses = new Float32Array();
		this.#undo.length = 0;
		this.files = new Map();
		this.#kept = this.files;
		this.#changedCount = 0;
		this.asset = undefined;
		this.text = undefined;
		this.findings = undefined;
		this.fixes = undefined;
		this.prim = undefined;
		this.folder = undefined;
		this.busy = undefined;
		this.problem = undefined;
		[this.entries, this.properties, this.link] = [[], [], -1];
		this.onChange();
	}

	/** Opens a folder that a server lists at an address. */
	openFolder(listAddress: string, what: string = listAddress): Promise<void> {
		return this.openFrom(what, () => fetchFolder(listAddress));
	}

	async chooseVariant(prim: string, set: string, variant: string): Promise<void> {
		const others = this.choices.variants.filter((choice) => choice.prim !== prim || choice.set !== set);
		await this.choose({ variants: [...others, { prim, set, variant }] });
	}

	/** Loads the payloads of a prim, or leaves them out. */
	async setLoaded(prim: string, isLoaded: boolean): Promise<void> {
		const others = this.choices.unloaded.filter((path) => path !== prim);
		await this.choose({ unloaded: isLoaded ? others : [...others, prim] });
	}

	async togglePurpose(purpose: PurposeName): Promise<void> {
		const { purposes } = this.choices;
		const isDrawn = purposes.includes(purpose);
		await this.choose({ purposes: isDrawn ? purposes.filter((own) => own !== purpose) : [...purposes, purpose] });
	}

	/** Looks at the stage in another way. */
	async choose(choices: Partial<StageChoices>): Promise<void> {
		this.choices = { ...this.choices, ...choices };
		await this.#open('composing', () => this.#session.reopen(this.choices), false);
	}

	/** Opens a folder that can be written to. */
	async openWritable(): Promise<void> {
		const folder = await chooseFolder();
		if (folder === undefined) return;
		await this.openFrom(folder.name, async () => ({ files: await readFolderHandle(folder) }));
		this.folder = folder;
		this.onChange();
	}

	/** Files that are not as they were opened or last written; undefined for those that are gone. */
	changes(): ReadonlyMap<string, Uint8Array | undefined> {
		const changes = new Map<string, Uint8Array | undefined>();
		for (const [path, bytes] of this.files) {
			const before = this.#kept.get(path);
			if (before === undefined || !areEqual(bytes, before)) changes.set(path, bytes);
		}
		for (const path of this.#kept.keys()) if (!this.files.has(path)) changes.set(path, undefined);
		return changes;
	}

	/** How many files are not as they were opened. */
	get changedCount(): number {
		return this.#changedCount;
	}

	/** Writes what changed to the folder that was opened, or offers it for download. */
	async save(): Promise<void> {
		const changes = this.changes();
		if (changes.size === 0) return;
		await this.#try('writing', async () => {
			if (this.folder === undefined) {
				download(
					`${this.#stem()}-changes.zip`,
					new Map([...changes].flatMap(([path, bytes]) => (bytes ? [[path, bytes]] : []))),
				);
				return;
			}
			await writeToFolder(this.folder, changes);
			this.#kept = this.files;
			this.#changedCount = 0;
		});
	}

	/** Takes files that were missing from others, those with the most alike paths; gives how many were found. */
	async addMissing(files: FolderFiles): Promise<number> {
		const found = new Map<string, Uint8Array>();
		for (const { identifier } of this.asset?.missing ?? []) {
			const path = mostAlike(identifier, files.keys());
			if (path !== undefined) found.set(this.#placeOf(identifier), files.get(path)!);
		}
		if (found.size === 0) this.#fail('none of the files that are missing is there');
		else await this.#write(found);
		return found.size;
	}

	/** Where a file that is missing belongs: files of packages that nobody knows are looked for beside the asset. */
	#placeOf(identifier: string): string {
		const inPackage = /^package:\/\/[^/]+\/(.+)$/.exec(identifier)?.[1];
		const entry = this.asset?.entry ?? '';
		return inPackage === undefined ? identifier : `${entry.slice(0, entry.lastIndexOf('/') + 1)}${inPackage}`;
	}

	/** Takes files that changed where they came from; undefined for those that are gone. */
	async takeFiles(changes: ReadonlyMap<string, Uint8Array | undefined>): Promise<void> {
		this.#kept = withChanges(this.#kept, changes);
		await this.#write(changes, false);
		if (this.findings !== undefined) await this.check();
	}

	/** Gives a property of the selected prim another value, in a layer. */
	async editProperty({ name, typeName }: PropertyRow, text: string, target: EditTarget): Promise<void> {
		await this.#try('writing the value', async () => {
			await this.#write(await this.#session.editProperty({ name, typeName, text, target }));
			if (this.prim !== undefined) await this.#showProperties(this.prim);
		});
	}

	/** Selects a link, and the prim that it is. */
	select(link: number): void {
		this.link = link;
		const label = this.asset?.robot?.links[link]?.label;
		if (label?.startsWith('/')) void this.#showProperties(label);
		else this.prim = undefined;
		this.#robot?.select(link);
		this.#view.invalidate();
		this.onChange();
	}

	/** Selects a prim, and the link that it is or belongs to. */
	async selectPrim(path: string): Promise<void> {
		const links = this.asset?.robot?.links ?? [];
		let link = -1;
		for (const [index, { label }] of links.entries()) {
			const isNearer = link < 0 || label.length > links[link]!.label.length;
			if ((path === label || path.startsWith(`${label}/`)) && isNearer) link = index;
		}
		this.link = link;
		this.#robot?.select(link);
		this.#view.invalidate();
		await this.#showProperties(path);
	}

	focus(): void {
		this.#view.fit(this.link);
	}

	lookFrom(side: SideName): void {
		this.#view.lookFrom(side);
	}

	setTab(tab: TabName): void {
		this.tab = tab;
		this.onChange();
	}

	setLens(lens: 'links' | 'prims'): void {
		this.lens = lens;
		this.onChange();
	}

	setFilter(text: string): void {
		this.filter = text;
		this.onChange();
	}

	setTheme(theme: 'light' | 'dark'): void {
		this.theme = theme;
		this.#view.setTheme(theme);
		this.onChange();
	}

	setDegrees(isDegrees: boolean): void {
		this.isDegrees = isDegrees;
		this.onChange();
	}

	toggleOverlay(name: OverlayName): void {
		const overlays = new Set(this.overlays);
		if (!overlays.delete(name)) overlays.add(name);
		this.overlays = overlays;
		this.#overlayView?.show(name, overlays.has(name));
		this.#view.invalidate();
		this.onChange();
	}

	/** Moves a joint [rad, m]; while a simulation runs, its drive aims there. */
	setCoordinate(coordinate: number, value: number): void {
		const joint = this.asset?.robot?.joints.find(({ freedoms }) =>
			freedoms.some((freedom) => freedom.coordinate === coordinate),
		);
		if (!this.player.isStarted) this.poser.set(coordinate, value);
		else if (joint?.freedoms.length === 1 && this.player.source === undefined)
			this.player.setTarget(joint.label, value);
		this.onChange();
	}

	/** Moves the selected link by so much in the world [m], as far as joints let it. */
	moveSelected(by: readonly [number, number, number]): void {
		if (this.link < 0 || this.player.isStarted) return;
		const at = [...this.#shownPoses.subarray(7 * this.link, 7 * this.link + 3)];
		this.poser.reach(this.link, [0, 0, 0], [at[0]! + by[0], at[1]! + by[1], at[2]! + by[2]]);
	}

	async check(): Promise<void> {
		await this.#try('checking', async () => {
			this.findings = await this.#session.check();
			this.tab = 'findings';
		});
	}

	/** Goes to where a finding is: the prim, the camera and the text. */
	async goTo({ prim, file, layer, range }: Diagnostic): Promise<void> {
		if (prim !== undefined) {
			await this.selectPrim(prim.replace(/\..*$/, ''));
			if (this.link >= 0) this.#view.fit(this.link);
		}
		const path = layer ?? file;
		if (path !== undefined) await this.openText(path, range?.start.line ?? 1);
	}

	async previewFixes(unsafe: boolean): Promise<void> {
		await this.#try('looking for fixes', async () => {
			this.fixes = await this.#session.fix({ unsafe });
		});
	}

	async applyFixes(): Promise<void> {
		const fixes = this.fixes;
		if (fixes === undefined) return;
		this.fixes = undefined;
		await this.#write(new Map(fixes.files.map(({ path, after }) => [path, after])));
		await this.check();
	}

	dismissFixes(): void {
		this.fixes = undefined;
		this.onChange();
	}

	get canUndo(): boolean {
		return this.#undo.length > 0;
	}

	async undo(): Promise<void> {
		const last = this.#undo.pop();
		if (last === undefined) return;
		await this.#write(last, false);
		if (this.findings !== undefined) await this.check();
	}

	async openText(path: string, line = 1): Promise<void> {
		const content = await this.#session.text(path);
		if (content === undefined) return;
		this.text = { path, content, line };
		this.tab = 'text';
		this.onChange();
	}

	/** Takes what was typed: the asset is read anew when nothing was typed for a moment. */
	editText(content: string): void {
		const { text } = this;
		if (text === undefined) return;
		this.text = { ...text, content };
		clearTimeout(this.#textTimer);
		this.#textTimer = setTimeout(() => {
			void this.#write(new Map([[text.path, new TextEncoder().encode(content)]]));
		}, 150) as unknown as number;
	}

	async simulate(solver: SolverChoice, worlds: number, keyframe?: string): Promise<void> {
		await this.#try('starting the simulation', async () => {
			const { entry, extra, unloaded } = await this.#session.subject();
			const files = new Map([...this.files, ...extra]);
			const posed = this.poser.moved();
			await this.player.start(files, entry, {
				unloaded,
				solver,
				worlds,
				...(keyframe !== undefined && keyframe !== '' && { keyframe }),
				...(posed !== undefined && keyframe === undefined && { joints: posed }),
			});
			this.setSpread(this.spread);
		});
	}

	/** Opens a recording of the robot that is shown: CSV of `manyworlds run`, MCAP of `manyworlds record` or of ROS 2. */
	async openRecording(name: string, bytes: Uint8Array): Promise<void> {
		await this.#try(`reading ${name}`, async () => {
			const frames = await this.#session.readRecording(bytes, name);
			if (frames.length === 0) throw new Error(`'${name}' holds no moment`);
			await this.player.open(name, frames);
			this.tab = 'simulate';
		});
	}

	/** Shows what a robot tells of itself over a Foxglove server. */
	async connect(address: string): Promise<void> {
		this.disconnect();
		await this.#try(`connecting to ${address}`, async () => {
			if (!/^wss?:\/\//.test(address)) throw new Error(`'${address}' is no address that begins with ws`);
			const { FoxgloveClient } = await import('./recording/foxglove-client.ts');
			await this.player.follow(address);
			let isBusy = false;
			this.#live = new FoxgloveClient(address, {
				onMoment: async (time, { points, ...moment }) => {
					// a moment that comes while one is worked out is left out: another one follows
					if (isBusy) return;
					isBusy = true;
					const posed = await this.#session.poseFrom(moment).finally(() => {
						isBusy = false;
					});
					if (this.player.source === address) this.player.append({ time, points, ...posed });
				},
				onEnd: (problem) => {
					this.#live = undefined;
					if (problem !== undefined) this.#fail(problem);
				},
			});
			this.tab = 'simulate';
		});
	}

	/** Whether a robot is listened to. */
	get isConnected(): boolean {
		return this.#live !== undefined;
	}

	disconnect(): void {
		this.#live?.close();
		this.#live = undefined;
		this.onChange();
	}

	/** Draws worlds nearer to each other or farther apart: 0 over each other, 1 beside each other. */
	setSpread(spread: number): void {
		this.spread = spread;
		const { worlds, frames, solver } = this.player;
		const isGrid = worlds > 1 && solver !== 'both' && frames.length > 0;
		this.#robot?.setShifts(isGrid ? worldShifts(frames[0]!.poses, worlds, spread * this.#size) : new Float32Array());
		if (worlds > 1) this.#view.fit();
		this.#view.invalidate();
		this.onChange();
	}

	async stopSimulation(): Promise<void> {
		this.disconnect();
		await this.player.stop();
		this.#robot?.setShifts(new Float32Array());
		this.poser.apply(this.coordinates);
	}

	async exportTo(format: ConvertFormat, extension: string): Promise<void> {
		await this.#try(`writing ${format}`, async () => {
			const { files } = await this.#session.convert(format);
			download(`${this.#stem()}.${extension}`, files);
		});
	}

	async downloadFiles(): Promise<void> {
		download(`${this.#stem()}.zip`, this.files);
	}

	async screenshot(): Promise<void> {
		const blob = await this.#view.screenshot();
		download('robot.png', new Map([['', new Uint8Array(await blob.arrayBuffer())]]));
	}

	/** Whether a video is being taken. */
	get isFilming(): boolean {
		return this.#film !== undefined;
	}

	/** Starts a video of the picture, or ends it and offers it for download. */
	film(): void {
		if (this.#film !== undefined) {
			this.#film.stop();
			this.#film = undefined;
			this.onChange();
			return;
		}
		const pieces: Blob[] = [];
		const film = new MediaRecorder(this.#view.stream(), { mimeType: 'video/webm' });
		film.addEventListener('dataavailable', ({ data }) => pieces.push(data));
		film.addEventListener('stop', async () => {
			download('robot.webm', new Map([['', new Uint8Array(await new Blob(pieces).arrayBuffer())]]));
		});
		film.start();
		this.#film = film;
		this.onChange();
	}

	dismissProblem(): void {
		this.problem = undefined;
		this.onChange();
	}

	/** One sentence about what the picture shows, for those who do not see it. */
	get summary(): string {
		const { asset } = this;
		if (asset === undefined) return 'Nothing is open.';
		const { links = [], joints = [] } = asset.robot ?? {};
		const moving = joints.filter(({ freedoms }) => freedoms.length > 0).length;
		const selected = links[this.link];
		const chosen = selected === undefined ? '' : ` Selected: ${selected.name}.`;
		return `${asset.name}: ${links.length} links, ${moving} joints that move.${chosen}`;
	}

	/** Numbers for tests. */
	get probe(): { readonly poses: Float32Array; readonly view: SceneView; readonly overlays: OverlayView | undefined } {
		return { poses: this.#shownPoses, view: this.#view, overlays: this.#overlayView };
	}

	#stem(): string {
		return (this.asset?.name ?? 'robot').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
	}

	async #open(what: string, open: () => Promise<OpenedAsset>, isNew: boolean): Promise<void> {
		const turn = ++this.#opening;
		this.#work(what);
		this.disconnect();
		await this.player.stop();
		try {
			const asset = await open();
			if (turn !== this.#opening) return;
			await this.#take(asset, isNew, turn);
		} catch (error) {
			if (turn === this.#opening) this.#fail(messageOf(error));
		}
	}

	async #take(asset: OpenedAsset, isNew: boolean, turn: number): Promise<void> {
		const before = this.asset?.robot?.links[this.link]?.label;
		this.asset = asset;
		this.fixes = undefined;
		if (isNew) {
			this.findings = undefined;
			this.text = undefined;
			this.lens = asset.robot === undefined ? 'prims' : 'links';
		}
		const { robot } = asset;
		this.poser.take(robot, isNew);
		if (isNew) this.tools.reset();
		if (isNew && robot !== undefined && asset.glb !== undefined) {
			const boxes = RobotView.boxes(robot);
			boxes.setPoses(robot.poses, robot.links.length, 1);
			performance.mark('manyworlds boxes');
			this.#view.setRobot(boxes, undefined);
			this.#view.fit(-1, false);
		}
		const view = await RobotView.of(asset);
		if (turn !== this.#opening) {
			view.dispose();
			return;
		}
		if (robot !== undefined) view.setPoses(robot.poses, robot.links.length, 1);
		this.#robot = view;
		this.#view.setRobot(view, undefined);
		if (isNew) this.#view.fit(-1, false);
		this.#size = this.#view.extent();
		this.#overlayView = robot === undefined ? undefined : new OverlayView(robot, this.#size * AXIS_SHARE);
		this.#view.setRobot(view, this.#overlayView);
		for (const name of this.overlays) this.#overlayView?.show(name, true);
		this.#shownPoses = robot?.poses ?? new Float32Array();
		performance.mark('manyworlds shown');
		this.busy = undefined;
		this.problem = undefined;
		this.select(robot?.links.findIndex(({ label }) => label === before) ?? -1);
	}

	#show({ poses, coordinates, contacts, points = new Float32Array() }: SimulationFrame): void {
		this.#overlayView?.setContacts(contacts);
		this.#overlayView?.setPoints(points);
		this.#place(poses, this.player.worlds);
		this.poser.coordinates = coordinates;
		this.onChange();
	}

	#place(poses: Float32Array, worlds: number): void {
		const links = this.asset?.robot?.links.length ?? 0;
		this.#shownPoses = poses;
		this.#robot?.setPoses(poses, links, worlds);
		this.#overlayView?.setPoses(poses);
		this.#view.invalidate();
	}

	async #showProperties(path: string): Promise<void> {
		this.prim = path;
		this.onChange();
		const properties = await this.#session.properties(path);
		if (this.prim !== path) return;
		this.properties = properties;
		this.onChange();
	}

	/** Writes files and opens the asset again; keeps what was there to take it back. */
	async #write(changes: Undo, isUndoable = true): Promise<void> {
		if (isUndoable) this.#undo.push(new Map([...changes.keys()].map((path) => [path, this.files.get(path)])));
		await this.#session.write(changes);
		this.files = withChanges(this.files, changes);
		this.#changedCount = this.changes().size;
		if (this.text !== undefined && changes.has(this.text.path) && !isUndoable) {
			const content = await this.#session.text(this.text.path);
			if (content !== undefined) this.text = { ...this.text, content };
		}
		await this.#open('reading the change', () => this.#session.reopen(this.choices), false);
	}

	async #try(what: string, work: () => Promise<void>): Promise<void> {
		this.#work(what);
		try {
			await work();
			this.busy = undefined;
			this.problem = undefined;
			this.onChange();
		} catch (error) {
			this.#fail(messageOf(error));
		}
	}

	#work(what: string): void {
		this.busy = what;
		this.onChange();
	}

	#fail(problem: string): void {
		this.busy = undefined;
		this.problem = problem;
		this.onChange();
	}

	/** The thread that reads assets; it starts when it is needed first, and again when it died. */
	get #session(): Remote<AssetSession> {
		if (this.#remote !== undefined) return this.#remote;
		const worker = startWorker(
			(name) => new Worker(new URL('./asset/asset-worker.ts', import.meta.url), { type: 'module', name }),
			(why) => {
				if (this.#worker === worker) void this.#outlive(why);
			},
		);
		this.#worker = worker;
		this.#remote = wrap<AssetSession>(worker);
		return this.#remote;
	}

	/** Goes on after the thread that reads assets died: a new one opens the asset again, once. */
	async #outlive(why: string): Promise<void> {
		this.#dropWorker();
		this.#opening++;
		const entry = this.asset?.entry;
		const message = `the thread that reads assets ended: ${why}`;
		if (entry === undefined || this.#isRevived) {
			this.#fail(`${message}; open the asset again`);
			return;
		}
		this.#isRevived = true;
		const { files, choices } = this;
		await this.#open('opening the asset again', () => this.#openIn(files, entry, choices), false);
		if (this.problem === undefined) this.#fail(`${message}; the asset was opened again`);
	}

	/** Gives up the thread that reads assets; another one starts when it is needed. */
	#dropWorker(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.#remote = undefined;
		this.poser.restart();
	}

	/** Sends files to the thread one by one, so that the page stays awake, and opens one of them. */
	async #openIn(files: FolderFiles, entry: string, choices: StageChoices): Promise<OpenedAsset> {
		const session = this.#session;
		await session.clear();
		for (const [path, bytes] of files) {
			const copy = bytes.slice();
			await session.put(path, transfer(copy, [copy.buffer]));
		}
		return session.open(entry, choices);
	}
}

/** The sentence of an error, without the name of its class. */
function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function withChanges(files: FolderFiles, changes: Undo): FolderFiles {
	const out = new Map(files);
	for (const [path, bytes] of changes) {
		if (bytes === undefined) out.delete(path);
		else out.set(path, bytes);
	}
	return out;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
	if (a === b) return true;
	return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The path whose end has the most parts in common with another; undefined when not even the name of the file is. */
function mostAlike(wanted: string, paths: Iterable<string>): string | undefined {
	const parts = wanted.split('/').reverse();
	let [best, most]: [string | undefined, number] = [undefined, 0];
	for (const path of paths) {
		const own = path.split('/').reverse();
		const first = own.findIndex((part, i) => part.toLowerCase() !== parts[i]?.toLowerCase());
		const alike = first < 0 ? own.length : first;
		if (alike > most) [best, most] = [path, alike];
	}
	return best;
}
