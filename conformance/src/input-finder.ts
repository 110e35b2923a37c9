import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { walkFiles } from './files.ts';

/**
 * Finds input files that a case names: beside the case, below the assets folder by path, or the one file below it whose
 * path ends with the name.
 */
export class InputFinder {
	readonly #assetsDir: string;
	#byBasename: Map<string, string[]> | undefined;

	constructor(assetsDir: string) {
		this.#assetsDir = assetsDir;
	}

	/** Absolute path of the file, or a sentence that says why there is none. */
	find(name: string, besideDir: string): { readonly path: string } | { readonly problem: string } {
		for (const candidate of isAbsolute(name) ? [name] : [join(besideDir, name), join(this.#assetsDir, name)]) {
			if (existsSync(candidate) && statSync(candidate).isFile()) return { path: candidate };
		}
		const matches = this.endingWith(name);
		if (matches.length === 1) return { path: matches[0]! };
		const count = matches.length === 0 ? 'no file' : `${matches.length} files`;
		return { problem: `input '${name}': not beside the case, and ${count} below ${this.#assetsDir} end with it` };
	}

	/** The files below the assets folder whose path ends with a name. */
	endingWith(name: string): readonly string[] {
		const wanted = `/${name.replace(/^(\.?\/)+/, '')}`;
		return (this.#index().get(basename(name)) ?? []).filter((path) => path.endsWith(wanted));
	}

	#index(): Map<string, string[]> {
		if (this.#byBasename === undefined) {
			this.#byBasename = new Map();
			for (const path of walkFiles(this.#assetsDir)) {
				const key = basename(path);
				const list = this.#byBasename.get(key);
				if (list === undefined) this.#byBasename.set(key, [path]);
				else list.push(path);
			}
		}
		return this.#byBasename;
	}
}
