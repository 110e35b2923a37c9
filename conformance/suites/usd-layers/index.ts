import type { Suite } from '../../src/suite.ts';
import { aousdBinary } from './aousd-binary.ts';
import { aousdText } from './aousd-text.ts';
import { aousdTwins } from './aousd-twins.ts';
import { aousdTypes } from './aousd-types.ts';
import { listOpChains } from './list-op-chains.ts';
import { packages } from './packages.ts';
import { parsingBad } from './parsing-bad.ts';
import { parsingGood } from './parsing-good.ts';
import { roundTripAssets, roundTripSuite } from './round-trip.ts';

/** Layers: text, crate and package files, read and written. */
export const usdLayers: Suite = {
	name: 'usd/layers',
	description: 'OpenUSD parser inputs, AOUSD file formats and list-ops, twins, round trips',
	defaultDir: 'conformance',
	groups: [
		parsingBad,
		parsingGood,
		aousdText,
		aousdBinary,
		aousdTwins,
		aousdTypes,
		listOpChains,
		roundTripSuite,
		roundTripAssets,
		packages,
	],
};
