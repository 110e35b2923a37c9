import type { Layer } from '@manyworlds/usd';
import { takeCensus } from '../../context/layer-census.ts';
import { classifyLayer, type LayerRole, layerStem } from '../../context/layer-role.ts';
import { VendorRegistry } from '../../context/vendors.ts';
import type { FixSession } from '../engine/fix-session.ts';

/** The strongest layer of the asset's own stack that is for something and may be edited. */
export function layerOfRole(session: FixSession, role: LayerRole): Layer | undefined {
	return session.stage.layerStack().find((layer) => session.isEditable(layer) && roleOf(session, layer) === role);
}

/** What a layer is for. */
export function roleOf(session: FixSession, layer: Layer): LayerRole {
	const vendors = new VendorRegistry();
	const census = takeCensus(layer, vendors);
	return classifyLayer(census, layerStem(layer.identifier), layer === session.rootLayer, vendors).role;
}
