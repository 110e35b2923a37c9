import type { DiagnosticDetails, XmlAttribute, XmlElement } from '@manyworlds/core';
import type { MjcfFile } from './mjcf-file.ts';

/** An element of an MJCF model after includes and replications: where it stands and where it is written. @public */
export class MjcfElement {
	readonly xml: XmlElement;
	readonly parent: MjcfElement | undefined;
	readonly children: readonly MjcfElement[] = [];
	/** Place in the model, such as `worldbody/body[torso]/geom[2]`; copies of a replicated element share it. */
	readonly path: string;
	/** The file that holds it, with the folders that its `compiler` element gives. */
	readonly source: MjcfFile;
	/** What a replication appends to names. */
	readonly suffix: string;
	/** Which copy of its `replicate` element it is, from 0; the importer moves it by that many offsets. */
	readonly copyIndex: number;

	/** @internal */
	constructor(parts: {
		readonly xml: XmlElement;
		readonly parent: MjcfElement | undefined;
		readonly path: string;
		readonly source: MjcfFile;
		readonly suffix?: string;
		readonly copyIndex?: number;
	}) {
		this.xml = parts.xml;
		this.parent = parts.parent;
		this.path = parts.path;
		this.source = parts.source;
		this.suffix = parts.suffix ?? '';
		this.copyIndex = parts.copyIndex ?? 0;
	}

	/** Tag, such as `geom`. */
	get name(): string {
		return this.xml.name;
	}

	/** Line of the start tag, from 1. */
	get line(): number {
		return this.xml.line;
	}

	/** Place for a diagnostic. */
	get location(): DiagnosticDetails {
		return this.xml.location;
	}

	/** Value of an attribute that the element itself has. */
	get(name: string): string | undefined {
		return this.xml.get(name);
	}

	attribute(name: string): XmlAttribute | undefined {
		return this.xml.attribute(name);
	}

	/** The `name` attribute with the suffix of a replication; undefined when there is none. */
	get ownName(): string | undefined {
		const name = this.xml.get('name');
		return name === undefined || name === '' ? undefined : name + this.suffix;
	}

	child(name: string): MjcfElement | undefined {
		return this.children.find((child) => child.name === name);
	}

	childrenNamed(...names: readonly string[]): MjcfElement[] {
		return this.children.filter((child) => names.includes(child.name));
	}

	/** @internal */
	append(child: MjcfElement): void {
		(this.children as MjcfElement[]).push(child);
	}
}
