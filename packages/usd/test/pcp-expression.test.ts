import { describe, expect, it } from 'vitest';
import { makeValue, T, type Value } from '../src/index.ts';
import { evaluateExpression, evaluateText, isExpression } from '../src/pcp/variable-expression.ts';

/** Spells `<A>` as a reference to the variable A. */
function spell(text: string): string {
	return text.replace(/<(\w*)>/g, (_, name: string) => `\${${name}}`);
}

const variables = new Map<string, Value>([
	['A', makeValue(T.string, 'x')],
	['N', makeValue(T.int, 3)],
	['B', makeValue(T.bool, true)],
	['L', makeValue(T.string.array, ['p', 'q'])],
	['NESTED', makeValue(T.string, spell('`"(<A>)"`'))],
	['LOOP', makeValue(T.string, spell('`<LOOP2>`'))],
	['LOOP2', makeValue(T.string, spell('`<LOOP>`'))],
	['F', makeValue(T.double, 1)],
]);
const value = (text: string): unknown => evaluateExpression(spell(`\`${text}\``), variables).value;
const errors = (text: string): readonly string[] => evaluateExpression(spell(`\`${text}\``), variables).errors;

describe('variable expressions', () => {
	it('are texts in backquotes', () => {
		expect(isExpression(spell('`<A>`'))).toBe(true);
		expect(isExpression('a.usda')).toBe(false);
		expect(isExpression('`')).toBe(false);
	});

	it('substitute variables, also nested ones', () => {
		expect(value('"a_<A>_b"')).toBe('a_x_b');
		expect(value('<NESTED>')).toBe('(x)');
		expect(value("'it\\'s <A>'")).toBe("it's x");
		expect(value('"<MISSING>"')).toBe(spell('<MISSING>'));
	});

	it('put texts alone into a text', () => {
		expect(errors('"a_<N>"')).toEqual(["String value required for substituting variable 'N', got int."]);
		expect(errors('"a_<B>"')).toEqual(["String value required for substituting variable 'B', got bool."]);
		expect(errors('"a_<L>"')).toEqual(["String value required for substituting variable 'L', got list."]);
	});

	it('look into lists of any length for values of their kind', () => {
		expect(value('contains(["a"], "a")')).toBe(true);
		expect(value('contains(["a"], "b")')).toBe(false);
		expect(value('contains([3, 4], 4)')).toBe(true);
		expect(value('contains([], 4)')).toBe(false);
		expect(errors('contains(["a"], 1)')).toEqual(['contains: Invalid search value']);
		expect(errors('contains([1], "a")')).toEqual(['contains: Invalid search value']);
	});

	it('know the functions of OpenUSD', () => {
		expect(value('if(eq(<A>, "x"), "yes", "no")')).toBe('yes');
		expect(value('if(neq(<A>, "x"), "yes")')).toBe(null);
		expect(value('if(eq(<A>, "x"), "yes")')).toBe('yes');
		expect(value('if(neq(<A>, "x"), "yes", "no")')).toBe('no');
		expect(value('and(<B>, lt(<N>, 4), geq(<N>, 3))')).toBe(true);
		expect(value('or(not(<B>), false)')).toBe(false);
		expect(value('contains(<L>, "q")')).toBe(true);
		expect(value('at("abc", -1)')).toBe('c');
		expect(value('len(<L>)')).toBe(2n);
		expect(value('defined("A", "N")')).toBe(true);
		expect(value('[1, 2]')).toEqual([1n, 2n]);
	});

	it('are told which variables are defined by names, which may be expressions', () => {
		// A is "x", and there is no variable x
		expect(value('defined(if(<B>, "A", "N"))')).toBe(true);
		expect(value('defined("<A>")')).toBe(false);
		expect(value('defined("A", "missing", "N")')).toBe(false);
		expect(errors('defined(1, "A", <B>, "missing")')).toEqual([
			'defined: Invalid type int for argument 0',
			'defined: Invalid type bool for argument 2',
		]);
		expect(errors('defined(<missing>, None)')).toEqual([
			"No value for variable 'missing'",
			'defined: Invalid type None for argument 1',
		]);
	});

	it('compare values of one type', () => {
		for (const [a, b] of [
			['1', '2'],
			['"a"', '"b"'],
			['false', 'true'],
		] as const) {
			const results = (x: string, y: string): unknown[] =>
				['eq', 'neq', 'lt', 'leq', 'gt', 'geq'].map((name) => value(`${name}(${x}, ${y})`));
			expect(results(a, b)).toEqual([false, true, true, true, false, false]);
			expect(results(b, a)).toEqual([false, true, false, false, true, true]);
			expect(results(a, a)).toEqual([true, false, false, true, false, true]);
		}
		expect([value('eq(None, None)'), value('neq(None, None)')]).toEqual([true, false]);
		for (const name of ['lt', 'leq', 'gt', 'geq']) {
			expect(errors(`${name}(None, None)`)).toEqual([`${name}: Comparison operation not supported for None`]);
		}
		expect(errors('eq(1, "1")').length).toBe(1);
		expect(errors('eq([1], [1])')).toEqual(['eq: Unsupported type for comparison']);
	});

	it('hold integers of 64 bits', () => {
		expect(value('9223372036854775807')).toBe(9223372036854775807n);
		expect(value('-9223372036854775808')).toBe(-9223372036854775808n);
		expect(errors('9223372036854775808')).toEqual(['Integer 9223372036854775808 out of range. at character 20']);
	});

	it('tell which variable has an expression that cannot be read', () => {
		const bad = new Map([['BAD', makeValue(T.string, '`foo(`')]]);
		const found = evaluateExpression(spell('`<BAD>`'), bad);
		expect(found.errors).toEqual(["Missing ending ')' at character 5 (in variable 'BAD')"]);
	});

	it('say what is wrong as OpenUSD does', () => {
		expect(errors('<X>')).toEqual(["No value for variable 'X'"]);
		expect(errors('"<>"')).toEqual(['Variables must be a C identifier at character 4']);
		expect(errors('foo(1)')).toEqual(['Unknown function foo']);
		expect(errors('"abc')).toEqual(["Missing ending '\"' at character 6"]);
		expect(errors('[1,2')).toEqual(["Missing ending ']' at character 5"]);
		expect(errors('')).toEqual(['Unexpected expression at character 1']);
		expect(errors('defined(X)')).toEqual(["Missing ending ')' at character 9"]);
		expect(errors('"a" b')).toEqual(["Missing ending '`' at character 4"]);
		expect(errors(' "a" ')).toEqual(['Unexpected expression at character 1']);
		expect(errors('and(true)')).toEqual(["Function 'and' requires at least 2 arguments."]);
		expect(errors('len(1)')).toEqual(['len: Unsupported type']);
		expect(errors('<LOOP>')[0]).toContain('circular');
		expect(errors('<F>')[0]).toContain('unsupported type');
	});

	it('name the whole circle of variables that lead to each other', () => {
		const circle = new Map([
			['A', makeValue(T.string, spell('`<B>`'))],
			['B', makeValue(T.string, spell('`"<C>"`'))],
			['C', makeValue(T.string, spell('`<A>`'))],
		]);
		expect(evaluateExpression(spell('`<A>`'), circle).errors).toEqual([
			"Encountered circular variable substitutions: ['A', 'B', 'C', 'A']",
		]);
	});

	it('end when they are nested too deeply', () => {
		expect(errors(`${'['.repeat(5000)}1`)[0]).toContain('nested too deeply');
	});

	it('must give text where a path is wanted', () => {
		expect(evaluateText(spell('`<A>`'), variables)).toEqual({ value: 'x', errors: [] });
		expect(evaluateText('`None`', variables)).toEqual({ value: '', errors: [] });
		expect(evaluateText('`3`', variables).errors).toHaveLength(1);
	});
});
