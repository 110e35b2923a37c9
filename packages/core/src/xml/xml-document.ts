import type { DiagnosticDetails } from '../diagnostic.ts';
import type { SourceRange } from '../source.ts';
import { readIntegerBytes, readNumberBytes, readNumberList } from './number-list.ts';
import type { XmlText } from './xml-text.ts';

/** An XML file as a tree in which everything knows where it is written. @public */
export class XmlDocument {
	/** The outermost element; undefined when the text holds none. */
	readonly root: XmlElement | undefined;
	/** What stands beside the outermost element: comments, processing instructions, the declaration. */
	readonly nodes: readonly XmlNode[];
	/** Whether the text is well-formed; a tree of what could be read exists otherwise too. */
	readonly isWellFormed: boolean;
	readonly #text: XmlText;

	/** @internal */
	constructor(text: XmlText, root: XmlElement | undefined, nodes: readonly XmlNode[], isWellFormed: boolean) {
		this.#text = text;
		this.root = root;
		this.nodes = nodes;
		this.isWellFormed = isWellFormed;
	}

	/** Name of the file, as the caller gave it. */
	get file(): string | undefined {
		return this.#text.file;
	}

	/** The whole text. */
	get text(): string {
		return this.#text.text;
	}
}

/** An element of an XML file. @public */
export class XmlElement {
	/** Name as written, with its prefix unless names were asked for without. */
	readonly name: string;
	readonly attributes: readonly XmlAttribute[];
	readonly parent: XmlElement | undefined;
	/** Elements directly inside. */
	readonly children: readonly XmlElement[];
	/** Everything directly inside: elements, text, comments, instructions. */
	readonly nodes: readonly XmlNode[];
	readonly kind = 'element' as const;
	readonly #text: XmlText;
	readonly #start: number;
	readonly #tagEnd: number;
	#end: number;

	/** @internal */
	constructor(
		text: XmlText,
		parts: {
			readonly name: string;
			readonly attributes: readonly XmlAttribute[];
			readonly parent: XmlElement | undefined;
			readonly start: number;
			readonly tagEnd: number;
		},
	) {
		this.#text = text;
		this.name = parts.name;
		this.attributes = parts.attributes;
		this.parent = parts.parent;
		this.children = [];
		this.nodes = [];
		this.#start = parts.start;
		this.#tagEnd = parts.tagEnd;
		this.#end = parts.tagEnd;
	}

	/** From the start tag to the end of the end tag. */
	get range(): SourceRange {
		return this.#text.range(this.#start, this.#end);
	}

	/** The start tag. */
	get tagRange(): SourceRange {
		return this.#text.range(this.#start, this.#tagEnd);
	}

	/** Line of the start tag, from 1. */
	get line(): number {
		return this.range.start.line;
	}

	/** Name of the file it is written in. */
	get file(): string | undefined {
		return this.#text.file;
	}

	/** File, range and excerpt of the start tag: what a diagnostic about the element is located with. */
	get location(): DiagnosticDetails {
		return this.#text.locate(this.#start, this.#tagEnd);
	}

	/** Character data directly inside, joined. */
	get text(): string {
		let text = '';
		for (const node of this.nodes) if (node.kind === 'text') text += node.text;
		return text;
	}

	/** Numbers of the character data, NaN for words that are none. */
	get numbers(): Float64Array {
		const [only] = this.nodes;
		if (this.nodes.length === 1 && only?.kind === 'text') return only.numbers;
		return readNumberList(this.text);
	}

	/** Whole numbers of the character data; undefined when it is anything but numbers of up to nine digits in one plain piece. */
	get integers(): Int32Array | undefined {
		const [only] = this.nodes;
		return this.nodes.length === 1 && only?.kind === 'text' ? only.integers : undefined;
	}

	/** The attribute with a name. */
	attribute(name: string): XmlAttribute | undefined {
		return this.attributes.find((attribute) => attribute.name === name);
	}

	/** Value of the attribute with a name. */
	get(name: string): string | undefined {
		return this.attribute(name)?.value;
	}

	/** First child element with a name. */
	child(name: string): XmlElement | undefined {
		return this.children.find((child) => child.name === name);
	}

	/** Child elements with a name. */
	childrenNamed(name: string): XmlElement[] {
		return this.children.filter((child) => child.name === name);
	}

	/** Where the end tag ends. @internal */
	closeAt(end: number): void {
		this.#end = end;
	}

	/** Puts a node inside. @internal */
	append(node: XmlNode): void {
		(this.nodes as XmlNode[]).push(node);
		if (node.kind === 'element') (this.children as XmlElement[]).push(node);
	}
}

/** An attribute of an element. @public */
export class XmlAttribute {
	/** Name as written, with its prefix. */
	readonly name: string;
	/** Value with references replaced and every kind of white space turned into spaces (XML 1.0 section 3.3.3). */
	readonly value: string;
	readonly #text: XmlText;
	readonly #start: number;
	readonly #valueStart: number;
	readonly #end: number;

	/** @internal */
	constructor(
		text: XmlText,
		parts: {
			readonly name: string;
			readonly value: string;
			readonly start: number;
			readonly valueStart: number;
			readonly valueEnd: number;
		},
	) {
		this.#text = text;
		this.name = parts.name;
		this.value = parts.value;
		this.#start = parts.start;
		this.#valueStart = parts.valueStart;
		this.#end = parts.valueEnd;
	}

	/** From the first character of the name to the closing quote. */
	get range(): SourceRange {
		return this.#text.range(this.#start, Math.min(this.#end + 1, this.#text.text.length));
	}

	/** The value between its quotes. */
	get valueRange(): SourceRange {
		return this.#text.range(this.#valueStart, this.#end);
	}

	/** Name of the file it is written in. */
	get file(): string | undefined {
		return this.#text.file;
	}

	/** File, range and excerpt of the value: what a diagnostic about it is located with. */
	get location(): DiagnosticDetails {
		return this.#text.locate(this.#valueStart, this.#end);
	}
}

/** Character data, a comment or a processing instruction. @public */
export class XmlCharacters {
	readonly kind: 'text' | 'comment' | 'instruction';
	/** Content without delimiters; references in character data are replaced, line ends are LF. */
	readonly text: string;
	readonly #text: XmlText;
	readonly #start: number;
	readonly #end: number;

	/** @internal */
	constructor(text: XmlText, kind: XmlCharacters['kind'], content: string, start: number, end: number) {
		this.kind = kind;
		this.text = content;
		this.#text = text;
		this.#start = start;
		this.#end = end;
	}

	get range(): SourceRange {
		return this.#text.range(this.#start, this.#end);
	}

	/** Numbers of character data, NaN for words that are none. */
	get numbers(): Float64Array {
		const bytes = this.#bytes;
		return bytes === undefined ? readNumberList(this.text) : readNumberBytes(bytes, this.#start, this.#end);
	}

	/** Whole numbers of character data; undefined when it is anything but plain numbers of up to nine digits. */
	get integers(): Int32Array | undefined {
		const bytes = this.#bytes;
		return bytes === undefined ? undefined : readIntegerBytes(bytes, this.#start, this.#end);
	}

	/** The bytes of the file, when the text is in them from start to end as it is. */
	get #bytes(): Uint8Array | undefined {
		const isPlain = this.#end - this.#start === this.text.length;
		return isPlain ? this.#text.ascii : undefined;
	}
}

/** Anything that an element can contain. @public */
export type XmlNode = XmlElement | XmlCharacters;
