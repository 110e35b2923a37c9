import { numbersText, numberText } from './number-text.ts';

/** Values that attributes and contents are made of; undefined ones are left out. */
export type XmlInput = string | number | Iterable<number> | undefined;

/** An element that is being written. Text is escaped, so that no name can be read as markup. */
export class XmlText {
	readonly #name: string;
	readonly #attributes: [string, string][] = [];
	readonly #children: XmlText[] = [];
	#content: string | undefined;

	constructor(name: string, attributes: Readonly<Record<string, XmlInput>> = {}) {
		this.#name = name;
		for (const [key, value] of Object.entries(attributes)) this.set(key, value);
	}

	set(name: string, value: XmlInput): this {
		if (value !== undefined) this.#attributes.push([name, textOf(value)]);
		return this;
	}

	/** Adds a child, with content if given, and gives the child. */
	add(name: string, attributes: Readonly<Record<string, XmlInput>> = {}, content?: XmlInput): XmlText {
		const child = new XmlText(name, attributes);
		if (content !== undefined) child.#content = textOf(content);
		this.#children.push(child);
		return child;
	}

	/** Adds a child that was made before. */
	append(child: XmlText): void {
		this.#children.push(child);
	}

	get isEmpty(): boolean {
		return this.#children.length === 0;
	}

	/** The element as lines; recursion would end at deep trees. */
	toString(): string {
		const lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>'];
		const open: (readonly [XmlText, number] | string)[] = [[this, 0]];
		for (let next = open.pop(); next !== undefined; next = open.pop()) {
			if (typeof next === 'string') {
				lines.push(next);
				continue;
			}
			const [element, depth] = next;
			const indent = '  '.repeat(depth);
			const attributes = element.#attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
			const head = `${indent}<${element.#name}${attributes}`;
			if (element.#children.length === 0) {
				const content = element.#content;
				lines.push(content === undefined ? `${head}/>` : `${head}>${escaped(content)}</${element.#name}>`);
				continue;
			}
			lines.push(`${head}>`);
			open.push(`${indent}</${element.#name}>`);
			for (let i = element.#children.length - 1; i >= 0; i--) open.push([element.#children[i]!, depth + 1]);
		}
		return `${lines.join('\n')}\n`;
	}
}

function textOf(value: Exclude<XmlInput, undefined>): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' ? numberText(value) : numbersText(value);
}

/** Control characters other than tabs and line ends cannot be written in XML 1.0 at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escaped(text: string): string {
	return text
		.replace(FORBIDDEN, '\ufffd')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;')
		.replaceAll('\n', '&#10;')
		.replaceAll('\r', '&#13;')
		.replaceAll('\t', '&#9;');
}
