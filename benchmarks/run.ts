import { parseArgs } from 'node:util';
import { benchFolder } from './files/bench-files.ts';
import { FILE_SIZES } from './files/generate.ts';
import { machineFacts } from './harness/machine.ts';
import { type MeasureOptions, measureSweep, measureTask } from './harness/measure.ts';
import { machineLine, sweepLines, tableHead, taskLines } from './harness/print.ts';
import { loadSuite, suiteNames } from './harness/suites.ts';
import { type SweepSummary, summarizeSweep, summarizeTask, type TaskSummary } from './harness/summary.ts';
import type { BenchContext, BenchSuite } from './harness/task.ts';
import { findOpenUsdPython, openUsdVersion } from './peers/open-usd.ts';

const USAGE = `npm run bench -- [SUITE...] [--filter TEXT] [--repeat N] [--seconds S] [--limit S] [--without PEER] [--json]

Times the tasks of the suites (${suiteNames().join(', ')}; all without a name) next to their peers.
  --filter TEXT   only tasks whose name has TEXT
  --repeat N      timed runs of each contender, one of each in turn (5)
  --seconds S     longest time for each item of a sweep (0.4)
  --limit S       a run that takes longer ends its contender (300)
  --without PEER  leaves a peer out; may be repeated
  --json          one JSON object on standard output`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		filter: { type: 'string', default: '' },
		repeat: { type: 'string', default: '5' },
		seconds: { type: 'string', default: '0.4' },
		limit: { type: 'string', default: '300' },
		without: { type: 'string', multiple: true, default: [] },
		json: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	console.log(USAGE);
} else {
	const unknown = positionals.filter((name) => !suiteNames().includes(name));
	if (unknown.length > 0) {
		console.error(`there is no suite '${unknown[0]}'\n\n${USAGE}`);
		process.exitCode = 2;
	} else {
		await main(positionals.length > 0 ? positionals : suiteNames());
	}
}

async function main(names: readonly string[]): Promise<void> {
	const say = values.json ? (line: string) => console.error(line) : (line: string) => console.log(line);
	const python = values.without.includes('OpenUSD') ? undefined : findOpenUsdPython();
	const machine = machineFacts();
	const openUsd = python === undefined ? undefined : openUsdVersion(python);
	say(machineLine(machine));
	say(openUsd === undefined ? 'OpenUSD: not installed or left out' : `OpenUSD ${openUsd}, one thread`);
	const context: BenchContext = { folder: benchFolder(FILE_SIZES, python), openUsdPython: python };
	const suites = [];
	let failed = false;
	for (const name of names) {
		const suite = await loadSuite(name);
		const files = await suite.prepare(context);
		say(`\n${name}: ${files}`);
		const results = await runSuite(suite, context, say);
		failed ||= results.tasks.some((task) => task.contenders[0]?.trouble !== undefined);
		failed ||= results.sweeps.some((sweep) => sweep.trouble !== undefined);
		suites.push({ suite: name, files, ...results });
	}
	if (values.json) console.log(JSON.stringify({ version: 1, machine, openUsd: openUsd ?? null, suites }, null, '\t'));
	if (failed) process.exitCode = 1;
}

async function runSuite(
	suite: BenchSuite,
	context: BenchContext,
	say: (line: string) => void,
): Promise<{ tasks: TaskSummary[]; sweeps: SweepSummary[] }> {
	const options: MeasureOptions = { repeats: Number(values.repeat), limit: Number(values.limit) };
	const tasks: TaskSummary[] = [];
	const sweeps: SweepSummary[] = [];
	let isHeadSaid = false;
	for (const task of suite.tasks) {
		if (!task.name.includes(values.filter)) continue;
		if (task.kind === 'sweep') {
			const trouble = task.unavailable();
			const result = trouble ?? (await measureSweep(suite.name, task.name, Number(values.seconds), 3600));
			const summary = summarizeSweep(task, result);
			// a sweep without its files is skipped, which is said but is no failure
			if (trouble === undefined) sweeps.push(summary);
			for (const line of sweepLines(summary)) say(line);
			continue;
		}
		const chosen = {
			...task,
			contenders: task.contenders.filter(({ name }) => !values.without.includes(name)),
			outside: task.outside.filter(({ name }) => !values.without.includes(name)),
		};
		const summary = summarizeTask(chosen, await measureTask(suite.name, chosen, context, options));
		tasks.push(summary);
		if (!isHeadSaid) say(tableHead());
		isHeadSaid = true;
		for (const line of taskLines(summary)) say(line);
	}
	return { tasks, sweeps };
}
