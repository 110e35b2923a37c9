import { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { isInstanceable } from './instancing.ts';
import type { LayerStack } from './layer-stack.ts';
import type { Node } from './node.ts';

/** Names of children in composed order. */
export interface ChildNames {
	readonly names: readonly string[];
	/** Names that relocates took away and that no layer may use again here. */
	readonly prohibited: ReadonlySet<string>;
}

/** Composes the names of the children of a prim from its nodes in strength order. */
export function composeChildNames(nodes: readonly Node[], isInstance: boolean): ChildNames {
	let only: Node | undefined;
	let isSimple = !isInstance;
	for (let i = 0; i < nodes.length && isSimple; i++) {
		const node = nodes[i]!;
		if (!node.canContribute) continue;
		if (node.layerStack.relocates !== undefined) isSimple = false;
		if (!node.hasSpecs) continue;
		if (only !== undefined) isSimple = false;
		only = node;
	}
	if (isSimple) return only === undefined ? NO_CHILDREN : namesAtSite(only);
	const names = new NameList();
	const prohibited = new Set<string>();
	// from weak to strong: the reverse of a walk over the tree
	for (let i = nodes.length - 1; i >= 0; i--) {
		const node = nodes[i]!;
		// only what instances share may say something about their children
		if (!isInstance || isInstanceable(node)) addChildNames(node, names, prohibited);
	}
	const all = names.toArray();
	return { names: prohibited.size === 0 ? all : all.filter((name) => !prohibited.has(name)), prohibited };
}

/** Composes the names of the properties of a prim from its nodes in strength order. */
export function composePropertyNames(nodes: readonly Node[]): readonly string[] {
	const names = new NameList();
	for (let i = nodes.length - 1; i >= 0; i--) {
		const node = nodes[i]!;
		if (node.canContribute && node.hasSpecs) addNames(node.layerStack, node.path, 'properties', undefined, names);
	}
	return names.toArray();
}

/** The names that one site alone gives; prims that many arcs lead to share them. */
function namesAtSite(node: Node): ChildNames {
	const site = node.layerStack.siteAt(node.path);
	if (site.childNames === undefined) {
		const names = new NameList();
		addNames(node.layerStack, node.path, 'primChildren', 'primOrder', names);
		const all = names.toArray();
		site.childNames = all.length === 0 ? NO_CHILDREN : { names: all, prohibited: NO_NAMES };
	}
	return site.childNames;
}

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_CHILDREN: ChildNames = { names: [], prohibited: NO_NAMES };

/** An ordered list of names without repeats, which takes over a whole list without copying as long as it can. */
class NameList {
	#names: readonly string[] = NONE;
	#set: Set<string> | undefined;

	toArray(): readonly string[] {
		return this.#names;
	}

	add(names: readonly string[]): void {
		if (this.#names.length === 0) {
			this.set(names);
			return;
		}
		const set = this.#asSet();
		let own: string[] | undefined;
		for (const name of names) {
			if (set.has(name)) continue;
			set.add(name);
			own ??= [...this.#names];
			own.push(name);
		}
		if (own !== undefined) this.#names = own;
	}

	set(names: readonly string[]): void {
		this.#names = names;
		this.#set = undefined;
	}

	reorder(order: readonly string[]): void {
		this.set(ListOp.edits<string>({ orderedItems: order }).apply(this.#names));
	}

	#asSet(): Set<string> {
		this.#set ??= new Set(this.#names);
		return this.#set;
	}
}

function addChildNames(node: Node, names: NameList, prohibited: Set<string>): void {
	if (!node.canContribute) return;
	if (node.layerStack.relocates !== undefined) relocateNames(node, names, prohibited);
	if (node.hasSpecs) addNames(node.layerStack, node.path, 'primChildren', 'primOrder', names);
}

function addNames(stack: LayerStack, path: Path, field: string, orderField: string | undefined, names: NameList): void {
	const { layers } = stack.siteAt(path);
	for (let i = layers.length - 1; i >= 0; i--) {
		const { data } = stack.layers[layers[i]!]!;
		const own = dataOf(data.field(path, field), T.tokenVector);
		if (own !== undefined) names.add(own);
		if (orderField === undefined) continue;
		const order = dataOf(data.field(path, orderField), T.tokenVector);
		if (order !== undefined) names.reorder(order);
	}
}

/** Renames, removes and adds children as the relocates of the node's layer stack say. */
function relocateNames(node: Node, names: NameList, prohibited: Set<string>): void {
	const { path } = node;
	const relocates = node.layerStack.relocates!;
	const renamed = new Map<string, string | undefined>();
	for (const [source, target] of relocates.fromChildrenOf(path)) {
		renamed.set(source.name, target.parent === path ? target.name : undefined);
		prohibited.add(source.name);
	}
	const added: string[] = [];
	for (const [source, target] of relocates.toChildrenOf(path)) {
		if (source.parent !== path) added.push(target.name);
	}
	if (renamed.size > 0) {
		const kept: string[] = [];
		const present = new Set(names.toArray());
		for (const name of names.toArray()) {
			if (!renamed.has(name)) {
				kept.push(name);
				continue;
			}
			present.delete(name);
			const next = renamed.get(name);
			if (next === undefined || present.has(next)) continue;
			present.add(next);
			kept.push(next);
		}
		names.set(kept);
	}
	names.add(added.sort());
}

const NONE: readonly string[] = [];
