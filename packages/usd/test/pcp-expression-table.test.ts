/** Random variable expressions with the values and errors of OpenUSD 26.11; `conformance/oracle/expressions.py` made them. Left out are those where only the place or the choice of a syntax error differs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeValue, T, type Value } from '../src/index.ts';
import { evaluateExpression } from '../src/pcp/variable-expression.ts';

const VARIABLES = new Map<string, Value>([
	['S', makeValue(T.string, 'x')],
	['T', makeValue(T.string, 'abc')],
	['N', makeValue(T.int64, 3n)],
	['M', makeValue(T.int64, -2n)],
	['B', makeValue(T.bool, true)],
	['C', makeValue(T.bool, false)],
	['L', makeValue(T.string.array, ['p', 'q', 'x'])],
	['I', makeValue(T.int64.array, BigInt64Array.of(1n, 3n, 5n))],
	['F', makeValue(T.bool.array, Uint8Array.of(1, 0))],
	['E', makeValue(T.string, '`$' + '{S}`')],
	['D', makeValue(T.string, '`if($' + '{B}, $' + "{T}, 'no')`")],
]);

type Row = [expression: string, value: unknown, errors: string[]];

const rows = readFileSync(join(import.meta.dirname, 'golden/expressions.jsonl'), 'utf8')
	.trimEnd()
	.split('\n')
	.map((line) => JSON.parse(line) as Row);

/** Integers as the file has them. */
function plain(value: unknown): unknown {
	if (typeof value === 'bigint') return { int: String(value) };
	return Array.isArray(value) ? value.map(plain) : value;
}

it.each(rows)('%s', (expression, expected, errors) => {
	const found = evaluateExpression(expression, VARIABLES);
	expect({ value: plain(found.value), errors: found.errors }).toEqual({ value: expected, errors });
});
