import { readBytes } from '../../src/files.ts';
import { compareWithGolden } from '../../src/golden-layer.ts';
import { goldenOf, listLayers } from '../../src/layer-files.ts';
import type { Case, Group, SuiteContext } from '../../src/suite.ts';
import { loadLayer } from '../../src/usd-io.ts';

/** Text layers against the JSON that says what they hold. */
export const aousdText: Group = {
	name: 'aousd/text',
	description: 'text layers with a JSON file (AOUSD baseline or oracle layer dump): every spec, every field',
	tolerance:
		'exact after rounding to the type of the value; the dialect of the AOUSD baselines is in src/aousd-json.ts',
	timeLimit: 10,
	*cases(context: SuiteContext): Generator<Case> {
		for (const layer of listLayers(context.dir)) {
			const golden = layer.kind === 'text' ? goldenOf(layer.path) : undefined;
			if (golden === undefined) continue;
			yield { name: layer.name, run: () => compareWithGolden(loadLayer(readBytes(layer.path), layer.path), golden) };
		}
	},
};
