import {
	ATTRIBUTE_WIDTH,
	type AttributeDeclaration,
	type AttributeType,
	type AttributeValue,
} from '@manyworlds/model/internal';

/** A value of a custom attribute from the text of an XML attribute; undefined when the text is none. */
export function readAttributeText(declaration: AttributeDeclaration, text: string): AttributeValue | undefined {
	const { type } = declaration;
	const trimmed = text.trim();
	if (type === 'string') return text;
	if (type === 'bool') return readBool(trimmed);
	const numbers = trimmed === '' ? [] : trimmed.split(/\s+/).map(Number);
	if (numbers.length === 0 || numbers.some(Number.isNaN)) return undefined;
	const isWhole = WHOLE.includes(type);
	if (isWhole && numbers.some((number) => !Number.isInteger(number))) return undefined;
	const width = ATTRIBUTE_WIDTH[type];
	if (width === 1) return numbers.length === 1 ? numbers[0] : undefined;
	// numbers that are left out are those of the default
	const rest = declaration.default;
	if (typeof rest === 'object') for (let i = numbers.length; i < width; i++) numbers.push(rest[i] ?? 0);
	return numbers.length === width ? numbers : undefined;
}

const WHOLE: readonly AttributeType[] = ['i32', 'u32', 'i64', 'vec2i', 'vec3i', 'vec4i'];

function readBool(text: string): boolean | undefined {
	const word = text.toLowerCase();
	if (['1', 'true', 't', 'yes', 'y'].includes(word)) return true;
	if (['0', 'false', 'f', 'no', 'n'].includes(word)) return false;
	const number = word === '' ? Number.NaN : Number(word);
	return Number.isNaN(number) ? undefined : Math.trunc(number) !== 0;
}
