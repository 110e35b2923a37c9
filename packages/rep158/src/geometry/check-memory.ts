import type { Layer } from '@manyworlds/usd';
import type { MeshFacts } from './mesh-facts.ts';

/** Triangles of meshes that are remembered from one check to the next. */
const MOST_TRIANGLES = 2_000_000;

interface Remembered {
	/** Layers that the mesh was read from. One that is read anew is another. */
	readonly layers: readonly (Layer | undefined)[];
	readonly facts: MeshFacts | undefined;
}

/**
 * What one check of an asset leaves to the next: facts about meshes whose layers are still the same, which take most of the time
 * of a check. For programs that check an asset again and again while it is edited.
 * @public
 */
export class CheckMemory {
	readonly #known = new Map<string, Remembered>();
	readonly #used = new Set<string>();

	/** Begins a check. @internal */
	begin(): void {
		this.#used.clear();
	}

	/** The facts about a mesh, made when they are not known. @internal */
	recall(
		key: string,
		layers: readonly (Layer | undefined)[],
		make: () => MeshFacts | undefined,
	): MeshFacts | undefined {
		this.#used.add(key);
		const known = this.#known.get(key);
		if (known?.layers.every((layer, i) => layer === layers[i])) return known.facts;
		const facts = make();
		this.#known.set(key, { layers, facts });
		return facts;
	}

	/** Ends a check that went through: what it did not ask for is forgotten. @internal */
	end(): void {
		let triangles = 0;
		for (const [key, { facts }] of this.#known) {
			triangles += facts?.arrays.counts.length ?? 0;
			if (!this.#used.has(key) || triangles > MOST_TRIANGLES) this.#known.delete(key);
		}
	}
}
