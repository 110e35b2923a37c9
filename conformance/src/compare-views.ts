import { isObject, type Json, type JsonObject } from './json.ts';

/** How far apart numbers of prims may be, relative to the larger one and at least to 1. */
const GEOMETRY_TOLERANCE = 1e-9;
/** The same for descriptors of physics, which are single precision and come from factored matrices. */
const PHYSICS_TOLERANCE = 2e-6;

/** How often the views agree, and the first differences of each aspect. */
export interface ViewComparison {
	/** Number of equal and of differing items by aspect: `world`, `bound`, `RigidBody`. */
	readonly counts: Readonly<Record<string, { readonly same: number; readonly different: number }>>;
	readonly lines: readonly string[];
}

/** Differences that are shown per aspect. */
const MOST_SHOWN = 3;

/** Compares what the views made of a stage with what OpenUSD made of it (docs/conformance.md, "Views"). */
export function compareViews(actual: JsonObject, expected: JsonObject): ViewComparison {
	const tally = new Tally();
	if (expected['version'] !== 1) throw new TypeError('an answer about views is not of version 1');
	const ours = objectAt(actual, 'prims');
	const theirs = objectAt(expected, 'prims');
	for (const path of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
		const a = ours[path];
		const b = theirs[path];
		if (!isObject(a) || !isObject(b)) {
			tally.add('prims', false, `prim ${path}: ${a === undefined ? 'missing' : 'not expected'}`);
			continue;
		}
		for (const aspect of new Set([...Object.keys(b), ...Object.keys(a)])) {
			tally.compare(aspect, path, a[aspect], b[aspect], GEOMETRY_TOLERANCE);
		}
	}
	comparePhysics(tally, objectAt(actual, 'physics'), objectAt(expected, 'physics'));
	return tally;
}

function comparePhysics(tally: Tally, actual: JsonObject, expected: JsonObject): void {
	for (const kind of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
		const ours = entriesOf(actual[kind]);
		const theirs = entriesOf(expected[kind]);
		// which ones there are, and in which order
		tally.compare(`${kind} paths`, kind, [...ours.keys()], [...theirs.keys()], 0);
		for (const [path, descriptor] of theirs) {
			const own = ours.get(path);
			if (own !== undefined) tally.compare(kind, path, own, descriptor, PHYSICS_TOLERANCE);
		}
	}
}

function entriesOf(list: Json | undefined): Map<string, Json> {
	const entries = Array.isArray(list) ? (list as [string, Json][]) : [];
	return new Map(entries);
}

function objectAt(object: JsonObject, name: string): JsonObject {
	const value = object[name];
	if (!isObject(value)) throw new TypeError(`an answer about views has no '${name}'`);
	return value;
}

class Tally implements ViewComparison {
	readonly counts: Record<string, { same: number; different: number }> = {};
	readonly lines: string[] = [];

	add(aspect: string, isSame: boolean, line: string): void {
		const count = this.counts[aspect] ?? { same: 0, different: 0 };
		this.counts[aspect] = count;
		if (isSame) count.same++;
		else if (++count.different <= MOST_SHOWN) this.lines.push(line);
	}

	compare(aspect: string, path: string, ours: Json | undefined, theirs: Json | undefined, tolerance: number): void {
		const found = difference(ours, theirs, tolerance);
		this.add(aspect, found === undefined, `${aspect} of ${path}${found}`);
	}
}

/** The first difference as `.where: ours, expected theirs`; undefined when there is none. */
function difference(ours: Json | undefined, theirs: Json | undefined, tolerance: number): string | undefined {
	if (typeof ours === 'number' && typeof theirs === 'number') {
		const allowed = tolerance * Math.max(1, Math.abs(ours), Math.abs(theirs));
		return Math.abs(ours - theirs) <= allowed ? undefined : `: ${ours}, expected ${theirs}`;
	}
	if (Array.isArray(ours) && Array.isArray(theirs)) {
		if (ours.length !== theirs.length) return `: ${ours.length} items, expected ${theirs.length}`;
		for (let i = 0; i < ours.length; i++) {
			const found = difference(ours[i], theirs[i], tolerance);
			if (found !== undefined) return `[${i}]${found}`;
		}
		return undefined;
	}
	if (isObject(ours) && isObject(theirs)) {
		for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
			const found = difference(ours[name], theirs[name], tolerance);
			if (found !== undefined) return `.${name}${found}`;
		}
		return undefined;
	}
	return ours === theirs ? undefined : `: ${JSON.stringify(ours)}, expected ${JSON.stringify(theirs)}`;
}
