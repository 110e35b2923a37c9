import { type Layer, makeValue, type Path, type Prim, SpecType, type Spline, T, type Value } from '@manyworlds/usd';
import { dataOf, makeTimeSamples, valuesEqual } from '@manyworlds/usd/internal';
import type { RepCode } from '../../diagnostics.ts';
import type { FixSession } from './fix-session.ts';

/** An attribute spec of a layer, with a prim of some stage that reads it. */
export interface AttributeSpec {
	readonly layer: Layer;
	/** Path of the attribute. */
	readonly path: Path;
	readonly name: string;
	/** The declared type, such as `point3f[]`. */
	readonly typeName: string;
	/** Type of the prim, composed where some stage has it. */
	readonly primType: string;
	/** Undefined for specs that no selection of variants shows. */
	readonly prim: Prim | undefined;
}

/** Gives another value for one that an attribute holds, or the same. */
export type MapValue = (value: Value, spec: AttributeSpec) => Value;

/** Prims by the specs that they are made of, over all variant selections: `layer`, then path of the prim spec. */
export type SpecOwners = ReadonlyMap<Layer, ReadonlyMap<Path, Prim>>;

/** Finds which composed prim reads each prim spec. The prims are of stages that do not follow edits any more. */
export function specOwners(session: FixSession): SpecOwners {
	const owners = new Map<Layer, Map<Path, Prim>>();
	for (const choices of session.selections()) {
		const stage = session.open({ choices });
		for (const root of [stage.pseudoRoot, ...stage.prototypes()]) {
			const stack = root.isPseudoRoot ? [...root.children()] : [root, ...root.children()];
			for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
				for (const { layer, path } of prim.specs()) {
					let paths = owners.get(layer);
					if (paths === undefined) {
						paths = new Map();
						owners.set(layer, paths);
					}
					if (!paths.has(path)) paths.set(path, prim);
				}
				if (!prim.isInstance) stack.push(...prim.children());
			}
		}
		stage.close();
	}
	return owners;
}

/** Every attribute spec of a layer, in variants and classes too. */
export function* attributeSpecs(layer: Layer, owners: SpecOwners): Generator<AttributeSpec> {
	const own = owners.get(layer);
	for (const path of [...layer.data.paths()]) {
		if (layer.specType(path) !== SpecType.attribute) continue;
		const parent = path.parent!;
		const prim = own?.get(parent);
		const typeName = dataOf(layer.field(path, 'typeName'), T.token) ?? '';
		const primType = prim?.typeName ?? dataOf(layer.field(parent, 'typeName'), T.token) ?? '';
		yield { layer, path, name: path.name, typeName, primType, prim };
	}
}

/** Maps the default and all samples of the attributes of a layer, in one edit. */
export function mapValues(
	session: FixSession,
	rule: RepCode,
	layer: Layer,
	owners: SpecOwners,
	map: MapValue,
	mapSpline?: (spline: Spline, spec: AttributeSpec) => Spline,
): void {
	const changes: { path: Path; field: string; value: Value }[] = [];
	for (const spec of attributeSpecs(layer, owners)) {
		const put = (field: string, before: Value, value: Value): void => {
			if (!valuesEqual(before, value)) changes.push({ path: spec.path, field, value });
		};
		const value = layer.field(spec.path, 'default');
		if (value !== undefined) put('default', value, map(value, spec));
		const samples = layer.field(spec.path, 'timeSamples');
		const series = dataOf(samples, T.timeSamples);
		if (series !== undefined) {
			const mapped = Array.from(series.times, (_, i) => map(series.valueAt(i), spec));
			const isChanged = mapped.some((sample, i) => !valuesEqual(sample, series.valueAt(i)));
			if (isChanged) {
				put('timeSamples', samples!, makeValue(T.timeSamples, makeTimeSamples(series.times, mapped)) as Value);
			}
		}
		const spline = dataOf(layer.field(spec.path, 'spline'), T.spline);
		if (spline !== undefined && mapSpline !== undefined) {
			const mapped = mapSpline(spline, spec);
			if (mapped !== spline) {
				changes.push({ path: spec.path, field: 'spline', value: makeValue(T.spline, mapped) as Value });
			}
		}
	}
	if (changes.length === 0) return;
	session.edit(rule, layer, () => {
		for (const { path, field, value } of changes) layer.setField(path, field, value);
	});
}

/** A value of the same type with every number mapped; other values as they are. */
export function mapNumbers(value: Value, map: (x: number, index: number) => number): Value {
	const { type, data } = value;
	if (typeof data === 'number') {
		const mapped = map(data, 0);
		return { type, data: type.component === 'float' ? Math.fround(mapped) : mapped };
	}
	if (data instanceof Float32Array) return { type, data: data.map(map) };
	if (data instanceof Float64Array) return { type, data: data.map(map) };
	return value;
}
