import type { Layer } from '../sdf/layer.ts';
import { Path } from '../sdf/path.ts';
import type { LayerOffset } from '../sdf/value.ts';
import type { AssetRequest } from './asset-request.ts';
import { type ChildNames, composeChildNames, composePropertyNames } from './child-names.ts';
import { cullNodes } from './cull-nodes.ts';
import type { ExpressionVariables } from './expression-variables.ts';
import { IndexGraph } from './index-graph.ts';
import { disableBelowInstance, isInstanceableGraph } from './instancing.ts';
import { composeOffsets } from './layer-offset.ts';
import type { LayerStack } from './layer-stack.ts';
import type { Node } from './node.ts';
import type { PcpError } from './pcp-error.ts';
import { type BuildOptions, NO_WORK, runChild, settleChild } from './prim-indexer.ts';

/** What composition depends on besides the layers of the root layer stack. */
export interface IndexInputs {
	/** The root layer stack of the stage. */
	readonly rootLayerStack: LayerStack;
	/** Preferred variants by name of the variant set, best first. */
	readonly variantFallbacks: ReadonlyMap<string, readonly string[]>;
	/** Whether the payloads of a prim are loaded. */
	includesPayload(path: Path): boolean;
	/** Whether a layer is left out wherever it is named. */
	isMuted(identifier: string): boolean;
	/** The index of a prim of the stage if it was built; those of ancestors are built before those of descendants. */
	findPrimIndex(path: Path): PrimIndex | undefined;
	/** The layer stack of a layer that is referenced from a stack with these variables. */
	layerStack(layer: Layer, variables: ExpressionVariables): LayerStack;
}

/** What building an index gives besides its nodes. */
export interface IndexOutputs {
	readonly errors: PcpError[];
	/** Layers that were needed and not there. */
	readonly missing: AssetRequest[];
	/** Nodes added so far, those of recursive builds included. */
	work: number;
	/** Whether the index would have no end. */
	isExhausted: boolean;
}

/** One spec that contributes to a prim or property. */
export interface SpecSite {
	readonly node: Node;
	readonly layer: Layer;
	readonly path: Path;
	/** How time in the layer maps to time on the stage. */
	readonly offset: LayerOffset;
}

/** Everything that contributes to a prim, strongest first. */
export class PrimIndex {
	readonly path: Path;
	/** The nodes in strength order; the first is the root, in the root layer stack. */
	readonly nodes: readonly Node[];
	readonly errors: readonly PcpError[];
	/** Layers that were not there; the index is to be built again when they are. */
	readonly missing: readonly AssetRequest[];
	/** Whether the prim is an instance: its children come from a prototype. */
	readonly isInstance: boolean;
	/** Whether the prim itself has payloads, loaded or not. */
	readonly hasPayloads: boolean;
	/** Whether some arc was looked at here: otherwise the nodes are those of the parent, one level deeper. */
	readonly hasOwnArcs: boolean;
	/** Indexes of children that were built from this one. */
	builtChildren: PrimIndex[] | undefined;
	#childNames: ChildNames | undefined;

	constructor(path: Path, graph: IndexGraph, outputs: IndexOutputs, isInstance: boolean) {
		this.path = path;
		this.nodes = graph.nodes;
		this.errors = outputs.errors.length === 0 ? NO_ERRORS : outputs.errors;
		this.missing = outputs.missing.length === 0 ? NO_REQUESTS : outputs.missing;
		this.isInstance = isInstance;
		this.hasOwnArcs = outputs !== NOTHING_TO_TELL;
		this.hasPayloads = graph.hasPayloads;
	}

	get root(): Node {
		return this.nodes[0]!;
	}

	/** Whether any node has specs that count. */
	get hasSpecs(): boolean {
		return this.nodes.some((node) => node.hasSpecs && node.canContribute);
	}

	/** Names of the children in composed order. */
	childNames(): ChildNames {
		this.#childNames ??= composeChildNames(this.nodes, this.isInstance);
		return this.#childNames;
	}

	/** Forgets the names of the children, after a change of their order. */
	forgetChildNames(): void {
		this.#childNames = undefined;
	}

	/** Names of the properties that layers have, weak ones first. */
	propertyNames(): readonly string[] {
		return composePropertyNames(this.nodes);
	}

	/** The prim specs, strongest first. */
	primStack(): SpecSite[] {
		const stack: SpecSite[] = [];
		for (const node of this.nodes) {
			if (!node.canContribute || !node.hasSpecs) continue;
			const { layerStack, path } = node;
			for (const index of layerStack.siteAt(path).layers) {
				const offset = composeOffsets(node.mapToRoot.offset, layerStack.offsets[index]!);
				stack.push({ node, layer: layerStack.layers[index]!, path, offset });
			}
		}
		return stack;
	}

	/** The selection in effect of each variant set, strongest first. */
	variantSelections(): Map<string, string> {
		const selections = new Map<string, string>();
		for (const { path } of this.nodes) {
			if (path.isVariant && !selections.has(path.variantSet)) selections.set(path.variantSet, path.variantSelection);
		}
		return selections;
	}
}

/**
 * Builds the index of a prim. `parent` is the index of its namespace parent; the pseudo-root has none. Reads nothing but the layers
 * that the inputs lead to, and never throws for what they hold.
 */
export function composePrimIndex(inputs: IndexInputs, path: Path, parent: PrimIndex | undefined): PrimIndex {
	const { rootLayerStack } = inputs;
	if (parent === undefined || path === Path.root) {
		const graph = IndexGraph.at(rootLayerStack, Path.root);
		graph.root.setHasSpecs(rootLayerStack.hasSpecs(Path.root));
		return new PrimIndex(Path.root, graph, NOTHING_TO_TELL, false);
	}
	const graph = parent.isInstance ? graphBelowInstance(parent.nodes, path) : IndexGraph.forChild(parent.nodes, path);
	const { nodes } = graph;
	const work = settleChild(graph);
	let outputs: IndexOutputs = NOTHING_TO_TELL;
	if (work !== NO_WORK) {
		outputs = { errors: [], missing: [], work: 0, isExhausted: false };
		const options: BuildOptions = {
			frame: undefined,
			rootSite: { layer: rootLayerStack.rootLayer, path },
			impliesSpecializes: true,
			evaluatesVariants: true,
		};
		runChild(inputs, outputs, graph, options, work);
		if (outputs.isExhausted) return localIndex(inputs, path, outputs);
	}
	cullNodes(graph);
	const isInstance = nodes.length > 1 && isInstanceableGraph(graph);
	graph.finish();
	return new PrimIndex(path, graph, outputs, isInstance);
}

/** An index of local specs alone: what arcs without end would bring has no end either, nor have its children. */
function localIndex(inputs: IndexInputs, path: Path, outputs: IndexOutputs): PrimIndex {
	const graph = IndexGraph.at(inputs.rootLayerStack, path);
	graph.root.setHasSpecs(inputs.rootLayerStack.hasSpecs(path));
	return new PrimIndex(path, graph, outputs, false);
}

/** Below an instance only nodes that instances share count. */
function graphBelowInstance(nodes: readonly Node[], path: Path): IndexGraph {
	const graph = IndexGraph.copyOf(nodes);
	disableBelowInstance(graph);
	graph.descend(path);
	return graph;
}

const NOTHING_TO_TELL: IndexOutputs = { errors: [], missing: [], work: 0, isExhausted: false };
const NO_ERRORS: readonly PcpError[] = [];
const NO_REQUESTS: readonly AssetRequest[] = [];
