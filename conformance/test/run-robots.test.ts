import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { runSuite } from '../src/runner.ts';
import { runRobots } from '../suites/run-robots/index.ts';

/** A block that falls by a hand's breadth and comes to rest, from its default and from a keyframe. */
const BLOCK = `<mujoco model="block">
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="block" pos="0 0 0.12"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body>
  </worldbody>
  <keyframe><key name="low" qpos="0 0 0.105 1 0 0 0"/></keyframe>
</mujoco>`;

/** Two blocks that start in each other. */
const OVERLAP = BLOCK.replace(
	'</worldbody>',
	'<body name="other" pos="0 0.05 0.15"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body></worldbody>',
).replace(/<keyframe>.*<\/keyframe>/, '');

const folder = mkdtempSync(join(tmpdir(), 'manyworlds-robots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'parts'));
writeFileSync(join(folder, 'block.xml'), BLOCK);
writeFileSync(join(folder, 'overlap.xml'), OVERLAP);
// a part of a file, and what is no robot at all
writeFileSync(join(folder, 'parts/keys.xml'), '<mujoco><keyframe/></mujoco>');
writeFileSync(join(folder, 'parts/notes.xml'), '<notes/>');

describe('the suite of robots', () => {
	it('runs what is in a folder, and finds energy that comes from nothing', async () => {
		const context = { dir: folder, assetsDir: folder, inputs: new InputFinder(folder), log: () => {} };
		const { groups } = await runSuite(runRobots, context, new Expectations());
		const [divergence, energy] = groups;
		expect(divergence).toMatchObject({ name: 'divergence', total: 3, passed: 3, failures: [] });
		expect(energy!.failures).toEqual([
			{ case: 'overlap.xml', reason: expect.stringMatching(/J came from nothing, from step 0 on/) },
		]);
		const ofBlock = groups.flatMap(({ name, failures }) =>
			failures.filter((one) => one.case.startsWith('block')).map((one) => `${name}: ${one.case}: ${one.reason}`),
		);
		// how long steps take is for the suite itself to tell
		expect(ofBlock.filter((text) => !text.startsWith('time:'))).toEqual([]);
		expect(groups.find(({ name }) => name === 'base')!.passed).toBeGreaterThanOrEqual(2);
	});
});
