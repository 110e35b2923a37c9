import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { runSuite } from '../src/runner.ts';
import { modelDynamics } from '../suites/model-dynamics/index.ts';

const golden = resolve(dirname(fileURLToPath(import.meta.url)), '../../../shared/oracle/golden/pinocchio');
const hasGolden = existsSync(join(golden, 'random_02.json.gz'));
if (!hasGolden) process.stderr.write(`model/dynamics: corrupted answers skipped, there is no ${golden}\n`);

type Tree = { [key: string]: Tree } & { [index: number]: Tree };

/** Numbers of a dump that the suite must notice a change in, by their path. */
const NUMBERS = [
	'total_mass',
	'moving_mass',
	'nq',
	'nv',
	'gravity_vector.2',
	'joints.1.placement_translation.0',
	'joints.1.placement_rotation.0.1',
	'joints.1.body.mass',
	'joints.1.body.com.2',
	'joints.1.body.inertia_about_com.0.0',
	'limits.effort.6',
	'limits.velocity.6',
	'damping.6',
	'friction.6',
	'states.0.q.0',
	'states.0.v.3',
	'states.0.a.1',
	'states.0.link_placements.1.position.0',
	'states.0.link_placements.1.rotation.0.0',
	'states.0.link_placements.1.quaternion_xyzw.0',
	'states.0.link_velocities.1.4',
	'states.0.joint_jacobians.1.2.3',
	'states.0.mass_matrix.0.0',
	'states.0.bias.2',
	'states.0.gravity.2',
	'states.0.inverse_dynamics.2',
	'states.0.com.0',
	'states.0.centroidal_momentum.5',
	'states.0.kinetic_energy',
	'states.0.potential_energy',
];

describe.skipIf(!hasGolden)('model/dynamics notices', () => {
	let folder = '';
	let text = '';
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'manyworlds-dynamics-'));
		mkdirSync(join(folder, 'random'));
		copyFileSync(join(golden, 'random/random_02.urdf'), join(folder, 'random/random_02.urdf'));
		text = gunzipSync(readFileSync(join(golden, 'random_02.json.gz'))).toString('utf8');
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	async function failures(dump: unknown): Promise<number> {
		writeFileSync(join(folder, 'renamed.json'), JSON.stringify(dump));
		const context = { dir: folder, assetsDir: folder, inputs: new InputFinder(folder), log: () => undefined };
		const result = await runSuite(modelDynamics, context, new Expectations());
		return result.groups.reduce((sum, group) => sum + group.failures.length, 0);
	}

	it('nothing in the dump as it is', async () => {
		expect(await failures(JSON.parse(text))).toBe(0);
	});

	it.each(NUMBERS)('a changed %s', async (path) => {
		const dump = JSON.parse(text) as Tree;
		const steps = path.split('.');
		const last = steps.pop()!;
		const holder = steps.reduce((tree, step) => tree[step]!, dump) as unknown as Record<string, number>;
		expect(typeof holder[last]).toBe('number');
		holder[last] = holder[last]! + 1e-3 * (1 + Math.abs(holder[last]!));
		expect(await failures(dump)).toBeGreaterThan(0);
	});

	it('fields that it does not know and fields that are missing', async () => {
		const more = JSON.parse(text) as Tree;
		more['states']![0]!['extra'] = {} as Tree;
		expect(await failures(more)).toBeGreaterThan(0);
		const less = JSON.parse(text) as Record<string, unknown>;
		delete less['total_mass'];
		expect(await failures(less)).toBeGreaterThan(0);
	});
});
