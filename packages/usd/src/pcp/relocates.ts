import type { Layer } from '../sdf/layer.ts';
import { comparePaths, Path, PathKind } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { MapFunction, type PathPair } from './map-function.ts';
import type { AuthoredRelocate, ErrorSite, PcpError, RelocateConflict, RelocateFault } from './pcp-error.ts';

interface Relocate extends AuthoredRelocate {
	/** Path of the prim before any relocate moved it. */
	origin: Path | undefined;
}

/** The valid relocates of a layer stack, merged from its layers. */
export class Relocates {
	/** As authored: the source may be a path that other relocates lead to. An empty target removes the prim. */
	readonly sourceToTarget: ReadonlyMap<Path, Path>;
	readonly targetToSource: ReadonlyMap<Path, Path>;
	readonly #all: readonly Relocate[];
	readonly #bySourceParent = new Map<Path, PathPair[]>();
	readonly #byTargetParent = new Map<Path, PathPair[]>();
	readonly #maps = new Map<Path, MapFunction>();

	constructor(relocates: readonly Relocate[]) {
		const sorted = [...relocates].sort((a, b) => comparePaths(a.source, b.source));
		this.#all = sorted;
		this.sourceToTarget = new Map(sorted.map(({ source, target }) => [source, target]));
		this.targetToSource = new Map(
			sorted.filter(({ target }) => !target.isEmpty).map(({ source, target }) => [target, source]),
		);
		for (const { source, target } of sorted) {
			append(this.#bySourceParent, source.parent!, [source, target]);
			if (!target.isEmpty) append(this.#byTargetParent, target.parent!, [source, target]);
		}
	}

	/** Relocates of children of `parent`. */
	fromChildrenOf(parent: Path): readonly PathPair[] {
		return this.#bySourceParent.get(parent) ?? NONE;
	}

	/** Relocates that make something a child of `parent`. */
	toChildrenOf(parent: Path): readonly PathPair[] {
		return this.#byTargetParent.get(parent) ?? NONE;
	}

	/** The mapping that applies relocates of sources at and below `path` and leaves the rest. */
	mapAt(path: Path): MapFunction {
		let map = this.#maps.get(path);
		if (map === undefined) {
			map = this.#mapBelow(path);
			this.#maps.set(path, map);
		}
		return map;
	}

	#mapBelow(path: Path): MapFunction {
		// where relocates are nested, the original path counts, and each target may be had only once
		const bySource = new Map<Path, Path>([[Path.root, Path.root]]);
		const targets = new Set<Path>();
		for (const { origin, target } of this.#all) {
			if (target.isEmpty || origin === undefined || !origin.hasPrefix(path)) continue;
			bySource.set(origin, target);
			targets.add(target);
		}
		for (const { source, target } of this.#all) {
			if (target.isEmpty || !source.hasPrefix(path) || targets.has(target)) continue;
			targets.add(target);
			if (!bySource.has(source)) bySource.set(source, target);
		}
		return MapFunction.create(bySource).deferred();
	}
}

/** Collects and validates the relocates of the layers of a stack, strongest first. Undefined when there are none. */
export function composeRelocates(layers: readonly Layer[], root: ErrorSite, errors: PcpError[]): Relocates | undefined {
	const bySource = new Map<Path, Relocate>();
	for (const layer of layers) collect(layer, bySource, root, errors);
	if (bySource.size === 0) return undefined;
	const valid = withoutConflicts(bySource, root, errors);
	computeOrigins(valid);
	return new Relocates([...valid.values()]);
}

function collect(layer: Layer, bySource: Map<Path, Relocate>, root: ErrorSite, errors: PcpError[]): void {
	const authored = dataOf(layer.data.field(Path.root, 'layerRelocates'), T.relocates);
	for (const [from, to] of authored ?? []) {
		const source = from.makeAbsolute(Path.root);
		const target = to.makeAbsolute(Path.root);
		const fault = faultOf(source, target);
		if (fault !== undefined) {
			errors.push({ kind: 'InvalidAuthoredRelocation', root, relocate: { layer, source, target }, fault });
		} else if (!bySource.has(source)) {
			bySource.set(source, { layer, source, target, origin: undefined });
		}
	}
}

function faultOf(source: Path, target: Path): RelocateFault | undefined {
	if (source.isEmpty) return 'no-source';
	const fault = pathFault(source) ?? (target.isEmpty ? undefined : pathFault(target));
	if (fault !== undefined) return fault;
	if (!target.isEmpty) {
		if (source === target) return 'same';
		if (target.hasPrefix(source)) return 'target-below-source';
		if (source.hasPrefix(target)) return 'target-above-source';
	}
	return source.depth === 1 ? 'root-prim' : undefined;
}

function pathFault(path: Path): RelocateFault | undefined {
	if (path.kind === PathKind.variant) return 'variant-selection';
	if (path.kind !== PathKind.prim) return 'not-a-prim';
	return path.hasVariants ? 'variant-selection' : undefined;
}

/** Leaves out every relocate that excludes another one; all are judged against all. */
function withoutConflicts(
	bySource: ReadonlyMap<Path, Relocate>,
	root: ErrorSite,
	errors: PcpError[],
): Map<Path, Relocate> {
	const byTarget = new Map<Path, Relocate[]>();
	const conflicts: { relocate: Relocate; conflict: Relocate; reason: RelocateConflict }[] = [];
	for (const relocate of bySource.values()) {
		const { source, target } = relocate;
		if (!target.isEmpty) {
			append(byTarget, target, relocate);
			const next = bySource.get(target);
			if (next !== undefined) {
				conflicts.push({ relocate, conflict: next, reason: 'target-is-source' });
				conflicts.push({ relocate: next, conflict: relocate, reason: 'source-is-target' });
			}
			for (let path = target.parent!; path !== Path.root; path = path.parent!) {
				const conflict = bySource.get(path);
				if (conflict !== undefined) conflicts.push({ relocate, conflict, reason: 'target-below-source' });
			}
		}
		for (let path = source.parent!; path.depth > 1; path = path.parent!) {
			const conflict = bySource.get(path);
			if (conflict !== undefined) conflicts.push({ relocate, conflict, reason: 'source-below-source' });
		}
	}

	const valid = new Map(bySource);
	const shared = [...byTarget].filter(([, list]) => list.length > 1).sort((a, b) => comparePaths(a[0], b[0]));
	for (const [target, list] of shared) {
		list.sort((a, b) => comparePaths(a.source, b.source));
		for (const { source } of list) valid.delete(source);
		errors.push({ kind: 'InvalidSameTargetRelocations', root, target, relocates: list });
	}
	conflicts.sort(
		(a, b) =>
			comparePaths(a.relocate.source, b.relocate.source) ||
			CONFLICT_ORDER.indexOf(a.reason) - CONFLICT_ORDER.indexOf(b.reason) ||
			comparePaths(a.conflict.source, b.conflict.source),
	);
	for (const conflict of conflicts) {
		valid.delete(conflict.relocate.source);
		errors.push({ kind: 'InvalidConflictingRelocation', root, ...conflict });
	}
	return valid;
}

const CONFLICT_ORDER: readonly RelocateConflict[] = [
	'target-is-source',
	'source-is-target',
	'target-below-source',
	'source-below-source',
];

/** Follows relocates of ancestors backwards, so that every relocate knows where its prim was defined. */
function computeOrigins(relocates: ReadonlyMap<Path, Relocate>): void {
	const byTarget = new Map<Path, Relocate>();
	for (const relocate of relocates.values()) if (!relocate.target.isEmpty) byTarget.set(relocate.target, relocate);
	const originOf = (relocate: Relocate): Path => {
		if (relocate.origin !== undefined) return relocate.origin;
		// set first: relocates that lead in a circle end here
		relocate.origin = relocate.source;
		for (let path: Path = relocate.source; path !== Path.root; path = path.parent!) {
			const nearest = byTarget.get(path);
			if (nearest === undefined) continue;
			relocate.origin = relocate.source.replacePrefix(nearest.target, originOf(nearest));
			break;
		}
		return relocate.origin;
	};
	for (const relocate of relocates.values()) originOf(relocate);
}

const NONE: readonly PathPair[] = [];

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
	const list = map.get(key);
	if (list === undefined) map.set(key, [value]);
	else list.push(value);
}
