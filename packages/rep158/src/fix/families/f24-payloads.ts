import {
	type Layer,
	ListOp,
	makeValue,
	type Path,
	type Payload,
	type Prim,
	type Reference,
	SpecType,
	T,
	type Value,
} from '@manyworlds/usd';
import { dataOf, makePayload, makeReference } from '@manyworlds/usd/internal';
import { hasSchema } from '../../asset/read-values.ts';
import { THRESHOLDS } from '../../check-options.ts';
import { takeCensus } from '../../context/layer-census.ts';
import { VendorRegistry } from '../../context/vendors.ts';
import { allPrims } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';

const RULE = 'R1.2.3.6';

/** F24: bodies, joints and interfaces are there without payloads, and heavy geometry is behind them. */
export const PAYLOADS: Fixer = {
	family: 'F24',
	title: 'payloads for heavy geometry only',
	rules: ['R1.2.3.5', 'R1.2.3.6', 'R1.2.3.7', 'R2.1.1.12', 'R2.2.4'],
	safety: 'unsafe',
	apply(session) {
		openPayloads(session);
		hideGeometry(session);
	},
};

/** Makes references of payloads that hide what moves or talks. */
function openPayloads(session: FixSession): void {
	const isNeeded = (prim: Prim): boolean =>
		hasSchema(prim, 'PhysicsRigidBodyAPI') ||
		hasSchema(prim, 'PhysicsArticulationRootAPI') ||
		prim.typeName === 'Camera' ||
		prim.typeName.startsWith('Physics') ||
		prim.hasSchema('LightAPI') ||
		(prim.authoredSchemas ?? []).some((schema) => /^Ros[A-Z]/.test(schema));
	// a payload may lie behind another one
	for (let round = 0; round < MOST_ROUNDS; round++) {
		const unloaded = session.open({ load: 'none' });
		const holders = new Set<Path>();
		for (const prim of allPrims(session.stage)) {
			if (!isNeeded(prim)) continue;
			const found = unloaded.prim(prim.path);
			if (found?.isDefined === true && isNeeded(found)) continue;
			for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
				if (at.hasPayload && unloaded.prim(at.path) !== undefined) {
					holders.add(at.path);
					break;
				}
			}
		}
		unloaded.close();
		if (holders.size === 0) return;
		for (const path of holders) replacePayloads(session, session.stage.prim(path)!);
	}
}

const MOST_ROUNDS = 8;

function replacePayloads(session: FixSession, prim: Prim): void {
	for (const { layer, path } of prim.specs()) {
		const op = dataOf(layer.field(path, 'payload'), T.payloadListOp);
		if (op === undefined || !session.isEditable(layer)) continue;
		const present = dataOf(layer.field(path, 'references'), T.referenceListOp);
		const asReference = ({ assetPath, primPath, layerOffset }: Payload): Reference =>
			makeReference(assetPath, primPath, layerOffset);
		const items = [...op.explicitItems, ...op.prependedItems, ...op.addedItems, ...op.appendedItems].map(asReference);
		// references are stronger than payloads: what was a reference stays in front
		const next =
			present?.isExplicit === true
				? ListOp.explicit([...present.explicitItems, ...items])
				: ListOp.edits({ ...editsOf(present), prependedItems: [...(present?.prependedItems ?? []), ...items] });
		session.edit(RULE, layer, () => {
			layer.eraseField(path, 'payload');
			layer.setField(path, 'references', makeValue(T.referenceListOp, next) as Value);
		});
	}
}

function editsOf<A>(op: ListOp<A> | undefined): Partial<ListOp<A>> {
	if (op === undefined || op.isExplicit) return {};
	const { addedItems, appendedItems, deletedItems, orderedItems } = op;
	return { addedItems, appendedItems, deletedItems, orderedItems };
}

/** Makes payloads of references to layers that hold heavy arrays and nothing but shapes. */
function hideGeometry(session: FixSession): void {
	const vendors = new VendorRegistry();
	const isGeometry = new Map<Layer, boolean>();
	const holdsShapes = (layer: Layer): boolean => {
		let known = isGeometry.get(layer);
		if (known === undefined) {
			const census = takeCensus(layer, vendors);
			const isPlain = census.physics.count === 0 && census.ros.count === 0 && census.lights.count === 0;
			known = isPlain && census.arrayBytes() >= THRESHOLDS.heavyBytes;
			isGeometry.set(layer, known);
		}
		return known;
	};
	const shown = specsWithoutPayloads(session);
	for (const layer of session.layers()) {
		for (const path of [...layer.data.paths()]) {
			const type = layer.specType(path);
			if (type !== SpecType.prim && type !== SpecType.variant) continue;
			const op = dataOf(layer.field(path, 'references'), T.referenceListOp);
			if (op === undefined || layer.field(path, 'payload') !== undefined) continue;
			const items = [...op.explicitItems, ...op.prependedItems];
			const isMoved =
				items.length > 0 &&
				op.appendedItems.length + op.addedItems.length + op.deletedItems.length === 0 &&
				items.every(({ assetPath }) => leadsTo(session, layer, assetPath, holdsShapes));
			if (!isMoved || shown.get(layer)?.has(path) !== true) continue;
			const payloads = items.map(({ assetPath, primPath, layerOffset }) =>
				makePayload(assetPath, primPath, layerOffset),
			);
			const next = op.isExplicit ? ListOp.explicit(payloads) : ListOp.edits({ prependedItems: payloads });
			session.edit('R1.2.3.5', layer, () => {
				layer.eraseField(path, 'references');
				layer.setField(path, 'payload', makeValue(T.payloadListOp, next) as Value);
			});
		}
	}
}

function leadsTo(session: FixSession, layer: Layer, assetPath: string, accepts: (layer: Layer) => boolean): boolean {
	if (assetPath === '') return false;
	const found = session.store.layer(session.store.identify(assetPath, layer.identifier).identifier);
	return found !== undefined && 'data' in found && accepts(found);
}

/** The specs that compose without any payload. */
function specsWithoutPayloads(session: FixSession): Map<Layer, Set<Path>> {
	const found = new Map<Layer, Set<Path>>();
	const unloaded = session.open({ load: 'none' });
	for (const prim of unloaded.traverse({ predicate: () => true })) {
		for (const { layer, path } of prim.specs()) {
			const paths = found.get(layer);
			if (paths === undefined) found.set(layer, new Set([path]));
			else paths.add(path);
		}
	}
	unloaded.close();
	return found;
}
