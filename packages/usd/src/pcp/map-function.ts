import { comparePaths, Path } from '../sdf/path.ts';
import { IDENTITY_OFFSET, isIdentityOffset, type LayerOffset } from '../sdf/value.ts';
import { composeOffsets, invertOffset, offsetsEqual } from './layer-offset.ts';

/** One entry: paths at and below the first map to the second; the empty path as second blocks them. */
export type PathPair = readonly [source: Path, target: Path];

/**
 * A one-to-one mapping of paths between the namespaces of two nodes, with the time offset between them. The entry with the longest
 * matching prefix decides. Immutable, without redundant entries, so that equal functions have equal entries.
 *
 * Entries cannot say everything that a composition does: a path that the inner function maps to where the outer one maps nothing
 * may find another entry once both are one. So compositions with a deferred function keep their parts and map step by step.
 */
export class MapFunction {
	/** Maps everything to itself. */
	static readonly identity: MapFunction = new MapFunction([], true, IDENTITY_OFFSET);

	/** Entries other than `/` to `/`, in the order of source depth. */
	readonly pairs: readonly PathPair[];
	/** Whether paths without an entry map to themselves. */
	readonly hasRootIdentity: boolean;
	/** Time in the source becomes `offset + scale * time` in the target. */
	readonly offset: LayerOffset;
	/** What a deferred function applies in turn, the last one first; undefined when the entries say everything. */
	readonly #steps: readonly MapFunction[] | undefined;

	private constructor(
		pairs: readonly PathPair[],
		hasRootIdentity: boolean,
		offset: LayerOffset,
		steps?: readonly MapFunction[],
	) {
		this.pairs = pairs;
		this.hasRootIdentity = hasRootIdentity;
		this.offset = offset;
		this.#steps = steps;
	}

	static create(pairs: Iterable<PathPair>, offset: LayerOffset = IDENTITY_OFFSET): MapFunction {
		return MapFunction.#canonical([...pairs].sort(comparePairs), offset);
	}

	/** Maps the subtree of one prim to that of another. */
	static ofPrim(source: Path, target: Path, offset: LayerOffset = IDENTITY_OFFSET): MapFunction {
		if (source === Path.root && target === Path.root) return new MapFunction([], true, offset);
		return new MapFunction([[source, target]], false, offset);
	}

	/**
	 * The function of a class arc as it is implied to where `transfer` leads: class and instance are moved, and so are entries of
	 * `transfer` inside the instance. A class that `transfer` does not map is gone, an instance that it does not map blocks the
	 * class. Both functions must map `/` to itself.
	 */
	static impliedClass(transfer: MapFunction, classArc: MapFunction): MapFunction {
		if (transfer.isIdentity) return classArc;
		const entries = new Map<Path, Path>([[Path.root, Path.root]]);
		const move = (path: Path): Path => (path.isEmpty ? path : transfer.#mapByPairs(path));
		const put = (source: Path, target: Path): void => {
			if (!source.isEmpty && !entries.has(source)) entries.set(source, target);
		};
		for (const [source, target] of classArc.pairs) put(move(source), move(target));
		for (const [source, target] of transfer.pairs) {
			if (!classArc.pairs.some(([, instance]) => !instance.isEmpty && source.hasPrefix(instance))) continue;
			put(move(classArc.#mapBackByPairs(source)), target);
		}
		return MapFunction.create(entries, classArc.offset);
	}

	static #canonical(entries: PathPair[], offset: LayerOffset): MapFunction {
		for (let i = 0; i < entries.length; ) {
			if (isRedundant(entries[i]!, entries)) entries.splice(i, 1);
			else i++;
		}
		const hasRootIdentity = entries.length > 0 && entries[0]![0] === Path.root && entries[0]![1] === Path.root;
		return new MapFunction(hasRootIdentity ? entries.slice(1) : entries, hasRootIdentity, offset);
	}

	get isIdentity(): boolean {
		return this.isPathIdentity && isIdentityOffset(this.offset);
	}

	get isPathIdentity(): boolean {
		return this.hasRootIdentity && this.pairs.length === 0;
	}

	/** The same function, whose compositions map step by step. */
	deferred(): MapFunction {
		if (this.#steps !== undefined || this.isIdentity) return this;
		return new MapFunction(this.pairs, this.hasRootIdentity, this.offset, [this]);
	}

	/** The function of the entries alone, which maps in one step. */
	collapsed(): MapFunction {
		return this.#steps === undefined ? this : new MapFunction(this.pairs, this.hasRootIdentity, this.offset);
	}

	/** The image of a path; empty when it has none, or when the image would not map back. */
	mapSourceToTarget(path: Path): Path {
		const steps = this.#steps;
		if (steps === undefined) return this.#mapByPairs(path);
		let result = path;
		for (let i = steps.length - 1; i >= 0 && !result.isEmpty; i--) result = steps[i]!.#mapByPairs(result);
		return result;
	}

	/** The path whose image is `path`; empty when there is none. */
	mapTargetToSource(path: Path): Path {
		const steps = this.#steps;
		if (steps === undefined) return this.#mapBackByPairs(path);
		let result = path;
		for (let i = 0; i < steps.length && !result.isEmpty; i++) result = steps[i]!.#mapBackByPairs(result);
		return result;
	}

	#mapByPairs(path: Path): Path {
		const { pairs } = this;
		if (pairs.length === 0) return this.hasRootIdentity ? path : Path.empty;
		const best = bestSource(path, pairs, 0);
		if (best < 0 && !this.hasRootIdentity) return Path.empty;
		const result = best < 0 ? path : replaced(path, pairs[best]![0], pairs[best]![1]);
		const least = best < 0 ? 0 : pairs[best]![1].depth;
		const back = bestTarget(result, pairs, least);
		return back >= 0 && back !== best ? Path.empty : result;
	}

	#mapBackByPairs(path: Path): Path {
		const { pairs } = this;
		if (pairs.length === 0) return this.hasRootIdentity ? path : Path.empty;
		const best = bestTarget(path, pairs, 0);
		if (best < 0 && !this.hasRootIdentity) return Path.empty;
		const result = best < 0 ? path : replaced(path, pairs[best]![1], pairs[best]![0]);
		const least = best < 0 ? 0 : pairs[best]![0].depth;
		const back = bestSource(result, pairs, least);
		return back >= 0 && back !== best ? Path.empty : result;
	}

	/** The function that first applies `inner`, then this one. */
	compose(inner: MapFunction): MapFunction {
		if (this.#steps === undefined && this.isIdentity) return inner;
		if (inner.#steps === undefined && inner.isIdentity) return this;
		if (this.#steps === undefined && inner.#steps === undefined) return this.#composePairs(inner);
		return MapFunction.#inSteps([...(this.#steps ?? [this]), ...(inner.#steps ?? [inner])]);
	}

	static #inSteps(steps: readonly MapFunction[]): MapFunction {
		let all = steps[steps.length - 1]!;
		for (let i = steps.length - 2; i >= 0; i--) all = steps[i]!.#composePairs(all);
		return new MapFunction(all.pairs, all.hasRootIdentity, all.offset, steps);
	}

	#composePairs(inner: MapFunction): MapFunction {
		const offset = composeOffsets(this.offset, inner.offset);
		if (this.isPathIdentity) return new MapFunction(inner.pairs, inner.hasRootIdentity, offset);
		if (inner.isPathIdentity) return new MapFunction(this.pairs, this.hasRootIdentity, offset);
		const entries: PathPair[] = [];
		if (this.hasRootIdentity && inner.hasRootIdentity) entries.push([Path.root, Path.root]);
		for (const [source, target] of inner.pairs) {
			entries.push([source, target.isEmpty ? target : this.#mapByPairs(target)]);
		}
		const known = entries.length;
		for (const [source, target] of this.pairs) {
			const start = source.isEmpty ? source : inner.#mapBackByPairs(source);
			if (start.isEmpty) continue;
			let isKnown = false;
			for (let i = 0; i < known && !isKnown; i++) isKnown = entries[i]![0] === start;
			if (!isKnown) entries.push([start, target]);
		}
		entries.sort(comparePairs);
		return MapFunction.#canonical(entries, offset);
	}

	/** The function that maps back. */
	inverse(): MapFunction {
		if (this.#steps !== undefined) return MapFunction.#inSteps(this.#steps.map((step) => step.inverse()).reverse());
		const pairs = this.pairs.map(([source, target]): PathPair => [target, source]);
		if (pairs.length > 1) pairs.sort(comparePairs);
		return new MapFunction(pairs, this.hasRootIdentity, invertOffset(this.offset));
	}

	/** The same function that also maps every path without an entry to itself. */
	withRootIdentity(): MapFunction {
		if (this.hasRootIdentity) return this;
		const entries: PathPair[] = [[Path.root, Path.root], ...this.pairs];
		return MapFunction.#canonical(entries.sort(comparePairs), this.offset);
	}

	/** The same function for prims below an entry only: `/` does not map to itself. */
	withoutRootIdentity(): MapFunction {
		return this.hasRootIdentity ? new MapFunction(this.pairs, false, this.offset) : this;
	}

	/** The same mapping of paths without an offset in time. */
	withOffset(offset: LayerOffset): MapFunction {
		return new MapFunction(this.pairs, this.hasRootIdentity, offset, this.#steps);
	}

	equals(other: MapFunction): boolean {
		if (this === other) return true;
		if (this.hasRootIdentity !== other.hasRootIdentity || this.pairs.length !== other.pairs.length) return false;
		if (!offsetsEqual(this.offset, other.offset)) return false;
		return this.pairs.every(([source, target], i) => {
			const [otherSource, otherTarget] = other.pairs[i]!;
			return source === otherSource && target === otherTarget;
		});
	}

	/** Lines `source -> target`, for people. */
	toString(): string {
		const root: PathPair[] = this.hasRootIdentity ? [[Path.root, Path.root]] : [];
		return [...root, ...this.pairs].map(([source, target]) => `${source} -> ${target}`).join('\n');
	}
}

function comparePairs(a: PathPair, b: PathPair): number {
	return a[0].depth - b[0].depth || comparePaths(a[0], b[0]);
}

function replaced(path: Path, from: Path, to: Path): Path {
	if (path === from || to.isEmpty) return to;
	return path.replacePrefix(from, to, false);
}

/** The entry with the longest source that is a prefix of `path`, of at least `least` elements; -1 when there is none. */
function bestSource(path: Path, pairs: readonly PathPair[], least: number): number {
	for (let i = pairs.length - 1; i >= 0; i--) {
		const source = pairs[i]![0];
		if (source.depth < least) return -1;
		if (path.hasPrefix(source)) return i;
	}
	return -1;
}

function bestTarget(path: Path, pairs: readonly PathPair[], least: number): number {
	let best = -1;
	let depth = least;
	for (let i = 0; i < pairs.length; i++) {
		const target = pairs[i]![1];
		if (target.depth >= depth && path.hasPrefix(target)) {
			depth = target.depth;
			best = i;
		}
	}
	return best;
}

/** Whether an entry of sorted ones changes nothing. */
function isRedundant([source, target]: PathPair, entries: readonly PathPair[]): boolean {
	const parent = source.parent;
	if (parent === null) return target.isEmpty;
	// what would decide if this entry were not there
	const best = bestSource(parent, entries, 0);
	const isUnmapped = best < 0 || entries[best]![1].isEmpty;
	if (isUnmapped) return target.isEmpty;
	const [from, to] = entries[best]!;
	const image = replaced(source, from, to);
	if (target.isEmpty) return hasBetterTarget(image, entries, best);
	// what maps to itself as everything does is no entry, even when something else has its place
	if (source === target && from === Path.root && to === Path.root) return true;
	return image === target && !hasBetterTarget(target.parent ?? Path.empty, entries, best);
}

function hasBetterTarget(path: Path, entries: readonly PathPair[], best: number): boolean {
	const found = bestTarget(path, entries, entries[best]![1].depth);
	return found >= 0 && found !== best;
}
