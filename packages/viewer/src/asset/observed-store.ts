import { type AssetStore, isAssetFailure } from '@manyworlds/usd';
import type { MissingFile } from '../files/folder-files.ts';

/** Remembers what an asset asked for and did not get. */
export class ObservedStore implements AssetStore {
	readonly #store: AssetStore;
	/** Where each identifier was named first, as it was written. */
	readonly #named = new Map<string, { readonly assetPath: string; readonly anchor: string }>();
	readonly #answered = new Set<string>();
	/** Why there was no answer, by identifier; '' when there is just nothing. */
	readonly #refused = new Map<string, string>();

	constructor(store: AssetStore) {
		this.#store = store;
	}

	get report(): AssetStore['report'] {
		return this.#store.report;
	}

	identify(assetPath: string, anchor: string): ReturnType<AssetStore['identify']> {
		const found = this.#store.identify(assetPath, anchor);
		if (!this.#named.has(found.identifier)) this.#named.set(found.identifier, { assetPath, anchor });
		if (found.refusal !== undefined) this.#refused.set(found.identifier, found.refusal);
		return found;
	}

	exists(identifier: string): boolean | undefined {
		return this.#store.exists(identifier);
	}

	layer(identifier: string): ReturnType<AssetStore['layer']> {
		return this.#note(identifier, this.#store.layer(identifier));
	}

	bytes(identifier: string): ReturnType<AssetStore['bytes']> {
		return this.#note(identifier, this.#store.bytes(identifier));
	}

	text(identifier: string): Uint8Array | undefined {
		return this.#store.text(identifier);
	}

	name(identifier: string): string {
		return this.#store.name(identifier);
	}

	missing(): readonly string[] {
		return this.#store.missing();
	}

	load(identifier: string): Promise<void> {
		return this.#store.load(identifier);
	}

	/** Files that were asked for in vain, with the line that names them; similar names among `known` are suggested. */
	refused(known: Iterable<string>): MissingFile[] {
		const names = [...known];
		const found = new Set([...this.#answered].map((identifier) => this.#keyOf(identifier)));
		return [...this.#refused].flatMap(([identifier, why]) => {
			const { assetPath, anchor } = this.#named.get(identifier) ?? { assetPath: identifier, anchor: '' };
			const line = anchor === '' ? undefined : this.#lineOf(assetPath, anchor);
			// readers look in several places for one file; only what is written counts, and only when no place had it
			if (line === 0 || this.#answered.has(identifier) || found.has(this.#keyOf(identifier))) return [];
			const wanted = fileName(identifier).toLowerCase();
			const similar = names.find((name) => name !== identifier && fileName(name).toLowerCase() === wanted);
			const missing: MissingFile = {
				identifier,
				assetPath,
				why: why === '' ? 'there is no such file' : why,
				...(anchor !== '' && { file: this.#store.name(anchor) }),
				...(line !== undefined && { line }),
				...(similar !== undefined && { similar }),
			};
			return [missing];
		});
	}

	#note<T extends Parameters<typeof isAssetFailure>[0]>(identifier: string, answer: T | undefined): T | undefined {
		if (answer === undefined) return answer;
		if (isAssetFailure(answer)) this.#refused.set(identifier, answer.failure);
		else this.#answered.add(identifier);
		return answer;
	}

	/** Which file an identifier is tried for: its name, and the file that refers to it. */
	#keyOf(identifier: string): string {
		return `${this.#named.get(identifier)?.anchor ?? ''} ${fileName(identifier)}`;
	}

	/** Line of a file in which a path is first written; 0 when it is not, undefined for a binary file. */
	#lineOf(assetPath: string, anchor: string): number | undefined {
		const bytes = this.#store.text(anchor) ?? this.#store.bytes(anchor);
		if (!(bytes instanceof Uint8Array) || bytes.subarray(0, 4096).includes(0)) return undefined;
		const text = new TextDecoder().decode(bytes);
		const at = text.indexOf(assetPath);
		return at < 0 ? 0 : text.slice(0, at).split('\n').length;
	}
}

function fileName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
