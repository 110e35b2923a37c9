import type { Value } from './value.ts';
import type { ValueType } from './value-type.ts';

/** Where an instruction takes its element from: a literal, or an index into the array (negative from the end). */
export type ArrayEditSource = { readonly literal: Value } | { readonly index: number };

/** One instruction of an array edit, in the order they run. */
export type ArrayEditInstruction =
	| { readonly op: 'write' | 'insert'; readonly source: ArrayEditSource; readonly index: number }
	| { readonly op: 'prepend' | 'append'; readonly source: ArrayEditSource }
	| { readonly op: 'erase'; readonly index: number }
	| { readonly op: 'minSize' | 'maxSize' | 'resize'; readonly size: number; readonly fill?: Value };

/** A sparse edit of a weaker array value (text 1.2, crate 0.14): `edit [append 3; write 5 to [0]]`. */
export interface ArrayEdit {
	/** Type of the arrays it edits. */
	readonly arrayType: ValueType;
	readonly instructions: readonly ArrayEditInstruction[];
}
