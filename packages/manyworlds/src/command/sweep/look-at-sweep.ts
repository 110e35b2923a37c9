import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ResultFolder } from '@manyworlds/node/internal';
import { createSweepDiagnostic } from '@manyworlds/sweep/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { ExitCode } from '../command-context.ts';
import { ComputePool } from './compute-pool.ts';
import { exportDataset } from './export-dataset.ts';
import { countRuns, writeReport, writeTables } from './finish-sweep.ts';
import { type LoadedSweep, loadSweepText } from './load-sweep.ts';
import type { SweepCommandOptions } from './sweep-command-options.ts';

/** `manyworlds sweep status|show|query|report|export`: looks at a folder of results. */
export async function lookAtSweep(
	context: CommandContext,
	what: 'status' | 'show' | 'query' | 'report' | 'export',
	rest: readonly string[],
	options: SweepCommandOptions,
): Promise<void> {
	const isAbout = what === 'show' || what === 'query';
	const [subject, folder] = isAbout ? [rest[0], rest[1] ?? options.out] : [undefined, rest[0] ?? options.out];
	if (folder === undefined || (isAbout && subject === undefined)) {
		const usage = { status: 'FOLDER', show: 'KEY FOLDER', query: 'SQL FOLDER', report: 'FOLDER', export: 'FOLDER' }[
			what
		];
		context.report.add(createDiagnostic('CLI006', `sweep ${what}: expected ${usage}`));
		return;
	}
	const path = context.absolute(folder);
	if (what === 'query') {
		const { querySweep } = await import('./query-sweep.ts');
		await querySweep(context, subject!, path, options);
		return;
	}
	const sweep = await openSweepFolder(context, path);
	if (sweep === undefined) return;
	const results = new ResultFolder(path, sweep.outputs, sweep.metrics, sweep.plan.outputs.series !== undefined);
	if (what === 'status') showStatus(context, sweep, results, options);
	else if (what === 'show') await replay(context, sweep, results, subject!);
	else if (what === 'export') {
		const target = options.dataset === undefined ? join(path, 'dataset.parquet') : context.absolute(options.dataset);
		await exportDataset(context, sweep, results, target);
	} else {
		const rows = writeTables(sweep, results);
		writeReport(sweep, results);
		context.note(`wrote ${context.display(join(path, 'report.html'))} and a table of ${rows} rows`);
	}
}

/** The sweep that a folder is about; undefined, with a diagnostic, when there is none. */
async function openSweepFolder(context: CommandContext, path: string): Promise<LoadedSweep | undefined> {
	try {
		const header = JSON.parse(readFileSync(join(path, 'plan.json'), 'utf8')) as {
			planText: string;
			planFile: string;
			asset: string;
			cwd: string;
			plan: { asset: string };
		};
		// paths of a plan are relative to it
		const file = resolve(header.cwd, header.planFile);
		const folder =
			header.asset === '' ? dirname(file) : resolve(header.asset, ...header.plan.asset.split('/').map(() => '..'));
		return await loadSweepText(context, header.planText, header.planFile, header.asset === '' ? dirname(file) : folder);
	} catch {
		context.report.add(
			createSweepDiagnostic(
				'SWP052',
				`${context.display(path)} holds no sweep: there is no plan.json that can be read`,
			),
		);
		return undefined;
	}
}

function showStatus(
	context: CommandContext,
	sweep: LoadedSweep,
	folder: ResultFolder,
	{ json }: SweepCommandOptions,
): void {
	const counts = countRuns(sweep, folder);
	const conflicts = folder.conflicts();
	if (json === true)
		context.print(`${JSON.stringify({ name: sweep.plan.name, ...counts, conflicts: conflicts.length })}\n`);
	else {
		const status = Object.entries(counts.byStatus).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
		const lines = [
			`${sweep.plan.name}: ${counts.committed} of ${counts.runs} runs are committed${status.length > 0 ? ` (${status.join(', ')})` : ''}`,
		];
		if (conflicts.length > 0) lines.push(`  ${conflicts.length} results disagree with one that is committed`);
		context.print(`${lines.join('\n')}\n`);
	}
	context.outcome = counts.committed === counts.runs && conflicts.length === 0 ? ExitCode.clean : ExitCode.findings;
}

/** Computes a run again and compares it with what is committed. */
async function replay(context: CommandContext, sweep: LoadedSweep, folder: ResultFolder, key: string): Promise<void> {
	for (let index = 0; index < sweep.count; index++) {
		const run = sweep.runOf(index);
		if (run === undefined || !run.key.startsWith(key)) continue;
		const known = folder.read(run.key);
		const pool = new ComputePool(sweep.setup, { timePerRun: sweep.plan.stop.timePerRun });
		try {
			const [outcome] = await pool.compute([run]);
			const { result } = outcome!;
			const values = Object.fromEntries(sweep.plan.parameters.map(({ name }, i) => [name, run.values[i]]));
			const isSame = known !== undefined && known.state === result.state && known.status === result.status;
			const metrics = Object.fromEntries(
				sweep.plan.outputs.metrics.map(({ name }, i) => [name, result.metrics[sweep.metrics[i]!]]),
			);
			context.print(
				`${JSON.stringify({ index, run_key: run.key, values, seed: run.seed, status: result.status, ...(result.reason !== undefined && { reason: result.reason }), metrics, steps: result.steps, state: result.state, committed: known?.state ?? null, equal: isSame }, null, 2)}\n`,
			);
			if (known !== undefined && !isSame)
				context.report.add(
					createSweepDiagnostic('SWP041', `run ${index} came to state ${result.state}, committed is ${known.state}`),
				);
		} finally {
			await pool.close();
		}
		return;
	}
	context.report.add(createSweepDiagnostic('SWP032', `no run of the plan has the key '${key}'`));
}
