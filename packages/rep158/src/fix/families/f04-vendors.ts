import { type Layer, ListOp, makeValue, Path, selectVariant, T, type Value } from '@manyworlds/usd';
import { dataOf, listVariantSet, makeReference, relativeAssetPath } from '@manyworlds/usd/internal';
import { layerStem } from '../../context/layer-role.ts';
import { unknownVendors } from '../../context/unknown-vendors.ts';
import { VendorRegistry } from '../../context/vendors.ts';
import type { FixSession } from '../engine/fix-session.ts';
import { type Fixer, FixRefusal } from '../engine/fixer.ts';
import { specOwners } from '../engine/spec-values.ts';
import { roleOf } from '../layers/layer-of-role.ts';
import { relocate } from '../layers/relocate.ts';

const RULE = 'R1.4.4';
const METRICS = ['defaultPrim', 'metersPerUnit', 'kilogramsPerUnit', 'upAxis', 'timeCodesPerSecond'] as const;

/**
 * F4: opinions of vendors move out of neutral layers into one layer for each vendor, reached by an entry file of its own
 * (`arm_newton.usda` = `newton.usda` over `arm.usda`), or by a variant of the entry that references it. Nothing is lost: with its
 * layer every vendor reads what it read before.
 */
export const VENDORS_APART: Fixer = {
	family: 'F4',
	title: 'vendor opinions in layers of their own',
	rules: ['R1.4.1', 'R1.4.2', 'R1.4.4', 'R1.2.1.12', 'R1.3.19', 'R2.0.2'],
	safety: 'safe',
	apply(session) {
		if (!session.wants(RULE)) return;
		const vendors = new VendorRegistry(unknownVendors(session.layers(), new VendorRegistry()));
		const roles = new Map<Layer, boolean>();
		const isNeutral = (layer: Layer): boolean => {
			let known = roles.get(layer);
			if (known === undefined) {
				known = roleOf(session, layer) !== 'proprietary';
				roles.set(layer, known);
			}
			return known;
		};
		const overlays = relocate(session, RULE, {
			ofProperty: (name) => vendors.ofProperty(name),
			ofSchema: (name) => vendors.ofSchema(name),
			ofType: (name) => vendors.ofSchema(name),
			leaves: isNeutral,
			layerFor: (vendor) => makeOverlay(session, vendor),
			isPartOfAsset: false,
		});
		const all = new Map(overlays);
		for (const [vendor, overlay] of moveDictionaries(session, vendors, isNeutral)) all.set(vendor, overlay);
		if (session.parameters.vendorHook === 'variant') makeVariants(session, all);
		else for (const [vendor, overlay] of all) makeEntry(session, vendor, overlay);
	},
};

/** Entries of vendors in `customData` of prims and properties go to their layers too; gives those layers by vendor. */
function moveDictionaries(
	session: FixSession,
	vendors: VendorRegistry,
	isNeutral: (layer: Layer) => boolean,
): Map<string, Layer> {
	const overlays = new Map<string, Layer>();
	const found: { layer: Layer; path: Path; key: string; vendor: string }[] = [];
	for (const layer of session.layers().filter(isNeutral)) {
		for (const path of layer.data.paths()) {
			const dictionary = dataOf(layer.field(path, 'customData'), T.dictionary);
			for (const key of dictionary?.keys() ?? []) {
				const vendor = vendors.ofKey(key);
				if (vendor !== undefined) found.push({ layer, path, key, vendor });
			}
		}
	}
	if (found.length === 0) return overlays;
	const owners = specOwners(session);
	for (const { layer, path, key, vendor } of found) {
		const owner = owners.get(layer)?.get(path.primPath)?.path;
		const isShared = /^\/__Prototype_/.test(`${owner}`);
		if (owner === undefined || isShared || path.primPath !== path.primPath.stripVariants()) {
			session.refuse(RULE, `customData.${key} is in a variant or shared, and no other layer can say it there`, {
				layer,
				prim: path,
			});
			continue;
		}
		const overlay = makeOverlay(session, vendor);
		overlays.set(vendor, overlay);
		moveEntry(
			session,
			{ layer, path },
			{ layer: overlay, path: path.isPrim ? owner : owner.appendProperty(path.name) },
			key,
		);
	}
	return overlays;
}

interface SpecPlace {
	readonly layer: Layer;
	readonly path: Path;
}

function moveEntry(session: FixSession, from: SpecPlace, to: SpecPlace, key: string): void {
	const dictionary = (place: SpecPlace): Map<string, Value> =>
		new Map(dataOf(place.layer.field(place.path, 'customData'), T.dictionary) ?? []);
	const source = dictionary(from);
	const value = source.get(key)!;
	source.delete(key);
	session.edit(RULE, to.layer, (layer) => {
		if (!layer.has(to.path.primPath)) layer.createPrim(to.path.primPath);
		if (!layer.has(to.path)) {
			const type = dataOf(from.layer.field(from.path, 'typeName'), T.token);
			if (type === undefined) layer.createRelationship(to.path);
			else layer.createAttribute(to.path, type);
		}
		const target = dictionary(to);
		if (!target.has(key)) target.set(key, value);
		layer.setField(to.path, 'customData', makeValue(T.dictionary, target) as Value);
	});
	session.edit(RULE, from.layer, (layer) => {
		if (source.size === 0) layer.eraseField(from.path, 'customData');
		else layer.setField(from.path, 'customData', makeValue(T.dictionary, source) as Value);
	});
}

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

const SET = 'physics_engine';
const NEUTRAL = 'neutral';

/** Variants of the default prim, one for each vendor, that reference the overlays; nothing else is selected. */
function makeVariants(session: FixSession, overlays: ReadonlyMap<string, Layer>): void {
	const root = session.stage.defaultPrim?.path;
	if (overlays.size === 0) return;
	if (root === undefined) throw new FixRefusal(RULE, 'there is no default prim to have variants');
	for (const overlay of overlays.values()) {
		const stray = overlay.children(Path.root).find((path) => path !== root);
		if (stray === undefined) continue;
		throw new FixRefusal(
			RULE,
			`<${stray}> lies outside of the default prim, which variants cannot reach; use entry files`,
		);
	}
	const { rootLayer } = session;
	session.edit(RULE, rootLayer, () => {
		if (!rootLayer.has(root)) rootLayer.createPrim(root);
		rootLayer.createVariant(root.appendVariant(SET, NEUTRAL));
		for (const [vendor, overlay] of overlays) {
			const variant = root.appendVariant(SET, vendor);
			if (!rootLayer.has(variant)) rootLayer.createVariant(variant);
			const arc = makeReference(
				relativeAssetPath(rootLayer.identifier, overlay.identifier, overlay.identifier),
				Path.empty,
			);
			rootLayer.setField(
				variant,
				'references',
				makeValue(T.referenceListOp, ListOp.edits({ prependedItems: [arc] })) as Value,
			);
		}
		listVariantSet(rootLayer, root, SET);
		selectVariant(rootLayer, root, SET, NEUTRAL);
	});
}
