import type { Report } from '@manyworlds/core';

/** Thrown when there is nothing to work with: no such file, or one that cannot be used at all. @public */
export class AssetError extends Error {
	override readonly name: string = 'AssetError';
	readonly code: string;
	/** What was found on the way. */
	readonly report: Report;

	constructor(code: 'OPEN001' | 'OPEN002', message: string, report: Report) {
		super(message);
		this.code = code;
		this.report = report;
	}
}
