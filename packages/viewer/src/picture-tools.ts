import type { Vector3 } from 'three';
import type { SceneView, SectionAxis } from './view/scene-view.ts';
import type { SurfaceLook } from './view/surface-looks.ts';

/** Ways to look at the picture: rays, surfaces, a cut, and a ruler between two points. */
export class PictureTools {
	look: SurfaceLook = 'plain';
	section: SectionAxis | undefined;
	/** Where the cut is, 0 to 1 of what is shown. */
	share = 0.5;
	isMeasuring = false;
	readonly #view: SceneView;
	readonly #tell: () => void;
	#points: readonly Vector3[] = [];

	constructor(view: SceneView, tell: () => void) {
		this.#view = view;
		this.#tell = tell;
	}

	/** Looks as at first. */
	reset(): void {
		this.setSection(undefined);
		this.setMeasuring(false);
	}

	/** Draws surfaces in another way. */
	setLook(look: SurfaceLook): void {
		this.look = look;
		this.#view.setLook(look);
		this.#tell();
	}

	get isParallel(): boolean {
		return this.#view.isParallel;
	}

	/** Looks with parallel rays, or in perspective. */
	setParallel(isOn: boolean): void {
		this.#view.setParallel(isOn);
		this.#tell();
	}

	setSection(axis: SectionAxis | undefined, share: number = this.share): void {
		this.section = axis;
		this.share = share;
		this.#view.setSection(axis, share);
		this.#tell();
	}

	/** While measuring, clicks put the ends of a ruler. */
	setMeasuring(isOn: boolean): void {
		this.isMeasuring = isOn;
		this.#points = [];
		this.#view.setRuler([]);
		this.#tell();
	}

	/** Puts the next end of the ruler; a third point begins anew. */
	mark(point: Vector3 | undefined): void {
		if (point === undefined) return;
		this.#points = this.#points.length === 2 ? [point] : [...this.#points, point];
		this.#view.setRuler(this.#points);
		this.#tell();
	}

	/** What the ruler says. */
	get measured(): string {
		const [from, to] = this.#points;
		if (from === undefined) return 'Click on two points.';
		if (to === undefined) return 'Click on another point.';
		const way = to.clone().sub(from);
		const along = way.toArray().map((value) => value.toFixed(4));
		return `${way.length().toFixed(4)} m (${along.join(', ')})`;
	}
}
