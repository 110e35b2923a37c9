import { quote, type Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { MjcfAttribute, MjcfElement } from './mjcf-element.ts';

/** The value of an attribute and where it is written: on the element itself, or in a default class. @public */
export interface MjcfValue {
	readonly text: string;
	readonly attribute: MjcfAttribute;
	/** The element that holds the attribute. */
	readonly element: MjcfElement;
	/** Name of the default class that gave it; undefined on the element itself. */
	readonly fromClass?: string;
}

/** Name of the class that every other one inherits from. @public */
export const MAIN_CLASS = 'main';

/** Tags whose defaults go by another name. */
const DEFAULT_TAGS: Readonly<Record<string, string>> = {
	connect: 'equality',
	weld: 'equality',
	flex: 'equality',
	fixed: 'tendon',
	spatial: 'tendon',
};

type ClassValues = ReadonlyMap<string, MjcfValue>;

interface DefaultClass {
	readonly name: string;
	readonly parent: string | undefined;
	readonly elements: MjcfElement[];
	readonly own: Map<string, Map<string, MjcfValue>>;
	readonly resolved: Map<string, ClassValues>;
}

/** The default classes of a model. @public */
export class MjcfDefaults {
	readonly #classes = new Map<string, DefaultClass>();

	/** @internal */
	constructor(sections: readonly MjcfElement[], report: Report) {
		this.#add(MAIN_CLASS, undefined);
		for (const section of sections) {
			const name = section.get('class');
			// MuJoCo has one top class; a named one beside it can only be meant as a class below
			if (name === undefined || name === '' || name === MAIN_CLASS) this.#read(section, MAIN_CLASS, report);
			else this.#nested(section, MAIN_CLASS, report);
		}
	}

	has(name: string): boolean {
		return this.#classes.has(name);
	}

	/** Names of the classes, parents before children. */
	names(): string[] {
		return [...this.#classes.keys()];
	}

	/** Attributes that a class gives to elements with a tag, those of the classes it inherits from included. */
	valuesOf(className: string, tag: string): ClassValues {
		const found = this.#classes.get(className) ?? this.#classes.get(MAIN_CLASS)!;
		const key = DEFAULT_TAGS[tag] ?? tag;
		const cached = found.resolved.get(key);
		if (cached !== undefined) return cached;
		const inherited = found.parent === undefined ? NOTHING : this.valuesOf(found.parent, key);
		const own = found.own.get(key);
		const values = own === undefined ? inherited : new Map([...inherited, ...own]);
		found.resolved.set(key, values);
		return values;
	}

	/** Elements that a class and those it inherits from are made of, the outermost class first, in the order of the document. */
	elementsOf(className: string): readonly MjcfElement[] {
		const found = this.#classes.get(className) ?? this.#classes.get(MAIN_CLASS)!;
		const inherited = found.parent === undefined ? [] : this.elementsOf(found.parent);
		return [...inherited, ...found.elements];
	}

	#add(name: string, parent: string | undefined): DefaultClass {
		const added: DefaultClass = { name, parent, elements: [], own: new Map(), resolved: new Map() };
		this.#classes.set(name, added);
		return added;
	}

	#nested(section: MjcfElement, parent: string, report: Report): void {
		const name = section.get('class');
		if (name === undefined || name === '') {
			report.add(
				createDiagnostic('MJCF005', 'a default inside another has no class, expected a name', section.location),
			);
			this.#read(section, parent, report);
			return;
		}
		if (this.#classes.has(name)) {
			const message = `the default class ${quote(name)} is given twice; the attributes are joined, later ones count`;
			report.add(createDiagnostic('MJCF017', message, section.attribute('class')!.location));
		} else {
			this.#add(name, parent);
		}
		this.#read(section, name, report);
	}

	#read(section: MjcfElement, className: string, report: Report): void {
		const { own, elements } = this.#classes.get(className)!;
		for (const element of section.children) {
			if (element.name === 'default') {
				this.#nested(element, className, report);
				continue;
			}
			elements.push(element);
			let values = own.get(element.name);
			if (values === undefined) {
				values = new Map();
				own.set(element.name, values);
			}
			for (const attribute of element.attributes) {
				values.set(attribute.name, { text: attribute.value, attribute, element, fromClass: className });
			}
		}
	}
}

const NOTHING: ClassValues = new Map();
