import {
	dataOf,
	type Layer,
	type ListOp,
	makePayload,
	makeReference,
	makeValue,
	type Node,
	type Path,
	type Payload,
	type Reference,
	SpecType,
	T,
	translateToNode,
	type Value,
	type ValueType,
	valuesEqual,
} from '@manyworlds/usd';
import type { RepCode } from '../diagnostics.ts';
import type { FixSession } from './fix-session.ts';

/** A prim that is to have another path. */
export interface PrimMove {
	readonly from: Path;
	readonly to: Path;
	/** What the prim above becomes where the moved prim is defined and nothing defines that one. */
	readonly parentType?: string;
}

interface LayerMove {
	readonly layer: Layer;
	readonly old: Path;
	readonly now: Path;
}

/**
 * Moves prims of the stage in every layer that has specs of them, and lets every path of the asset that led to them or below them
 * lead to the new places. Gives the reasons for those that stay because a layer cannot follow. None may lie below another.
 */
export function movePrims(session: FixSession, rule: RepCode, wishes: readonly PrimMove[]): Map<Path, string> {
	const reasons = new Map<Path, string>();
	const accepted: { wish: PrimMove; moves: LayerMove[] }[] = [];
	const taken = new Set<Path>();
	for (const wish of wishes) {
		const moves = taken.has(wish.to) ? `<${wish.to}> is taken` : layerMoves(session, wish);
		if (typeof moves === 'string') reasons.set(wish.from, moves);
		else {
			accepted.push({ wish, moves });
			taken.add(wish.to);
		}
	}
	const shared = sharedSpecs(session, accepted);
	const done = accepted.filter(({ wish, moves }) => {
		const isShared = moves.some(({ layer, old }) => shared.get(layer)?.has(old) === true);
		if (isShared) reasons.set(wish.from, 'other prims are made of the same specs');
		return !isShared;
	});
	for (const { wish, moves } of done) {
		for (const move of moves) moveOne(session, rule, wish, move);
		session.noteMove(rule, wish.from, wish.to);
	}
	retarget(session, rule, done);
	return reasons;
}

/** A name below a prim that neither the stage nor `taken` has; it is taken from then on. */
export function freeChild(session: FixSession, parent: Path, wish: string, taken: Set<Path>): Path {
	let path = parent.appendChild(wish);
	for (let i = 2; taken.has(path) || session.stage.prim(path) !== undefined; i++)
		path = parent.appendChild(`${wish}_${i}`);
	taken.add(path);
	return path;
}

/** Where the specs of a prim go, or why one cannot. */
function layerMoves(session: FixSession, { from, to }: PrimMove): LayerMove[] | string {
	const prim = session.stage.prim(from);
	if (prim === undefined) return `there is no prim at <${from}>`;
	if (session.stage.prim(to) !== undefined) return `<${to}> is taken`;
	const moves: LayerMove[] = [];
	for (const { layer, path, node } of prim.specs()) {
		// what an arc of the prim itself brings stays where it is
		if (layer === session.stage.sessionLayer || isByOwnArc(node)) continue;
		if (!session.isEditable(layer)) return `${layer.identifier} cannot be changed from here`;
		if (isInVariant(path)) return 'a variant has opinions about it';
		const now = translateToNode(node.mapToRoot, to);
		if (now === undefined) return `${layer.identifier} has no place for <${to}>`;
		moves.push({ layer, old: path, now });
	}
	return moves;
}

function moveOne(session: FixSession, rule: RepCode, { parentType }: PrimMove, { layer, old, now }: LayerMove): void {
	const parent = now.parent!;
	const isDefined = layer.field(old, 'specifier')?.data !== 'over';
	session.edit(rule, layer, () => {
		if (parentType !== undefined && isDefined && layer.field(parent, 'specifier')?.data !== 'def')
			layer.createPrim(parent, { specifier: 'def', typeName: parentType });
		else if (!layer.has(parent)) layer.createPrim(parent);
	});
	session.moveSpec(rule, layer, old, now);
}

/** Whether the arc that brings a node, or one that it lies behind, is authored on the prim and not above it. */
export function isByOwnArc(start: Node): boolean {
	for (let node = start; node.parent !== null; node = node.parent) if (!node.isDueToAncestor) return true;
	return false;
}

function isInVariant(path: Path): boolean {
	return path.stripVariants() !== path;
}

/** Specs that would move and are part of several prims. */
function sharedSpecs(session: FixSession, accepted: readonly { moves: readonly LayerMove[] }[]): Map<Layer, Set<Path>> {
	const uses = new Map<Layer, Map<Path, number>>();
	for (const { moves } of accepted) {
		for (const { layer, old } of moves) {
			const paths = uses.get(layer) ?? new Map<Path, number>();
			uses.set(layer, paths.set(old, 0));
		}
	}
	for (const prim of session.stage.traverse()) {
		for (const { layer, path } of prim.specs()) {
			const paths = uses.get(layer);
			const count = paths?.get(path);
			if (count !== undefined) paths!.set(path, count + 1);
		}
	}
	const shared = new Map<Layer, Set<Path>>();
	for (const [layer, paths] of uses) {
		shared.set(layer, new Set([...paths].filter(([, count]) => count > 1).map(([path]) => path)));
	}
	return shared;
}

/** Lets paths follow: those of the stage in the root layers, and those of a layer's own namespace in the layers of its stack. */
function retarget(
	session: FixSession,
	rule: RepCode,
	done: readonly { wish: PrimMove; moves: readonly LayerMove[] }[],
): void {
	const rules = new Map<Layer, Map<Path, Path>>();
	const add = (layer: Layer, old: Path, now: Path): void => {
		const pairs = rules.get(layer) ?? new Map<Path, Path>();
		if (!pairs.has(old)) pairs.set(old, now);
		rules.set(layer, pairs);
	};
	for (const stack of session.stage.layerStacks()) {
		for (const { moves } of done) {
			for (const { layer, old, now } of moves) {
				if (stack.layers.includes(layer)) for (const member of stack.layers) add(member, old, now);
			}
		}
	}
	for (const layer of session.stage.layerStack()) for (const { wish } of done) add(layer, wish.from, wish.to);
	for (const [layer, pairs] of rules) {
		if (!session.isEditable(layer)) continue;
		const changes = pathChanges(layer, (path) => follow(path, pairs));
		if (changes.length === 0) continue;
		session.edit(rule, layer, () => {
			for (const { path, field, value } of changes) layer.setField(path, field, value);
		});
	}
}

function follow(path: Path, pairs: ReadonlyMap<Path, Path>): Path {
	for (let at: Path | null = path; at !== null; at = at.parent) {
		const now = pairs.get(at);
		if (now !== undefined) return path.replacePrefix(at, now);
	}
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
