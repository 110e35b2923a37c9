import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { compareLayers } from '../src/sdf/compare-layers.ts';
import { ListOp } from '../src/sdf/list-op.ts';
import { MemoryData } from '../src/sdf/memory-data.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import { makeTimeSamples, makeValue, type TimeSamples, type Value } from '../src/sdf/value.ts';
import { T } from '../src/sdf/value-type.ts';
import type { CrateData } from '../src/usdc/crate-data.ts';
import { readUsdc } from '../src/usdc/crate-reader.ts';
import { writeUsdc, writeUsdcPieces } from '../src/usdc/crate-writer.ts';

function path(text: string): Path {
	const parsed = Path.parse(text);
	if (parsed === undefined) throw new Error(`'${text}' does not parse`);
	return parsed;
}

function pointsOf(count: number, start: number): Value {
	return makeValue(
		T.float3.array,
		Float32Array.from({ length: count * 3 }, (_, i) => start + i / 7),
	);
}

/** A mesh with arrays of several codings, variants, targets, samples and unregistered metadata. */
function sampleLayer(): MemoryData {
	const data = new MemoryData();
	const add = (text: string, type: SpecType, fields: Record<string, Value> = {}): void => {
		data.createSpec(path(text), type);
		for (const [name, value] of Object.entries(fields)) data.setField(path(text), name, value);
	};
	const attribute = (typeName: string, fields: Record<string, Value>): Record<string, Value> => ({
		custom: makeValue(T.bool, false),
		typeName: makeValue(T.token, typeName),
		...fields,
	});
	add('/', SpecType.pseudoRoot, {
		primChildren: makeValue(T.tokenVector, ['Z', 'A']),
		subLayers: makeValue(T.stringVector, ['x.usda']),
		myMetadata: makeValue(T.unregistered, '"kept"'),
	});
	add('/Z', SpecType.prim, {
		specifier: makeValue(T.specifier, 'def'),
		properties: makeValue(T.tokenVector, ['points', 'faces', 'weights', 'rel']),
		variantSetNames: makeValue(T.stringListOp, ListOp.edits({ prependedItems: ['v'] })),
	});
	add('/Z{v=}', SpecType.variantSet);
	add('/Z{v=x}', SpecType.variant);
	add('/Z{v=x}B', SpecType.prim, { specifier: makeValue(T.specifier, 'over') });
	add('/Z{v=x}B.c', SpecType.attribute, attribute('int', { default: makeValue(T.int, 3) }));
	add('/A', SpecType.prim, { specifier: makeValue(T.specifier, 'class') });
	add('/Z.points', SpecType.attribute, attribute('point3f[]', { default: pointsOf(1000, 0) }));
	const faces = Int32Array.from({ length: 4000 }, (_, i) => (i * 7) % 1000);
	add('/Z.faces', SpecType.attribute, attribute('int[]', { default: makeValue(T.int.array, faces) }));
	const times = Float64Array.of(1, 2, 3);
	const samples = makeTimeSamples(times, [pointsOf(50, 1), makeValue(T.valueBlock, null), pointsOf(50, 2)]);
	add('/Z.weights', SpecType.attribute, attribute('float[]', { timeSamples: makeValue(T.timeSamples, samples) }));
	const targets = ListOp.explicit([path('/A'), path('/Nowhere/Else.attr')]);
	add('/Z.rel', SpecType.relationship, { targetPaths: makeValue(T.pathListOp, targets) });
	return data;
}

function read(bytes: Uint8Array): CrateData {
	const report = new Report();
	const data = readUsdc(bytes, { report });
	expect(report.toArray()).toEqual([]);
	return data;
}

describe('crate files', () => {
	it('hold the whole layer, whatever the order in which it was made', () => {
		const layer = sampleLayer();
		const bytes = writeUsdc(layer);
		expect(compareLayers(layer, read(bytes))).toEqual([]);
		const shuffled = new MemoryData();
		for (const spec of [...layer.paths()].reverse()) {
			shuffled.createSpec(spec, layer.specType(spec));
			for (const name of layer.fieldNames(spec)) shuffled.setField(spec, name, layer.field(spec, name)!);
		}
		expect(writeUsdc(shuffled)).toEqual(bytes);
		expect(writeUsdc(read(bytes))).toEqual(bytes);
	});

	it('list parents before children', () => {
		const seen = new Set<Path>();
		for (const spec of read(writeUsdc(sampleLayer())).paths()) {
			if (spec.parent !== null) expect(seen.has(spec.parent)).toBe(true);
			seen.add(spec);
		}
	});

	it('begin with a token that is no name', () => {
		expect(read(writeUsdc(sampleLayer())).structure.tokens[0]).toBe(';-)');
	});

	it('store equal values once', () => {
		const size = (copies: number): number => {
			const data = new MemoryData();
			data.createSpec(Path.root, SpecType.pseudoRoot);
			for (let i = 0; i < copies; i++) {
				const spec = Path.root.appendChild(`P${i}`);
				data.createSpec(spec, SpecType.prim);
				data.setField(spec, 'points', pointsOf(5000, 0));
			}
			return writeUsdc(data).length;
		};
		expect(size(20) - size(1)).toBeLessThan(500);
	});

	it('have the same bytes in pieces, large arrays as they stand in the data', () => {
		const data = sampleLayer();
		const large = pointsOf(10_000, 3);
		const other = pointsOf(10_000, 4);
		// the first twice, so that one of them is taken back, and something small between and behind
		for (const [name, value] of [
			['a', large],
			['b', pointsOf(3, 5)],
			['c', pointsOf(10_000, 3)],
			['d', other],
			['e', pointsOf(7, 6)],
		] as const) {
			data.createSpec(path(`/Z.${name}`), SpecType.attribute);
			data.setField(path(`/Z.${name}`), 'default', value);
		}
		const pieces = writeUsdcPieces(data);
		expect(Buffer.concat(pieces).equals(writeUsdc(data))).toBe(true);
		const buffers = pieces.map(({ buffer }) => buffer);
		expect(buffers).toContain((large.data as Float32Array).buffer);
		expect(buffers).toContain((other.data as Float32Array).buffer);
		expect(pieces).toHaveLength(5);
		const reread = readUsdc(Buffer.concat(pieces));
		expect(compareLayers(data, reread)).toEqual([]);
	});

	it('are opened without decoding an array', () => {
		const data = read(writeUsdc(sampleLayer()));
		expect(data.statistics).toEqual({ decodedArrayBytes: 0, viewedArrayBytes: 0 });
		for (const spec of data.paths()) {
			data.specType(spec);
			data.fieldNames(spec);
		}
		expect(data.field(path('/Z'), 'specifier')?.data).toBe('def');
		expect(data.statistics.decodedArrayBytes).toBe(0);
		const samples = data.field(path('/Z.weights'), 'timeSamples')?.data as TimeSamples;
		expect(data.statistics.decodedArrayBytes + data.statistics.viewedArrayBytes).toBe(3 * 8);
		samples.valueAt(2);
		expect(data.statistics.decodedArrayBytes + data.statistics.viewedArrayBytes).toBe(3 * 8 + 50 * 12);
		data.field(path('/Z.faces'), 'default');
		expect(data.statistics.decodedArrayBytes).toBeGreaterThanOrEqual(16000);
	});

	it('give views of the file where the array is aligned, copies elsewhere', () => {
		const bytes = writeUsdc(sampleLayer());
		const points = read(bytes).field(path('/Z.points'), 'default')?.data as Float32Array;
		expect(points.buffer).toBe(bytes.buffer);
		for (const offset of [1, 2, 3, 4, 8]) {
			for (const buffer of [new ArrayBuffer(bytes.length + 16), new SharedArrayBuffer(bytes.length + 16)]) {
				const moved = new Uint8Array(buffer, offset, bytes.length);
				moved.set(bytes);
				const data = read(moved);
				expect(compareLayers(sampleLayer(), data)).toEqual([]);
				const view = data.field(path('/Z.points'), 'default')?.data as Float32Array;
				expect(view.buffer === buffer).toBe(offset % 4 === 0);
			}
		}
	});

	it('take 100,000 siblings and 5,000 levels', () => {
		const data = new MemoryData();
		data.createSpec(Path.root, SpecType.pseudoRoot);
		for (let i = 0; i < 100_000; i++) data.createSpec(Path.root.appendChild(`P${i}`), SpecType.prim);
		let deep = Path.root.appendChild('Deep');
		for (let i = 0; i < 5000; i++) {
			data.createSpec(deep, SpecType.prim);
			deep = deep.appendChild('d');
		}
		const back = read(writeUsdc(data));
		expect(back.specCount).toBe(105_001);
		expect(back.specType(deep.parent!)).toBe(SpecType.prim);
	});

	it('keep the specs of a layer that is edited', () => {
		const original = writeUsdc(sampleLayer());
		const untouched = original.slice();
		const data = read(original);
		data.setField(path('/A'), 'kind', makeValue(T.token, 'component'));
		data.setField(path('/A'), 'specifier', makeValue(T.specifier, 'over'));
		data.eraseField(path('/Z.faces'), 'default');
		data.eraseSpec(path('/Z{v=x}B.c'));
		data.createSpec(path('/New'), SpecType.prim);
		data.setField(path('/New'), 'active', makeValue(T.bool, false));
		expect(() => data.setField(path('/Gone'), 'a', makeValue(T.bool, true))).toThrow(RangeError);
		expect(data.specCount).toBe([...data.paths()].length);
		expect(data.fieldNames(path('/A'))).toEqual(['specifier', 'kind']);
		expect(data.field(path('/Z.faces'), 'default')).toBeUndefined();
		expect(data.field(path('/Z.faces'), 'typeName')?.data).toBe('int[]');
		expect(data.has(path('/Z{v=x}B.c'))).toBe(false);
		expect(compareLayers(data, read(writeUsdc(data)))).toEqual([]);
		data.createSpec(path('/Z{v=x}B.c'), SpecType.attribute);
		expect(data.fieldNames(path('/Z{v=x}B.c'))).toEqual([]);
		expect(original).toEqual(untouched);
	});

	it('say what they cannot hold', () => {
		const data = sampleLayer();
		data.setField(path('/A'), 'documentation', makeValue(T.string, 'a\0b'));
		data.setField(path('/A'), 'where', makeValue(T.path, path('/Z')));
		const report = new Report();
		const back = read(writeUsdc(data, { report, file: 'out.usdc' }));
		expect(report.toArray().map(({ code, prim, file }) => [code, prim, file])).toEqual([
			['USDC011', '/A', 'out.usdc'],
			['USDC011', '/A', 'out.usdc'],
		]);
		expect(back.fieldNames(path('/A'))).toEqual(['specifier']);
	});

	it('refuse versions that do not exist', () => {
		for (const version of ['0.3.0', '0.17.0', '1.0.0', 'new']) {
			expect(() => writeUsdc(sampleLayer(), { version })).toThrow(RangeError);
		}
	});
});
