/** Worlds cannot be stepped (any more): a thread did not start or has ended, or a solver failed. @public */
export class RunnerError extends Error {
	override readonly name: string = 'RunnerError';
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}
