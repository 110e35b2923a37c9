import { Report } from '@manyworlds/core';
import type { CheckSource } from '@manyworlds/rep158';
import {
	type AssetIdentity,
	DefaultResolver,
	isLayerFailure,
	type Layer,
	type LayerFailure,
	LayerRegistry,
	MemoryBackend,
} from '@manyworlds/usd';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';

/** The files below a folder as the source of an asset; messages name them relative to the folder. */
export class AssetFolder implements CheckSource {
	/** What is wrong with the layers that were read. */
	readonly report: Report = new Report();
	readonly #files: ReadonlyMap<string, Uint8Array>;
	readonly #registry: LayerRegistry;

	constructor(dir: string) {
		this.#files = new Map(Array.from(walkFiles(dir), (path) => [`/asset/${caseName(dir, path)}`, readBytes(path)]));
		const backend = new MemoryBackend(this.#files);
		this.#registry = new LayerRegistry({
			resolver: new DefaultResolver({ backend, roots: ['/asset'] }),
			report: this.report,
		});
	}

	/** The layer of a file; throws when there is none. */
	open(name: string): Layer {
		const found = this.#registry.openSync(`/asset/${name}`);
		if (isLayerFailure(found)) throw new Error(`${name}: ${found.failure}`);
		return found;
	}

	identify(assetPath: string, anchor: Layer): AssetIdentity {
		return this.#registry.identify(assetPath, anchor);
	}

	layer(identifier: string): Layer | LayerFailure | undefined {
		return this.#registry.layer(identifier);
	}

	resolve(identifier: string): string | undefined {
		return this.#files.has(identifier) ? identifier : undefined;
	}

	read(identifier: string): Uint8Array | undefined {
		return this.#files.get(identifier);
	}

	name(layer: Layer): string {
		return layer.identifier.replace(/^\/asset\//, '');
	}

	text(layer: Layer): Uint8Array | undefined {
		const bytes = this.#registry.bytesOf(layer);
		return bytes?.[0] === 0x23 ? bytes : undefined;
	}
}
