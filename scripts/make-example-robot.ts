/**
 * Writes the generated layers of the example robots: all of heron but the entry layers `heron.usda` and `gripper/pincer.usda`,
 * and the meshes and texture of egret. With `--check`, writes nothing and fails if a file would change.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readUsda, writeUsdc } from '@manyworlds/usd';
import { egret } from './example-robot/egret.ts';
import { heron } from './example-robot/heron.ts';
import { pincer } from './example-robot/pincer.ts';
import { encodePng } from './example-robot/png.ts';
import { geometriesLayer, writeRobotLayers } from './example-robot/robot-layers.ts';
import { ROOT } from './source-files.ts';

const STRIPE = 8;
const files = new Map<string, Uint8Array>();
const encoder = new TextEncoder();
for (const [name, text] of writeRobotLayers(heron)) files.set(`heron/layers/${name}`, encoder.encode(text));
for (const [name, text] of writeRobotLayers(pincer)) files.set(`heron/gripper/layers/${name}`, encoder.encode(text));
const hazard = encodePng(32, 32, (x, y) => ((x + y) % (2 * STRIPE) < STRIPE ? [242, 181, 25] : [26, 26, 28]));
files.set('heron/layers/textures/hazard.png', hazard);
files.set('egret/layers/textures/hazard.png', hazard);
files.set('egret/layers/geometries.usdc', writeUsdc(readUsda(encoder.encode(geometriesLayer(egret)))));

const isCheck = process.argv.includes('--check');
let total = 0;
let changed = 0;
for (const [name, bytes] of files) {
	const path = join(ROOT, 'examples/robots', name);
	total += bytes.length;
	if (existsSync(path) && Buffer.compare(readFileSync(path), bytes) === 0) continue;
	changed++;
	console.log(`${isCheck ? 'differs' : 'wrote'} ${name} (${bytes.length} bytes)`);
	if (isCheck) continue;
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, bytes);
}
console.log(
	`example robot: ${files.size} generated files, ${total} bytes, ${changed} ${isCheck ? 'differ' : 'written'}`,
);
process.exitCode = isCheck && changed > 0 ? 1 : 0;
