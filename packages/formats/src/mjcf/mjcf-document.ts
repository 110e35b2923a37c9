import { Report } from '@manyworlds/core';
import { type MjcfCompiler, readCompiler } from './mjcf-compiler.ts';
import { MAIN_CLASS, MjcfDefaults, type MjcfValue } from './mjcf-defaults.ts';
import { MjcfElement, type MjcfRemark } from './mjcf-element.ts';
import { type AssetPlace, assetPlaces, foldersOf, type MjcfFile } from './mjcf-file.ts';

/**
 * An MJCF model, read by `readMjcf` or made by {@link createMjcf}, and written by `writeMjcf`: one tree of elements from all
 * its files, compiler settings and default classes. @public
 */
export class MjcfDocument {
	/** The `mujoco` element; undefined when the source holds none. */
	readonly root: MjcfElement | undefined;
	readonly main: MjcfFile;
	/** Names of all files, the main one first. */
	readonly files: readonly string[];
	/** Remarks behind the `mujoco` element. */
	readonly trailing: MjcfRemark[] = [];
	#compiler: MjcfCompiler;
	#defaults: MjcfDefaults;

	/** @internal */
	constructor(parts: {
		readonly root: MjcfElement | undefined;
		readonly main: MjcfFile;
		readonly files: readonly string[];
		readonly report: Report;
	}) {
		this.root = parts.root;
		this.main = parts.main;
		this.files = parts.files;
		[this.#compiler, this.#defaults] = settingsOf(this, parts.report);
	}

	/** What the `compiler` elements say. */
	get compiler(): MjcfCompiler {
		return this.#compiler;
	}

	/** What the `default` elements say. */
	get defaults(): MjcfDefaults {
		return this.#defaults;
	}

	/** Takes {@link compiler} and {@link defaults} again from the elements, after these were edited. */
	refresh(report: Report = new Report()): void {
		[this.#compiler, this.#defaults] = settingsOf(this, report);
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
		for (const attribute of element.attributes) {
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

/** An empty model: a `mujoco` element without sections. @public */
export function createMjcf(): MjcfDocument {
	const main: MjcfFile = { file: undefined, folders: foldersOf(undefined) };
	return new MjcfDocument({ root: new MjcfElement('mujoco'), main, files: [], report: new Report() });
}

function settingsOf(document: MjcfDocument, report: Report): [MjcfCompiler, MjcfDefaults] {
	const compilers: MjcfElement[] = [];
	const defaults: MjcfElement[] = [];
	for (const element of document.elements()) {
		if (element.name === 'compiler') compilers.push(element);
		else if (element.name === 'default' && element.parent === document.root) defaults.push(element);
	}
	return [readCompiler(compilers, report), new MjcfDefaults(defaults, report)];
}
