import type { ModelCode } from './diagnostics.ts';

/** What a model error is about. @public */
export interface ErrorSubject {
	/** `body`, `shape`, `joint`, `articulation`, `world`, `attribute`, … */
	readonly kind: string;
	readonly index?: number;
	readonly label?: string;
}

/**
 * A call that a builder or model refuses. Nothing was changed by the call. The message says what was given, what is
 * allowed and, where it helps, what to do instead. @public
 */
export class ModelError extends RangeError {
	readonly code: ModelCode;
	readonly subject: ErrorSubject;

	constructor(code: ModelCode, message: string, subject: ErrorSubject) {
		super(message);
		this.name = 'ModelError';
		this.code = code;
		this.subject = subject;
	}
}

/** `body 3 'arm/link'`, for messages. */
export function describe(kind: string, index: number, label: string | undefined): string {
	return label === undefined || label === '' ? `${kind} ${index}` : `${kind} ${index} '${label}'`;
}
