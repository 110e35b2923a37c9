import { quote, Report } from '@manyworlds/core';
import { readXml, type XmlDocument, type XmlElement } from '@manyworlds/core/internal';
import { createDiagnostic } from '../diagnostics.ts';
import { mergeModel } from './merge-model.ts';
import { type MergedModel, ModelReader } from './read-model.ts';
import { readLight } from './read-sensors.ts';
import type { SdfDocument, SdfModel } from './sdf-document.ts';
import { SdfValues } from './sdf-values.ts';

/** What asking for an included file gave. @public */
export type SdfFileContent =
	| { readonly file: string; readonly content: string | Uint8Array }
	| { readonly file: string; readonly failure: string };

/** Options of {@link readSdf}. @public */
export interface ReadSdfOptions {
	/** Name of the file: for diagnostics, and to resolve includes from. */
	readonly file?: string;
	readonly report?: Report;
	/** Gives a file that an `include` leads to, by its address and the file that names it. */
	readonly load?: (address: string, from: string) => SdfFileContent;
	/** Deepest nesting of includes, and of models in models. */
	readonly maxDepth?: number;
	/** Most models, included ones counted each time. */
	readonly maxModels?: number;
}

/** Values of {@link ReadSdfOptions} that are used when absent. @public */
export const READ_SDF_DEFAULTS: { readonly maxDepth: number; readonly maxModels: number } = {
	maxDepth: 64,
	maxModels: 100_000,
};

/**
 * Reads an SDF file (1.4 to 1.12) with the models that it includes. Never throws on bad input: what is wrong is reported where it
 * stands and left out. Poses are as written; `SdfFrames` resolves them.
 *
 * ```ts
 * const { models } = readSdf('<sdf version="1.9"><model name="arm"><link name="base"/></model></sdf>', { report });
 * ```
 * @public
 */
export function readSdf(source: string | Uint8Array, options: ReadSdfOptions = {}): SdfDocument {
	return new SdfReader(options).read(source);
}

class SdfReader {
	readonly #options: ReadSdfOptions;
	readonly #report: Report;
	readonly #values: SdfValues;
	readonly #models: ModelReader;
	readonly #files: string[] = [];
	/** Files that were read already, by name. */
	readonly #parsed = new Map<string, XmlDocument>();
	/** Files that are being read, the outermost first. */
	readonly #open: string[] = [];
	readonly #maxDepth: number;

	constructor(options: ReadSdfOptions) {
		this.#options = options;
		this.#report = options.report ?? new Report();
		this.#values = new SdfValues(this.#report);
		this.#maxDepth = options.maxDepth ?? READ_SDF_DEFAULTS.maxDepth;
		this.#models = new ModelReader(this.#values, {
			include: (element, depth) => this.#include(element, depth),
			maxDepth: this.#maxDepth,
			maxModels: options.maxModels ?? READ_SDF_DEFAULTS.maxModels,
		});
	}

	read(source: string | Uint8Array): SdfDocument {
		const file = this.#options.file ?? '';
		const xml = this.#parse(source, file);
		const { root } = xml;
		const none = { xml, version: '', worlds: [], models: [], lights: [], files: this.#files };
		if (root === undefined) return none;
		if (!isSdf(root)) {
			const message = `the outermost element is <${root.name}>, expected <sdf>`;
			this.#report.add(createDiagnostic('SDF001', message, root.location));
			return none;
		}
		this.#open.push(file);
		const version = this.#version(root);
		return {
			xml,
			version,
			worlds: root.childrenNamed('world').map((world) => this.#models.world(world, version)),
			models: this.#models.models(root, version),
			lights: root.childrenNamed('light').flatMap((light) => readLight(light, this.#values) ?? []),
			files: this.#files,
		};
	}

	#parse(source: string | Uint8Array, file: string): XmlDocument {
		if (file !== '') this.#files.push(file);
		return readXml(source, { ...(file === '' ? {} : { file }), report: this.#report });
	}

	#version(root: XmlElement): string {
		const version = root.get('version')?.trim();
		if (version !== undefined && /^\d+\.\d+$/.test(version)) return version;
		const found = version === undefined ? 'no version' : `the version ${quote(version)}`;
		this.#values.report('SDF003', `<sdf> has ${found}, expected such as 1.9; 1.9 is taken`, root);
		return '1.9';
	}

	/** The model that an `include` means; undefined, with a finding, when there is none. */
	#include(element: XmlElement, depth: number): SdfModel | MergedModel | undefined {
		const uri = this.#values.text(element, 'uri');
		if (uri === undefined || uri === '') {
			this.#values.missing(element, '<include> has no <uri>');
			return undefined;
		}
		const found = this.#find(uri, element);
		if (found === undefined) return undefined;
		if (this.#open.includes(found.file) || this.#open.length > this.#maxDepth) {
			const way = [...this.#open, found.file].slice(-4).map(quote).join(', ');
			this.#values.report('SDF010', `${quote(uri)} includes itself or is nested too deeply: ${way}`, element);
			return undefined;
		}
		const model = this.#included(found, uri, element, depth);
		return model === undefined ? undefined : this.#placed(model, element);
	}

	#included(
		{ file, xml }: { readonly file: string; readonly xml: XmlDocument },
		uri: string,
		element: XmlElement,
		depth: number,
	): SdfModel | undefined {
		const { root } = xml;
		const own = root !== undefined && isSdf(root) ? root.child('model') : undefined;
		if (root === undefined || own === undefined) {
			const what = root?.name === 'robot' ? 'is a URDF, convert it to SDF first' : 'holds no model';
			this.#values.report('SDF009', `${quote(uri)} ${what}`, element);
			return undefined;
		}
		this.#open.push(file);
		const model = this.#models.model(own, this.#version(root), depth + 1);
		this.#open.pop();
		return model;
	}

	/** An included model with what the `include` says of it. */
	#placed(model: SdfModel, element: XmlElement): SdfModel | MergedModel {
		const values = this.#values;
		const name = values.text(element, 'name') || model.name;
		const pose = element.child('pose') === undefined ? model.pose : values.pose(element);
		const placed: SdfModel = {
			...model,
			name,
			pose,
			placementFrame:
				values.text(element, 'placement_frame') || (pose === model.pose ? model.placementFrame : undefined),
			isStatic: values.bool(element, 'static') ?? model.isStatic,
			others: [...model.others, ...element.childrenNamed('plugin')],
		};
		const isMerged = /^(?:true|1)$/i.test(element.get('merge') ?? '');
		return isMerged ? mergeModel(placed, this.#report) : placed;
	}

	/** The file that an address leads to: an SDF, or what the `model.config` of a folder names. */
	#find(uri: string, element: XmlElement): { readonly file: string; readonly xml: XmlDocument } | undefined {
		if (/\.(?:sdf|world|urdf|xml)$/i.test(uri)) return this.#load(uri, element, true);
		const folder = uri.replace(/\/+$/, '');
		const config = this.#load(`${folder}/model.config`, element, false);
		const named = config?.xml.root?.childrenNamed('sdf').map((entry) => ({
			version: Number.parseFloat(entry.get('version') ?? '0') || 0,
			path: entry.text.trim(),
		}));
		const newest = named?.filter(({ path }) => path !== '').sort((a, b) => b.version - a.version)[0];
		return this.#load(`${folder}/${newest?.path ?? 'model.sdf'}`, element, true);
	}

	#load(
		address: string,
		element: XmlElement,
		isNeeded: boolean,
	): { readonly file: string; readonly xml: XmlDocument } | undefined {
		const loaded = this.#options.load?.(address, element.file ?? '') ?? {
			file: address,
			failure: 'no files can be read here',
		};
		if ('failure' in loaded) {
			if (isNeeded) {
				const why = loaded.failure === '' ? 'does not exist' : `cannot be read: ${loaded.failure}`;
				this.#values.report('SDF009', `${quote(address)} ${why}`, element);
			}
			return undefined;
		}
		const { file, content } = loaded;
		let xml = this.#parsed.get(file);
		if (xml === undefined) {
			xml = this.#parse(content, file);
			this.#parsed.set(file, xml);
		}
		return { file, xml };
	}
}

/** Files of Gazebo before SDF 1.3 have another name for it. */
function isSdf(root: XmlElement): boolean {
	return root.name === 'sdf' || root.name === 'gazebo';
}
