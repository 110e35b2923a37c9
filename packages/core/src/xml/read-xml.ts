import { XML_CODES } from '../codes/xml.ts';
import { diagnosticMaker } from '../diagnostic.ts';
import { quote } from '../quote.ts';
import { Report } from '../report.ts';
import { XmlAttribute, XmlCharacters, XmlDocument, XmlElement, type XmlNode } from './xml-document.ts';
import { expandReferences, type ReferenceFault } from './xml-references.ts';
import { decodeXml, XmlText } from './xml-text.ts';

const createDiagnostic = /* @__PURE__ */ diagnosticMaker(XML_CODES);

/** Options of {@link readXml}. @public */
export interface ReadXmlOptions {
	/** Name of the file for diagnostics. */
	readonly file?: string;
	/** Collects what is wrong with the text. */
	readonly report?: Report;
	/** Deepest nesting of elements that is kept. */
	readonly maxDepth?: number;
	/** Whether elements are named without their prefix. */
	readonly localNames?: boolean;
}

/** Values of {@link ReadXmlOptions} that are used when absent. @public */
export const READ_XML_DEFAULTS: { readonly maxDepth: number; readonly localNames: boolean } = {
	maxDepth: 512,
	localNames: false,
};

/**
 * Reads XML 1.0 into a tree with positions.
 *
 * Never throws on bad text: what is wrong is reported where it stands, and the tree holds what could be read. Only the five
 * predefined entities and character references are replaced, so a small file cannot grow; declared entities are refused.
 *
 * ```ts
 * const { root } = readXml('<robot name="arm"/>', { file: 'arm.urdf', report });
 * root?.get('name'); // 'arm'
 * ```
 */
export function readXml(text: string | Uint8Array, options: ReadXmlOptions = {}): XmlDocument {
	const decoded = typeof text === 'string' ? { text } : decodeXml(text);
	const reader = new XmlReader(
		new XmlText(decoded.text, options.file, 'utf8' in decoded ? decoded.utf8 : undefined),
		options,
	);
	if ('unknownEncoding' in decoded && decoded.unknownEncoding !== undefined) {
		reader.fault('XML004', `the encoding is ${quote(decoded.unknownEncoding)}, expected UTF-8; read as UTF-8`, 0, 1);
	}
	return reader.read();
}

const NAME = /[:A-Z_a-z\u00c0-\uffff][-.0-9:A-Z_a-z\u00b7-\uffff]*/y;
const SPACE = /[ \t\r\n]*/y;
const TO_BRACKET = /[^<>]*/y;
const UNQUOTED = /[^ \t\r\n"'<>/=]+/y;

class XmlReader {
	readonly #text: XmlText;
	readonly #input: string;
	readonly #report: Report;
	readonly #maxDepth: number;
	readonly #localNames: boolean;
	readonly #open: XmlElement[] = [];
	readonly #outside: XmlNode[] = [];
	#root: XmlElement | undefined;
	#at = 0;
	#isWellFormed = true;
	/** Elements open beyond the deepest one that is kept. */
	#tooDeep = 0;

	constructor(text: XmlText, options: ReadXmlOptions) {
		this.#text = text;
		this.#input = text.text;
		this.#report = options.report ?? new Report();
		this.#maxDepth = options.maxDepth ?? READ_XML_DEFAULTS.maxDepth;
		this.#localNames = options.localNames ?? READ_XML_DEFAULTS.localNames;
	}

	read(): XmlDocument {
		const input = this.#input;
		if (input.charCodeAt(0) === 0xfeff) this.#at = 1;
		while (this.#at < input.length) {
			if (input[this.#at] === '<') this.#markup();
			else this.#characters();
		}
		for (const element of this.#open.toReversed()) {
			element.closeAt(input.length);
			this.#malformedElement(`<${element.name}> has no end tag`, element);
		}
		if (this.#root === undefined) this.#malformed('the text holds no element', input.length);
		return new XmlDocument(this.#text, this.#root, this.#outside, this.#isWellFormed);
	}

	fault(code: keyof typeof XML_CODES, message: string, start: number, end: number): void {
		if (code !== 'XML004') this.#isWellFormed = false;
		if (this.#report.isFull('error')) this.#report.count('error');
		else this.#report.add(createDiagnostic(code, message, this.#text.locate(start, end)));
	}

	#malformed(message: string, start: number): void {
		this.fault('XML001', message, start, Math.min(start + 1, this.#input.length));
	}

	#malformedElement(message: string, element: XmlElement | XmlAttribute): void {
		this.#isWellFormed = false;
		this.#report.add(createDiagnostic('XML001', message, element.location));
	}

	#markup(): void {
		const input = this.#input;
		const next = input[this.#at + 1];
		if (next === '/') this.#endTag();
		else if (next === '?') this.#delimited('<?', '?>', 'instruction');
		else if (next === '!') this.#declaration();
		else this.#startTag();
	}

	#declaration(): void {
		if (this.#input.startsWith('<!--', this.#at)) this.#delimited('<!--', '-->', 'comment');
		else if (this.#input.startsWith('<![CDATA[', this.#at)) this.#delimited('<![CDATA[', ']]>', 'text');
		else this.#documentType();
	}

	/** Comment, instruction or CDATA section; one without an end reaches to the end of the text. */
	#delimited(opening: string, closing: string, kind: XmlCharacters['kind']): void {
		const start = this.#at;
		const from = start + opening.length;
		const close = this.#input.indexOf(closing, from);
		if (close < 0) this.#malformed(`found no ${quote(closing)} for this ${quote(opening)}`, start);
		const end = close < 0 ? this.#input.length : close;
		this.#at = close < 0 ? end : end + closing.length;
		const content = lineEnds(this.#input.slice(from, end));
		if (kind === 'text' && this.#open.length === 0) {
			this.#malformed('found character data outside of the outermost element', start);
			return;
		}
		this.#append(new XmlCharacters(this.#text, kind, content, start, this.#at));
	}

	/** Skips a document type declaration; entities declared in it are refused. */
	#documentType(): void {
		const start = this.#at;
		const input = this.#input;
		if (!input.startsWith('<!DOCTYPE', start)) {
			this.#malformed("found '<!', expected a comment, a CDATA section or a DOCTYPE", start);
			this.#at = start + 2;
			return;
		}
		let at = start + 9;
		let brackets = 0;
		for (; at < input.length; at++) {
			const character = input[at]!;
			if (character === '"' || character === "'") {
				const close = input.indexOf(character, at + 1);
				if (close < 0) break;
				at = close;
			} else if (input.startsWith('<!--', at)) {
				const close = input.indexOf('-->', at + 4);
				if (close < 0) break;
				at = close + 2;
			} else if (character === '[') brackets++;
			else if (character === ']') brackets--;
			else if (character === '>' && brackets <= 0) break;
			else if (input.startsWith('<!ENTITY', at)) {
				this.fault(
					'XML002',
					'found an entity declaration, expected none: declared entities are not replaced',
					at,
					at + 8,
				);
			}
		}
		if (at >= input.length || input[at] !== '>') {
			this.#malformed('the document type declaration has no end', start);
			this.#at = input.length;
			return;
		}
		this.#at = at + 1;
	}

	#characters(): void {
		const start = this.#at;
		const input = this.#input;
		const next = input.indexOf('<', start);
		const end = next < 0 ? input.length : next;
		this.#at = end;
		const raw = input.slice(start, end);
		if (this.#open.length === 0) {
			const first = raw.search(/[^ \t\r\n]/);
			if (first >= 0) this.#malformed('found character data outside of the outermost element', start + first);
			return;
		}
		const content = this.#expand(lineEnds(raw), raw, start);
		this.#append(new XmlCharacters(this.#text, 'text', content, start, end));
	}

	#startTag(): void {
		const start = this.#at;
		const name = this.#match(NAME, start + 1);
		if (name === '') {
			this.#malformed("found '<', expected the name of an element after it", start);
			// a lone '<' is kept as character data
			this.#at = start + 1;
			const next = this.#input.indexOf('<', this.#at);
			const end = next < 0 ? this.#input.length : next;
			if (this.#open.length > 0) {
				this.#append(new XmlCharacters(this.#text, 'text', this.#input.slice(start, end), start, end));
			}
			this.#at = end;
			return;
		}
		this.#at = start + 1 + name.length;
		const attributes: XmlAttribute[] = [];
		const isEmpty = this.#attributes(name, attributes);
		const parent = this.#open.at(-1);
		if (this.#tooDeep > 0 || this.#open.length >= this.#maxDepth) {
			if (this.#tooDeep === 0) {
				const expected = `expected at most ${this.#maxDepth} levels of elements`;
				this.fault('XML003', `<${name}> is nested deeper, ${expected}; it is left out`, start, this.#at);
			}
			if (!isEmpty) this.#tooDeep++;
			return;
		}
		const parts = { name: this.#named(name), attributes, parent, start, tagEnd: this.#at };
		const element = new XmlElement(this.#text, parts);
		if (parent !== undefined) parent.append(element);
		else if (this.#root === undefined) this.#root = element;
		else this.#malformedElement(`found a second outermost element <${name}>, expected one`, element);
		if (!isEmpty) this.#open.push(element);
	}

	/** Reads attributes up to the end of the tag; tells whether the element is empty. */
	#attributes(element: string, attributes: XmlAttribute[]): boolean {
		const input = this.#input;
		const names = new Set<string>();
		for (;;) {
			const spaces = this.#match(SPACE, this.#at).length;
			this.#at += spaces;
			const character = input[this.#at];
			if (character === '>') {
				this.#at++;
				return false;
			}
			if (character === '/' && input[this.#at + 1] === '>') {
				this.#at += 2;
				return true;
			}
			if (character === undefined || character === '<') {
				this.#malformed(`the tag of <${element}> has no end, expected '>'`, this.#at);
				return false;
			}
			const name = this.#match(NAME, this.#at);
			if (name === '') {
				this.#malformed(`found ${quote(character)} in the tag of <${element}>, expected an attribute`, this.#at);
				this.#at++;
				continue;
			}
			if (spaces === 0) this.#malformed(`found no space before the attribute ${quote(name)}`, this.#at);
			const attribute = this.#attribute(name);
			if (names.has(name)) {
				this.#malformedElement(
					`the attribute ${quote(name)} of <${element}> is given twice; the first counts`,
					attribute,
				);
				continue;
			}
			names.add(name);
			attributes.push(attribute);
		}
	}

	#attribute(name: string): XmlAttribute {
		const input = this.#input;
		const start = this.#at;
		let at = start + name.length;
		at += this.#match(SPACE, at).length;
		if (input[at] !== '=') {
			this.#malformed(`the attribute ${quote(name)} has no value`, start);
			this.#at = start + name.length;
			return new XmlAttribute(this.#text, { name, value: '', start, valueStart: this.#at, valueEnd: this.#at });
		}
		at++;
		at += this.#match(SPACE, at).length;
		const delimiter = input[at];
		if (delimiter !== '"' && delimiter !== "'") {
			this.#malformed(`the value of ${quote(name)} is not in quotes`, at);
			const value = this.#match(UNQUOTED, at);
			this.#at = at + value.length;
			return new XmlAttribute(this.#text, { name, value, start, valueStart: at, valueEnd: this.#at });
		}
		const valueStart = at + 1;
		let valueEnd = input.indexOf(delimiter, valueStart);
		if (valueEnd < 0) {
			this.#malformed(`the value of ${quote(name)} has no closing quote`, at);
			valueEnd = input.length;
		}
		this.#at = Math.min(valueEnd + 1, input.length);
		const raw = input.slice(valueStart, valueEnd);
		const less = raw.indexOf('<');
		if (less >= 0) this.#malformed(`found '<' in the value of ${quote(name)}, expected '&lt;'`, valueStart + less);
		const value = this.#expand(raw.replace(/\r\n|[\t\r\n]/g, ' '), raw, valueStart);
		return new XmlAttribute(this.#text, { name, value, start, valueStart, valueEnd });
	}

	#endTag(): void {
		const start = this.#at;
		const input = this.#input;
		const name = this.#match(NAME, start + 2);
		const close = start + 2 + this.#match(TO_BRACKET, start + 2).length;
		const isBroken = name === '' || input[close] !== '>';
		if (isBroken) this.#malformed("found '</', expected the name of an element and '>' after it", start);
		this.#at = input[close] === '>' ? close + 1 : close;
		if (name === '') return;
		if (!isBroken && input.slice(start + 2 + name.length, close).trim() !== '') {
			this.#malformed(`found more than the name in the end tag of <${name}>`, start + 2 + name.length);
		}
		if (this.#tooDeep > 0) {
			this.#tooDeep--;
			return;
		}
		this.#close(this.#named(name), start);
	}

	#named(name: string): string {
		return this.#localNames ? name.slice(name.indexOf(':') + 1) : name;
	}

	#close(name: string, start: number): void {
		const open = this.#open;
		let depth = open.length - 1;
		while (depth >= 0 && open[depth]!.name !== name) depth--;
		if (depth < 0) {
			const top = open.at(-1);
			const expected = top === undefined ? 'no end tag' : `'</${top.name}>'`;
			this.#malformed(`found '</${name}>', expected ${expected}`, start);
			return;
		}
		while (open.length > depth) {
			const element = open.pop()!;
			element.closeAt(open.length === depth ? this.#at : start);
			if (open.length > depth) this.#malformedElement(`<${element.name}> has no end tag before '</${name}>'`, element);
		}
	}

	/** Replaces references; faults are located in the raw text. */
	#expand(content: string, raw: string, start: number): string {
		if (!content.includes('&')) return content;
		const shift = (fault: ReferenceFault): void => {
			// white space is replaced before, which moves nothing when lengths agree
			const at = start + (content.length === raw.length ? fault.start : raw.indexOf('&'));
			this.fault(fault.code, fault.message, at, at + fault.length);
		};
		return expandReferences(content, shift);
	}

	#append(node: XmlNode): void {
		if (this.#tooDeep > 0) return;
		const top = this.#open.at(-1);
		if (top === undefined) this.#outside.push(node);
		else top.append(node);
	}

	#match(pattern: RegExp, at: number): string {
		pattern.lastIndex = at;
		return pattern.exec(this.#input)?.[0] ?? '';
	}
}

function lineEnds(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
