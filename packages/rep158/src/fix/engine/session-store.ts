import type { AssetFailure, AssetIdentity, AssetStore, Layer } from '@manyworlds/usd';

/** The files of an asset and those that were made for it. */
export class SessionStore implements Pick<AssetStore, 'identify' | 'exists' | 'layer'> {
	readonly #base: AssetStore;
	readonly #layers: ReadonlyMap<string, Layer>;
	readonly #files: ReadonlyMap<string, Uint8Array>;

	constructor(base: AssetStore, layers: ReadonlyMap<string, Layer>, files: ReadonlyMap<string, Uint8Array>) {
		this.#base = base;
		this.#layers = layers;
		this.#files = files;
	}

	identify(assetPath: string, anchor: string): AssetIdentity {
		const found = this.#base.identify(assetPath, anchor);
		if (found.identifier !== assetPath || found.refusal !== undefined) return found;
		// the store leaves what is nowhere as it is; what was made is beside
		const beside = this.#base.identify(`./${assetPath}`, anchor);
		return this.#isMade(beside.identifier) ? beside : found;
	}

	layer(identifier: string): Layer | AssetFailure | undefined {
		return this.#layers.get(identifier) ?? this.#base.layer(identifier);
	}

	exists(identifier: string): boolean | undefined {
		return this.#isMade(identifier) || this.#base.exists(identifier);
	}

	#isMade(identifier: string): boolean {
		return this.#layers.has(identifier) || this.#files.has(identifier);
	}
}
