import {
	BufferAttribute,
	BufferGeometry,
	DynamicDrawUsage,
	LineBasicMaterial,
	LineSegments,
	type Vector3,
} from 'three';

/** Draws lines one after the other. */
export interface LineWriter {
	line(from: Vector3, to: Vector3, color: readonly number[]): void;
}

/** Lines that are drawn anew when things move; its memory grows and is kept. */
export class LineCloud extends LineSegments<BufferGeometry, LineBasicMaterial> {
	#positions = new Float32Array(600);
	#colors = new Float32Array(600);

	constructor() {
		super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
		this.frustumCulled = false;
		this.renderOrder = 10;
	}

	draw(write: (lines: LineWriter) => void): void {
		let at = 0;
		write({
			line: (from, to, color) => {
				if (at + 6 > this.#positions.length) this.#grow();
				from.toArray(this.#positions, at);
				to.toArray(this.#positions, at + 3);
				this.#colors.set(color, at);
				this.#colors.set(color, at + 3);
				at += 6;
			},
		});
		const attribute = (data: Float32Array): BufferAttribute => new BufferAttribute(data, 3).setUsage(DynamicDrawUsage);
		if (this.geometry.getAttribute('position')?.array !== this.#positions) {
			this.geometry.dispose();
			this.geometry.setAttribute('position', attribute(this.#positions));
			this.geometry.setAttribute('color', attribute(this.#colors));
		}
		this.geometry.getAttribute('position').needsUpdate = true;
		this.geometry.getAttribute('color').needsUpdate = true;
		this.geometry.setDrawRange(0, at / 3);
	}

	/** Ends of the lines that are drawn. */
	ends(): Float32Array {
		return this.#positions.slice(0, 3 * this.geometry.drawRange.count);
	}

	override dispose(): void {
		this.geometry.dispose();
		this.material.dispose();
	}

	#grow(): void {
		const larger = (old: Float32Array): Float32Array<ArrayBuffer> => {
			const grown = new Float32Array(2 * old.length);
			grown.set(old);
			return grown;
		};
		this.#positions = larger(this.#positions);
		this.#colors = larger(this.#colors);
	}
}
