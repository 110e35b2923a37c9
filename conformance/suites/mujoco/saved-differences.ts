import type { Model } from '@manyworlds/model';
import { type ConvertOptions, MujocoError, type MujocoModule, saveToMjcf } from '@manyworlds/mujoco';
import { doubleField } from '@manyworlds/mujoco/internal';
import type { Json, JsonObject } from '../../src/json.ts';
import { flatten, mjModelDifferences, tensor } from './mj-differences.ts';

/**
 * What MuJoCo compiles a saved model to, against the reference's own saved file loaded again: the compiled model with the
 * fields replaced that differ there. Names are shorter here, and statistics of the reloaded file are not recorded.
 */
export function savedDifferences(
	module: MujocoModule,
	model: Model,
	options: ConvertOptions,
	expected: JsonObject,
): string[] {
	let saved: ReturnType<typeof saveToMjcf>;
	try {
		saved = saveToMjcf(model, { skipVisualOnlyGeoms: true, ...options });
	} catch (error) {
		if (!(error instanceof MujocoError)) throw error;
		return [`refused: ${error.message}`];
	}
	const files = new module.MjVFS();
	for (const [name, bytes] of saved.files) files.addBuffer(name, bytes);
	const mj = module.MjModel.from_xml_string(saved.text, files);
	try {
		const reloaded = ((expected.mjcf as JsonObject).differences ?? {}) as JsonObject;
		const { body_inertia_tensor: tensors, ...fields } = reloaded;
		const own = expected.mj_model as JsonObject;
		const { body_inertia, body_iquat, ...others } = own.arrays as JsonObject;
		const inertia = tensors === undefined ? { body_inertia, body_iquat } : {};
		const arrays = { ...others, ...inertia, ...fields } as JsonObject;
		return [
			...mjModelDifferences({ mj }, { ...own, arrays, names: {}, statistic: {} }, {}, []),
			...(tensors === undefined ? [] : tensorDifferences(mj, tensors)),
		];
	} finally {
		mj.delete();
		files.delete();
	}
}

function tensorDifferences(mj: Parameters<typeof doubleField>[0], expected: Json): string[] {
	const numbers = flatten(expected);
	const [values, frames] = [doubleField(mj, 'body_inertia'), doubleField(mj, 'body_iquat')];
	for (let body = 0; 9 * body < numbers.length; body++) {
		const a = tensor(values.subarray(3 * body, 3 * body + 3), frames.subarray(4 * body, 4 * body + 4));
		const b = numbers.slice(9 * body, 9 * body + 9);
		const largest = Math.max(...b.map(Math.abs));
		if (a.some((number, i) => !(Math.abs(number - b[i]!) <= 1e-4 * largest + 1e-12))) {
			return [`inertia of body ${body} is ${a.join(' ')}, expected ${b.join(' ')}`];
		}
	}
	return [];
}
