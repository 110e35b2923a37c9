import { quote, type Report } from '@manyworlds/core';
import type { SourcePlaces } from '../ar/source-places.ts';
import { createDiagnostic } from '../diagnostics.ts';
import type { SpecSite } from '../pcp/prim-index.ts';
import { findAttributeType } from '../sdf/attribute-type.ts';
import { Layer } from '../sdf/layer.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { ListOp } from '../sdf/list-op.ts';
import { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf, makeReference, makeTimeSamples, makeValue, type Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { anchorAsset } from './asset-context.ts';
import { Attribute } from './attribute.ts';
import { composeField, metadataNames } from './metadata.ts';
import type { Prim } from './prim.ts';
import type { Property } from './property.ts';
import { authoredSamples } from './property-value.ts';
import { Relationship } from './relationship.ts';
import type { ValueContext } from './resolve-value.ts';
import type { Stage } from './stage.ts';

/** How a stage is flattened. */
export interface FlattenOptions {
	/** Identifier of the new layer. */
	readonly identifier?: string;
	/** Takes what the new layer cannot hold. */
	readonly report?: Report;
	/** Finds the lines that the report is about. */
	readonly places?: SourcePlaces;
}

/** Options of flattening that are used when absent. */
export const FLATTEN_DEFAULTS: { readonly identifier: string } = { identifier: 'flattened.usda' };

/**
 * One layer with everything that a stage composes to, without arcs but those from instances to their prototypes
 * (`/Flattened_Prototype_1`). Inactive prims are left out, asset paths are anchored where they were authored.
 */
export function flattenStage(stage: Stage, options: FlattenOptions = {}): Layer {
	const { identifier } = { ...FLATTEN_DEFAULTS, ...options };
	return new Flattener(stage, Layer.create(identifier), options).run();
}

/** Tells a report about a field, or a whole spec, that a flattened layer does not have. */
export function reportLeftOut(
	{ report, places }: FlattenOptions,
	code: 'STG002' | 'STG003' | 'STG004' | 'STG005' | 'STG006',
	message: string,
	prim: Path,
	{ layer, path }: Pick<SpecSite, 'layer' | 'path'>,
	field?: string,
): void {
	const place =
		places === undefined
			? { file: layer.identifier }
			: field === undefined
				? places.spec(layer, path)
				: places.field(layer, path, field);
	report?.add(createDiagnostic(code, message, { prim: prim.toString(), ...place }));
}

class Flattener {
	readonly #stage: Stage;
	readonly #layer: Layer;
	readonly #out: LayerData;
	readonly #options: FlattenOptions;
	/** Paths of prototypes and what they are called in the new layer. */
	readonly #prototypes: ReadonlyMap<Path, Path>;

	constructor(stage: Stage, layer: Layer, options: FlattenOptions) {
		this.#options = options;
		this.#stage = stage;
		this.#layer = layer;
		this.#out = layer.data;
		this.#prototypes = namePrototypes(stage);
	}

	run(): Layer {
		const roots: string[] = [];
		this.#copyMetadata(Path.root, this.#stage.pseudoRoot);
		this.#out.eraseField(Path.root, 'specifier');
		for (const prototype of this.#stage.prototypes()) {
			const path = this.#prototypes.get(prototype.path)!;
			roots.push(path.name);
			this.#copyTree(prototype, path);
		}
		for (const prim of this.#activeChildren(this.#stage.pseudoRoot)) {
			roots.push(prim.name);
			this.#copyTree(prim, prim.path);
		}
		if (roots.length > 0) this.#out.setField(Path.root, 'primChildren', makeValue(T.tokenVector, roots) as Value);
		return this.#layer;
	}

	#copyTree(start: Prim, startPath: Path): void {
		const stack: [Prim, Path][] = [[start, startPath]];
		for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
			const [prim, path] = next;
			this.#copyPrim(prim, path);
			if (prim.isInstance) continue;
			const names: string[] = [];
			const children = this.#activeChildren(prim);
			for (let i = children.length - 1; i >= 0; i--) stack.push([children[i]!, path.appendChild(children[i]!.name)]);
			for (const child of children) names.push(child.name);
			if (names.length > 0) this.#out.setField(path, 'primChildren', makeValue(T.tokenVector, names) as Value);
		}
	}

	#activeChildren(prim: Prim): Prim[] {
		return prim.children().filter((child) => {
			if (!child.isActive) this.#leaveOutPrim(child);
			return child.isActive;
		});
	}

	#leaveOutPrim(prim: Prim): void {
		if (this.#options.report === undefined) return;
		const specs = prim.data.index.primStack();
		const spec = specs.find(({ layer, path }) => layer.data.field(path, 'active') !== undefined) ?? specs[0];
		if (spec === undefined) return;
		const message = `the prim ${quote(prim.path.toString())} is inactive and is left out with everything below it`;
		reportLeftOut(this.#options, 'STG005', message, prim.path, spec, 'active');
	}

	/** Tells about a field that no registry knows. */
	#leaveOutField(name: string, owner: Path, specs: readonly SpecSite[]): void {
		if (this.#options.report === undefined) return;
		const spec = specs.find(({ layer, path }) => layer.data.field(path, name) !== undefined);
		if (spec === undefined) return;
		const message = `the metadata ${quote(name)} of ${quote(owner.toString())} is not registered and is left out, expected a field of the core, a schema or a plugin`;
		reportLeftOut(this.#options, 'STG002', message, owner, spec, name);
	}

	#copyPrim(prim: Prim, path: Path): void {
		const out = this.#out;
		out.createSpec(path, SpecType.prim);
		out.setField(path, 'specifier', makeValue(T.specifier, 'over') as Value);
		if (prim.typeName !== '') out.setField(path, 'typeName', makeValue(T.token, prim.typeName) as Value);
		const prototype = prim.prototype;
		if (prototype !== undefined) {
			const target = makeReference('', this.#prototypes.get(prototype.path)!);
			out.setField(
				path,
				'references',
				makeValue(T.referenceListOp, ListOp.edits({ appendedItems: [target] })) as Value,
			);
		}
		if (prim.isPrototype) return;
		this.#copyMetadata(path, prim);
		const names: string[] = [];
		for (const property of this.#propertiesOf(prim)) {
			if (this.#copyProperty(property, path.appendProperty(property.name))) names.push(property.name);
		}
		if (names.length > 0) out.setField(path, 'properties', makeValue(T.tokenVector, names) as Value);
	}

	/** The authored properties, and built-in attributes that get values from clips alone. */
	#propertiesOf(prim: Prim): Property[] {
		if (prim.data.clips === undefined) return prim.authoredProperties();
		return prim
			.properties()
			.filter((property) => property.isAuthored || (property instanceof Attribute && property.hasAuthoredValue));
	}

	#copyProperty(property: Property, path: Path): boolean {
		const out = this.#out;
		const specs = property.specs();
		const context = this.#context(property.prim);
		if (property instanceof Attribute) {
			const { typeName } = property;
			if (findAttributeType(typeName) === undefined) {
				const owner = property.path;
				const message = `the attribute ${quote(owner.toString())} has the unknown type ${quote(typeName)} and is left out`;
				if (specs[0] !== undefined) reportLeftOut(this.#options, 'STG003', message, owner, specs[0], 'typeName');
				return false;
			}
			out.createSpec(path, SpecType.attribute);
			this.#copyDeclaration(property, specs, path);
			out.setField(path, 'typeName', makeValue(T.token, writtenType(property, specs)) as Value);
			this.#copyFields(property.path, path, specs, context);
			this.#copyValues(property, specs, path, context);
			if (hasField(specs, 'connectionPaths')) {
				this.#setTargets(property, path, 'connectionPaths', property.connections());
			}
		} else if (property instanceof Relationship) {
			out.createSpec(path, SpecType.relationship);
			this.#copyDeclaration(property, specs, path);
			this.#copyFields(property.path, path, specs, context);
			if (hasField(specs, 'targetPaths')) this.#setTargets(property, path, 'targetPaths', property.targets());
		}
		return true;
	}

	#copyDeclaration(property: Property, specs: readonly SpecSite[], path: Path): void {
		const { definition } = property;
		// unlike `isCustom`, the composed field is the weakest opinion
		const weakest = specs.at(-1);
		const custom = definition === undefined && weakest !== undefined && fieldOf(weakest, 'custom', T.bool) === true;
		this.#out.setField(path, 'custom', custom ? TRUE : FALSE);
		const isAttribute = property instanceof Attribute;
		const decisive = isAttribute ? weakest : specs[0];
		const authored = decisive === undefined ? undefined : fieldOf(decisive, 'variability', T.variability);
		const variability = (isAttribute ? definition?.variability : undefined) ?? authored ?? 'varying';
		this.#out.setField(path, 'variability', variability === 'uniform' ? UNIFORM : VARYING);
	}

	#copyValues(attribute: Attribute, specs: readonly SpecSite[], path: Path, context: ValueContext): void {
		const out = this.#out;
		const hasAnimation =
			attribute.prim.data.clips !== undefined || hasField(specs, 'timeSamples') || hasField(specs, 'spline');
		if (hasAnimation) {
			const times = attribute.timeSamples();
			if (times.length > 0) {
				const authored = authoredSamples(attribute.prim.data, attribute.name, context);
				const values = authored ?? times.map((time) => attribute.get(time, context) ?? BLOCK);
				const samples = makeTimeSamples(Float64Array.from(times), values);
				out.setField(path, 'timeSamples', makeValue(T.timeSamples, samples) as Value);
			}
			const spline = attribute.spline();
			if (spline !== undefined) out.setField(path, 'spline', spline as Value);
		}
		if (!hasField(specs, 'default')) return;
		// a block stays a block, although the value is then the fallback of the schema
		const value = attribute.resolveInfo('default').isBlocked ? undefined : attribute.get(undefined, context);
		out.setField(path, 'default', value ?? BLOCK);
	}

	#copyMetadata(path: Path, prim: Prim): void {
		const context = this.#context(prim);
		for (const name of prim.authoredMetadata()) {
			const value = prim.authoredMetadataValue(name, context);
			if (value === undefined) continue;
			// like OpenUSD: what no registry knows stays behind
			if (MetadataRegistry.standard.find(name) !== undefined) this.#out.setField(path, name, value);
			else this.#leaveOutField(name, prim.path, prim.data.index.primStack());
		}
	}

	#copyFields(owner: Path, path: Path, specs: readonly SpecSite[], context: ValueContext): void {
		for (const name of metadataNames(specs)) {
			if (DECLARED.has(name)) continue;
			if (MetadataRegistry.standard.find(name) === undefined) {
				this.#leaveOutField(name, owner, specs);
				continue;
			}
			const value = composeField(specs, name, context);
			if (value !== undefined) this.#out.setField(path, name, value);
		}
	}

	#setTargets(property: Property, path: Path, field: string, targets: readonly Path[]): void {
		const mapped: Path[] = [];
		for (const target of targets) {
			const prototype = topPath(target);
			const flattened = prototype === undefined ? undefined : this.#prototypes.get(prototype);
			if (flattened !== undefined) mapped.push(target.replacePrefix(prototype!, flattened));
			else if (prototype?.name.startsWith(PROTOTYPE_PREFIX) !== true) mapped.push(target);
			else this.#leaveOutTarget(property, field, target);
		}
		if (targets.length > 0) this.#out.setField(path, field, makeValue(T.pathListOp, ListOp.explicit(mapped)) as Value);
	}

	/** What lies in a prototype without a name has no place in the new layer. */
	#leaveOutTarget(property: Property, field: string, target: Path): void {
		const spec = property.specs().find(({ layer, path }) => layer.data.field(path, field) !== undefined);
		if (spec === undefined) return;
		const message = `the target ${quote(target.toString())} of ${quote(property.path.toString())} lies in a prototype that the layer does not have and is left out`;
		reportLeftOut(this.#options, 'STG004', message, property.path, spec, field);
	}

	#context(prim: Prim): ValueContext {
		const { store } = this.#stage;
		return { ...prim.valueContext, mapAsset: (text, { layer, node }) => anchorAsset(store, text, layer, node) };
	}
}

const BLOCK = makeValue(T.valueBlock, null) as Value;
const TRUE = makeValue(T.bool, true) as Value;
const FALSE = makeValue(T.bool, false) as Value;
const UNIFORM = makeValue(T.variability, 'uniform') as Value;
const VARYING = makeValue(T.variability, 'varying') as Value;

function hasField(specs: readonly SpecSite[], name: string): boolean {
	for (const { layer, path } of specs) if (layer.data.field(path, name) !== undefined) return true;
	return false;
}

/**
 * The type name to write: the composed one, unless the value is of another type that its layer declares; text of a value that
 * does not fit its type could not be read again.
 */
function writtenType(attribute: Attribute, specs: readonly SpecSite[]): string {
	const { typeName, definition } = attribute;
	const value = definition === undefined ? undefined : attribute.get();
	if (value === undefined || value.type === findAttributeType(typeName)?.valueType) return typeName;
	for (const spec of specs) {
		const authored = fieldOf(spec, 'typeName', T.token);
		if (authored !== undefined && findAttributeType(authored)?.valueType === value.type) return authored;
	}
	return typeName;
}

function fieldOf<D>({ layer, path }: SpecSite, name: string, type: ValueType<D>): D | undefined {
	return dataOf(layer.data.field(path, name), type);
}

const PROTOTYPE_PREFIX = '__Prototype_';
/** Fields that `#copyDeclaration` and its callers set. */
const DECLARED: ReadonlySet<string> = new Set(['custom', 'variability', 'typeName']);

function topPath(path: Path): Path | undefined {
	let at: Path = path;
	while (at.depth > 1) at = at.parent!;
	return at.depth === 1 ? at : undefined;
}

/** Gives each prototype a name that no prim of the stage has. */
function namePrototypes(stage: Stage): Map<Path, Path> {
	const names = new Map<Path, Path>();
	let number = 0;
	for (const { path } of stage.prototypes()) {
		let name: Path;
		do name = Path.root.appendChild(`Flattened_Prototype_${++number}`);
		while (stage.prim(name) !== undefined);
		names.set(path, name);
	}
	return names;
}
