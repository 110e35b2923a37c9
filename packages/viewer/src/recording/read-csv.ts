/** Columns of a table of numbers, by name without its unit. */
export interface NumberTable {
	readonly columns: ReadonlyMap<string, Float64Array>;
	readonly rows: number;
}

/**
 * Reads comma-separated values with one line of titles, as `manyworlds run --record` writes them: `time [s],elbow [rad]`. Throws an
 * error with a sentence for what is no such table.
 */
export function readCsv(text: string, name: string): NumberTable {
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
	const titles = fieldsOf(lines[0] ?? '').map((title) => title.replace(/ \[[^\]]*\]$/, ''));
	if (!titles.includes('time')) throw new Error(`'${name}' has no column 'time'`);
	const columns = new Map(titles.map((title) => [title, new Float64Array(lines.length - 1)]));
	for (let row = 1; row < lines.length; row++) {
		const fields = fieldsOf(lines[row]!);
		if (fields.length !== titles.length) {
			throw new Error(`'${name}' line ${row + 1} has ${fields.length} values, expected ${titles.length}`);
		}
		for (const [i, title] of titles.entries()) columns.get(title)![row - 1] = Number(fields[i]);
	}
	return { columns, rows: lines.length - 1 };
}

/** Fields of a line; quotes may be around them, two quotes are one. */
function fieldsOf(line: string): string[] {
	if (!line.includes('"')) return line.split(',');
	return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
		([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
	);
}
