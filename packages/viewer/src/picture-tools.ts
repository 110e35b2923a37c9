import type { Vector3 } from 'three';
import type { SceneView, SectionAxis } from './view/scene-view.ts';

/** Ways to look at the picture: edges, a cut, and a ruler between two points. */
export class PictureTools {
	isWireframe = false;
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

	setWireframe(isOn: boolean): void {
		this.isWireframe = isOn;
		this.#view.setWireframe(isOn);
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
