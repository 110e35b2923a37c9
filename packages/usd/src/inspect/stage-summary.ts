import { type JsonReport, Report } from '@manyworlds/core';
import { toJsonReport } from '@manyworlds/core/internal';
import type { SourcePlaces } from '../ar/source-places.ts';
import { ArcType } from '../pcp/arc-type.ts';
import type { Attribute } from '../usd/attribute.ts';
import type { Prim } from '../usd/prim.ts';
import type { Property } from '../usd/property.ts';
import { Relationship } from '../usd/relationship.ts';
import type { Stage } from '../usd/stage.ts';
import { type ArcSummary, describeArc } from './arc-steps.ts';
import { diagnoseComposition } from './composition-diagnostics.ts';
import { type CountTable, countTable } from './layer-counts.ts';
import { type Json, valueToJson } from './value-json.ts';

/** Options of {@link inspectStage}. @public */
export interface StageInspectOptions {
	/** Name of the root layer. */
	readonly file: string;
	readonly places: SourcePlaces;
	/** Levels of prims to list; everything is counted whatever the depth. */
	readonly depth?: number;
	/** List properties with their values at the default time, or at `time`. */
	readonly values?: boolean;
	readonly time?: number;
	/** Prims to describe at most; the rest is counted. */
	readonly maxPrims?: number;
	/** Takes what is wrong with the composition. */
	readonly report?: Report;
}

/** Values of {@link StageInspectOptions} that are used when absent. @public */
export const STAGE_INSPECT_DEFAULTS: { readonly depth: number; readonly values: boolean; readonly maxPrims: number } =
	Object.freeze({ depth: 100, values: false, maxPrims: Number.POSITIVE_INFINITY });

/** What a stage composes to: plain data, ready for `JSON.stringify`. @public */
export interface StageInspection {
	readonly version: 1;
	readonly file: string;
	/** Metadata of the stage, by name. */
	readonly metadata: { readonly [name: string]: Json };
	/** Layers of the root layer stack, strongest first. */
	readonly layerStack: readonly string[];
	/** Layers that arcs bring in besides those. */
	readonly otherLayers: readonly string[];
	readonly counts: StageCounts;
	/** Parents before children, in composed order; prototypes last. */
	readonly prims: readonly PrimSummary[];
	/** Prims below the depth asked for. */
	readonly omittedPrims: number;
	/** Prims left out because of `maxPrims`. */
	readonly furtherPrims: number;
	readonly report: JsonReport;
}

/** Numbers of things on a stage; prims of prototypes are counted once. @public */
export interface StageCounts {
	readonly prims: number;
	readonly instances: number;
	readonly prototypes: number;
	readonly primTypes: CountTable;
	readonly appliedSchemas: CountTable;
	/** Arcs that prims have themselves. */
	readonly arcs: CountTable;
}

/** One prim of a {@link StageInspection}. Absent members say nothing or do not apply. @public */
export interface PrimSummary {
	readonly path: string;
	readonly name: string;
	readonly depth: number;
	readonly specifier: string;
	readonly typeName?: string;
	readonly kind?: string;
	readonly active?: false;
	/** Whether its payloads are not loaded. */
	readonly loaded?: false;
	/** The prototype of an instance. */
	readonly prototype?: string;
	readonly isPrototype?: true;
	/** Applied API schemas, built-in ones included. */
	readonly appliedSchemas?: readonly string[];
	/** Applied API schemas that no schema file declares. */
	readonly unknownSchemas?: readonly string[];
	readonly variantSets?: readonly VariantSetSummary[];
	/** Arcs of the prim itself, strongest first; those of its ancestors are theirs. */
	readonly arcs?: readonly ArcSummary[];
	/** Layers with a spec of the prim. */
	readonly specCount: number;
	/** Number of authored properties. */
	readonly propertyCount: number;
	readonly properties?: readonly PropertySummary[];
}

/** A variant set of a composed prim. @public */
export interface VariantSetSummary {
	readonly name: string;
	readonly variants: readonly string[];
	/** '' when nothing is selected. */
	readonly selection: string;
}

/** A property of a composed prim. @public */
export interface PropertySummary {
	readonly name: string;
	/** `rel` for relationships. */
	readonly typeName: string;
	readonly custom?: true;
	readonly value?: Json;
	readonly sampleCount?: number;
	readonly targets?: readonly string[];
	readonly connections?: readonly string[];
}

/** Lists what a stage composes to. @public */
export function inspectStage(stage: Stage, options: StageInspectOptions): StageInspection {
	const { depth, values, maxPrims } = { ...STAGE_INSPECT_DEFAULTS, ...options };
	const report = options.report ?? new Report();
	const { places, file } = options;
	const tally = new Tally();
	const prims: PrimSummary[] = [];
	let omittedPrims = 0;
	let furtherPrims = 0;
	const prototypes = stage.prototypes();
	const stack: [Prim, number][] = [...stage.pseudoRoot.children(), ...prototypes]
		.reverse()
		.map((prim): [Prim, number] => [prim, 0]);
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const [prim, level] = next;
		tally.add(prim);
		if (level >= depth) omittedPrims++;
		else if (prims.length >= maxPrims) furtherPrims++;
		else prims.push(describePrim(prim, level, values, options));
		// what is below an instance is in its prototype
		if (prim.isInstance) continue;
		const children = prim.children();
		for (let i = children.length - 1; i >= 0; i--) stack.push([children[i]!, level + 1]);
	}
	for (const error of stage.errors()) report.add(diagnoseComposition(error, places));
	const layerStack = stage.layerStack();
	const others = new Set(stage.usedLayers());
	for (const layer of layerStack) others.delete(layer);
	return {
		version: 1,
		file,
		metadata: stageMetadata(stage),
		layerStack: layerStack.map((layer) => places.name(layer)),
		otherLayers: [...others].map((layer) => places.name(layer)).sort(),
		counts: tally.counts(prototypes.length),
		prims,
		omittedPrims,
		furtherPrims,
		report: toJsonReport(report),
	};
}

class Tally {
	#prims = 0;
	#instances = 0;
	readonly #types = new Map<string, number>();
	readonly #schemas = new Map<string, number>();
	readonly #arcs = new Map<string, number>();

	add(prim: Prim): void {
		if (prim.isPrototype) return;
		this.#prims++;
		if (prim.isInstance) this.#instances++;
		if (prim.typeName !== '') increment(this.#types, prim.typeName);
		for (const schema of prim.appliedSchemas) increment(this.#schemas, schema);
		for (const node of ownArcs(prim)) increment(this.#arcs, ARC_PLURALS[node.arcType]!);
	}

	counts(prototypes: number): StageCounts {
		return {
			prims: this.#prims,
			instances: this.#instances,
			prototypes,
			primTypes: countTable(this.#types),
			appliedSchemas: countTable(this.#schemas),
			arcs: countTable(this.#arcs),
		};
	}
}

const ARC_PLURALS: Readonly<Record<number, string>> = {
	[ArcType.inherit]: 'inherits',
	[ArcType.variant]: 'variants',
	[ArcType.relocate]: 'relocates',
	[ArcType.reference]: 'references',
	[ArcType.payload]: 'payloads',
	[ArcType.specialize]: 'specializes',
};

function increment(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The nodes that arcs of the prim itself lead to, strongest first. */
function ownArcs(prim: Prim): Prim['data']['index']['nodes'] {
	const { nodes } = prim.data.index;
	return nodes.length === 1 ? NO_NODES : nodes.filter((node) => isOwn(node) && node.canContribute && node.hasSpecs);
}

type IndexNode = Prim['data']['index']['nodes'][number];

const NO_NODES: Prim['data']['index']['nodes'] = [];

function isOwn(node: IndexNode): boolean {
	return node.arcType !== ArcType.root && !node.isDueToAncestor;
}

function describePrim(prim: Prim, depth: number, values: boolean, options: StageInspectOptions): PrimSummary {
	const known = prim.appliedSchemas;
	const unknown = (prim.authoredSchemas ?? []).filter((schema) => !known.includes(schema));
	const sets = prim.variantSets();
	const arcs = prim.isPrototype ? [] : ownArcs(prim).map((node) => describeArc(node, options.places));
	const names = prim.authoredPropertyNames();
	return {
		path: prim.path.toString(),
		name: prim.name,
		depth,
		specifier: prim.specifier,
		...(prim.typeName !== '' && { typeName: prim.typeName }),
		...(prim.kind !== undefined && { kind: prim.kind }),
		...(!prim.isActive && { active: false as const }),
		...(prim.isActive && prim.hasPayload && !prim.isLoaded && { loaded: false as const }),
		...(prim.prototype !== undefined && { prototype: prim.prototype.path.toString() }),
		...(prim.isPrototype && { isPrototype: true as const }),
		...(known.length > 0 && { appliedSchemas: known }),
		...(unknown.length > 0 && { unknownSchemas: unknown }),
		...(sets.length > 0 && {
			variantSets: sets.map((name) => ({
				name,
				variants: prim.variants(name),
				selection: prim.variantSelection(name),
			})),
		}),
		...(arcs.length > 0 && { arcs }),
		specCount: prim.specs().length,
		propertyCount: names.length,
		...(values && {
			properties: prim.authoredProperties().map((property) => describeProperty(property, options.time)),
		}),
	};
}

function describeProperty(property: Property, time: number | undefined): PropertySummary {
	const custom = property.isCustom && { custom: true as const };
	if (property instanceof Relationship) {
		return { name: property.name, typeName: 'rel', ...custom, targets: property.targets().map(String) };
	}
	const attribute = property as Attribute;
	const value = attribute.get(time);
	const samples = attribute.timeSamples().length;
	return {
		name: attribute.name,
		typeName: attribute.typeName,
		...custom,
		...(value !== undefined && { value: valueToJson(value) }),
		...(samples > 0 && { sampleCount: samples }),
		...(attribute.hasAuthoredConnections && { connections: attribute.connections().map(String) }),
	};
}

function stageMetadata(stage: Stage): { readonly [name: string]: Json } {
	const { pseudoRoot } = stage;
	const entries: [string, Json][] = [];
	for (const name of pseudoRoot.authoredMetadata()) {
		const value = pseudoRoot.metadata(name);
		if (value !== undefined && name !== 'specifier') entries.push([name, valueToJson(value)]);
	}
	return Object.fromEntries(entries);
}
