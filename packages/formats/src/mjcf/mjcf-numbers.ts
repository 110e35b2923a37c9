import { readNumberList } from '@manyworlds/core/internal';

/** The numbers of an attribute, separated by white space; undefined when one of them is not a finite number. @public */
export function readNumbers(text: string): Float64Array | undefined {
	const numbers = readNumberList(text);
	return numbers.every(Number.isFinite) ? numbers : undefined;
}
