import type { Path } from '../sdf/path.ts';
import type { Prim } from './prim.ts';
import { PrimFlags } from './prim-data.ts';

/** Pairs of the path of a prototype's source and the path of the instance it is seen through. */
export type InstancePaths = readonly (readonly [source: Path, instance: Path])[];

/** How paths in a prototype read from where a prim is seen; undefined for prims outside prototypes. */
export function instancePaths(prim: Prim): InstancePaths | undefined {
	if (!prim.data.has(PrimFlags.inPrototype)) return undefined;
	const pairs: [Path, Path][] = [];
	for (let at: Prim | undefined = prim.isInstance ? prim.parent : prim; at !== undefined; at = at.parent) {
		const { data } = at;
		if (data.prototype !== undefined && data.has(PrimFlags.instance)) pairs.push([data.prototype.sourcePath, at.path]);
		else if (data.has(PrimFlags.prototype)) pairs.push([data.index.path, at.path]);
	}
	return pairs;
}

/** A path of a prototype as it reads from an instance. */
export function mapToInstance(pairs: InstancePaths, path: Path): Path {
	let best: readonly [Path, Path] | undefined;
	for (const pair of pairs) {
		if (path.hasPrefix(pair[0]) && (best === undefined || pair[0].depth > best[0].depth)) best = pair;
	}
	return best === undefined ? path : path.replacePrefix(best[0], best[1], false);
}

/** Targets of a property of a prim as they read from where the prim is seen. */
export function mapTargets(prim: Prim, targets: readonly Path[]): readonly Path[] {
	if (targets.length === 0) return targets;
	const pairs = instancePaths(prim);
	return pairs === undefined ? targets : targets.map((path) => mapToInstance(pairs, path));
}
