import { quote } from '@manyworlds/core';
import { readNumbers } from '@manyworlds/formats/internal';
import type { MujocoAttribute } from '@manyworlds/model';
import {
	ATTRIBUTE_WIDTH,
	type AttributeDeclaration,
	type AttributeValue,
	mujocoAttribute,
	parseMujocoToken,
} from '@manyworlds/model/internal';
import type { Attributes } from './attributes.ts';
import type { MjcfContext } from './context.ts';

/** What the meaning of a value depends on. */
export interface ValueSetting {
	/** Whether angles of this element are in degrees and turn something. */
	readonly isDegree?: boolean;
	/** Marks values as targets in the ledger. */
	readonly target?: (key: string) => string;
	/** Attributes that are filled in another way. */
	readonly except?: ReadonlySet<string>;
}

/** Values of the custom attributes of a frequency that the attributes of an element give, by key. */
export function readCustomAttributes(
	context: MjcfContext,
	attributes: Attributes,
	frequency: string,
	setting: ValueSetting = {},
): Map<string, AttributeValue> {
	const values = new Map<string, AttributeValue>();
	for (const declaration of context.declarations.get(frequency) ?? []) {
		const key = keyOf(declaration);
		if (setting.except?.has(key)) continue;
		const name = declaration.mjcfName ?? declaration.name;
		if (!attributes.has(name)) continue;
		const value = readValue(attributes, name, declaration, setting);
		if (value === undefined) continue;
		values.set(key, value);
		attributes.keep(name, { target: setting.target?.(key) ?? key });
	}
	return values;
}

/** `namespace:name`, or the name alone. */
export function keyOf(declaration: AttributeDeclaration): string {
	return declaration.namespace ? `${declaration.namespace}:${declaration.name}` : declaration.name;
}

function readValue(
	attributes: Attributes,
	name: string,
	declaration: AttributeDeclaration,
	setting: ValueSetting,
): AttributeValue | undefined {
	const text = attributes.values.get(name)!.text;
	const known = declaration.namespace === 'mujoco' ? mujocoAttribute(declaration.name) : undefined;
	const rule = known?.mjcfRule;
	if (rule === 'presence') return 1;
	if (rule === 'angle') {
		const value = single(attributes, name);
		if (value === undefined || !setting.isDegree) return value;
		attributes.convert(name, { from: 'degree', to: 'radian', target: keyOf(declaration) });
		return (value * Math.PI) / 180;
	}
	if (rule !== undefined) {
		const token = parseMujocoToken(rule, text);
		if (token !== undefined) return declaration.type === 'bool' ? token === 1 : token;
		return unknownToken(attributes, name, known!);
	}
	return typedValue(attributes, name, declaration);
}

/** Types of actuators fall back to the first of their list, other words to the default. */
function unknownToken(
	attributes: Attributes,
	name: string,
	{ mjcfRule, default: value }: MujocoAttribute,
): AttributeValue | undefined {
	const isActuator =
		mjcfRule === 'trntype' || mjcfRule === 'dyntype' || mjcfRule === 'gaintype' || mjcfRule === 'biastype';
	if (isActuator) {
		attributes.fault('MJCF016', name, 'which is not supported; the first of its kinds is taken instead');
		return 0;
	}
	attributes.fault('MJCF006', name, 'expected one of the words that MuJoCo has for it', 'warning');
	return value;
}

function typedValue(
	attributes: Attributes,
	name: string,
	{ type, default: fallback }: AttributeDeclaration,
): AttributeValue | undefined {
	const text = attributes.values.get(name)!.text;
	switch (type) {
		case 'string':
			return text;
		case 'bool':
			return flag(attributes, name);
		case 'f32':
		case 'f64':
			return single(attributes, name);
		case 'i32':
		case 'i64':
		case 'u32': {
			const value = single(attributes, name);
			if (value === undefined || Number.isInteger(value)) return value;
			attributes.fault('MJCF006', name, 'expected a whole number');
			return undefined;
		}
		default:
			return vector(attributes, name, ATTRIBUTE_WIDTH[type], fallback);
	}
}

/** Missing numbers at the end come from the default. */
function vector(
	attributes: Attributes,
	name: string,
	width: number,
	fallback: AttributeValue | undefined,
): AttributeValue | undefined {
	const numbers = attributes.numbers(name, { least: 1, most: width });
	if (numbers === undefined) return undefined;
	const out = new Float64Array(width);
	if (typeof fallback === 'object') out.set(Array.from(fallback).slice(0, width));
	out.set(numbers);
	return out;
}

function single(attributes: Attributes, name: string): number | undefined {
	return attributes.numbers(name, { least: 1, most: 1 })?.[0];
}

function flag(attributes: Attributes, name: string): boolean | undefined {
	const word = attributes.word(name)!;
	if (/^(?:1|true|t|yes|y)$/.test(word)) return true;
	if (/^(?:0|false|f|no|n)$/.test(word)) return false;
	const number = readNumbers(word);
	if (number?.length === 1) return Math.trunc(number[0]!) !== 0;
	attributes.fault('MJCF006', name, `expected true or false, found ${quote(word)}`);
	return undefined;
}
