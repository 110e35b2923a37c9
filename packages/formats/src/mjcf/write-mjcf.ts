import type { MjcfDocument } from './mjcf-document.ts';
import type { MjcfElement, MjcfRemark } from './mjcf-element.ts';

/**
 * Writes a model as one MJCF text, the same for the same model: two spaces per level, one element per line, attributes in
 * their order. Values that were read are written as they stood, so that every number stays the same.
 *
 * Comments and whatever MuJoCo does not know are kept. Includes are resolved, as MuJoCo reads them: the content of a file
 * stands in the place of the element that names it, without the file's outermost tag; an include that could not be read
 * stays. A replication is written as it was read, not as its copies. White space is ours. A model without a `mujoco`
 * element gives an empty text.
 * @public
 */
export function writeMjcf(document: MjcfDocument): string {
	let text = '';
	for (const line of linesOf(document)) text += `${line.text}\n`;
	return text;
}

/** The element in a line, from 1, of what {@link writeMjcf} gives: the one that begins or ends there. @public */
export function mjcfElementAtLine(document: MjcfDocument, line: number): MjcfElement | undefined {
	let last = 0;
	for (const { text, element } of linesOf(document)) {
		last += text.split('\n').length;
		if (last >= line) return element;
	}
	return undefined;
}

interface Line {
	/** Without its end; a comment may have several lines. */
	readonly text: string;
	readonly element?: MjcfElement;
}

function* linesOf(document: MjcfDocument): Generator<Line> {
	const { root } = document;
	if (root === undefined) return;
	yield* remarkLines(root.leading, '');
	yield { text: startTag(root), element: root };
	const open: { readonly element: MjcfElement; next: number }[] = [{ element: root, next: 0 }];
	for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
		const indent = indentAt(open.length);
		const child = top.element.children[top.next++];
		if (child !== undefined) {
			// the first copy stands for all
			if (child.copyIndex > 0) continue;
			yield* remarkLines(child.leading, indent);
			if (child.isResolvedInclude) continue;
			yield { text: indent + startTag(child), element: child };
			open.push({ element: child, next: 0 });
			continue;
		}
		yield* remarkLines(top.element.trailing, indent);
		open.pop();
		if (hasContent(top.element)) yield { text: `${indentAt(open.length)}</${top.element.name}>`, element: top.element };
	}
	yield* remarkLines(document.trailing, '');
}

/** Lines begin no further to the right than this many levels: a long chain would be blanks for the most part. */
const DEEPEST_INDENT = 64;

function indentAt(depth: number): string {
	return '  '.repeat(Math.min(depth, DEEPEST_INDENT));
}

function* remarkLines(remarks: readonly MjcfRemark[], indent: string): Generator<Line> {
	for (const { kind, text } of remarks) {
		if (kind === 'comment') yield { text: `${indent}<!--${text.replaceAll('-->', '-- >')}-->` };
		else if (kind === 'text') yield { text: indent + escapeMarkup(text) };
		else yield { text: `${indent}<?${declaredUtf8(text)}?>` };
	}
}

/** The text is written as UTF-8, whatever it was read from. */
function declaredUtf8(instruction: string): string {
	if (!/^xml\s/.test(instruction)) return instruction;
	return instruction.replace(/(encoding\s*=\s*)("[^"]*"|'[^']*')/, (known, key: string, value: string) =>
		/^.utf-?8.$/i.test(value) ? known : `${key}"UTF-8"`,
	);
}

function startTag(element: MjcfElement): string {
	let text = `<${element.name}`;
	for (const { name, value } of element.attributes) text += ` ${name}="${escapeValue(value)}"`;
	return `${text}${hasContent(element) ? '' : '/'}>`;
}

function hasContent({ children, trailing }: MjcfElement): boolean {
	return children.length > 0 || trailing.length > 0;
}

function escapeMarkup(text: string): string {
	return text.replace(/[&<>]/g, (character) => ESCAPES[character]!);
}

function escapeValue(text: string): string {
	return text.replace(/[&<>"\n\t\r]/g, (character) => ESCAPES[character]!);
}

const ESCAPES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	'\n': '&#10;',
	'\t': '&#9;',
	'\r': '&#13;',
};
