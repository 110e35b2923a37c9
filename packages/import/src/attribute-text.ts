import type { AttributeDeclaration, AttributeType, AttributeValue } from '@manyworlds/model/internal';

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
	const width = WIDTHS[type];
	if (width === undefined) return numbers.length === 1 ? numbers[0] : undefined;
	// numbers that are left out are those of the default
	const rest = declaration.default;
	if (typeof rest === 'object') for (let i = numbers.length; i < width; i++) numbers.push(rest[i] ?? 0);
	return numbers.length === width ? numbers : undefined;
}

/** `namespace:name`, or the name alone. */
export function attributeKeyOf(declaration: AttributeDeclaration): string {
	return declaration.namespace ? `${declaration.namespace}:${declaration.name}` : declaration.name;
}

const WHOLE: readonly AttributeType[] = ['i32', 'u32', 'i64', 'vec2i', 'vec3i', 'vec4i'];

const WIDTHS: Readonly<Partial<Record<AttributeType, number>>> = {
	vec2: 2,
	vec3: 3,
	vec4: 4,
	vec5: 5,
	vec6: 6,
	vec10: 10,
	quat: 4,
	mat22: 4,
	mat33: 9,
	mat44: 16,
	transform: 7,
	vec2i: 2,
	vec3i: 3,
	vec4i: 4,
};

function readBool(text: string): boolean | undefined {
	const word = text.toLowerCase();
	if (['1', 'true', 't', 'yes', 'y'].includes(word)) return true;
	if (['0', 'false', 'f', 'no', 'n'].includes(word)) return false;
	const number = word === '' ? Number.NaN : Number(word);
	return Number.isNaN(number) ? undefined : Math.trunc(number) !== 0;
}
