import type { DiagnosticCode } from '@manyworlds/core';

/**
 * A mistake in the text, thrown to leave a statement and caught where reading goes on. Never leaves the reader.
 * It is no `Error`: making one would cost a stack trace for every mistake of a broken file.
 */
export class UsdaFault {
	readonly code: DiagnosticCode;
	readonly message: string;
	/** Bytes of the text that are wrong. */
	readonly start: number;
	readonly end: number;

	constructor(code: DiagnosticCode, message: string, start: number, end: number) {
		this.code = code;
		this.message = message;
		this.start = start;
		this.end = end;
	}
}
