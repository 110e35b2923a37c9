import { isObject, type Json, type JsonObject, shortJson } from '../../src/json.ts';
import { camelCase } from '../../src/newton/names.ts';

/** Keys of a result that are about what is out of scope. */
const OUT_OF_SCOPE = /^path_(attachment|cable|cloth|soft)_(attrs|map)$|^path_particle_map$|^particle_scene_path$/;

/** Differences between what an importer gave and the result of the reference; keys are ours in camelCase. */
export function resultDifferences(
	actual: Readonly<Record<string, unknown>>,
	expected: JsonObject | null,
): (string | undefined)[] {
	if (expected === null) return [];
	const problems: (string | undefined)[] = [];
	for (const [key, value] of Object.entries(expected)) {
		const name = camelCase(key);
		if (OUT_OF_SCOPE.test(key) && isEmpty(value)) continue;
		if (!(name in actual)) problems.push(`the result has no ${name}, expected ${shortJson(value)}`);
		else
			problems.push(difference(name, plain(actual[name]), key === 'up_axis' ? (value as string).toLowerCase() : value));
	}
	return problems;
}

function isEmpty(value: Json): boolean {
	return value === null || (isObject(value) && Object.keys(value).length === 0);
}

/** Our values as JSON: maps are objects, typed arrays lists, and names within are those of the format. */
function plain(value: unknown): Json {
	if (value === undefined || value === null) return null;
	if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), plain(item)]));
	if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value === 'object')
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
	return typeof value === 'bigint' ? Number(value) : (value as Json);
}

const SPECIAL: Readonly<Record<string, number>> = {
	nan: Number.NaN,
	inf: Number.POSITIVE_INFINITY,
	'-inf': Number.NEGATIVE_INFINITY,
};

/** Whether a dump holds the type of a number alone: numbers of the engine's own types are not written. */
function isUnwritten(expected: Json): boolean {
	if (!isObject(expected) || Object.keys(expected).length !== 1) return false;
	return typeof expected.object === 'string' && /^(u?int|float)\d+$|^bool$/.test(expected.object);
}

function difference(where: string, actual: Json, expected: Json): string | undefined {
	if (typeof actual === 'number' && (typeof expected === 'number' || (expected as string) in SPECIAL)) {
		const right = typeof expected === 'number' ? expected : SPECIAL[expected as string]!;
		const isNear = Math.abs(actual - right) <= 1e-6 + 1e-5 * Math.abs(right);
		if (isNear || Object.is(actual, right)) return undefined;
	} else if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
		for (const [i, item] of expected.entries()) {
			const problem = difference(`${where}[${i}]`, actual[i], item);
			if (problem !== undefined) return problem;
		}
		return undefined;
	} else if (isUnwritten(expected)) {
		if (typeof actual === 'number' || typeof actual === 'boolean') return undefined;
	} else if (isObject(actual) && isObject(expected)) {
		const theirs = new Map(Object.entries(expected).map(([key, item]) => [key, item]));
		const snake = new Map(Object.keys(expected).map((key) => [camelCase(key), key]));
		const ours = new Map(
			Object.entries(actual).map(([key, item]) => [theirs.has(key) ? key : (snake.get(key) ?? key), item]),
		);
		for (const key of new Set([...theirs.keys(), ...ours.keys()])) {
			if (!ours.has(key)) return `${where} has no '${key}', expected ${shortJson(theirs.get(key))}`;
			if (!theirs.has(key)) return `${where} has '${key}' ${shortJson(ours.get(key))}, expected nothing`;
			const problem = difference(`${where}['${key}']`, ours.get(key)!, theirs.get(key)!);
			if (problem !== undefined) return problem;
		}
		return undefined;
	} else if (actual === expected) return undefined;
	return `${where} is ${shortJson(actual)}, expected ${shortJson(expected)}`;
}
