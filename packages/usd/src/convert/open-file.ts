import { createDiagnostic, Report } from '@manyworlds/core';
import type { LayerData } from '../sdf/layer-data.ts';
import { readUsda } from '../usda/read-usda.ts';
import { formatCrateVersion } from '../usdc/crate-format.ts';
import { readUsdc } from '../usdc/crate-reader.ts';
import { openPackaged } from '../usdz/open-packaged.ts';
import { splitPackageRelativePathOuter } from '../usdz/package-path.ts';
import { readUsdz, type UsdzPackage } from '../usdz/read-usdz.ts';
import { detectFormat, nameContent } from './detect-format.ts';

/** Options of {@link openFile}. @public */
export interface OpenFileOptions {
	/** Name of the file; `package.usdz[member.usda]` opens that member of the package. */
	readonly file: string;
	readonly report?: Report;
}

/** A layer and the bytes it was read from. @public */
export interface OpenedLayer {
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
	readonly package?: UsdzPackage;
	/** Member of the package that `layer` is. */
	readonly member?: string;
}

/** Opens a file by its content, whatever its extension says. What is wrong with it goes to the report. @public */
export function openFile(bytes: Uint8Array, options: OpenFileOptions): OpenedFile {
	const { file } = options;
	const report = options.report ?? new Report();
	const [packageFile, wanted] = splitPackageRelativePathOuter(file);
	const format = detectFormat(bytes);
	if (format === 'usdz') {
		const container = readUsdz(bytes, { uri: packageFile, report });
		const entry = wanted === '' ? container.rootLayer : openPackaged(container, wanted, { uri: packageFile, report });
		if (entry === undefined) return { format, package: container };
		const layer = openOne(entry.bytes, `${packageFile}[${wanted === '' ? entry.name : wanted}]`, report);
		return { format, package: container, member: wanted === '' ? entry.name : wanted, ...(layer && { layer }) };
	}
	const layer = openOne(bytes, file, report);
	return { format, ...(layer && { layer }) };
}

/** Opens a layer; undefined, with a diagnostic, when the bytes are no layer. @public */
export function openOne(bytes: Uint8Array, file: string, report: Report): OpenedLayer | undefined {
	const format = detectFormat(bytes);
	if (format === 'usda') return { bytes, format, data: readUsda(bytes, { uri: file, report }) };
	if (format === 'usdc') {
		const data = readUsdc(bytes, { uri: file, report });
		return { bytes, format, data, crateVersion: formatCrateVersion(data.version) };
	}
	const message = `the file holds ${nameContent(bytes)}, expected usda text, a crate or a usdz package`;
	report.add(createDiagnostic('PKG005', message, { file }));
	return undefined;
}
