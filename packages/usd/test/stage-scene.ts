import { Report } from '@manyworlds/core';
import { Layer, readUsda, Stage, type StageOptions } from '../src/index.ts';

/** Layers by name, from their texts; the texts must be free of faults. */
export function sceneLayers(texts: Readonly<Record<string, string>>): Map<string, Layer> {
	const layers = new Map<string, Layer>();
	for (const [name, text] of Object.entries(texts)) {
		const report = new Report();
		const data = readUsda(new TextEncoder().encode(`#usda 1.0\n${text}`), { file: name, report });
		const [fault] = report.toArray();
		if (fault !== undefined) throw new Error(`${name}: ${fault.message}`);
		layers.set(name, new Layer(name, data));
	}
	return layers;
}

/** A store that knows these layers; `./` in front of a name is ignored. */
export function sceneStore(layers: ReadonlyMap<string, Layer>): NonNullable<StageOptions['store']> {
	return {
		identify: (assetPath) => ({ identifier: assetPath.replace(/^\.\//, '') }),
		layer: (identifier) => layers.get(identifier) ?? { failure: 'there is no such layer' },
		exists: (identifier) => layers.has(identifier),
	};
}

/** A stage of the layer `root`. */
export function openScene(texts: Readonly<Record<string, string>>, options: StageOptions = {}): Stage {
	const layers = sceneLayers(texts);
	return Stage.open(layers.get('root')!, { store: sceneStore(layers), ...options });
}
