import type { ConversionModel } from './conversion-model.ts';

/** A scene without a robot. */
export function emptyModel(name: string): ConversionModel {
	return {
		name,
		format: 'usd',
		bodies: [],
		joints: [],
		loops: [],
		mimics: [],
		frames: [],
		shapes: [],
		meshes: [],
		materials: [],
		filters: [],
		lights: [],
		cameras: [],
		sensors: [],
		interfaces: [],
		others: [],
	};
}
