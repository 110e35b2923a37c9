import { Layer, Path, selectVariant, T, writeUsda } from '@manyworlds/usd';
import type { ChosenVariant } from './asset-types.ts';

/** Name of the layer that {@link chosenVariants} makes, beside the file that it stands for. */
export const CHOSEN_FILE = '.chosen-variants.usda';

/**
 * A layer over another that selects variants: what opens it sees the stage with them, whichever part of the toolkit that is. It repeats
 * what the root layer says of the stage as a whole, as only root layers are heard there.
 */
export function chosenVariants(root: Layer, rootFile: string, choices: readonly ChosenVariant[]): Uint8Array {
	const layer = Layer.create(CHOSEN_FILE);
	for (const name of root.fieldNames(Path.root)) {
		if (OWN_FIELDS.has(name)) continue;
		layer.setField(Path.root, name, root.field(Path.root, name)!);
	}
	const under = `./${rootFile.slice(rootFile.lastIndexOf('/') + 1)}`;
	layer.setField(Path.root, 'subLayers', { type: T.stringVector, data: [under] });
	for (const { prim, set, variant } of choices) {
		const path = Path.parse(prim);
		if (path === undefined) continue;
		layer.createPrim(path);
		selectVariant(layer, path, set, variant);
	}
	return writeUsda(layer.data);
}

/** Fields of a layer that are about itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
	'subLayers',
	'subLayerOffsets',
	'primChildren',
	'primOrder',
	'comment',
	'documentation',
]);
