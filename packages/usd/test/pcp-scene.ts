import {
	CompositionCache,
	type CompositionOptions,
	DefaultResolver,
	isLayerFailure,
	type Layer,
	LayerRegistry,
	MemoryBackend,
	Path,
	type PrimIndex,
} from '../src/index.ts';

/** A few text layers that compose. */
export class Scene {
	readonly registry: LayerRegistry;
	readonly cache: CompositionCache;

	/** @param files - texts by name, without the header; `root.usda` is the root layer, `session.usda` the session layer */
	constructor(files: Readonly<Record<string, string>>, options: Partial<CompositionOptions> = {}) {
		const encoder = new TextEncoder();
		const entries = Object.entries(files).map(
			([name, text]) => [name, encoder.encode(`#usda 1.0\n${text}\n`)] as const,
		);
		const resolver = new DefaultResolver({ backend: new MemoryBackend(entries) });
		this.registry = new LayerRegistry({ resolver });
		const sessionLayer = 'session.usda' in files ? this.layer('session.usda') : undefined;
		const rootLayer = this.layer('root.usda');
		this.cache = new CompositionCache({ rootLayer, sessionLayer, source: this.registry, ...options });
	}

	layer(name: string): Layer {
		const found = this.registry.openSync(name);
		if (isLayerFailure(found)) throw new Error(`${name}: ${found.failure}`);
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
