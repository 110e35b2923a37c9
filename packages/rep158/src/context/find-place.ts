import { Attribute, dataOf, type Layer, type ListOp, Path, Prim, type Property, T, type Value } from '@manyworlds/usd';
import type { SpecSite } from '@manyworlds/usd/internal';
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

/** A spec of a layer, or one of its fields. @public */
export function placeInLayer(layer: Layer, path: Path = Path.root, field?: string, item?: string): Place {
	const shown = path.stripVariants();
	return { layer, path, shown, ...(field !== undefined && { field }), ...(item !== undefined && { item }) };
}

/** The items that a list-op brings, whichever way. @public */
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
