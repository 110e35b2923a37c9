import type { AssetIdentity } from '../ar/asset-store.ts';
import type { Layer } from '../sdf/layer.ts';
import type { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import {
	arcKey,
	dataOf,
	EMPTY_DICTIONARY,
	type LayerOffset,
	type Payload,
	type Reference,
	type Value,
} from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import type { ChildNames } from './child-names.ts';
import type { LayerStack } from './layer-stack.ts';
import type { PcpError } from './pcp-error.ts';
import { evaluateText, isExpression } from './variable-expression.ts';

/** Which arcs the specs of a site mention, as bits. */
export const SiteArcs = {
	inherits: 1,
	variants: 2,
	references: 4,
	payloads: 8,
	specializes: 16,
	selections: 32,
	instanceable: 64,
} as const;

/** The bits of arcs that add nodes. */
export const COMPOSING_ARCS: number =
	SiteArcs.inherits | SiteArcs.variants | SiteArcs.references | SiteArcs.payloads | SiteArcs.specializes;

/** A reference or payload as a layer stack composes it. */
export interface SiteArc {
	/** As authored, with expressions evaluated; '' leads into the same layer stack. */
	readonly assetPath: string;
	readonly identity: AssetIdentity | undefined;
	readonly primPath: Path;
	readonly offset: LayerOffset;
	/** The strongest layer that has the arc. */
	readonly layer: Layer;
	/** How time in that layer maps to time in the layer stack. */
	readonly layerOffset: LayerOffset;
}

/** An error of a site, which is told for each index that meets it. */
export type SiteError = Omit<Extract<PcpError, { kind: 'VariableExpressionError' }>, 'root'>;

export interface SiteArcList {
	readonly arcs: readonly SiteArc[];
	readonly errors: readonly SiteError[];
}

/** What the layers of a layer stack say at one path. Lists are composed when asked for. */
export interface Site {
	/** Which layers of the stack have a spec there, strongest first. */
	readonly layers: readonly number[];
	/** Bits of {@link SiteArcs}. */
	readonly arcs: number;
	references?: SiteArcList;
	payloads?: SiteArcList;
	inherits?: readonly Path[];
	specializes?: readonly Path[];
	variantSets?: readonly string[];
	/** Names of children, where this site alone gives them. */
	childNames?: ChildNames;
}

/** The site of a path without specs. */
export const NO_SPECS: Site = { layers: [], arcs: 0 };

export function composeSite(stack: LayerStack, path: Path): Site {
	let layers: number[] | undefined;
	let arcs = 0;
	for (let i = 0; i < stack.layers.length; i++) {
		const { data } = stack.layers[i]!;
		if (!data.has(path)) continue;
		layers ??= [];
		layers.push(i);
		for (const name of data.fieldNames(path)) arcs |= arcBit(name);
	}
	return layers === undefined ? NO_SPECS : { layers, arcs };
}

export function siteReferences(stack: LayerStack, path: Path): SiteArcList {
	const site = stack.siteAt(path);
	if (!mentions(site, SiteArcs.references)) return NO_ARCS;
	site.references ??= composeArcs(stack, path, site, 'references', T.referenceListOp);
	return site.references;
}

export function sitePayloads(stack: LayerStack, path: Path): SiteArcList {
	const site = stack.siteAt(path);
	if (!mentions(site, SiteArcs.payloads)) return NO_ARCS;
	site.payloads ??= composeArcs(stack, path, site, 'payload', T.payloadListOp);
	return site.payloads;
}

export function siteInherits(stack: LayerStack, path: Path): readonly Path[] {
	const site = stack.siteAt(path);
	if (!mentions(site, SiteArcs.inherits)) return NO_PATHS;
	site.inherits ??= composePaths(stack, path, site, 'inheritPaths');
	return site.inherits;
}

export function siteSpecializes(stack: LayerStack, path: Path): readonly Path[] {
	const site = stack.siteAt(path);
	if (!mentions(site, SiteArcs.specializes)) return NO_PATHS;
	site.specializes ??= composePaths(stack, path, site, 'specializes');
	return site.specializes;
}

/** Names of the variant sets, strongest first. */
export function siteVariantSets(stack: LayerStack, path: Path): readonly string[] {
	const site = stack.siteAt(path);
	if (!mentions(site, SiteArcs.variants)) return NO_NAMES;
	if (site.variantSets === undefined) {
		let names: string[] = [];
		for (let i = site.layers.length - 1; i >= 0; i--) {
			const op = listOpOf(stack, path, site.layers[i]!, 'variantSetNames', T.stringListOp);
			if (op !== undefined) names = op.apply(names);
		}
		site.variantSets = names;
	}
	return site.variantSets;
}

/** Whether a variant set has a variant of that name in some layer. */
export function siteHasVariant(stack: LayerStack, path: Path, set: string, selection: string): boolean {
	const variantSet = path.appendVariant(set, '');
	return stack.layers.some(({ data }) =>
		dataOf(data.field(variantSet, 'variantChildren'), T.tokenVector)?.includes(selection),
	);
}

/** The selection that the strongest layer with an opinion makes; undefined without one. */
export function siteSelection(stack: LayerStack, path: Path, set: string, errors: SiteError[]): string | undefined {
	const site = stack.siteAt(path);
	if (!mentions(site, SiteArcs.selections)) return undefined;
	for (const index of site.layers) {
		const layer = stack.layers[index]!;
		const selection = dataOf(layer.data.field(path, 'variantSelection'), T.variantSelectionMap)?.get(set);
		if (selection === undefined) continue;
		if (!isExpression(selection)) return selection;
		const result = evaluateText(selection, stack.variables.variables);
		if (result.errors.length === 0) return result.value;
		errors.push(expressionError(selection, 'variant', layer, path, result.errors));
	}
	return undefined;
}

/** Whether some layer of a site has the field of an arc. */
function mentions({ arcs }: Site, arc: number): boolean {
	return (arcs & arc) !== 0;
}

function arcBit(field: string): number {
	switch (field) {
		case 'inheritPaths':
			return SiteArcs.inherits;
		case 'variantSetNames':
			return SiteArcs.variants;
		case 'references':
			return SiteArcs.references;
		case 'payload':
			return SiteArcs.payloads;
		case 'specializes':
			return SiteArcs.specializes;
		case 'variantSelection':
			return SiteArcs.selections;
		case 'instanceable':
			return SiteArcs.instanceable;
		default:
			return 0;
	}
}

function listOpOf<D>(stack: LayerStack, path: Path, layer: number, field: string, type: ValueType<D>): D | undefined {
	const value: Value | undefined = stack.layers[layer]!.data.field(path, field);
	return dataOf(value, type);
}

function composePaths(stack: LayerStack, path: Path, site: Site, field: string): readonly Path[] {
	const anchor = path.stripVariants();
	let paths: Path[] = [];
	for (let i = site.layers.length - 1; i >= 0; i--) {
		const op = listOpOf(stack, path, site.layers[i]!, field, T.pathListOp);
		if (op !== undefined) paths = op.mapItems((item) => item.makeAbsolute(anchor)).apply(paths);
	}
	return paths;
}

function composeArcs<R extends Reference | Payload>(
	stack: LayerStack,
	path: Path,
	site: Site,
	field: 'references' | 'payload',
	type: ValueType<ListOp<R>>,
): SiteArcList {
	const errors: SiteError[] = [];
	const bySpelling = new Map<string, SiteArc>();
	let keys: string[] = [];
	for (let i = site.layers.length - 1; i >= 0; i--) {
		const index = site.layers[i]!;
		const op = listOpOf(stack, path, index, field, type);
		if (op === undefined) continue;
		const layer = stack.layers[index]!;
		const layerOffset = stack.offsets[index]!;
		const spelled = op.mapItems((arc) => {
			let assetPath = arc.assetPath;
			if (isExpression(assetPath)) {
				const result = evaluateText(assetPath, stack.variables.variables);
				const context = field === 'payload' ? 'payload' : 'reference';
				if (result.errors.length > 0) errors.push(expressionError(assetPath, context, layer, path, result.errors));
				if (result.value === '') return undefined;
				assetPath = result.value;
			}
			const identity = assetPath === '' ? undefined : stack.store.identify(assetPath, layer.identifier);
			const { primPath, layerOffset: offset } = arc;
			const target = {
				assetPath: identity?.identifier ?? '',
				primPath,
				layerOffset: offset,
				customData: EMPTY_DICTIONARY,
			};
			// OpenUSD tells arcs apart by how many entries their custom data has, not by which
			const count = 'customData' in arc ? arc.customData.size : 0;
			const key = `${count} ${arcKey(target)}`;
			bySpelling.set(key, { assetPath, identity, primPath, offset, layer, layerOffset });
			return key;
		});
		keys = spelled.apply(keys);
	}
	return { arcs: keys.map((key) => bySpelling.get(key)!), errors };
}

function expressionError(
	expression: string,
	context: SiteError['context'],
	sourceLayer: Layer,
	sourcePath: Path,
	reasons: readonly string[],
): SiteError {
	return { kind: 'VariableExpressionError', expression, context, sourceLayer, sourcePath, reasons };
}

const NO_ARCS: SiteArcList = { arcs: [], errors: [] };
const NO_PATHS: readonly Path[] = [];
const NO_NAMES: readonly string[] = [];
