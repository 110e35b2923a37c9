/** A step from a value to one inside of it: a key, or an entry of a list. */
export type YamlStep = string | typeof LIST_ENTRY;
export const LIST_ENTRY: unique symbol = Symbol('list entry');

/** A place in YAML text, told by indentation alone, so that it is known while a line is being written. */
export interface YamlPlace {
	/** Keys and list entries that lead to the mapping or value at the place. */
	readonly path: readonly YamlStep[];
	/** The key whose value is written at the place; undefined where a key is written. */
	readonly key: string | undefined;
	/** Keys of the same mapping. */
	readonly siblings: ReadonlySet<string>;
	/** The word before the place. */
	readonly word: string;
}

interface Line {
	readonly indent: number;
	readonly key: string | undefined;
	readonly isEntry: boolean;
}

const KEY = /^(\s*)((?:-\s+)*)(?:"([^"]+)"|'([^']+)'|([A-Za-z_][\w.-]*))\s*:(?=\s|$)/;

/** The place of a line and column of a text; columns count UTF-16 units. */
export function yamlPlace(text: string, line: number, column: number): YamlPlace {
	const lines = text.split(/\r\n|\r|\n/);
	const current = (lines[line] ?? '').slice(0, column);
	const own = KEY.exec(current);
	const word = /[\w.:/-]*$/.exec(current)?.[0] ?? '';
	const key = own === null ? undefined : (own[3] ?? own[4] ?? own[5]);
	const dashes = /^(\s*)((?:-\s+)*)/.exec(current)!;
	const indent = dashes[1]!.length + dashes[2]!.length;
	const path: YamlStep[] = [];
	if (dashes[2] !== '') path.unshift(LIST_ENTRY);
	let limit = dashes[1]!.length;
	let isInEntry = dashes[2] !== '';
	for (let at = line - 1; at >= 0; at--) {
		const parsed = parseLine(lines[at]!);
		if (parsed === undefined) continue;
		if (parsed.isEntry && parsed.indent === limit && !isInEntry && parsed.key !== undefined) {
			// the first key of an entry stands behind its dash
			path.unshift(LIST_ENTRY);
			limit = lines[at]!.length - lines[at]!.trimStart().length;
			isInEntry = true;
			continue;
		}
		const isAbove = parsed.indent < limit || (isInEntry && !parsed.isEntry && parsed.indent <= limit);
		if (!isAbove || parsed.key === undefined) continue;
		path.unshift(parsed.key);
		limit = parsed.indent;
		isInEntry = false;
		if (parsed.isEntry) {
			path.unshift(LIST_ENTRY);
			limit = lines[at]!.length - lines[at]!.trimStart().length;
			isInEntry = true;
		}
		if (limit === 0 && !isInEntry) break;
	}
	return { path: key === undefined ? path : [...path, key], key, siblings: siblingsOf(lines, line, indent), word };
}

function parseLine(line: string): Line | undefined {
	if (/^\s*(?:#|$)/.test(line)) return undefined;
	const match = KEY.exec(line);
	const start = /^(\s*)((?:-\s+)*)/.exec(line)!;
	const key = match === null ? undefined : (match[3] ?? match[4] ?? match[5]);
	return { indent: start[1]!.length + start[2]!.length, key, isEntry: start[2] !== '' };
}

/** Keys at the same indentation around a line. */
function siblingsOf(lines: readonly string[], line: number, indent: number): Set<string> {
	const found = new Set<string>();
	for (const step of [-1, 1]) {
		for (let at = line + step; at >= 0 && at < lines.length; at += step) {
			const parsed = parseLine(lines[at]!);
			if (parsed === undefined) continue;
			if (parsed.indent < indent || (step > 0 && parsed.isEntry && parsed.indent === indent)) break;
			if (parsed.indent === indent && parsed.key !== undefined) found.add(parsed.key);
			if (step < 0 && parsed.isEntry && parsed.indent === indent) break;
		}
	}
	return found;
}
