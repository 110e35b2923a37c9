import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { compareLayers, type LayerData, type LayerDifference, SpecType, writeUsda } from '@manyworlds/usd';
import { writeUsdcPieces } from '@manyworlds/usd/internal';
import { assetSweep } from '../files/asset-sweep.ts';
import { makeBenchFiles } from '../files/bench-files.ts';
import { checkArrays, checkPrims } from '../files/check-content.ts';
import { FILE_SIZES } from '../files/generate.ts';
import type { BenchContext, BenchSuite, BenchTask, Contender, Prepared, Rate } from '../harness/task.ts';
import { countSpecs, readLayer } from '../peers/manyworlds.ts';
import { openUsd } from '../peers/open-usd.ts';
import { countThreeSpecs, readWithThree, type ThreeLayer } from '../peers/three.ts';

const MEGABYTES: Rate = { fact: 'megabytes', unit: 'MB/s' };
const SPECS: Rate = { fact: 'specs', unit: 'specs/s' };
const VALUES: Rate = { fact: 'values', unit: 'values/s' };

type Content = 'arrays' | 'prims';

/** Reading and writing layers, with the tasks of `usd_bench.py` under their names there. */
export const suite: BenchSuite = {
	name: 'usd/layers',
	prepare: async (context) => makeBenchFiles(FILE_SIZES, context.openUsdPython),
	tasks: [
		openTask('openUsdaArrays', 'arrays', 'usda', [MEGABYTES, SPECS]),
		openTask('openUsdaPrims', 'prims', 'usda', [MEGABYTES, SPECS]),
		openTask('openUsdcArrays', 'arrays', 'usdc', [SPECS]),
		openTask('openUsdcPrims', 'prims', 'usdc', [MEGABYTES, SPECS]),
		decodeTask('decodeUsdcArrays', 'arrays', false, [MEGABYTES, VALUES]),
		decodeTask('decodeUsdcArraysTouched', 'arrays', true, [MEGABYTES, VALUES]),
		decodeTask('decodeUsdcPrims', 'prims', false, [VALUES]),
		writeTask('writeUsdaArrays', 'arrays', 'usdc', 'usda'),
		writeTask('writeUsdaPrims', 'prims', 'usda', 'usda'),
		writeTask('writeUsdcArrays', 'arrays', 'usda', 'usdc'),
		writeTask('writeUsdcPrims', 'prims', 'usda', 'usdc'),
		assetSweep('assets'),
	],
};

function openTask(name: string, content: Content, ending: string, rates: readonly Rate[]): BenchTask {
	const file = `${content}.${ending}`;
	return {
		kind: 'task',
		name,
		title: `open ${file} from disk`,
		rates,
		contenders: [
			ours((context) => {
				const path = join(context.folder, file);
				return {
					run: () => readLayer(path),
					check: (result) => {
						const layer = result as LayerData;
						checkContent(content, layer, path);
						return { megabytes: statSync(path).size / 1e6, specs: countSpecs(layer) };
					},
				};
			}),
			three(file),
		],
		outside: [openUsd(name)],
	};
}

/** Opens a crate and reads the default of every attribute; `touch` copies the bytes of arrays as well. */
function decodeTask(name: string, content: Content, touch: boolean, rates: readonly Rate[]): BenchTask {
	const file = `${content}.usdc`;
	return {
		kind: 'task',
		name,
		title: `open ${file} and read every default value${touch ? ', copying array bytes' : ''}`,
		rates,
		contenders: [
			ours((context) => {
				const path = join(context.folder, file);
				return {
					run: () => decodeDefaults(readLayer(path), touch),
					check: (result) => {
						const { layer, values } = result as Decoded;
						checkContent(content, layer, path);
						const text = readLayer(join(context.folder, `${content}.usda`));
						assertEqual(text, layer, 'crate and text');
						let bytes = 0;
						for (const value of values) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
						return { values: values.length, megabytes: bytes / 1e6 };
					},
				};
			}),
			three(file),
		],
		outside: [openUsd(name)],
	};
}

interface Decoded {
	readonly layer: LayerData;
	readonly values: readonly unknown[];
}

/** Where copies go: Python frees each of its own at once, and the next takes its place. */
let copied = new Uint8Array(0);

function decodeDefaults(layer: LayerData, touch: boolean): Decoded {
	const values: unknown[] = [];
	for (const path of layer.paths()) {
		if (layer.specType(path) !== SpecType.attribute) continue;
		const data = layer.field(path, 'default')?.data;
		values.push(data);
		if (touch && ArrayBuffer.isView(data)) {
			if (copied.length < data.byteLength) copied = new Uint8Array(data.byteLength);
			copied.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
		}
	}
	return { layer, values };
}

/** Writes an open layer to disk. */
function writeTask(name: string, content: Content, from: string, to: 'usda' | 'usdc'): BenchTask {
	return {
		kind: 'task',
		name,
		title: `write the open ${content}.${from} to disk as ${to}`,
		rates: [MEGABYTES, SPECS],
		contenders: [
			ours((context) => {
				const layer = readLayer(join(context.folder, `${content}.${from}`));
				const path = join(context.folder, `written-by-us.${to}`);
				return {
					run: () => {
						rmSync(path, { force: true });
						if (to === 'usda') writeFileSync(path, writeUsda(layer));
						else writePieces(path, writeUsdcPieces(layer));
					},
					check: () => {
						assertEqual(layer, readLayer(path), 'what was written and what is read back');
						return { megabytes: readFileSync(path).byteLength / 1e6, specs: countSpecs(layer) };
					},
				};
			}),
		],
		outside: [openUsd(name)],
	};
}

function writePieces(path: string, pieces: readonly Uint8Array[]): void {
	const file = openSync(path, 'w');
	writevSync(file, pieces);
	closeSync(file);
}

function ours(prepare: (context: BenchContext) => Prepared): Contender {
	return { name: 'manyworlds', prepare };
}

/** three's parser on the same file; it decodes every value when it opens. */
function three(file: string): Contender {
	return {
		name: 'three',
		prepare: ({ folder }) => {
			const path = join(folder, file);
			return {
				run: () => readWithThree(path),
				check: (result) => ({
					megabytes: statSync(path).size / 1e6,
					specs: countThreeSpecs(result as ThreeLayer),
				}),
			};
		},
	};
}

function checkContent(content: Content, layer: LayerData, path: string): void {
	if (content === 'arrays') checkArrays(layer, path);
	else checkPrims(layer, FILE_SIZES.prims);
}

function assertEqual(first: LayerData, second: LayerData, what: string): void {
	const difference = compareLayers(first, second).find((candidate) => !isImplied(candidate));
	if (difference === undefined) return;
	const { path, field, kind } = difference;
	throw new Error(`${what} differ at <${path}>${field === undefined ? '' : ` '${field}'`}: ${kind}`);
}

/** A property without `custom` says the same as one where it is false; OpenUSD's crates have either. */
function isImplied({ field, kind }: LayerDifference): boolean {
	return field === 'custom' && kind !== 'value';
}
