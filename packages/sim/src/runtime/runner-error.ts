import type { DiagnosticCode } from '@manyworlds/core';

/** Worlds cannot be stepped (any more): a thread did not start or has ended, or a solver failed. @public */
export class RunnerError extends Error {
	override readonly name: string = 'RunnerError';
	readonly code: DiagnosticCode;

	constructor(code: DiagnosticCode, message: string) {
		super(message);
		this.code = code;
	}
}
