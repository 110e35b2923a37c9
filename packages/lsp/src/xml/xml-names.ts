import type { XmlElement } from '@manyworlds/core/internal';

/** How a language in XML names things and refers to them. */
export interface XmlNames {
	/** The kind of thing that an element defines, and the attribute with its name; undefined when it defines nothing. */
	definition(element: XmlElement): { readonly kind: string; readonly attribute: string } | undefined;
	/** The kinds of things that an attribute may name; none when it names nothing. */
	reference(element: XmlElement, attribute: string): readonly string[];
	/** Attributes of elements, and elements in elements, for completion. */
	readonly elements: Readonly<
		Record<string, { readonly attributes: readonly string[]; readonly children: readonly string[] }>
	>;
	/** What values an attribute may have. */
	values(element: XmlElement, attribute: string): readonly string[];
	/** Attributes that name a file, with the folder that it is looked for in, relative to that of the document. */
	file(element: XmlElement, attribute: string, root: XmlElement): { readonly folder: string } | undefined;
	/** Elements that other programs read: names in them are left alone, and renaming says so. */
	isForeign(element: XmlElement): boolean;
}
