import {
	dataOf,
	findAttributeType,
	type Layer,
	makeValue,
	type Path,
	SchemaRegistry,
	SpecType,
	T,
	type Value,
	type ValueType,
} from '@manyworlds/usd';
import type { FixSession } from './fix-session.ts';
import type { Fixer } from './fixer.ts';

const RULE = 'R2.3.6';

/** F39: attributes of ROS schemas have the type and variability that the schemas declare, where their values allow it. */
export const ROS_TYPES: Fixer = {
	family: 'F39',
	title: 'types of ROS attributes',
	rules: ['R2.3.4', 'R2.3.6', 'R2.7.7', 'R2.4.8'],
	safety: 'safe',
	apply(session) {
		const declared = declaredAttributes();
		for (const layer of session.layers()) {
			for (const path of [...layer.data.paths()]) {
				if (layer.specType(path) !== SpecType.attribute) continue;
				const expected = declared.get(path.name);
				if (expected !== undefined) fixAttribute(session, layer, path, expected);
			}
		}
	},
};

interface Declared {
	readonly typeName: string;
	readonly variability: 'varying' | 'uniform';
}

/** Attributes that ROS schemas declare, by name. */
function declaredAttributes(): Map<string, Declared> {
	const found = new Map<string, Declared>();
	for (const name of ['Context', 'Topic', 'Service', 'Action', 'Frame']) {
		const definition = SchemaRegistry.standard.definitionOf(`Ros${name}API`);
		for (const property of definition?.propertyNames ?? []) {
			const attribute = definition!.property(property);
			if (attribute?.kind !== 'attribute' || !property.startsWith('ros:')) continue;
			found.set(property, { typeName: attribute.typeName, variability: attribute.variability });
		}
	}
	return found;
}

function fixAttribute(session: FixSession, layer: Layer, path: Path, { typeName, variability }: Declared): void {
	const present = dataOf(layer.field(path, 'typeName'), T.token);
	const isVarying = layer.field(path, 'variability')?.data !== variability;
	if (present === typeName && !isVarying) return;
	const type = findAttributeType(typeName)?.valueType;
	const value = layer.field(path, 'default');
	const converted = value === undefined || type === undefined ? value : convert(value, type);
	if (value !== undefined && converted === undefined) {
		session.refuse(RULE, `${path.name} is ${String(value.data)} of type ${present}, which is no ${typeName}`, {
			layer,
		});
		return;
	}
	if (layer.field(path, 'timeSamples') !== undefined) {
		session.refuse(RULE, `${path.name} changes over time, which ROS attributes cannot`, { layer });
		return;
	}
	session.edit(RULE, layer, () => {
		layer.setField(path, 'typeName', makeValue(T.token, typeName) as Value);
		layer.setField(path, 'variability', makeValue(T.variability, variability) as Value);
		if (layer.field(path, 'custom')?.data === true) layer.setField(path, 'custom', makeValue(T.bool, false) as Value);
		if (converted !== undefined) layer.setField(path, 'default', converted);
	});
}

/** A value as another type; undefined when it has none that means the same. */
function convert({ type, data }: Value, to: ValueType): Value | undefined {
	if (type === to) return { type, data };
	const text = typeof data === 'string' ? data : undefined;
	const number = typeof data === 'number' ? data : typeof data === 'bigint' ? Number(data) : undefined;
	switch (to.name) {
		case 'string':
		case 'token':
			return text === undefined ? undefined : { type: to, data: text };
		case 'bool': {
			const truth =
				data === true || data === false
					? data
					: number === 1 || text === 'true'
						? true
						: number === 0 || text === 'false'
							? false
							: undefined;
			return truth === undefined ? undefined : { type: to, data: truth };
		}
		case 'int': {
			const parsed = number ?? (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : undefined);
			return parsed !== undefined && Number.isInteger(parsed) ? { type: to, data: parsed } : undefined;
		}
		case 'double': {
			const parsed = number ?? (text !== undefined && text.trim() !== '' ? Number(text) : Number.NaN);
			return Number.isFinite(parsed) ? { type: to, data: parsed } : undefined;
		}
		default:
			return undefined;
	}
}
