import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSweepDiagnostic, queryRows } from '@manyworlds/sweep/internal';
import { parquetReadObjects } from 'hyparquet';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import type { SweepCommandOptions } from './sweep-command-options.ts';

/** Answers a question about the table of a folder: by DuckDB where that is installed, else by a small subset of SQL. */
export async function querySweep(
	context: CommandContext,
	sql: string,
	folder: string,
	{ json }: SweepCommandOptions,
): Promise<void> {
	const file = join(folder, 'table.parquet');
	let bytes: Buffer;
	try {
		bytes = readFileSync(file);
	} catch {
		context.report.add(
			createSweepDiagnostic(
				'SWP052',
				`${context.display(folder)} has no table.parquet: run the sweep to its end, or manyworlds sweep report ${context.display(folder)}`,
			),
		);
		return;
	}
	const rows =
		(await byDuckDb(sql, file)) ??
		queryRows(
			sql,
			(await parquetReadObjects({
				file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
			})) as Record<string, unknown>[],
		);
	if (typeof rows === 'string') {
		context.report.add(createDiagnostic('CLI006', `sweep query: ${rows}`));
		return;
	}
	context.print(json === true ? `${JSON.stringify(rows, plain)}\n` : textOf(rows));
}

/** Rows by DuckDB; undefined where it is not installed, a text for a question that it does not understand. */
async function byDuckDb(sql: string, file: string): Promise<Record<string, unknown>[] | string | undefined> {
	const name = '@duckdb/node-api';
	let duckdb: {
		DuckDBInstance: {
			create(path: string): Promise<{
				connect(): Promise<{
					run(sql: string): Promise<unknown>;
					runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Record<string, unknown>[] }>;
				}>;
			}>;
		};
	};
	try {
		duckdb = (await import(name)) as typeof duckdb;
	} catch {
		return undefined;
	}
	try {
		const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
		await connection.run(`create view runs as select * from read_parquet('${file.replaceAll("'", "''")}')`);
		return (await connection.runAndReadAll(sql)).getRowObjectsJson();
	} catch (error) {
		return (error as Error).message.split('\n')[0]!;
	}
}

function plain(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? Number(value) : value;
}

function textOf(rows: readonly Record<string, unknown>[]): string {
	const names = Object.keys(rows[0] ?? {});
	if (names.length === 0) return 'no rows\n';
	const cells = rows.map((row) => names.map((name) => cellText(row[name])));
	const widths = names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)));
	return `${[names, ...cells].map((row) => row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')).join('\n')}\n`;
}

function cellText(value: unknown): string {
	if (value === null || value === undefined) return 'null';
	return typeof value === 'number' && !Number.isInteger(value) ? String(Number(value.toPrecision(7))) : String(value);
}
