import { Attribute, type Layer, type ListOp, Path, Prim, type Property, T, type Value } from '@manyworlds/usd';
import type { SpecSite } from '@manyworlds/usd/internal';
import { dataOf } from '@manyworlds/usd/internal';
import type { Place } from './place.ts';

/** The strongest spec that defines a prim, or the strongest of all; for a property, the spec that gives its value. @public */
export function placeOf(at: Prim | Property, sessionLayer?: Layer): Place {
	return at instanceof Prim ? placeOfPrim(at, sessionLayer) : placeOfProperty(at, sessionLayer);
}

/**
 * The strongest spec that has a field; with `item`, that applies it. The place of the prim or property when nobody wrote it.
 * @public
 */
export function placeOfField(at: Prim | Property, field: string, item?: string, sessionLayer?: Layer): Place {
	for (const { layer, path, node } of at.specs()) {
		if (layer === sessionLayer) continue;
		const value = layer.data.field(path, field);
		if (value === undefined || (item !== undefined && !mentions(value, item))) continue;
		return { layer, path, field, shown: at.path, node, ...(item !== undefined && { item }) };
	}
	return placeOf(at, sessionLayer);
}

/** Where an API schema is applied; by the name of a multiple-apply schema, where any instance of it is. @public */
export function placeOfSchema(prim: Prim, schema: string, sessionLayer?: Layer): Place {
	for (const { layer, path, node } of prim.specs()) {
		if (layer === sessionLayer) continue;
		const op = dataOf(layer.data.field(path, 'apiSchemas'), T.tokenListOp);
		const item = op && applied(op).find((name) => name === schema || name.startsWith(`${schema}:`));
		if (item !== undefined) return { layer, path, field: 'apiSchemas', item, shown: prim.path, node };
	}
	return placeOf(prim, sessionLayer);
}

/**
 * Where a stronger layer takes away what a prim would have: a value block, an empty list of targets, a deletion from the applied schemas. Undefined
 * when nobody says anything about it. Names with `API` are those of schemas. @public
 */
export function placeOfRemoval(prim: Prim, names: readonly string[], sessionLayer?: Layer): Place | undefined {
	for (const name of names) {
		const found = /API(?::|$)/.test(name) ? deletionOf(prim, name) : blockOf(prim, name);
		if (found !== undefined && found.layer !== sessionLayer) return found;
	}
	return undefined;
}

function deletionOf(prim: Prim, schema: string): Place | undefined {
	const specs = prim.specs();
	for (const { layer, path, node } of specs) {
		const op = dataOf(layer.data.field(path, 'apiSchemas'), T.tokenListOp);
		if (op === undefined) continue;
		if (applied(op).includes(schema)) return undefined;
		const place = { layer, path, field: 'apiSchemas', shown: prim.path, node };
		if (op.deletedItems.includes(schema)) return { ...place, item: schema };
		// an explicit list without it deletes what weaker layers apply
		if (op.isExplicit) return specs.some((site) => appliesSchema(site, schema)) ? place : undefined;
	}
	return undefined;
}

function appliesSchema({ layer, path }: SpecSite, schema: string): boolean {
	const op = dataOf(layer.data.field(path, 'apiSchemas'), T.tokenListOp);
	return op !== undefined && applied(op).includes(schema);
}

function blockOf(prim: Prim, name: string): Place | undefined {
	for (const { layer, path, node } of prim.specs()) {
		const property = path.appendProperty(name);
		if (!layer.data.has(property)) continue;
		const value = layer.data.field(property, 'default');
		const targets = dataOf(layer.data.field(property, 'targetPaths'), T.pathListOp);
		if (value === undefined && targets === undefined) continue;
		const isBlock =
			value === undefined ? targets!.isExplicit && targets!.explicitItems.length === 0 : value.type === BLOCK;
		return isBlock ? { layer, path: property, shown: prim.path.appendProperty(name), node } : undefined;
	}
	return undefined;
}

const BLOCK = T.valueBlock as Value['type'];

/** A spec of a layer, or one of its fields. @public */
export function placeInLayer(layer: Layer, path: Path = Path.root, field?: string, item?: string): Place {
	const shown = path.stripVariants();
	return { layer, path, shown, ...(field !== undefined && { field }), ...(item !== undefined && { item }) };
}

/** The items that a list-op brings, whichever way. */
export function applied<I>(op: ListOp<I>): readonly I[] {
	if (op.isExplicit) return op.explicitItems;
	return [...op.prependedItems, ...op.addedItems, ...op.appendedItems];
}

function placeOfPrim(prim: Prim, sessionLayer: Layer | undefined): Place {
	const specs = prim.specs().filter(({ layer }) => layer !== sessionLayer);
	const defining = specs.find(({ layer, path }) => {
		const specifier = dataOf(layer.data.field(path, 'specifier'), T.specifier);
		return specifier === 'def' || specifier === 'class';
	});
	const site = defining ?? specs[0];
	if (site !== undefined) return { layer: site.layer, path: site.path, shown: prim.path, node: site.node };
	return { layer: prim.stage.rootLayer, path: Path.root, shown: prim.path };
}

function placeOfProperty(property: Property, sessionLayer: Layer | undefined): Place {
	const site = valueSite(property) ?? property.specs().find(({ layer }) => layer !== sessionLayer);
	if (site === undefined) return { ...placeOfPrim(property.prim, sessionLayer), shown: property.path };
	return { layer: site.layer, path: site.path, shown: property.path, node: site.node };
}

function valueSite(property: Property): SpecSite | undefined {
	return property instanceof Attribute ? property.resolveInfo().site : undefined;
}

/** Whether a value brings a text: as a list item, an entry of a list, or itself. */
function mentions(value: Value, item: string): boolean {
	const { data } = value;
	if (typeof data === 'string') return data === item;
	if (Array.isArray(data)) return data.includes(item);
	if (data instanceof Map) return data.has(item);
	if (data === null || typeof data !== 'object' || !('prependedItems' in data)) return false;
	return applied(data as ListOp<unknown>).some((entry) => itemTexts(entry).includes(item));
}

function itemTexts(entry: unknown): string[] {
	if (typeof entry !== 'object' || entry === null) return [String(entry)];
	if ('assetPath' in entry && 'primPath' in entry) return [String(entry.assetPath), String(entry.primPath)];
	return [String(entry)];
}
