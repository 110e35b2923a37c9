import { ByteWriter, ParquetWriter, schemaFromColumnData, type Writer } from 'hyparquet-writer';
import type { SweepPlan } from '../plan/plan.ts';
import type { Run } from '../runs/expansion.ts';
import { metricDefinition } from '../runs/run-key.ts';
import type { ParameterValue, PlanParameter } from '../sample/parameter.ts';
import type { RunResult, RunTiming } from './run-result.ts';

/** A run with its result. */
export interface TableEntry {
	readonly run: Run;
	readonly result: RunResult;
	/** Of `task: check`: the file. */
	readonly file?: string;
}

/** A cell of the table. */
export type TableCell = string | number | boolean | null;

/** A column of the table. */
export interface TableColumn {
	readonly name: string;
	readonly type: 'STRING' | 'DOUBLE' | 'INT64' | 'BOOLEAN';
	readonly of: (entry: TableEntry) => TableCell;
}

/** Rows of a group of the file: the same for everybody, so that the same rows are the same bytes. */
export const ROW_GROUP = 100_000;

/** Severities that `task: check` counts. */
const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

/** The columns of a plan: key, position, parameters, seed, status, metrics, steps, state. */
export function tableColumns(plan: SweepPlan, tool: string): TableColumn[] {
	const text = (name: string, of: TableColumn['of']): TableColumn => ({ name, type: 'STRING', of });
	const head: TableColumn[] = [
		text('run_key', ({ result }) => result.key),
		{ name: 'index', type: 'INT64', of: ({ run }) => run.index },
	];
	const tail = [text('tool', () => tool)];
	const status = [text('status', ({ result }) => result.status), text('reason', ({ result }) => result.reason ?? null)];
	if (plan.task === 'check') {
		const counts = SEVERITIES.map(
			(severity): TableColumn => ({
				name: `n_${severity}`,
				type: 'INT64',
				of: ({ result }) => result.counts?.[severity] ?? 0,
			}),
		);
		const codes = text('codes', ({ result }) => formatCodes(result.codes ?? {}));
		return [...head, text('file', ({ file }) => file ?? null), ...status, ...counts, codes, ...tail];
	}
	return [
		...head,
		...plan.parameters.map(parameterColumn),
		{ name: 'repeat', type: 'INT64', of: ({ run }) => run.repeat },
		{ name: 'seed', type: 'INT64', of: ({ run }) => run.seed },
		...status,
		...plan.outputs.metrics.map(({ name, kind, expression }): TableColumn => {
			const definition = metricDefinition({ name, kind, expression });
			return { name: `m_${name}`, type: 'DOUBLE', of: ({ result }) => result.metrics[definition] ?? null };
		}),
		{ name: 'steps', type: 'INT64', of: ({ result }) => result.steps },
		text('state', ({ result }) => (result.state === '' ? null : result.state)),
		...tail,
	];
}

function parameterColumn({ name, distribution }: PlanParameter, index: number): TableColumn {
	const kinds: readonly ParameterValue[] = distribution.kind === 'choice' ? distribution.values : [0];
	const [type] = new Set(kinds.map((value) => typeof value));
	const isOneKind = kinds.every((value) => typeof value === type);
	const column = `p_${name}`;
	if (isOneKind && type === 'number') return { name: column, type: 'DOUBLE', of: ({ run }) => run.values[index]! };
	if (isOneKind && type === 'boolean') return { name: column, type: 'BOOLEAN', of: ({ run }) => run.values[index]! };
	return { name: column, type: 'STRING', of: ({ run }) => String(run.values[index]!) };
}

function formatCodes(codes: Readonly<Record<string, number>>): string {
	return Object.entries(codes)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([code, count]) => `${code}:${count}`)
		.join(' ');
}

/** The columns of a plan that say which run a row is of, and what its values were. */
export function runColumns(plan: SweepPlan): TableColumn[] {
	return [
		{ name: 'index', type: 'INT64', of: ({ run }) => run.index },
		...plan.parameters.map(parameterColumn),
		{ name: 'seed', type: 'INT64', of: ({ run }) => run.seed },
	];
}

/** Writes entries, which come in the order of their index, as Parquet. The same entries give the same bytes. */
export function writeTable(writer: Writer, plan: SweepPlan, tool: string, entries: Iterable<TableEntry>): number {
	const columns = tableColumns(plan, tool);
	return writeColumns(
		writer,
		columns.map(({ name, type }) => ({ name, type })),
		{ name: plan.name, tool, version: '1' },
		rowsOf(columns, entries),
	);
}

function* rowsOf(columns: readonly TableColumn[], entries: Iterable<TableEntry>): Generator<readonly TableCell[]> {
	for (const entry of entries) yield columns.map(({ of }) => of(entry));
}

/** Writes how long runs took, which is different every time and therefore in a file of its own. */
export function writeTiming(writer: Writer, timings: Iterable<RunTiming & { readonly index: number }>): number {
	const columns = [
		{ name: 'run_key', type: 'STRING' },
		{ name: 'index', type: 'INT64' },
		{ name: 'wall_s', type: 'DOUBLE' },
		{ name: 'worker', type: 'STRING' },
		{ name: 'at_ms', type: 'INT64' },
	] as const;
	const rows = function* (): Generator<readonly TableCell[]> {
		for (const { key, index, seconds, worker, at } of timings) yield [key, index, seconds, worker, at];
	};
	return writeColumns(writer, columns, { version: '1' }, rows());
}

function writeColumns(
	writer: Writer,
	columns: readonly { readonly name: string; readonly type: TableColumn['type'] }[],
	metadata: Readonly<Record<string, string>>,
	rows: Iterable<readonly TableCell[]>,
): number {
	const schema = schemaFromColumnData({
		columnData: columns.map(({ name, type }) => ({ name, type, data: [], nullable: true })),
	});
	const parquet = new ParquetWriter({
		writer,
		schema,
		kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key: `manyworlds.${key}`, value })),
	});
	let count = 0;
	let data: (TableCell | bigint)[][] = columns.map(() => []);
	const flush = (): void => {
		if (data[0]!.length === 0) return;
		void parquet.write({
			columnData: columns.map(({ name, type }, i) => ({ name, type, data: data[i]! })),
			rowGroupSize: ROW_GROUP,
		});
		data = columns.map(() => []);
	};
	for (const row of rows) {
		for (const [i, cell] of row.entries())
			data[i]!.push(columns[i]!.type === 'INT64' && typeof cell === 'number' ? BigInt(cell) : cell);
		if (++count % ROW_GROUP === 0) flush();
	}
	flush();
	void parquet.finish();
	return count;
}

/** The bytes of a table that fits memory. */
export function encodeTable(plan: SweepPlan, tool: string, entries: Iterable<TableEntry>): Uint8Array {
	const writer = new ByteWriter();
	writeTable(writer, plan, tool, entries);
	return writer.getBytes();
}
