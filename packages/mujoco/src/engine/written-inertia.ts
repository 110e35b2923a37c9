import type { Model } from '@manyworlds/model';

/** Mass, centre of mass and inertia of each MuJoCo body as the compiled model has them for its template world. */
export class WrittenInertia {
	/** Thirteen numbers for each body. */
	readonly #values: Float64Array;

	constructor(model: Model, bodies: Int32Array) {
		this.#values = new Float64Array(ROW * bodies.length);
		for (const [id, body] of bodies.entries()) if (body >= 0) this.note(model, id, body);
	}

	/** Whether a body of the model has other values than the compiled one. */
	isChanged(model: Model, id: number, body: number): boolean {
		return model.bodyMass[body] !== this.#values[ROW * id] || this.isReshaped(model, id, body);
	}

	/** Whether a body has another centre of mass or inertia than the compiled one; masses alone can always be written. */
	isReshaped(model: Model, id: number, body: number): boolean {
		const written = this.#values.subarray(ROW * id + 1, ROW * (id + 1));
		for (let i = 0; i < 3; i++) if (model.bodyCom[3 * body + i] !== written[i]) return true;
		for (let i = 0; i < 9; i++) if (model.bodyInertia[9 * body + i] !== written[3 + i]) return true;
		return false;
	}

	/** Remembers the values of a body as the written ones. */
	note(model: Model, id: number, body: number): void {
		const at = ROW * id;
		this.#values[at] = model.bodyMass[body]!;
		this.#values.set(model.bodyCom.subarray(3 * body, 3 * body + 3), at + 1);
		this.#values.set(model.bodyInertia.subarray(9 * body, 9 * body + 9), at + 4);
	}
}

const ROW = 13;
