import type { SpecSite } from '../pcp/prim-index.ts';
import { ListOp } from '../sdf/list-op.ts';
import type { Value } from '../sdf/value.ts';
import { T, type ValueType } from '../sdf/value-type.ts';
import { isMetadataField } from '../usd/metadata.ts';
import { Prim } from '../usd/prim.ts';
import type { Property } from '../usd/property.ts';
import type { OpinionRole } from './explain.ts';
import { type Json, valueToJson } from './value-json.ts';

/** A metadata field as it composes, and what its schema says about it. */
export interface ComposedField {
	readonly value: Json | undefined;
	readonly fallback: Value | undefined;
	/** Identifier of the schema that gives the fallback. */
	readonly schema: string;
}

/** Composes a field; arcs, which are no metadata, as far as the result is a plain thing. */
export function composedField(object: Prim | Property, name: string): ComposedField {
	if (object instanceof Prim && !isMetadataField(name)) {
		return { value: composedArcs(object, name), fallback: undefined, schema: '' };
	}
	const value = object.metadata(name);
	const { definition } = object;
	const schema = object instanceof Prim ? object.typeName : (object.definition?.schema ?? '');
	return { value: value && composedJson(value), fallback: definition?.metadata.get(name), schema };
}

/** A composed list is a list of items, no edit of one. */
function composedJson(value: Value): Json {
	const json = valueToJson(value);
	return value.data instanceof ListOp ? ((json as { explicit?: Json }).explicit ?? json) : json;
}

/** What each opinion on a field does, strongest first. */
export function fieldRoles(
	object: Prim | Property,
	name: string,
	sites: readonly SpecSite[],
	composed: Json | undefined,
): OpinionRole[] {
	if (sites.length === 0) return [];
	const values = sites.map(({ layer, path }) => layer.data.field(path, name)!);
	const strongest = values[0]!;
	if (strongest.data instanceof ListOp) return listRoles(sites, name);
	if (strongest.type === (T.dictionary as ValueType) || name === 'variantSelection') return values.map(() => 'used');
	if (composed === undefined || isFromSchema(object, name)) return values.map(() => 'hidden');
	const text = JSON.stringify(composed);
	const isResult = (value: Value): boolean => JSON.stringify(valueToJson(value)) === text;
	// the weakest opinion decides on variability, the strongest that says something on the rest
	const winner = name === 'variability' ? values.findLastIndex(isResult) : Math.max(values.findIndex(isResult), 0);
	return values.map((_, i) => (i === winner ? 'winner' : 'hidden'));
}

/** Lists combine from weak to strong; what is weaker than an explicit list does not count. */
export function listRoles(sites: readonly SpecSite[], field: string): OpinionRole[] {
	let isClosed = false;
	return sites.map(({ layer, path }, i) => {
		if (isClosed) return 'hidden';
		const op = layer.data.field(path, field)?.data;
		isClosed = op instanceof ListOp && op.isExplicit;
		return isClosed && i === 0 ? 'winner' : 'used';
	});
}

/** Whether the schema of a property decides on the field, whatever layers say. */
function isFromSchema(object: Prim | Property, name: string): boolean {
	if (object instanceof Prim || object.definition === undefined) return false;
	return name === 'typeName' || name === 'variability' || name === 'custom';
}

function composedArcs(prim: Prim, name: string): Json | undefined {
	if (name === 'variantSetNames') return prim.variantSets();
	if (name !== 'variantSelection') return undefined;
	return Object.fromEntries(prim.variantSets().map((set) => [set, prim.variantSelection(set)]));
}
