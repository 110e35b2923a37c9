import type { Severity } from './severity.ts';
import type { Excerpt, SourceRange } from './source.ts';

/**
 * One finding about an input: a permanent code, a sentence, a place, perhaps a fix.
 * Readers, composers, checkers and converters all speak this type; it is plain data and can be cloned or sent to a worker.
 * @public
 */
export interface Diagnostic {
	/** Permanent; each package has a table of its own codes. */
	readonly code: string;
	readonly severity: Severity;
	/** One sentence: what is, what was expected, with values and units. User text is quoted with {@link quote}. */
	readonly message: string;
	/** File it is about, as the caller named it; a member of a package is `package.usdz[member.usda]`. */
	readonly file?: string;
	/** Place in a text file. */
	readonly range?: SourceRange;
	/** Place in a binary file, in bytes; the message names it too. */
	readonly byteOffset?: number;
	/** The source line around `range`, cut to a window, with the columns to underline. */
	readonly excerpt?: Excerpt;
	/** Path of the prim or property it is about. */
	readonly prim?: string;
	/** Layer that holds the opinion, when it is not `file`. */
	readonly layer?: string;
	/** Composition arc by which the opinion arrives, such as `reference`. */
	readonly arc?: string;
	/** Variant selections under which it shows, by variant set. */
	readonly variants?: Readonly<Record<string, string>>;
	/** Other places that explain it. */
	readonly related?: readonly RelatedLocation[];
	readonly fix?: Fix;
	/** Machine-readable values behind the message. */
	readonly data?: Readonly<Record<string, unknown>>;
}

/** A second place that a diagnostic refers to. @public */
export interface RelatedLocation {
	readonly message: string;
	readonly file?: string;
	readonly range?: SourceRange;
	readonly prim?: string;
}

/** A change that removes the cause of a diagnostic. Safe fixes keep the composed meaning. @public */
export interface Fix {
	readonly title: string;
	readonly safety: 'safe' | 'unsafe';
	readonly edits: readonly TextEdit[];
}

/** Replacement of a range of a text file. @public */
export interface TextEdit {
	readonly file: string;
	readonly range: SourceRange;
	readonly text: string;
}

/** What a maker may say about a diagnostic beyond its code and message. @public */
export type DiagnosticDetails = { readonly [K in keyof Omit<Diagnostic, 'code' | 'message'>]?: Diagnostic[K] };

/** Makes a diagnostic of a code that belongs to no table, such as one of another program. @public */
export function createDiagnostic(
	code: string,
	severity: Severity,
	message: string,
	details: DiagnosticDetails = {},
): Diagnostic {
	return { severity, ...details, code, message };
}

/** Makes diagnostics of some codes; their severity is the usual one unless `details` has another. @public */
export type DiagnosticMaker<Code extends string> = (
	code: Code,
	message: string,
	details?: DiagnosticDetails,
) => Diagnostic;

/**
 * The maker of a package, from the table of its codes and their usual severities.
 *
 * ```ts
 * const createDiagnostic = diagnosticMaker({ ROBOT001: 'error' });
 * report.add(createDiagnostic('ROBOT001', "found '}', expected a value", source.locate(start, end)));
 * ```
 * @public
 */
export function diagnosticMaker<Code extends string>(
	severities: Readonly<Record<Code, Severity>>,
): DiagnosticMaker<Code> {
	return (code, message, details) => createDiagnostic(code, severities[code], message, details);
}
