import type { Contacts } from '@manyworlds/model';

/**
 * Forces of the contacts between trees that sleep, as they were when the last of them fell asleep. Such contacts come in the same order
 * in every step, so each is looked for from where the one before it was found.
 */
export class RestingForces {
	#count = 0;
	/** The two shapes of each contact, and its force; six numbers. */
	#shapes = new Int32Array(32);
	#force = new Float64Array(96);
	#next = 0;

	/** Forgets all. */
	clear(): void {
		this.#count = 0;
	}

	/** Begins a step. */
	begin(): void {
		this.#next = 0;
	}

	/** Keeps the force that a contact has. */
	keep(contacts: Contacts, row: number): void {
		const at = this.#count++;
		if (2 * at >= this.#shapes.length) {
			const [shapes, force] = [this.#shapes, this.#force];
			this.#shapes = new Int32Array(2 * shapes.length);
			this.#force = new Float64Array(2 * force.length);
			this.#shapes.set(shapes);
			this.#force.set(force);
		}
		this.#shapes[2 * at] = contacts.rigidShape0[row]!;
		this.#shapes[2 * at + 1] = contacts.rigidShape1[row]!;
		for (let k = 0; k < 6; k++) this.#force[6 * at + k] = contacts.rigidForce![6 * row + k]!;
	}

	/** Writes the force that was kept for a contact; one that was not there keeps what it has. */
	write(contacts: Contacts, row: number): void {
		const shape0 = contacts.rigidShape0[row]!;
		const shape1 = contacts.rigidShape1[row]!;
		for (let i = 0; i < this.#count; i++) {
			const at = this.#next + i < this.#count ? this.#next + i : this.#next + i - this.#count;
			if (this.#shapes[2 * at] !== shape0 || this.#shapes[2 * at + 1] !== shape1) continue;
			for (let k = 0; k < 6; k++) contacts.rigidForce![6 * row + k] = this.#force[6 * at + k]!;
			this.#next = at + 1;
			return;
		}
	}
}
