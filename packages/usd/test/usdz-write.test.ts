import { Report } from '@manyworlds/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../src/usdz/crc32.ts';
import { readUsdz } from '../src/usdz/read-usdz.ts';
import { type UsdzInput, writeUsdz } from '../src/usdz/write-usdz.ts';

const encoder = new TextEncoder();
const layer = (name: string): UsdzInput => ({ name, bytes: encoder.encode('#usda 1.0\n') });

describe('crc32', () => {
	it('gives the checksums of zip', () => {
		expect(crc32(encoder.encode('123456789'))).toBe(0xcbf43926);
		expect(crc32(new Uint8Array(0))).toBe(0);
	});

	it('continues from a checksum', () => {
		const bytes = Uint8Array.from({ length: 100 }, (_, i) => i * 37);
		for (let cut = 0; cut <= 100; cut++) {
			expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(crc32(bytes));
		}
	});
});

describe('written packages', () => {
	it('store every member at a multiple of 64 bytes, root layer first', () => {
		const size = fc.integer({ min: 0, max: 300 });
		const name = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '漢', '-'), minLength: 1, maxLength: 70 });
		fc.assert(
			fc.property(fc.uniqueArray(fc.tuple(name, size), { selector: ([text]) => text, maxLength: 8 }), (files) => {
				const inputs = files.map(([text, length]) => ({ name: `d/${text}`, bytes: new Uint8Array(length).fill(7) }));
				const report = new Report();
				const bytes = writeUsdz([...inputs, layer('root.usda')], { rootLayer: 'root.usda' });
				const { entries, rootLayer } = readUsdz(bytes, { report });
				expect(report.toArray()).toEqual([]);
				expect(rootLayer).toBe(entries[0]);
				expect(entries.map((entry) => entry.name)).toEqual(['root.usda', ...inputs.map((input) => input.name)]);
				for (const [i, entry] of entries.slice(1).entries()) {
					expect(entry.offset % 64).toBe(0);
					expect(entry.bytes).toEqual(inputs[i]!.bytes);
					expect(entry.bytes.buffer).toBe(bytes.buffer);
				}
			}),
			{ seed: 21, numRuns: 100 },
		);
	});

	it('are the same bytes for the same entries', () => {
		const entries = [layer('a.usda'), layer('b/c.usda')];
		expect(writeUsdz(entries)).toEqual(writeUsdz(entries));
	});

	it('have stored members, no comment, and a fixed date', () => {
		const bytes = writeUsdz([layer('a.usda')]);
		const view = new DataView(bytes.buffer);
		expect(view.getUint16(8, true)).toBe(0);
		expect(view.getUint16(12, true)).toBe(0x21);
		// the extra field that pads
		expect(view.getUint16(30 + 6, true)).toBe(0x1986);
		expect(view.getUint32(bytes.length - 22, true)).toBe(0x06054b50);
	});

	it.each([
		['no entries', []],
		['a root that is no layer', [{ name: 'a.png', bytes: new Uint8Array(1) }]],
		['a name twice', [layer('a.usda'), layer('a.usda')]],
		['a name that leaves the package', [layer('a.usda'), layer('../b.usda')]],
		['an absolute name', [layer('a.usda'), layer('/b.usda')]],
	])('refuse %s', (_, entries) => {
		expect(() => writeUsdz(entries)).toThrow(TypeError);
	});
});
