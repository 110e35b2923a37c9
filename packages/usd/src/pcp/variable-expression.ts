import type { Dictionary, Value } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';

/** The text that an expression gives; '' when it gives none. */
export interface TextResult {
	readonly value: string;
	readonly errors: readonly string[];
}

export function isExpression(text: string): boolean {
	return text.length >= 2 && text.charCodeAt(0) === 96 && text.charCodeAt(text.length - 1) === 96;
}
export function evaluateText(expression: string, variables: Dictionary): TextResult {
	void variables;
	return { value: expression, errors: [] };
}
export type Unused = [Value, typeof T];
