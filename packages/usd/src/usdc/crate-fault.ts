/**
 * Says that bytes of a crate file make no sense. Used inside the reader only: whoever asked for the value catches it and
 * turns it into a diagnostic, so it never leaves the reader.
 */
export class CrateFault extends Error {
	override readonly name: string = 'CrateFault';
	/** Offset in the file of what is wrong. */
	readonly offset: number;

	constructor(message: string, offset: number) {
		super(message);
		this.offset = offset;
	}
}
