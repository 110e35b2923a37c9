import { boolField, type CompiledModel, intField, WorldValues } from '@manyworlds/mujoco/internal';
import type { Json, JsonObject } from '../../src/json.ts';
import { flatten, USED_SIZES, valueDifference } from './mj-differences.ts';

/** Differences of the values that are not the same in all worlds: both in which fields differ and in the numbers. */
export function worldDifferences(compiled: CompiledModel, expected: JsonObject): string[] {
	const { model } = compiled.conversion;
	if (model.worldCount < 2 || expected.fields === undefined) return [];
	const values = new WorldValues(compiled, { start: 0, end: model.worldCount });
	const fields = expected.fields as JsonObject;
	const differences: string[] = [];
	for (const [name, rows] of Object.entries(fields)) {
		for (const [world, row] of (rows as Json[]).entries()) {
			const problem = fieldDifference(compiled, values, name, world, flatten(row));
			if (problem === undefined) continue;
			differences.push(`world ${world}: ${problem}`);
			break;
		}
	}
	const unexpected = values.differing.filter(
		(name) => !(name in fields) && !isFree(name) && isReal(values, name, model.worldCount),
	);
	if (unexpected.length > 0) differences.push(`worlds differ in ${unexpected.join(', ')}, expected them to agree`);
	return differences;
}

/** Fields that the record leaves out, or that follow from what is compared. */
function isFree(name: string): boolean {
	return /^(dof_M0|actuator_(acc0|length0|lengthrange)|tendon_(length0|invweight0|lengthspring)|jnt_range|geom_rbound|body_iquat)$/.test(
		name,
	);
}

/** Whether the worlds differ by more than rounding. */
function isReal(values: WorldValues, name: string, worldCount: number): boolean {
	const first = values.valuesOf(name, 0);
	for (let world = 1; world < worldCount; world++) {
		const other = values.valuesOf(name, world);
		if (valueDifference(name, Array.from(other), Array.from(first), { relative: 1e-5, absolute: 1e-6 }) !== undefined)
			return true;
	}
	return false;
}

function fieldDifference(
	compiled: CompiledModel,
	values: WorldValues,
	name: string,
	world: number,
	expected: readonly number[],
): string | undefined {
	if (name.startsWith('option.')) {
		values.load(world);
		const own: unknown = Reflect.get(compiled.mj.opt, name.slice('option.'.length));
		const numbers = ArrayBuffer.isView(own) ? Array.from(own as unknown as number[]) : [Number(own)];
		return valueDifference(name, numbers, [...expected], LOOSE);
	}
	// frames of equal principal values are arbitrary; tensors are compared for the template
	if (name === 'body_iquat') return undefined;
	const own =
		name === 'statistic.meaninertia' ? [compiled.mj.stat.meaninertia] : Array.from(values.valuesOf(name, world));
	if (name === 'body_inertia') return valueDifference(name, sortedTriples(own), sortedTriples(expected), LOOSE);
	if (name === 'body_invweight0') return weightDifference(own, expected);
	if (name === 'geom_size') return sizeDifference(compiled, own, expected);
	if (name === 'jnt_solref') return limitDifference(compiled, own, expected);
	return valueDifference(
		name,
		own.length > expected.length ? own.slice(0, expected.length) : own,
		[...expected],
		LOOSE,
	);
}

/** Only the sizes that a type uses. */
function sizeDifference(
	compiled: CompiledModel,
	own: readonly number[],
	expected: readonly number[],
): string | undefined {
	const types = intField(compiled.mj, 'geom_type');
	for (const [id, type] of types.entries()) {
		const used = USED_SIZES[type] ?? 3;
		const [a, b] = [own, expected].map((numbers) => numbers.slice(3 * id, 3 * id + used));
		const problem = valueDifference(`geom_size[${id}]`, a, b!, LOOSE);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

/** Only joints that have a limit. */
function limitDifference(
	compiled: CompiledModel,
	own: readonly number[],
	expected: readonly number[],
): string | undefined {
	for (const [id, limited] of boolField(compiled.mj, 'jnt_limited').entries()) {
		if (limited === 0) continue;
		const problem = valueDifference(
			`jnt_solref[${id}]`,
			own.slice(2 * id, 2 * id + 2),
			expected.slice(2 * id, 2 * id + 2),
			LOOSE,
		);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

const LOOSE = { relative: 2e-4, absolute: 1e-5 };

function sortedTriples(numbers: readonly number[]): number[] {
	const sorted: number[] = [];
	for (let i = 0; i < numbers.length; i += 3) sorted.push(...numbers.slice(i, i + 3).sort((a, b) => b - a));
	return sorted;
}

/** The batched engine writes one part of an inverse weight to both places where the other is 0 (batched-weight). */
function weightDifference(own: readonly number[], expected: readonly number[]): string | undefined {
	const repaired = [...expected];
	for (let i = 0; i < expected.length; i += 2) {
		if (own[i] === 0) repaired[i] = 0;
		if (own[i + 1] === 0) repaired[i + 1] = 0;
		// a body on one slide has a third of its weight there (com-offset)
		if (own[i + 1] === 0 && Math.abs(own[i]! - 3 * expected[i]!) <= 1e-3 * own[i]!) repaired[i] = own[i]!;
	}
	return valueDifference('body_invweight0', [...own], repaired, LOOSE);
}
