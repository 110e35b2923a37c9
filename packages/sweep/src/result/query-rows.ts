import { isTrue, parseExpression } from '../expression/expression.ts';

const AGGREGATES: Readonly<Record<string, (values: number[]) => number>> = {
	count: (values) => values.length,
	sum: (values) => values.reduce((a, b) => a + b, 0),
	avg: (values) => values.reduce((a, b) => a + b, 0) / values.length,
	min: (values) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
	max: (values) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
};

const QUERY =
	/^\s*select\s+(.+?)\s+from\s+runs(?:\s+where\s+(.+?))?(?:\s+group\s+by\s+(.+?))?(?:\s+order\s+by\s+(\w+)(\s+desc|\s+asc)?)?(?:\s+limit\s+(\d+))?\s*;?\s*$/is;

type Row = Readonly<Record<string, unknown>>;

/**
 * Answers `select COLUMNS from runs [where CONDITION] [group by COLUMNS] [order by COLUMN [desc]] [limit N]` with `count(*)`, `sum`,
 * `avg`, `min` and `max`. A text says what is wrong with the question.
 */
export function queryRows(sql: string, rows: readonly Row[]): Record<string, unknown>[] | string {
	const match = QUERY.exec(sql);
	if (match === null)
		return 'expected select COLUMNS from runs [where …] [group by …] [order by …] [limit …]; install @duckdb/node-api for all of SQL';
	const known = new Set(Object.keys(rows[0] ?? {}));
	const columns = readColumns(match[1]!, known);
	if (typeof columns === 'string') return columns;
	const kept = match[2] === undefined ? rows : filterRows(match[2], rows, known);
	if (typeof kept === 'string') return kept;
	const keys = match[3]?.split(',').map((name) => name.trim()) ?? [];
	const odd = keys.find((name) => !known.has(name));
	if (odd !== undefined) return unknown(odd, known);
	let found: Record<string, unknown>[];
	if (keys.length === 0 && columns.every(({ aggregate }) => aggregate === undefined))
		found = kept.map((row) => Object.fromEntries(columns.map(({ title, column }) => [title, plain(row[column!])])));
	else {
		const groups = new Map<string, Row[]>();
		for (const row of kept) {
			const key = JSON.stringify(keys.map((name) => plain(row[name])));
			groups.set(key, [...(groups.get(key) ?? []), row]);
		}
		found = [...groups.values()].map((group) =>
			Object.fromEntries(columns.map((column) => [column.title, cellOf(column, group)])),
		);
	}
	const order = match[4];
	if (order !== undefined) {
		const sign = /desc/i.test(match[5] ?? '') ? -1 : 1;
		found.sort((a, b) => sign * compare(a[order], b[order]));
	}
	return match[6] === undefined ? found : found.slice(0, Number(match[6]));
}

interface Column {
	readonly title: string;
	readonly column?: string;
	readonly aggregate?: string;
}

function readColumns(text: string, known: ReadonlySet<string>): Column[] | string {
	if (text.trim() === '*') return [...known].map((name) => ({ title: name, column: name }));
	const columns: Column[] = [];
	for (const part of text.split(',')) {
		const match = /^\s*(?:(count|sum|avg|min|max)\s*\(\s*(\*|\w+)\s*\)|(\w+))(?:\s+as\s+(\w+))?\s*$/i.exec(part);
		if (match === null) return `unknown column '${part.trim()}'`;
		const aggregate = match[1]?.toLowerCase();
		const column = aggregate === undefined ? match[3]! : match[2] === '*' ? undefined : match[2]!;
		if (column !== undefined && !known.has(column)) return unknown(column, known);
		if (column === undefined && aggregate !== 'count') return `${aggregate}(*) is no number`;
		columns.push({
			title: match[4] ?? part.trim(),
			...(column !== undefined && { column }),
			...(aggregate !== undefined && { aggregate }),
		});
	}
	return columns;
}

function filterRows(condition: string, rows: readonly Row[], known: ReadonlySet<string>): readonly Row[] | string {
	const parsed = parseExpression(condition.replaceAll(/(?<![<>=!])=(?!=)/g, '==').replaceAll('<>', '!='));
	if ('fault' in parsed) return `where ${condition}: ${parsed.fault}`;
	const odd = parsed.names.find(({ text }) => !known.has(text));
	if (odd !== undefined) return unknown(odd.text, known);
	return rows.filter((row) =>
		isTrue(
			parsed.evaluate(
				parsed.names.map(({ text }) => {
					const value = plain(row[text]);
					return typeof value === 'number' || typeof value === 'string' ? value : Number(value ?? Number.NaN);
				}),
			),
		),
	);
}

function cellOf({ column, aggregate }: Column, group: readonly Row[]): unknown {
	if (aggregate === undefined) return plain(group[0]![column!]);
	if (column === undefined) return group.length;
	const values = group.flatMap((row) => {
		const value = plain(row[column]);
		return typeof value === 'number' && !Number.isNaN(value) ? [value] : [];
	});
	return aggregate === 'count'
		? group.filter((row) => (row[column] ?? null) !== null).length
		: AGGREGATES[aggregate]!(values);
}

function compare(a: unknown, b: unknown): number {
	return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

function plain(value: unknown): unknown {
	return typeof value === 'bigint' ? Number(value) : value;
}

function unknown(name: string, known: ReadonlySet<string>): string {
	return `there is no column '${name}', expected ${[...known].join(', ')}`;
}
