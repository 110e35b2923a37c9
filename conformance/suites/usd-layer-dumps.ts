import { readBytes } from '../src/files.ts';
import { compareWithGolden } from '../src/golden-layer.ts';
import { goldenOf, listLayers } from '../src/layer-files.ts';
import type { Case, Suite, SuiteContext } from '../src/suite.ts';
import { describe, firstError, loadLayer } from '../src/usd-io.ts';

/** Any folder of layers with dumps beside them. */
export const usdLayerDumps: Suite = {
	name: 'usd/layer-dumps',
	description: 'layers, text or crate, with NAME.json[.gz] as usd_layer_dump.py of the oracle writes it',
	defaultDir: 'oracle/golden/usd/crate',
	groups: [
		{
			name: 'dumps',
			description: 'every spec and field of a layer against its dump',
			tolerance: 'exact, stored order',
			timeLimit: 10,
			*cases(context: SuiteContext): Generator<Case> {
				for (const file of listLayers(context.dir)) {
					const golden = file.kind === 'package' ? undefined : goldenOf(file.path);
					if (golden === undefined) continue;
					yield {
						name: file.name,
						run: () => {
							const layer = loadLayer(readBytes(file.path), file.path);
							const error = firstError(layer.report);
							return error === undefined ? compareWithGolden(layer, golden) : describe(error);
						},
					};
				}
			},
		},
	],
};
