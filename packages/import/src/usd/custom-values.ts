import type { AttributeAssignments, MujocoAttribute } from '@manyworlds/model';
import {
	ATTRIBUTE_WIDTH,
	type AttributeDeclaration,
	type AttributeValue,
	mujocoAttribute,
} from '@manyworlds/model/internal';
import type { Prim } from '@manyworlds/usd';
import type { ImportContext } from './context.ts';
import { applyMujocoRule } from './mujoco-rules.ts';
import { asBool, asNumber, asNumbers, authoredValue, type PlainValue, showValue } from './plain-value.ts';

/** A declared attribute with what is read from prims for it. */
export interface ReadableAttribute {
	readonly key: string;
	readonly declaration: AttributeDeclaration;
	/** USD attribute, or `*` for a rule that looks at the whole prim. */
	readonly usdName: string;
	readonly mujoco: MujocoAttribute | undefined;
}

const readable = new WeakMap<ImportContext, { readonly count: number; readonly all: readonly ReadableAttribute[] }>();

/** The declared attributes of the builder, as prims give values for them. */
export function readableAttributes(ctx: ImportContext): readonly ReadableAttribute[] {
	const declarations = ctx.builder.attributeDeclarations();
	const known = readable.get(ctx);
	if (known !== undefined && known.count === declarations.length) return known.all;
	const all = declarations.map((declaration): ReadableAttribute => {
		const { name, namespace } = declaration;
		const key = namespace ? `${namespace}:${name}` : name;
		const mujoco = namespace === 'mujoco' ? mujocoAttribute(name) : undefined;
		return { key, declaration, usdName: declaration.usdName ?? `newton:${key}`, mujoco };
	});
	readable.set(ctx, { count: declarations.length, all });
	return all;
}

/** Whether the builder declares an attribute. */
export function hasAttribute(ctx: ImportContext, key: string): boolean {
	return readableAttributes(ctx).some((attribute) => attribute.key === key);
}

/** Values that a prim authors for the declared attributes of some frequencies. */
export function readCustomValues(
	ctx: ImportContext,
	prim: Prim,
	frequencies: readonly string[],
): Record<string, AttributeAssignments[string]> {
	const out: Record<string, AttributeAssignments[string]> = {};
	for (const attribute of readableAttributes(ctx)) {
		if (!frequencies.includes(attribute.declaration.frequency)) continue;
		const value = readCustomValue(ctx, prim, attribute);
		if (value !== undefined) out[attribute.key] = value;
	}
	return out;
}

/** The value that a prim authors for one declared attribute. */
export function readCustomValue(
	ctx: ImportContext,
	prim: Prim,
	attribute: ReadableAttribute,
): AttributeAssignments[string] | undefined {
	const { usdName, mujoco, key, declaration } = attribute;
	if (mujoco?.usdRule !== undefined) {
		if (usdName !== '*' && !prim.attribute(usdName).hasAuthoredValue) return undefined;
		return applyMujocoRule(ctx, prim, mujoco);
	}
	if (usdName === '*') return undefined;
	const authored = authoredValue(prim, usdName);
	if (authored === undefined) return undefined;
	const value = convertValue(authored, declaration);
	const path = prim.path.toString();
	if (value === undefined) {
		ctx.tell(
			'IMP071',
			prim,
			`${usdName} is ${showValue(authored)}, expected a value of the declared type ${declaration.type}`,
			usdName,
		);
		return undefined;
	}
	if (declaration.type === 'quat')
		ctx.ledger.convert(path, usdName, { target: key, from: 'w x y z', to: 'x y z w, unit length' });
	else ctx.ledger.keep(path, usdName, { target: key });
	return value;
}

/** A USD value as one of the declared type; undefined when it cannot be. */
export function convertValue(value: PlainValue, declaration: AttributeDeclaration): AttributeValue | undefined {
	const { type } = declaration;
	switch (type) {
		case 'string':
			return typeof value === 'string' ? value : undefined;
		case 'bool':
			return asBool(value);
		case 'i32':
		case 'u32':
		case 'i64': {
			const number = typeof value === 'boolean' ? Number(value) : asNumber(value);
			return number === undefined ? undefined : Math.trunc(number);
		}
		case 'f32':
		case 'f64':
			return typeof value === 'boolean' ? Number(value) : asNumber(value);
		default: {
			const width = ATTRIBUTE_WIDTH[type];
			const numbers = asNumbers(Array.isArray(value) ? value.flat() : value);
			if (numbers === undefined || numbers.length > width || numbers.length === 0) return undefined;
			if (numbers.length < width) return padded(numbers, declaration, width);
			return type === 'quat' ? unit(numbers) : numbers;
		}
	}
}

/** MuJoCo's parameter lists may be cut short; the default has the rest. Other vectors must be whole. */
function padded(numbers: readonly number[], declaration: AttributeDeclaration, width: number): number[] | undefined {
	const { namespace, default: rest } = declaration;
	if (namespace !== 'mujoco' || typeof rest !== 'object') return undefined;
	return Array.from({ length: width }, (_, i) => numbers[i] ?? rest[i] ?? 0);
}

function unit(quaternion: readonly number[]): number[] {
	const norm = Math.hypot(...quaternion);
	return norm > 0 ? quaternion.map((part) => part / norm) : [0, 0, 0, 1];
}
