import type { FixedLook, OpenedAsset, Outline } from './asset/asset-types.ts';
import { nextTask } from './next-task.ts';
import { type OverlayName, OverlayView } from './view/overlay-view.ts';
import { RobotView } from './view/robot-view.ts';
import type { SceneView } from './view/scene-view.ts';
import { worldShifts } from './view/world-shifts.ts';

/** Size of axes, as part of the size of a robot. */
const AXIS_SHARE = 0.06;

/**
 * What is seen of an asset: its looks, what is drawn over them, and where its links are. A new asset is taken in pieces of work
 * between which the page draws and takes clicks.
 */
export class RobotDisplay {
	readonly #view: SceneView;
	#robot: RobotView | undefined;
	#overlays: OverlayView | undefined;
	#links = 0;
	#ghosts = 0;
	/** Size of one robot [m]. */
	#size = 1;
	/** Poses of links that are shown: position [m] and rotation of each, in each world. */
	poses: Float32Array = new Float32Array();

	constructor(view: SceneView) {
		this.#view = view;
	}

	/** What is drawn over the asset. */
	get overlays(): OverlayView | undefined {
		return this.#overlays;
	}

	/** Shows boxes where the parts of an asset will be. */
	async showOutline({ glb }: Outline, isCurrent: () => boolean): Promise<void> {
		const boxes = await RobotView.of({ glb });
		await this.#view.prepare(boxes);
		if (!isCurrent()) {
			boxes.dispose();
			return;
		}
		this.#replace(boxes);
		this.#view.fit(-1, false);
		performance.mark('manyworlds boxes');
	}

	/** Shows an asset in place of what was there; `isNew` looks at all of it. */
	async show(
		asset: OpenedAsset,
		shown: ReadonlySet<OverlayName>,
		isNew: boolean,
		isCurrent: () => boolean,
	): Promise<void> {
		const { robot } = asset;
		const view = await RobotView.of(asset);
		await nextTask();
		if (robot !== undefined) view.setPoses(robot.poses, robot.links.length, 1);
		await this.#view.prepare(view);
		if (!isCurrent()) {
			view.dispose();
			return;
		}
		this.#replace(view);
		this.poses = robot?.poses ?? new Float32Array();
		this.#links = robot?.links.length ?? 0;
		await nextTask();
		if (isNew) this.#view.fit(-1, false);
		this.#size = this.#view.extent();
		await nextTask();
		if (!isCurrent()) return;
		this.#overlays =
			robot === undefined ? undefined : new OverlayView(robot, this.#size * AXIS_SHARE, () => view.linkBoxes());
		this.#view.setRobot(view, this.#overlays);
		for (const name of shown) this.#overlays?.show(name, true);
		performance.mark('manyworlds shown');
	}

	/** Draws another look of the asset over it, so that both are seen; undefined takes it away. */
	async showGhost(look: FixedLook | undefined): Promise<void> {
		const turn = ++this.#ghosts;
		let ghost: RobotView | undefined;
		if (look !== undefined) {
			ghost = await RobotView.of(look);
			ghost.makeGhost();
			ghost.setPoses(look.poses, look.links.length, 1);
		}
		if (turn === this.#ghosts) this.#view.setGhost(ghost);
		else ghost?.dispose();
	}

	/** Shows nothing. */
	clear(): void {
		this.#view.setRobot(undefined, undefined);
		this.#robot = undefined;
		this.#overlays = undefined;
		this.#links = 0;
		this.poses = new Float32Array();
	}

	/** Marks links, the last one as the one that is looked at. */
	select(links: readonly number[]): void {
		this.#robot?.select(links);
		this.#overlays?.select(links.at(-1) ?? -1);
		this.#view.invalidate();
	}

	/** Draws something over the asset, or no longer. */
	showOverlay(name: OverlayName, isShown: boolean): void {
		this.#overlays?.show(name, isShown);
		this.#view.invalidate();
	}

	/** Takes coordinates of joints and where drives aim, which count from the next poses on; as the file has them unless given. */
	setCoordinates(coordinates: Float64Array, targets?: Float64Array): void {
		this.#overlays?.setCoordinates(coordinates, targets);
	}

	/** Puts links where they are in each world. */
	place(poses: Float32Array, worlds: number): void {
		this.poses = poses;
		this.#robot?.setPoses(poses, this.#links, worlds);
		this.#overlays?.setPoses(poses);
		this.#view.invalidate();
	}

	/** Shows what touches, and what lidars see, from the next poses on. */
	setSensed(contacts: Float32Array, points: Float32Array): void {
		this.#overlays?.setContacts(contacts);
		this.#overlays?.setPoints(points);
	}

	/** Colours worlds: red, green and blue of each; undefined as the asset has them. */
	setWorldColors(colors: Float32Array | undefined): void {
		this.#robot?.setWorldColors(colors);
		this.#view.invalidate();
	}

	/** Draws links no longer. */
	hide(links: ReadonlySet<number>): void {
		this.#robot?.hide(links);
		this.#view.invalidate();
	}

	/** Shows one world alone; undefined shows all. */
	showOnly(world: number | undefined): void {
		this.#robot?.showOnly(world);
		this.#view.invalidate();
	}

	/** Draws worlds apart, in sizes of the robot; 0 where they are. */
	setSpread(poses: Float32Array, worlds: number, spread: number): void {
		this.#robot?.setShifts(worlds > 1 ? worldShifts(poses, worlds, spread * this.#size) : new Float32Array());
		this.#view.invalidate();
	}

	#replace(view: RobotView): void {
		this.#robot = view;
		this.#overlays = undefined;
		this.#view.setRobot(view, undefined);
	}
}
