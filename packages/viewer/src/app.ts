import type { OpenedAsset } from './asset/asset-types.ts';
import { AssetChecker } from './control/asset-checker.ts';
import { AssetExporter } from './control/asset-exporter.ts';
import { AssetOpener } from './control/asset-opener.ts';
import { FileEdits } from './control/file-edits.ts';
import { OpenTexts } from './control/open-texts.ts';
import { PageLook } from './control/page-look.ts';
import { RobotMover } from './control/robot-mover.ts';
import { Selection } from './control/selection.ts';
import { WorkStatus } from './control/work-status.ts';
import type { FolderFiles } from './files/folder-files.ts';
import { PictureTools } from './picture-tools.ts';
import { PoseControl } from './pose-control.ts';
import { RobotDisplay } from './robot-display.ts';
import type { SimulationPlayer } from './simulation/simulation-player.ts';
import type { OverlayView } from './view/overlay-view.ts';
import type { SceneView, SideName } from './view/scene-view.ts';

/**
 * The application: everything a person can do, put together from its subjects. It holds no pixels and no elements; panels draw it and
 * call it.
 */
export class App {
	readonly status: WorkStatus;
	readonly look: PageLook;
	readonly opener: AssetOpener;
	readonly edits: FileEdits;
	readonly selection: Selection;
	readonly texts: OpenTexts;
	readonly checker: AssetChecker;
	readonly mover: RobotMover;
	readonly poser: PoseControl;
	readonly tools: PictureTools;
	readonly exporter: AssetExporter;
	readonly #view: SceneView;
	readonly #display: RobotDisplay;
	/** Told when something changed that is drawn in panels. */
	onChange: () => void = () => {};

	constructor(view: SceneView) {
		const tell = (): void => this.onChange();
		const display = new RobotDisplay(view);
		this.#view = view;
		this.#display = display;
		const status = new WorkStatus(tell);
		this.status = status;
		this.look = new PageLook(view, display, tell);
		this.tools = new PictureTools(view, tell);
		const opener = new AssetOpener({
			status,
			display,
			overlays: () => this.look.overlays,
			halt: () => this.mover.halt(),
			resume: () => this.mover.resume(),
			onThreadLost: () => this.poser.restart(),
			onTaken: (asset, isNew) => this.#take(asset, isNew),
			onShown: () => this.selection.restore(),
			onRecording: (name, bytes) => this.mover.openRecording(name, bytes),
			tell,
		});
		this.opener = opener;
		const session = (): AssetOpener['session'] => opener.session;
		this.poser = new PoseControl({
			session,
			place: (poses, coordinates) => {
				display.setCoordinates(coordinates);
				display.place(poses, 1);
			},
			tell,
			fail: (error) => status.fail(error),
		});
		this.selection = new Selection({ asset: () => opener.asset, session, display, tell });
		this.edits = new FileEdits({
			opener,
			status,
			onChanged: (changes) => this.texts.follow(changes),
			onOutdated: () => this.checker.recheck(),
		});
		const { edits } = this;
		const write: FileEdits['write'] = (changes) => edits.write(changes);
		this.texts = new OpenTexts({ session, write, onOpened: () => this.look.setTab('text'), tell });
		this.checker = new AssetChecker({
			status,
			session,
			write,
			showPrim: (prim) => this.#showPrim(prim),
			showText: (path, line) => this.texts.open(path, line),
			showGhost: (look) => display.showGhost(look),
			onChecked: () => this.look.setTab('findings'),
			tell,
		});
		this.mover = new RobotMover({
			opener,
			status,
			display,
			view,
			poser: this.poser,
			onSource: () => this.look.setTab('simulate'),
			tell,
		});
		this.exporter = new AssetExporter({ opener, status, view, tell });
	}

	/** What is open. */
	get asset(): OpenedAsset | undefined {
		return this.opener.asset;
	}

	/** Files of what is open, as they are now. */
	get files(): FolderFiles {
		return this.opener.files.current;
	}

	/** What is going on, in a few words. */
	get busy(): string | undefined {
		return this.status.busy;
	}

	/** What went wrong last. */
	get problem(): string | undefined {
		return this.status.problem;
	}

	get player(): SimulationPlayer {
		return this.mover.player;
	}

	/** Joint coordinates that are shown [m, rad, quaternion]: of the pose, or of the moment of a simulation. */
	get coordinates(): Float64Array {
		return this.poser.coordinates;
	}

	/** Looks at what is selected, or at everything. */
	focus(): void {
		this.#view.fit(this.selection.link);
	}

	lookFrom(side: SideName): void {
		this.#view.lookFrom(side);
	}

	/** Moves the selected link by so much in the world [m], as far as joints let it. */
	moveSelected(by: readonly [number, number, number]): void {
		const { link } = this.selection;
		if (link < 0 || this.player.isStarted) return;
		const at = [...this.#display.poses.subarray(7 * link, 7 * link + 3)];
		this.poser.reach(link, [0, 0, 0], [at[0]! + by[0], at[1]! + by[1], at[2]! + by[2]]);
	}

	/** One sentence about what the picture shows, for those who do not see it. */
	get summary(): string {
		const { asset } = this;
		if (asset === undefined) return 'Nothing is open.';
		const { links = [], joints = [] } = asset.robot ?? {};
		const moving = joints.filter(({ freedoms }) => freedoms.length > 0).length;
		const selected = links[this.selection.link];
		const others = this.selection.links.size - 1;
		const more = others > 0 ? ` and ${others} more` : '';
		const chosen = selected === undefined ? '' : ` Selected: ${selected.name}${more}.`;
		return `${asset.name}: ${links.length} links, ${moving} joints that move.${chosen}`;
	}

	/** Numbers for tests. */
	get probe(): { readonly poses: Float32Array; readonly view: SceneView; readonly overlays: OverlayView | undefined } {
		return { poses: this.#display.poses, view: this.#view, overlays: this.#display.overlays };
	}

	/** Gets ready for an asset; undefined for none. */
	#take(asset: OpenedAsset | undefined, isNew: boolean): void {
		this.checker.forget(isNew);
		if (isNew) {
			this.selection.clear();
			this.texts.close();
			this.tools.reset();
			if (asset !== undefined) this.look.lens = asset.robot === undefined ? 'prims' : 'links';
		}
		this.poser.take(asset?.robot, isNew);
	}

	async #showPrim(prim: string): Promise<void> {
		await this.selection.selectPrim(prim);
		if (this.selection.link >= 0) this.focus();
	}
}
