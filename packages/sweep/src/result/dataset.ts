import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ParquetWriter, schemaFromColumnData, type Writer } from 'hyparquet-writer';
import type { SweepPlan } from '../plan/plan.ts';
import { ROW_GROUP, runColumns, type TableCell, type TableEntry } from './table.ts';

/** A run with the bytes of its series. */
export interface DatasetRun extends TableEntry {
	/** Reads the Parquet file of the series. */
	readonly series: () => Uint8Array;
}

/** What was written. */
export interface DatasetSize {
	readonly runs: number;
	readonly rows: number;
	/** Names of the columns. */
	readonly columns: readonly string[];
}

/**
 * Writes the series of many runs as one Parquet table: index, parameters and seed of the run, time, quantities. Runs come in the order
 * of their index and are read twice: once for the names of their quantities, which may differ between variants; where a run does
 * not have one, its rows have no value. The same series give the same bytes.
 */
export async function writeDataset(
	writer: Writer,
	plan: SweepPlan,
	runs: () => Iterable<DatasetRun>,
): Promise<DatasetSize> {
	const own = runColumns(plan);
	const quantities = new Set<string>(['time']);
	for (const { series } of runs()) for (const name of quantityNames(series())) quantities.add(name);
	const columns = [
		...own.map(({ name, type }) => ({ name, type })),
		...[...quantities].map((name) => ({ name, type: 'DOUBLE' as const })),
	];
	const parquet = new ParquetWriter({
		writer,
		schema: schemaFromColumnData({
			columnData: columns.map(({ name, type }) => ({ name, type, data: [], nullable: true })),
		}),
		kvMetadata: [{ key: 'manyworlds.name', value: plan.name }],
	});
	let data: (TableCell | bigint)[][] = columns.map(() => []);
	const flush = async (): Promise<void> => {
		if (data[0]!.length === 0) return;
		const columnData = columns.map(({ name, type }, i) => ({ name, type, data: data[i]! }));
		await parquet.write({ columnData, rowGroupSize: ROW_GROUP });
		data = columns.map(() => []);
	};
	let [runCount, rows] = [0, 0];
	for (const entry of runs()) {
		const cells = own.map(({ type, of }) => {
			const cell = of(entry);
			return type === 'INT64' && typeof cell === 'number' ? BigInt(cell) : cell;
		});
		for (const row of await parquetReadObjects({ file: bufferOf(entry.series()) })) {
			for (const [i, cell] of cells.entries()) data[i]!.push(cell);
			let at = cells.length;
			for (const name of quantities) data[at++]!.push((row[name] as number | undefined) ?? null);
			if (++rows % ROW_GROUP === 0) await flush();
		}
		runCount++;
	}
	await flush();
	await parquet.finish();
	return { runs: runCount, rows, columns: columns.map(({ name }) => name) };
}

/** Names of the columns of a Parquet file. */
function quantityNames(bytes: Uint8Array): string[] {
	// the first element stands for the whole row
	return parquetMetadata(bufferOf(bytes))
		.schema.slice(1)
		.map(({ name }) => name);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
	return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
