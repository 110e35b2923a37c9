import { Report } from '@manyworlds/core';
import type { CheckConfig } from '@manyworlds/rep158';
import { parseCheckConfig } from '@manyworlds/rep158/config';
import { EMPTY_CONFIG } from '@manyworlds/rep158/internal';

/** File with the configuration of a folder and all below it. */
const CONFIG_NAME = 'manyworlds.json';

/** A configuration, and where its paths start. */
export interface ConfigurationOf {
	readonly config: CheckConfig;
	/** A file as the paths of the configuration have it; undefined outside of its folder. */
	readonly relativePath: (identifier: string) => string | undefined;
}

interface Loaded {
	readonly folder: string;
	readonly config: CheckConfig;
	readonly entries: readonly string[];
}

/**
 * The configurations of a workspace: of those above a file the nearest counts, as for the command. Its `entries` are files that are
 * assets by themselves. Nothing in one is executed, and files outside of its folder cannot be named.
 */
export class Configurations {
	readonly #read: (file: string) => Promise<Uint8Array | undefined>;
	readonly #loaded = new Map<string, Loaded>();
	#known: readonly string[] = [];

	constructor(read: (file: string) => Promise<Uint8Array | undefined>) {
		this.#read = read;
	}

	/** Assets that configurations name. */
	get entries(): readonly string[] {
		return [...this.#loaded.values()].flatMap(({ entries }) => entries);
	}

	/** Reads the configurations among files. */
	async load(files: readonly string[]): Promise<void> {
		this.#known = files.filter((file) => file.endsWith(`/${CONFIG_NAME}`));
		for (const file of this.#known) {
			if (this.#loaded.has(file)) continue;
			const bytes = await this.#read(file);
			if (bytes !== undefined) this.#loaded.set(file, parse(new TextDecoder().decode(bytes), file));
		}
		for (const file of this.#loaded.keys()) if (!this.#known.includes(file)) this.#loaded.delete(file);
	}

	/** Reads a file anew when all are loaded next. Whether it is a configuration. */
	forget(file: string): boolean {
		return this.#loaded.delete(file);
	}

	/** The configuration of an asset: the nearest one above it within the workspace. */
	of(root: string, folders: readonly string[]): ConfigurationOf {
		for (let folder = folderOf(root); ; folder = folderOf(folder)) {
			const found = this.#loaded.get(`${folder}/${CONFIG_NAME}`);
			if (found !== undefined) {
				const start = `${found.folder}/`;
				return {
					config: found.config,
					relativePath: (file) => (file.startsWith(start) ? file.slice(start.length) : undefined),
				};
			}
			if (folder === '' || folders.includes(folder)) return NONE;
		}
	}
}

const NONE: ConfigurationOf = { config: EMPTY_CONFIG, relativePath: () => undefined };

function parse(text: string, file: string): Loaded {
	const folder = folderOf(file);
	// one that is wrong says nothing, as the command refuses it
	const config = parseCheckConfig(text, file, new Report({ cap: 0 })) ?? EMPTY_CONFIG;
	return { folder, config, entries: entriesOf(text, folder) };
}

function entriesOf(text: string, folder: string): string[] {
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		return [];
	}
	const entries = (data as { readonly entries?: unknown } | null)?.entries;
	if (!Array.isArray(entries)) return [];
	return entries.flatMap((entry: unknown) =>
		typeof entry === 'string' && !/(^|\/)\.\.(\/|$)|^\//.test(entry) ? [`${folder}/${entry.replace(/^\.\//, '')}`] : [],
	);
}

function folderOf(file: string): string {
	return file.slice(0, Math.max(file.lastIndexOf('/'), 0));
}
