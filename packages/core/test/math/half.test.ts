import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import { describe, expect, it } from 'vitest';

describe('half', () => {
	it('keeps all bit patterns except the payloads of not-a-number', () => {
		for (let bits = 0; bits < 65536; bits++) {
			const value = halfToNumber(bits);
			if (Number.isNaN(value)) expect(Number.isNaN(halfToNumber(numberToHalf(value)))).toBe(true);
			else if (numberToHalf(value) !== bits) expect.fail(`${bits} came back as ${numberToHalf(value)}`);
		}
	});

	it('rounds halfway values to even', () => {
		expect(halfToNumber(numberToHalf(2049))).toBe(2048);
		expect(halfToNumber(numberToHalf(2051))).toBe(2052);
		expect(halfToNumber(numberToHalf(2 ** -25))).toBe(0);
		expect(halfToNumber(numberToHalf(3 * 2 ** -25))).toBe(2 ** -23);
		expect(halfToNumber(numberToHalf(65519))).toBe(65504);
		expect(halfToNumber(numberToHalf(65520))).toBe(Number.POSITIVE_INFINITY);
	});
});
