import { printable } from '@manyworlds/core/internal';
import type { Json } from './value-json.ts';

/** How text for people looks. @public */
export interface TextStyleOptions {
	/** Use ANSI colours. */
	readonly colour?: boolean;
	/** Longest value in characters. */
	readonly maxValueLength?: number;
}

/** Paints and shortens pieces of text. */
export class TextStyle {
	readonly #colour: boolean;
	readonly #limit: number;

	constructor(options: Required<TextStyleOptions>) {
		this.#colour = options.colour;
		this.#limit = options.maxValueLength;
	}

	heading(text: string): string {
		return this.#paint('1', text);
	}

	type(text: string): string {
		return this.#paint('36', text);
	}

	quiet(text: string): string {
		return this.#paint('2', text);
	}

	good(text: string): string {
		return this.#paint('1;32', text);
	}

	/** A value on one line, cut when it is long. With its type, numbers that JSON must write as strings are shown as numbers. */
	json(value: Json, typeName?: string): string {
		const limit = this.#limit;
		if (typeof value === 'string' && NUMBER_TYPES.test(typeName ?? '')) return printable(value);
		const text = printable(typeof value === 'object' ? compactJson(value, limit) : JSON.stringify(value));
		return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
	}

	#paint(code: string, text: string): string {
		return this.#colour && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
	}
}

const NUMBER_TYPES = /^(half|float|double|timecode|duration|u?int64)$/;

/** A number and its noun: `1 prim`, `2 prims`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : plural}`;
}

/** The items of a list-op as JSON has it, deleted ones with a minus sign. */
export function listOpText(op: Json): string {
	if (typeof op !== 'object' || op === null || Array.isArray(op)) return printable(String(op));
	const text: string[] = [];
	for (const [list, items] of Object.entries(op)) {
		const sign = list === 'deleted' ? '-' : '';
		// a damaged file may have anything here
		for (const item of Array.isArray(items) ? items : [items]) text.push(`${sign}${itemText(item)}`);
	}
	return text.length === 0 ? '(none)' : text.join(' ');
}

function itemText(item: Json): string {
	if (typeof item !== 'object' || item === null || Array.isArray(item)) return printable(String(item));
	const { assetPath = '', primPath } = item as { readonly assetPath?: string; readonly primPath?: string };
	return printable(`${assetPath === '' ? '' : `@${assetPath}@`}${primPath === undefined ? '' : `<${primPath}>`}`);
}

/** JSON with a space after commas, cut once it is longer than `limit`: long arrays are not written in full. */
function compactJson(value: Json, limit: number): string {
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const isList = Array.isArray(value);
	const entries: [string, Json][] = Object.entries(isList ? value.slice(0, limit) : value);
	let text = isList ? '[' : '{';
	for (const [i, [name, item]] of entries.entries()) {
		if (i > 0) text += ', ';
		text += `${isList ? '' : `${name}: `}${compactJson(item, limit)}`;
		if (text.length > limit) return text;
	}
	return `${text}${isList ? ']' : '}'}`;
}
