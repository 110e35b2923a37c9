/** `npm start`: checks and inspects a robot, simulates it in the worlds of a scene, converts another one, and proves that what it wrote says the same as what it read. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Report } from '@manyworlds/core';
import { compareLayers } from '@manyworlds/usd';
import { formatBytes, type OpenedFile, openFile } from '@manyworlds/usd/internal';
import { main, processIo } from 'manyworlds/internal';
import { ROOT } from './source-files.ts';

const ROBOT = 'examples/robots/egret/egret.usda';
const SCENE = 'examples/scenes/many-worlds.json';
const ARM = 'examples/robots/heron/heron.usda';
const MESHES = 'examples/robots/heron/layers/geometries.usda';
const isPlain = process.stdout.isTTY !== true || (process.env['NO_COLOR'] ?? '') !== '';

function title(text: string): void {
	console.log(`\n${isPlain ? text : `\u001b[1;36m${text}\u001b[0m`}\n`);
}

/** Shows a command as one would type it, then runs it. */
async function run(...args: string[]): Promise<void> {
	console.log(isPlain ? `$ manyworlds ${args.join(' ')}` : `\u001b[1m$ manyworlds ${args.join(' ')}\u001b[0m`);
	const code = await main(args, { ...processIo(), cwd: ROOT });
	if (code !== 0) throw new Error(`manyworlds ${args.join(' ')} ended with status ${code}`);
}

function open(file: string): OpenedFile {
	const report = new Report();
	const opened = openFile(readFileSync(join(ROOT, file)), { file, report });
	if (report.hasErrors || opened.layer === undefined) throw new Error(`${file} cannot be read back`);
	return opened;
}

/** A line that compares a file with what it was made from. */
function compare(original: string, copy: string): void {
	const found = compareLayers(open(original).layer!.data, open(copy).layer!.data);
	const members = open(copy).package?.entries.length;
	const size = formatBytes(statSync(join(ROOT, copy)).size);
	const verdict = found.length === 0 ? 'same content' : `${found.length} differences`;
	console.log(
		`  ${copy.padEnd(26)}${size.padEnd(10)}${verdict}${members === undefined ? '' : `, ${members} files inside`}`,
	);
	if (found.length > 0) process.exitCode = 1;
}

rmSync(join(ROOT, 'out'), { recursive: true, force: true });
mkdirSync(join(ROOT, 'out'));

title('Egret, a robot of our own: does it keep REP 0158?');
await run('check', ROBOT);

title('What does it import to?');
await run('inspect', ROBOT, '--model');

title('Sixteen of them in a scene, with two solvers (in MuJoCo the larger friction counts, so the caster brakes):');
const shown = ['--quantities', 'energy,contacts,height,position:joint_1,velocity:wheel', '--plot', 'out/egret.svg'];
await run('run', SCENE, '--duration', '0.5', '--compare', 'sap,mujoco', ...shown);

title('All layers and textures of another one in a package that stands alone:');
await run('convert', ARM, 'out/heron.usdz');
await run('convert', MESHES, 'out/geometries.usdc');

title('Read back and compared, spec by spec and value by value:');
console.log(`  ${MESHES.slice(-22).padEnd(26)}${formatBytes(statSync(join(ROOT, MESHES)).size)}`);
compare(MESHES, 'out/geometries.usdc');
compare(ARM, 'out/heron.usdz');

console.log('\nNext: docs/guide/check.md, docs/guide/run.md, docs/guide/inspect.md; the plot is out/egret.svg');
console.log(`Look at it: npx manyworlds view ${ROBOT}\n`);
