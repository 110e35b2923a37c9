import {
	type Dictionary,
	Layer,
	ListOp,
	makeValue,
	Path,
	type PropertySpecOptions,
	selectVariant,
	T,
	type Value,
	type ValueType,
} from '@manyworlds/usd';
import { listVariantSet, makePayload, makeReference } from '@manyworlds/usd/internal';

/** Puts specs into a layer of an asset that REP 0158 describes: metres, kilograms, seconds, Z up. */
export class LayerBuilder {
	readonly layer: Layer;

	constructor(file: string, defaultPrim: string, doc: string) {
		this.layer = Layer.create(file);
		this.field(Path.root, 'defaultPrim', T.token, defaultPrim);
		this.field(Path.root, 'documentation', T.string, doc);
		this.field(Path.root, 'kilogramsPerUnit', T.double, 1);
		this.field(Path.root, 'metersPerUnit', T.double, 1);
		this.field(Path.root, 'timeCodesPerSecond', T.double, 1);
		this.field(Path.root, 'upAxis', T.token, 'Z');
	}

	field<D>(path: Path, name: string, type: ValueType<D>, data: D): void {
		this.layer.setField(path, name, makeValue(type, data) as Value);
	}

	/** Defines a prim; those above that are not there yet become overs. */
	define(path: Path, typeName: string): Path {
		this.layer.createPrim(path, { specifier: 'def', typeName });
		return path;
	}

	/** Makes sure that a prim has a spec. */
	over(path: Path): Path {
		if (!this.layer.has(path)) this.layer.createPrim(path);
		return path;
	}

	/** Sets an attribute; `typeName` where it has a role, as `point3f` has. */
	attribute<D>(
		prim: Path,
		name: string,
		type: ValueType<D>,
		data: D,
		options: PropertySpecOptions & { readonly typeName?: string } = {},
	): void {
		const path = prim.appendProperty(name);
		this.layer.createAttribute(path, options.typeName ?? type.name, options);
		this.field(path, 'default', type, data);
	}

	/** Sets an attribute that does not vary in time. */
	uniform<D>(prim: Path, name: string, type: ValueType<D>, data: D): void {
		this.attribute(prim, name, type, data, { variability: 'uniform' });
	}

	/** An attribute that gets its value from another one. */
	connection(prim: Path, name: string, typeName: string, source: Path): void {
		const path = prim.appendProperty(name);
		this.layer.createAttribute(path, typeName);
		this.field(path, 'connectionPaths', T.pathListOp, ListOp.explicit([source]));
	}

	/** An attribute without a value, as outputs of shaders are. */
	output(prim: Path, name: string, typeName: string): Path {
		const path = prim.appendProperty(name);
		this.layer.createAttribute(path, typeName);
		return path;
	}

	relationship(prim: Path, name: string, targets: readonly Path[]): void {
		const path = prim.appendProperty(name);
		this.layer.createRelationship(path);
		this.field(path, 'targetPaths', T.pathListOp, ListOp.explicit(targets));
	}

	apply(prim: Path, schemas: readonly string[]): void {
		this.over(prim);
		this.field(prim, 'apiSchemas', T.tokenListOp, ListOp.edits({ prependedItems: schemas }));
	}

	reference(prim: Path, files: readonly string[], target: Path = Path.empty): void {
		const items = files.map((file) => makeReference(file, target));
		this.field(prim, 'references', T.referenceListOp, ListOp.edits({ prependedItems: items }));
	}

	payload(prim: Path, file: string, target: Path): void {
		this.payloads(prim, [file], target);
	}

	payloads(prim: Path, files: readonly string[], target: Path = Path.empty): void {
		const items = files.map((file) => makePayload(file, target));
		this.field(prim, 'payload', T.payloadListOp, ListOp.edits({ prependedItems: items }));
	}

	/** A variant of a prim; the first one of a set is selected. */
	variant(prim: Path, set: string, name: string): Path {
		const variant = prim.appendVariant(set, name);
		this.layer.createVariant(variant);
		listVariantSet(this.layer, prim, set);
		return variant;
	}

	select(prim: Path, set: string, name: string): void {
		selectVariant(this.layer, prim, set, name);
	}

	/** Where a prim stands in its parent, and how its points are stretched. */
	place(prim: Path, pose: Float64Array, scale?: readonly [number, number, number]): void {
		const order = ['xformOp:translate', 'xformOp:orient'];
		this.attribute(prim, 'xformOp:translate', T.double3, pose.slice(0, 3));
		this.attribute(prim, 'xformOp:orient', T.quatd, upright(pose.slice(3, 7)));
		if (scale !== undefined) {
			order.push('xformOp:scale');
			this.attribute(prim, 'xformOp:scale', T.float3, Float32Array.from(scale));
		}
		this.uniform(prim, 'xformOpOrder', T.token.array, order);
	}

	dictionary(entries: Readonly<Record<string, string | Dictionary>>): Dictionary {
		return new Map(
			Object.entries(entries).map(([key, value]) => [
				key,
				(typeof value === 'string' ? makeValue(T.string, value) : makeValue(T.dictionary, value)) as Value,
			]),
		);
	}
}

/** The same rotation with its last number not negative, and no negative zeros. */
export function upright(q: Float64Array): Float64Array {
	const sign = q[3]! < 0 ? -1 : 1;
	return q.map((value) => sign * value + 0);
}
