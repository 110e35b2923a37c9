import { isAssetFailure, type Layer, MemoryStore } from '@manyworlds/usd';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';

/** The files below a folder as the store of an asset; messages name them relative to the folder. */
export class AssetFolder extends MemoryStore {
	constructor(dir: string) {
		super(new Map(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)])), { folder: '/asset' });
	}

	/** The layer of a file; throws when it cannot be read. */
	override open(name: string): Layer {
		const found = super.open(name);
		if (isAssetFailure(found)) throw new Error(`${name}: ${found.failure}`);
		return found;
	}
}
