import type { ConvertOptions } from '@manyworlds/mujoco';
import type { JsonObject } from '../../src/json.ts';
import { camelCase } from '../../src/newton/names.ts';

/** Options of the reference that stand for its other engine or its memory, and have no counterpart. */
const WITHOUT_COUNTERPART = new Set([
	'separate_worlds',
	'njmax',
	'nconmax',
	'nvmax',
	'njmax_nnz',
	'use_mujoco_cpu',
	'update_data_interval',
]);

/** Our options of the reference's keyword arguments. */
export function convertOptionsOf(solver: JsonObject): ConvertOptions {
	const options: Record<string, unknown> = { newtonCompat: true };
	for (const [name, value] of Object.entries(solver)) {
		if (!WITHOUT_COUNTERPART.has(name)) options[camelCase(name)] = value;
	}
	return options as ConvertOptions;
}
