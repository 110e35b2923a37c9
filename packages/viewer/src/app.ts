import type { Diagnostic } from '@manyworlds/core';
import type { Remote } from 'comlink';
import type { ConvertFormat } from 'manyworlds';
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
import type { AssetWork } from './asset/asset-worker.ts';
import { AssetThread } from './asset-thread.ts';
import { AssetFiles, type FileChanges, findMissing } from './files/asset-files.ts';
import { download } from './files/download.ts';
import { fetchFolder } from './files/fetch-folder.ts';
import { findEntries } from './files/find-entries.ts';
import { chooseFolder, readFolderHandle } from './files/folder-handle.ts';
import { Film } from './film.ts';
import { PictureTools } from './picture-tools.ts';
import { PoseControl } from './pose-control.ts';
import { LiveRobot } from './recording/live-robot.ts';
import { RobotDisplay } from './robot-display.ts';
import { SimulationPlayer } from './simulation/simulation-player.ts';
import type { SimulationFrame, SolverChoice } from './simulation/simulation-session.ts';
import type { OverlayName, OverlayView } from './view/overlay-view.ts';
import type { SceneView, SideName } from './view/scene-view.ts';

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

/** Bytes of files from which on boxes are shown first: less is there at once. */
const LARGE = 4 * 2 ** 20;

/**
 * The application: what is open, what is selected, and everything a person can do. It holds no pixels and no elements; panels draw it
 * and call it.
 */
export class App {
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
	readonly #files = new AssetFiles();
	readonly #view: SceneView;
	readonly #display: RobotDisplay;
	readonly #thread: AssetThread;
	readonly #live: LiveRobot;
	readonly #film: Film;
	#opening = 0;
	/** Whether the thread that reads assets died since an asset was opened by a person. */
	#isRevived = false;
	#textTimer = 0;
	/** Told when something changed that is drawn in panels. */
	onChange: () => void = () => {};

	constructor(view: SceneView) {
		this.#view = view;
		this.#display = new RobotDisplay(view);
		this.#film = new Film(() => view.stream());
		this.#thread = new AssetThread((why) => void this.#outlive(why));
		this.player = new SimulationPlayer(
			(frame) => this.#show(frame),
			() => this.onChange(),
		);
		this.poser = new PoseControl({
			session: () => this.#session,
			place: (poses) => this.#display.place(poses, 1),
			tell: () => this.onChange(),
			fail: (error) => this.#fail(messageOf(error)),
		});
		this.#live = new LiveRobot({
			session: () => this.#session,
			player: this.player,
			onEnd: (problem) => (problem === undefined ? this.onChange() : this.#fail(problem)),
		});
		this.tools = new PictureTools(view, () => this.onChange());
		view.setTheme(this.theme);
	}

	/** Joint coordinates that are shown [m, rad, quaternion]: of the pose, or of the moment of a simulation. */
	get coordinates(): Float64Array {
		return this.poser.coordinates;
	}

	get files(): FolderFiles {
		return this.#files.current;
	}

	/** Folder on disk that changes can be written to. */
	get folder(): FileSystemDirectoryHandle | undefined {
		return this.#files.folder;
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
		this.#files.take(files);
		this.#isRevived = false;
		this.entries = entries.includes(chosen) ? entries : [chosen, ...entries];
		this.choices = STAGE_CHOICES_DEFAULTS;
		await this.#open(
			`opening ${chosen}`,
			(isCurrent) => this.#openIn(files, chosen, STAGE_CHOICES_DEFAULTS, isCurrent),
			true,
		);
	}

	/** Opens what a source gives once it has been read. */
	async openFrom(
		what: string,
		read: () => Promise<{ readonly files: FolderFiles; readonly entry?: string }>,
	): Promise<void> {
		this.#work(`reading ${what}`);
		// gets ready meanwhile
		this.#thread.start();
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
		if (this.busy === undefined) await this.#thread.clear();
		else this.#dropThread();
		this.poser.take(undefined, true);
		this.tools.reset();
		this.#display.clear();
		this.#files.take(new Map());
		this.asset = undefined;
		this.text = undefined;
		this.findings = undefined;
		this.fixes = undefined;
		this.prim = undefined;
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
		this.#files.folder = folder;
		this.onChange();
	}

	/** Files that are not as they were opened or last written; undefined for those that are gone. */
	changes(): FileChanges {
		return this.#files.changes();
	}

	/** How many files are not as they were opened. */
	get changedCount(): number {
		return this.#files.changedCount;
	}

	/** Writes what changed to the folder that was opened, or offers it for download. */
	async save(): Promise<void> {
		if (this.changedCount > 0) await this.#try('writing', () => this.#files.save(`${this.#stem()}-changes.zip`));
	}

	/** Takes files that were missing from others, those with the most alike paths; gives how many were found. */
	async addMissing(files: FolderFiles): Promise<number> {
		const found = findMissing(this.asset?.missing ?? [], files, this.asset?.entry ?? '');
		if (found.size === 0) this.#fail('none of the files that are missing is there');
		else await this.#write(found);
		return found.size;
	}

	/** Takes files that changed where they came from; undefined for those that are gone. */
	async takeFiles(changes: FileChanges): Promise<void> {
		this.#files.changedOutside(changes);
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
		this.#display.select(link);
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
		this.#display.select(link);
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
		this.#display.showOverlay(name, overlays.has(name));
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
		const at = [...this.#display.poses.subarray(7 * this.link, 7 * this.link + 3)];
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
		return this.#files.canUndo;
	}

	async undo(): Promise<void> {
		const last = this.#files.lastUndo();
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
		await this.#try(`connecting to ${address}`, async () => {
			await this.#live.connect(address);
			this.tab = 'simulate';
		});
	}

	/** Whether a robot is listened to. */
	get isConnected(): boolean {
		return this.#live.isConnected;
	}

	disconnect(): void {
		this.#live.disconnect();
		this.onChange();
	}

	/** Draws worlds nearer to each other or farther apart: 0 over each other, 1 beside each other. */
	setSpread(spread: number): void {
		this.spread = spread;
		const { worlds, frames, solver } = this.player;
		const isGrid = worlds > 1 && solver !== 'both' && frames.length > 0;
		this.#display.setSpread(isGrid ? frames[0]!.poses : new Float32Array(), isGrid ? worlds : 1, spread);
		if (worlds > 1) this.#view.fit();
		this.onChange();
	}

	async stopSimulation(): Promise<void> {
		this.disconnect();
		await this.player.stop();
		this.#display.setSpread(new Float32Array(), 1, 0);
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
		return this.#film.isRunning;
	}

	/** Starts a video of the picture, or ends it and offers it for download. */
	film(): void {
		this.#film.toggle();
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
		return { poses: this.#display.poses, view: this.#view, overlays: this.#display.overlays };
	}

	#stem(): string {
		return (this.asset?.name ?? 'robot').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
	}

	async #open(what: string, open: (isCurrent: () => boolean) => Promise<OpenedAsset>, isNew: boolean): Promise<void> {
		const turn = ++this.#opening;
		const isCurrent = (): boolean => turn === this.#opening;
		this.#work(what);
		this.disconnect();
		await this.player.stop();
		try {
			const asset = await open(isCurrent);
			if (isCurrent()) await this.#take(asset, isNew, isCurrent);
		} catch (error) {
			if (isCurrent()) this.#fail(messageOf(error));
		}
	}

	async #take(asset: OpenedAsset, isNew: boolean, isCurrent: () => boolean): Promise<void> {
		const before = this.asset?.robot?.links[this.link]?.label;
		const { glb: _, ...told } = asset;
		// what is drawn has numbers of its own
		this.asset = told;
		this.fixes = undefined;
		if (isNew) {
			this.findings = undefined;
			this.text = undefined;
			this.lens = asset.robot === undefined ? 'prims' : 'links';
			this.tools.reset();
		}
		this.poser.take(asset.robot, isNew);
		await this.#display.show(asset, this.overlays, isNew, isCurrent);
		if (!isCurrent()) return;
		this.busy = undefined;
		this.problem = undefined;
		this.select(asset.robot?.links.findIndex(({ label }) => label === before) ?? -1);
	}

	#show({ poses, coordinates, contacts, points = new Float32Array() }: SimulationFrame): void {
		this.#display.setSensed(contacts, points);
		this.#display.place(poses, this.player.worlds);
		this.poser.coordinates = coordinates;
		this.onChange();
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
	async #write(changes: FileChanges, isUndoable = true): Promise<void> {
		await this.#session.write(changes);
		this.#files.change(changes, isUndoable);
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

	get #session(): Remote<AssetWork> {
		return this.#thread.session;
	}

	/** Goes on after the thread that reads assets died: a new one opens the asset again, once. */
	async #outlive(why: string): Promise<void> {
		this.poser.restart();
		this.#opening++;
		const entry = this.asset?.entry;
		const message = `the thread that reads assets ended: ${why}`;
		if (entry === undefined || this.#isRevived) {
			this.#fail(`${message}; open the asset again`);
			return;
		}
		this.#isRevived = true;
		const { files, choices } = this;
		await this.#open('opening the asset again', (isCurrent) => this.#openIn(files, entry, choices, isCurrent), false);
		if (this.problem === undefined) this.#fail(`${message}; the asset was opened again`);
	}

	/** Gives up the thread that reads assets; another one starts when it is needed. */
	#dropThread(): void {
		this.#thread.drop();
		this.poser.restart();
	}

	/** Opens a file in the thread; boxes are shown first where it takes its time. */
	async #openIn(
		files: FolderFiles,
		entry: string,
		choices: StageChoices,
		isCurrent: () => boolean,
	): Promise<OpenedAsset> {
		const isLarge = [...files.values()].reduce((sum, { length }) => sum + length, 0) > LARGE;
		if (!isLarge) void this.#session.prepare();
		await this.#thread.give(files);
		if (isLarge) {
			const outline = await this.#session.outline(entry, choices);
			void this.#session.prepare();
			if (outline !== undefined && isCurrent()) await this.#display.showOutline(outline, isCurrent);
		}
		return this.#session.open(entry, choices);
	}
}

/** The sentence of an error, without the name of its class. */
function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
