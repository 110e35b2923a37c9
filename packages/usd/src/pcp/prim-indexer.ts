import { Path, PathKind } from '../sdf/path.ts';
import { ArcType, isClassArc } from './arc-type.ts';
import { evalPayloads, evalReferences, evalUnresolvedPrimPath } from './eval-arcs.ts';
import { evalImpliedClasses, evalInherits, evalSpecializes, hasClassChild, implicationStart } from './eval-classes.ts';
import { elideIfProhibited, evalImpliedRelocations, evalRelocations } from './eval-relocates.ts';
import { evalImpliedSpecializes } from './eval-specializes.ts';
import {
	evalAncestralVariantSets,
	evalAuthoredVariant,
	evalFallbackVariant,
	evalVariantSets,
} from './eval-variants.ts';
import { IndexGraph } from './index-graph.ts';
import { disableBelowInstance, isInstanceableGraph } from './instancing.ts';
import type { LayerStack } from './layer-stack.ts';
import type { MapFunction } from './map-function.ts';
import { type Arc, makeInert, type Node, namespaceDepthOf } from './node.ts';
import { type ErrorSite, type PcpError, siteOf } from './pcp-error.ts';
import type { IndexInputs, IndexOutputs } from './prim-index.ts';
import { COMPOSING_ARCS, SiteArcs } from './site.ts';
import { isPropagatedSpecializes } from './strength-order.ts';
import { type Task, TaskQueue, TaskType } from './task-queue.ts';

/** Deeper chains of arcs are not followed: only an arrangement without end gets there. */
const DEEPEST_CHAIN = 100;

/** Classes that lie deeper below the prim than this are not followed: paths that grow without end get there. */
const DEEPEST_TARGET = 100;

/** Nodes that one index may take to build, those of recursive builds included. */
const MOST_WORK = 20_000;

/** Links a recursive build to the one that needs its result. */
export interface Frame {
	readonly previous: Frame | undefined;
	readonly layerStack: LayerStack;
	readonly path: Path;
	/** The node that the result is to be added below. */
	readonly parentNode: Node;
	readonly parentGraph: IndexGraph;
	readonly arcType: ArcType;
	readonly mapToParent: MapFunction;
	readonly skipDuplicates: boolean;
	readonly depth: number;
}

/** How one index is built. */
export interface BuildOptions {
	readonly frame: Frame | undefined;
	readonly rootSite: ErrorSite;
	readonly impliesSpecializes: boolean;
	readonly evaluatesVariants: boolean;
}

/** Options of an arc that is added. */
export interface ArcOptions {
	/** Whether the target itself has a say, besides what its own arcs bring. */
	readonly contributes?: boolean;
	/** Whether arcs of ancestors of the target count. */
	readonly withAncestors?: boolean;
	readonly skipDuplicates?: boolean;
	/** A node without a say and without tasks, which marks where an arc was found. */
	readonly isPlaceholder?: boolean;
	/** Whether the arc counts as one of an ancestor when its origin does. */
	readonly isLikeOrigin?: boolean;
	/** Depth of the prim that has the arc; the parent's unless given. */
	readonly namespaceDepth?: number;
}

/** Builds the graph of one site by working off tasks in the order of `TaskType` until none is left. */
export class PrimIndexer {
	readonly inputs: IndexInputs;
	readonly outputs: IndexOutputs;
	readonly graph: IndexGraph;
	readonly frame: Frame | undefined;
	readonly rootSite: ErrorSite;
	readonly #impliesSpecializes: boolean;
	readonly #evaluatesVariants: boolean;
	readonly #tasks: TaskQueue;

	constructor(inputs: IndexInputs, outputs: IndexOutputs, graph: IndexGraph, options: BuildOptions) {
		this.inputs = inputs;
		this.outputs = outputs;
		this.graph = graph;
		this.frame = options.frame;
		this.rootSite = options.rootSite;
		this.#impliesSpecializes = options.impliesSpecializes;
		this.#evaluatesVariants = options.evaluatesVariants;
		this.#tasks = new TaskQueue(graph);
	}

	/** Evaluates the arcs of every node the graph has, and of every node that comes from that. */
	run(): void {
		this.#addTasks(this.graph.root, false, false, false);
		for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
			this.#perform(task);
			// what was built so far will not be used
			if (this.outputs.isExhausted) return;
		}
	}

	addTask(task: Task): void {
		this.#tasks.add(task);
	}

	retryVariants(): void {
		this.#tasks.retryVariants();
	}

	record(error: PcpError): void {
		if (error.kind === 'CapacityExceeded') {
			if (this.outputs.isExhausted) return;
			this.outputs.isExhausted = true;
		}
		this.outputs.errors.push(error);
	}

	/** The arc type of a node once the graph is part of the one it is built for. */
	arcTypeOf(node: Node): ArcType {
		return node.isRoot && this.frame !== undefined ? this.frame.arcType : node.arcType;
	}

	/** How errors name the root of the graph. */
	get graphSite(): ErrorSite {
		return siteOf(this.graph.root);
	}

	/** Adds an arc and the tasks that follow from it. Undefined when there is a reason not to add it. */
	addArc(
		type: ArcType,
		parent: Node,
		origin: Node,
		layerStack: LayerStack,
		path: Path,
		mapToParent: MapFunction,
		siblingNumber: number,
		options: ArcOptions = {},
	): Node | undefined {
		if (this.#makesCycle(type, parent, origin, layerStack, path)) return undefined;
		const skipDuplicates = options.skipDuplicates === true || this.frame?.skipDuplicates === true;
		if (skipDuplicates && this.#isDuplicate(layerStack, path)) return undefined;

		const namespaceDepth = options.namespaceDepth ?? namespaceDepthOf(parent.path);
		const arc: Arc = { type, parent, origin, mapToParent, namespaceDepth, siblingNumber };
		const contributes = options.contributes !== false;
		const withAncestors = options.withAncestors === true;
		if (this.#isOverCapacity(type, parent, path)) return undefined;
		const node = withAncestors
			? this.#insertWithAncestors(layerStack, path, arc, contributes, skipDuplicates)
			: this.#insertOne(layerStack, path, arc, contributes);
		if (node === undefined) {
			this.record({ kind: 'CapacityExceeded', root: this.rootSite, limit: 'nodes' });
			return undefined;
		}
		if (options.isLikeOrigin === true && origin.isDueToAncestor) node.setDueToAncestor();
		node.setDirect(options.isLikeOrigin !== true || origin.isDirect);
		// a graph that is only a part of another one is looked at when that one is complete
		if (withAncestors && this.frame === undefined && node.isDirect) makeDirect(node);
		if (options.isPlaceholder !== true) this.#addTasksForArc(node, withAncestors);
		// a placeholder for a default prim that is not there
		if (node.path === Path.root) makeInert(node);
		return node;
	}

	#insertOne(layerStack: LayerStack, path: Path, arc: Arc, contributes: boolean): Node | undefined {
		const node = this.graph.insert(layerStack, path, arc);
		if (node === undefined) return undefined;
		if (!contributes) {
			node.setInert();
			node.restrictedDepth = 1;
		}
		node.setHasSpecs(layerStack.hasSpecs(path));
		return node;
	}

	#insertWithAncestors(
		layerStack: LayerStack,
		path: Path,
		arc: Arc,
		contributes: boolean,
		skipDuplicates: boolean,
	): Node | undefined {
		const frame: Frame = {
			previous: this.frame,
			layerStack,
			path,
			parentNode: arc.parent!,
			parentGraph: this.graph,
			arcType: arc.type,
			mapToParent: arc.mapToParent,
			skipDuplicates,
			depth: (this.frame?.depth ?? 0) + chainLength(arc.parent!),
		};
		const options = { frame, rootSite: this.rootSite, impliesSpecializes: false, evaluatesVariants: false };
		const graph = buildGraph(this.inputs, this.outputs, layerStack, path, options, contributes);
		return this.graph.insertGraph(graph, arc);
	}

	#isOverCapacity(type: ArcType, parent: Node, path: Path): boolean {
		if (this.outputs.isExhausted) return true;
		this.outputs.work++;
		const isDeep =
			(isClassArc(type) && path.depth > this.graph.root.path.depth + DEEPEST_TARGET) ||
			(this.frame?.depth ?? 0) + chainLength(parent) > DEEPEST_CHAIN;
		if (!isDeep && this.outputs.work <= MOST_WORK) return false;
		this.record({ kind: 'CapacityExceeded', root: this.rootSite, limit: isDeep ? 'depth' : 'nodes' });
		return true;
	}

	#makesCycle(type: ArcType, parent: Node, origin: Node, layerStack: LayerStack, path: Path): boolean {
		if (type === ArcType.variant) return false;
		// a class below a relocate is a placeholder: its path may be none of its own
		if (isClassArc(type) && parent !== origin && this.#isClassBelowRelocate(parent)) return false;
		let node: Node = parent;
		let frame = this.frame;
		let graphRoot: Node = this.graph.root;
		let target = path;
		for (;;) {
			if (leadsBack(node, layerStack, target)) break;
			if (frame === undefined) return false;
			// the path that the target has once its graph is part of the outer one
			target = lowered(frame.path, graphRoot.path, target);
			node = frame.parentNode;
			graphRoot = frame.parentGraph.root;
			frame = frame.previous;
		}
		this.#recordCycle(type, parent, layerStack, path);
		return true;
	}

	#isClassBelowRelocate(parent: Node): boolean {
		let node: Node | undefined = parent;
		let frame = this.frame;
		for (;;) {
			const type: ArcType = node.isRoot && frame !== undefined ? frame.arcType : node.arcType;
			if (!isClassArc(type)) return type === ArcType.relocate;
			if (node.parent !== null) {
				node = node.parent;
			} else {
				node = frame!.parentNode;
				frame = frame!.previous;
			}
		}
	}

	#recordCycle(type: ArcType, parent: Node, layerStack: LayerStack, path: Path): void {
		const steps = [];
		let frame = this.frame;
		for (let node: Node | undefined = parent; node !== undefined; ) {
			const arcType: ArcType = node.isRoot && frame !== undefined ? frame.arcType : node.arcType;
			steps.push({ ...siteOf(node), arcType });
			const next: Node | null = whenceCame(node);
			if (next !== null) {
				node = next;
			} else {
				node = frame?.parentNode;
				frame = frame?.previous;
			}
		}
		steps.reverse();
		const root = steps[0]!;
		steps.push({ layer: layerStack.rootLayer, path, arcType: type });
		this.record({ kind: 'ArcCycle', root: { layer: root.layer, path: root.path }, cycle: steps });
	}

	/** Whether the final index has a node of this site already, in this graph or one it is built for. */
	#isDuplicate(layerStack: LayerStack, path: Path): boolean {
		let graph: IndexGraph = this.graph;
		let frame = this.frame;
		let target = path;
		for (;;) {
			if (graph.findSite(layerStack, target) !== undefined) return true;
			if (frame === undefined) return false;
			target = lowered(frame.path, graph.root.path, target);
			graph = frame.parentGraph;
			frame = frame.previous;
		}
	}

	/** Tasks for a new arc: what it implies for its parents, and the arcs of the new nodes. */
	#addTasksForArc(node: Node, withAncestors: boolean): void {
		if (isClassArc(node.arcType)) {
			this.addTask({ type: TaskType.impliedClasses, node: implicationStart(node) });
		} else if (hasClassChild(node)) {
			this.addTask({ type: TaskType.impliedClasses, node });
		}
		if (this.#impliesSpecializes && withAncestors && hasSpecializesBelow(node)) {
			this.addTask({ type: TaskType.impliedSpecializes, node });
		}
		this.#addTasks(node, withAncestors, this.frame === undefined, this.#evaluatesVariants && withAncestors);
	}

	/** Tasks for the arcs of a node and of those below it; `isEvaluated` when these were seen to but for variants. */
	#addTasks(start: Node, isEvaluated: boolean, withUnresolved: boolean, withAncestralVariants: boolean): void {
		for (let child = start.firstChild; child !== null; child = child.nextSibling) {
			this.#addTasks(child, isEvaluated, withUnresolved, withAncestralVariants);
		}
		const node = start;
		const isAsset = node.arcType === ArcType.reference || node.arcType === ArcType.payload;
		if (withUnresolved && isAsset) this.addTask({ type: TaskType.unresolvedPrimPath, node });
		const canContribute = node.canContribute;
		const arcs = canContribute && node.hasSpecs ? node.layerStack.siteAt(node.path).arcs : 0;
		if (this.#evaluatesVariants && (arcs & SiteArcs.variants) !== 0) {
			this.addTask({ type: TaskType.variantSets, node });
		}
		if (withAncestralVariants && hasAncestralVariants(node)) {
			this.addTask({ type: TaskType.ancestralVariantSets, node });
		}
		if (!isEvaluated) {
			if ((arcs & SiteArcs.specializes) !== 0) this.addTask({ type: TaskType.specializes, node });
			if ((arcs & SiteArcs.inherits) !== 0) this.addTask({ type: TaskType.inherits, node });
			if ((arcs & SiteArcs.payloads) !== 0) this.addTask({ type: TaskType.payloads, node });
			if ((arcs & SiteArcs.references) !== 0) this.addTask({ type: TaskType.references, node });
			if (canContribute && node.layerStack.relocates !== undefined) {
				this.addTask({ type: TaskType.relocations, node });
			}
		}
		if (node.arcType === ArcType.relocate) this.addTask({ type: TaskType.impliedRelocations, node });
	}

	#perform(task: Task): void {
		const { node } = task;
		switch (task.type) {
			case TaskType.relocations:
				evalRelocations(this, node);
				break;
			case TaskType.impliedRelocations:
				evalImpliedRelocations(this, node);
				break;
			case TaskType.references:
				evalReferences(this, node);
				break;
			case TaskType.payloads:
				evalPayloads(this, node);
				break;
			case TaskType.inherits:
				evalInherits(this, node);
				break;
			case TaskType.impliedClasses:
				evalImpliedClasses(this, node);
				break;
			case TaskType.specializes:
				evalSpecializes(this, node);
				break;
			case TaskType.impliedSpecializes:
				evalImpliedSpecializes(this, node);
				break;
			case TaskType.ancestralVariantSets:
				evalAncestralVariantSets(this, node);
				break;
			case TaskType.variantSets:
				evalVariantSets(this, node);
				break;
			case TaskType.ancestralVariantAuthored:
			case TaskType.variantAuthored:
				evalAuthoredVariant(this, task);
				break;
			case TaskType.ancestralVariantFallback:
			case TaskType.variantFallback:
				evalFallbackVariant(this, task);
				break;
			case TaskType.unresolvedPrimPath:
				evalUnresolvedPrimPath(this, node);
				break;
			default:
				break;
		}
	}
}

/** Builds the graph of a site from scratch, ancestor by ancestor, for use below a node of another graph. */
function buildGraph(
	inputs: IndexInputs,
	outputs: IndexOutputs,
	layerStack: LayerStack,
	path: Path,
	options: BuildOptions,
	rootContributes: boolean,
): IndexGraph {
	const levels: Path[] = [];
	let base = path;
	while (base.kind === PathKind.prim) {
		levels.push(base);
		base = base.parent!;
	}
	const graph = IndexGraph.at(layerStack, base);
	graph.root.setHasSpecs(layerStack.hasSpecs(base));
	if (base !== Path.root) {
		// arcs of ancestors of a variant came with the node that has it
		if (levels.length === 0 && !rootContributes) graph.root.setInert();
		new PrimIndexer(inputs, outputs, graph, options).run();
	}
	for (let i = levels.length - 1; i >= 0; i--) {
		const level = levels[i]!;
		if (isInstanceAbove(inputs, graph, options.rootSite.path)) disableBelowInstance(graph);
		graph.descend(level);
		completeChild(inputs, outputs, graph, options, i > 0 || rootContributes);
	}
	return graph;
}

/**
 * Whether the prim of a graph is an instance. A graph that is built again for an ancestor of the prim in question may lack arcs that
 * this prim has already, so what was found out about that ancestor counts.
 */
function isInstanceAbove(inputs: IndexInputs, graph: IndexGraph, path: Path): boolean {
	const { root } = graph;
	const isAncestor = root.layerStack === inputs.rootLayerStack && path.hasPrefix(root.path);
	const known = isAncestor ? inputs.findPrimIndex(root.path) : undefined;
	return known === undefined ? isInstanceableGraph(graph) : known.isInstance;
}

/** What a graph that was moved to a child has to be looked at for. */
export type ChildWork = number;
export const NO_WORK: ChildWork = 0;
const HAS_ARCS = 1;
const HAS_RELOCATES = 2;

/** Finds out which nodes of a graph that was just moved to a child have specs there, and what is to be evaluated. */
export function settleChild(graph: IndexGraph): ChildWork {
	graph.hasPayloads = false;
	let work = NO_WORK;
	const { nodes } = graph;
	for (let i = 0; i < nodes.length; i++) {
		const node = nodes[i]!;
		const { layerStack } = node;
		if (node.hasSpecs) {
			const site = layerStack.siteAt(node.path);
			if (site.layers.length === 0) node.setHasSpecs(false);
			else if ((site.arcs & COMPOSING_ARCS) !== 0) work |= HAS_ARCS;
		}
		if (layerStack.relocates !== undefined) work |= HAS_RELOCATES;
		if (i > 0) node.setDueToAncestor();
	}
	return work;
}

/** Evaluates what {@link settleChild} found. */
export function runChild(
	inputs: IndexInputs,
	outputs: IndexOutputs,
	graph: IndexGraph,
	options: BuildOptions,
	work: ChildWork,
): void {
	const indexer = new PrimIndexer(inputs, outputs, graph, options);
	if ((work & HAS_RELOCATES) !== 0) elideIfProhibited(indexer);
	indexer.run();
}

/** Turns a graph that was just moved to a child into that child's own. */
function completeChild(
	inputs: IndexInputs,
	outputs: IndexOutputs,
	graph: IndexGraph,
	options: BuildOptions,
	rootContributes: boolean,
): void {
	const work = settleChild(graph);
	if (!rootContributes) graph.root.setInert();
	if (work !== NO_WORK) runChild(inputs, outputs, graph, options, work);
}

function makeDirect(node: Node): void {
	node.setDirect(true);
	for (let child = node.firstChild; child !== null; child = child.nextSibling) makeDirect(child);
}

function hasSpecializesBelow(node: Node): boolean {
	for (let child = node.firstChild; child !== null; child = child.nextSibling) {
		if (child.arcType === ArcType.specialize || hasSpecializesBelow(child)) return true;
	}
	return false;
}

/** Where `target` lies when the graph whose root is at `current` has gone down to `requested`. */
function lowered(requested: Path, current: Path, target: Path): Path {
	return requested.hasPrefix(current) ? requested.replacePrefix(current, target) : requested;
}

function leadsBack(start: Node, layerStack: LayerStack, path: Path): boolean {
	for (let node: Node | null = start; node !== null; node = node.parent) {
		if (node.layerStack === layerStack && (node.path.hasPrefix(path) || path.hasPrefix(node.path))) return true;
	}
	return false;
}

/** The node that an arc was found at: specializes hang below the root, but come from where their placeholder is. */
function whenceCame(node: Node): Node | null {
	return isPropagatedSpecializes(node) ? node.origin!.parent : node.parent;
}

function chainLength(start: Node): number {
	let length = 0;
	for (let node: Node | null = start; node !== null; node = whenceCame(node)) length++;
	return length;
}

/** Whether a spec above the node's path has variant sets; the task looks whether the node contributes there. */
function hasAncestralVariants(node: Node): boolean {
	if (node.path === Path.root) return false;
	for (let path: Path = node.path.parent!; path !== Path.root; path = path.parent!) {
		if ((node.layerStack.siteAt(path).arcs & SiteArcs.variants) !== 0) return true;
	}
	return false;
}
