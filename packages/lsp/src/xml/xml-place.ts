import { readXml, type XmlDocument, type XmlElement } from '@manyworlds/core/internal';
import type { DocumentText } from '../text/document-text.ts';

type XmlAttribute = XmlElement['attributes'][number];

/** What stands at a place of a text in XML. */
export interface XmlPlace {
	readonly element: XmlElement;
	/** The attribute, when the place is in one. */
	readonly attribute: XmlAttribute | undefined;
	/** Whether the place is in the value of the attribute. */
	readonly isValue: boolean;
}

const documents = new WeakMap<Uint8Array, XmlDocument>();

/** The tree of a text, read once. */
export function xmlOf(text: DocumentText): XmlDocument {
	let document = documents.get(text.bytes);
	if (document === undefined) {
		document = readXml(text.bytes);
		documents.set(text.bytes, document);
	}
	return document;
}

/** The innermost element at a byte, and its attribute there. */
export function xmlPlace(text: DocumentText, offset: number): XmlPlace | undefined {
	let found: XmlElement | undefined;
	const { root } = xmlOf(text);
	for (let next = root; next !== undefined; ) {
		if (!isWithin(next.range, offset)) break;
		found = next;
		next = next.children.find((child) => isWithin(child.range, offset));
	}
	if (found === undefined) return undefined;
	const attribute = found.attributes.find(({ range }) => isWithin(range, offset));
	return { element: found, attribute, isValue: attribute !== undefined && isWithin(attribute.valueRange, offset) };
}

function isWithin({ start, end }: XmlElement['range'], offset: number): boolean {
	return start.offset <= offset && offset <= end.offset;
}

/** Every element, in the order of the text. */
export function* elementsOf(root: XmlElement | undefined): Generator<XmlElement> {
	const stack = root === undefined ? [] : [root];
	for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
		yield element;
		for (let i = element.children.length - 1; i >= 0; i--) stack.push(element.children[i]!);
	}
}
