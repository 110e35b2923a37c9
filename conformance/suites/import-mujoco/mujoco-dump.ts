import { isObject, type Json, type JsonObject } from '../../src/json.ts';

/** A dump of a compiled model (mujoco-dump/1). Quaternions w x y z. */
export interface MujocoDump {
	readonly model: string;
	readonly droppedMeshes: readonly string[];
	readonly sizes: Readonly<Record<string, number>>;
	readonly names: Readonly<Record<string, readonly string[]>>;
	readonly option: JsonObject;
	readonly arrays: Readonly<Record<string, readonly Json[]>>;
	readonly states: readonly JsonObject[];
}

const KEYS = [
	...['arrays', 'dropped_meshes', 'engine', 'format', 'meshes', 'model', 'names', 'option', 'sizes', 'state_rule'],
	...['states', 'statistic'],
];

/** Reads a dump; a field that is missing or not known throws. */
export function parseDump(json: Json): MujocoDump {
	if (!isObject(json)) throw new TypeError('the dump is no object');
	for (const key of KEYS) if (!(key in json)) throw new TypeError(`the dump has no '${key}'`);
	const odd = Object.keys(json).find((key) => !KEYS.includes(key));
	if (odd !== undefined) throw new TypeError(`the dump has '${odd}', which is not known`);
	if (json.format !== 'mujoco-dump/1') throw new TypeError(`the format is ${String(json.format)}`);
	return {
		model: json.model as string,
		droppedMeshes: json.dropped_meshes as string[],
		sizes: json.sizes as Record<string, number>,
		names: json.names as Record<string, string[]>,
		option: json.option as JsonObject,
		arrays: json.arrays as Record<string, Json[]>,
		states: json.states as JsonObject[],
	};
}

/** The numbers of an array, row after row; truth values are 0 and 1. */
export function numbersOf(values: Json | undefined): number[] {
	if (values === undefined) return [];
	if (Array.isArray(values)) return values.flatMap(numbersOf);
	if (typeof values === 'boolean') return [values ? 1 : 0];
	if (typeof values === 'number') return [values];
	if (typeof values === 'string' && values in SPECIAL) return [SPECIAL[values]!];
	throw new TypeError(`${JSON.stringify(values)} is no number`);
}

const SPECIAL: Readonly<Record<string, number>> = {
	nan: Number.NaN,
	inf: Number.POSITIVE_INFINITY,
	'-inf': Number.NEGATIVE_INFINITY,
};
