import { type CheckOptions, checkAsset } from '@manyworlds/rep158';
import { openAsset } from '../open-asset.ts';

/** Metadata that every layer of an asset has. */
export const METRICS: string = 'metersPerUnit = 1\n\tkilogramsPerUnit = 1\n\ttimeCodesPerSecond = 1\n\tupAxis = "Z"';

/** A layer from its body; braces may stand on any line. */
export function usda(body: string, metadata = 'defaultPrim = "robot"'): string {
	return `#usda 1.0\n(\n\t${metadata}\n\t${METRICS}\n)\n${body.replaceAll('}', '\n}\n')}`;
}

/** `RULE prim` of the findings of some rules on an asset, whose root layer is `robot.usda`. */
export function findings(
	files: Readonly<Record<string, string | Uint8Array>>,
	rules: readonly string[],
	options: CheckOptions = {},
): string[] {
	const { layer, store } = openAsset(files, 'robot.usda');
	const { report } = checkAsset(layer, store, options);
	const [fault] = store.report.toArray();
	if (fault !== undefined) throw new Error(fault.message);
	return report
		.toArray()
		.filter(({ code }) => rules.includes(code) || code === 'CHK002')
		.map(({ code, prim }) => `${code} ${prim}`);
}
