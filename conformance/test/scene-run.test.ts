import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { runSuite } from '../src/runner.ts';
import { sceneRun } from '../suites/scene-run/index.ts';

/** A box in the air that starts with a velocity. */
function box(velocity: number, more = ''): string {
	return `
simulation: { dt: 0.01, max_rigid_contact: 16 }
builder: { rigid_gap: 0.01 }
bodies: [{ id: box, transform: { p: [0, 0, 0.5] }, shapes: [{ type: box, hx: 0.1, hy: 0.1, hz: 0.1 }] }]
joints: [{ id: fly, type: free, child: box }]
articulations: [{ joints: [fly] }]
post_build: [{ op: set_array, array: joint_qd, index: 0, value: ${velocity} }]
${more}`;
}

async function run(files: Readonly<Record<string, string>>) {
	const dir = mkdtempSync(join(tmpdir(), 'scene-run-'));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	const assetsDir = join(dir, 'assets');
	mkdirSync(assetsDir);
	for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
	const context = { dir, assetsDir, inputs: new InputFinder(assetsDir), log: () => {} };
	const { groups } = await runSuite(sceneRun, context, new Expectations());
	return groups[0]!;
}

it('passes a scene that comes to rest, and leaves out what is no scene', async () => {
	const group = await run({ 'rest.yaml': box(0.5), 'play.json': '{"joint_target_pos": {"values": [[0]]}}' });
	expect(group).toMatchObject({ total: 1, passed: 1, skipped: 0, failures: [] });
});

it('fails a scene in which a body flies away, and one that cannot be loaded', async () => {
	const group = await run({ 'fast.yaml': box(5000), 'wrong.yaml': box(0, 'ground: maybe') });
	expect(group.failures).toEqual([
		{ case: 'fast.yaml', reason: expect.stringContaining("frame 0: body 'box' is") },
		{ case: 'wrong.yaml', reason: expect.stringMatching(/wrong\.yaml:\d+:\d+: error SCN006/) },
	]);
});

it('fails a scene whose contacts have no room', async () => {
	const group = await run({ 'narrow.yaml': box(0).replace('max_rigid_contact: 16', 'max_rigid_contact: 2') });
	expect(group.failures).toEqual([{ case: 'narrow.yaml', reason: expect.stringContaining('contacts had no room') }]);
});

it('skips a scene whose assets are missing, and says which', async () => {
	const source =
		'assets: [{ id: a, type: usd, source: { git: { repo: "https://example.org/r.git", rev: abc, path: a/b.usda } } }]';
	const group = await run({ 'robot.yaml': source });
	expect(group).toMatchObject({ total: 1, passed: 0, skipped: 1, failures: [] });
});
