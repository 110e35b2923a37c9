import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberKind, NumberParser } from '../src/usda/number-parser.ts';
import { defaultOf } from './read-text.ts';

const parser = new NumberParser();

function parse(text: string): { readonly kind: number; readonly value: number; readonly rest: string } {
	const bytes = new TextEncoder().encode(`${text};`);
	const kind = parser.parse(bytes, 0);
	return { kind, value: parser.value, rest: text.slice(parser.end) };
}

const RUNS = { seed: 20261116, numRuns: 20_000 };

describe('number parser', () => {
	it('rounds decimal text as the language does', () => {
		const digits = fc.stringMatching(/^[0-9]{1,20}$/u);
		const text = fc
			.tuple(fc.boolean(), digits, fc.option(digits), fc.option(fc.integer({ min: -340, max: 320 })))
			.map(([minus, whole, fraction, power]) => {
				const point = fraction === null ? '' : `.${fraction}`;
				return `${minus ? '-' : ''}${whole}${point}${power === null ? '' : `e${power}`}`;
			});
		fc.assert(
			fc.property(text, (literal) => {
				expect(parse(literal).value).toBe(Number(literal));
			}),
			RUNS,
		);
	});

	it('reads back every double from its shortest text', () => {
		fc.assert(
			fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
				const text = Object.is(value, -0) ? '-0' : String(value);
				expect(parse(text).value).toBe(value);
			}),
			RUNS,
		);
	});

	it('reads 16 to 19 digits without an exponent exactly, halfway cases included', () => {
		const text = fc
			.tuple(fc.bigInt({ min: 10n ** 15n, max: 10n ** 19n - 1n }), fc.integer({ min: 0, max: 19 }))
			.map(([mantissa, at]) => {
				const all = String(mantissa).padStart(at + 1, '0');
				return at === 0 ? all : `${all.slice(0, -at)}.${all.slice(-at)}`;
			});
		fc.assert(
			fc.property(text, (literal) => {
				expect(parse(literal).value).toBe(Number(literal));
			}),
			RUNS,
		);
		for (const literal of [
			'9007199254740993',
			'9007199254740992.5',
			'1.00000000000000011102230246251565',
			'0.500000000000000055',
		])
			expect(parse(literal).value).toBe(Number(literal));
	});

	it.each([
		['12', NumberKind.integer, 12, ''],
		['-12x', NumberKind.integer, -12, 'x'],
		['-0', NumberKind.real, -0, ''],
		['.5', NumberKind.real, 0.5, ''],
		['5.', NumberKind.real, 5, ''],
		['5.e2', NumberKind.real, 500, ''],
		['1e+2', NumberKind.real, 100, ''],
		['1_0', NumberKind.integer, 1, '_0'],
		['-inf', NumberKind.real, Number.NEGATIVE_INFINITY, ''],
		['1e99999999999', NumberKind.real, Number.POSITIVE_INFINITY, ''],
		['0e99999999999', NumberKind.real, 0, ''],
	])('reads %s', (text, kind, value, rest) => {
		expect(parse(text)).toStrictEqual({ kind, value, rest });
	});

	it.each(['1e', '1e+', '.', '-.', '.e1'])('calls %s malformed', (text) => {
		expect(parse(text).kind).toBe(NumberKind.malformed);
	});

	it.each(['', '-', '+1', 'inf', '-x'])('does not take %j for a number', (text) => {
		expect(parse(text).kind).toBe(NumberKind.none);
	});
});

describe('arrays of numbers', () => {
	it('hold the same values as single numbers', () => {
		const number = fc.oneof(
			fc.double({ noNaN: true }).map(String),
			fc.integer().map(String),
			fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toExponential()),
		);
		const literal = number.map((text) =>
			/^-?\d{16,}$/u.test(text) ? `${text}.0` : text.replace('Infinity', 'inf').replace('+', ''),
		);
		const separator = fc.constantFrom(', ', ',', ' , ', ',\n', ' /* c */, ');
		const numberOf = (text: string) => (text.endsWith('inf') ? Number(text.replace('inf', 'Infinity')) : Number(text));
		fc.assert(
			fc.property(fc.array(literal, { minLength: 1, maxLength: 30 }), separator, (texts, by) => {
				const expected = texts.map(numberOf);
				expect(defaultOf(`double[] x = [${texts.join(by)}]`)?.data).toStrictEqual(Float64Array.from(expected));
				expect(defaultOf(`float[] x = [ ${texts.join(by)} ]`)?.data).toStrictEqual(Float32Array.from(expected));
				const pairs = texts.map((text) => `(${text}${by}${text})`);
				const doubled = expected.flatMap((value) => [value, value]);
				expect(defaultOf(`double2[] x = [${pairs.join(by)}]`)?.data).toStrictEqual(Float64Array.from(doubled));
			}),
			{ seed: 20261116, numRuns: 300 },
		);
	});

	it('hold 64-bit integers exactly', () => {
		const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
		fc.assert(
			fc.property(fc.array(int64, { minLength: 1, maxLength: 40 }), (values) => {
				expect(defaultOf(`int64[] x = [${values.join(', ')}]`)?.data).toStrictEqual(BigInt64Array.from(values));
			}),
			{ seed: 20261116, numRuns: 300 },
		);
	});
});
