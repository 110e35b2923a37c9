import { type DiagnosticDetails, quote, Report } from '@manyworlds/core';
import { detectFormat } from '../ar/detect-format.ts';
import { baseName, folderOf, isAbsoluteFile, isUri, joinFile, relativeFile } from '../ar/file-path.ts';
import { type OpenedLayer, openOne } from '../ar/open-file.ts';
import { createDiagnostic } from '../diagnostics.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { isLayerName, isPackageName } from '../usdz/member-name.ts';
import { splitPackageRelativePathOuter } from '../usdz/package-path.ts';
import { type AssetPathUse, mapAssetPaths } from './asset-paths.ts';

/** Gives the content of a file, or undefined when there is none. Paths have forward slashes. @public */
export type ReadFile = (path: string) => Uint8Array | undefined;

/** A file of a package under construction. @public */
export interface PackageFile {
	/** Name inside the package. */
	readonly name: string;
	/** Where it was found. */
	readonly file: string;
	readonly bytes: Uint8Array;
}

/** Options of {@link collectPackage}. @public */
export interface CollectOptions {
	readonly report: Report;
	/** Writes a layer whose asset paths had to change, in the format it was read from. */
	readonly write: (layer: OpenedLayer) => Uint8Array;
}

/**
 * Gathers a layer and every file it depends on, directly or not, for a package that stands alone: layers and their
 * sublayers, references and payloads, textures and other asset values, all tiles of a `<UDIM>` texture. The root layer is first.
 *
 * Files below the folder of the root layer keep their relative place; others go to `external/`, and the layers that name
 * them are rewritten. What cannot be packaged stays as it is and is reported.
 * @public
 */
export function collectPackage(
	root: OpenedLayer,
	rootFile: string,
	read: ReadFile,
	options: CollectOptions,
): PackageFile[] {
	const collector = new Collector(rootFile, read, options);
	collector.addLayer(rootFile, root);
	return collector.finish();
}

interface Entry {
	readonly name: string;
	readonly file: string;
	readonly bytes: Uint8Array;
	readonly layer: OpenedLayer | undefined;
}

class Collector {
	readonly #rootFolder: string;
	readonly #read: ReadFile;
	readonly #options: CollectOptions;
	readonly #entries = new Map<string, Entry>();
	readonly #names = new Set<string>();
	readonly #missing = new Set<string>();

	constructor(rootFile: string, read: ReadFile, options: CollectOptions) {
		this.#rootFolder = folderOf(joinFile('', rootFile));
		this.#read = read;
		this.#options = options;
	}

	addLayer(rootFile: string, layer: OpenedLayer): void {
		const file = joinFile('', rootFile);
		this.#add(file, layer.bytes, layer);
		// entries grow while layers are searched
		for (const entry of this.#entries.values()) {
			if (entry.layer !== undefined) this.#search(entry.layer, entry.file);
		}
	}

	finish(): PackageFile[] {
		const files: PackageFile[] = [];
		for (const { name, file, bytes, layer } of this.#entries.values()) {
			const changed = layer === undefined ? 0 : mapAssetPaths(layer.data, (use) => this.#packagedPath(use, file, name));
			files.push({ name, file, bytes: changed > 0 ? this.#options.write(layer!) : bytes });
		}
		return files;
	}

	#search(layer: OpenedLayer, file: string): void {
		mapAssetPaths(layer.data, (use) => {
			const targets = this.#targets(use, file);
			if (targets.length > 0 && targets.filter((target) => this.#take(target)).length === 0) {
				const target = targetFile(use.assetPath, file);
				this.#tell('PKG001', `${quote(use.assetPath)} names ${quote(target)}, which does not exist`, use, file);
			}
			return use.assetPath;
		});
		for (const { path, template } of clipTemplates(layer.data)) {
			const message = `the clips ${quote(template)} are named by a pattern, so they are not in the package`;
			this.#options.report.add(createDiagnostic('PKG002', message, { file, prim: path.toString() }));
		}
	}

	/** The files that an asset path stands for; none, with a report, when it is no file path. */
	#targets(use: AssetPathUse, file: string): string[] {
		const { assetPath } = use;
		if (assetPath.startsWith('`')) {
			this.#tell('PKG002', `${quote(assetPath)} is an expression, so what it names is not in the package`, use, file);
			return [];
		}
		if (isUri(assetPath)) {
			this.#tell('PKG002', `${quote(assetPath)} is not a file path, so what it names is not in the package`, use, file);
			return [];
		}
		const target = targetFile(assetPath, file);
		return target.includes(UDIM) ? UDIM_TILES.map((tile) => target.replace(UDIM, tile)) : [target];
	}

	/** Adds a file unless it is there already; false when it does not exist. */
	#take(target: string): boolean {
		if (this.#entries.has(target)) return true;
		const bytes = this.#missing.has(target) ? undefined : this.#read(target);
		if (bytes === undefined) {
			this.#missing.add(target);
			return false;
		}
		const report = new Report();
		const layer = isLayer(bytes) ? openOne(bytes, target, report) : undefined;
		this.#options.report.addAll(report);
		this.#add(target, bytes, layer);
		return true;
	}

	#add(file: string, bytes: Uint8Array, layer: OpenedLayer | undefined): void {
		const isInside =
			this.#rootFolder === '' ? !isAbsoluteFile(file) : file.startsWith(`${this.#rootFolder.replace(/\/$/, '')}/`);
		const relative = relativeFile(this.#rootFolder, file);
		const wanted = isInside && !relative.startsWith('../') ? relative : `external/${baseName(file)}`;
		const name = this.#uniqueName(fitName(wanted, this.#entries.size === 0 ? layer : undefined));
		this.#entries.set(file, { name, file, bytes, layer });
	}

	#uniqueName(wanted: string): string {
		const dot = wanted.lastIndexOf('.');
		let name = wanted;
		for (let i = 2; this.#names.has(name); i++) name = `${wanted.slice(0, dot)}_${i}${wanted.slice(dot)}`;
		this.#names.add(name);
		return name;
	}

	/** What a layer must say inside the package to name the same file. */
	#packagedPath(use: AssetPathUse, file: string, layerName: string): string {
		const { assetPath } = use;
		if (assetPath.startsWith('`') || isUri(assetPath)) return assetPath;
		const target = targetFile(assetPath, file);
		const tile = target.includes(UDIM) ? this.#firstTile(target) : undefined;
		const entry = this.#entries.get(tile === undefined ? target : target.replace(UDIM, tile));
		if (entry === undefined) return assetPath;
		const written = filePart(assetPath);
		const suffix = assetPath.slice(written.length);
		const name = tile === undefined ? entry.name : replaceLast(entry.name, tile, UDIM);
		if (!isAbsoluteFile(written) && joinFile(folderOf(layerName), written) === name) return assetPath;
		const relative = relativeFile(folderOf(layerName), name);
		return `${relative.startsWith('../') ? '' : './'}${relative}${suffix}`;
	}

	#firstTile(target: string): string | undefined {
		return UDIM_TILES.find((tile) => this.#entries.has(target.replace(UDIM, tile)));
	}

	#tell(code: 'PKG001' | 'PKG002', message: string, use: AssetPathUse, file: string): void {
		// an identifier tells where the asset came from and need not exist
		const isIdentifier = use.field === 'assetInfo';
		const details: DiagnosticDetails = { file, prim: use.path.toString(), ...(isIdentifier && { severity: 'info' }) };
		this.#options.report.add(createDiagnostic(code, message, details));
	}
}

const UDIM = '<UDIM>';
const UDIM_TILES: readonly string[] = Array.from({ length: 100 }, (_, i) => String(1001 + i));
const FORMAT_ARGUMENTS = ':SDF_FORMAT_ARGS:';

/** The path of the file itself: without arguments of the file format and without the member of a package. */
function filePart(assetPath: string): string {
	const at = assetPath.indexOf(FORMAT_ARGUMENTS);
	const path = at < 0 ? assetPath : assetPath.slice(0, at);
	const [packagePath, member] = splitPackageRelativePathOuter(path);
	return member !== '' && isPackageName(packagePath) ? packagePath : path;
}

function targetFile(assetPath: string, layerFile: string): string {
	return joinFile(folderOf(layerFile), filePart(assetPath).replaceAll('\\', '/'));
}

/** A name that a package accepts; the root layer needs the extension of a layer. */
function fitName(name: string, root: OpenedLayer | undefined): string {
	const fit = name.replaceAll(/[\\\0]|^[A-Za-z]:/g, '_');
	return root === undefined || isLayerName(fit) ? fit : `${fit}.${root.format}`;
}

/** The patterns by which value clips are named; they are strings, unlike other paths of files. */
function clipTemplates(data: LayerData): { readonly path: Path; readonly template: string }[] {
	const found: { path: Path; template: string }[] = [];
	for (const path of data.paths()) {
		const clips = dataOf(data.field(path, 'clips'), T.dictionary);
		for (const set of clips?.values() ?? []) {
			const template = dataOf(dataOf(set, T.dictionary)?.get('templateAssetPath'), T.string);
			if (template !== undefined && template !== '') found.push({ path, template });
		}
	}
	return found;
}

function replaceLast(text: string, part: string, by: string): string {
	const at = text.lastIndexOf(part);
	return at < 0 ? text : text.slice(0, at) + by + text.slice(at + part.length);
}

function isLayer(bytes: Uint8Array): boolean {
	const format = detectFormat(bytes);
	return format === 'usda' || format === 'usdc';
}
