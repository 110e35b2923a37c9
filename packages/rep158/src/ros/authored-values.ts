import { dataOf, type Prim, T, type Value } from '@manyworlds/usd';

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
