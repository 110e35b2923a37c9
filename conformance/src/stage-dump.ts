import { relative } from 'node:path';
import {
	Attribute,
	type Layer,
	type LayerOffset,
	type Prim,
	type Property,
	type Relationship,
	type Stage,
	type Value,
	type ValueContext,
} from '@manyworlds/usd';
import {
	isAnyPrim,
	isIdentityOffset,
	resolveAsset,
	type SpecSite,
	splitPackageRelativePathOuter,
} from '@manyworlds/usd/internal';
import { encodeSpline } from './dump-spline.ts';
import { encodeNumber, encodeValue } from './dump-value.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { encodeField } from './layer-dump.ts';

/** How a stage is dumped. */
export interface StageDumpOptions {
	/** Folder that names of files are relative to. */
	readonly folder: string;
	/** Times at which values are asked for. */
	readonly times: readonly number[];
	readonly stacks: boolean;
	/** Whether the built-in properties of each type are added. */
	readonly definitions: boolean;
}

/** A composed stage in the form of the USD oracle (its FORMAT.md, section 3). */
export function dumpStage(stage: Stage, options: StageDumpOptions): JsonObject {
	return new StageDump(stage, options).run();
}

/** A text that knows the file it names; prints as the text. */
class AssetText {
	readonly json: JsonObject;

	constructor(store: Stage['store'], authored: string, site: SpecSite, folder: string) {
		const { evaluated, resolved } = resolveAsset(store, authored, site.layer, site.node);
		this.json = {
			asset: authored,
			resolved: resolved === undefined ? null : fileName(resolved, folder),
			...(evaluated === undefined ? {} : { evaluated }),
		};
	}

	toString(): string {
		return this.json['asset'] as string;
	}
}

class StageDump {
	readonly #stage: Stage;
	readonly #options: StageDumpOptions;
	readonly #firstInstance = new Map<string, string>();
	readonly #definitions: Record<string, Json> = {};

	constructor(stage: Stage, options: StageDumpOptions) {
		this.#stage = stage;
		this.#options = options;
	}

	run(): JsonObject {
		const stage = this.#stage;
		const prims: Json[] = [];
		for (const prim of stage.traverse({ predicate: isAnyPrim, instanceProxies: true })) prims.push(this.#prim(prim));
		const isShown = (layer: Layer): boolean =>
			!layer.identifier.startsWith('anon:') || (layer !== stage.sessionLayer && layer.data.specCount > 1);
		const used = stage.usedLayers().filter(isShown);
		const out: Record<string, Json> = {
			times: [...this.#options.times],
			root: this.#layerName(stage.rootLayer),
			stage: {
				metadata: this.#metadata(stage.pseudoRoot, new Set(['specifier'])),
				defaultPrim: stage.defaultPrim?.path.toString() ?? null,
				timeCodesPerSecond: encodeNumber(stage.timeCodesPerSecond),
				framesPerSecond: encodeNumber(stage.framesPerSecond),
				startTimeCode: encodeNumber(stage.startTimeCode),
				endTimeCode: encodeNumber(stage.endTimeCode),
				prototypeCount: stage.prototypes().length,
				layerStack: stage
					.layerStack()
					.filter((layer) => layer !== stage.sessionLayer)
					.map((layer) => this.#layerName(layer)),
				usedLayers: used.map((layer) => this.#layerName(layer)).sort(byCodePoint),
			},
			errors: this.#errors(),
			prims,
		};
		if (this.#options.definitions) out['definitions'] = this.#definitions;
		return out;
	}

	#prim(prim: Prim): Json {
		const out: Record<string, Json> = {
			path: prim.path.toString(),
			flags: FLAGS.filter(([, has]) => has(prim)).map(([name]) => name),
			specifier: capitalise(prim.specifier),
			typeName: prim.typeName,
		};
		if (prim.kind !== undefined) out['kind'] = prim.kind;
		if (prim.isInstance) {
			const prototype = prim.prototype!.path.toString();
			if (!this.#firstInstance.has(prototype)) this.#firstInstance.set(prototype, prim.path.toString());
			out['sameAs'] = this.#firstInstance.get(prototype)!;
		}
		if (prim.appliedSchemas.length > 0) out['appliedSchemas'] = prim.appliedSchemas;
		const schemas = prim.metadata('apiSchemas');
		if (schemas !== undefined) out['apiSchemas'] = encodeField(schemas);
		const metadata = this.#metadata(prim, PRIM_OWN);
		if (Object.keys(metadata).length > 0) out['metadata'] = metadata;
		const sets = prim.variantSets();
		if (sets.length > 0) {
			out['variantSets'] = sets.map((name) => ({
				name,
				variants: prim.variants(name),
				selection: prim.variantSelection(name),
			}));
		}
		const selections = prim.isInstanceProxy ? new Map<string, string>() : prim.authoredSelections();
		if (selections.size > 0) out['variantSelections'] = Object.fromEntries(selections);
		const definition = this.#options.definitions ? this.#definition(prim) : undefined;
		if (definition !== undefined) out['definition'] = definition;
		const names = prim.propertyNames();
		if (names.length > 0) out['properties'] = names;
		const attributes: Record<string, Json> = {};
		const relationships: Record<string, Json> = {};
		for (const property of prim.authoredProperties()) {
			const isAttribute = property instanceof Attribute;
			const entry = isAttribute ? this.#attribute(property) : this.#relationship(property as Relationship);
			const own = this.#metadata(property, PROPERTY_OWN);
			if (Object.keys(own).length > 0) entry['metadata'] = own;
			if (this.#options.stacks) entry['stack'] = this.#stack(property.specs());
			(isAttribute ? attributes : relationships)[property.name] = entry;
		}
		if (Object.keys(attributes).length > 0) out['attributes'] = attributes;
		if (Object.keys(relationships).length > 0) out['relationships'] = relationships;
		if (this.#options.stacks) out['stack'] = this.#stack(prim.specs());
		return out;
	}

	#attribute(attribute: Attribute): Record<string, Json> {
		const context = this.#context(attribute.prim);
		const value = (time?: number): Json => encodeComposed(attribute.get(time, context));
		const info = attribute.resolveInfo();
		const out: Record<string, Json> = {
			type: attribute.typeName,
			variability: capitalise(attribute.variability),
			custom: attribute.isCustom,
			source: SOURCES[info.source]!,
			default: value(),
		};
		if (info.isBlocked) out['blocked'] = true;
		const at = this.#options.times.map((time) => value(time));
		if (at.some((one) => !sameJson(one, out['default']!))) out['at'] = at;
		const samples = attribute.timeSamples();
		if (samples.length > 0) out['samples'] = samples.map((time) => [encodeNumber(time), value(time)]);
		const spline = attribute.spline();
		if (spline !== undefined) out['spline'] = encodeSpline(spline);
		if (attribute.hasAuthoredConnections) out['connections'] = attribute.connections().map(String);
		return out;
	}

	#relationship(relationship: Relationship): Record<string, Json> {
		const targets = relationship.targets().map(String);
		const forwarded = relationship.forwardedTargets().map(String);
		const out: Record<string, Json> = { custom: relationship.isCustom, targets };
		if (!sameJson(forwarded, targets)) out['forwarded'] = forwarded;
		return out;
	}

	#metadata(object: Prim | Property, skip: ReadonlySet<string>): JsonObject {
		const context = this.#context('prim' in object ? object.prim : object);
		const out: Record<string, Json> = {};
		for (const name of object.authoredMetadata()) {
			if (skip.has(name)) continue;
			const value = object.authoredMetadataValue(name, context);
			if (value !== undefined) out[name] = showAssets(encodeField(value));
		}
		return out;
	}

	#definition(prim: Prim): string | undefined {
		const { definition } = prim;
		if (definition.propertyNames.length === 0) return undefined;
		const key = [prim.typeName, ...prim.appliedSchemas].join('|');
		if (this.#definitions[key] === undefined) {
			const entries: Record<string, Json> = {};
			for (const property of definition.properties()) {
				if (property.kind === 'relationship') {
					entries[property.name] = { relationship: true };
					continue;
				}
				const { fallback } = property;
				entries[property.name] = {
					type: property.typeName,
					fallback: fallback === undefined ? null : withoutFiles(encodeValue(fallback)),
					variability: capitalise(property.variability),
				};
			}
			this.#definitions[key] = entries;
		}
		return key;
	}

	#stack(specs: readonly SpecSite[]): Json {
		return specs.map(({ layer, path, offset }) => [this.#layerName(layer), path.toString(), ...encodeOffset(offset)]);
	}

	#errors(): JsonObject {
		const sites = new Map<string, Set<string>>();
		for (const error of this.#stage.errors()) {
			const known = sites.get(error.kind) ?? new Set();
			// OpenUSD does not say where it met an expression
			const site = error.kind === 'VariableExpressionError' ? '' : error.root.path.toString();
			sites.set(error.kind, known.add(site));
		}
		return Object.fromEntries([...sites].map(([kind, paths]) => [kind, { sites: [...paths].sort(byCodePoint) }]));
	}

	#context(prim: Prim): ValueContext {
		const { folder } = this.#options;
		const { store } = this.#stage;
		return {
			...prim.valueContext,
			mapAsset: (authored, site) => new AssetText(store, authored, site, folder),
		};
	}

	#layerName(layer: Layer): string {
		return layer.identifier.startsWith('anon:') ? layer.identifier : fileName(layer.identifier, this.#options.folder);
	}
}

const PRIM_OWN: ReadonlySet<string> = new Set(['specifier', 'typeName', 'kind', 'apiSchemas']);
const PROPERTY_OWN: ReadonlySet<string> = new Set(['typeName', 'variability', 'custom']);

const FLAGS: readonly (readonly [string, (prim: Prim) => boolean])[] = [
	['active', (prim) => prim.isActive],
	['loaded', (prim) => prim.isLoaded],
	['model', (prim) => prim.isModel],
	['group', (prim) => prim.isGroup],
	['abstract', (prim) => prim.isAbstract],
	['defined', (prim) => prim.isDefined],
	['definingSpecifier', (prim) => prim.hasDefiningSpecifier],
	['payload', (prim) => prim.hasPayload],
	['instanceable', (prim) => prim.isInstanceable],
	['instance', (prim) => prim.isInstance],
	['instanceProxy', (prim) => prim.isInstanceProxy],
];

const SOURCES: Readonly<Record<string, string>> = {
	none: 'None',
	fallback: 'Fallback',
	default: 'Default',
	timeSamples: 'TimeSamples',
	valueClips: 'ValueClips',
	spline: 'Spline',
};

function encodeComposed(value: Value | undefined): Json {
	return value === undefined ? null : showAssets(encodeValue(value));
}

/** Puts what is known about the file of an asset path in its place. */
function showAssets(json: Json): Json {
	if (Array.isArray(json)) return json.map(showAssets);
	if (!isObject(json)) return json;
	const asset = json['asset'] as unknown;
	if (asset instanceof AssetText) return asset.json;
	return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, showAssets(value)]));
}

/** Fallbacks name no files. */
function withoutFiles(json: Json): Json {
	if (Array.isArray(json)) return json.map(withoutFiles);
	return isObject(json) && typeof json['asset'] === 'string' ? { asset: json['asset'], resolved: null } : json;
}

function encodeOffset(offset: LayerOffset): Json[] {
	return isIdentityOffset(offset) ? [] : [encodeNumber(offset.offset), encodeNumber(offset.scale)];
}

function fileName(path: string, folder: string): string {
	const [outer, inner] = splitPackageRelativePathOuter(path);
	const name = outer.startsWith('/') ? relative(folder, outer) : outer;
	return inner === '' ? name : `${name}[${inner}]`;
}

function capitalise(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

function byCodePoint(a: string, b: string): number {
	return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function sameJson(a: Json, b: Json): boolean {
	return JSON.stringify(a) === JSON.stringify(b) && Object.is(a, b) === Object.is(b, a);
}
