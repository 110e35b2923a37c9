/** Runs the tests on other versions of Node, which the npm package `node` brings. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

const VERSIONS = ['22', '24'];

const folder = mkdtempSync(join(tmpdir(), 'manyworlds-nodes-'));
const failed: string[] = [];
for (const version of VERSIONS) {
	const place = join(folder, version);
	// the package installs the binary of its platform by a script of its own
	const install = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', place, `node@${version}`];
	if (spawnSync('npm', install, { stdio: 'inherit' }).status !== 0) {
		failed.push(`${version} (not installed)`);
		continue;
	}
	const node = join(place, 'node_modules/node/bin/node');
	console.log(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim());
	const started = performance.now();
	const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
	const { status } = spawnSync(node, [vitest, 'run', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
	console.log(`Node ${version}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
	if (status !== 0) failed.push(version);
}
rmSync(folder, { recursive: true, force: true });
console.log(failed.length === 0 ? 'passed on all' : `failed on ${failed.join(', ')}`);
process.exitCode = failed.length;
