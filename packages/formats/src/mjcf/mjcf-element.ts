import { type DiagnosticDetails, UsageStateError } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import { type MjcfInput, mjcfText } from './mjcf-attribute-text.ts';
import { foldersOf, type MjcfFile } from './mjcf-file.ts';

/** An attribute of an MJCF element. @public */
export interface MjcfAttribute {
	readonly name: string;
	readonly value: string;
	/** Place for a diagnostic; empty when the attribute was made. */
	readonly location: DiagnosticDetails;
}

/** What stands between elements: a comment, an instruction, or character data, which MuJoCo passes over. @public */
export interface MjcfRemark {
	readonly kind: 'comment' | 'text' | 'instruction';
	/** Content without delimiters. */
	readonly text: string;
}

/** Where an element was read. */
export interface MjcfOrigin {
	readonly xml: XmlElement;
	readonly path: string;
	readonly source: MjcfFile;
	readonly suffix?: string;
	readonly copyIndex?: number;
}

/**
 * An element of an MJCF model, read from a file (after includes and replications) or made.
 *
 * ```ts
 * const body = worldbody.add('body', { name: 'ball', pos: [0, 0, 1] });
 * body.add('geom', { size: 0.1 });
 * ```
 * @public
 */
export class MjcfElement {
	/** Tag, such as `geom`. */
	readonly name: string;
	/** Remarks directly before the element. */
	readonly leading: MjcfRemark[] = [];
	/** Remarks inside the element, behind its last child. */
	readonly trailing: MjcfRemark[] = [];
	readonly #children: MjcfElement[] = [];
	readonly #origin: MjcfOrigin | undefined;
	/** Those of the XML element until the first edit. */
	#attributes: readonly MjcfAttribute[];
	#parent: MjcfElement | undefined;
	#isResolved = false;

	constructor(name: string, attributes: Readonly<Record<string, MjcfInput | undefined>> = {}, origin?: MjcfOrigin) {
		this.name = name;
		this.#origin = origin;
		this.#attributes = origin?.xml.attributes ?? [];
		for (const key of Object.keys(attributes)) this.set(key, attributes[key]);
	}

	/** The element as it was read; undefined when it was made. */
	get xml(): XmlElement | undefined {
		return this.#origin?.xml;
	}

	get parent(): MjcfElement | undefined {
		return this.#parent;
	}

	get children(): readonly MjcfElement[] {
		return this.#children;
	}

	get attributes(): readonly MjcfAttribute[] {
		return this.#attributes;
	}

	/** Place in the model, such as `worldbody/body[torso]/geom[2]`; copies of a replicated element share it. */
	get path(): string {
		return this.#origin?.path ?? this.#madePath();
	}

	/** The file that holds it, with the folders that its `compiler` element gives; that of the parent when it was made. */
	get source(): MjcfFile {
		return this.#origin?.source ?? this.#parent?.source ?? NO_FILE;
	}

	/** What a replication appends to names. */
	get suffix(): string {
		return this.#origin?.suffix ?? '';
	}

	/** Which copy of its `replicate` element it is, from 0; the importer moves it by that many offsets. */
	get copyIndex(): number {
		return this.#origin?.copyIndex ?? 0;
	}

	/** Whether it is an `include` whose file was read: what follows it takes its place. */
	get isResolvedInclude(): boolean {
		return this.#isResolved;
	}

	/** Place for a diagnostic; empty when the element was made. */
	get location(): DiagnosticDetails {
		return this.#origin?.xml.location ?? {};
	}

	/** Value of an attribute that the element itself has. */
	get(name: string): string | undefined {
		return this.attribute(name)?.value;
	}

	has(name: string): boolean {
		return this.attribute(name) !== undefined;
	}

	attribute(name: string): MjcfAttribute | undefined {
		return this.#attributes.find((attribute) => attribute.name === name);
	}

	/** The `name` attribute with the suffix of a replication; undefined when there is none. */
	get ownName(): string | undefined {
		const name = this.get('name');
		return name === undefined || name === '' ? undefined : name + this.suffix;
	}

	child(name: string): MjcfElement | undefined {
		return this.#children.find((child) => child.name === name);
	}

	childrenNamed(...names: readonly string[]): MjcfElement[] {
		return this.#children.filter((child) => names.includes(child.name));
	}

	/** Sets an attribute in its place, or behind the others; an undefined value changes nothing. */
	set(name: string, value: MjcfInput | undefined): this {
		if (value === undefined) return this;
		const attributes = this.#edit();
		const attribute: MjcfAttribute = { name, value: mjcfText(value), location: this.location };
		const known = attributes.findIndex((own) => own.name === name);
		if (known < 0) attributes.push(attribute);
		else attributes[known] = attribute;
		return this;
	}

	/** Takes an attribute away, if it is there. */
	delete(name: string): this {
		if (this.has(name)) this.#attributes = this.#edit().filter((own) => own.name !== name);
		return this;
	}

	/** Makes a child behind the others and gives it back. */
	add(name: string, attributes: Readonly<Record<string, MjcfInput | undefined>> = {}): MjcfElement {
		const child = new MjcfElement(name, attributes);
		this.append(child);
		return child;
	}

	/** Puts an element behind the children, or before one of them; an element that has a parent leaves it. */
	append(child: MjcfElement, before?: MjcfElement): this {
		this.#checkEditable();
		for (let outer: MjcfElement | undefined = this; outer !== undefined; outer = outer.#parent) {
			if (outer === child) throw new UsageStateError(`<${child.name}> cannot be put inside itself`);
		}
		if (child === before) return this;
		child.#parent?.remove(child);
		const at = before === undefined ? this.#children.length : this.#children.indexOf(before);
		if (at < 0) throw new UsageStateError(`<${before!.name}> is no child of <${this.name}>`);
		this.#children.splice(at, 0, child);
		child.#parent = this;
		return this;
	}

	/** Takes a child out, with the remarks before it. */
	remove(child: MjcfElement): this {
		this.#checkEditable();
		const at = this.#children.indexOf(child);
		if (at < 0) throw new UsageStateError(`<${child.name}> is no child of <${this.name}>`);
		this.#children.splice(at, 1);
		child.#parent = undefined;
		return this;
	}

	/** Makes a list of elements the children, in its order. */
	replaceChildren(children: readonly MjcfElement[]): this {
		for (const child of this.#children.slice()) this.remove(child);
		for (const child of children) this.append(child);
		return this;
	}

	/** Appends while reading, where copies grow too. @internal */
	adopt(child: MjcfElement): void {
		this.#children.push(child);
		child.#parent = this;
	}

	/** Marks an `include` as read. @internal */
	markResolved(): void {
		this.#isResolved = true;
	}

	#edit(): MjcfAttribute[] {
		this.#checkEditable();
		if (this.#attributes === this.#origin?.xml.attributes) this.#attributes = [...this.#attributes];
		return this.#attributes as MjcfAttribute[];
	}

	/** A copy is not what is written. */
	#checkEditable(): void {
		if (this.suffix === '') return;
		throw new UsageStateError(
			`<${this.name}> is a copy that replicate made; read the model with expandReplicate: false to edit it`,
		);
	}

	#madePath(): string {
		const parent = this.#parent;
		if (parent === undefined) return '';
		const prefix = parent.path === '' ? '' : `${parent.path}/`;
		const label = this.get('name') ?? this.get('class');
		const same = parent.#children.filter(
			(own) => own.name === this.name && (own.get('name') ?? own.get('class')) === label,
		);
		const number = same.indexOf(this) + 1;
		if (number === 1) return prefix + (label ? `${this.name}[${label}]` : this.name);
		return `${prefix}${this.name}[${label ? `${label}#` : ''}${number}]`;
	}
}

const NO_FILE: MjcfFile = { file: undefined, folders: foldersOf(undefined) };
