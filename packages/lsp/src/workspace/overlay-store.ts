import type { Diagnostic, Report } from '@manyworlds/core';
import { DefaultStore } from '@manyworlds/usd';
import { type ByteSource, type LocatorOptions, splitPackageRelativePathOuter } from '@manyworlds/usd/internal';

/** What an {@link OverlayStore} is made of. */
export interface OverlayStoreOptions {
	/** Texts that are open, by identifier. */
	readonly open: (identifier: string) => Uint8Array | undefined;
	/** Files as they are saved. */
	readonly saved: ByteSource;
	/** Folders that may be read. */
	readonly roots: readonly string[];
	readonly displayName: (identifier: string) => string;
	readonly packages?: NonNullable<LocatorOptions['packages']>;
}

/** A store in which open texts stand in the place of the saved ones. What is wrong with a file is kept until the file changes. */
export class OverlayStore extends DefaultStore {
	readonly #found = new Map<string, Report>();

	constructor({ open, saved, ...options }: OverlayStoreOptions) {
		const { readSync, read } = saved;
		super({
			...options,
			source: {
				exists: (name) => open(name) !== undefined || saved.exists?.(name),
				...(readSync !== undefined && { readSync: (name) => open(name) ?? readSync.call(saved, name) }),
				...(read !== undefined && { read: async (name) => open(name) ?? (await read.call(saved, name)) }),
				allow: (folder) => saved.allow?.(folder),
			},
		});
		for (const folder of options.roots) saved.allow?.(folder);
	}

	/** What is wrong with a file that was read, members of a package included. */
	findings(file: string): Diagnostic[] {
		const own: Diagnostic[] = [];
		for (const [identifier, report] of this.#found) {
			if (splitPackageRelativePathOuter(identifier)[0] === file) own.push(...report.toArray());
		}
		return own;
	}

	/** Reads a file anew, because it changed. */
	refresh(file: string): void {
		this.forget(file);
		for (const identifier of this.#found.keys()) {
			if (splitPackageRelativePathOuter(identifier)[0] === file) this.#found.delete(identifier);
		}
	}

	protected override take(identifier: string, found: Report): void {
		// the constructor of the base class never calls this
		if (found.size + found.omitted > 0) this.#found.set(identifier, found);
	}
}
