import { halfToNumber, numberToHalf } from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NUMBER_BYTES, writeDouble, writeFloat, writeInt } from '../src/text/format-number.ts';
import { writeHalf } from '../src/usda/format-half.ts';

const SEED = 20260301;

type Writer = (bytes: Uint8Array, at: number, value: number) => number;

function text(write: Writer, value: number): string {
	const bytes = new Uint8Array(MAX_NUMBER_BYTES);
	return new TextDecoder().decode(bytes.subarray(0, write(bytes, 0, value)));
}

function floatFromBits(bits: number): number {
	return new Float32Array(Uint32Array.of(bits).buffer)[0]!;
}

function doubleFromBits(bits: bigint): number {
	return new Float64Array(BigUint64Array.of(bits).buffer)[0]!;
}

/** Reads what the writer may print, `inf` and `nan` included. */
function parse(printed: string): number {
	return Number(printed.replace('inf', 'Infinity'));
}

describe('doubles', () => {
	// printed by OpenUSD 26.11
	it.each([
		[0, '0'],
		[-0, '-0'],
		[1, '1'],
		[-1, '-1'],
		[0.1, '0.1'],
		[1e14, '100000000000000'],
		[999999999999999, '999999999999999'],
		[1e15, '1e15'],
		[1e21, '1e21'],
		[0.000001, '0.000001'],
		[1e-7, '1e-7'],
		[1.5e-7, '1.5e-7'],
		[123456789012345.6, '123456789012345.6'],
		[5e-324, '5e-324'],
		[1.7976931348623157e308, '1.7976931348623157e308'],
		[Number.POSITIVE_INFINITY, 'inf'],
		[Number.NEGATIVE_INFINITY, '-inf'],
		[Number.NaN, 'nan'],
		[0.1 + 0.2, '0.30000000000000004'],
		[4294967296.5, '4294967296.5'],
		[-2147483648, '-2147483648'],
	])('prints %d as %s', (value, expected) => {
		expect(text(writeDouble, value)).toBe(expected);
	});

	it('read back to the same bits', () => {
		fc.assert(
			fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (bits) => {
				const value = doubleFromBits(bits);
				return Object.is(parse(text(writeDouble, value)), value);
			}),
			{ seed: SEED, numRuns: 20000 },
		);
	});

	it('have the digits that the engine finds', () => {
		fc.assert(
			fc.property(
				fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
				fc.integer({ min: 0, max: 17 }),
				(value, places) => {
					const rounded = Number(value.toPrecision(Math.max(places, 1)));
					const digits = (printed: string) =>
						printed
							.replace(/e.*/, '')
							.replace(/[-.]/g, '')
							.replace(/^0+|0+$/g, '');
					return digits(text(writeDouble, rounded)) === digits(rounded.toString());
				},
			),
			{ seed: SEED, numRuns: 20000 },
		);
	});
});

describe('floats', () => {
	// printed by OpenUSD 26.11
	it.each([
		[0.1, '0.1'],
		[1e14, '100000000000000'],
		[999999986991104, '1e15'],
		[3.4028235e38, '3.4028235e38'],
		[1.17549435e-38, '1.1754944e-38'],
		[1e-45, '1e-45'],
		[1e-6, '0.000001'],
		[1e-7, '1e-7'],
		[-0, '-0'],
		[16777216, '16777216'],
		[54422552, '54422550'],
		[-2175463.75, '-2175463.8'],
		[3061734.25, '3061734.2'],
		[2263439872, '2263440000'],
		[119375456, '119375460'],
	])('prints %d as %s', (value, expected) => {
		expect(text(writeFloat, Math.fround(value))).toBe(expected);
	});

	it('read back to the same bits with no digit too many', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 0xffffffff }), (bits) => {
				const value = floatFromBits(bits);
				const printed = text(writeFloat, value);
				if (!Object.is(Math.fround(parse(printed)), value)) return false;
				// below powers of two the interval is lopsided, which `toPrecision` does not know
				if ((bits & 0x7fffff) === 0 || !Number.isFinite(value)) return true;
				let precision = 1;
				while (Math.fround(Number(value.toPrecision(precision))) !== value) precision++;
				return (
					printed
						.replace(/e.*/, '')
						.replace(/[-.]/g, '')
						.replace(/^0+|0+$/g, '').length <= precision
				);
			}),
			{ seed: SEED, numRuns: 30000 },
		);
	});

	it('with few decimals print as they were rounded', () => {
		fc.assert(
			fc.property(fc.integer({ min: -999999, max: 999999 }), fc.integer({ min: 0, max: 9 }), (digits, places) => {
				const decimal = `${digits}e-${places}`;
				return Number(text(writeFloat, Math.fround(Number(decimal)))) === Number(decimal);
			}),
			{ seed: SEED, numRuns: 20000 },
		);
	});
});

describe('halfs', () => {
	// printed by OpenUSD 26.11
	it.each([
		[0.1, '0.0999756'],
		[6.1035e-5, '6.10352e-05'],
		[1e-7, '1.19209e-07'],
		[65504, '65504'],
		[1000.5, '1000.5'],
		[0.333, '0.333008'],
		[2 ** -10, '0.000976562'],
		[-0, '-0'],
	])('prints %d as %s', (value, expected) => {
		expect(text(writeHalf, halfToNumber(numberToHalf(value)))).toBe(expected);
	});

	it('all read back to the same half', () => {
		for (let bits = 0; bits < 0x10000; bits++) {
			const value = halfToNumber(bits);
			const back = parse(text(writeHalf, value));
			if (!Object.is(halfToNumber(numberToHalf(back)), value))
				expect.fail(`half 0x${bits.toString(16)} reads as ${back}`);
		}
	});
});

describe('integers', () => {
	it('print their decimal digits', () => {
		fc.assert(
			fc.property(fc.maxSafeInteger(), (value) => text(writeInt, value) === value.toString()),
			{ seed: SEED, numRuns: 5000 },
		);
		for (let value = 1; value < Number.MAX_SAFE_INTEGER; value *= 10) {
			for (const near of [value - 1, value, value + 1, -value]) expect(text(writeInt, near)).toBe(near.toString());
		}
	});
});
