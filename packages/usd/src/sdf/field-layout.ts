/** Layouts after which new layers get another root, so that names of layers nobody holds do not pile up. */
const MOST_LAYOUTS = 2000;

/** Names that a shared layout has at most. */
const MOST_SHARED = 48;

/**
 * The names of the fields of a spec, shared by all specs that have the same ones in the same order. Layers have
 * few layouts and many specs, so each spec holds its values only. A spec with very many fields has a layout of its own,
 * which grows in place: shared ones would cost the square of the number of fields.
 */
export class FieldLayout {
	readonly #names: string[];
	readonly #root: FieldLayout;
	#longer: Map<string, FieldLayout> | undefined;
	/** Positions by name, in a layout that belongs to one spec. */
	readonly #positions: Map<string, number> | undefined;
	/** Layouts that came from this root. */
	#count = 0;

	static #shared: FieldLayout = new FieldLayout([], undefined);

	/** A layout without fields, from which all others of a layer come. Layers share it until very many have come from it. */
	static empty(): FieldLayout {
		if (FieldLayout.#shared.#count > MOST_LAYOUTS) FieldLayout.#shared = new FieldLayout([], undefined);
		return FieldLayout.#shared;
	}

	private constructor(names: string[], root: FieldLayout | undefined) {
		this.#names = names;
		this.#root = root ?? this;
		this.#positions = names.length > MOST_SHARED ? new Map(names.map((name, at) => [name, at])) : undefined;
	}

	get names(): readonly string[] {
		return this.#names;
	}

	/** Position of a field, -1 when there is none of this name. */
	indexOf(name: string): number {
		return this.#positions === undefined ? this.#names.indexOf(name) : (this.#positions.get(name) ?? -1);
	}

	/** This layout with one more field at its end. A long one is changed itself. */
	with(name: string): FieldLayout {
		if (this.#positions !== undefined) {
			this.#positions.set(name, this.#names.length);
			this.#names.push(name);
			return this;
		}
		if (this.#names.length === MOST_SHARED) return new FieldLayout([...this.#names, name], this.#root);
		this.#longer ??= new Map();
		let longer = this.#longer.get(name);
		if (longer === undefined) {
			longer = new FieldLayout([...this.#names, name], this.#root);
			this.#longer.set(name, longer);
			this.#root.#count++;
		}
		return longer;
	}

	/** This layout without the field at a position. */
	without(index: number): FieldLayout {
		let layout = this.#root;
		for (const [i, name] of this.#names.entries()) if (i !== index) layout = layout.with(name);
		return layout;
	}
}
