import {
	type MessageConstant,
	type MessageDefinition,
	type MessageField,
	PRIMITIVES,
	type PrimitiveName,
} from './message-definition.ts';

/** A parsed text, and what in it makes no sense. */
export interface ParsedDefinition {
	readonly definition: MessageDefinition;
	/** Sentences with line numbers. */
	readonly problems: readonly string[];
}

/** `type name`, `type name default`, `type NAME=value`. */
const LINE =
	/^(?<base>[a-zA-Z]\w*(?:\/[a-zA-Z]\w*){0,2})(?:<=(?<text>\d+))?(?:\[(?<most><=)?(?<size>\d*)\])?\s+(?<name>[a-zA-Z]\w*)\s*(?:(?<equals>=)\s*(?<value>.*)|\s(?<start>.+))?$/;

/** Reads the fields and constants of a message. Lines that make no sense are left out and told. */
export function parseDefinition(type: string, text: string): ParsedDefinition {
	const packageName = type.slice(0, type.indexOf('/'));
	const fields: MessageField[] = [];
	const constants: MessageConstant[] = [];
	const problems: string[] = [];
	for (const [index, raw] of text.split(/\r?\n/).entries()) {
		const line = withoutComment(raw).trim();
		if (line === '') continue;
		const parts = LINE.exec(line)?.groups;
		if (parts === undefined) {
			problems.push(`line ${index + 1} of '${type}' is '${line}', expected 'type name' or 'type NAME=value'`);
			continue;
		}
		const base = parts['base']!;
		const primitive = primitiveOf(base);
		if (parts['equals'] !== undefined) {
			if (primitive === undefined) problems.push(`line ${index + 1} of '${type}': a constant cannot be a message`);
			else constants.push({ name: parts['name']!, primitive, text: unquoted(parts['value']!.trim()) });
			continue;
		}
		const isMany = /\[/.test(line.slice(0, line.indexOf(parts['name']!, base.length)));
		const size = Number(parts['size'] ?? 0);
		fields.push({
			name: parts['name']!,
			primitive,
			nested: primitive === undefined ? nestedType(base, packageName) : undefined,
			multiplicity: !isMany ? 'one' : parts['most'] !== undefined ? 'bounded' : size > 0 ? 'array' : 'sequence',
			size: isMany ? size : 0,
			stringSize: Number(parts['text'] ?? 0),
			defaultText: parts['start']?.trim(),
		});
	}
	return { definition: { type, fields, constants }, problems };
}

/** Parts of a service or an action, which lines of `---` separate. */
export function splitDefinition(text: string): string[] {
	return text.split(/^---.*$/m);
}

/** `char` is an old name of a byte without a sign. */
function primitiveOf(name: string): PrimitiveName | undefined {
	if (name === 'char') return 'uint8';
	return Object.hasOwn(PRIMITIVES, name) ? (name as PrimitiveName) : undefined;
}

function nestedType(name: string, packageName: string): string {
	const parts = name.split('/');
	if (parts.length === 3) return name;
	if (parts.length === 2) return `${parts[0]}/msg/${parts[1]}`;
	return name === 'Header' && packageName !== 'std_msgs' ? 'std_msgs/msg/Header' : `${packageName}/msg/${name}`;
}

/** A line without its comment; a `#` in quotes is none. */
function withoutComment(line: string): string {
	const match = /^((?:[^#"']|"[^"]*"|'[^']*')*)/.exec(line);
	return match?.[1] ?? line;
}

function unquoted(text: string): string {
	return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
