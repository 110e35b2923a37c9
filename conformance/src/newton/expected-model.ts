import { isObject, type Json, type JsonObject } from '../json.ts';

/** An array of a dump. */
export interface ExpectedArray {
	readonly data: readonly (number | string | boolean)[];
	readonly dtype?: string;
	readonly shape?: readonly number[];
	readonly enum?: string;
	readonly flags?: string;
}

/** A custom attribute of a dump. */
export interface ExpectedAttribute {
	readonly assignment: string;
	readonly frequency: string;
	readonly type: string;
	readonly values: ExpectedArray | readonly string[];
}

/** The model of a dump. */
export interface ExpectedModel {
	readonly actuators: readonly Json[];
	readonly arrays: { readonly [name: string]: ExpectedArray };
	readonly body_shapes: { readonly [body: string]: readonly number[] };
	readonly counts: { readonly [name: string]: number };
	readonly custom_attributes: { readonly [key: string]: ExpectedAttribute };
	readonly custom_frequencies: { readonly [key: string]: number };
	readonly filter_pairs: readonly (readonly [number, number])[];
	readonly fk: { readonly body_q: ExpectedArray; readonly body_qd: ExpectedArray };
	readonly geometry: { readonly objects: readonly JsonObject[]; readonly of_shape: readonly number[] };
	readonly labels: { readonly [entity: string]: readonly string[] };
	readonly scalars: { readonly [name: string]: number | string };
}

/** Format of dumps that are read here. */
export const DUMP_FORMAT = 'manyworlds-newton-dump/1';

/** Version of Newton that made them. */
export const NEWTON_VERSION = '1.6.1';

/** Fields of the model of a dump. */
export const MODEL_FIELDS = [
	'actuators',
	'arrays',
	'body_shapes',
	'counts',
	'custom_attributes',
	'custom_frequencies',
	'filter_pairs',
	'fk',
	'geometry',
	'labels',
	'scalars',
];

/** An object with exactly these keys; those in `optional` may be absent. */
export function fields(
	value: unknown,
	where: string,
	keys: readonly string[],
	optional: readonly string[] = [],
): JsonObject {
	if (!isObject(value)) throw new TypeError(`${where} is no object`);
	const unknown = Object.keys(value).find((key) => !keys.includes(key));
	if (unknown !== undefined) throw new TypeError(`${where} has the unknown field '${unknown}'`);
	const missing = keys.find((key) => !Object.hasOwn(value, key) && !optional.includes(key));
	if (missing !== undefined) throw new TypeError(`${where} lacks the field '${missing}'`);
	return value;
}
