import type { ErrorSubject } from '@manyworlds/model';

/** Values that an attribute of MJCF can have; numbers are written so that they read back to the same double. */
export type MjcfValue = string | number | boolean | ArrayLike<number>;

/** An element of an MJCF document. @public */
export class MjcfElement {
	readonly tag: string;
	readonly attributes: Map<string, string> = new Map();
	readonly children: MjcfElement[] = [];
	/** What of the model it stands for. */
	subject: ErrorSubject | undefined;

	constructor(tag: string, attributes: Readonly<Record<string, MjcfValue | undefined>> = {}) {
		this.tag = tag;
		for (const [name, value] of Object.entries(attributes)) this.set(name, value);
	}

	/** Sets an attribute; an undefined value leaves it out. */
	set(name: string, value: MjcfValue | undefined): this {
		if (value !== undefined) this.attributes.set(name, formatValue(value));
		return this;
	}

	/** Says what of the model the element stands for. */
	standFor(subject: ErrorSubject): this {
		this.subject = subject;
		return this;
	}

	/** Appends a child and gives it back. */
	add(tag: string, attributes: Readonly<Record<string, MjcfValue | undefined>> = {}): MjcfElement {
		const child = new MjcfElement(tag, attributes);
		this.children.push(child);
		return child;
	}

	/** The document as text, two spaces per level, one element per line. */
	toText(): string {
		const lines: string[] = [];
		const open: { element: MjcfElement; next: number }[] = [{ element: this, next: 0 }];
		lines.push(this.#startTag(0));
		for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
			const child = top.element.children[top.next++];
			if (child !== undefined) {
				lines.push(child.#startTag(open.length));
				open.push({ element: child, next: 0 });
				continue;
			}
			open.pop();
			if (top.element.children.length > 0) lines.push(`${'  '.repeat(open.length)}</${top.element.tag}>`);
		}
		return `${lines.join('\n')}\n`;
	}

	/** What the element in a line of the text, counted from 1, stands for; elements within one stand for the same. */
	subjectOfLine(line: number): ErrorSubject | undefined {
		let count = 0;
		let found: ErrorSubject | undefined;
		const visit = (element: MjcfElement, outer: ErrorSubject | undefined): boolean => {
			const subject = element.subject ?? outer;
			if (++count === line) {
				found = subject;
				return true;
			}
			for (const child of element.children) if (visit(child, subject)) return true;
			if (element.children.length > 0) count++;
			return false;
		};
		visit(this, undefined);
		return found;
	}

	#startTag(depth: number): string {
		let text = `${'  '.repeat(depth)}<${this.tag}`;
		for (const [name, value] of this.attributes) text += ` ${name}="${escapeText(value)}"`;
		return `${text}${this.children.length > 0 ? '' : '/'}>`;
	}
}

function formatValue(value: MjcfValue): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return formatNumber(value);
	if (typeof value === 'boolean') return value ? 'true' : 'false';
	let text = '';
	for (let i = 0; i < value.length; i++) text += i === 0 ? formatNumber(value[i]!) : ` ${formatNumber(value[i]!)}`;
	return text;
}

const SMALLEST_NORMAL = 2 ** -1022;

function formatNumber(value: number): string {
	if (Number.isNaN(value)) return 'nan';
	if (value === Number.POSITIVE_INFINITY) return 'inf';
	if (value === Number.NEGATIVE_INFINITY) return '-inf';
	// MuJoCo refuses numbers too small to be normal
	return Math.abs(value) < SMALLEST_NORMAL ? '0' : String(value);
}

function escapeText(text: string): string {
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
