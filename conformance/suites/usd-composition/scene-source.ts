import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AssetIdentity, Layer, type LayerFailure, type LayerSource } from '@manyworlds/usd';
import { readBytes } from '../../src/files.ts';
import { describe, firstError, loadLayer } from '../../src/usd-io.ts';

/** Layers in files, read when they are asked for. */
export class SceneSource implements LayerSource {
	readonly #layers = new Map<string, Layer | LayerFailure>();

	identify(assetPath: string, anchor: Layer): AssetIdentity {
		return { identifier: resolve(dirname(anchor.identifier), assetPath) };
	}

	layer(identifier: string): Layer | LayerFailure {
		let found = this.#layers.get(identifier);
		if (found === undefined) {
			found = this.#read(identifier);
			this.#layers.set(identifier, found);
		}
		return found;
	}

	#read(path: string): Layer | LayerFailure {
		if (!existsSync(path)) return { failure: '' };
		const { data, report } = loadLayer(readBytes(path), path);
		const error = firstError(report);
		return error === undefined ? new Layer(path, data) : { failure: describe(error) };
	}
}
