import { type Layer, makeValue, Path, T, type Value } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import { takeCensus } from '../../context/layer-census.ts';
import type { LayerRole } from '../../context/layer-role.ts';
import { VendorRegistry } from '../../context/vendors.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { layerOfRole, roleOf } from '../layers/layer-of-role.ts';
import { relocate } from '../layers/relocate.ts';

const RULE = 'R1.2.1.2';

/** F23, for assets that are divided already: opinions about physics and ROS in the layers that are for them. */
export const FUNCTIONS: Fixer = {
	family: 'F23',
	title: 'physics and ROS in their own layers',
	rules: ['R1.2.1.2', 'R1.2.1.5', 'R1.2.1.8', 'R1.2.1.9', 'R1.2.1.10'],
	safety: 'unsafe',
	apply(session) {
		// one layer has nowhere to put them: it is divided as a whole
		if (!session.wants(RULE) || session.stage.usedLayers().length < 2) return;
		const roles = new Map<Layer, LayerRole>();
		const role = (layer: Layer): LayerRole => {
			const known = roles.get(layer) ?? roleOf(session, layer);
			roles.set(layer, known);
			return known;
		};
		for (const layer of session.layers()) if (role(layer) === 'geometry') refuseMaterials(session, layer);
		// a layer that the first round makes takes what the entry has as well
		for (let round = 0; round < 2; round++) {
			relocate(session, RULE, {
				ofProperty: partOfProperty,
				ofSchema: partOfSchema,
				// joints and scenes are physics as a whole
				ofType: (name) => (/^Physics[A-Z]/.test(name) ? 'physics' : undefined),
				leaves: (layer, part) =>
					misplaced(
						role(layer),
						part,
						() => layerOfRole(session, part as 'physics' | 'ros') !== undefined,
						() => holdsArrays(layer),
					),
				layerFor: (part) => layerOfRole(session, part as 'physics' | 'ros') ?? makeLayer(session, part),
				isPartOfAsset: true,
			});
		}
	},
};

/** Whether opinions of a kind have no place in a layer of some role. */
function misplaced(role: LayerRole, part: string, hasOwnLayer: () => boolean, holdsArrays: () => boolean): boolean {
	if (role === 'proprietary') return false;
	if (role === 'entry') return hasOwnLayer();
	return role === 'other' ? holdsArrays() : role !== part;
}

function holdsArrays(layer: Layer): boolean {
	return takeCensus(layer, new VendorRegistry()).geometry.count > 0;
}

/** Materials among shapes would have to take their shaders and bindings along. */
function refuseMaterials(session: FixSession, layer: Layer): void {
	const { materials } = takeCensus(layer, new VendorRegistry());
	const [first] = materials.entries;
	if (first === undefined) return;
	session.refuse('R1.2.1.5', `<${first.path}> is a material in a layer of shapes; move it to the layer of materials`, {
		layer,
	});
}

function partOfSchema(schema: string): string | undefined {
	if (/^Ros[A-Z]/.test(schema)) return 'ros';
	return /^(?:Extended)?Physics/.test(schema) ? 'physics' : undefined;
}

function partOfProperty(name: string): string | undefined {
	if (name.startsWith('ros:')) return 'ros';
	return /^(?:physics|ext_physics|drive|limit):/.test(name) || name === 'material:binding:physics'
		? 'physics'
		: undefined;
}

/** A new sublayer of the entry. */
function makeLayer(session: FixSession, name: string): Layer {
	const { rootLayer } = session;
	const layer = session.createLayer(`./${name}.usda`);
	session.edit(RULE, layer, () => {
		for (const field of ['defaultPrim', 'metersPerUnit', 'kilogramsPerUnit', 'upAxis', 'timeCodesPerSecond']) {
			const value = rootLayer.field(Path.root, field);
			if (value !== undefined) layer.setField(Path.root, field, value);
		}
	});
	session.edit(RULE, rootLayer, () => {
		const paths = dataOf(rootLayer.field(Path.root, 'subLayers'), T.stringVector) ?? [];
		const offsets = dataOf(rootLayer.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector) ?? [];
		rootLayer.setField(Path.root, 'subLayers', makeValue(T.stringVector, [`./${name}.usda`, ...paths]) as Value);
		const padded = [{ offset: 0, scale: 1 }, ...paths.map((_, i) => offsets[i] ?? { offset: 0, scale: 1 })];
		rootLayer.setField(Path.root, 'subLayerOffsets', makeValue(T.layerOffsetVector, padded) as Value);
	});
	return layer;
}
