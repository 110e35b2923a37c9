import { type Diagnostic, Report } from '@manyworlds/core';
import { type LayerData, readUsda, readUsdc, readUsdz, T, writeUsda, writeUsdc, writeUsdz } from '@manyworlds/usd';
import { dataOf, MetadataRegistry } from '@manyworlds/usd/internal';

/** A layer that was read, with what the reader had to say. */
export interface LoadedLayer {
	readonly data: LayerData;
	readonly report: Report;
}

/** Reads a text or crate layer by its content and decodes every value, so that the report is complete. */
export function loadLayer(
	bytes: Uint8Array,
	file: string,
	registry: MetadataRegistry = MetadataRegistry.standard,
): LoadedLayer {
	const report = new Report();
	const data = isCrate(bytes) ? readUsdc(bytes, { file, report }) : readUsda(bytes, { file, report, registry });
	decodeAll(data);
	return { data, report };
}

/** The layer, which must be free of errors; throws otherwise. */
export function loadClean(bytes: Uint8Array, file: string, registry?: MetadataRegistry): LayerData {
	const { data, report } = loadLayer(bytes, file, registry);
	const error = firstError(report);
	if (error !== undefined) throw new Error(`${file}: ${describe(error)}`);
	return data;
}

/** Text of a layer; throws when something could not be written. */
export function toText(data: LayerData): Uint8Array {
	const report = new Report();
	const bytes = writeUsda(data, { report });
	const complaint = report.toArray()[0];
	if (complaint !== undefined) throw new Error(`writing text: ${describe(complaint)}`);
	return bytes;
}

/** Crate of a layer, of the default version or at least the one given; throws when something could not be written. */
export function toCrate(data: LayerData, version?: string): Uint8Array {
	const report = new Report();
	const bytes = writeUsdc(data, version === undefined ? { report } : { report, version });
	const error = firstError(report);
	if (error !== undefined) throw new Error(`writing a crate: ${describe(error)}`);
	return bytes;
}

/** A file of a package. */
export interface PackageMember {
	readonly name: string;
	readonly bytes: Uint8Array;
}

/** A package of files, the first of which is its root layer. */
export function packMembers(members: readonly PackageMember[]): Uint8Array {
	return writeUsdz(members);
}

/** The files of a package in their order; throws when it was read with an error. */
export function unpackMembers(bytes: Uint8Array, file: string): readonly PackageMember[] {
	const report = new Report();
	const { entries } = readUsdz(bytes, { file, report });
	const error = firstError(report);
	if (error !== undefined) throw new Error(`${file}: ${describe(error)}`);
	return entries;
}

/** The first error of a report in its order. */
export function firstError(report: Report): Diagnostic | undefined {
	return report.toArray().find((diagnostic) => diagnostic.severity === 'error');
}

/** Code, place and message of a diagnostic on one line. */
export function describe(diagnostic: Diagnostic): string {
	const start = diagnostic.range?.start;
	const place = start === undefined ? '' : `${start.line}:${start.column}: `;
	return `${place}${diagnostic.code} ${diagnostic.message}`;
}

/** Whether bytes begin like a crate file. */
export function isCrate(bytes: Uint8Array): boolean {
	return bytes.length >= 8 && Buffer.from(bytes.buffer, bytes.byteOffset, 8).toString('latin1') === 'PXR-USDC';
}

function decodeAll(data: LayerData): void {
	for (const path of data.paths()) {
		for (const name of data.fieldNames(path)) {
			const samples = dataOf(data.field(path, name), T.timeSamples);
			for (let i = 0; i < (samples?.times.length ?? 0); i++) samples!.valueAt(i);
		}
	}
}
