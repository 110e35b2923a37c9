import { type Layer, makeValue, Path, T, type Value } from '@manyworlds/usd';
import { layerStem } from '../context/layer-role.ts';
import { VendorRegistry } from '../context/vendors.ts';
import type { FixSession } from './fix-session.ts';
import type { Fixer } from './fixer.ts';
import { roleOf } from './layer-of-role.ts';
import { relocate } from './relocate-opinions.ts';

const RULE = 'R1.4.4';
const METRICS = ['defaultPrim', 'metersPerUnit', 'kilogramsPerUnit', 'upAxis', 'timeCodesPerSecond'] as const;

/**
 * F4: opinions of vendors move out of neutral layers into one layer for each vendor, reached by an entry file of its own
 * (`arm_newton.usda` = `newton.usda` over `arm.usda`). Nothing is lost: with its layer every vendor reads what it read before.
 */
export const VENDORS_APART: Fixer = {
	family: 'F4',
	title: 'vendor opinions in layers of their own',
	rules: ['R1.4.1', 'R1.4.2', 'R1.4.4', 'R1.2.1.12', 'R1.3.19', 'R2.0.2'],
	safety: 'safe',
	apply(session) {
		if (!session.wants(RULE)) return;
		const vendors = new VendorRegistry();
		const roles = new Map<Layer, boolean>();
		const isNeutral = (layer: Layer): boolean => {
			let known = roles.get(layer);
			if (known === undefined) {
				known = roleOf(session, layer) !== 'proprietary';
				roles.set(layer, known);
			}
			return known;
		};
		const overlays = relocate(session, {
			rule: RULE,
			ofProperty: (name) => vendors.ofProperty(name),
			ofSchema: (name) => vendors.ofSchema(name),
			ofType: (name) => vendors.ofSchema(name),
			leaves: isNeutral,
			layerFor: (vendor) => makeOverlay(session, vendor),
			isPartOfAsset: false,
		});
		for (const [vendor, overlay] of overlays) makeEntry(session, vendor, overlay);
	},
};

function copyMetrics(session: FixSession, layer: Layer): void {
	for (const field of METRICS) {
		const value = session.rootLayer.field(Path.root, field);
		if (value !== undefined && layer.field(Path.root, field) === undefined) layer.setField(Path.root, field, value);
	}
}

function makeOverlay(session: FixSession, vendor: string): Layer {
	const layer = session.createLayer(`./${vendor}.usda`);
	session.edit(RULE, layer, () => copyMetrics(session, layer));
	return layer;
}

/** An entry that has the overlay over the neutral asset. */
function makeEntry(session: FixSession, vendor: string, overlay: Layer): void {
	const { rootLayer } = session;
	const entry = session.createLayer(`./${layerStem(rootLayer.identifier)}_${vendor}.usda`);
	session.edit(RULE, entry, (layer) => {
		copyMetrics(session, layer);
		const paths = [overlay, rootLayer].map(({ identifier }) => `./${identifier.split('/').at(-1)}`);
		layer.setField(Path.root, 'subLayers', makeValue(T.stringVector, paths) as Value);
		const offsets = paths.map(() => ({ offset: 0, scale: 1 }));
		layer.setField(Path.root, 'subLayerOffsets', makeValue(T.layerOffsetVector, offsets) as Value);
	});
}
