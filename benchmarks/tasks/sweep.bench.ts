import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileStore } from '@manyworlds/node';
import { ResultFolder, workOn } from '@manyworlds/node/internal';
import { readPlan, type SweepPlan } from '@manyworlds/sweep';
import {
	BatchRunner,
	batchOf,
	Expansion,
	encodeTable,
	type KeyedRun,
	MemoryBackend,
	metricDefinition,
	RunKeys,
} from '@manyworlds/sweep/internal';
import { ComputePool, WORLD_SOLVERS } from 'manyworlds/internal';
import type { BenchSuite, BenchTask, Contender } from '../harness/task.ts';
import { busiestSince, threadTimes } from '../harness/thread-times.ts';

const RUNS = 64;
const CRANE = fileURLToPath(new URL('../../examples/robots/crane/crane.xml', import.meta.url));
const EGRET = fileURLToPath(new URL('../../examples/robots/egret/egret.usda', import.meta.url));

/** Simulated time of a run [s], runs of a batch and batches: a batch takes five seconds or more, beside which nothing else counts. */
const LONG_RUN = 50;
const BATCH_RUNS = 32;
const BATCHES = 4;
const STEPS = 500 * LONG_RUN;

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
	count: number = RUNS,
): { readonly plan: SweepPlan; readonly text: string } {
	const text = `version: 1\nname: bench\nasset: ${JSON.stringify(asset)}\nruns: {sampler: {kind: lhs, count: ${count}}}\nparameters: {m: ${parameter}}\nsimulate: {duration: ${duration}}\noutputs: {metrics: {e: {last: energy}}}\n`;
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

/** A sweep as `manyworlds sweep` does it on one machine, on one and on two threads: the results are committed and compared. */
function threadTask(): BenchTask {
	const count = BATCH_RUNS * BATCHES;
	const { plan, text } = planOf(
		EGRET,
		'{path: "prim:/egret/base_link.physics:mass", scale: {range: [0.5, 2]}}',
		LONG_RUN,
		count,
	);
	const setup = { planText: text, planFile: 'bench.yaml', asset: EGRET, roots: [], cwd: '/', env: {} };
	let expected: string | undefined;
	const contender = (threads: number): Contender => ({
		name: `${threads} ${threads === 1 ? 'thread' : 'threads'}`,
		prepare: async () => {
			const pool = new ComputePool(setup, { timePerRun: 600 });
			const runs = runsOf(plan);
			// threads that have started and opened the asset
			await Promise.all(Array.from({ length: threads }, (_, i) => pool.compute(runs.slice(i, i + 1))));
			let busiest = 0;
			return {
				run: async () => {
					const out = mkdtempSync(join(tmpdir(), 'manyworlds-bench-'));
					const before = threadTimes();
					try {
						const states = await sweepOn(pool, plan, runs, threads, out);
						busiest = busiestSince(before) ?? 0;
						return states;
					} finally {
						rmSync(out, { recursive: true, force: true });
					}
				},
				check: (found) => {
					expected ??= found as string;
					if (found !== expected || (found as string).split('\n').length !== count)
						throw new Error('the states differ');
					return { runs: count, 'world-steps': count * STEPS, 'processor ms of the busiest thread': busiest };
				},
			};
		},
	});
	return {
		kind: 'task',
		name: 'threads-egret',
		title: `${count} runs of ${LONG_RUN} s of the egret in ${BATCHES} batches, committed to the disk`,
		rates: [
			{ fact: 'runs', unit: 'runs/s' },
			{ fact: 'world-steps', unit: 'world-steps/s' },
		],
		contenders: [contender(2), contender(1)],
		outside: [],
	};
}

/** States at the end of all runs, after they were computed and committed. */
async function sweepOn(
	pool: ComputePool,
	plan: SweepPlan,
	runs: readonly KeyedRun[],
	threads: number,
	out: string,
): Promise<string> {
	const folder = new ResultFolder(out, 'o', plan.outputs.metrics.map(metricDefinition), false);
	folder.prepare();
	const backend = new MemoryBackend({
		capacity: BATCHES,
		leaseTime: 60_000,
		now: () => performance.now(),
		later: (call, delay) => setTimeout(call, delay).unref(),
	});
	for (let first = 0; first < runs.length; first += BATCH_RUNS)
		await backend.submit(
			batchOf(
				'bench',
				Array.from({ length: BATCH_RUNS }, (_, i) => first + i),
			),
		);
	let left = runs.length;
	const states: string[] = [];
	await workOn({
		backend,
		results: folder,
		runOf: (index) => runs[index],
		compute: (some) => pool.compute(some),
		concurrency: threads,
		heartbeat: 20_000,
		worker: 'bench',
		isStopping: () => left === 0,
		onCommit: ({ result }) => {
			states.push(`${result.key} ${result.state}`);
			if (--left === 0) void backend.close();
		},
	});
	return states.sort().join('\n');
}
