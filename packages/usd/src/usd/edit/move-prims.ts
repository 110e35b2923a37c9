import type { Node } from '../../pcp/node.ts';
import { translateToNode } from '../../pcp/target-index.ts';
import type { Layer } from '../../sdf/layer.ts';
import type { ListOp } from '../../sdf/list-op.ts';
import type { Path } from '../../sdf/path.ts';
import { SpecType } from '../../sdf/spec-type.ts';
import {
	dataOf,
	makePayload,
	makeReference,
	makeValue,
	type Payload,
	type Reference,
	type Value,
} from '../../sdf/value.ts';
import { valuesEqual } from '../../sdf/value-equality.ts';
import { T, type ValueType } from '../../sdf/value-type.ts';
import type { SpecMove } from '../../usda/patch/moved-text.ts';
import { isPackageRelativePath } from '../../usdz/package-path.ts';
import type { Stage } from '../stage.ts';

/** A prim that is to have another path. @public */
export interface PrimMove {
	readonly from: Path;
	readonly to: Path;
	/** What the prim above becomes where the moved prim is defined and nothing defines that one. */
	readonly parentType?: string;
}

/** Options of {@link movePrims}: who may edit layers, and how. @public */
export interface MovePrimsOptions {
	/** Whether a layer may be edited; all but those in packages unless given. */
	readonly isEditable?: (layer: Layer) => boolean;
	/** Makes one edit of a layer. */
	readonly edit?: (layer: Layer, change: () => void) => void;
	/** Moves a spec of a layer with everything below it. */
	readonly moveSpec?: (layer: Layer, from: Path, to: Path) => void;
}

/** Values of {@link MovePrimsOptions} that are used when absent. @public */
export const MOVE_PRIMS_DEFAULTS: Required<MovePrimsOptions> = {
	isEditable: ({ identifier }) => !isPackageRelativePath(identifier),
	edit: (layer, change) => layer.edit(change),
	moveSpec: (layer, from, to) => layer.moveSpec(from, to),
};

/** What {@link movePrims} did. @public */
export interface MovedPrims {
	/** Where prims went, by path of the stage before. */
	readonly moved: ReadonlyMap<Path, Path>;
	/** Why the others stay, in half a sentence, by path of the stage. */
	readonly kept: ReadonlyMap<Path, string>;
	/** Specs that were moved, by layer, in the order of moves: `patchUsda` takes their text along. */
	readonly specMoves: ReadonlyMap<Layer, readonly SpecMove[]>;
}

interface LayerMove extends SpecMove {
	readonly layer: Layer;
}

interface AcceptedMove {
	readonly wish: PrimMove;
	readonly moves: readonly LayerMove[];
}

/**
 * Moves prims of the stage in every layer that has specs of them, and lets every path of the asset that led to them or below them
 * lead to the new places. A prim stays when a layer cannot follow. None may lie below another.
 *
 * ```ts
 * const { kept, specMoves } = movePrims(stage, [{ from: Path.parse('/Arm/hand')!, to: Path.parse('/Arm/wrist/hand')! }]);
 * const { bytes: patched } = patchUsda(bytes, layer.data, { moves: specMoves.get(layer) ?? [] });
 * ```
 * @public
 */
export function movePrims(stage: Stage, wishes: readonly PrimMove[], options: MovePrimsOptions = {}): MovedPrims {
	return new PrimMover(stage, { ...MOVE_PRIMS_DEFAULTS, ...options }).run(wishes);
}

/** A name below a prim that neither the stage nor `taken` has; it is taken from then on. */
export function freeChild(stage: Stage, parent: Path, wish: string, taken: Set<Path>): Path {
	let path = parent.appendChild(wish);
	for (let i = 2; taken.has(path) || stage.prim(path) !== undefined; i++) path = parent.appendChild(`${wish}_${i}`);
	taken.add(path);
	return path;
}

class PrimMover {
	readonly #stage: Stage;
	readonly #options: Required<MovePrimsOptions>;

	constructor(stage: Stage, options: Required<MovePrimsOptions>) {
		this.#stage = stage;
		this.#options = options;
	}

	run(wishes: readonly PrimMove[]): MovedPrims {
		const kept = new Map<Path, string>();
		const accepted: AcceptedMove[] = [];
		const taken = new Set<Path>();
		for (const wish of wishes) {
			const moves = taken.has(wish.to) ? `<${wish.to}> is taken` : this.#layerMoves(wish);
			if (typeof moves === 'string') kept.set(wish.from, moves);
			else {
				accepted.push({ wish, moves });
				taken.add(wish.to);
			}
		}
		const shared = this.#sharedSpecs(accepted);
		const done = accepted.filter(({ wish, moves }) => {
			const isShared = moves.some(({ layer, from }) => shared.get(layer)?.has(from) === true);
			if (isShared) kept.set(wish.from, 'other prims are made of the same specs');
			return !isShared;
		});
		const specMoves = new Map<Layer, SpecMove[]>();
		for (const { wish, moves } of done) {
			for (const move of moves) {
				this.#move(wish, move);
				const list = specMoves.get(move.layer);
				if (list === undefined) specMoves.set(move.layer, [move]);
				else list.push(move);
			}
		}
		this.#retarget(done);
		return { moved: new Map(done.map(({ wish }) => [wish.from, wish.to])), kept, specMoves };
	}

	/** Where the specs of a prim go, or why one cannot. */
	#layerMoves({ from, to }: PrimMove): LayerMove[] | string {
		const prim = this.#stage.prim(from);
		if (prim === undefined) return `there is no prim at <${from}>`;
		if (this.#stage.prim(to) !== undefined) return `<${to}> is taken`;
		const moves: LayerMove[] = [];
		for (const { layer, path, node } of prim.specs()) {
			// what an arc of the prim itself brings stays where it is
			if (layer === this.#stage.sessionLayer || isByOwnArc(node)) continue;
			if (!this.#options.isEditable(layer)) return `${layer.identifier} cannot be changed from here`;
			if (path.stripVariants() !== path) return 'a variant has opinions about it';
			const now = translateToNode(node.mapToRoot, to);
			if (now === undefined) return `${layer.identifier} has no place for <${to}>`;
			moves.push({ layer, from: path, to: now });
		}
		return moves;
	}

	#move({ parentType }: PrimMove, { layer, from, to }: LayerMove): void {
		const parent = to.parent!;
		const isDefined = layer.field(from, 'specifier')?.data !== 'over';
		this.#options.edit(layer, () => {
			if (parentType !== undefined && isDefined && layer.field(parent, 'specifier')?.data !== 'def')
				layer.createPrim(parent, { specifier: 'def', typeName: parentType });
			else if (!layer.has(parent)) layer.createPrim(parent);
		});
		this.#options.moveSpec(layer, from, to);
	}

	/** Specs that would move and are part of several prims. */
	#sharedSpecs(accepted: readonly AcceptedMove[]): Map<Layer, Set<Path>> {
		const uses = new Map<Layer, Map<Path, number>>();
		for (const { moves } of accepted) {
			for (const { layer, from } of moves) {
				const paths = uses.get(layer) ?? new Map<Path, number>();
				uses.set(layer, paths.set(from, 0));
			}
		}
		for (const prim of this.#stage.traverse()) {
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
	#retarget(done: readonly AcceptedMove[]): void {
		const rules = new Map<Layer, Map<Path, Path>>();
		const add = (layer: Layer, from: Path, to: Path): void => {
			const pairs = rules.get(layer) ?? new Map<Path, Path>();
			if (!pairs.has(from)) pairs.set(from, to);
			rules.set(layer, pairs);
		};
		for (const stack of this.#stage.layerStacks()) {
			for (const { moves } of done) {
				for (const { layer, from, to } of moves) {
					if (stack.layers.includes(layer)) for (const member of stack.layers) add(member, from, to);
				}
			}
		}
		for (const layer of this.#stage.layerStack()) for (const { wish } of done) add(layer, wish.from, wish.to);
		for (const [layer, pairs] of rules) {
			if (!this.#options.isEditable(layer)) continue;
			const changes = pathChanges(layer, (path) => follow(path, pairs));
			if (changes.length === 0) continue;
			this.#options.edit(layer, () => {
				for (const { path, field, value } of changes) layer.setField(path, field, value);
			});
		}
	}
}

/** Whether the arc that brings a node, or one that it lies behind, is authored on the prim and not above it. */
export function isByOwnArc(start: Node): boolean {
	for (let node = start; node.parent !== null; node = node.parent) if (!node.isDueToAncestor) return true;
	return false;
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
