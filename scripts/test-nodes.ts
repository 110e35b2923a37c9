/** Runs the tests on other versions of Node, which npm brings. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

const VERSIONS = ['22', '24'];
/** The binary alone: the package `node` installs it by a script, which npm may be told not to run. */
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const folder = mkdtempSync(join(tmpdir(), 'manyworlds-nodes-'));
const failed: string[] = [];
for (const version of VERSIONS) {
	const place = join(folder, version);
	const install = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', place, `${PACKAGE}@${version}`];
	if (spawnSync('npm', install, { stdio: 'inherit' }).status !== 0) {
		failed.push(`${version} (not installed)`);
		continue;
	}
	const node = join(place, 'node_modules', PACKAGE, 'bin/node');
	spawnSync(node, ['--version'], { stdio: 'inherit' });
	const started = performance.now();
	const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
	const { status } = spawnSync(node, [vitest, 'run', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
	console.log(`Node ${version}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
	if (status !== 0) failed.push(version);
}
rmSync(folder, { recursive: true, force: true });
console.log(failed.length === 0 ? 'passed on all' : `failed on ${failed.join(', ')}`);
process.exitCode = failed.length;
