import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDictionary, compareUtf8 } from '../src/sdf/dictionary-order.ts';

describe('dictionary order', () => {
	// the order in which OpenUSD 26.11 lists them
	const SORTED = ['_a', 'A', 'a', 'a1', 'a2', 'a02', 'a10', 'a:B', 'a:b', 'a_', 'a_b', 'aB', 'ab', 'as', 'B', 'b'];

	it('sorts letters without case, underscores first and numbers by value', () => {
		const shuffled = SORTED.map((name, i) => ({ name, key: (i * 7) % 16 })).sort((a, b) => a.key - b.key);
		expect(shuffled.map(({ name }) => name).sort(compareDictionary)).toEqual(SORTED);
	});

	// answers of Tf.DictionaryStrcmp
	it.each([
		['apple', 'banana', -1],
		['apple㤻', 'apple㤼', -1],
		['aü', 'a0', 1],
		['a01', 'a1', 1],
		['a0', 'a00', -1],
		['Abc', 'abC', -1],
		['a9b', 'a10', -1],
		['', 'a', -1],
		['\ue000', '😀', -1],
		['x12y', 'x012y', -1],
	])('puts %j and %j in order %d', (a, b, expected) => {
		expect(Math.sign(compareDictionary(a, b))).toBe(expected);
		expect(Math.sign(compareDictionary(b, a))).toBe(-expected);
	});

	it('gives 0 for equal names only, and opposite signs when swapped', () => {
		const name = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '_', '0', '1', '10', ':', 'é'), maxLength: 6 });
		fc.assert(
			fc.property(name, name, (a, b) => {
				const order = compareDictionary(a, b);
				return (order === 0) === (a === b) && Math.sign(compareDictionary(b, a)) === -Math.sign(order);
			}),
			{ seed: 5, numRuns: 5000 },
		);
	});
});

describe('byte order', () => {
	it('equals the order of UTF-8 bytes', () => {
		const encoder = new TextEncoder();
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 5 }),
				fc.string({ unit: 'grapheme', maxLength: 5 }),
				(a, b) => {
					const x = encoder.encode(a);
					const y = encoder.encode(b);
					let i = 0;
					while (i < x.length && i < y.length && x[i] === y[i]) i++;
					return Math.sign(compareUtf8(a, b)) === Math.sign((x[i] ?? -1) - (y[i] ?? -1));
				},
			),
			{ seed: 6, numRuns: 3000 },
		);
	});
});
