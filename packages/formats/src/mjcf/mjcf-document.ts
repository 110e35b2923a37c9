import type { MjcfCompiler } from './mjcf-compiler.ts';
import { MAIN_CLASS, type MjcfDefaults, type MjcfValue } from './mjcf-defaults.ts';
import type { MjcfElement } from './mjcf-element.ts';
import { type AssetPlace, assetPlaces, type MjcfFile } from './mjcf-file.ts';

/** An MJCF model: one tree of elements from all its files, compiler settings and default classes. @public */
export class MjcfDocument {
	/** The `mujoco` element; undefined when the source holds none. */
	readonly root: MjcfElement | undefined;
	readonly main: MjcfFile;
	readonly compiler: MjcfCompiler;
	readonly defaults: MjcfDefaults;
	/** Names of all files, the main one first. */
	readonly files: readonly string[];

	/** @internal */
	constructor(parts: {
		readonly root: MjcfElement | undefined;
		readonly main: MjcfFile;
		readonly compiler: MjcfCompiler;
		readonly defaults: MjcfDefaults;
		readonly files: readonly string[];
	}) {
		this.root = parts.root;
		this.main = parts.main;
		this.compiler = parts.compiler;
		this.defaults = parts.defaults;
		this.files = parts.files;
	}

	/** Name of the model; undefined when it has none. */
	get modelName(): string | undefined {
		return this.root?.get('model');
	}

	/** Sections with a tag, such as all `worldbody` elements. */
	sections(name: string): MjcfElement[] {
		return this.root?.childrenNamed(name) ?? [];
	}

	/** Every element, in document order. */
	*elements(): Generator<MjcfElement> {
		const stack: MjcfElement[] = this.root === undefined ? [] : [this.root];
		for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
			yield element;
			for (let i = element.children.length - 1; i >= 0; i--) stack.push(element.children[i]!);
		}
	}

	/**
	 * Attributes of an element over those of its default class: the class that it names, else the one around it. A class that
	 * it names replaces the one around it wholly.
	 */
	attributesOf(element: MjcfElement, ambient: string = MAIN_CLASS, tag: string = element.name): Map<string, MjcfValue> {
		const named = element.get('class');
		const className = named !== undefined && this.defaults.has(named) ? named : ambient;
		const values = new Map(this.defaults.valuesOf(className, tag));
		for (const attribute of element.xml.attributes) {
			const text = attribute.name === 'name' ? attribute.value + element.suffix : attribute.value;
			values.set(attribute.name, { text, attribute, element });
		}
		return values;
	}

	/** Places where the file named by an attribute may be, the most likely first. */
	assetPlaces(value: MjcfValue, kind: 'mesh' | 'texture'): AssetPlace[] {
		return assetPlaces(value.text, kind, value.element.source, this.main, this.compiler.folders);
	}
}
