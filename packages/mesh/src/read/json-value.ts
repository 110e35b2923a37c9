/** A JSON object of unknown shape. */
export type JsonObject = { readonly [key: string]: unknown };

/** The value as an object, or undefined. */
export function asObject(value: unknown): JsonObject | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value as a list; empty when it is none. */
export function asList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The value as a whole number from 0, or undefined. */
export function asIndex(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** The value as a text, or undefined. */
export function asText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

/** The value as `count` finite numbers, or undefined. */
export function asNumbers(value: unknown, count: number): readonly number[] | undefined {
	const list = asList(value);
	return list.length === count && list.every((item) => typeof item === 'number' && Number.isFinite(item))
		? (list as readonly number[])
		: undefined;
}
