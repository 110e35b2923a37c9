import { childPaths } from '../sdf/children.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { Path, PathKind } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf, valueIs } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { countLayer, type LayerCounts } from './layer-counts.ts';
import { type Json, valueToJson } from './value-json.ts';

/** Options of {@link summarizeLayer}. @public */
export interface SummaryOptions {
	/** Levels of prims to list; everything is counted whatever the depth. */
	readonly depth?: number;
	/** Give the values of attributes, time samples included. */
	readonly values?: boolean;
	/** Lines that will be shown of the tree: specs beyond are counted, not described. Properties take a line with `values` only. */
	readonly maxLines?: number;
}

/** Values of {@link SummaryOptions} that are used when absent. @public */
export const SUMMARY_DEFAULTS: Required<SummaryOptions> = Object.freeze({
	depth: 100,
	values: false,
	maxLines: Number.POSITIVE_INFINITY,
});

/** What a layer holds: plain data, ready for `JSON.stringify`. @public */
export interface LayerSummary {
	/** Metadata of the layer, by name. */
	readonly metadata: { readonly [name: string]: Json };
	readonly subLayers: readonly { readonly assetPath: string; readonly offset?: number; readonly scale?: number }[];
	readonly counts: LayerCounts;
	/** Prims, variant sets, variants and properties, parents before children, in the order of the file. */
	readonly specs: readonly SpecSummary[];
	/** Prims below the depth asked for. */
	readonly omittedPrims: number;
	/** Lines beyond those asked for. */
	readonly omittedLines: number;
}

/** One spec of a {@link LayerSummary}. Absent members say nothing or do not apply. @public */
export interface SpecSummary {
	readonly path: string;
	readonly spec: 'prim' | 'variantSet' | 'variant' | 'attribute' | 'relationship';
	readonly name: string;
	/** Nesting among prims, variant sets and variants; a property has that of its owner plus one. */
	readonly depth: number;
	readonly specifier?: string;
	readonly typeName?: string;
	/** `uniform` or `varying`. */
	readonly variability?: string;
	readonly custom?: true;
	/** Names of the variants of a variant set. */
	readonly variants?: readonly string[];
	/** Variant of a variant set that the same prim spec selects. */
	readonly selection?: string;
	/** Everything else that is authored on it, arcs and applied schemas included. */
	readonly metadata?: { readonly [name: string]: Json };
	readonly value?: Json;
	/** Number of time samples. */
	readonly sampleCount?: number;
	readonly samples?: Json;
}

/** Lists what a layer holds. @public */
export function summarizeLayer(data: LayerData, options: SummaryOptions = {}): LayerSummary {
	const { depth, values, maxLines } = { ...SUMMARY_DEFAULTS, ...options };
	const specs: SpecSummary[] = [];
	let omittedPrims = 0;
	let lines = 0;
	let omittedLines = 0;
	const stack: [Path, number][] = roots(data);
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const [path, level] = next;
		if (!data.has(path)) continue;
		if (level >= depth) {
			if (path.kind === PathKind.prim) omittedPrims++;
			// only counts: the specs below are not described
			for (const child of childPaths(data, path)) if (!child.isProperty) stack.push([child, level + 1]);
			continue;
		}
		const children = childPaths(data, path).filter((child) => child.kind !== PathKind.target);
		const properties = children.filter((child) => child.isProperty);
		const isShown = lines < maxLines;
		if (isShown) {
			specs.push(describe(data, path, level, values));
			for (const child of properties) specs.push(describe(data, child, level + 1, values));
		}
		const taken = values ? 1 + properties.length : 1;
		if (isShown) lines += taken;
		else omittedLines += taken;
		for (let i = children.length - 1; i >= 0; i--) {
			const child = children[i]!;
			if (!child.isProperty) stack.push([child, level + 1]);
		}
	}
	return {
		metadata: metadataOf(data, Path.root),
		subLayers: subLayersOf(data),
		counts: countLayer(data),
		specs,
		omittedPrims,
		omittedLines,
	};
}

/** Fields with a member of their own in the summary, and lists of children. */
const STRUCTURE: ReadonlySet<string> = new Set([
	'specifier',
	'typeName',
	'custom',
	'variability',
	'default',
	'timeSamples',
	'primChildren',
	'properties',
	'variantSetChildren',
	'variantChildren',
	'targetChildren',
	'connectionChildren',
	'subLayers',
	'subLayerOffsets',
]);

function roots(data: LayerData): [Path, number][] {
	return childPaths(data, Path.root)
		.reverse()
		.map((path) => [path, 0]);
}

function describe(data: LayerData, path: Path, depth: number, withValues: boolean): SpecSummary {
	const type = data.specType(path);
	const metadata = metadataOf(data, path);
	const common = {
		path: path.toString(),
		spec: SPEC_NAMES[type] ?? 'prim',
		depth,
		...(metadata !== NO_METADATA && { metadata }),
	};
	if (type === SpecType.variantSet) return { ...common, name: path.variantSet, ...variantSetMembers(data, path) };
	if (type === SpecType.variant) return { ...common, name: path.variantSelection };
	const typeName = dataOf(data.field(path, 'typeName'), T.token);
	const named = { ...common, name: path.name, ...(typeName !== undefined && typeName !== '' && { typeName }) };
	if (type === SpecType.prim) {
		return { ...named, specifier: dataOf(data.field(path, 'specifier'), T.specifier) ?? 'over' };
	}
	return { ...named, ...propertyMembers(data, path, withValues) };
}

const SPEC_NAMES: { readonly [type: number]: SpecSummary['spec'] } = {
	[SpecType.prim]: 'prim',
	[SpecType.variantSet]: 'variantSet',
	[SpecType.variant]: 'variant',
	[SpecType.attribute]: 'attribute',
	[SpecType.relationship]: 'relationship',
};

function variantSetMembers(data: LayerData, path: Path): Pick<SpecSummary, 'variants' | 'selection'> {
	const variants = dataOf(data.field(path, 'variantChildren'), T.tokenVector) ?? [];
	const selection = dataOf(data.field(path.parent!, 'variantSelection'), T.variantSelectionMap)?.get(path.variantSet);
	return { variants, ...(selection !== undefined && { selection }) };
}

function propertyMembers(data: LayerData, path: Path, withValues: boolean): Partial<SpecSummary> {
	const variability = dataOf(data.field(path, 'variability'), T.variability);
	const field = data.field(path, 'timeSamples');
	const samples = valueIs(field, T.timeSamples) ? field : undefined;
	const value = withValues ? data.field(path, 'default') : undefined;
	return {
		...(variability !== undefined && { variability }),
		...(dataOf(data.field(path, 'custom'), T.bool) === true && { custom: true }),
		...(value !== undefined && { value: valueToJson(value) }),
		...(samples !== undefined && { sampleCount: samples.data.times.length }),
		...(withValues && samples !== undefined && { samples: valueToJson(samples) }),
	};
}

const NO_METADATA: { readonly [name: string]: Json } = Object.freeze({});

function metadataOf(data: LayerData, path: Path): { readonly [name: string]: Json } {
	const names = data.fieldNames(path).filter((name) => !STRUCTURE.has(name));
	if (names.length === 0) return NO_METADATA;
	const metadata: [string, Json][] = [];
	for (const name of names.sort()) {
		const value = data.field(path, name);
		if (value !== undefined) metadata.push([name, valueToJson(value)]);
	}
	return Object.fromEntries(metadata);
}

function subLayersOf(data: LayerData): LayerSummary['subLayers'] {
	const paths = dataOf(data.field(Path.root, 'subLayers'), T.stringVector) ?? [];
	const offsets = dataOf(data.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector) ?? [];
	return paths.map((assetPath, i) => {
		const { offset = 0, scale = 1 } = offsets[i] ?? {};
		return { assetPath, ...(offset !== 0 && { offset }), ...(scale !== 1 && { scale }) };
	});
}
