/** Thrown when a library function is called with an argument of the wrong kind: a fault in the calling program. @public */
export class UsageTypeError extends TypeError {
	override readonly name: string = 'UsageTypeError';
	readonly code: string = 'API001';
}

/** Thrown when an argument lies outside what a library function accepts. @public */
export class UsageRangeError extends RangeError {
	override readonly name: string = 'UsageRangeError';
	readonly code: string = 'API002';
}

/** Thrown when an object cannot do what it is asked in its present state: read-only, closed, detached. @public */
export class UsageStateError extends TypeError {
	override readonly name: string = 'UsageStateError';
	readonly code: string = 'API003';
}

/** Thrown when an invariant of the library is broken: always a fault in Manyworlds, whatever the input. @public */
export class InternalError extends Error {
	override readonly name: string = 'InternalError';
	readonly code: string = 'API004';

	constructor(message: string, options?: ErrorOptions) {
		super(`${message} (this is a fault in Manyworlds, please report it)`, options);
	}
}
