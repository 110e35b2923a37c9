import { dirname } from 'node:path';
import { readBytes } from '../../src/files.ts';
import { type LayerFile, listLayers } from '../../src/layer-files.ts';
import { registryOf } from '../../src/plug-info.ts';
import { crateThroughText, textThroughCrate } from '../../src/round-trips.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';
import { describe, firstError, loadLayer } from '../../src/usd-io.ts';

const TOLERANCE =
	'none: texts byte for byte, crates spec for spec; layers that went through text may have properties and variants sorted';

/** Every readable layer of the suite folder, from one format to the other and back. */
export const roundTripSuite: Group = {
	name: 'roundtrip/suite',
	description: 'layers of the suite that read without an error: text to crate to text, crate to text to crate',
	tolerance: TOLERANCE,
	timeLimit: 60,
	cases: (context: SuiteContext) => roundTrips(context.dir, context),
};

/** The same for every layer below the assets folder. */
export const roundTripAssets: Group = {
	name: 'roundtrip/assets',
	description: 'the same for every layer below --assets; here a layer that reads with an error fails',
	tolerance: TOLERANCE,
	timeLimit: 60,
	cases: (context: SuiteContext) => roundTrips(context.assetsDir, context),
};

function* roundTrips(dir: string, context: SuiteContext): Generator<Case> {
	for (const file of listLayers(dir)) {
		if (file.kind !== 'package') yield { name: file.name, run: () => roundTrip(file, dir === context.dir) };
	}
}

function roundTrip(file: LayerFile, mayBeUnreadable: boolean): Outcome {
	const registry = registryOf(dirname(file.path));
	const { data, report } = loadLayer(readBytes(file.path), file.path, registry);
	const error = firstError(report);
	if (error !== undefined) return mayBeUnreadable ? { excluded: describe(error) } : describe(error);
	const check = file.kind === 'text' ? textThroughCrate : crateThroughText;
	return check(data, file.path, registry);
}
