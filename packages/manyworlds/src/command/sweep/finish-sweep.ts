import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Report } from '@manyworlds/core';
import { placeFile, type ResultFolder, replaceFile, uniqueName } from '@manyworlds/node/internal';
import { type RunStatus, reportHtml, type TableEntry, writeTable, writeTiming } from '@manyworlds/sweep/internal';
import { fileWriter } from 'hyparquet-writer';
import type { LoadedSweep } from './load-sweep.ts';

/** What was found in a folder of results. */
export interface SweepCounts {
	/** Runs of the plan. */
	readonly runs: number;
	readonly committed: number;
	readonly byStatus: Readonly<Record<RunStatus, number>>;
}

/** Runs of the plan that are committed, in order; `until` leaves out those from an index on. */
export function* committedEntries(
	{ count, runOf }: Pick<LoadedSweep, 'count' | 'runOf'>,
	folder: ResultFolder,
	until: number = count,
): Generator<TableEntry> {
	for (let index = 0; index < Math.min(count, until); index++) {
		const run = runOf(index);
		const result = run && folder.read(run.key);
		if (run !== undefined && result !== undefined)
			yield { run, result, ...(run.file !== undefined && { file: run.file }) };
	}
}

/** Counts the runs of a plan and what became of them. */
export function countRuns({ count, runOf }: Pick<LoadedSweep, 'count' | 'runOf'>, folder: ResultFolder): SweepCounts {
	const byStatus: Record<RunStatus, number> = { ok: 0, diverged: 0, refused: 0, timeout: 0, crashed: 0 };
	let runs = 0;
	let committed = 0;
	for (let index = 0; index < count; index++) {
		const run = runOf(index);
		if (run === undefined) continue;
		runs++;
		const result = folder.read(run.key);
		if (result === undefined) continue;
		committed++;
		byStatus[result.status]++;
	}
	return { runs, committed, byStatus };
}

/** Writes `table.parquet`, `timing.parquet` and, for `task: check`, `findings.json`; the same results give the same table. */
export function writeTables(sweep: LoadedSweep, folder: ResultFolder): number {
	const { plan, tool } = sweep;
	const count = writeInOneStep(folder, 'table.parquet', (path) =>
		writeTable(fileWriter(path), plan, tool, committedEntries(sweep, folder)),
	);
	const timings = folder.timings();
	writeInOneStep(folder, 'timing.parquet', (path) =>
		writeTiming(
			fileWriter(path),
			(function* () {
				for (const { run, result } of committedEntries(sweep, folder)) {
					const timing = timings.get(result.key);
					if (timing !== undefined) yield { ...timing, index: run.index };
				}
			})(),
		),
	);
	if (plan.task === 'check') {
		// in the order of the command check, and what several assets share once
		const report = new Report({ cap: Number.POSITIVE_INFINITY });
		for (const { result } of committedEntries(sweep, folder)) for (const one of result.findings ?? []) report.add(one);
		const text = `${JSON.stringify({ version: 1, diagnostics: report.toArray() }, null, 1)}\n`;
		replaceFile(join(folder.path, 'findings.json'), new TextEncoder().encode(text), join(folder.path, 'tmp'));
	}
	return count;
}

function writeInOneStep(folder: ResultFolder, name: string, write: (path: string) => number): number {
	const path = join(folder.path, 'tmp', uniqueName());
	try {
		const count = write(path);
		placeFile(path, join(folder.path, name));
		return count;
	} finally {
		rmSync(path, { force: true });
	}
}

/** Writes `report.html`; of a sweep that runs, about the runs that were looked at so far. */
export function writeReport(
	sweep: LoadedSweep,
	folder: ResultFolder,
	running?: { readonly progress: string; readonly until: number },
): void {
	const { plan, tool, count } = sweep;
	const timings = folder.timings();
	const html = reportHtml({
		plan,
		tool,
		count,
		entries: committedEntries(sweep, folder, running?.until),
		seconds: (key) => timings.get(key)?.seconds,
		command: (index) => `manyworlds sweep ${sweep.planFile} --run ${index}`,
		...(running !== undefined && { progress: running.progress }),
	});
	replaceFile(join(folder.path, 'report.html'), new TextEncoder().encode(html), join(folder.path, 'tmp'));
}
