import { Matrix4, type Vector3 } from 'three';
import type { App } from './app.ts';
import { writePose } from './view/pose-matrix.ts';
import type { SceneView } from './view/scene-view.ts';

/** A link that a person takes along in the picture: by a force while a simulation runs, else by its joints. */
export class PulledLink {
	readonly #view: SceneView;
	readonly #app: App;
	readonly #link: number;
	/** Where it was taken: in the world, and in the frame of the link. */
	readonly #start: Vector3;
	readonly #local: readonly number[];

	/** The link at a place of the canvas; undefined where there is none. */
	static at(view: SceneView, app: App, x: number, y: number): PulledLink | undefined {
		const link = view.pick(x, y);
		const start = link < 0 ? undefined : view.pointOn(link, x, y);
		return start === undefined ? undefined : new PulledLink(view, app, link, start);
	}

	private constructor(view: SceneView, app: App, link: number, start: Vector3) {
		this.#view = view;
		this.#app = app;
		this.#link = link;
		this.#start = start;
		const toLink = writePose(new Matrix4(), app.probe.poses, 7 * link).invert();
		this.#local = start.clone().applyMatrix4(toLink).toArray();
		view.setCameraMoves(false);
		app.selection.select(link);
	}

	moveTo(x: number, y: number): void {
		const target = this.#view.pointBeside(this.#start, x, y);
		if (this.#app.player.isStarted) this.#app.player.pull(this.#link, this.#local, target.toArray());
		else this.#app.poser.reach(this.#link, this.#local, target.toArray());
	}
}
