import { Report } from '@manyworlds/core';
import { createTriangleMesh } from '@manyworlds/mesh/internal';
import { Model, type ModelArrayData, type ShapeSource, type UpAxis } from '@manyworlds/model';
import {
	type AttributeArray,
	type AttributeEntry,
	AttributeValues,
	arrayOfNewtonName,
	MODEL_ARRAY_NAMES,
	MODEL_ARRAYS,
	MODEL_SETTINGS_DEFAULTS,
	mujocoAttribute,
} from '@manyworlds/model/internal';
import type { JsonObject } from '../../src/json.ts';
import { expectedNumbers } from '../../src/newton/compare-numbers.ts';
import type { ExpectedArray, ExpectedModel } from '../../src/newton/expected-model.ts';
import { frequencyOf } from '../../src/newton/names.ts';

const EQUALITY_FREQUENCY = 'mujoco:equality_constraint';

/** A model made of the arrays of a dump, without any builder. */
export function modelOfRecord(record: ExpectedModel): Model {
	const worldCount = record.counts.world_count!;
	const arrays = Object.fromEntries(
		MODEL_ARRAY_NAMES.map((name) => [
			name,
			typed(MODEL_ARRAYS[name].type, numbersOf(record, MODEL_ARRAYS[name].newton)),
		]),
	) as unknown as Record<string, Float64Array | Int32Array | Uint8Array>;
	completeStarts(arrays, record, worldCount);
	const gravity = arrays.gravity as Float64Array;
	arrays.gravity = gravity.slice(0, 3 * worldCount);
	arrays.shapeCollisionFilterPairs = Int32Array.from(record.filter_pairs.flat());
	const { entries, counts } = attributesOf(record);
	const labels = record.labels;
	return new Model({
		arrays: arrays as unknown as ModelArrayData,
		upAxis: String(record.scalars.up_axis).toLowerCase() as UpAxis,
		worldCount,
		worldLabels: Array.from({ length: worldCount }, () => ''),
		labels: {
			body: labels.body ?? [],
			shape: labels.shape ?? [],
			joint: labels.joint ?? [],
			articulation: labels.articulation ?? [],
			equalityConstraint: [],
			constraintMimic: labels.constraint_mimic ?? [],
		},
		shapeSources: record.geometry.of_shape.map((index) =>
			index < 0 ? null : sourceOf(record.geometry.objects[index]!),
		),
		attributes: {
			model: new AttributeValues(entries.model),
			state: new AttributeValues(entries.state),
			control: new AttributeValues(entries.control),
			contacts: new AttributeValues([]),
		},
		frequencyCounts: counts,
		ownGlobalGravity: gravity.length > 3 * worldCount ? gravity.slice(3 * worldCount) : undefined,
		rigidContactMax: 0,
		settings: MODEL_SETTINGS_DEFAULTS,
		report: new Report(),
	});
}

function numbersOf(record: ExpectedModel, newton: string): number[] {
	const array = record.arrays[newton];
	if (array !== undefined) return expectedNumbers(array);
	const attribute = record.custom_attributes[`mujoco:${newton}`];
	return attribute === undefined ? [] : expectedNumbers(attribute.values as ExpectedArray);
}

function typed(type: 'float' | 'int' | 'bool', numbers: readonly number[]): Float64Array | Int32Array | Uint8Array {
	if (type === 'float') return Float64Array.from(numbers);
	return type === 'int' ? Int32Array.from(numbers) : Uint8Array.from(numbers);
}

/** Arrays that a dump leaves out because they are empty still have a closing entry. */
function completeStarts(
	arrays: Record<string, Float64Array | Int32Array | Uint8Array>,
	record: ExpectedModel,
	worldCount: number,
): void {
	for (const name of MODEL_ARRAY_NAMES) {
		if (!name.endsWith('WorldStart') || arrays[name]!.length > 0) continue;
		arrays[name] = new Int32Array(worldCount + 2);
	}
	if (arrays.jointConstraintStart!.length === 0)
		arrays.jointConstraintStart = new Int32Array(record.counts.joint_count! + 1);
	for (const [name, array] of [
		['equality_constraint_world', 'equalityConstraintWorldStart'],
		['constraint_mimic_world', 'constraintMimicWorldStart'],
	] as const) {
		const rows = numbersOf(record, name);
		if (rows.length === 0) continue;
		const starts = new Int32Array(worldCount + 2);
		starts[worldCount + 1] = rows.length;
		for (let world = 0; world <= worldCount; world++) {
			starts[world] = rows.filter((own) => (own < 0 ? worldCount : own) < world).length;
		}
		arrays[array] = starts;
	}
	// targets are stored per coordinate, or per degree of freedom where the length says so
	const targets = arrays.jointTargetQ!;
	if (targets.length !== arrays.jointQ!.length) throw new TypeError('joint_target_q is not in coordinate layout');
}

function attributesOf(record: ExpectedModel): {
	entries: Record<'model' | 'state' | 'control', AttributeEntry[]>;
	counts: Map<string, number>;
} {
	const entries: Record<'model' | 'state' | 'control', AttributeEntry[]> = { model: [], state: [], control: [] };
	const counts = new Map<string, number>();
	for (const [key, attribute] of Object.entries(record.custom_attributes)) {
		const name = key.slice(key.indexOf(':') + 1);
		if (arrayOfNewtonName(name) !== undefined) continue;
		const declared = mujocoAttribute(name);
		const values = Array.isArray(attribute.values)
			? [...(attribute.values as readonly string[])]
			: Float64Array.from(expectedNumbers(attribute.values as ExpectedArray));
		const frequency =
			attribute.frequency === EQUALITY_FREQUENCY ? 'equalityConstraint' : frequencyOf(attribute.frequency);
		entries[attribute.assignment as 'model'].push({
			declaration: { name, namespace: key.slice(0, key.indexOf(':')), type: declared?.type ?? 'f64', frequency },
			values: values as AttributeArray,
		});
		if (attribute.frequency.includes(':') && attribute.frequency !== EQUALITY_FREQUENCY) {
			counts.set(attribute.frequency, record.custom_frequencies[attribute.frequency] ?? 0);
		}
	}
	return { entries, counts };
}

function sourceOf(object: JsonObject): ShapeSource {
	const numbers = (field: unknown): number[] => expectedNumbers(field as ExpectedArray);
	if (object.kind === 'Heightfield') {
		return {
			rows: Number(object.nrow),
			columns: Number(object.ncol),
			data: Float64Array.from(numbers(object.data)),
			hx: Number(object.hx),
			hy: Number(object.hy),
			minZ: Number(object.min_z),
			maxZ: Number(object.max_z),
		};
	}
	const mesh = createTriangleMesh({ vertices: numbers(object.vertices), indices: numbers(object.indices) });
	return { ...mesh, maxHullVertices: Number(object.max_hull_vertices) };
}
