import { dataOf, type Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';

/** The default value that layers give an attribute; undefined for a fallback or none. */
export function authoredValue(prim: Prim, name: string): Value | undefined {
	const attribute = prim.attribute(name);
	const { source } = attribute.resolveInfo('default');
	return source === 'none' || source === 'fallback' ? undefined : attribute.get();
}

/** The token or string that layers give an attribute; undefined for a fallback, none, or another type. */
export function authoredText(prim: Prim, name: string): string | undefined {
	const value = authoredValue(prim, name);
	return dataOf(value, T.token) ?? dataOf(value, T.string);
}

/** The number that layers give an attribute, whatever its precision. */
export function authoredNumber(prim: Prim, name: string): number | undefined {
	const value = authoredValue(prim, name);
	return typeof value?.data === 'number' ? value.data : undefined;
}

/** The bool that layers give an attribute. */
export function authoredBool(prim: Prim, name: string): boolean | undefined {
	return dataOf(authoredValue(prim, name), T.bool);
}

/** An attribute as its strongest spec declares it. */
export interface DeclaredAttribute {
	/** `string`; '' when nobody says. */
	readonly typeName: string;
	readonly isUniform: boolean;
	/** The default value of the strongest spec that has one, of whatever type it is. */
	readonly value: Value | undefined;
}

/** What layers say about an attribute, whatever its schema says; undefined when no layer has it. */
export function declaredAttribute(prim: Prim, name: string): DeclaredAttribute | undefined {
	const specs = prim.attribute(name).specs();
	if (specs.length === 0) return undefined;
	const first = <D>(field: string, read: (value: Value | undefined) => D | undefined): D | undefined => {
		for (const { layer, path } of specs) {
			const found = read(layer.data.field(path, field));
			if (found !== undefined) return found;
		}
		return undefined;
	};
	return {
		typeName: first('typeName', (value) => dataOf(value, T.token)) ?? '',
		isUniform: first('variability', (value) => dataOf(value, T.variability)) === 'uniform',
		value: first('default', (value) => value),
	};
}
