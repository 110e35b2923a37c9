import { type JsonReport, Report } from '@manyworlds/core';
import { toJsonReport } from '@manyworlds/core/internal';
import type { SourcePlaces } from '../ar/source-places.ts';
import { ARC_NAMES } from '../pcp/arc-type.ts';
import type { SpecSite } from '../pcp/prim-index.ts';
import { composeTargets } from '../pcp/target-index.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf, isIdentityOffset, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { Attribute } from '../usd/attribute.ts';
import type { Prim } from '../usd/prim.ts';
import type { Property } from '../usd/property.ts';
import type { ResolveInfo } from '../usd/property-value.ts';
import { Relationship } from '../usd/relationship.ts';
import { type ArcSummary, arcSteps, type PlaceSummary, placeSummary } from './arc-steps.ts';
import { diagnoseComposition } from './composition-diagnostics.ts';
import { composedField, fieldRoles, listRoles } from './explain-fields.ts';
import { type Json, valueToJson } from './value-json.ts';

/** What an opinion has to do with the result: it decides, contributes to it, blocks it, or a stronger one hides it. @public */
export type OpinionRole = 'winner' | 'used' | 'block' | 'hidden';

/** One opinion of one layer. @public */
export interface Opinion extends PlaceSummary {
	readonly role: OpinionRole;
	/** Said when the default time and other times have different winners. */
	readonly at?: 'default time' | 'other times';
	/** Path of the spec in its layer. */
	readonly path: string;
	/** Field of the spec: `default`, `timeSamples`, `targetPaths`, the name of metadata. */
	readonly field: string;
	readonly value: Json;
	/** Arc by which the opinion arrives: the last one of `arcs`, `root` when there is none. */
	readonly arc: string;
	/** All arcs from the prim to the layer. */
	readonly arcs?: readonly ArcSummary[];
	/** How time in the layer maps to time on the stage. */
	readonly timeOffset?: { readonly offset: number; readonly scale: number };
}

/** What a schema says when no layer does. @public */
export interface FallbackOpinion {
	readonly role: OpinionRole;
	readonly schema: string;
	readonly value: Json;
}

/** Where the selection of a variant set comes from. @public */
export interface VariantExplanation {
	readonly set: string;
	/** The variant in effect; '' when there is none. */
	readonly selection: string;
	/** Whether no layer selects it, but what was preferred when the stage was opened. */
	readonly isFallback?: true;
	/** Authored selections, strongest first. */
	readonly opinions: readonly Opinion[];
}

/** Where a composed thing comes from: plain data, ready for `JSON.stringify`. @public */
export interface Explanation {
	readonly version: 1;
	readonly file: string;
	readonly path: string;
	readonly subject: 'prim' | 'attribute' | 'relationship';
	/** The metadata that is explained, when it is not the thing itself. */
	readonly metadata?: string;
	readonly typeName?: string;
	/** Time that was asked for; the default time without one. */
	readonly time?: number;
	/** The result; absent when there is none. */
	readonly value?: Json;
	/** Where the value of an attribute comes from. */
	readonly source?: string;
	/** Whether an opinion says that there is no value. */
	readonly isBlocked?: true;
	/** Strongest first. */
	readonly opinions: readonly Opinion[];
	readonly fallback?: FallbackOpinion;
	/** The variant sets of a prim and where their selections were authored. */
	readonly variants?: readonly VariantExplanation[];
	/** Connections of an attribute. */
	readonly connections?: { readonly value: readonly string[]; readonly opinions: readonly Opinion[] };
	readonly report: JsonReport;
}

/** Options of the explainers. @public */
export interface ExplainOptions {
	/** Name of the root layer. */
	readonly file: string;
	readonly places: SourcePlaces;
	readonly time?: number;
	/** Takes what is wrong with the opinions. */
	readonly report?: Report;
}

/** Lists the opinions behind the value of an attribute or the targets of a relationship. @public */
export function explainProperty(property: Property, options: ExplainOptions): Explanation {
	const report = options.report ?? new Report();
	for (const error of property.index().errors) report.add(diagnoseComposition(error, options.places));
	return property instanceof Attribute
		? explainAttribute(property, options, report)
		: explainRelationship(property as Relationship, options, report);
}

/** Lists the opinions behind one metadata field of a prim or property. @public */
export function explainMetadata(object: Prim | Property, name: string, options: ExplainOptions): Explanation {
	const report = options.report ?? new Report();
	const sites = object.specs().filter(({ layer, path }) => layer.data.field(path, name) !== undefined);
	const { value, fallback, schema } = composedField(object, name);
	const roles = fieldRoles(object, name, sites, value);
	const isHidden = roles.includes('winner') || roles.includes('block');
	return {
		...head(object, options),
		metadata: name,
		...(value !== undefined && { value }),
		opinions: sites.map((site, i) => opinion(site, name, roles[i]!, options.places)),
		...(fallback !== undefined && {
			fallback: {
				role: isHidden ? 'hidden' : sites.length > 0 ? 'used' : 'winner',
				schema,
				value: valueToJson(fallback),
			},
		}),
		report: toJsonReport(report),
	};
}

/** Lists the specs that a prim is composed from. @public */
export function explainPrim(prim: Prim, options: ExplainOptions): Explanation {
	const report = options.report ?? new Report();
	const specs: Opinion[] = prim.specs().map((site) => ({
		...opinionPlace(site, options.places),
		role: 'used',
		...placeSummary(options.places.spec(site.layer, site.path)),
		field: 'prim',
		value: specText(site),
	}));
	return {
		...head(prim, options),
		value: {
			specifier: prim.specifier,
			typeName: prim.typeName,
			...(prim.kind !== undefined && { kind: prim.kind }),
			...(prim.appliedSchemas.length > 0 && { appliedSchemas: prim.appliedSchemas }),
			...(prim.variantSets().length > 0 && {
				variants: Object.fromEntries(prim.variantSets().map((set) => [set, prim.variantSelection(set)])),
			}),
			...(!prim.isActive && { active: false }),
			...(prim.prototype !== undefined && { prototype: prim.prototype.path.toString() }),
		},
		opinions: specs,
		...(prim.variantSets().length > 0 && {
			variants: prim.variantSets().map((set) => explainVariants(prim, set, options.places)),
		}),
		report: toJsonReport(report),
	};
}

function explainVariants(prim: Prim, set: string, places: SourcePlaces): VariantExplanation {
	const selection = prim.variantSelection(set);
	let isDecided = false;
	const opinions: Opinion[] = [];
	for (const site of prim.specs()) {
		const authored = selectionsOf(site)?.get(set);
		if (authored === undefined) continue;
		opinions.push({
			...opinionPlace(site, places),
			role: isDecided ? 'hidden' : 'winner',
			...placeSummary(places.field(site.layer, site.path, 'variantSelection', set)),
			field: 'variantSelection',
			value: authored,
		});
		isDecided = true;
	}
	const isFallback = selection !== '' && !isDecided;
	return { set, selection, ...(isFallback && { isFallback }), opinions };
}

function selectionsOf({ layer, path }: SpecSite): ReadonlyMap<string, string> | undefined {
	return dataOf(layer.data.field(path, 'variantSelection'), T.variantSelectionMap);
}

function explainAttribute(attribute: Attribute, options: ExplainOptions, report: Report): Explanation {
	const { places, time } = options;
	const atTimes = attribute.resolveInfo();
	const atDefault = attribute.resolveInfo('default');
	const asked = time === undefined ? atDefault : atTimes;
	const value = attribute.get(time);
	const opinions: Opinion[] = [];
	const winners = [atDefault, atTimes].map((info) => ({ info, isBlockFound: false, isFilledIn: false }));
	for (const site of attribute.specs()) {
		for (const field of VALUE_FIELDS) {
			const authored = site.layer.data.field(site.path, field);
			if (authored === undefined) continue;
			const [first, second] = winners.map((winner) => roleOf(winner, site, field, authored)) as [
				OpinionRole,
				OpinionRole,
			];
			const one = opinion(site, field, time === undefined ? first : second, places);
			const differs = time === undefined && first !== second;
			if (!differs) opinions.push(one);
			else if (first !== 'hidden') opinions.push({ ...one, at: 'default time' });
			else opinions.push({ ...one, role: second, at: 'other times' });
		}
	}
	if (atTimes.source === 'valueClips') opinions.push(clipOpinion(atTimes, places));
	const { definition } = attribute;
	const fallback = definition?.fallback;
	const connections = attribute.hasAuthoredConnections
		? explainTargets(attribute, 'connectionPaths', places)
		: undefined;
	return {
		...head(attribute, options),
		...(time !== undefined && { time }),
		...(value !== undefined && { value: valueToJson(value) }),
		source: asked.source,
		...(asked.isBlocked && { isBlocked: true as const }),
		opinions,
		...(fallback !== undefined && {
			fallback: {
				role: asked.source === 'fallback' ? 'winner' : 'hidden',
				schema: definition!.schema,
				value: valueToJson(fallback),
			},
		}),
		...(connections !== undefined && {
			connections: { value: attribute.connections().map(String), opinions: connections },
		}),
		report: toJsonReport(report),
	};
}

function explainRelationship(relationship: Relationship, options: ExplainOptions, report: Report): Explanation {
	const { places } = options;
	for (const error of composeTargets(relationship.index()).errors) report.add(diagnoseComposition(error, places));
	const { definition } = relationship;
	return {
		...head(relationship, options),
		...((relationship.hasAuthoredTargets || definition !== undefined) && { value: relationship.targets().map(String) }),
		opinions: explainTargets(relationship, 'targetPaths', places),
		...(definition !== undefined && {
			fallback: { role: relationship.hasAuthoredTargets ? 'hidden' : 'winner', schema: definition.schema, value: [] },
		}),
		report: toJsonReport(report),
	};
}

function explainTargets(property: Property, field: string, places: SourcePlaces): Opinion[] {
	const sites = property.index().stack.filter(({ layer, path }) => layer.data.field(path, field) !== undefined);
	const roles = listRoles(sites, field);
	return sites.map((site, i) => opinion(site, field, roles[i]!, places));
}

/** Fields that give an attribute a value, strongest first within one spec. */
const VALUE_FIELDS = ['timeSamples', 'spline', 'default'] as const;

interface Winner {
	readonly info: ResolveInfo;
	isBlockFound: boolean;
	/** Whether opinions so far leave room that weaker ones fill: edits of arrays, expressions with `%_`. */
	isFilledIn: boolean;
}

function roleOf(winner: Winner, { layer, path }: SpecSite, field: string, value: Value): OpinionRole {
	const { site, source, isBlocked } = winner.info;
	if (site?.layer === layer && site.path === path && source === field) {
		winner.isFilledIn = leavesRoom(value);
		return 'winner';
	}
	if (field !== 'default') return 'hidden';
	if (isBlocked && !winner.isBlockFound && value.type === (T.valueBlock as ValueType)) {
		winner.isBlockFound = true;
		return 'block';
	}
	if (!winner.isFilledIn) return 'hidden';
	winner.isFilledIn = leavesRoom(value);
	return 'used';
}

function leavesRoom(value: Value): boolean {
	if (value.type === (T.arrayEdit as ValueType)) return true;
	if (value.type.element !== (T.pathExpression as ValueType)) return false;
	return String(value.data).includes('%_');
}

function clipOpinion({ site, clipSet }: ResolveInfo, places: SourcePlaces): Opinion {
	const { layer, path } = site!;
	return {
		role: 'winner',
		...opinionPlace(site!, places),
		...placeSummary(places.field(layer, clipSet!.sourcePath, 'clips')),
		path: path.toString(),
		field: 'clips',
		value: `value clips of <${clipSet!.sourcePath}>`,
	};
}

function head(
	object: Prim | Property,
	options: ExplainOptions,
): Pick<Explanation, 'version' | 'file' | 'path' | 'subject'> & { typeName?: string } {
	const path: Path = object.path;
	const subject = object instanceof Attribute ? 'attribute' : object instanceof Relationship ? 'relationship' : 'prim';
	const typeName = object instanceof Attribute || 'typeName' in object ? (object as Attribute | Prim).typeName : '';
	return { version: 1, file: options.file, path: path.toString(), subject, ...(typeName !== '' && { typeName }) };
}

function opinion(site: SpecSite, field: string, role: OpinionRole, places: SourcePlaces): Opinion {
	const value = site.layer.data.field(site.path, field)!;
	return {
		role,
		...placeSummary(places.field(site.layer, site.path, field)),
		...opinionPlace(site, places),
		field,
		value: valueToJson(value),
	};
}

function opinionPlace(
	{ node, path, offset, layer }: SpecSite,
	places: SourcePlaces,
): Pick<Opinion, 'file' | 'path' | 'arc' | 'arcs' | 'timeOffset'> {
	const arcs = arcSteps(node, places);
	return {
		file: places.name(layer),
		path: path.toString(),
		arc: ARC_NAMES[node.arcType]!,
		...(arcs.length > 0 && { arcs }),
		...(!isIdentityOffset(offset) && { timeOffset: { offset: offset.offset, scale: offset.scale } }),
	};
}

/** What a prim spec says, in short: `def Xform`, and the names of its metadata. */
function specText({ layer, path }: SpecSite): Json {
	const { data } = layer;
	const specifier = data.field(path, 'specifier');
	const typeName = data.field(path, 'typeName');
	const metadata = data.fieldNames(path).filter((name) => !SPEC_STRUCTURE.has(name));
	return {
		...(specifier !== undefined && { specifier: valueToJson(specifier) }),
		...(typeName !== undefined && { typeName: valueToJson(typeName) }),
		...(metadata.length > 0 && { metadata: [...metadata].sort() }),
	};
}

const SPEC_STRUCTURE: ReadonlySet<string> = new Set([
	'specifier',
	'typeName',
	'primChildren',
	'properties',
	'variantSetChildren',
	'variantChildren',
]);
