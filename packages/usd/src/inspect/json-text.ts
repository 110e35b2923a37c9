import type { Json } from './value-json.ts';

/** Items of a long list that are joined into one piece of text. */
const PIECE_ITEMS = 4096;

/**
 * Writes JSON in pieces, so that the text may be longer than a string can be. Objects and lists of objects are indented;
 * lists of numbers, texts and vectors stay on one line. Members that are undefined are left out.
 * @public
 */
export function* jsonPieces(value: Json | undefined, indent = ''): Generator<string> {
	if (typeof value !== 'object' || value === null) {
		yield JSON.stringify(value ?? null);
	} else if (isList(value)) {
		if (value.some(hasMembers))
			yield* indented(
				'[',
				']',
				value.map((item) => ['', item]),
				indent,
			);
		else yield* flatList(value);
	} else {
		const members = Object.entries(value).filter(([, item]) => item !== undefined);
		const named = members.map(([name, item]): [string, Json] => [`${JSON.stringify(name)}: `, item]);
		yield* indented('{', '}', named, indent);
	}
}

function isList(value: Json): value is readonly Json[] {
	return Array.isArray(value);
}

/** Whether the value is an object with members, or a list that holds one. */
function hasMembers(value: Json): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return isList(value) ? value.some(hasMembers) : true;
}

function* indented(
	open: string,
	close: string,
	entries: readonly (readonly [string, Json])[],
	indent: string,
): Generator<string> {
	if (entries.length === 0) {
		yield open + close;
		return;
	}
	const deeper = `${indent}  `;
	for (const [i, [name, item]] of entries.entries()) {
		yield `${i === 0 ? open : ','}\n${deeper}${name}`;
		yield* jsonPieces(item, deeper);
	}
	yield `\n${indent}${close}`;
}

function* flatList(items: readonly Json[]): Generator<string> {
	if (items.length <= PIECE_ITEMS) {
		yield JSON.stringify(items);
		return;
	}
	for (let at = 0; at < items.length; at += PIECE_ITEMS) {
		const piece = JSON.stringify(items.slice(at, at + PIECE_ITEMS));
		yield `${at === 0 ? '[' : ','}${piece.slice(1, -1)}`;
	}
	yield ']';
}
