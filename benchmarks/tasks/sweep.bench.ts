import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileStore } from '@manyworlds/node';
import { ResultFolder } from '@manyworlds/node/internal';
import { readPlan, type SweepPlan } from '@manyworlds/sweep';
import {
	BatchRunner,
	Expansion,
	encodeTable,
	type KeyedRun,
	metricDefinition,
	RunKeys,
} from '@manyworlds/sweep/internal';
import { ComputePool, WORLD_SOLVERS } from 'manyworlds/internal';
import type { BenchSuite, BenchTask, Contender } from '../harness/task.ts';

const RUNS = 64;
const CRANE = fileURLToPath(new URL('../../examples/robots/crane/crane.xml', import.meta.url));
const EGRET = fileURLToPath(new URL('../../examples/robots/egret/egret.usda', import.meta.url));

/** Sweeps: what a run costs beside its simulation, and what a second thread brings. */
export const suite: BenchSuite = {
	name: 'sweep',
	prepare: async () =>
		`${RUNS} runs, ${availableParallelism()} processors, load average ${loadavg()[0]!.toFixed(1)}: ratios of threads mean something only while two processors are free`,
	tasks: [
		overheadTask('rows', CRANE, 'mjcf', '{path: "model:body_mass[lower]", scale: {range: [0.5, 2]}}'),
		overheadTask('properties', EGRET, 'usd', '{path: "prim:/egret/base_link.physics:mass", scale: {range: [0.5, 2]}}'),
		threadTask(),
	],
};

function planOf(
	asset: string,
	parameter: string,
	duration: number,
): { readonly plan: SweepPlan; readonly text: string } {
	const text = `version: 1\nname: bench\nasset: ${JSON.stringify(asset)}\nruns: {sampler: {kind: lhs, count: ${RUNS}}}\nparameters: {m: ${parameter}}\nsimulate: {duration: ${duration}}\noutputs: {metrics: {e: {last: energy}}}\n`;
	const { plan, report } = readPlan(text);
	if (plan === undefined) throw new Error(report.toArray()[0]!.message);
	return { plan, text };
}

function runsOf(plan: SweepPlan): KeyedRun[] {
	const keys = new RunKeys(plan, { tool: 'bench', assetTree: '' });
	return [...new Expansion(plan).runs()].map((run) => ({ ...run, key: keys.keyOf(run) }));
}

/** All of a sweep but the steps: drawing, keys, models, commits to the disk, the table. A run of one step is what is left of its simulation. */
function overheadTask(name: string, asset: string, format: 'mjcf' | 'usd', parameter: string): BenchTask {
	const { plan } = planOf(asset, parameter, 1e-6);
	const contender: Contender = {
		name: 'one thread',
		prepare: () => {
			const store = new FileStore({ roots: ['/'] });
			const runner = new BatchRunner(plan, { store, identifier: asset, format }, { solvers: WORLD_SOLVERS });
			return {
				run: async () => {
					const out = mkdtempSync(join(tmpdir(), 'manyworlds-bench-'));
					try {
						const folder = new ResultFolder(out, 'o', plan.outputs.metrics.map(metricDefinition), false);
						folder.prepare();
						const runs = runsOf(plan);
						await folder.commit(await runner.run(runs));
						await folder.flush();
						const entries = runs.map((run) => ({ run, result: folder.read(run.key)! }));
						return { entries, bytes: encodeTable(plan, 'bench', entries) };
					} finally {
						rmSync(out, { recursive: true, force: true });
					}
				},
				check: (found) => {
					const { entries, bytes } = found as {
						entries: { result: { status: string; steps: number } }[];
						bytes: Uint8Array;
					};
					if (entries.length !== RUNS || entries.some(({ result }) => result.status !== 'ok' || result.steps !== 1))
						throw new Error('not all runs took one step');
					return { runs: RUNS, 'bytes of the table': bytes.length };
				},
			};
		},
	};
	return {
		kind: 'task',
		name: `overhead-${name}`,
		title: `${RUNS} runs of one step with other ${name}: drawn, keyed, built, started, committed to the disk, tabled`,
		rates: [{ fact: 'runs', unit: 'runs/s' }],
		contenders: [contender],
		outside: [],
	};
}

/** Runs that take a while, on one and on two threads; the results are compared. */
function threadTask(): BenchTask {
	const { plan, text } = planOf(EGRET, '{path: "prim:/egret/base_link.physics:mass", scale: {range: [0.5, 2]}}', 1);
	const setup = { planText: text, planFile: 'bench.yaml', asset: EGRET, roots: [], cwd: '/', env: {} };
	let expected: string | undefined;
	const contender = (threads: number): Contender => ({
		name: `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
		prepare: async () => {
			const pool = new ComputePool(setup, { timePerRun: 600 });
			const runs = runsOf(plan);
			// threads that are warm
			await Promise.all(Array.from({ length: threads }, () => pool.compute(runs.slice(0, 1))));
			return {
				run: async () => {
					const left = Array.from({ length: 8 }, (_, i) => runs.slice(i * 8, i * 8 + 8));
					const states: string[] = [];
					const work = async (): Promise<void> => {
						for (let batch = left.shift(); batch !== undefined; batch = left.shift())
							for (const { result } of await pool.compute(batch)) states.push(`${result.key} ${result.state}`);
					};
					await Promise.all(Array.from({ length: threads }, work));
					return states.sort().join('\n');
				},
				check: (found) => {
					expected ??= found as string;
					if (found !== expected || (found as string).split('\n').length !== RUNS) throw new Error('the states differ');
					return { runs: RUNS, 'world-steps': RUNS * 500 };
				},
			};
		},
	});
	return {
		kind: 'task',
		name: 'threads-egret',
		title: `${RUNS} runs of one second of the egret in batches of 8`,
		rates: [
			{ fact: 'runs', unit: 'runs/s' },
			{ fact: 'world-steps', unit: 'world-steps/s' },
		],
		contenders: [contender(2), contender(1)],
		outside: [],
	};
}
