import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeFile, type ResultFolder, uniqueName } from '@manyworlds/node/internal';
import { createSweepDiagnostic, type DatasetRun, writeDataset } from '@manyworlds/sweep/internal';
import { fileWriter } from 'hyparquet-writer';
import type { CommandContext } from '../command-context.ts';
import { committedEntries } from './finish-sweep.ts';
import type { LoadedSweep } from './load-sweep.ts';

/** Writes the series of all runs as one table for learning and plots. */
export async function exportDataset(
	context: CommandContext,
	sweep: LoadedSweep,
	folder: ResultFolder,
	target: string,
): Promise<void> {
	const runs = function* (): Generator<DatasetRun> {
		for (const entry of committedEntries(sweep, folder)) {
			const file = entry.result.series === true ? folder.seriesFile(entry.result.key) : undefined;
			if (file !== undefined) yield { ...entry, series: () => readFileSync(file) };
		}
	};
	const temporary = join(folder.path, 'tmp', uniqueName());
	folder.prepare();
	const size = await writeDataset(fileWriter(temporary), sweep.plan, runs);
	if (size.runs === 0) {
		const why = sweep.plan.outputs.series === undefined ? 'the plan has no outputs.series' : 'none is committed';
		context.report.add(createSweepDiagnostic('SWP052', `there are no series to export: ${why}`));
		return;
	}
	placeFile(temporary, target);
	context.print(
		`${context.display(target)}: ${size.rows.toLocaleString('en')} rows of ${size.runs.toLocaleString('en')} runs, ${size.columns.length} columns\n`,
	);
}
