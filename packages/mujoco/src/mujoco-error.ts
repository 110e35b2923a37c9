import type { DiagnosticCode } from '@manyworlds/core';

/** A model or option that MuJoCo cannot take. Nothing was changed. @public */
export class MujocoError extends RangeError {
	override readonly name: string = 'MujocoError';
	readonly code: DiagnosticCode;

	constructor(code: DiagnosticCode, message: string) {
		super(message);
		this.code = code;
	}
}
