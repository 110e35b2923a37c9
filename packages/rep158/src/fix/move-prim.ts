import type { RepCode } from '@manyworlds/core';
import {
	dataOf,
	type Layer,
	type ListOp,
	makePayload,
	makeReference,
	makeValue,
	type Path,
	type Payload,
	type Prim,
	type Reference,
	SpecType,
	T,
	translateToNode,
	type Value,
	type ValueType,
	valuesEqual,
} from '@manyworlds/usd';
import type { FixSession } from './fix-session.ts';

/**
 * Moves a prim of the stage in every layer that has specs of it, and lets every path of the asset that led to it or below it lead to
 * the new place. Gives a reason, and changes nothing, when a layer cannot follow.
 */
export function movePrim(session: FixSession, rule: RepCode, from: Path, to: Path): string | undefined {
	const prim = session.stage.prim(from);
	if (prim === undefined) return `there is no prim at <${from}>`;
	if (session.stage.prim(to) !== undefined) return `<${to}> is taken`;
	const moves: { layer: Layer; old: Path; now: Path }[] = [];
	for (const { layer, path, node } of prim.specs()) {
		if (layer === session.stage.sessionLayer) continue;
		if (!session.isEditable(layer)) return `${layer.identifier} cannot be changed from here`;
		if (isInVariant(path)) return 'a variant has opinions about it';
		const now = translateToNode(node.mapToRoot, to);
		if (now === undefined) return `${layer.identifier} has no place for <${to}>`;
		moves.push({ layer, old: path, now });
	}
	if (isShared(session, prim, moves)) return 'other prims are made of the same specs';
	for (const { layer, old, now } of moves) {
		session.edit(rule, layer, () => {
			if (!layer.has(now.parent!)) layer.createPrim(now.parent!);
			layer.moveSpec(old, now);
		});
	}
	retarget(session, rule, moves, from, to);
	session.moved.set(from, to);
	return undefined;
}

function isInVariant(path: Path): boolean {
	return path.stripVariants() !== path;
}

/** Whether a spec that would move is part of another prim too. */
function isShared(session: FixSession, prim: Prim, moves: readonly { layer: Layer; old: Path }[]): boolean {
	for (const other of session.stage.traverse()) {
		if (other.path === prim.path) continue;
		for (const { layer, path } of other.specs()) {
			if (moves.some((move) => move.layer === layer && move.old === path)) return true;
		}
	}
	return false;
}

/** Lets paths follow: those of the stage in the root layers, and those of a layer's own namespace in the layers of its stack. */
function retarget(
	session: FixSession,
	rule: RepCode,
	moves: readonly { layer: Layer; old: Path; now: Path }[],
	from: Path,
	to: Path,
): void {
	const rules = new Map<Layer, [Path, Path][]>();
	const add = (layer: Layer, old: Path, now: Path): void => {
		const list = rules.get(layer) ?? [];
		if (!list.some(([known]) => known === old)) list.push([old, now]);
		rules.set(layer, list);
	};
	for (const stack of session.stage.layerStacks()) {
		for (const { layer, old, now } of moves) {
			if (stack.layers.includes(layer)) for (const member of stack.layers) add(member, old, now);
		}
	}
	for (const layer of session.stage.layerStack()) add(layer, from, to);
	for (const [layer, pairs] of rules) {
		if (!session.isEditable(layer)) continue;
		const changes = pathChanges(layer, (path) => follow(path, pairs));
		if (changes.length === 0) continue;
		session.edit(rule, layer, () => {
			for (const { path, field, value } of changes) layer.setField(path, field, value);
		});
	}
}

function follow(path: Path, pairs: readonly (readonly [Path, Path])[]): Path {
	for (const [old, now] of pairs) if (path.hasPrefix(old)) return path.replacePrefix(old, now);
	return path;
}

function pathChanges(layer: Layer, map: (path: Path) => Path): { path: Path; field: string; value: Value }[] {
	const changes: { path: Path; field: string; value: Value }[] = [];
	for (const path of layer.data.paths()) {
		const type = layer.specType(path);
		const isProperty = type === SpecType.attribute || type === SpecType.relationship;
		const fields = isProperty
			? ['targetPaths', 'connectionPaths']
			: ['inheritPaths', 'specializes', 'references', 'payload'];
		for (const field of fields) {
			const value = layer.field(path, field);
			if (value === undefined) continue;
			const mapped = mapPaths(value, path, map);
			if (!valuesEqual(value, mapped)) changes.push({ path, field, value: mapped });
		}
	}
	return changes;
}

function mapPaths(value: Value, owner: Path, map: (path: Path) => Path): Value {
	const paths = dataOf(value, T.pathListOp);
	const anchor = owner.primPath.stripVariants();
	if (paths !== undefined) {
		const next = paths.mapItems((item) => map(item.makeAbsolute(anchor)));
		return makeValue(T.pathListOp as ValueType<ListOp<Path>>, next) as Value;
	}
	const references = dataOf(value, T.referenceListOp);
	if (references !== undefined) {
		const next = references.mapItems((arc: Reference) =>
			arc.assetPath !== '' || arc.primPath.isEmpty
				? arc
				: makeReference('', map(arc.primPath), arc.layerOffset, arc.customData),
		);
		return makeValue(T.referenceListOp, next) as Value;
	}
	const payloads = dataOf(value, T.payloadListOp);
	if (payloads === undefined) return value;
	const next = payloads.mapItems((arc: Payload) =>
		arc.assetPath !== '' || arc.primPath.isEmpty ? arc : makePayload('', map(arc.primPath), arc.layerOffset),
	);
	return makeValue(T.payloadListOp, next) as Value;
}
