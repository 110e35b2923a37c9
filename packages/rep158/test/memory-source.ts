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

/** Files of an asset in memory, by path from its folder. */
export class MemorySource implements CheckSource {
	/** What is wrong with the layers that were read. */
	readonly report: Report = new Report();
	readonly #registry: LayerRegistry;
	readonly #files: ReadonlyMap<string, Uint8Array>;

	constructor(files: Readonly<Record<string, string | Uint8Array>>) {
		const entries = Object.entries(files).map(
			([name, content]) =>
				[`/asset/${name}`, typeof content === 'string' ? new TextEncoder().encode(content) : content] as const,
		);
		this.#files = new Map(entries);
		const backend = new MemoryBackend(entries);
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
