import { describe, expect, test } from 'vitest';
import { parseExpression } from '../src/expression/expression.ts';

function value(text: string, values: Readonly<Record<string, number | string>> = {}): unknown {
	const parsed = parseExpression(text);
	if ('fault' in parsed) return `${parsed.at}: ${parsed.fault}`;
	return parsed.evaluate(parsed.names.map((name) => values[name.text]!));
}

describe('expressions', () => {
	test.each([
		['1 + 2 * 3', 7],
		['(1 + 2) * 3 - -4 / 2', 11],
		['2 - 3 - 4', -5],
		['1e-3 * 1000', 1],
		['pi > 3.14 and pi < 3.15', 1],
		['not (1 > 2) or 1 == 2', 1],
		['!(2 <= 1) && 3 >= 3', 1],
		['max(1, 5, 2) + min(4, 3) + abs(-2) + sqrt(16) + floor(2.7) + hypot(3, 4)', 21],
		['exp(0) + log(1)', 1],
		['1 != 2', 1],
	])('%s is %d', (text, expected) => {
		expect(value(text)).toBe(expected);
	});

	test('names are parameters and quantities, with paths behind a colon', () => {
		const parsed = parseExpression('position:/Robot/base.z < 0.2 and mu*mass_arm < 2');
		expect('fault' in parsed ? parsed : parsed.names).toEqual([
			{ text: 'position:/Robot/base.z', at: 0 },
			{ text: 'mu', at: 33 },
			{ text: 'mass_arm', at: 36 },
		]);
		expect(value('velocity:"a b/c".x + 1', { 'velocity:"a b/c".x': 4 })).toBe(5);
	});

	test('texts can be compared, and are no numbers', () => {
		expect(value("solver == 'sap'", { solver: 'sap' })).toBe(1);
		expect(value('solver != "sap"', { solver: 'mujoco' })).toBe(1);
		expect(value('solver + 1 > 0', { solver: 'sap' })).toBe(0);
	});

	test.each([
		['1 +', "3: found the end, expected a number, a name or '('"],
		['(1', "2: found the end, expected ')'"],
		['1 2', "2: found '2', expected an operator or the end"],
		['cos(1)', "0: there is no function 'cos', expected abs, sqrt, floor, exp, log, min, max, hypot"],
		['abs(1, 2)', '0: abs takes 1 value, found 2'],
		['a ; b', "2: found ';', expected an operator or the end"],
		['', "0: found the end, expected a number, a name or '('"],
	])('%s is refused where it is wrong', (text, expected) => {
		expect(value(text)).toBe(expected);
	});

	test('long and deep texts end without an exception', () => {
		expect(value('('.repeat(900))).toMatch(/nested deeper/);
		expect(value('-'.repeat(900))).toMatch(/nested deeper/);
		expect(value('1'.repeat(2000))).toMatch(/2000 characters/);
	});
});
