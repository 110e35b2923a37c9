import type { Path } from '../sdf/path.ts';
import type { LayerStack } from './layer-stack.ts';
import type { PrimIndex } from './prim-index.ts';

/** Remembers which prims of the stage depend on which sites, to find those that a change outdates. */
export class Dependencies {
	/** Paths of the prims that introduced a site, by layer stack and site path; sites below follow from it. */
	readonly #byStack = new Map<LayerStack, Map<Path, Set<Path>>>();

	/** Records the sites of an index that are not just those of its parent, one level deeper. */
	add(index: PrimIndex): void {
		for (let i = 1; i < index.nodes.length; i++) {
			const { layerStack, path } = index.nodes[i]!;
			let sites = this.#byStack.get(layerStack);
			if (sites === undefined) {
				sites = new Map();
				this.#byStack.set(layerStack, sites);
			}
			const prims = sites.get(path);
			if (prims === undefined) sites.set(path, new Set([index.path]));
			else prims.add(index.path);
		}
	}

	/** The prims whose indexes a change of a site outdates, with all below them. */
	*dependents(layerStack: LayerStack, path: Path): Generator<Path> {
		const sites = this.#byStack.get(layerStack);
		if (sites === undefined) return;
		const plain = path.stripVariants();
		for (const [site, prims] of sites) {
			if (path.hasPrefix(site)) {
				const from = site.stripVariants();
				// relocates can move what lies below a site anywhere
				const isMoved = layerStack.relocates !== undefined;
				for (const prim of prims) yield isMoved ? prim : plain.replacePrefix(from, prim);
			} else if (site.hasPrefix(path)) {
				yield* prims;
			}
		}
	}

	/** The prims that depend on anything in a layer stack. */
	*allDependents(layerStack: LayerStack): Generator<Path> {
		for (const prims of this.#byStack.get(layerStack)?.values() ?? []) yield* prims;
	}

	forgetStack(layerStack: LayerStack): void {
		this.#byStack.delete(layerStack);
	}

	clear(): void {
		this.#byStack.clear();
	}
}
