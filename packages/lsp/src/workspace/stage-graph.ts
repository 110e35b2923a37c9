import { Report } from '@manyworlds/core';
import { type LayerData, Path } from '@manyworlds/usd';
import { listAssetPaths, openOne } from '@manyworlds/usd/internal';

/** What a {@link StageGraph} looks at. */
export interface StageGraphOptions {
	/** Layers of the workspace. */
	readonly files: () => readonly string[];
	/** A layer that is read already, as open ones are. */
	readonly layer: (identifier: string) => LayerData | undefined;
	/** Content of another layer, undefined when it cannot be had. */
	readonly read: (identifier: string) => Promise<Uint8Array | undefined>;
	readonly identify: (assetPath: string, anchor: string) => string;
	/** Layers that somebody said are assets by themselves, the most important first. */
	readonly entries: () => readonly string[];
	readonly breathe: () => Promise<void>;
}

/** Largest file that is looked through for what it refers to [bytes]. */
const LARGEST_FILE = 20_000_000;
/** Files that are read before messages may come in. */
const FILES_AT_ONCE = 8;

interface FileNode {
	readonly targets: readonly string[];
	readonly hasDefaultPrim: boolean;
}

/** Which layers of the workspace lead to which by sublayers and arcs, in whatever variant, and so which stages a layer is part of. */
export class StageGraph {
	readonly #options: StageGraphOptions;
	readonly #nodes = new Map<string, FileNode>();

	constructor(options: StageGraphOptions) {
		this.#options = options;
	}

	/** Looks at a file again when somebody asks next. */
	forget(identifier: string): void {
		this.#nodes.delete(identifier);
	}

	/** Looks at a file that has changed. Whether it leads elsewhere than before. */
	async update(identifier: string): Promise<boolean> {
		const before = this.#nodes.get(identifier);
		const now = await this.#read(identifier);
		this.#nodes.set(identifier, now);
		return JSON.stringify(before) !== JSON.stringify(now);
	}

	/**
	 * The root layers of the stages that a layer is part of, the likeliest first: those that the configuration names, those with a
	 * default prim, others. A layer that nothing leads to is a stage by itself.
	 */
	async rootsOf(identifier: string): Promise<readonly string[]> {
		await this.#readAll();
		const users = new Map<string, Set<string>>();
		for (const [file, { targets }] of this.#nodes) {
			for (const target of targets) {
				if (target === file) continue;
				const from = users.get(target);
				if (from === undefined) users.set(target, new Set([file]));
				else from.add(file);
			}
		}
		const reached = new Set([identifier]);
		const pending = [identifier];
		for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
			for (const user of users.get(next) ?? []) {
				if (reached.has(user)) continue;
				reached.add(user);
				pending.push(user);
			}
		}
		const named = this.#options.entries().filter((entry) => reached.has(entry));
		const own = [...reached].filter((file) => !users.has(file) && !named.includes(file));
		const rank = (file: string): number => (this.#nodes.get(file)?.hasDefaultPrim === true ? 0 : 1);
		own.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
		const roots = [...named, ...own];
		// layers that lead to each other in a circle have no root
		return roots.length > 0 ? roots : [identifier];
	}

	async #readAll(): Promise<void> {
		let read = 0;
		for (const file of this.#options.files()) {
			if (this.#nodes.has(file)) continue;
			this.#nodes.set(file, await this.#read(file));
			if (++read % FILES_AT_ONCE === 0) await this.#options.breathe();
		}
	}

	async #read(file: string): Promise<FileNode> {
		const data = this.#options.layer(file) ?? (await this.#readSaved(file));
		if (data === undefined) return NOTHING;
		const targets = new Set<string>();
		for (const { assetPath, kind } of listAssetPaths(data)) {
			if (kind !== 'asset' && assetPath !== '') targets.add(this.#options.identify(assetPath, file));
		}
		return { targets: [...targets], hasDefaultPrim: data.field(Path.root, 'defaultPrim') !== undefined };
	}

	async #readSaved(file: string): Promise<LayerData | undefined> {
		const bytes = await this.#options.read(file);
		if (bytes === undefined || bytes.length > LARGEST_FILE) return undefined;
		return openOne(bytes, file, new Report({ cap: 0 }))?.data;
	}
}

const NOTHING: FileNode = { targets: [], hasDefaultPrim: false };

/** Whether a file may be a layer, by its name. */
export function isLayerFile(identifier: string): boolean {
	return /\.(?:usd|usda|usdc)$/i.test(identifier);
}
