import { type Layer, makeValue, Path, type Prim, T, type Value } from '@manyworlds/usd';
import { applyItem, dataOf } from '@manyworlds/usd/internal';
import { layerStem } from '../../context/layer-role.ts';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from '../engine/fix-session.ts';
import {
	applySchema,
	definingSite,
	type NewProperty,
	propertySite,
	schemaSite,
	setAttribute,
} from '../engine/sites.ts';

// REP 1.2.1 keeps opinions about ROS in a layer of their own. Assets in one file keep them there until they are divided.

/** Sets an attribute about ROS where such opinions of the prim are, else in the ROS layer of the asset. */
export function setRosAttribute(
	session: FixSession,
	rule: RepCode,
	prim: Prim,
	name: string,
	value: Value,
	options: NewProperty,
): void {
	const site = propertySite(session, prim, name) ?? schemaSite(session, prim, 'Ros');
	if (site !== undefined || !hasSeveralLayers(session)) {
		setAttribute(session, rule, prim, name, value, { ...options, site: site ?? definingSite(session, prim) });
		return;
	}
	const path = prim.path.appendProperty(name);
	session.edit(rule, rosLayer(session, rule), (layer) => {
		const { typeName = value.type.name, custom = false, variability = 'varying' } = options;
		if (!layer.has(path)) layer.createAttribute(path, typeName, { custom, variability });
		layer.setField(path, 'default', value);
	});
}

/** Applies a schema of ROS, in the same place. */
export function applyRosSchema(session: FixSession, rule: RepCode, prim: Prim, schema: string): void {
	if (prim.authoredSchemas?.includes(schema) === true) return;
	const site = schemaSite(session, prim, 'Ros');
	if (site !== undefined || !hasSeveralLayers(session)) {
		applySchema(session, rule, prim, schema, site ?? definingSite(session, prim));
		return;
	}
	session.edit(rule, rosLayer(session, rule), (layer) => {
		if (!layer.has(prim.path)) layer.createPrim(prim.path);
		const op = applyItem(dataOf(layer.field(prim.path, 'apiSchemas'), T.tokenListOp), schema);
		layer.setField(prim.path, 'apiSchemas', makeValue(T.tokenListOp, op) as Value);
	});
}

function hasSeveralLayers(session: FixSession): boolean {
	return session.stage.usedLayers().length > 1;
}

/** The layer of the asset that is about ROS; a new sublayer of the entry when there is none. */
function rosLayer(session: FixSession, rule: RepCode): Layer {
	const known = session.stage
		.layerStack()
		.find((layer) => session.isEditable(layer) && /(?:^|_)ros2?$/.test(layerStem(layer.identifier).toLowerCase()));
	if (known !== undefined) return known;
	const { rootLayer } = session;
	const layer = session.createLayer('./ros.usda');
	session.edit(rule, layer, () => {
		for (const field of ['defaultPrim', 'metersPerUnit', 'kilogramsPerUnit', 'upAxis', 'timeCodesPerSecond']) {
			const value = rootLayer.field(Path.root, field);
			if (value !== undefined) layer.setField(Path.root, field, value);
		}
	});
	session.edit(rule, rootLayer, () => {
		const paths = dataOf(rootLayer.field(Path.root, 'subLayers'), T.stringVector) ?? [];
		const offsets = dataOf(rootLayer.field(Path.root, 'subLayerOffsets'), T.layerOffsetVector) ?? [];
		const next = ['./ros.usda', ...paths];
		rootLayer.setField(Path.root, 'subLayers', makeValue(T.stringVector, next) as Value);
		const padded = [{ offset: 0, scale: 1 }, ...paths.map((_, i) => offsets[i] ?? { offset: 0, scale: 1 })];
		rootLayer.setField(Path.root, 'subLayerOffsets', makeValue(T.layerOffsetVector, padded) as Value);
	});
	return layer;
}
