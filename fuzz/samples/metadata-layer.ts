import { Layer, ListOp, makeValue, T, type Value, type ValueType } from '@manyworlds/usd';
import { Random } from '../random.ts';
import { randomArray, randomValue } from './values-layer.ts';

/** A layer with dictionaries of all types, registered and unknown metadata, documentation and hard texts. */
export function metadataLayer(): Layer {
	const layer = Layer.create('metadata.usda');
	const random = new Random('metadata');
	layer.setField('/', 'documentation', makeValue(T.string, 'Two\nlines with """ inside and a \\ too.') as Value);
	layer.setField('/', 'metersPerUnit', makeValue(T.double, 0.01) as Value);
	layer.setField('/', 'upAxis', makeValue(T.token, 'Z') as Value);
	layer.setField('/', 'customLayerData', makeValue(T.dictionary, dictionaryOfAll(random)) as Value);
	layer.setField('/', 'expressionVariables', makeValue(T.dictionary, deepDictionary(8)) as Value);
	layer.setField('/', 'startTimeCode', makeValue(T.double, Number.NEGATIVE_INFINITY) as Value);
	for (let i = 0; i < 6; i++) {
		const prim = `/Prim_${i}`;
		layer.createPrim(prim, { specifier: 'def', typeName: i % 2 === 0 ? 'Sphere' : 'UnknownType' });
		layer.setField(prim, 'kind', makeValue(T.token, 'component') as Value);
		layer.setField(prim, 'active', makeValue(T.bool, i % 2 === 0) as Value);
		layer.setField(prim, 'hidden', makeValue(T.bool, true) as Value);
		layer.setField(prim, 'customData', makeValue(T.dictionary, deepDictionary(i)) as Value);
		layer.setField(prim, 'assetInfo', makeValue(T.dictionary, new Map([['name', text('robot')]])) as Value);
		layer.setField(prim, 'unknownText', makeValue(T.unregistered, '"kept as it is"') as Value);
		layer.setField(prim, 'unknownTable', makeValue(T.unregistered, new Map([['a', text('b')]])) as Value);
		layer.setField(prim, 'unknownList', makeValue(T.unregistered, ListOp.explicit(['[1, 2]'])) as Value);
		layer.createAttribute(`${prim}.namespaced:attribute`, 'float', { custom: true });
		layer.setField(`${prim}.namespaced:attribute`, 'comment', makeValue(T.string, "it's") as Value);
		layer.setField(`${prim}.namespaced:attribute`, 'allowedTokens', makeValue(T.token.array, ['x', 'y']) as Value);
		layer.setField(`${prim}.namespaced:attribute`, 'displayName', text(`名前 ${i}`));
	}
	return layer;
}

function dictionaryOfAll(random: Random): Map<string, Value> {
	const entries = new Map<string, Value>();
	for (const type of Object.values(T) as ValueType[]) {
		if (!type.hasArray) continue;
		entries.set(`one_${type.name}`, randomValue(type, random));
		entries.set(`many ${type.name}`, randomArray(type, 2, random));
	}
	return entries;
}

function deepDictionary(depth: number): Map<string, Value> {
	const entries = new Map<string, Value>([['level', makeValue(T.int, depth) as Value]]);
	if (depth > 0) entries.set('below', makeValue(T.dictionary, deepDictionary(depth - 1)) as Value);
	return entries;
}

function text(data: string): Value {
	return makeValue(T.string, data) as Value;
}
