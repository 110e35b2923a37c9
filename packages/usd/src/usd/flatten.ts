import { findAttributeType } from '../sdf/attribute-type.ts';
import { Layer } from '../sdf/layer.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { ListOp } from '../sdf/list-op.ts';
import { MetadataRegistry } from '../sdf/metadata-registry.ts';
import { Path } from '../sdf/path.ts';
import { SpecType } from '../sdf/spec-type.ts';
import { dataOf, makeReference, makeTimeSamples, makeValue, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { anchorAsset } from './asset-context.ts';
import { Attribute } from './attribute.ts';
import { Prim } from './prim.ts';
import type { Property } from './property.ts';
import { authoredSamples } from './property-value.ts';
import { Relationship } from './relationship.ts';
import type { ValueContext } from './resolve-value.ts';
import type { Stage } from './stage.ts';

/** How a stage is flattened. */
export interface FlattenOptions {
	/** Identifier of the new layer. */
	readonly identifier?: string;
}

export const FLATTEN_DEFAULTS: Required<FlattenOptions> = { identifier: 'flattened.usda' };

/**
 * One layer with everything that a stage composes to, without arcs but those from instances to their prototypes
 * (`/Flattened_Prototype_1`). Inactive prims are left out, asset paths are anchored where they were authored.
 */
export function flattenStage(stage: Stage, options: FlattenOptions = {}): Layer {
	const { identifier } = { ...FLATTEN_DEFAULTS, ...options };
	return new Flattener(stage, Layer.create(identifier)).run();
}

class Flattener {
	readonly #stage: Stage;
	readonly #layer: Layer;
	readonly #out: LayerData;
	/** Paths of prototypes and what they are called in the new layer. */
	readonly #prototypes: ReadonlyMap<Path, Path>;

	constructor(stage: Stage, layer: Layer) {
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
		for (const prim of this.#stage.pseudoRoot.children()) {
			if (!prim.isActive) continue;
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
			const children = prim.children().filter((child) => child.isActive);
			for (let i = children.length - 1; i >= 0; i--) stack.push([children[i]!, path.appendChild(children[i]!.name)]);
			for (const child of children) names.push(child.name);
			if (names.length > 0) this.#out.setField(path, 'primChildren', makeValue(T.tokenVector, names) as Value);
		}
	}

	#copyPrim(prim: Prim, path: Path): void {
		const out = this.#out;
		out.createSpec(path, SpecType.prim);
		out.setField(path, 'specifier', makeValue(T.specifier, 'over') as Value);
		if (prim.typeName !== '') out.setField(path, 'typeName', makeValue(T.token, prim.typeName) as Value);
		const prototype = prim.prototype;
		if (prototype !== undefined) {
			const target = makeReference('', this.#prototypes.get(prototype.path)!);
			out.setField(path, 'references', makeValue(T.referenceListOp, ListOp.edits({ appendedItems: [target] })) as Value);
		}
		if (prim.isPrototype) return;
		this.#copyMetadata(path, prim);
		const names: string[] = [];
		for (const property of prim.properties()) {
			const isWanted = property.isAuthored || (property instanceof Attribute && property.hasAuthoredValue);
			if (isWanted && this.#copyProperty(property, path.appendProperty(property.name))) names.push(property.name);
		}
		if (names.length > 0) out.setField(path, 'properties', makeValue(T.tokenVector, names) as Value);
	}

	#copyProperty(property: Property, path: Path): boolean {
		const out = this.#out;
		if (property instanceof Attribute) {
			const { typeName } = property;
			if (findAttributeType(typeName) === undefined) return false;
			out.createSpec(path, SpecType.attribute);
			this.#copyDeclaration(property, path);
			out.setField(path, 'typeName', makeValue(T.token, typeName) as Value);
			this.#copyMetadata(path, property);
			this.#copyValues(property, path);
			this.#setTargets(path, 'connectionPaths', property.connections());
		} else if (property instanceof Relationship) {
			out.createSpec(path, SpecType.relationship);
			this.#copyDeclaration(property, path);
			this.#copyMetadata(path, property);
			this.#setTargets(path, 'targetPaths', property.targets());
		}
		return true;
	}

	#copyDeclaration(property: Property, path: Path): void {
		const specs = property.specs();
		// unlike `isCustom`, the composed field is the weakest opinion
		const weakest = property.definition === undefined ? specs.at(-1) : undefined;
		const custom = dataOf(weakest?.layer.data.field(weakest.path, 'custom'), T.bool) ?? false;
		this.#out.setField(path, 'custom', makeValue(T.bool, custom) as Value);
		const [strongest] = specs;
		const variability =
			property instanceof Attribute
				? property.variability
				: (dataOf(strongest?.layer.data.field(strongest.path, 'variability'), T.variability) ?? 'varying');
		this.#out.setField(path, 'variability', makeValue(T.variability, variability) as Value);
	}

	#copyValues(attribute: Attribute, path: Path): void {
		const out = this.#out;
		const context = this.#context(attribute.prim);
		const times = attribute.timeSamples();
		if (times.length > 0) {
			const authored = authoredSamples(attribute.prim.data, attribute.name, context);
			const values = authored ?? times.map((time) => attribute.get(time, context) ?? BLOCK);
			const samples = makeTimeSamples(Float64Array.from(times), values);
			out.setField(path, 'timeSamples', makeValue(T.timeSamples, samples) as Value);
		}
		const spline = attribute.spline();
		if (spline !== undefined) out.setField(path, 'spline', spline as Value);
		const hasDefault = attribute.specs().some((spec) => spec.layer.data.field(spec.path, 'default') !== undefined);
		if (!hasDefault) return;
		// a block stays a block, although the value is then the fallback of the schema
		const value = attribute.resolveInfo('default').isBlocked ? undefined : attribute.get(undefined, context);
		out.setField(path, 'default', value ?? BLOCK);
	}

	#copyMetadata(path: Path, object: Prim | Property): void {
		const context = this.#context(object instanceof Prim ? object : object.prim);
		for (const name of object.authoredMetadata()) {
			const isDeclared = !(object instanceof Prim) && DECLARED.has(name);
			const value = isDeclared ? undefined : object.authoredMetadataValue(name, context);
			// like OpenUSD: what no registry knows stays behind
			if (value !== undefined && MetadataRegistry.standard.find(name) !== undefined) this.#out.setField(path, name, value);
		}
	}

	#setTargets(path: Path, field: string, targets: readonly Path[]): void {
		const mapped: Path[] = [];
		for (const target of targets) {
			const prototype = topPath(target);
			const flattened = prototype === undefined ? undefined : this.#prototypes.get(prototype);
			if (flattened !== undefined) mapped.push(target.replacePrefix(prototype!, flattened));
			// what else lies in a prototype has no place in the new layer
			else if (prototype?.name.startsWith(PROTOTYPE_PREFIX) !== true) mapped.push(target);
		}
		if (targets.length > 0) this.#out.setField(path, field, makeValue(T.pathListOp, ListOp.explicit(mapped)) as Value);
	}

	#context(prim: Prim): ValueContext {
		const { source } = this.#stage;
		return { ...prim.valueContext, mapAsset: (text, { layer, node }) => anchorAsset(source, text, layer, node) };
	}
}

const BLOCK = makeValue(T.valueBlock, null) as Value;
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
