import { composeOffsets } from '../../pcp/layer-offset.ts';
import type { LayerStack } from '../../pcp/layer-stack.ts';
import type { Node } from '../../pcp/node.ts';
import type { PrimIndex } from '../../pcp/prim-index.ts';
import type { Layer } from '../../sdf/layer.ts';
import { ListOp } from '../../sdf/list-op.ts';
import type { Path } from '../../sdf/path.ts';
import { type Dictionary, dataOf, isIdentityOffset, type LayerOffset, makeValue, type Value } from '../../sdf/value.ts';
import { T } from '../../sdf/value-type.ts';
import { mergeDictionaries } from '../metadata.ts';
import { mapTime } from '../value-time.ts';
import { deriveFromTemplate } from './clip-template.ts';

/** Opens the layer that an asset path names; undefined when there is none. */
export type OpenClip = (assetPath: string, anchor: Layer) => Layer | undefined;

/** Value clips as a prim declares them (AOUSD 12.4): composed, and mapped to the time of the stage. */
export interface ClipDefinition {
	readonly name: string;
	/** Where the clips come in: the strongest site that names clip files. */
	readonly layerStack: LayerStack;
	readonly sourcePath: Path;
	readonly sourceLayer: Layer;
	readonly assetPaths: readonly string[] | undefined;
	readonly primPath: string | undefined;
	/** Pairs of stage time and clip number. */
	readonly active: Float64Array | undefined;
	/** Pairs of stage time and clip time. */
	readonly times: Float64Array | undefined;
	readonly manifest: string | undefined;
	readonly interpolatesMissing: boolean;
}

interface Anchor {
	readonly node: Node;
	readonly layer: Layer;
	readonly offset: LayerOffset;
	readonly order: number;
}

interface Draft {
	anchor: Anchor | undefined;
	info: Dictionary;
}

/** The clip sets of a prim in the order of their strength. Prims without `clips` give none. */
export function composeClipDefinitions(index: PrimIndex, open: OpenClip): ClipDefinition[] {
	const composed = new Map<string, Draft>();
	for (const node of index.nodes) {
		if (!node.canContribute || !node.hasSpecs) continue;
		const sets = clipSetsOfNode(node);
		if (sets === undefined) continue;
		for (const [name, draft] of sets) {
			const known = composed.get(name);
			if (known === undefined) composed.set(name, { ...draft });
			else {
				known.anchor ??= draft.anchor;
				known.info = mergeDictionaries(known.info, draft.info);
			}
		}
	}
	if (composed.size === 0) return [];
	const anchored = [...composed].filter((entry): entry is [string, Draft & { anchor: Anchor }] => {
		return entry[1].anchor !== undefined;
	});
	const nodeOrder = new Map(index.nodes.map((node, i) => [node, i]));
	anchored.sort(([a, x], [b, y]) => {
		const byNode = nodeOrder.get(x.anchor.node)! - nodeOrder.get(y.anchor.node)!;
		return byNode || x.anchor.order - y.anchor.order || (a < b ? -1 : 1);
	});
	return anchored.map(([name, { anchor, info }]) => define(name, anchor, info, open));
}

/** Whether some spec of the prim has clips. */
export function hasClips(index: PrimIndex): boolean {
	for (const node of index.nodes) {
		if (!node.canContribute || !node.hasSpecs) continue;
		const { layerStack, path } = node;
		for (const at of layerStack.siteAt(path).layers) {
			if (layerStack.layers[at]!.data.field(path, 'clips') !== undefined) return true;
		}
	}
	return false;
}

function clipSetsOfNode(node: Node): Map<string, Draft> | undefined {
	const { layerStack, path } = node;
	const { layers } = layerStack.siteAt(path);
	const drafts = new Map<string, Draft>();
	let names: string[] = [];
	let hasAny = false;
	for (let i = layers.length - 1; i >= 0; i--) {
		const at = layers[i]!;
		const layer = layerStack.layers[at]!;
		const clips = dataOf(layer.data.field(path, 'clips'), T.dictionary);
		if (clips !== undefined) {
			hasAny = true;
			const here: string[] = [];
			const offset = composeOffsets(node.mapToRoot.offset, layerStack.offsets[at]!);
			for (const [name, entry] of clips) {
				const info = dataOf(entry, T.dictionary);
				if (name === '' || info === undefined) continue;
				const draft = drafts.get(name) ?? { anchor: undefined, info: new Map<string, Value>() };
				drafts.set(name, draft);
				if (info.get('assetPaths')?.type === T.asset.array || info.get('templateAssetPath')?.type === T.string) {
					draft.anchor = { node, layer, offset, order: 0 };
				}
				draft.info = mergeDictionaries(retimed(info, offset), draft.info);
				here.push(name);
			}
			names = ListOp.edits<string>({ addedItems: here.sort() }).apply(names);
		}
		// what layers below the weakest clips say about their order does not count
		const order = hasAny ? dataOf(layer.data.field(path, 'clipSets'), T.stringListOp) : undefined;
		if (order !== undefined) names = order.apply(names);
	}
	if (!hasAny) return undefined;
	for (const [name, draft] of drafts) {
		const order = names.indexOf(name);
		if (order < 0) drafts.delete(name);
		else if (draft.anchor !== undefined) draft.anchor = { ...draft.anchor, order };
	}
	return drafts;
}

/** Clip info whose `active` and `times` are in stage time. */
function retimed(info: Dictionary, offset: LayerOffset): Dictionary {
	if (isIdentityOffset(offset)) return info;
	const out = new Map(info);
	for (const key of ['active', 'times']) {
		const pairs = dataOf(info.get(key), T.double2.array);
		if (pairs !== undefined) out.set(key, makeValue(T.double2.array, retimedPairs(pairs, offset)) as Value);
	}
	return out;
}

function retimedPairs(pairs: Float64Array, offset: LayerOffset): Float64Array {
	return pairs.map((value, i) => (i % 2 === 0 ? mapTime(offset, value) : value));
}

function define(name: string, anchor: Anchor, info: Dictionary, open: OpenClip): ClipDefinition {
	const base = {
		name,
		layerStack: anchor.node.layerStack,
		sourcePath: anchor.node.path,
		sourceLayer: anchor.layer,
		primPath: dataOf(info.get('primPath'), T.string),
		manifest: dataOf(info.get('manifestAssetPath'), T.asset),
		interpolatesMissing: dataOf(info.get('interpolateMissingClipValues'), T.bool) ?? false,
	};
	const assetPaths = dataOf(info.get('assetPaths'), T.asset.array);
	if (assetPaths !== undefined) {
		const active = dataOf(info.get('active'), T.double2.array);
		return { ...base, assetPaths, active, times: dataOf(info.get('times'), T.double2.array) };
	}
	const derived = deriveFromTemplate(info, (path) => open(path, anchor.layer) !== undefined);
	return {
		...base,
		assetPaths: derived?.assetPaths,
		active: derived && retimedPairs(derived.active, anchor.offset),
		times: derived && retimedPairs(derived.times, anchor.offset),
	};
}
