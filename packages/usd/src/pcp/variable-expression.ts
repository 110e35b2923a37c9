import type { Dictionary, Value } from '../sdf/value.ts';
import { valueIs } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { type ExpressionNode, parseExpression } from './parse-expression.ts';

/** What an expression can be: text, a truth value, an integer, a list of one of these, or nothing. */
export type ExpressionValue = string | boolean | bigint | readonly (string | boolean | bigint)[] | null;

/** The result of an expression; without a value when there are errors. */
export interface ExpressionResult {
	readonly value: ExpressionValue;
	readonly errors: readonly string[];
	/** Variables that were looked up, whether they exist or not. */
	readonly used: ReadonlySet<string>;
}

/** The text that an expression gives; '' when it gives none. */
export interface TextResult {
	readonly value: string;
	readonly errors: readonly string[];
}

/** Whether a text is to be evaluated: it stands in backquotes. */
export function isExpression(text: string): boolean {
	return text.length > 1 && text.charCodeAt(0) === BACKQUOTE && text.charCodeAt(text.length - 1) === BACKQUOTE;
}

/** Evaluates an expression that must give text or nothing, as asset paths and variant selections do. */
export function evaluateText(expression: string, variables: Dictionary): TextResult {
	const { value, errors } = evaluateExpression(expression, variables);
	if (value === null) return { value: '', errors };
	if (typeof value === 'string') return { value, errors };
	return { value: '', errors: [`Expression evaluated to '${typeName(value)}' but expected 'string'`] };
}

/** Evaluates an expression in backquotes with the given variables. */
export function evaluateExpression(expression: string, variables: Dictionary): ExpressionResult {
	const parsed = parseExpression(expression);
	if ('error' in parsed) return { value: null, errors: [parsed.error], used: new Set() };
	const evaluator = new Evaluator(variables);
	const { value, errors } = evaluator.evaluate(parsed);
	return { value: errors.length > 0 ? null : value, errors, used: evaluator.used };
}

const BACKQUOTE = 96;
const MOST_NESTING = 64;

interface Outcome {
	readonly value: ExpressionValue;
	readonly errors: readonly string[];
}

class Evaluator {
	readonly used = new Set<string>();
	readonly #variables: Dictionary;
	/** Variables whose expressions are being evaluated. */
	readonly #open: string[] = [];

	constructor(variables: Dictionary) {
		this.#variables = variables;
	}

	evaluate(node: ExpressionNode): Outcome {
		switch (node.kind) {
			case 'constant':
				return good(node.value);
			case 'variable':
				return this.#lookUp(node.name) ?? bad(`No value for variable '${node.name}'`);
			case 'string':
				return this.#string(node.parts);
			case 'list':
				return this.#list(node.items);
			case 'call':
				return this.#call(node.name, node.args);
		}
	}

	/** The value of a variable; undefined when there is none. Variables may be expressions themselves. */
	#lookUp(name: string): Outcome | undefined {
		if (this.#open.includes(name)) {
			const chain = [...this.#open, name].map((open) => `'${open}'`).join(', ');
			return bad(`Encountered circular variable substitutions: [${chain}]`);
		}
		this.used.add(name);
		const stored = this.#variables.get(name);
		if (stored === undefined) return undefined;
		const value = fromValue(stored);
		if (value === undefined) return bad(`Variable '${name}' has unsupported type ${stored.type.name}`);
		if (typeof value !== 'string' || !isExpression(value)) return good(value);
		if (this.#open.length >= MOST_NESTING) return bad(`Variable '${name}' is nested too deeply`);
		const parsed = parseExpression(value);
		if ('error' in parsed) return bad(`${parsed.error} (in variable '${name}')`);
		this.#open.push(name);
		const result = this.evaluate(parsed);
		this.#open.pop();
		return result;
	}

	#string(parts: readonly (string | { readonly variable: string })[]): Outcome {
		let text = '';
		for (const part of parts) {
			if (typeof part === 'string') {
				text += part;
				continue;
			}
			const found = this.#lookUp(part.variable);
			if (found === undefined) {
				// OpenUSD leaves the reference as it stands
				text += `\${${part.variable}}`;
			} else if (found.errors.length > 0) {
				return found;
			} else if (typeof found.value === 'string') {
				text += found.value;
			} else if (found.value !== null) {
				const type = typeName(found.value);
				return bad(`String value required for substituting variable '${part.variable}', got ${type}.`);
			}
		}
		return good(text);
	}

	#list(items: readonly ExpressionNode[]): Outcome {
		const values: (string | boolean | bigint)[] = [];
		const errors: string[] = [];
		for (const [i, item] of items.entries()) {
			const { value, errors: own } = this.evaluate(item);
			if (own.length > 0) {
				errors.push(...own);
			} else if (value === null || isList(value) || (values.length > 0 && typeof value !== typeof values[0])) {
				errors.push(`Unexpected value of type ${typeName(value)} in list at element ${i}`);
			} else {
				values.push(value);
			}
		}
		return errors.length > 0 ? { value: null, errors } : good(values);
	}

	#call(name: string, args: readonly ExpressionNode[]): Outcome {
		if (name === 'if') return this.#choose(args);
		const results = args.map((arg) => this.evaluate(arg));
		if (name === 'defined') return this.#areDefined(results);
		const errors = results.flatMap((result) => result.errors);
		if (errors.length > 0 && name !== 'and' && name !== 'or') return { value: null, errors };
		const values = results.map((result) => result.value);
		switch (name) {
			case 'and':
			case 'or':
				return combine(name, results);
			case 'not':
				if (typeof values[0] === 'boolean') return good(!values[0]);
				return bad(`not: Invalid type ${typeName(values[0]!)} for argument`);
			case 'contains':
				return contains(values[0]!, values[1]!);
			case 'at':
				return at(values[0]!, values[1]!);
			case 'len':
				return length(values[0]!);
			default:
				return compare(name, values[0]!, values[1]!);
		}
	}

	/** Whether there are variables of all these names. */
	#areDefined(names: readonly Outcome[]): Outcome {
		const errors: string[] = [];
		let areAll = true;
		for (const [i, { value, errors: own }] of names.entries()) {
			if (own.length > 0) errors.push(...own);
			else if (typeof value !== 'string') errors.push(`defined: Invalid type ${typeName(value)} for argument ${i}`);
			else {
				this.used.add(value);
				if (!this.#variables.has(value)) areAll = false;
			}
		}
		return errors.length > 0 ? { value: null, errors } : good(areAll);
	}

	#choose([condition, then, otherwise]: readonly ExpressionNode[]): Outcome {
		const test = this.evaluate(condition!);
		if (test.errors.length > 0) return test;
		if (typeof test.value !== 'boolean') return bad('if: Condition must be a boolean value');
		const first = this.evaluate(then!);
		if (otherwise === undefined) return test.value ? first : good(null);
		const second = this.evaluate(otherwise);
		const isMixed = exactType(first.value) !== exactType(second.value) && first.value !== null && second.value !== null;
		if (isMixed) return bad('if: if-value and else-value must evaluate to the same type or None.');
		return test.value ? first : second;
	}
}

function good(value: ExpressionValue): Outcome {
	return { value, errors: [] };
}

function bad(error: string): Outcome {
	return { value: null, errors: [error] };
}

function isList(value: ExpressionValue): value is readonly (string | boolean | bigint)[] {
	return Array.isArray(value);
}

function typeName(value: ExpressionValue): string {
	if (value === null) return 'None';
	if (isList(value)) return 'list';
	return typeof value === 'bigint' ? 'int' : typeof value === 'boolean' ? 'bool' : 'string';
}

/** The type with that of the items of a list. */
function exactType(value: ExpressionValue): string {
	return value !== null && isList(value) ? `list ${typeof value[0]}` : typeName(value);
}

function fromValue(value: Value): ExpressionValue | undefined {
	if (valueIs(value, T.string)) return value.data;
	if (valueIs(value, T.bool)) return value.data;
	if (valueIs(value, T.int)) return BigInt(value.data);
	if (valueIs(value, T.int64)) return value.data;
	if (valueIs(value, T.string.array)) return value.data;
	if (valueIs(value, T.bool.array)) return Array.from(value.data, (item) => item !== 0);
	if (valueIs(value, T.int.array)) return Array.from(value.data, BigInt);
	if (valueIs(value, T.int64.array)) return Array.from(value.data);
	return undefined;
}

function combine(name: 'and' | 'or', results: readonly Outcome[]): Outcome {
	const errors: string[] = [];
	let all: boolean | undefined;
	for (const [i, { value, errors: own }] of results.entries()) {
		if (own.length > 0) errors.push(...own);
		else if (typeof value !== 'boolean') errors.push(`${name}: Invalid type ${typeName(value)} for argument ${i}`);
		else {
			all = value;
			// what comes after a value that decides is not looked at
			if (value === (name === 'or')) break;
		}
	}
	return errors.length > 0 ? { value: null, errors } : good(all ?? null);
}

function compare(name: string, a: ExpressionValue, b: ExpressionValue): Outcome {
	if (exactType(a) !== exactType(b))
		return bad(`${name}: Cannot compare values of type ${typeName(a)} and ${typeName(b)}`);
	if (a === null || b === null) {
		if (name === 'eq' || name === 'neq') return good(name === 'eq');
		return bad(`${name}: Comparison operation not supported for None`);
	}
	if (isList(a) || isList(b)) return bad(`${name}: Unsupported type for comparison`);
	switch (name) {
		case 'eq':
			return good(a === b);
		case 'neq':
			return good(a !== b);
		case 'lt':
			return good(a < b);
		case 'leq':
			return good(a <= b);
		case 'gt':
			return good(a > b);
		default:
			return good(a >= b);
	}
}

function contains(where: ExpressionValue, what: ExpressionValue): Outcome {
	if (where === null || !(typeof where === 'string' || isList(where))) {
		return bad('contains: Value to search must be a list or string');
	}
	if (isList(where)) {
		if (where.length === 0) return good(false);
		if (what === null || typeof what !== typeof where[0]) return bad('contains: Invalid search value');
		return good(where.includes(what as string));
	}
	return typeof what === 'string' ? good(where.includes(what)) : bad('contains: Invalid search value');
}

function at(source: ExpressionValue, index: ExpressionValue): Outcome {
	if (typeof index !== 'bigint') return bad('at: Index must be an integer');
	if (source === null || !(typeof source === 'string' || isList(source))) {
		return bad('at: Only supported for lists or strings');
	}
	// positions in text count bytes, as OpenUSD does
	const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : undefined;
	const count = bytes?.length ?? source.length;
	const place = Number(index < 0n ? index + BigInt(count) : index);
	if (place < 0 || place >= count) return bad('at: Index out of range');
	if (bytes !== undefined) return good(new TextDecoder().decode(bytes.subarray(place, place + 1)));
	return good(source[place]!);
}

function length(source: ExpressionValue): Outcome {
	if (typeof source === 'string') return good(BigInt(new TextEncoder().encode(source).length));
	if (source !== null && isList(source)) return good(BigInt(source.length));
	return bad('len: Unsupported type');
}
