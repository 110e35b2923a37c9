import { Report } from '@manyworlds/core';
import { VariantSelections } from '@manyworlds/rep158';
import { Layer, type Path, type Prim, Stage, selectVariant } from '@manyworlds/usd';
import type { LayerStack } from '@manyworlds/usd/internal';
import { isAnyPrim, traverse } from '@manyworlds/usd/internal';
import type { ComposedStage } from '../workspace/composed-stage.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Selections of variants of one stage that are looked at. */
const MOST_SELECTIONS = 64;

/** A stage in one selection of variants: which prims have which nodes. */
interface StageNodes {
	readonly stage: Stage;
	readonly stacks: readonly LayerStack[];
	/** Prims by the sites of their nodes, variants left out. */
	readonly prims: ReadonlyMap<string, readonly Prim[]>;
}

/**
 * The sites that must change their name together, so that nothing of any stage comes apart: what arcs above a prim bring has the
 * same name on both sides of the arc, and what several prims are made of changes for all of them.
 */
export class RenameSites {
	readonly #stages: readonly StageNodes[];
	/** Paths by the root layer of the layer stack whose namespace they are of. */
	readonly #paths = new Map<Layer, Set<Path>>();

	constructor(stages: readonly StageNodes[]) {
		this.#stages = stages;
	}

	/** Stages of the given roots in every variant at least once. They are to be closed. */
	static async open(
		composed: readonly ComposedStage[],
		workspace: Workspace,
		pause: () => Promise<void>,
	): Promise<RenameSites> {
		const stages: StageNodes[] = [];
		for (const { stage: authored } of composed) {
			const selections = new VariantSelections({ cover: 'variants' });
			const open = (
				choices: readonly { readonly prim: Path; readonly set: string; readonly variant: string }[],
			): Stage => {
				const sessionLayer = choices.length === 0 ? undefined : Layer.create('selection.usda');
				for (const { prim, set, variant } of choices) {
					sessionLayer!.createPrim(prim);
					selectVariant(sessionLayer!, prim, set, variant);
				}
				return Stage.open(authored.rootLayer, { store: workspace.store, report: new Report({ cap: 0 }), sessionLayer });
			};
			for (let count = 0; selections.pending > 0 && count < MOST_SELECTIONS; count++) {
				const shown = selections.next(open)!;
				selections.addNeighbours(shown);
				stages.push(nodesOf(shown.stage));
				await pause();
			}
		}
		return new RenameSites(stages);
	}

	close(): void {
		for (const { stage } of this.#stages) stage.close();
	}

	/** Root layers of all layer stacks. */
	stacks(): Map<Layer, LayerStack> {
		return new Map(this.#stages.flatMap(({ stacks }) => stacks.map((stack) => [stack.rootLayer, stack] as const)));
	}

	/** The layer stacks that a layer is part of. */
	stacksOf(layer: Layer): LayerStack[] {
		const found = new Map<Layer, LayerStack>();
		for (const { stacks } of this.#stages) {
			for (const stack of stacks) if (stack.layers.includes(layer)) found.set(stack.rootLayer, stack);
		}
		return [...found.values()];
	}

	/** Adds a prim or property of a layer's namespace, and all that goes with it. */
	add(layer: Layer, path: Path): void {
		const pending: [stack: LayerStack, path: Path][] = this.stacksOf(layer).map((stack) => [stack, path]);
		for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
			const [stack, at] = next;
			let paths = this.#paths.get(stack.rootLayer);
			if (paths === undefined) {
				paths = new Set();
				this.#paths.set(stack.rootLayer, paths);
			}
			if (paths.has(at)) continue;
			paths.add(at);
			// a layer is part of several stacks: its text changes for all of them
			for (const member of stack.layers) {
				if (member === stack.sessionLayer || !hasSpec(member, at)) continue;
				for (const other of this.stacksOf(member)) if (other !== stack) pending.push([other, at]);
			}
			const parent = at.parent!;
			for (const { prims } of this.#stages) {
				for (const prim of prims.get(siteKey(stack, parent)) ?? []) {
					for (const node of prim.data.index.nodes) {
						const owner = node.path.stripVariants();
						const moved = at.isProperty ? owner.appendProperty(at.name) : owner.appendChild(at.name);
						pending.push([node.layerStack, moved]);
					}
				}
			}
		}
	}

	/** Paths that change their name in the namespace of a layer stack. */
	ofStack(rootLayer: Layer): ReadonlySet<Path> {
		return this.#paths.get(rootLayer) ?? NO_PATHS;
	}

	/** Paths that change their name in the namespace of a layer. */
	ofLayer(layer: Layer): ReadonlySet<Path> {
		const found = new Set<Path>();
		for (const stack of this.stacksOf(layer)) for (const path of this.ofStack(stack.rootLayer)) found.add(path);
		return found;
	}

	/** Every layer of every stage but what selects variants. */
	layers(): Set<Layer> {
		const found = new Set<Layer>();
		for (const { stacks, stage } of this.#stages) {
			for (const { layers } of stacks) for (const layer of layers) if (layer !== stage.sessionLayer) found.add(layer);
		}
		return found;
	}

	/** Prims of the stages whose namespace has a path. */
	primsAt(layer: Layer, path: Path): Prim[] {
		const keys = this.stacksOf(layer).map((stack) => siteKey(stack, path));
		return this.#stages.flatMap(({ prims }) => keys.flatMap((key) => prims.get(key) ?? []));
	}
}

const NO_PATHS: ReadonlySet<Path> = new Set();

/** Whether a layer has a spec at a path, in whatever variant. */
export function hasSpec(layer: Layer, path: Path): boolean {
	if (layer.has(path)) return true;
	let inVariants = variantSpecs.get(layer);
	if (inVariants === undefined) {
		inVariants = new Set();
		for (const one of layer.data.paths()) if (one.hasVariants && !one.isVariant) inVariants.add(one.stripVariants());
		variantSpecs.set(layer, inVariants);
	}
	return inVariants.has(path);
}

/** Paths of specs inside of variants, without the variants. Layers of the workspace are read anew when they change. */
const variantSpecs = new WeakMap<Layer, Set<Path>>();

function siteKey({ rootLayer }: LayerStack, path: Path): string {
	return `${rootLayer.identifier}\n${path}`;
}

function nodesOf(stage: Stage): StageNodes {
	const prims = new Map<string, Prim[]>();
	const add = (prim: Prim): void => {
		for (const { layerStack, path } of prim.data.index.nodes) {
			const key = siteKey(layerStack, path.stripVariants());
			const known = prims.get(key);
			if (known === undefined) prims.set(key, [prim]);
			else if (known.at(-1) !== prim) known.push(prim);
		}
	};
	add(stage.pseudoRoot);
	for (const prim of stage.traverse({ predicate: isAnyPrim })) add(prim);
	for (const prototype of stage.prototypes()) {
		for (const prim of traverse(prototype, { predicate: isAnyPrim })) add(prim);
	}
	return { stage, stacks: [...stage.layerStacks()], prims };
}
