/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is an object and neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Lines about the differences between two JSON values, at most `limit`. Numbers compare by `Object.is`, so that 0 and
 * -0 differ; strings by code unit; a key on one side only is a difference.
 */
export function jsonDifferences(actual: Json, expected: Json, where = '', limit = 5): string[] {
	const out: string[] = [];
	collect(actual, expected, where, limit, out);
	return out;
}

/** JSON with sorted keys and no spaces: equal values give equal text. Minus zero is written `-0`. */
export function canonicalJson(value: Json): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (isObject(value)) {
		const keys = Object.keys(value).sort();
		return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`).join(',')}}`;
	}
	return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

/** A value as text, cut so that a message stays readable. */
export function shortJson(value: Json | undefined): string {
	if (value === undefined) return 'nothing';
	const text = canonicalJson(value);
	return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

function collect(actual: Json, expected: Json, where: string, limit: number, out: string[]): void {
	if (out.length >= limit || Object.is(actual, expected)) return;
	if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
		for (let i = 0; i < actual.length; i++) collect(actual[i], expected[i], `${where}[${i}]`, limit, out);
		return;
	}
	if (isObject(actual) && isObject(expected)) {
		for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
			if (out.length >= limit) return;
			const place = where === '' ? key : `${where}.${key}`;
			if (!Object.hasOwn(actual, key)) out.push(`${place}: missing, expected ${shortJson(expected[key])}`);
			else if (!Object.hasOwn(expected, key)) out.push(`${place}: ${shortJson(actual[key])}, expected nothing`);
			else collect(actual[key]!, expected[key]!, place, limit, out);
		}
		return;
	}
	out.push(`${where}: ${shortJson(actual)}, expected ${shortJson(expected)}`);
}
