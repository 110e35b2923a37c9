import { FileStore, type FileStoreOptions } from '@manyworlds/node';
import { isAssetFailure, type Layer } from '@manyworlds/usd';

/** All files on disk. Layers with errors are refused, as OpenUSD refuses them, unless the options say otherwise. */
export class DiskStore extends FileStore {
	constructor(options: Partial<FileStoreOptions> = {}) {
		super({ roots: ['/'], brokenLayers: 'refuse', ...options });
	}

	/** The layer of a file; throws when it cannot be read. */
	override open(file: string): Layer {
		const found = super.open(file);
		if (isAssetFailure(found)) throw new Error(`${file}: ${found.failure}`);
		return found;
	}
}
