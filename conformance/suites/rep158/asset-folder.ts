import { MemorySource } from '../../../packages/rep158/test/memory-source.ts';
import { caseName, readBytes, walkFiles } from '../../src/files.ts';

/** The files below a folder as the source of an asset; messages name them relative to the folder. */
export class AssetFolder extends MemorySource {
	constructor(dir: string) {
		super(Object.fromEntries(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)])));
	}
}
