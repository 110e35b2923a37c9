/** Thrown inside the crate writer for a value that has no place in a crate; the layer writer turns it into a diagnostic. */
export class UnwritableValue extends Error {
	override readonly name: string = 'UnwritableValue';
}
