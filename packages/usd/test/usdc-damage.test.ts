import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { MemoryData } from '../src/sdf/memory-data.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import { makeTimeSamples, makeValue, type RawCrateValue, type TimeSamples, type Value } from '../src/sdf/value.ts';
import { T } from '../src/sdf/value-type.ts';
import type { CrateData } from '../src/usdc/crate-data.ts';
import { crateLimits } from '../src/usdc/crate-limits.ts';
import { readUsdc } from '../src/usdc/crate-reader.ts';
import { writeUsdc } from '../src/usdc/crate-writer.ts';

const PRIM = Path.root.appendChild('Prim');

/** A file with one prim and `fields` on it. */
function fileWith(fields: Record<string, Value>): Uint8Array {
	const data = new MemoryData();
	data.createSpec(Path.root, SpecType.pseudoRoot);
	data.createSpec(PRIM, SpecType.prim);
	for (const [name, value] of Object.entries(fields)) data.setField(PRIM, name, value);
	return writeUsdc(data);
}

/** Reads everything there is; never throws. */
function readAll(bytes: Uint8Array): { data: CrateData; report: Report } {
	const report = new Report();
	const data = readUsdc(bytes, { report, file: 'f.usdc' });
	for (const path of data.paths()) {
		for (const name of data.fieldNames(path)) {
			const value = data.field(path, name);
			if (value?.type !== T.timeSamples) continue;
			const samples = value.data as TimeSamples;
			for (let i = 0; i < samples.times.length; i++) samples.valueAt(i);
		}
	}
	return { data, report };
}

function codes(report: Report): string[] {
	return [...new Set(report.toArray().map((diagnostic) => diagnostic.code))];
}

const dictionary = new Map<string, Value>([
	['inner', makeValue(T.dictionary, new Map<string, Value>([['x', makeValue(T.double, 0.1)]]))],
	['points', makeValue(T.float3.array, Float32Array.of(1, 2, 3))],
]);
const FIELDS: Record<string, Value> = {
	ints: makeValue(
		T.int.array,
		Int32Array.from({ length: 500 }, (_, i) => i * i),
	),
	wide: makeValue(
		T.int64.array,
		BigInt64Array.from({ length: 100 }, (_, i) => BigInt(i) ** 9n),
	),
	table: makeValue(
		T.double.array,
		Float64Array.from({ length: 100 }, (_, i) => (i % 3) / 7),
	),
	whole: makeValue(
		T.float.array,
		Float32Array.from({ length: 100 }, (_, i) => i),
	),
	texts: makeValue(T.token.array, ['a', 'b', 'c']),
	dictionary: makeValue(T.dictionary, dictionary),
	matrix: makeValue(T.matrix4d, new Float64Array(16).fill(0.5)),
	timeSamples: makeValue(
		T.timeSamples,
		makeTimeSamples(Float64Array.of(1, 2), [makeValue(T.double, 0.1), makeValue(T.double, 0.2)]),
	),
	unregistered: makeValue(T.unregistered, new Map(dictionary)),
};

describe('damaged crate files', () => {
	it('that are no crates or of another version are named', () => {
		const good = fileWith({});
		expect(codes(readAll(new Uint8Array(0)).report)).toEqual(['USDC001']);
		expect(codes(readAll(new TextEncoder().encode('#usda 1.0\n')).report)).toEqual(['USDC001']);
		expect(codes(readAll(good.slice(0, 60)).report)).toEqual(['USDC003']);
		for (const [major, minor] of [
			[0, 3],
			[0, 17],
			[1, 0],
		] as const) {
			const other = good.slice();
			other[8] = major;
			other[9] = minor;
			const { report, data } = readAll(other);
			expect(codes(report)).toEqual(['USDC002']);
			expect(report.toArray()[0]?.message).toContain(`${major}.${minor}.0`);
			expect(report.toArray()[0]?.byteOffset).toBe(8);
			expect(data.specCount).toBe(0);
		}
	});

	it('that end early give diagnostics at every length', () => {
		const good = fileWith(FIELDS);
		for (let length = 0; length < good.length; length += 7) {
			expect(readAll(good.slice(0, length)).report.hasErrors).toBe(true);
		}
	});

	it('with flipped bits never throw, hang or take much memory', () => {
		const good = fileWith(FIELDS);
		let state = 1;
		const random = (limit: number): number => {
			state = Math.imul(state, 1664525) + 1013904223;
			return (state >>> 8) % limit;
		};
		for (let round = 0; round < 3000; round++) {
			const bad = good.slice();
			for (let flips = random(3); flips >= 0; flips--) bad[random(bad.length)]! ^= 1 << random(8);
			readAll(bad);
		}
	});

	it('keep what is not damaged', () => {
		const good = fileWith(FIELDS);
		const { structure } = readAll(good).data;
		const offset = structure.fieldReps[2 * structure.fieldNames.indexOf(structure.tokens.indexOf('ints'))]!;
		const bad = good.slice();
		// the count of one array becomes 2^40
		new DataView(bad.buffer).setBigUint64(offset, 2n ** 40n, true);
		const { data, report } = readAll(bad);
		expect(report.toArray()).toMatchObject([{ code: 'USDC009', prim: '/Prim', file: 'f.usdc' }]);
		expect(report.toArray()[0]?.message).toContain("field 'ints' of </Prim>");
		expect(data.field(PRIM, 'ints')).toBeUndefined();
		expect(data.field(PRIM, 'wide')).toBeDefined();
		expect(data.field(PRIM, 'matrix')).toBeDefined();
	});

	it('do not loop when a dictionary contains itself', () => {
		const good = fileWith({ dictionary: makeValue(T.dictionary, dictionary) });
		const { structure } = readAll(good).data;
		const field = structure.fieldNames.indexOf(structure.tokens.indexOf('dictionary'));
		const offset = structure.fieldReps[2 * field]!;
		const bad = good.slice();
		// the first entry: count, key, relative offset, representation
		const view = new DataView(bad.buffer);
		view.setUint32(offset + 20, structure.fieldReps[2 * field]!, true);
		view.setUint32(offset + 24, structure.fieldReps[2 * field + 1]!, true);
		const { report } = readAll(bad);
		expect(codes(report)).toEqual(['USDC009']);
	});

	it('cannot expand a small dictionary without limit', () => {
		let laughs: Value = makeValue(T.dictionary, new Map<string, Value>([['x', makeValue(T.double, 0.1)]]));
		for (let level = 0; level < 60; level++) {
			laughs = makeValue(
				T.dictionary,
				new Map([
					['a', laughs],
					['b', laughs],
				]),
			);
		}
		const bytes = fileWith({ dictionary: laughs });
		expect(bytes.length).toBeLessThan(5000);
		expect(codes(readAll(bytes).report)).toEqual(['USDC009']);
	});

	it('have values of a limited size, each counted once', () => {
		const zeros = new Int32Array(2_000_000);
		const ones = new Int32Array(2_000_000).fill(1);
		const bytes = fileWith({ a: makeValue(T.int.array, zeros), b: makeValue(T.int.array, ones), c: FIELDS['ints']! });
		const report = new Report();
		const data = readUsdc(bytes, { report, maxValueBytes: 9_000_000 });
		for (let time = 0; time < 3; time++) expect(data.field(PRIM, 'a')).toBeDefined();
		expect(data.field(PRIM, 'b')).toBeUndefined();
		expect(data.field(PRIM, 'c')).toBeDefined();
		expect(codes(report)).toEqual(['USDC009']);
	});

	it('keep their limits far from what sound files hold', () => {
		// 64 MB of equal numbers take a few kilobytes: a file can hold them
		const bytes = fileWith({ zeros: makeValue(T.int.array, new Int32Array(16_000_000)) });
		expect(bytes.length).toBeLessThan(20_000);
		expect(readAll(bytes).report.size).toBe(0);
		const { items, specFields, tokenBytes } = crateLimits(1000);
		expect(items).toBeGreaterThan(500_000);
		expect(specFields).toBeGreaterThan(4_000_000);
		expect(tokenBytes).toBeGreaterThan(16_000_000);
	});

	it('share large values between fields', () => {
		const list = Array.from({ length: 1000 }, (_, i) => `t${i}`);
		const bytes = fileWith({ a: makeValue(T.tokenVector, list), b: makeValue(T.tokenVector, [...list]) });
		const { data } = readAll(bytes);
		expect(data.field(PRIM, 'a')).toBe(data.field(PRIM, 'b'));
	});

	it('have arrays of a limited size', () => {
		const bytes = fileWith({ zeros: makeValue(T.int.array, new Int32Array(2_000_000)) });
		expect(bytes.length).toBeLessThan(5000);
		const report = new Report();
		const data = readUsdc(bytes, { report, maxValueBytes: 1_000_000 });
		expect(data.field(PRIM, 'zeros')).toBeUndefined();
		expect(codes(report)).toEqual(['USDC009']);
	});
});

describe('unknown parts of crate files', () => {
	/** Adds a section to the table of contents. */
	function withSection(bytes: Uint8Array, name: string, content: Uint8Array): Uint8Array {
		const contents = Number(new DataView(bytes.buffer).getBigUint64(16, true));
		const count = Number(new DataView(bytes.buffer).getBigUint64(contents, true));
		const result = new Uint8Array(bytes.length + 32 + content.length);
		result.set(bytes);
		const view = new DataView(result.buffer);
		view.setBigUint64(contents, BigInt(count + 1), true);
		result.set(new TextEncoder().encode(name), bytes.length);
		view.setBigUint64(bytes.length + 16, BigInt(bytes.length + 32), true);
		view.setBigUint64(bytes.length + 24, BigInt(content.length), true);
		result.set(content, bytes.length + 32);
		return result;
	}

	it('sections are written again', () => {
		const content = Uint8Array.of(1, 2, 3, 4, 5);
		const bytes = withSection(fileWith(FIELDS), 'EXTRA', content);
		const { data, report } = readAll(bytes);
		expect(report.toArray()).toEqual([]);
		const again = readAll(writeUsdc(data)).data;
		const section = again.structure.sections.find((one) => one.name === 'EXTRA');
		expect(section?.size).toBe(5);
		expect(again.bytes.slice(section?.start, section!.start + 5)).toEqual(content);
		expect(again.field(PRIM, 'matrix')?.data).toEqual(FIELDS['matrix']?.data);
	});

	it('values keep their representation and the bytes behind it', () => {
		const good = fileWith(FIELDS);
		const before = readUsdc(good);
		const { structure } = before;
		const field = structure.fieldNames.indexOf(structure.tokens.indexOf('matrix'));
		// a stored type 200 instead of a matrix
		structure.fieldReps[2 * field + 1] = (200 << 16) >>> 0;
		const report = new Report();
		expect(before.field(PRIM, 'matrix')?.type).toBe(T.rawCrate);
		const raw = before.field(PRIM, 'matrix')?.data as RawCrateValue;
		before.setField(PRIM, 'added', makeValue(T.double3, Float64Array.of(0.1, 0.2, 0.3)));
		const bytes = writeUsdc(before, { report });
		expect(report.toArray()).toEqual([]);
		const after = readAll(bytes);
		expect(codes(after.report)).toEqual(['USDC010']);
		const again = after.data.field(PRIM, 'matrix')?.data as RawCrateValue;
		expect(again.representation).toBe(raw.representation);
		expect(again.bytes.slice(0, 128)).toEqual(raw.bytes.slice(0, 128));
		expect(after.data.field(PRIM, 'added')?.data).toEqual(Float64Array.of(0.1, 0.2, 0.3));
		expect(after.data.field(PRIM, 'texts')?.data).toEqual(['a', 'b', 'c']);
	});
});
