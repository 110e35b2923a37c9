import type { UsdCode } from '../diagnostics.ts';
import { Path } from '../sdf/path.ts';

/**
 * A mistake in the text, thrown to leave a statement and caught where reading goes on. Never leaves the reader.
 * It is no `Error`: making one would cost a stack trace for every mistake of a broken file.
 */
export class UsdaFault {
	readonly code: UsdCode;
	readonly message: string;
	/** Bytes of the text that are wrong. */
	readonly start: number;
	readonly end: number;
	/** The spec that was being read. */
	readonly path: Path;

	constructor(code: UsdCode, message: string, start: number, end: number, path: Path = Path.root) {
		this.code = code;
		this.message = message;
		this.start = start;
		this.end = end;
		this.path = path;
	}
}
