import { SaxesParser } from 'saxes';
import type { MeshReadContext } from './mesh-file.ts';

/** An element of an XML document with the place where it starts. */
export interface XmlElement {
	/** Name without namespace prefix. */
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: XmlElement[];
	/** Text directly inside, joined. */
	text: string;
	/** Place of its start tag, both from 1. */
	readonly line: number;
	readonly column: number;
}

/** Reads a document into elements; faults are reported and the best tree is given, undefined without a root. */
export function readXmlTree(context: MeshReadContext): XmlElement | undefined {
	const parser = new SaxesParser({ xmlns: false, position: true });
	let root: XmlElement | undefined;
	const open: XmlElement[] = [];
	let pieces: string[] = [];
	let line = 1;
	let column = 1;
	const flush = (): void => {
		const top = open.at(-1);
		if (top !== undefined && pieces.length > 0) top.text += pieces.join('');
		pieces = [];
	};
	parser.on('error', (error) => {
		const offset = context.offsetAt(parser.line, Math.max(parser.column, 1));
		// the message begins with the place, which the diagnostic has
		const message = error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, '').replace(/\.$/, '');
		context.addAt('MESH013', message, offset, offset + 1);
	});
	parser.on('opentagstart', (tag) => {
		line = parser.line;
		// the parser has read '<', the name and one character more
		column = Math.max(parser.column - tag.name.length - 1, 1);
	});
	parser.on('opentag', (tag) => {
		flush();
		const attributes = new Map<string, string>();
		for (const [name, value] of Object.entries(tag.attributes)) attributes.set(name, String(value));
		const element: XmlElement = { name: localName(tag.name), attributes, children: [], text: '', line, column };
		const parent = open.at(-1);
		if (parent !== undefined) parent.children.push(element);
		else root ??= element;
		open.push(element);
	});
	parser.on('closetag', () => {
		flush();
		open.pop();
	});
	parser.on('text', (text) => {
		pieces.push(text);
	});
	parser.on('cdata', (text) => {
		pieces.push(text);
	});
	parser.write(new TextDecoder().decode(context.bytes)).close();
	return root;
}

/** First child with a name. */
export function childNamed(element: XmlElement, name: string): XmlElement | undefined {
	return element.children.find((child) => child.name === name);
}

/** Children with a name. */
export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
	return element.children.filter((child) => child.name === name);
}

function localName(name: string): string {
	const colon = name.indexOf(':');
	return colon < 0 ? name : name.slice(colon + 1);
}
