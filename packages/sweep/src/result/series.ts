import type { Recording } from '@manyworlds/worlds';
import { parquetWriteBuffer } from 'hyparquet-writer';

/** A recording as the bytes of a Parquet file: `time` [s], then a column for each quantity; units are in the metadata. */
export function encodeSeries(recording: Recording): Uint8Array {
	const columns = recording.quantities.map(({ name }, i) => ({
		name,
		type: 'DOUBLE' as const,
		data: recording.column(i),
	}));
	const units = Object.fromEntries(recording.quantities.map(({ name, unit }) => [name, unit]));
	return new Uint8Array(
		parquetWriteBuffer({
			columnData: [{ name: 'time', type: 'DOUBLE' as const, data: recording.times }, ...columns],
			kvMetadata: [{ key: 'manyworlds', value: JSON.stringify({ version: 1, units: { time: 's', ...units } }) }],
		}),
	);
}
