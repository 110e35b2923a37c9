import { type Diagnostic, Report } from '@manyworlds/core';
import { Path } from '../src/sdf/path.ts';
import type { Value } from '../src/sdf/value.ts';
import { type ReadUsdaOptions, readUsda, type TextLayerData } from '../src/usda/read-usda.ts';

/** A layer read from text for a test, with what the reader said about it. */
export interface ReadText {
	readonly data: TextLayerData;
	readonly diagnostics: readonly Diagnostic[];
	/** `CODE line:column` of each diagnostic. */
	readonly places: readonly string[];
}

/** Reads usda text; the header line is added. */
export function readText(body: string, options: ReadUsdaOptions = {}): ReadText {
	return readBytes(new TextEncoder().encode(`#usda 1.0\n${body}`), options);
}

/** Reads bytes as they are. */
export function readBytes(bytes: Uint8Array, options: ReadUsdaOptions = {}): ReadText {
	const report = new Report();
	const data = readUsda(bytes, { ...options, report });
	const diagnostics = report.toArray();
	const places = diagnostics.map(({ code, range }) => `${code} ${range?.start.line}:${range?.start.column}`);
	return { data, diagnostics, places };
}

/** Reads text that must be free of mistakes. */
export function readClean(body: string, options: ReadUsdaOptions = {}): TextLayerData {
	const { data, diagnostics } = readText(body, options);
	if (diagnostics.length > 0) throw new Error(diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
	return data;
}

/** A field of the spec at a path. */
export function fieldAt(data: TextLayerData, path: string, name: string): Value | undefined {
	return data.field(Path.parse(path)!, name);
}

/** The default of an attribute `x` that is declared by `statement` in a prim. */
export function defaultOf(statement: string): Value | undefined {
	return fieldAt(readClean(`def "A" {\n    ${statement}\n}\n`), '/A.x', 'default');
}
