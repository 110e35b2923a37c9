import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateExpression } from '../src/expression.ts';

const value = (text: string): number => {
	const result = evaluateExpression(text);
	if ('fault' in result) throw new Error(result.fault);
	return result.value;
};

describe('expressions', () => {
	it.each([
		['pi * 0.5', Math.PI / 2],
		['-pi', -Math.PI],
		['(1+2)/3', 1],
		['1e6', 1e6],
		['2 - 3 - 4', -5],
		['8 / 4 / 2', 1],
		['2 + 3 * 4', 14],
		['-(2 + 3) * -4', 20],
		['+ +1', 1],
		['.5', 0.5],
		['5.', 5],
		['0x10', 16],
		['1_000', 1000],
		['3 ', 3],
	])('%s', (text, expected) => {
		expect(value(text)).toBe(expected);
	});

	it.each([
		['', 0, 'expected a number'],
		[' 2', 0, 'begins with a space'],
		['pi *', 4, 'found the end'],
		['2**3', 2, "found '*'"],
		['3 % 2', 2, "found '%'"],
		['1/0', 1, 'divides by zero'],
		['1 / (2 - 2)', 2, 'divides by zero'],
		['inf', 0, "'inf' is not known"],
		['tau', 0, "'tau' is not known"],
		['True', 0, "'True' is not known"],
		['1 if 1 else 2', 2, "found 'i'"],
		['(1 + 2', 6, "expected ')'"],
		['1 2', 2, "found '2'"],
		['1__0', 0, 'is not a number'],
		['0x', 0, 'is not a number'],
		['1e400', 0, 'comes to Infinity'],
		['π', 0, "'π' is not known"],
	])('refuses %j at %i', (text, at, fault) => {
		const result = evaluateExpression(text);
		expect(result).toMatchObject({ at, fault: expect.stringContaining(fault) });
	});

	it.each([
		"__import__('os').system('ls')",
		'constructor.constructor("return process")()',
		'globalThis',
		'pi.constructor',
		'[].filter',
		'1; process.exit()',
		'pi()',
		'a = 1',
		'"1"',
		'1\n+alert(1)',
		'Math.PI',
	])('executes nothing of %j', (text) => {
		expect(evaluateExpression(text)).toHaveProperty('fault');
	});

	it('is bounded in length and depth', () => {
		expect(evaluateExpression('('.repeat(10_000))).toHaveProperty('fault');
		expect(value(`${'('.repeat(100)}1${')'.repeat(100)}`)).toBe(1);
	});

	it('gives the value of any tree of numbers and operators', () => {
		interface Tree {
			readonly text: string;
			readonly value: number;
		}
		const leaf = fc.oneof(
			fc.constant<Tree>({ text: 'pi', value: Math.PI }),
			fc.integer({ min: 0, max: 999 }).map<Tree>((n) => ({ text: String(n), value: n })),
			fc.double({ min: 0.001, max: 1000, noNaN: true }).map<Tree>((n) => ({ text: String(n), value: n })),
		);
		const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 4 },
				leaf,
				tie('tree').map((a) => ({ text: `-(${a.text})`, value: -a.value })),
				fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([a, op, b]) => ({
					text: `(${a.text}) ${op} (${b.text})`,
					value: { '+': a.value + b.value, '-': a.value - b.value, '*': a.value * b.value, '/': a.value / b.value }[
						op
					]!,
				})),
			),
		}));
		fc.assert(
			fc.property(tree, (sample) => {
				fc.pre(sample.text.length <= 256 && Number.isFinite(sample.value));
				expect(value(sample.text)).toBe(sample.value);
			}),
		);
	});

	it('ends with a number or a fault for any text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
				const result = evaluateExpression(text);
				expect('fault' in result || Number.isFinite(result.value)).toBe(true);
			}),
		);
		const tokens = fc.array(fc.constantFrom('1', '.5', 'pi', '+', '-', '*', '/', '(', ')', ' ', 'e', '_', 'x'), {
			maxLength: 30,
		});
		fc.assert(
			fc.property(tokens, (parts) => {
				const result = evaluateExpression(parts.join(''));
				expect('fault' in result || Number.isFinite(result.value)).toBe(true);
			}),
		);
	});
});
