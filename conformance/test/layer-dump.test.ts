import { ListOp, makeValue, Path, SpecType, T } from '@manyworlds/usd';
import { MemoryData, makePayload, makeReference, makeTimeSamples } from '@manyworlds/usd/internal';
import { expect, test } from 'vitest';
import { compareDumps, parseLayerDump } from '../src/compare-dumps.ts';
import { encodeValue } from '../src/dump-value.ts';
import { canonicalJson, jsonDifferences } from '../src/json.ts';
import { dumpLayer, encodeField } from '../src/layer-dump.ts';

test('numbers are exact', () => {
	expect(encodeValue(makeValue(T.float, Math.fround(0.1)))).toBe(0.1);
	expect(encodeValue(makeValue(T.float, Math.fround(16777217)))).toBe(16777216);
	expect(encodeValue(makeValue(T.half, 0.0999755859375))).toBe(0.0999755859375);
	expect(encodeValue(makeValue(T.double, -0))).toBe(-0);
	expect(encodeValue(makeValue(T.int64, -(2n ** 63n)))).toBe('-9223372036854775808');
	expect(encodeValue(makeValue(T.double, Number.NaN))).toBe('nan');
	expect(encodeValue(makeValue(T.float, Number.NEGATIVE_INFINITY))).toBe('-inf');
	expect(encodeValue(makeValue(T.half2, new Uint16Array([0x3c00, 0x0001])))).toEqual([1, 2 ** -24]);
});

test('quaternions have the real part first, matrices have rows, assets are marked', () => {
	expect(encodeValue(makeValue(T.quatf, new Float32Array([2, 3, 4, 1])))).toEqual([1, 2, 3, 4]);
	expect(encodeValue(makeValue(T.matrix2d, new Float64Array([1, 2, 3, 4])))).toEqual([
		[1, 2],
		[3, 4],
	]);
	expect(encodeValue(makeValue(T.asset.array, ['a.png']))).toEqual([{ asset: 'a.png' }]);
	expect(encodeValue(makeValue(T.bool.array, new Uint8Array([1, 0])))).toEqual([true, false]);
});

test('long arrays are a count, four elements and a hash of their bytes', () => {
	const numbers = makeValue(T.int.array, new Int32Array(65));
	expect(encodeValue(numbers)).toEqual({
		count: 65,
		first: [0, 0, 0, 0],
		// 260 zero bytes
		sha256: '9c0095c04ef53d9df41602f3783c90ef3c3e27cc9d0b38262d23930db6313f5a',
	});
});

test('list-ops, arcs, samples and blocks', () => {
	const reference = makeReference('a.usda', Path.parse('/P')!, { offset: 2, scale: 1 });
	expect(encodeField(makeValue(T.referenceListOp, ListOp.edits({ prependedItems: [reference] })))).toEqual({
		list: 'reference',
		prepended: [{ asset: 'a.usda', prim: '/P', offset: [2, 1] }],
	});
	expect(encodeField(makeValue(T.payloadListOp, ListOp.explicit([makePayload('b.usda')])))).toEqual({
		list: 'payload',
		explicit: [{ asset: 'b.usda', prim: '' }],
	});
	const samples = makeTimeSamples(new Float64Array([0, 1.5]), [makeValue(T.int, 3), makeValue(T.valueBlock, null)]);
	expect(encodeField(makeValue(T.timeSamples, samples))).toEqual({
		samples: [
			[0, 3],
			[1.5, { block: 'value' }],
		],
	});
});

test('a layer is compared spec for spec and field for field', () => {
	const layer = (type: string): MemoryData => {
		const data = new MemoryData();
		const prim = Path.parse('/A')!;
		data.createSpec(Path.root, SpecType.pseudoRoot);
		data.createSpec(prim, SpecType.prim);
		data.setField(prim, 'specifier', makeValue(T.specifier, 'def'));
		data.setField(prim, 'typeName', makeValue(T.token, type));
		return data;
	};
	expect(compareDumps(dumpLayer(layer('Xform')), dumpLayer(layer('Xform')))).toEqual([]);
	expect(compareDumps(dumpLayer(layer('Xform')), dumpLayer(layer('Mesh')))).toEqual([
		'/A.fields.typeName: "Xform", expected "Mesh"',
	]);
	expect(compareDumps({ specs: [] }, dumpLayer(layer('Mesh')))).toHaveLength(2);
});

test('a golden file with anything unknown is refused', () => {
	const spec = { path: '/', spec: 'PseudoRoot' };
	expect(() => parseLayerDump({ specs: [spec], extra: 1 })).toThrow("unknown key 'extra'");
	expect(() => parseLayerDump({ specs: [{ ...spec, extra: 1 }] })).toThrow("unknown key 'extra'");
	expect(() => parseLayerDump({ specs: [spec, spec] })).toThrow('two specs at /');
	expect(() => parseLayerDump({ specs: [1] })).toThrow('not a spec');
});

test('JSON compares minus zero, missing and extra keys', () => {
	expect(jsonDifferences({ a: 0 }, { a: -0 })).toEqual(['a: 0, expected -0']);
	expect(jsonDifferences({ a: 1 }, { b: 1 })).toHaveLength(2);
	expect(jsonDifferences([1, 2], [1])).toHaveLength(1);
	expect(canonicalJson({ b: [null, -0], a: 'x' })).toBe('{"a":"x","b":[null,-0]}');
});
