import type { FixOptions } from '@manyworlds/rep158';

/** What fixes have to be told about assets that say nothing themselves. */
export const FIX_OPTIONS: FixOptions = {
	unsafe: true,
	parameters: {
		version: '1.0.0',
		packageUri: 'package://assets/asset.usda',
		staticFriction: 0.8,
		dynamicFriction: 0.6,
		restitution: 0.1,
		density: 1000,
		anchor: 'rep',
		approximation: 'convexHull',
		jointNames: { tn__link4_yaw: 'link4-yaw' },
	},
};
