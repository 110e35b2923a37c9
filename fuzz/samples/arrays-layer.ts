import { Layer, makeValue, T, type Value, type ValueType } from '@manyworlds/usd';
import { Random } from '../random.ts';
import { randomArray } from './values-layer.ts';

/** A layer with arrays long enough for each way a crate compresses numbers. */
export function arraysLayer(): Layer {
	const layer = Layer.create('arrays.usda');
	const random = new Random('arrays');
	layer.createPrim('/Mesh', { specifier: 'def', typeName: 'Mesh' });
	const add = (name: string, typeName: string, value: Value): void => {
		layer.createAttribute(`/Mesh.${name}`, typeName);
		layer.setField(`/Mesh.${name}`, 'default', value);
	};
	const n = 40;
	add(
		'indices',
		'int[]',
		array(
			T.int,
			Int32Array.from({ length: n }, (_, i) => (i * 7) % 23),
		),
	);
	add('counts', 'int[]', array(T.int, new Int32Array(n).fill(3)));
	add(
		'wide',
		'int[]',
		array(
			T.int,
			Int32Array.from({ length: n }, () => random.next() | 0),
		),
	);
	add(
		'unsigned',
		'uint[]',
		array(
			T.uint,
			Uint32Array.from({ length: n }, (_, i) => i * 100_000_000),
		),
	);
	add(
		'long',
		'int64[]',
		array(
			T.int64,
			BigInt64Array.from({ length: n }, (_, i) => BigInt(i) << 40n),
		),
	);
	add(
		'ulong',
		'uint64[]',
		array(
			T.uint64,
			BigUint64Array.from({ length: n }, (_, i) => BigInt(i * i)),
		),
	);
	// whole numbers are stored as integers, few distinct ones as a table, others as they are
	add(
		'whole',
		'float[]',
		array(
			T.float,
			Float32Array.from({ length: n }, (_, i) => i - 20),
		),
	);
	add(
		'few',
		'float[]',
		array(
			T.float,
			Float32Array.from({ length: n }, (_, i) => [0.25, 0.5, 1 / 3][i % 3]!),
		),
	);
	add(
		'wholeDouble',
		'double[]',
		array(
			T.double,
			Float64Array.from({ length: n }, (_, i) => -i),
		),
	);
	add(
		'fewDouble',
		'double[]',
		array(
			T.double,
			Float64Array.from({ length: n }, (_, i) => [0.1, 1e300][i % 2]!),
		),
	);
	add(
		'halfs',
		'half[]',
		array(
			T.half,
			Uint16Array.from({ length: n }, () => 0x3c00),
		),
	);
	for (const type of [T.float3, T.double2, T.half4, T.int3, T.quatf, T.matrix4d, T.bool, T.token, T.string]) {
		add(`many_${type.name}`, `${type.name}[]`, randomArray(type as ValueType, 20, random));
	}
	return layer;
}

function array<D>(type: { readonly array: ValueType<D> }, data: D): Value {
	return makeValue(type.array, data) as Value;
}
