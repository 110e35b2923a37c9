import { quote, Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import { isChildrenField } from '../sdf/children.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import { Path } from '../sdf/path.ts';
import { readUsda } from '../usda/read-usda.ts';
import { formatCrateVersion } from '../usdc/crate-format.ts';
import { readUsdc } from '../usdc/crate-reader.ts';
import { openPackaged } from '../usdz/open-packaged.ts';
import { joinPackageRelativePath, splitPackageRelativePathOuter } from '../usdz/package-path.ts';
import { readUsdz, type UsdzPackage } from '../usdz/read-usdz.ts';
import { detectFormat, looksLikeText, nameContent } from './detect-format.ts';

/** Options of {@link openFile}. @public */
export interface OpenFileOptions {
	/** Name of the file; `package.usdz[member.usda]` opens that member of the package. */
	readonly file: string;
	readonly report?: Report;
}

/** A layer and the bytes it was read from. @public */
export interface OpenedLayer {
	/** Name in diagnostics; a member of a package is `package.usdz[member.usda]`. */
	readonly file: string;
	readonly bytes: Uint8Array;
	readonly format: 'usda' | 'usdc';
	readonly data: LayerData;
	/** Version of the crate format. */
	readonly crateVersion?: string;
}

/** A file of any USD format. @public */
export interface OpenedFile {
	readonly format: 'usda' | 'usdc' | 'usdz' | 'unknown';
	/** The layer itself, or the one of a package; absent when there is none to read. */
	readonly layer?: OpenedLayer;
	/** The package that `layer` is in: the innermost one where packages are nested. */
	readonly package?: UsdzPackage;
	/** Member of the package that `layer` is. */
	readonly member?: string;
}

/** Opens a file by its content, whatever its extension says. What is wrong with it goes to the report. @public */
export function openFile(bytes: Uint8Array, options: OpenFileOptions): OpenedFile {
	const report = options.report ?? new Report();
	const [file, wanted] = splitPackageRelativePathOuter(options.file);
	const format = detectFormat(bytes);
	if (format === 'usdz') return { ...openMember(bytes, file, wanted, report, 0), format };
	const layer = openOne(bytes, file, report);
	if (wanted !== '') {
		const message = `the file is no package, so it has no member ${quote(wanted)}`;
		report.add(createDiagnostic('USDZ017', message, { file }));
	}
	return { format, ...(layer && { layer }) };
}

/** Packages inside packages that are opened on the way to one member. */
const DEEPEST_NESTING = 32;

/** Opens the root layer of a package, or a member of it, or a member of a package inside it. */
function openMember(
	bytes: Uint8Array,
	file: string,
	wanted: string,
	report: Report,
	depth: number,
): Omit<OpenedFile, 'format'> {
	const container = readUsdz(bytes, { file, report });
	const [path, inner] = splitPackageRelativePathOuter(wanted);
	const entry = path === '' ? container.rootLayer : openPackaged(container, path, { file, report });
	if (entry === undefined) return { package: container };
	const name = joinPackageRelativePath(file, entry.name);
	if (depth < DEEPEST_NESTING && (inner !== '' || detectFormat(entry.bytes) === 'usdz')) {
		return openMember(entry.bytes, name, inner, report, depth + 1);
	}
	const layer = openOne(entry.bytes, name, report);
	return { package: container, member: entry.name, ...(layer && { layer }) };
}

/** Opens a layer; undefined, with a diagnostic, when the bytes are no layer. @public */
export function openOne(bytes: Uint8Array, file: string, report: Report): OpenedLayer | undefined {
	const format = detectFormat(bytes);
	// text that only lacks the header goes to the reader too, which says where it is
	if (format === 'usda' || looksLikeText(bytes)) {
		return { file, bytes, format: 'usda', data: readUsda(bytes, { file, report }) };
	}
	if (format === 'usdc') {
		const data = readUsdc(bytes, { file, report });
		return { file, bytes, format, data, crateVersion: formatCrateVersion(data.version) };
	}
	const message = `the file holds ${nameContent(bytes)}, expected usda text, a crate or a usdz package`;
	report.add(createDiagnostic('PKG005', message, { file }));
	return undefined;
}

/** Whether anything was read of a layer: with errors and without content a file is of no use. @public */
export function hasContent(data: LayerData): boolean {
	return data.specCount > 1 || data.fieldNames(Path.root).some((name) => !isChildrenField(name));
}
