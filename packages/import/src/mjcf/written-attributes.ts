import { keepMujocoWritten, MUJOCO_WRITTEN_ATTRIBUTES, mujocoWrittenKey } from '@manyworlds/model/internal';
import type { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';

/** Keeps what only MuJoCo simulates of an element as it is written, on a row of the builder. */
export function keepWritten(
	context: MjcfContext,
	kind: keyof typeof MUJOCO_WRITTEN_ATTRIBUTES,
	row: number,
	attributes: Attributes,
): void {
	if (context.options.newtonCompat) return;
	const values = new Map<string, string>();
	for (const name of MUJOCO_WRITTEN_ATTRIBUTES[kind]) {
		const text = attributes.values.get(name)?.text;
		if (text === undefined) continue;
		values.set(name, text.trim());
		attributes.keep(name, { target: mujocoWrittenKey(kind) });
	}
	keepMujocoWritten(context.builder, kind, row, values);
}
