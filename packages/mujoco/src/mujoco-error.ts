import type { ErrorSubject } from '@manyworlds/model';
import type { MujocoCode } from './diagnostics.ts';

/** A model or option that MuJoCo cannot take. Nothing was changed. @public */
export class MujocoError extends RangeError {
	override readonly name: string = 'MujocoError';
	readonly code: MujocoCode;
	/** The body, joint, shape or row of the model that it is about, where it is about one. */
	readonly subject: ErrorSubject | undefined;

	constructor(code: MujocoCode, message: string, subject?: ErrorSubject) {
		super(message);
		this.code = code;
		this.subject = subject;
	}
}
