import { outlineRobot } from '@manyworlds/convert/internal';
import { LoadRules } from '@manyworlds/usd';
import { transfer } from 'comlink';
import { openAsset } from 'manyworlds';
import type { Outline, StageChoices } from './asset-types.ts';
import { ownBytes } from './own-bytes.ts';

/** What of an asset is there at once: its files, and boxes about where its parts are. It is small, as nothing is seen before it. */
export class AssetFront {
	readonly #files: Map<string, Uint8Array>;

	/** `files` are those of the folder. */
	constructor(files: Map<string, Uint8Array>) {
		this.#files = files;
	}

	/** Takes a file of the folder. */
	put(path: string, bytes: Uint8Array): void {
		this.#files.set(path, bytes);
	}

	/** Forgets all files. */
	clear(): void {
		this.#files.clear();
	}

	/** A first look at a file: boxes, which are there long before meshes are read. Undefined for what has none. */
	async outline(entry: string, { unloaded, purposes }: StageChoices): Promise<Outline | undefined> {
		const { format, identifier, store } = await openAsset({ files: this.#files, entry });
		if (format === 'scene') return undefined;
		const drawn = await outlineRobot(identifier, store, format, {
			load: LoadRules.except(unloaded),
			purposes: new Set(['default', ...purposes]),
		});
		if (drawn === undefined) return undefined;
		const glb = ownBytes(drawn);
		return transfer({ glb }, [glb.buffer]);
	}
}
