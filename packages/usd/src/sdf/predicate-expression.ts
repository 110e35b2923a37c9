import { formatDouble } from '../text/format-number.ts';
import { quoteString } from '../text/quote-string.ts';
import { type ExpressionTree, formatTree, TreeBuilder } from './expression-tree.ts';
import { ExpressionFault, type TextCursor } from './text-cursor.ts';

/** An argument of a predicate; `integer` and `real` both hold numbers but print differently when large. */
export interface PredicateArgument {
	/** Empty for a positional one. */
	readonly name: string;
	readonly value: string | bigint | number | boolean;
}

/** A call of a predicate function: `isModel`, `isa:Cube` or `isa(Cube, strict=true)`. */
export interface PredicateCall {
	readonly name: string;
	readonly style: 'bare' | 'colon' | 'parentheses';
	readonly args: readonly PredicateArgument[];
}

/** A condition on prims: calls joined by `not`, juxtaposition, `and`, `or`, in falling precedence. */
export type PredicateExpression = ExpressionTree<PredicateCall>;

const NOT = 0;
const IMPLIED_AND = 1;
const AND = 2;
const OR = 3;
const SPELLINGS = ['not ', ' ', ' and ', ' or '] as const;

/** Parses the predicate between braces, up to the closing one. */
export function parsePredicate(cursor: TextCursor): PredicateExpression {
	const builder = new TreeBuilder<PredicateExpression>((operator, left, right) => ({ operator, left, right }));
	cursor.skipBlanks();
	parseOperand(cursor, builder);
	for (;;) {
		const start = cursor.at;
		cursor.skipBlanks();
		if (cursor.isAtEnd || cursor.sees('}') || cursor.sees(')')) {
			if (!cursor.sees(')') || builder.depth === 0) return builder.finish();
			cursor.at++;
			builder.close();
			continue;
		}
		if (cursor.match(AND_WORD) !== undefined) builder.operator(AND);
		else if (cursor.match(OR_WORD) !== undefined) builder.operator(OR);
		else if (cursor.at > start) builder.operator(IMPLIED_AND);
		else throw new ExpressionFault(cursor.at, "'}' to close the predicate");
		cursor.skipBlanks();
		parseOperand(cursor, builder);
	}
}

/** A predicate as OpenUSD spells it. */
export function formatPredicate(predicate: PredicateExpression): string {
	return formatTree(predicate, SPELLINGS, formatCall);
}

const NOT_WORD = /not(?![A-Za-z0-9_])/y;
const AND_WORD = /and(?![A-Za-z0-9_])/y;
const OR_WORD = /or(?![A-Za-z0-9_])/y;
const RESERVED = /^(?:not|and|or|inf|true|false)$/;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const REAL = /-?(?:inf(?![A-Za-z0-9_])|[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+))/y;
const INTEGER = /-?[0-9]+/y;
const BOOLEAN = /(?:true|false)(?![A-Za-z0-9_])/y;
const QUOTED = /"(?:[^"\\]|\\["\\bfnrt])*"|'(?:[^'\\]|\\['\\bfnrt])*'/y;
const UNQUOTED = /[A-Za-z0-9_~!@#$%^&*\-+=|\\.?/]*/y;

/** Parses what may stand between operators: `not`s and opening parentheses, then a call. */
function parseOperand(cursor: TextCursor, builder: TreeBuilder<PredicateExpression>): void {
	for (;;) {
		cursor.skipBlanks();
		if (cursor.match(NOT_WORD) !== undefined) builder.operator(NOT);
		else if (cursor.take('(')) builder.open(cursor.at);
		else break;
	}
	builder.operand({ operand: parseCall(cursor) });
}

function parseCall(cursor: TextCursor): PredicateCall {
	const start = cursor.at;
	const name = cursor.match(IDENTIFIER);
	if (name === undefined || RESERVED.test(name)) throw new ExpressionFault(start, 'a predicate function');
	if (cursor.take(':')) {
		const args: PredicateArgument[] = [];
		do args.push({ name: '', value: parseArgument(cursor) });
		while (cursor.take(','));
		return { name, style: 'colon', args };
	}
	const end = cursor.at;
	cursor.skipBlanks();
	if (cursor.take('(')) return { name, style: 'parentheses', args: parseArguments(cursor) };
	cursor.at = end;
	return { name, style: 'bare', args: [] };
}

/** Parses arguments and the closing parenthesis. Once one has a name, all that follow need one. */
function parseArguments(cursor: TextCursor): PredicateArgument[] {
	const args: PredicateArgument[] = [];
	let isNamed = false;
	cursor.skipBlanks();
	do {
		cursor.skipBlanks();
		const start = cursor.at;
		const word = cursor.match(IDENTIFIER) ?? '';
		cursor.skipBlanks();
		if (word !== '' && !RESERVED.test(word) && cursor.take('=')) {
			isNamed = true;
			cursor.skipBlanks();
			args.push({ name: word, value: parseArgument(cursor) });
		} else {
			cursor.at = start;
			if (isNamed) throw new ExpressionFault(start, 'an argument with a name');
			args.push({ name: '', value: parseArgument(cursor) });
		}
		cursor.skipBlanks();
	} while (cursor.take(','));
	if (!cursor.take(')')) throw new ExpressionFault(cursor.at, "')' after the arguments");
	return args;
}

function parseArgument(cursor: TextCursor): PredicateArgument['value'] {
	const real = cursor.match(REAL);
	if (real !== undefined) return Number(real.replace('inf', 'Infinity'));
	const start = cursor.at;
	const integer = cursor.match(INTEGER);
	if (integer !== undefined) {
		const value = BigInt(integer);
		if (BigInt.asIntN(64, value) === value) return value;
		cursor.at = start;
	}
	const boolean = cursor.match(BOOLEAN);
	if (boolean !== undefined) return boolean === 'true';
	if (cursor.sees('"') || cursor.sees("'")) {
		const quoted = cursor.match(QUOTED);
		if (quoted === undefined) throw new ExpressionFault(cursor.at, 'a string that ends');
		return unescapeArgument(quoted.slice(1, -1));
	}
	return unescapeArgument(cursor.match(UNQUOTED) ?? '');
}

const ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescapeArgument(text: string): string {
	return text.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}

function formatCall(call: PredicateCall): string {
	if (call.style === 'bare') return call.name;
	const args = call.args.map(({ name, value }) =>
		name === '' ? formatArgument(value) : `${name}=${formatArgument(value)}`,
	);
	if (call.style === 'parentheses') return `${call.name}(${args.join(', ')})`;
	return `${call.name}:${args.join(',')}`;
}

function formatArgument(value: PredicateArgument['value']): string {
	if (typeof value === 'string') return quoteString(value);
	if (typeof value === 'boolean') return value ? '1' : '0';
	return typeof value === 'number' ? formatDouble(value) : value.toString();
}
