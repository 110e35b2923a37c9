import type { DiagnosticDetails } from '@manyworlds/core';
import type { ConversionLedger, ItemKind } from './conversion-ledger.ts';
import type { ConversionModel } from './conversion-model.ts';
import type { LossCode } from './loss-codes.ts';

/**
 * Enters every item of the source, so that each has one entry whatever a writer does. Bodies, joints and shapes count as exported
 * until a writer says otherwise; lights, cameras, sensors, interfaces and what the model has no part for as lost until one holds
 * them. A writer that walks the stage enters what it looks like itself.
 */
export function enterItems(ledger: ConversionLedger, model: ConversionModel, target: string, withLooks: boolean): void {
	const { bodies, joints, loops, frames, shapes, materials, meshes, mimics, filters } = model;
	const enter = (kind: ItemKind, items: readonly Item[]): void => {
		for (const [index, { name, from }] of items.entries()) ledger.enter(kind, index, name, from);
	};
	const bodyName = (body: number): string => bodies[body]?.name ?? 'world';
	for (const [index, { name, from, isInserted, isMassDerived, inertia }] of bodies.entries()) {
		if (isInserted !== true) ledger.enter('body', index, name, from);
		if (isMassDerived !== true || inertia === undefined || !withLooks) continue;
		const message = `'${name}' states no mass; it gets the ${Number(inertia.mass.toPrecision(6))} kg of the volume of its shapes`;
		ledger.approximate('body', index, 'mass-derived', message);
	}
	for (const [index, { name, from, freedoms }] of joints.entries()) {
		const names = freedoms.flatMap((freedom) => freedom.name ?? []);
		ledger.enter('joint', index, name, from, names.length > 0 ? names : [name]);
	}
	for (const [index, { name, freedoms, from }] of joints.entries()) {
		if (freedoms.some(({ drive }) => drive !== undefined)) ledger.enter('drive', index, name, from);
	}
	enter('loop', loops);
	enter(
		'mimic',
		mimics.map(({ follower, from }) => ({ name: joints[follower]!.name, from })),
	);
	for (const [index, { name, from, isInserted }] of frames.entries()) {
		if (isInserted !== true) ledger.enter('frame', index, name, from);
	}
	for (const [index, { name, role, from, isStretched }] of shapes.entries()) {
		const kind = role === 'collision' ? 'collider' : 'visual';
		if (kind === 'collider' || withLooks) ledger.enter(kind, index, name, from);
		if (isStretched !== true || !withLooks) continue;
		ledger.approximate(
			kind,
			index,
			'scale-baked',
			`'${name}' is round and stretched unequally; it is written as a mesh`,
		);
	}
	if (withLooks) {
		enter('material', materials);
		enter('mesh', meshes);
	}
	enter(
		'filter',
		filters.map(([a, b]) => ({ name: `${bodyName(a)} ${bodyName(b)}` })),
	);
	enterLosses(ledger, model, target, withLooks);
}

interface Item {
	readonly name: string;
	readonly from?: DiagnosticDetails;
}

function enterLosses(ledger: ConversionLedger, model: ConversionModel, target: string, withLooks: boolean): void {
	const enter = (kind: ItemKind, code: LossCode, items: readonly Item[]): void => {
		for (const [index, { name, from }] of items.entries()) {
			ledger.enterLost(kind, index, name, { code, message: `${kind} '${name}' has no place in ${target}` }, from);
		}
	};
	if (withLooks) {
		enter('light', 'light', model.lights);
		enter('camera', 'camera', model.cameras);
	}
	enter('sensor', 'sensor', model.sensors);
	for (const [index, { kind, name, from }] of model.interfaces.entries()) {
		const item = kind === 'controller' ? 'controller' : 'interface';
		const message = `${kind} '${name}' has no place in ${target}`;
		ledger.enterLost(item, index, name, { code: item, message }, from);
	}
	for (const [index, { kind, name, code, what, kept, from }] of model.others.entries()) {
		if (kind === 'animation' && !withLooks) continue;
		if (kept !== undefined) {
			ledger.enter(kind, `other ${index}`, name, from);
			ledger.approximate(kind, `other ${index}`, code, `${what} '${name}': ${kept}`);
			continue;
		}
		const message = name === '' ? `${what} has no place in ${target}` : `${what} '${name}' has no place in ${target}`;
		ledger.enterLost(kind, `other ${index}`, name, { code, message }, from);
	}
}
