import { Layer, makeValue, T, type Value, type ValueType } from '@manyworlds/usd';
import { makeTimeSamples } from '@manyworlds/usd/internal';
import { Random } from '../random.ts';

/** A layer with attributes of every value type: one value, an array of three, and time samples with a block. */
export function valuesLayer(): Layer {
	const layer = Layer.create('values.usda');
	const random = new Random('values');
	layer.createPrim('/Values', { specifier: 'def', typeName: 'Scope' });
	for (const type of Object.values(T) as ValueType[]) {
		if (!type.hasArray) continue;
		layer.createAttribute(`/Values.${type.name}_one`, type.name, { custom: true });
		layer.setField(`/Values.${type.name}_one`, 'default', randomValue(type, random));
		layer.createAttribute(`/Values.${type.name}_many`, `${type.name}[]`, { variability: 'uniform' });
		layer.setField(`/Values.${type.name}_many`, 'default', randomArray(type, 3, random));
		layer.createAttribute(`/Values.${type.name}_timed`, type.name);
		const samples = [randomValue(type, random), makeValue(T.valueBlock, null), randomValue(type, random)] as Value[];
		layer.setField(
			`/Values.${type.name}_timed`,
			'timeSamples',
			makeValue(T.timeSamples, makeTimeSamples(Float64Array.of(-1, 0.5, 24), samples)) as Value,
		);
	}
	layer.createAttribute('/Values.blocked', 'float');
	layer.setField('/Values.blocked', 'default', makeValue(T.valueBlock, null) as Value);
	layer.createAttribute('/Values.empty', 'float3[]');
	layer.setField('/Values.empty', 'default', makeValue(T.float3.array, new Float32Array(0)) as Value);
	return layer;
}

/** A value of a type that arrays exist of. */
export function randomValue(type: ValueType, random: Random): Value {
	if (type.component === 'text') return makeValue(type, textFor(type, random)) as Value;
	const data = components(type, type.width, random);
	if (type.width > 1) return makeValue(type, data) as Value;
	if (type.component === 'bool') return makeValue(type, data[0] === 1) as Value;
	if (type.component === 'half') return makeValue(type, random.below(2048) / 8) as Value;
	return makeValue(type, data[0]) as Value;
}

/** An array of `count` elements. */
export function randomArray(type: ValueType, count: number, random: Random): Value {
	const data =
		type.component === 'text'
			? Array.from({ length: count }, () => textFor(type, random))
			: components(type, count * type.width, random);
	return makeValue(type.array, data) as Value;
}

function textFor(type: ValueType, random: Random): string {
	const number = random.below(100);
	if (type === (T.asset as ValueType)) return `./textures/tile_${number}.png`;
	if (type === (T.pathExpression as ValueType)) return `/World//Link_${number}`;
	if (type === (T.token as ValueType)) return `token_${number}`;
	return random.pick([`plain ${number}`, 'quotes " and \'', 'tab\tand\nline', 'Grüße 机器人 🤖', '']);
}

type Components =
	| Uint8Array
	| Int32Array
	| Uint32Array
	| BigInt64Array
	| BigUint64Array
	| Uint16Array
	| Float32Array
	| Float64Array;

function components(type: ValueType, count: number, random: Random): Components {
	switch (type.component) {
		case 'bool':
			return Uint8Array.from({ length: count }, () => random.below(2));
		case 'uchar':
			return Uint8Array.from({ length: count }, () => random.below(256));
		case 'int':
			return Int32Array.from({ length: count }, () => random.next() | 0);
		case 'uint':
			return Uint32Array.from({ length: count }, () => random.next());
		case 'int64':
			return BigInt64Array.from({ length: count }, () => BigInt(random.next() - 2 ** 31) * 4294967297n);
		case 'uint64':
			return BigUint64Array.from({ length: count }, () => BigInt(random.next()) * 4294967295n);
		case 'half':
			// finite halfs: the exponent is not all ones
			return Uint16Array.from({ length: count }, () => random.below(0x7c00) | (random.below(2) << 15));
		case 'float':
			return Float32Array.from({ length: count }, () => (random.next() - 2 ** 31) / 2 ** 20);
		default:
			return Float64Array.from({ length: count }, () => (random.next() - 2 ** 31) / 3e6);
	}
}
