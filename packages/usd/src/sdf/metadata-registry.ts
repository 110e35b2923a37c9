import { SpecType as Spec, type SpecType } from './spec-type.ts';
import { T, type ValueType } from './value-type.ts';

/** Where a field may be authored. A prim's fields may be authored on variants too. */
export type MetadataSite = 'layer' | 'prim' | 'attribute' | 'relationship';

export interface FieldDefinition {
	/** Name under which layers store it: `documentation`, not `doc`. */
	readonly name: string;
	readonly type: ValueType;
	readonly sites: readonly MetadataSite[];
}

/**
 * The metadata that has a known type. Text files do not say the types of metadata, so a reader needs this to store
 * `kilogramsPerUnit = 1` as a double; what is not registered is kept as written. Immutable.
 */
export class MetadataRegistry {
	/** The fields of OpenUSD and of the schema libraries that come with it. */
	static readonly standard: MetadataRegistry = new MetadataRegistry(standardFields());

	readonly #fields: ReadonlyMap<string, FieldDefinition>;

	private constructor(fields: Iterable<FieldDefinition>) {
		this.#fields = new Map(Array.from(fields, (field) => [field.name, field]));
	}

	/** This registry with more fields; a name that exists already is replaced. */
	extend(fields: Iterable<FieldDefinition>): MetadataRegistry {
		return new MetadataRegistry([...this.#fields.values(), ...fields]);
	}

	/** The field with this name, wherever it may be authored. */
	find(name: string): FieldDefinition | undefined {
		return this.#fields.get(name);
	}

	/** The field with this name if specs of `type` may have it. */
	findFor(type: SpecType, name: string): FieldDefinition | undefined {
		const field = this.#fields.get(name);
		const site = SITE_OF_SPEC[type];
		return field !== undefined && site !== undefined && field.sites.includes(site) ? field : undefined;
	}

	fields(): IterableIterator<FieldDefinition> {
		return this.#fields.values();
	}
}

const SITE_OF_SPEC: { readonly [type: number]: MetadataSite } = {
	[Spec.pseudoRoot]: 'layer',
	[Spec.prim]: 'prim',
	[Spec.variant]: 'prim',
	[Spec.attribute]: 'attribute',
	[Spec.relationship]: 'relationship',
};

function* standardFields(): Generator<FieldDefinition> {
	const properties = ['attribute', 'relationship'] as const;
	const objects = ['prim', ...properties] as const;
	const field = (name: string, type: ValueType, ...sites: MetadataSite[]): FieldDefinition => ({ name, type, sites });

	yield field('comment', T.string, 'layer', ...objects);
	yield field('documentation', T.string, 'layer', ...objects);

	// layers
	yield field('colorConfiguration', T.asset, 'layer');
	yield field('colorManagementSystem', T.token, 'layer');
	yield field('customLayerData', T.dictionary, 'layer');
	yield field('defaultPrim', T.token, 'layer');
	yield field('endFrame', T.double, 'layer');
	yield field('endTimeCode', T.double, 'layer');
	yield field('expressionVariables', T.dictionary, 'layer');
	yield field('framePrecision', T.int, 'layer');
	yield field('framesPerSecond', T.double, 'layer');
	yield field('hasOwnedSubLayers', T.bool, 'layer');
	yield field('owner', T.string, 'layer');
	yield field('sessionOwner', T.string, 'layer');
	yield field('startFrame', T.double, 'layer');
	yield field('startTimeCode', T.double, 'layer');
	yield field('timeCodesPerSecond', T.double, 'layer');
	yield field('subLayers', T.stringVector, 'layer');
	yield field('subLayerOffsets', T.layerOffsetVector, 'layer');
	yield field('layerRelocates', T.relocates, 'layer');
	yield field('primOrder', T.tokenVector, 'layer', 'prim');
	yield field('primChildren', T.tokenVector, 'layer', 'prim');

	// prims
	yield field('specifier', T.specifier, 'prim');
	yield field('typeName', T.token, 'prim', 'attribute');
	yield field('active', T.bool, 'prim');
	yield field('displayGroupOrder', T.string.array, 'prim');
	yield field('inheritPaths', T.pathListOp, 'prim');
	yield field('instanceable', T.bool, 'prim');
	yield field('kind', T.token, 'prim');
	yield field('payload', T.payloadListOp, 'prim');
	yield field('prefixSubstitutions', T.dictionary, 'prim');
	yield field('propertyOrder', T.tokenVector, 'prim');
	yield field('properties', T.tokenVector, 'prim');
	yield field('references', T.referenceListOp, 'prim');
	yield field('relocates', T.relocates, 'prim');
	yield field('specializes', T.pathListOp, 'prim');
	yield field('suffixSubstitutions', T.dictionary, 'prim');
	yield field('variantSelection', T.variantSelectionMap, 'prim');
	yield field('variantSetChildren', T.tokenVector, 'prim');
	yield field('variantSetNames', T.stringListOp, 'prim');

	// prims and properties
	yield field('assetInfo', T.dictionary, ...objects);
	yield field('customData', T.dictionary, ...objects);
	yield field('displayName', T.string, ...objects);
	yield field('hidden', T.bool, ...objects);
	yield field('permission', T.permission, ...objects);
	yield field('prefix', T.string, ...objects);
	yield field('suffix', T.string, ...objects);
	yield field('symmetricPeer', T.string, ...objects);
	yield field('symmetryArguments', T.dictionary, ...objects);
	yield field('symmetryFunction', T.token, ...objects);

	// properties
	yield field('custom', T.bool, ...properties);
	yield field('variability', T.variability, ...properties);
	yield field('displayGroup', T.string, ...properties);
	yield field('allowedTokens', T.token.array, 'attribute');
	yield field('arraySizeConstraint', T.int64, 'attribute');
	yield field('colorSpace', T.token, 'attribute');
	yield field('connectionPaths', T.pathListOp, 'attribute');
	yield field('displayUnit', T.token, 'attribute');
	yield field('limits', T.dictionary, 'attribute');
	yield field('spline', T.spline, 'attribute');
	yield field('timeSamples', T.timeSamples, ...properties);
	yield field('noLoadHint', T.bool, 'relationship');
	yield field('targetPaths', T.pathListOp, 'relationship');

	// schema libraries
	yield field('apiSchemas', T.tokenListOp, 'prim');
	yield field('clips', T.dictionary, 'prim');
	yield field('clipSets', T.stringListOp, 'prim');
	yield field('fallbackPrimTypes', T.dictionary, 'layer');
	yield field('payloadAssetDependencies', T.asset.array, 'prim');
	yield field('metersPerUnit', T.double, 'layer');
	yield field('kilogramsPerUnit', T.double, 'layer');
	yield field('upAxis', T.token, 'layer');
	yield field('constraintTargetIdentifier', T.token, 'attribute');
	yield field('elementSize', T.int, 'attribute');
	yield field('inactiveIds', T.int64ListOp, 'prim');
	yield field('interpolation', T.token, 'attribute');
	yield field('unauthoredValuesIndex', T.int, 'attribute');
	yield field('bindMaterialAs', T.token, 'relationship');
	yield field('connectability', T.token, 'attribute');
	yield field('outputName', T.token, 'relationship');
	yield field('renderType', T.token, ...properties);
	yield field('sdrMetadata', T.dictionary, 'prim', 'attribute');
	yield field('weight', T.float, 'attribute');
	yield field('renderSettingsPrimPath', T.string, 'layer');
	yield field('uiHints', T.dictionary, ...objects);
}
