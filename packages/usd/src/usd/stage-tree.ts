import type { CompositionCache } from '../pcp/composition-cache.ts';
import type { PrimIndex } from '../pcp/prim-index.ts';
import type { Layer } from '../sdf/layer.ts';
import { comparePaths, Path } from '../sdf/path.ts';
import { composeClipDefinitions, hasClips, type OpenClip } from './clips/clip-definition.ts';
import { ClipSet } from './clips/clip-set.ts';
import { instanceKey, StackNumbers } from './instance-key.ts';
import type { LoadRules } from './load-rules.ts';
import type { PopulationMask } from './population-mask.ts';
import { composeFlags, isActive, PrimData, PrimFlags, ROOT_FLAGS } from './prim-data.ts';
import type { Prototype } from './prototype.ts';

/** What decides which prims there are, besides the layers. */
export interface TreeOptions {
	readonly cache: CompositionCache;
	readonly mask: PopulationMask;
	readonly loadRules: () => LoadRules;
	readonly openClip: OpenClip;
	/** Told about clip sets that cannot be used. */
	readonly onBadClips: (prim: Path, name: string, layer: Layer, reason: string) => void;
}

interface PrototypeDraft extends Prototype {
	readonly instances: PrimData[];
	isComposed: boolean;
}

/** Instances that need a prototype which is not there yet. */
interface NewKey {
	/** The instance that was met first. */
	readonly source: PrimIndex;
	/** The least path of those that were met. */
	first: Path;
}

/** The composed prims of a stage, and the prototypes of its instances. */
export class StageTree {
	readonly #options: TreeOptions;
	readonly #prims = new Map<Path, PrimData>();
	readonly #prototypes = new Map<string, PrototypeDraft>();
	readonly #stacks = new StackNumbers();
	/** Keys of instances while they are given prototypes. */
	readonly #keys = new Map<PrimIndex, string>();
	/** Instances found and not given a prototype yet, by key. */
	#pending = new Map<string, PrimData[]>();
	#prototypeCount = 0;
	#root: PrimData;

	constructor(options: TreeOptions) {
		this.#options = options;
		this.#root = this.#makeRoot();
		this.#compose([this.#root]);
	}

	get root(): PrimData {
		return this.#root;
	}

	/** The prim at a path of the stage or of a prototype; prims below instances are found through their prototypes. */
	find(path: Path): PrimData | undefined {
		return this.#prims.get(path);
	}

	/** The prototypes in the order of their names. */
	prototypes(): Prototype[] {
		return [...this.#prototypes.values()].sort((a, b) => comparePaths(a.path, b.path));
	}

	/** Composes everything again. */
	rebuild(): void {
		for (const data of this.#prims.values()) data.flags |= PrimFlags.dead;
		this.#prims.clear();
		this.#pending = new Map();
		this.#prototypes.clear();
		this.#prototypeCount = 0;
		this.#root = this.#makeRoot();
		this.#compose([this.#root]);
	}

	/**
	 * Composes the prims at some paths (of the namespace of indexes) and all below them again, and looks anew at the children of
	 * others. Everything is composed again where instances might gain or lose their prototypes.
	 */
	recompose(paths: readonly Path[], reordered: readonly Path[] = []): void {
		if (paths.length === 0 && reordered.length === 0) return;
		if (paths.includes(Path.root) || this.#touchesInstances([...paths, ...reordered])) {
			this.rebuild();
			return;
		}
		const tops = paths.filter((path) => !paths.some((other) => other !== path && path.hasPrefix(other)));
		const parents = new Set<PrimData>();
		for (const path of tops) {
			const known = this.#prims.get(path);
			if (known !== undefined) this.#drop(known);
			const parent = this.#prims.get(path.parent!);
			if (parent !== undefined) parents.add(parent);
		}
		for (const path of reordered) {
			const data = this.#prims.get(path);
			if (data !== undefined) parents.add(data);
		}
		const starts: PrimData[] = [];
		for (const parent of parents) {
			if (parent.has(PrimFlags.dead) || !parent.has(PrimFlags.active)) continue;
			const before = parent.children;
			parent.children = this.#childrenOf(parent, (child) => starts.push(child));
			const kept = new Set(parent.children);
			for (const child of before) if (!kept.has(child) && !child.has(PrimFlags.dead)) this.#drop(child);
		}
		this.#composeBelow(starts);
		// new instances: prototypes are numbered over the whole stage
		if (this.#pending.size > 0) this.rebuild();
	}

	/** The prims that have a spec of a layer at one of some paths. */
	withSpecs(layer: Layer, paths: ReadonlySet<Path>): PrimData[] {
		if (paths.size === 0) return [];
		const found: PrimData[] = [];
		for (const data of this.#prims.values()) {
			if (data.specs.some((spec) => spec.layer === layer && paths.has(spec.path))) found.push(data);
		}
		return found;
	}

	/** Whether composing these prims again could change what instances share. */
	#touchesInstances(paths: readonly Path[]): boolean {
		for (const { sourcePath, instances } of this.#prototypes.values()) {
			for (const path of paths) {
				if (sourcePath.hasPrefix(path) || path.hasPrefix(sourcePath)) return true;
				if (instances.some((instance) => instance.index.path.hasPrefix(path))) return true;
				if (instances.some((instance) => path.hasPrefix(instance.index.path))) return true;
			}
		}
		return false;
	}

	#drop(data: PrimData): void {
		const stack = [data];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			next.flags |= PrimFlags.dead;
			this.#prims.delete(next.path);
			for (const child of next.children) stack.push(child);
		}
	}

	#makeRoot(): PrimData {
		const root = new PrimData(Path.root, this.#options.cache.primIndex(Path.root), null);
		root.flags = ROOT_FLAGS;
		this.#prims.set(Path.root, root);
		return root;
	}

	/** Composes what lies below some prims, and the prototypes of the instances found there. */
	#compose(starts: readonly PrimData[]): void {
		this.#composeBelow(starts);
		const keys = this.#discoverKeys(starts);
		const order = [...keys].sort((a, b) => comparePaths(a[1].first, b[1].first));
		for (const [key, { source }] of order) this.#makePrototype(key, source);
		while (this.#pending.size > 0) {
			const found = this.#pending;
			this.#pending = new Map();
			for (const [key, instances] of found) {
				const prototype = this.#prototypes.get(key)!;
				for (const instance of instances) {
					instance.prototype = prototype;
					prototype.instances.push(instance);
				}
				if (prototype.isComposed) continue;
				prototype.isComposed = true;
				this.#composeBelow([prototype.root]);
			}
		}
		this.#keys.clear();
	}

	/**
	 * New keys of instances, also of instances inside prototypes. OpenUSD goes through siblings from the last to the first, takes
	 * the first instance of a key that it meets for the prototype, and numbers prototypes in the order of the least paths of the
	 * instances that it met.
	 */
	#discoverKeys(starts: readonly PrimData[]): Map<string, NewKey> {
		const keys = new Map<string, NewKey>();
		if (this.#pending.size === 0) return keys;
		const { cache, mask } = this.#options;
		const stack: (PrimData | PrimIndex)[] = [...starts];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			if (next instanceof PrimData && !next.has(PrimFlags.instance)) {
				for (const child of next.children) stack.push(child);
				continue;
			}
			const index = next instanceof PrimData ? next.index : next;
			if (index.isInstance) {
				const key = this.#keyOf(index);
				if (this.#prototypes.has(key)) continue;
				const known = keys.get(key);
				if (known !== undefined) {
					if (comparePaths(index.path, known.first) < 0) known.first = index.path;
					continue;
				}
				keys.set(key, { source: index, first: index.path });
			}
			for (const name of index.childNames().names) {
				const path = index.path.appendChild(name);
				if (!mask.includes(path)) continue;
				const child = cache.primIndex(path);
				if (isActive(child.primStack())) stack.push(child);
			}
		}
		return keys;
	}

	#composeBelow(starts: readonly PrimData[]): void {
		const stack = [...starts].reverse();
		for (let data = stack.pop(); data !== undefined; data = stack.pop()) {
			if (!data.has(PrimFlags.active)) continue;
			if (data.has(PrimFlags.instance)) {
				this.#register(data);
				continue;
			}
			data.children = this.#childrenOf(data, undefined);
			for (let i = data.children.length - 1; i >= 0; i--) stack.push(data.children[i]!);
		}
	}

	/** The children of a prim; those that are there already are kept, new ones are told to `onNew`. */
	#childrenOf(data: PrimData, onNew: ((child: PrimData) => void) | undefined): PrimData[] {
		const { cache, mask } = this.#options;
		const { names } = data.index.childNames();
		if (names.length === 0) return NONE;
		const isMasked = !mask.includesSubtree(data.index.path);
		const children: PrimData[] = [];
		for (const name of names) {
			const path = data.path.appendChild(name);
			const known = this.#prims.get(path);
			if (known !== undefined) {
				children.push(known);
				continue;
			}
			const indexPath = data.index.path === data.path ? path : data.index.path.appendChild(name);
			if (isMasked && !mask.includes(indexPath)) continue;
			const child = this.#makePrim(path, cache.primIndex(indexPath), data);
			children.push(child);
			onNew?.(child);
		}
		return children;
	}

	#makePrim(path: Path, index: PrimIndex, parent: PrimData): PrimData {
		const data = new PrimData(path, index, parent);
		composeFlags(data, parent, !index.hasPayloads || this.#options.loadRules().isLoaded(index.path));
		data.clips = this.#composeClips(data, parent.clips);
		this.#prims.set(path, data);
		return data;
	}

	#makePrototype(key: string, source: PrimIndex): void {
		const path = Path.root.appendChild(`__Prototype_${++this.#prototypeCount}`);
		const root = new PrimData(path, source, null);
		root.flags = ROOT_FLAGS | PrimFlags.prototype | PrimFlags.inPrototype;
		this.#prims.set(path, root);
		this.#prototypes.set(key, { path, root, sourcePath: source.path, instances: [], isComposed: false });
	}

	#composeClips(data: PrimData, inherited: readonly ClipSet[] | undefined): readonly ClipSet[] | undefined {
		if (!hasClips(data.index)) return inherited;
		const { openClip, onBadClips } = this.#options;
		const sets: ClipSet[] = [];
		for (const definition of composeClipDefinitions(data.index, openClip)) {
			const set = ClipSet.create(definition, openClip);
			if (typeof set !== 'string') sets.push(set);
			else if (set !== '') onBadClips(data.path, definition.name, definition.sourceLayer, set);
		}
		if (sets.length === 0) return inherited;
		return inherited === undefined ? sets : [...sets, ...inherited];
	}

	/** A text that differs for instances with other clips of their own. */
	#clipKey(index: PrimIndex): string {
		if (!hasClips(index)) return '';
		return composeClipDefinitions(index, this.#options.openClip)
			.map(({ layerStack, sourcePath, sourceLayer, ...rest }) => {
				const values = Object.values(rest).map((value) => String(value));
				return [this.#stacks.of(layerStack), sourcePath, sourceLayer.identifier, ...values].join('|');
			})
			.join('\n');
	}

	#keyOf(index: PrimIndex): string {
		let key = this.#keys.get(index);
		if (key === undefined) {
			key = this.#makeKey(index);
			this.#keys.set(index, key);
		}
		return key;
	}

	#makeKey(index: PrimIndex): string {
		const { mask, loadRules } = this.#options;
		const state = `${mask.keyBelow(index.path)}\n${loadRules().keyBelow(index.path)}`;
		return `${instanceKey(index, this.#stacks)}\n${state}\n${this.#clipKey(index)}`;
	}

	#register(data: PrimData): void {
		const key = this.#keyOf(data.index);
		const known = this.#pending.get(key);
		if (known === undefined) this.#pending.set(key, [data]);
		else known.push(data);
	}
}

const NONE: PrimData[] = [];
