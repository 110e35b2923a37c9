import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { runSuite } from '../src/runner.ts';
import type { Suite } from '../src/suite.ts';
import { simDrakeScenes } from '../suites/sim-drake-scenes/index.ts';
import { simPairs } from '../suites/sim-pairs/index.ts';
import { simSapProblems } from '../suites/sim-sap-problems/index.ts';
import { simSapSteps } from '../suites/sim-sap-steps/index.ts';

const golden = resolve(dirname(fileURLToPath(import.meta.url)), '../../../shared/oracle/golden');
const hasGolden = existsSync(join(golden, 'drake')) && existsSync(join(golden, 'sap-warp/step'));
if (!hasGolden) process.stderr.write(`sim suites: corrupted answers skipped, there is no ${golden}\n`);

type Tree = { [key: string]: Tree } & { [index: number]: Tree };

function read(path: string): Tree {
	return JSON.parse(gunzipSync(readFileSync(join(golden, path))).toString('utf8')) as Tree;
}

/** A problem with every kind of constraint, as far as the file has one. */
function someProblems(): Tree {
	const file = read('drake/sap_problems.json.gz');
	const all = file['problems'] as unknown as { family: string; constraints: { type: string }[] }[];
	const kept = ['pile', 'drives_and_limits'].map((family) => all.find((problem) => problem.family === family)!);
	return { ...file, problems: kept } as unknown as Tree;
}

function somePairs(): Tree {
	const file = read('drake/contact_pairs.json.gz');
	const all = file['pairs'] as unknown as { case: string; reference: { unique_normal: boolean } }[];
	const kept = [all.find((pair) => pair.case === 'near' && pair.reference.unique_normal)!];
	return { ...file, pairs: kept } as unknown as Tree;
}

describe.skipIf(!hasGolden).each([
	[
		simSapProblems,
		someProblems,
		[
			'problems.0.A.0.0.0',
			'problems.0.v_star.1',
			'problems.0.constraints.0.J.0.2.1',
			'problems.0.constraints.0.w',
			'problems.0.constraints.0.R.2',
			'problems.0.constraints.0.v_hat.2',
			'problems.0.constraints.0.phi',
			'problems.0.solution.v.2',
			'problems.0.solution.cost',
			'problems.0.solution.condition_A',
			'problems.1.constraints.0.w',
			'problems.1.solution.v.0',
		],
	],
	[
		simPairs,
		somePairs,
		[
			'pairs.0.reference.distance',
			'pairs.0.reference.normal_ab.0',
			'pairs.0.a.pose.position.0',
			'pairs.0.b.pose.position.2',
		],
	],
	[
		simSapSteps,
		() => read('sap-warp/step/hopper.drake.json.gz'),
		[
			'probes.1.worlds.0.problem.A.0.0',
			'probes.1.worlds.0.problem.v_star.0',
			'probes.1.worlds.0.check.minimiser.v.0',
			'probes.1.worlds.0.check.minimiser.cost',
			'probes.1.worlds.0.check.momentum_norm',
			'probes.1.f64.worlds.0.check.minimiser.v.0',
		],
	],
	[
		simDrakeScenes,
		() => read('drake/scene_sphere_drop_stiff.json.gz'),
		[
			'scene.dt',
			'scene.gravity.2',
			'scene.bodies.0.mass',
			'scene.bodies.0.shapes.0.radius',
			'free_bodies.ball.100.2',
			'free_bodies.ball.50.12',
			'start_mass_matrix.0.0',
		],
	],
] as const)('$name notices', (suite: Suite, load: () => Tree, paths: readonly string[]) => {
	let folder = '';
	let text = '';
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'manyworlds-sim-'));
		text = JSON.stringify(load());
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	async function failures(content: unknown): Promise<{ total: number; failed: number }> {
		writeFileSync(join(folder, 'renamed.json'), JSON.stringify(content));
		const context = { dir: folder, assetsDir: folder, inputs: new InputFinder(folder), log: () => undefined };
		const { groups } = await runSuite(suite, context, new Expectations());
		return {
			total: groups.reduce((sum, group) => sum + group.total, 0),
			failed: groups.reduce((sum, group) => sum + group.failures.length, 0),
		};
	}

	it('nothing in the file as it is', async () => {
		const { total, failed } = await failures(JSON.parse(text));
		expect(total).toBeGreaterThan(0);
		expect(failed).toBe(0);
	});

	it.each(paths)('a changed %s', async (path) => {
		const file = JSON.parse(text) as Tree;
		const steps = path.split('.');
		const last = steps.pop()!;
		const holder = steps.reduce((tree, step) => tree[step] ?? Object.values(tree)[0]!, file) as unknown as Record<
			string,
			number
		>;
		expect(typeof holder[last]).toBe('number');
		holder[last] = holder[last]! + 1e-2 * (1 + Math.abs(holder[last]!));
		expect((await failures(file)).failed).toBeGreaterThan(0);
	});

	it('a field that it does not know', async () => {
		const file = JSON.parse(text) as Record<string, unknown>;
		file['surprise'] = 1;
		expect((await failures(file)).failed).toBeGreaterThan(0);
	});
});
