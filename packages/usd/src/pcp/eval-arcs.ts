import { isAssetFailure } from '../ar/asset-store.ts';
import { Path } from '../sdf/path.ts';
import { IDENTITY_OFFSET, type LayerOffset } from '../sdf/value.ts';
import { ArcType } from './arc-type.ts';
import { composeOffsets, isUsableOffset } from './layer-offset.ts';
import { defaultPrimOf, type LayerStack, timeCodesPerSecondOf } from './layer-stack.ts';
import { MapFunction } from './map-function.ts';
import { type Node, namespaceDepthOf } from './node.ts';
import { siteOf } from './pcp-error.ts';
import type { PrimIndexer } from './prim-indexer.ts';
import { type SiteArc, type SiteArcList, sitePayloads, siteReferences } from './site.ts';

export function evalReferences(indexer: PrimIndexer, node: Node): void {
	if (!node.canContribute) return;
	addAssetArcs(indexer, node, siteReferences(node.layerStack, node.path), ArcType.reference);
}

export function evalPayloads(indexer: PrimIndexer, node: Node): void {
	if (!node.canContribute) return;
	const list = sitePayloads(node.layerStack, node.path);
	if (list.arcs.length === 0) {
		recordSiteErrors(indexer, list);
		return;
	}
	indexer.graph.hasPayloads = true;
	const path = payloadPath(indexer, node);
	// no path of the stage stands for the payload, so nobody could ask for it: it is always there
	if (!path.isEmpty && !indexer.inputs.includesPayload(path)) {
		recordSiteErrors(indexer, list);
		return;
	}
	addAssetArcs(indexer, node, list, ArcType.payload);
}

/** Reports a reference or payload that led to no spec at all, after every source of specs was looked at. */
export function evalUnresolvedPrimPath(indexer: PrimIndexer, node: Node): void {
	const intro = node.pathAtIntroduction;
	const isFound =
		node.depthBelowIntroduction === 0
			? someInTree(node, (below) => below.hasSpecs)
			: someInTree(node, (below) => below.layerStack.hasSpecs(below.pathAtIntroduction));
	if (isFound) return;
	const parent = node.parent!;
	let path = node.mapToParent.mapSourceToTarget(intro);
	if (parent.path.hasVariants) path = path.replacePrefix(parent.path.stripVariants(), parent.path);
	const list =
		node.arcType === ArcType.payload ? sitePayloads(parent.layerStack, path) : siteReferences(parent.layerStack, path);
	const arc = list.arcs[node.siblingNumber];
	indexer.record({
		kind: 'UnresolvedPrimPath',
		root: indexer.graphSite,
		site: { layer: parent.layerStack.rootLayer, path },
		sourceLayer: arc?.layer ?? parent.layerStack.rootLayer,
		arcType: node.arcType,
		targetLayer: node.layerStack.rootLayer,
		unresolvedPath: intro,
	});
}

function recordSiteErrors(indexer: PrimIndexer, list: SiteArcList): void {
	for (const error of list.errors) indexer.record({ ...error, root: indexer.graphSite });
}

function addAssetArcs(indexer: PrimIndexer, node: Node, list: SiteArcList, type: ArcType): void {
	recordSiteErrors(indexer, list);
	for (let i = 0; i < list.arcs.length; i++) addAssetArc(indexer, node, list.arcs[i]!, i, type);
}

function addAssetArc(indexer: PrimIndexer, node: Node, arc: SiteArc, number: number, type: ArcType): void {
	const { primPath } = arc;
	const root = indexer.graphSite;
	const site = siteOf(node);
	const isBadPath = !primPath.isEmpty && !(primPath.isAbsolute && primPath.isPrim && !primPath.hasVariants);
	if (isBadPath) {
		indexer.record({ kind: 'InvalidPrimPath', root, site, sourceLayer: arc.layer, arcType: type, primPath });
	}
	let offset: LayerOffset = IDENTITY_OFFSET;
	if (isUsableOffset(arc.offset)) {
		// an arc within the layer stack meets the offset of its sublayer at the target
		offset = arc.identity === undefined ? arc.offset : composeOffsets(arc.layerOffset, arc.offset);
	} else {
		const { layer: sourceLayer, assetPath, offset: bad } = arc;
		indexer.record({
			kind: 'InvalidReferenceOffset',
			root,
			site,
			sourceLayer,
			arcType: type,
			targetPath: primPath,
			assetPath,
			offset: bad,
		});
	}
	if (isBadPath) return;

	let target: LayerStack | undefined = node.layerStack;
	if (arc.identity !== undefined) {
		target = findLayerStack(indexer, node, arc, type);
		if (target === undefined) return;
		const from = timeCodesPerSecondOf(arc.layer);
		const to = target.timeCodesPerSecond;
		if (from !== to) offset = { offset: offset.offset, scale: (offset.scale * from) / to };
	}

	let path = primPath;
	if (path.isEmpty) {
		const found = defaultPrimOf(target.rootLayer);
		if (found === undefined) {
			indexer.record({
				kind: 'UnresolvedPrimPath',
				root,
				site,
				sourceLayer: arc.layer,
				arcType: type,
				targetLayer: target.rootLayer,
				unresolvedPath: undefined,
			});
		}
		// the root stands for nothing: it leads to no opinions
		path = found ?? Path.root;
	}
	let map = arcMap(path, node, offset);
	if (arc.identity === undefined) map = map.withRootIdentity();
	indexer.addArc(type, node, node, target, path, map, number, {
		withAncestors: path.depth !== 1,
		namespaceDepth: namespaceDepthOf(node.path),
	});
}

function findLayerStack(indexer: PrimIndexer, node: Node, arc: SiteArc, type: ArcType): LayerStack | undefined {
	const { identifier, refusal } = arc.identity!;
	if (indexer.inputs.isMuted(identifier)) {
		indexer.record({
			kind: 'MutedAssetPath',
			root: indexer.graphSite,
			site: siteOf(node),
			sourceLayer: arc.layer,
			arcType: type,
			targetPath: arc.primPath,
			assetPath: arc.assetPath,
			resolvedPath: identifier,
		});
		return undefined;
	}
	const found = refusal === undefined ? node.layerStack.store.layer(identifier) : { failure: refusal };
	if (found === undefined) {
		indexer.outputs.missing.push({ identifier, assetPath: arc.assetPath, anchor: arc.layer.identifier });
		return undefined;
	}
	if (isAssetFailure(found)) {
		indexer.record({
			kind: 'InvalidAssetPath',
			root: indexer.graphSite,
			site: siteOf(node),
			sourceLayer: arc.layer,
			arcType: type,
			targetPath: arc.primPath,
			assetPath: arc.assetPath,
			resolvedPath: identifier,
			reason: found.failure,
		});
		return undefined;
	}
	const stack = indexer.inputs.layerStack(found, node.layerStack.variables);
	indexer.outputs.missing.push(...stack.missing);
	return stack;
}

/** Maps the target of an arc to the node that has it, with the relocates that apply there. */
export function arcMap(source: Path, node: Node, offset: LayerOffset = IDENTITY_OFFSET): MapFunction {
	const target = node.path.stripVariants();
	const map = MapFunction.ofPrim(source, target, offset);
	const relocates = node.layerStack.relocatesMapAt(target);
	if (relocates === undefined) return map;
	return relocates.compose(map);
}

/** The path of the stage by which the payload of a node is loaded; empty when there is none. */
function payloadPath(indexer: PrimIndexer, start: Node): Path {
	let path = payloadPathAtRoot(start, start.path.stripVariants());
	for (let frame = indexer.frame; frame !== undefined && !path.isEmpty; frame = frame.previous) {
		path = payloadPathAtParent(frame.mapToParent, frame.arcType, path);
		if (!path.isEmpty) path = payloadPathAtRoot(frame.parentNode, path);
	}
	return path;
}

function payloadPathAtRoot(start: Node, path: Path): Path {
	let mapped = start.mapToRoot.mapSourceToTarget(path);
	// arcs within a layer stack map other paths to themselves, which is not meant here
	if (mapped === path && start.mapToRoot.hasRootIdentity) {
		for (let node = start; !mapped.isEmpty && node.parent !== null; node = node.parent) {
			mapped = payloadPathAtParent(node.mapToParent, node.arcType, mapped);
		}
	}
	return mapped;
}

function payloadPathAtParent(map: MapFunction, type: ArcType, path: Path): Path {
	const isAsset = type === ArcType.reference || type === ArcType.payload;
	return (isAsset ? map.withoutRootIdentity() : map).mapSourceToTarget(path);
}

function someInTree(node: Node, isWanted: (node: Node) => boolean): boolean {
	if (isWanted(node)) return true;
	for (let child = node.firstChild; child !== null; child = child.nextSibling) {
		if (someInTree(child, isWanted)) return true;
	}
	return false;
}
