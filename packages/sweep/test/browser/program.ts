import { SAP_WORLDS } from '@manyworlds/sim';
import { MemoryStore } from '@manyworlds/usd';
import { readPlan } from '../../src/plan/read-plan.ts';
import { reportHtml } from '../../src/report/report-html.ts';
import { encodeResult } from '../../src/result/run-result.ts';
import { encodeTable } from '../../src/result/table.ts';
import { Expansion } from '../../src/runs/expansion.ts';
import { hashOf, hexOfDouble, RunKeys } from '../../src/runs/run-key.ts';
import { BatchRunner } from '../../src/simulate/batch-runner.ts';

/** What a platform comes to. */
export interface Drawn {
	readonly values: string;
	readonly results: readonly string[];
	readonly table: string;
	readonly report: string;
}

const SAMPLERS = [
	'{kind: random, count: 200}',
	'{kind: lhs, count: 200}',
	'{kind: sobol, count: 256, scramble: owen}',
	'{kind: sobol, count: 256}',
];

/** Draws runs with every sampler, simulates some, and makes keys, results, table and report. */
export async function drawAndRun(robot: string): Promise<Drawn> {
	let values = '';
	for (const sampler of SAMPLERS) {
		const { plan } = readPlan(`version: 1
name: browser
asset: robot
runs: {sampler: ${sampler}}
parameters: {a: {option: dt, normal: {mean: 1, sd: 0.2, clip: [0.4, 1.5]}}, b: {option: dt, log_range: [0.001, 10]}, c: {option: solver, choices: [x, y, z], weights: [1, 2, 3]}}
`);
		for (const run of new Expansion(plan!).runs())
			values += run.values.map((value) => (typeof value === 'number' ? hexOfDouble(value) : value)).join();
	}
	const { plan } = readPlan(`version: 1
name: browser
asset: robot
runs: {sampler: {kind: lhs, count: 6}, repeats: 2}
parameters: {m: {path: "model:body_mass[rod]", scale: {range: [0.5, 2]}}}
simulate: {duration: 0.5, noise: {joint_q: 0.2, joint_qd: 0.5}}
outputs: {metrics: {e: {mean: energy}, q: {last: "joint_q:hinge"}}}
`);
	const store = new MemoryStore({ 'robot.urdf': robot });
	const asset = { store, identifier: store.identify('robot.urdf', '').identifier, format: 'urdf' as const };
	const keys = new RunKeys(plan!, { tool: 'test', assetTree: '' });
	const runs = [...new Expansion(plan!).runs()].map((run) => ({ ...run, key: keys.keyOf(run) }));
	const outcomes = await new BatchRunner(plan!, asset, { solvers: { sap: async () => SAP_WORLDS } }).run(runs);
	const entries = runs.map((run, i) => ({ run, result: outcomes[i]!.result }));
	return {
		values: hashOf(values),
		results: outcomes.map(({ result }) => new TextDecoder().decode(encodeResult(result))),
		table: Array.from(encodeTable(plan!, 'test', entries)).join(),
		report: reportHtml({
			plan: plan!,
			tool: 'test',
			count: 12,
			entries,
			seconds: () => undefined,
			command: (index) => `run ${index}`,
		}),
	};
}
