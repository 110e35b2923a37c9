import type { LocatedPlace, SourcePlaces } from '../ar/source-places.ts';
import { ARC_NAMES, ArcType } from '../pcp/arc-type.ts';
import type { LayerStack } from '../pcp/layer-stack.ts';
import type { Node } from '../pcp/node.ts';
import { sitePayloads, siteReferences } from '../pcp/site.ts';
import type { Layer } from '../sdf/layer.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { ARC_FIELDS } from './composition-diagnostics.ts';
import { appliedItems } from './layer-counts.ts';

/** A place in a file: lines and columns from 1, absent for binary layers. @public */
export interface PlaceSummary {
	readonly file: string;
	readonly line?: number;
	readonly column?: number;
}

/** One arc on the way from a prim to an opinion. @public */
export interface ArcSummary {
	/** `inherit`, `variant`, `relocate`, `reference`, `payload` or `specialize`. */
	readonly arc: string;
	/** Root layer of the layer stack that the arc leads to. */
	readonly layer: string;
	/** Path that it leads to; a variant has its selection in it. */
	readonly path: string;
	/** The asset path as authored. */
	readonly assetPath?: string;
	/** Whether nobody wrote the arc here: a class is implied by an arc of another layer stack. */
	readonly isImplied?: true;
	/** Where the arc was authored. */
	readonly authored?: PlaceSummary;
}

/** A place without what only diagnostics need. */
export function placeSummary({ file, range }: LocatedPlace): PlaceSummary {
	return range === undefined ? { file } : { file, line: range.start.line, column: range.start.column };
}

/** The arcs from the root of a prim index to a node. */
export function arcSteps(node: Node, places: SourcePlaces): ArcSummary[] {
	const steps: ArcSummary[] = [];
	for (let at: Node | null = node; at !== null && at.parent !== null; at = at.parent)
		steps.push(describeArc(at, places));
	return steps.reverse();
}

/** The arc that leads to a node from its parent. */
export function describeArc(node: Node, places: SourcePlaces): ArcSummary {
	const origin = node.originRoot;
	const found = authoredArc(origin);
	const assetPath = found?.assetPath ?? '';
	return {
		arc: ARC_NAMES[node.arcType]!,
		layer: places.name(node.layerStack.rootLayer),
		path: node.pathAtIntroduction.toString(),
		...(assetPath !== '' && { assetPath }),
		...(origin !== node && { isImplied: true as const }),
		...(found !== undefined && {
			authored: placeSummary(places.field(found.layer, found.path, ARC_FIELDS[node.arcType]!, found.item)),
		}),
	};
}

interface AuthoredArc {
	readonly layer: Layer;
	readonly path: Path;
	readonly assetPath?: string;
	/** Text by which the arc is found in its field. */
	readonly item: string;
}

function authoredArc(node: Node): AuthoredArc | undefined {
	const path = node.introPath;
	const stack = node.parent?.layerStack;
	if (path === null || stack === undefined) return undefined;
	switch (node.arcType) {
		case ArcType.reference:
		case ArcType.payload: {
			const list = node.arcType === ArcType.payload ? sitePayloads(stack, path) : siteReferences(stack, path);
			const arc = list.arcs[node.siblingNumber];
			if (arc === undefined) return undefined;
			const { layer, assetPath } = arc;
			return { layer, path, assetPath, item: assetPath === '' ? arc.primPath.toString() : assetPath };
		}
		case ArcType.inherit:
		case ArcType.specialize:
			return classArc(stack, path, ARC_FIELDS[node.arcType]!, node.pathAtIntroduction);
		default:
			return undefined;
	}
}

function classArc(stack: LayerStack, path: Path, field: string, target: Path): AuthoredArc | undefined {
	const anchor = path.stripVariants();
	for (const layer of stack.layers) {
		const op = dataOf(layer.data.field(path, field), T.pathListOp);
		const found = op && appliedItems(op).find((item) => item.makeAbsolute(anchor) === target);
		if (found !== undefined) return { layer, path, item: found.toString() };
	}
	return undefined;
}
