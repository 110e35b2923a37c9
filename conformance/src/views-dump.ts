import { BBoxCache, Path, type Prim, type Primvar, parsePhysics, type Stage, XformCache } from '@manyworlds/usd';
import {
	type BoundingBox,
	computePurpose,
	computeVisibility,
	isImageable,
	isXformable,
	MaterialBindings,
	PURPOSES,
	primvarsWithInheritance,
} from '@manyworlds/usd/internal';
import type { Json, JsonObject } from './json.ts';

/** Purposes for which materials are asked for; the first is that of all purposes. */
const BINDINGS: readonly string[] = ['', 'preview', 'full', 'physics'];
/** Lists of descriptors whose order says nothing. */
const SETS: ReadonlySet<string> = new Set(['collisions', 'collisionGroups']);

/** What the views make of a stage, in the format of docs/conformance.md, "Views"; transforms at the default time and at `times`. */
export function dumpViews(stage: Stage, times: readonly number[]): JsonObject {
	const dump = new PrimDump(times);
	const prims: Record<string, Json> = {};
	for (const prim of stage.traverse({ instanceProxies: true })) prims[prim.path.toString()] = dump.prim(prim);
	return { version: 1, times: [...times], prims, physics: dumpPhysics(stage) };
}

class PrimDump {
	readonly #transforms: readonly XformCache[];
	readonly #usual = new BBoxCache();
	readonly #everything = new BBoxCache({ purposes: PURPOSES, useExtentsHint: true, ignoreVisibility: true });
	readonly #bindings = new MaterialBindings();

	constructor(times: readonly number[]) {
		this.#transforms = [new XformCache(), ...times.map((time) => new XformCache({ time }))];
	}

	prim(prim: Prim): JsonObject {
		const entry: Record<string, Json> = {};
		if (isXformable(prim)) entry['world'] = this.#transforms.map((cache) => numbers(cache.worldTransform(prim)));
		if (!isImageable(prim)) return entry;
		entry['visibility'] = computeVisibility(prim);
		entry['purpose'] = computePurpose(prim);
		entry['bound'] = box(this.#usual.worldBound(prim));
		entry['boundOfAll'] = box(this.#everything.worldBound(prim));
		entry['materials'] = BINDINGS.map((purpose) => {
			const bound = this.#bindings.boundMaterial(prim, purpose);
			return bound === undefined ? '' : bound.material.path.toString();
		});
		const primvars: Record<string, Json> = {};
		for (const primvar of primvarsWithInheritance(prim)) primvars[primvar.name] = dumpPrimvar(primvar);
		entry['primvars'] = primvars;
		return entry;
	}
}

function dumpPrimvar(primvar: Primvar): JsonObject {
	const flat = primvar.flattened();
	const count = flat?.type.isArray ? (flat.data as ArrayLike<unknown>).length / flat.type.width : null;
	return {
		attribute: primvar.attribute.path.toString(),
		type: primvar.typeName,
		interpolation: primvar.interpolation,
		elementSize: primvar.elementSize,
		isIndexed: primvar.isIndexed,
		count,
	};
}

function dumpPhysics(stage: Stage): JsonObject {
	const { scenes, collisionGroups, materials, shapes, articulations, bodies, joints } = parsePhysics(stage);
	const physics: Record<string, Json[]> = {};
	for (const descriptor of [
		...scenes,
		...collisionGroups,
		...materials,
		...shapes,
		...articulations,
		...bodies,
		...joints,
	]) {
		const { kind, ...rest } = descriptor;
		const list = physics[kind] ?? [];
		physics[kind] = list;
		list.push([descriptor.primPath.toString(), encode(rest)]);
	}
	return physics;
}

function encode(value: unknown, name = ''): Json {
	if (typeof value === 'number') return number(value);
	if (value instanceof Path) return value.isEmpty ? '' : value.toString();
	if (ArrayBuffer.isView(value)) return numbers(value as Float32Array);
	if (value instanceof Map) return encode(Object.fromEntries(value));
	if (Array.isArray(value)) {
		const items = value.map((item) => encode(item));
		return SETS.has(name) ? items.sort() : items;
	}
	if (value !== null && typeof value === 'object') {
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, key)]));
	}
	return value === undefined ? null : (value as string | boolean | null);
}

function box(bound: BoundingBox): Json {
	if (bound.isEmpty) return null;
	const { min, max } = bound.aligned();
	return [...numbers(min), ...numbers(max)];
}

function numbers(values: ArrayLike<number>): Json[] {
	return Array.from(values, number);
}

/** A number as JSON has it: those that are not finite as text. */
function number(value: number): Json {
	if (Number.isFinite(value)) return value;
	return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}
