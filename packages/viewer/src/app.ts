import type { Diagnostic } from '@manyworlds/core';
import { type Remote, wrap } from 'comlink';
import type { ConvertFormat } from 'manyworlds';
import type { AssetSession } from './asset/asset-session.ts';
import type { ChosenVariant, FixPreview, FolderFiles, OpenedAsset, PropertyRow } from './asset/asset-types.ts';
import { download } from './files/download.ts';
import { fetchFolder } from './files/fetch-folder.ts';
import { findEntries } from './files/find-entries.ts';
import { SimulationPlayer } from './simulation/simulation-player.ts';
import type { SimulationFrame, SolverChoice } from './simulation/simulation-session.ts';
import { type OverlayName, OverlayView } from './view/overlay-view.ts';
import { RobotView } from './view/robot-view.ts';
import type { SceneView } from './view/scene-view.ts';

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
	coordinates: Float64Array = new Float64Array();
	overlays: ReadonlySet<OverlayName> = new Set();
	choices: readonly ChosenVariant[] = [];
	properties: readonly PropertyRow[] = [];
	findings: readonly Diagnostic[] | undefined;
	fixes: FixPreview | undefined;
	text: OpenText | undefined;
	theme: 'light' | 'dark' = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
	isDegrees = true;
	readonly player: SimulationPlayer;
	readonly #undo: Undo[] = [];
	readonly #view: SceneView;
	#worker: Worker | undefined;
	#remote: Remote<AssetSession> | undefined;
	#robot: RobotView | undefined;
	#overlayView: OverlayView | undefined;
	#opening = 0;
	#posing: { isRunning: boolean; next?: Float64Array } = { isRunning: false };
	#textTimer = 0;
	#film: MediaRecorder | undefined;
	#drawn = 0;
	#shownPoses: Float32Array = new Float32Array();
	/** Told when something changed that is drawn in panels. */
	onChange: () => void = () => {};

	constructor(view: SceneView) {
		this.#view = view;
		this.player = new SimulationPlayer(
			(frame) => this.#show(frame),
			() => this.onChange(),
		);
		view.setTheme(this.theme);
	}

	/** Opens files; the one that is meant, or the most likely one. */
	async openFiles(files: FolderFiles, entry?: string): Promise<void> {
		const entries = findEntries(files);
		const chosen = entry ?? entries[0];
		if (chosen === undefined) {
			this.#fail(
				`nothing in ${files.size === 1 ? 'this file' : `these ${files.size} files`} can be opened: expected OpenUSD, URDF, MJCF, SDF or a scene`,
			);
			return;
		}
		this.files = files;
		this.entries = entries.includes(chosen) ? entries : [chosen, ...entries];
		this.choices = [];
		this.#undo.length = 0;
		await this.#open(`opening ${chosen}`, () => this.#session.open(files, chosen), true);
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

	/** Opens a folder that a server lists at an address. */
	openFolder(listAddress: string, what: string = listAddress): Promise<void> {
		return this.openFrom(what, () => fetchFolder(listAddress));
	}

	async chooseVariant(prim: string, set: string, variant: string): Promise<void> {
		const others = this.choices.filter((choice) => choice.prim !== prim || choice.set !== set);
		this.choices = [...others, { prim, set, variant }];
		await this.#open(`selecting ${variant}`, () => this.#session.reopen(this.choices), false);
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
		this.coordinates = this.coordinates.slice();
		this.coordinates[coordinate] = value;
		const joint = this.asset?.robot?.joints.find(({ freedoms }) =>
			freedoms.some((freedom) => freedom.coordinate === coordinate),
		);
		if (this.player.isStarted) {
			if (joint?.freedoms.length === 1) this.player.setTarget(joint.label, value);
		} else this.#pose(this.coordinates);
		this.onChange();
	}

	/** Puts every joint somewhere: at the start, at zero where limits let it be, or anywhere within its limits. */
	setPose(where: 'start' | 'zero' | 'random'): void {
		const robot = this.asset?.robot;
		if (robot === undefined) return;
		const next = robot.coordinates.slice();
		for (const { lower, upper, coordinate, isFollower, motion } of robot.joints.flatMap(({ freedoms }) => freedoms)) {
			if (where === 'start' || isFollower) continue;
			const [low, high] = [
				Math.max(lower, motion === 'turn' ? -Math.PI : -1),
				Math.min(upper, motion === 'turn' ? Math.PI : 1),
			];
			next[coordinate] = where === 'zero' ? Math.min(Math.max(0, lower), upper) : low + this.#draw() * (high - low);
		}
		this.coordinates = next;
		this.#pose(next);
		this.onChange();
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
			const { files, entry } = await this.#session.subject();
			const posed = this.#posedJoints();
			await this.player.start(files, entry, {
				solver,
				worlds,
				...(keyframe !== undefined && keyframe !== '' && { keyframe }),
				...(posed !== undefined && keyframe === undefined && { joints: posed }),
			});
			if (this.player.worlds > 1) this.#view.fit();
		});
	}

	async stopSimulation(): Promise<void> {
		await this.player.stop();
		this.#pose(this.coordinates);
	}

	async exportTo(format: ConvertFormat, extension: string): Promise<void> {
		await this.#try(`writing ${format}`, async () => {
			const { files } = await this.#session.convert(format);
			const stem = (this.asset?.name ?? 'robot').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
			download(`${stem}.${extension}`, files);
		});
	}

	async downloadFiles(): Promise<void> {
		const files = await this.#session.files();
		const stem = (this.asset?.name ?? 'robot').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
		download(`${stem}.zip`, files);
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

	/** Numbers between 0 and 1 that look random and are the same in every session. */
	#draw(): number {
		this.#drawn = (this.#drawn + 0.618033988749895) % 1;
		return this.#drawn;
	}

	async #open(what: string, open: () => Promise<OpenedAsset>, isNew: boolean): Promise<void> {
		const turn = ++this.#opening;
		this.#work(what);
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
		this.coordinates = asset.robot?.coordinates ?? new Float64Array();
		const { robot } = asset;
		if (isNew && robot !== undefined && asset.glb !== undefined) {
			const boxes = RobotView.boxes(robot);
			boxes.setPoses(robot.poses, robot.links.length, 1);
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
		this.#overlayView = robot === undefined ? undefined : new OverlayView(robot, this.#view.extent() * AXIS_SHARE);
		this.#view.setRobot(view, this.#overlayView);
		for (const name of this.overlays) this.#overlayView?.show(name, true);
		this.#shownPoses = robot?.poses ?? new Float32Array();
		this.busy = undefined;
		this.problem = undefined;
		this.select(robot?.links.findIndex(({ label }) => label === before) ?? -1);
	}

	/** Moves links to joint coordinates; while one pose is worked out, only the newest wish is kept. */
	#pose(coordinates: Float64Array): void {
		if (this.#posing.isRunning) {
			this.#posing.next = coordinates;
			return;
		}
		this.#posing = { isRunning: true };
		void this.#session
			.pose(coordinates)
			.then(({ poses, coordinates: settled }) => {
				this.coordinates = settled;
				this.#place(poses, 1);
				this.onChange();
			})
			.catch((error: unknown) => this.#fail(messageOf(error)))
			.finally(() => {
				const { next } = this.#posing;
				this.#posing = { isRunning: false };
				if (next !== undefined) this.#pose(next);
			});
	}

	#show({ poses, coordinates, contacts }: SimulationFrame): void {
		this.#overlayView?.setContacts(contacts);
		this.#place(poses, this.player.worlds);
		this.coordinates = coordinates;
		this.onChange();
	}

	#place(poses: Float32Array, worlds: number): void {
		const links = this.asset?.robot?.links.length ?? 0;
		this.#shownPoses = poses;
		this.#robot?.setPoses(poses, links, worlds);
		this.#overlayView?.setPoses(poses);
		this.#view.invalidate();
	}

	/** Joints that a person moved, by label; undefined when none. */
	#posedJoints(): Record<string, number> | undefined {
		const { coordinates: start = new Float64Array(), joints = [] } = this.asset?.robot ?? {};
		const posed = joints.flatMap(({ label, freedoms }): [string, number][] => {
			const [freedom, ...others] = freedoms;
			if (freedom === undefined || others.length > 0 || freedom.isFollower) return [];
			const value = this.coordinates[freedom.coordinate]!;
			return value === start[freedom.coordinate] ? [] : [[label, value]];
		});
		return posed.length === 0 ? undefined : Object.fromEntries(posed);
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
		const before = await this.#session.files();
		if (isUndoable) this.#undo.push(new Map([...changes.keys()].map((path) => [path, before.get(path)])));
		await this.#session.write(changes);
		this.files = await this.#session.files();
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
		const worker = new Worker(new URL('./asset/asset-worker.ts', import.meta.url), { type: 'module' });
		worker.addEventListener('error', (event) => {
			event.preventDefault();
			worker.terminate();
			if (this.#worker !== worker) return;
			this.#worker = undefined;
			this.#remote = undefined;
			this.#fail(
				`the thread that reads assets ended: ${event.message || 'it ran out of memory'}; open the asset again`,
			);
		});
		this.#worker = worker;
		this.#remote = wrap<AssetSession>(worker);
		return this.#remote;
	}
}

/** The sentence of an error, without the name of its class. */
function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
