import type { AssetStore } from '@manyworlds/usd';
import { fileName } from './shape-meshes.ts';
import type { TargetFile } from './target-files.ts';
import { UniqueNames } from './unique-names.ts';

/** Images of a target, each copied once. */
export class TextureFiles {
	readonly files: TargetFile[] = [];
	readonly #store: AssetStore;
	readonly #names = new UniqueNames();
	readonly #known = new Map<string, string | undefined>();

	constructor(store: AssetStore) {
		this.#store = store;
	}

	/** Path of an image that a file names; undefined when it is not there. */
	pathOf(address: string, anchor: string): string | undefined {
		const { identifier, refusal } = this.#store.identify(address, anchor);
		if (this.#known.has(identifier)) return this.#known.get(identifier);
		const content = refusal === undefined ? this.#store.bytes(identifier) : undefined;
		const path = content instanceof Uint8Array ? `textures/${this.#nameOf(address)}` : undefined;
		if (path !== undefined) this.files.push({ path, content: content as Uint8Array });
		this.#known.set(identifier, path);
		return path;
	}

	#nameOf(address: string): string {
		const name = fileName(address.split(/[/\\[\]]/).findLast((part) => part !== '') ?? 'image.png');
		const dot = name.lastIndexOf('.');
		return dot < 1 ? this.#names.take(name) : `${this.#names.take(name.slice(0, dot))}${name.slice(dot)}`;
	}
}
