import {
	type Layer,
	makeValue,
	type Path,
	type Prim,
	SchemaRegistry,
	SpecType,
	T,
	type Value,
	type ValueType,
} from '@manyworlds/usd';
import { dataOf, findAttributeType, isTransformAnimated } from '@manyworlds/usd/internal';
import { isBody, readText } from '../../asset/read-values.ts';
import { eachPrim } from '../engine/each-prim.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { applySchema, propertySite, removeProperty } from '../engine/sites.ts';

const RULE = 'R2.3.6';

/** F39: attributes of ROS schemas have the type and variability that the schemas declare, where their values allow it. */
export const ROS_TYPES: Fixer = {
	family: 'F39',
	title: 'types of ROS attributes',
	rules: ['R2.3.4', 'R2.3.6'],
	safety: 'safe',
	apply(session) {
		const declared = declaredAttributes();
		for (const layer of session.layers()) {
			for (const path of [...layer.data.paths()]) {
				if (layer.specType(path) !== SpecType.attribute) continue;
				const expected = declared.get(path.name);
				if (expected !== undefined) fixAttribute(session, layer, path, expected);
				else if (/^ros:(?:context|topic|service|action|frame):/.test(path.name)) {
					session.refuse(RULE, `${path.name} is no attribute of a ROS schema, and which one is meant is not told`, {
						layer,
					});
				}
			}
		}
		eachPrim(
			session,
			(prim) => prim.authoredPropertyNames().some((name) => declared.has(name)),
			(prim) => applyMissing(session, prim, declared),
		);
		refuseSchemas(session);
	},
};

/** F39: what contradicts the rest of the asset: policies of publishers that follow themselves, frames that move and say they do not. */
export const ROS_VALUES: Fixer = {
	family: 'F39',
	title: 'ROS attributes that contradict the asset',
	rules: ['R2.4.8', 'R2.7.7'],
	safety: 'unsafe',
	apply(session) {
		eachPrim(
			session,
			(prim) => prim.hasSchema('RosTopicAPI'),
			(prim) => {
				const name = 'ros:topic:qos:match_publisher';
				if (readText(prim, 'ros:topic:role') === 'publisher' && prim.attribute(name).isAuthored) {
					removeProperty(session, 'R2.4.8', prim, name);
				}
			},
		);
		eachPrim(
			session,
			(prim) => prim.hasSchema('RosFrameAPI') && prim.attribute('ros:frame:static').isAuthored,
			(prim) => {
				const name = 'ros:frame:static';
				const isStatic = !moves(prim);
				if (prim.attribute(name).get()?.data === isStatic) return;
				const site = propertySite(session, prim, name);
				if (site === undefined) return;
				session.edit('R2.7.7', site.layer, (layer) => {
					const path = site.path.appendProperty(name);
					layer.setField(path, 'typeName', makeValue(T.token, 'bool') as Value);
					layer.setField(path, 'default', makeValue(T.bool, isStatic) as Value);
				});
			},
		);
	},
};

/** Whether a frame moves against the frame that it hangs on: its own operations, or those between it and its link, are animated. */
function moves(prim: Prim): boolean {
	for (let at: Prim | undefined = prim; at !== undefined && !at.isPseudoRoot; at = at.parent) {
		if (at !== prim && (isBody(at) || at.hasSchema('RosFrameAPI') || at.hasSchema('RosContextAPI'))) return false;
		if (isTransformAnimated(at)) return true;
	}
	return false;
}

/** Attributes count only with their schema. */
function applyMissing(session: FixSession, prim: Prim, declared: ReadonlyMap<string, Declared>): void {
	for (const name of prim.authoredPropertyNames()) {
		const kind = declared.has(name) ? /^ros:([a-z]+):/.exec(name)?.[1] : undefined;
		if (kind === undefined) continue;
		const schema = `Ros${kind.charAt(0).toUpperCase()}${kind.slice(1)}API`;
		const again = session.stage.prim(prim.path)!;
		if (!again.hasSchema(schema)) applySchema(session, RULE, again, schema, propertySite(session, again, name));
	}
}

/** Schemas with names that only look like those of ROS. */
function refuseSchemas(session: FixSession): void {
	eachPrim(
		session,
		(prim) => (prim.authoredSchemas ?? []).some((name) => /^Ros[A-Z]/.test(name)),
		(prim) => {
			for (const name of prim.authoredSchemas ?? []) {
				if (!/^Ros[A-Z]/.test(name) || SchemaRegistry.standard.find(name) !== undefined) continue;
				session.refuse(RULE, `${name} is no schema, and which one is meant is not told`, { prim });
			}
		},
	);
}

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
