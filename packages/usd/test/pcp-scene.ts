import { isAssetFailure, type Layer, MemoryStore, Path } from '../src/index.ts';
import { CompositionCache, type CompositionOptions, type PrimIndex } from '../src/internal.ts';

/** A few text layers that compose. */
export class Scene {
	readonly store: MemoryStore;
	readonly cache: CompositionCache;

	/** @param files - texts by name, without the header; `root.usda` is the root layer, `session.usda` the session layer */
	constructor(files: Readonly<Record<string, string>>, options: Partial<CompositionOptions> = {}) {
		const entries = Object.entries(files).map(([name, text]) => [name, `#usda 1.0\n${text}\n`] as const);
		this.store = new MemoryStore(new Map(entries), { brokenLayers: 'refuse' });
		const sessionLayer = 'session.usda' in files ? this.layer('session.usda') : undefined;
		const rootLayer = this.layer('root.usda');
		this.cache = new CompositionCache({ rootLayer, sessionLayer, store: this.store, ...options });
	}

	layer(name: string): Layer {
		const found = this.store.open(name);
		if (isAssetFailure(found)) throw new Error(`${name}: ${found.failure}`);
		return found;
	}

	index(path: string): PrimIndex {
		return this.cache.primIndex(Path.parse(path)!);
	}

	/** The prim stack as `layer path`, with ` offset scale` where they matter. */
	stack(path: string): string[] {
		return this.index(path)
			.primStack()
			.map(({ layer, path: spec, offset }) => {
				const time = offset.offset === 0 && offset.scale === 1 ? '' : ` ${offset.offset} ${offset.scale}`;
				return `${layer.identifier} ${spec}${time}`;
			});
	}

	children(path: string): readonly string[] {
		return this.index(path).childNames().names;
	}

	errors(path: string): string[] {
		return this.index(path).errors.map(({ kind }) => kind);
	}
}
