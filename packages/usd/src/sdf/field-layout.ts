/**
 * The names of the fields of a spec, shared by all specs of a layer that have the same ones in the same order. A layer has
 * few layouts and many specs, so each spec holds its values only.
 */
export class FieldLayout {
	readonly names: readonly string[];
	readonly #root: FieldLayout;
	readonly #longer = new Map<string, FieldLayout>();

	/** A layout without fields, from which all others of a layer come. */
	static empty(): FieldLayout {
		return new FieldLayout([], undefined);
	}

	private constructor(names: readonly string[], root: FieldLayout | undefined) {
		this.names = names;
		this.#root = root ?? this;
	}

	/** Position of a field, -1 when there is none of this name. */
	indexOf(name: string): number {
		return this.names.indexOf(name);
	}

	/** This layout with one more field at its end. */
	with(name: string): FieldLayout {
		let longer = this.#longer.get(name);
		if (longer === undefined) {
			longer = new FieldLayout([...this.names, name], this.#root);
			this.#longer.set(name, longer);
		}
		return longer;
	}

	/** This layout without the field at a position. */
	without(index: number): FieldLayout {
		let layout = this.#root;
		for (const [i, name] of this.names.entries()) if (i !== index) layout = layout.with(name);
		return layout;
	}
}
