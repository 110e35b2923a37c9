import { quote } from '@manyworlds/core';
import * as z from 'zod';
import type { SceneCode } from '../diagnostics.ts';
import { evaluateExpression } from '../expression.ts';

/** Says that a value is wrong: a code, and what was found and expected. `at` is a character of a text value. */
export type Fail = (code: SceneCode, message: string, at?: number) => undefined;

/** What {@link leaf} puts into the issues of zod, for `readScene` to make diagnostics of. */
export interface LeafIssue {
	readonly scene: { readonly code: SceneCode; readonly at?: number };
}

/** Part of a JSON Schema. */
export type JsonSchemaPart = Readonly<Record<string, unknown>>;

/** A schema by a function that gives the settled value or says what is wrong; `json` says the same to editors. */
export function leaf<T>(check: (value: unknown, fail: Fail) => T | undefined, json: JsonSchemaPart): z.ZodType<T> {
	return z
		.unknown()
		.transform((value, context): T => {
			let failed = false;
			const fail: Fail = (code, message, at) => {
				failed = true;
				const params: LeafIssue = { scene: { code, ...(at === undefined ? {} : { at }) } };
				context.addIssue({ code: 'custom', message, params: { ...params } });
				return undefined;
			};
			if (value === undefined) fail('SCN010', 'is missing');
			const settled = failed ? undefined : check(value, fail);
			return failed ? z.NEVER : (settled as T);
		})
		.meta({ ...json });
}

/** A value for a message. */
export function found(value: unknown): string {
	if (value === null) return 'nothing (null)';
	if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
	if (typeof value === 'object') return 'a mapping';
	if (typeof value === 'string') return `the text ${quote(value)}`;
	return String(value);
}

/** A key that may be left out, or have nothing behind it. */
export function maybe<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
	return schema.nullish().transform((value) => value ?? undefined);
}

/** A key that may be left out, and has a value when it is there. */
export function optional<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
	return schema.optional();
}

/** Settles a number or an expression; `what` says what is expected. */
export function toNumber(value: unknown, fail: Fail, what = 'a number'): number | undefined {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? value : fail('SCN008', `is ${value}, expected a finite number`);
	}
	if (typeof value !== 'string') return fail('SCN006', `is ${found(value)}, expected ${what}`);
	const result = evaluateExpression(value);
	if ('value' in result) return result.value;
	return fail('SCN007', `is the text ${quote(value)}, expected ${what} or an expression: ${result.fault}`, result.at);
}

const NUMBER_JSON: JsonSchemaPart = { type: ['number', 'string'] };

/** A number or an expression. */
export function number(description: string): z.ZodType<number> {
	return leaf((value, fail) => toNumber(value, fail), { ...NUMBER_JSON, description });
}

/** A number of at least a bound. */
export function numberFrom(least: number, description: string): z.ZodType<number> {
	return leaf((value, fail) => atLeast(toNumber(value, fail), least, fail), { ...NUMBER_JSON, description });
}

/** A number above zero. */
export function positive(description: string): z.ZodType<number> {
	return leaf(
		(value, fail) => {
			const settled = toNumber(value, fail);
			return settled === undefined || settled > 0
				? settled
				: fail('SCN008', `is ${settled}, expected a number above 0`);
		},
		{ ...NUMBER_JSON, description },
	);
}

/** A greatest value: a number of at least 0, or `.inf` for none. */
export function greatest(description: string): z.ZodType<number> {
	return leaf((value, fail) => (value === Number.POSITIVE_INFINITY ? value : atLeast(toNumber(value, fail), 0, fail)), {
		...NUMBER_JSON,
		description,
	});
}

function atLeast(value: number | undefined, least: number, fail: Fail): number | undefined {
	if (value === undefined || value >= least) return value;
	return fail('SCN008', `is ${value}, expected a number of at least ${least}`);
}

/** A bound that may be infinite: the numbers `.inf` and `-.inf` of YAML. */
export function bound(description: string): z.ZodType<number> {
	return leaf(
		(value, fail) =>
			value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY ? value : toNumber(value, fail),
		{ ...NUMBER_JSON, description },
	);
}

/** Settles a whole number. */
export function toWhole(value: unknown, fail: Fail): number | undefined {
	const settled = toNumber(value, fail, 'a whole number');
	if (settled === undefined || Number.isSafeInteger(settled)) return settled;
	return fail('SCN008', `is ${settled}, expected a whole number`);
}

/** A whole number, from `least` and up to `most` when given. */
export function whole(description: string, least?: number, most?: number): z.ZodType<number> {
	return leaf(
		(value, fail) => {
			const settled = toWhole(value, fail);
			if (settled !== undefined && settled < (least ?? settled)) {
				return fail('SCN008', `is ${settled}, expected a whole number of at least ${least}`);
			}
			if (settled === undefined || settled <= (most ?? settled)) return settled;
			return fail('SCN008', `is ${settled}, expected a whole number of at most ${most}`);
		},
		{ type: ['integer', 'string'], description },
	);
}

/** True or false, not their names. */
export function flag(description: string): z.ZodType<boolean> {
	return leaf(
		(value, fail) =>
			typeof value === 'boolean' ? value : fail('SCN006', `is ${found(value)}, expected true or false`),
		{ type: 'boolean', description },
	);
}

/** Text, not empty when `isNamed`. */
export function text(description: string, isNamed = false): z.ZodType<string> {
	return leaf(
		(value, fail) => {
			if (typeof value !== 'string') return fail('SCN006', `is ${found(value)}, expected text`);
			return isNamed && value === '' ? fail('SCN006', 'is empty, expected text') : value;
		},
		{ type: 'string', description, ...(isNamed ? { minLength: 1 } : {}) },
	);
}

/** One of some texts, in any case of letters; `-` counts as `_`. */
export function choice<T extends string>(choices: readonly T[], description: string): z.ZodType<T> {
	return leaf(
		(value, fail) => {
			const name = typeof value === 'string' ? value.toLowerCase().replaceAll('-', '_') : undefined;
			const chosen = choices.find((known) => known === name);
			return chosen ?? fail('SCN009', `is ${found(value)}, expected ${orList(choices)}`);
		},
		{ type: 'string', description, examples: [...choices] },
	);
}

/** A list of numbers or expressions of a given length. */
export function toNumbers(value: unknown, length: number, fail: Fail, what: string): number[] | undefined {
	if (!Array.isArray(value)) return fail('SCN006', `is ${found(value)}, expected ${what}`);
	if (value.length !== length) {
		return fail('SCN012', `has ${value.length} ${value.length === 1 ? 'number' : 'numbers'}, expected ${what}`);
	}
	const out: number[] = [];
	for (const item of value) {
		const settled = toNumber(item, fail);
		if (settled === undefined) return undefined;
		out.push(settled);
	}
	return out;
}

/** JSON Schema of a list of `count` numbers. */
export function numbersJson(count: number): JsonSchemaPart {
	return { type: 'array', items: NUMBER_JSON, minItems: count, maxItems: count };
}

/** Three numbers. */
export type Triple = readonly [number, number, number];

/** Three numbers. */
export function vector(description: string): z.ZodType<Triple> {
	return leaf((value, fail) => toNumbers(value, 3, fail, 'three numbers [x, y, z]') as Triple | undefined, {
		...numbersJson(3),
		description,
	});
}

/** 'a, b or c'. */
export function orList(names: readonly string[]): string {
	return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** A value whose schema depends on what it is: `pick` chooses one, or says what is wrong. */
export function dispatch<T>(
	pick: (value: unknown, fail: Fail) => z.ZodType<T> | undefined,
	json: JsonSchemaPart,
): z.ZodType<T> {
	return z
		.unknown()
		.transform((value, context): T => {
			const fail: Fail = (code, message) => {
				context.addIssue({ code: 'custom', message, params: { scene: { code } } });
				return undefined;
			};
			const schema = value === undefined ? fail('SCN010', 'is missing') : pick(value, fail);
			if (schema === undefined) return z.NEVER;
			const result = schema.safeParse(value);
			if (result.success) return result.data;
			// zod puts the path of this value before those of the issues
			for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as never);
			return z.NEVER;
		})
		.meta({ ...json });
}

/** A mapping whose schema depends on its keys. */
export function byKind<T>(
	pick: (value: Mapping, fail: Fail) => z.ZodType<T> | undefined,
	schemas: readonly z.ZodType[],
): z.ZodType<T> {
	const choose = (value: unknown, fail: Fail): z.ZodType<T> | undefined =>
		isMapping(value) ? pick(value, fail) : fail('SCN006', `is ${found(value)}, expected a mapping`);
	return dispatch(choose, { anyOf: schemas.map(jsonOf) });
}

/** A mapping with the given keys. The message about unknown keys is the list of those known, for `readScene` to suggest one. */
export function mapping<F extends z.core.$ZodShape>(fields: F): z.ZodObject<F, z.core.$strict> {
	return z.strictObject(fields, {
		error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(fields).join(' ') : undefined),
	});
}

/** A mapping of a scene file. */
export type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(value: unknown): value is Mapping {
	return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** JSON Schema of what a schema reads. */
export function jsonOf(schema: z.ZodType): JsonSchemaPart {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>;
	return rest;
}
