/** `npm start`: shows the command on the example robot, and proves that what it wrote says the same as what it read. */
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { main, processIo } from '@manyworlds/cli';
import { Report } from '@manyworlds/core';
import { compareLayers, formatBytes, type OpenedFile, openFile } from '@manyworlds/usd';
import { ROOT } from './source-files.ts';

const ROBOT = 'examples/robots/heron/heron.usda';
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

title('Heron, a robot of our own: what is in its entry layer?');
await run('inspect', ROBOT);

title('Its mesh library is text. As a crate it is smaller and opens without being parsed:');
await run('convert', MESHES, 'out/geometries.usdc');
await run('convert', 'out/geometries.usdc', 'out/geometries.usda');

title('All layers and textures in one package that stands alone:');
await run('convert', ROBOT, 'out/heron.usdz');
await run('inspect', 'out/heron.usdz', '--depth', '1');

title('Read back and compared, spec by spec and value by value:');
console.log(`  ${MESHES.slice(-22).padEnd(26)}${formatBytes(statSync(join(ROOT, MESHES)).size)}`);
compare(MESHES, 'out/geometries.usdc');
compare(MESHES, 'out/geometries.usda');
compare(ROBOT, 'out/heron.usdz');

console.log('\nNext: docs/guide/inspect.md, docs/guide/convert.md, docs/guide/format.md\n');
