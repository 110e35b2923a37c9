import { quote, Report, SourceText } from '@manyworlds/core';
import { baseName, folderOf, isAbsoluteFile, isUri, joinFile, relativeFile } from '../ar/file-path.ts';
import { type OpenedFile, type OpenedLayer, openFile } from '../ar/open-file.ts';
import { listAssetPaths, mapAssetPaths } from '../dependencies/asset-paths.ts';
import { collectPackage, type ReadFile } from '../dependencies/collect-package.ts';
import { createDiagnostic } from '../diagnostics.ts';
import { writeUsda } from '../usda/write-usda.ts';
import { writeUsdc } from '../usdc/crate-writer.ts';
import { isPackageRelativePath } from '../usdz/package-path.ts';
import { writeUsdz } from '../usdz/write-usdz.ts';
import { findComment } from './find-comment.ts';

/** Formats that a layer can be written in. @public */
export type LayerFormat = 'usda' | 'usdc' | 'usdz';

/** Options of {@link convertFile}. Paths have forward slashes. @public */
export interface ConvertOptions {
	/** Name of the input; `package.usdz[member.usda]` takes that member. */
	readonly file: string;
	/** Name of the output, to which relative paths are compared. */
	readonly output: string;
	readonly format: LayerFormat;
	/** Gives the content of a file that the input depends on. */
	readonly read: ReadFile;
	readonly report?: Report;
	/** Crate version to write, such as `0.8.0`; raised when the content needs a later one. */
	readonly usdcVersion?: string;
	/** Change relative asset paths so that they name the same files from the folder of the output. */
	readonly rewritePaths?: boolean;
}

/** Reads a USD file and writes it in another format. Undefined, with errors in the report, when it cannot be read. @public */
export function convertFile(bytes: Uint8Array, options: ConvertOptions): Uint8Array | undefined {
	const report = options.report ?? new Report();
	const opened = openFile(bytes, { file: options.file, report });
	const { layer } = opened;
	if (layer === undefined || report.hasErrors) return undefined;
	if (options.format !== 'usdz') {
		if (opened.package !== undefined) tellLeftBehind(opened, options, report);
		else placePaths(layer, options, report);
		const output = writeLayer(layer, options.format, options, report);
		// values of a crate are decoded while it is written, which is when damage in them shows
		return report.hasErrors ? undefined : output;
	}
	if (opened.package !== undefined) return writeUsdz(opened.package.entries, rootOption(opened));
	const files = collectPackage(layer, options.file, options.read, {
		report,
		write: (changed) => writeLayer(changed, changed.format, options, report),
	});
	return report.hasErrors ? undefined : writeUsdz(files);
}

function writeLayer(
	layer: OpenedLayer,
	format: 'usda' | 'usdc',
	{ usdcVersion }: ConvertOptions,
	report: Report,
): Uint8Array {
	const comment = layer.format === 'usda' ? findComment(layer.bytes) : undefined;
	if (comment !== undefined) {
		const text = new SourceText(layer.bytes, layer.file);
		const message = 'the text has comments, which are not part of the content and not in the output; the first is here';
		report.add(createDiagnostic('PKG006', message, text.locate(comment.start, comment.end)));
	}
	if (format === 'usda') return writeUsda(layer.data, { file: layer.file, report });
	return writeUsdc(layer.data, {
		file: layer.file,
		report,
		...(usdcVersion !== undefined && { version: usdcVersion }),
	});
}

function rootOption({ member }: OpenedFile): { rootLayer?: string } {
	return member === undefined ? {} : { rootLayer: member };
}

function tellLeftBehind({ package: container, member }: OpenedFile, options: ConvertOptions, report: Report): void {
	const others = container!.entries.filter((entry) => entry.name !== member).map((entry) => quote(entry.name));
	if (others.length === 0) return;
	const count = others.length === 1 ? 'one more file' : `${others.length} more files`;
	const message = `the package holds ${count}, which a single layer cannot: ${others.join(', ')}`;
	// whoever names a member knows that there are others
	const isChosen = isPackageRelativePath(options.file);
	report.add(createDiagnostic('PKG003', message, { file: options.file, ...(isChosen && { severity: 'info' }) }));
}

/** Keeps relative paths true when the output lies in another folder, or says which ones are not. */
function placePaths(layer: OpenedLayer, options: ConvertOptions, report: Report): void {
	const from = folderOf(joinFile('', options.file));
	const to = folderOf(joinFile('', options.output));
	if (from === to) return;
	const isRelative = (path: string) => !isAbsoluteFile(path) && !isUri(path) && !path.startsWith('`');
	if (options.rewritePaths === true) {
		mapAssetPaths(layer.data, ({ assetPath }) => {
			if (!isRelative(assetPath)) return assetPath;
			const moved = relativeFile(to, joinFile(from, assetPath));
			return moved.startsWith('../') ? moved : `./${moved}`;
		});
		return;
	}
	const broken = new Set<string>();
	for (const { assetPath, field } of listAssetPaths(layer.data)) {
		const isLost =
			isRelative(assetPath) && field !== 'assetInfo' && options.read(joinFile(to, assetPath)) === undefined;
		if (isLost) broken.add(quote(assetPath));
	}
	if (broken.size === 0) return;
	const message = `${baseName(options.output)} is written to another folder, where these relative paths name no file: ${[...broken].join(', ')}`;
	report.add(createDiagnostic('PKG004', message, { file: options.file }));
}
