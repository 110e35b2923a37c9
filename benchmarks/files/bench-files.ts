import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeUsdc } from '@manyworlds/usd';
import { readLayer } from '../peers/manyworlds.ts';
import { generateWithOpenUsd } from '../peers/open-usd.ts';
import { type FileSizes, generateTexts } from './generate.ts';

/** Folder of everything that is generated; not under version control. */
export const CACHE: string = fileURLToPath(new URL('../.cache', import.meta.url));

const TEXTS = ['arrays.usda', 'prims.usda'];

/** The folder that bench files of these sizes are in. With OpenUSD its own files are taken, its crates included. */
export function benchFolder(sizes: FileSizes, python: string | undefined): string {
	return join(CACHE, `${python === undefined ? 'own' : 'openusd'}-${sizes.arraysMegabytes}-${sizes.prims}`);
}

/**
 * Makes the text and crate files that are timed, unless they are there. With OpenUSD, its script makes them, and its
 * texts must be the bytes that our generator gives; without it, our writer makes the crates.
 */
export function makeBenchFiles(sizes: FileSizes, python: string | undefined): string {
	const own = benchFolder(sizes, undefined);
	generateTexts(own, sizes);
	if (python !== undefined) {
		const folder = benchFolder(sizes, python);
		generateWithOpenUsd(python, folder, sizes.arraysMegabytes, sizes.prims);
		for (const name of TEXTS) {
			const [ours, theirs] = [hash(join(own, name)), hash(join(folder, name))];
			if (ours !== theirs) throw new Error(`${name} of our generator is not the one of usd_bench.py`);
		}
		return 'texts by our generator, equal byte for byte to those of usd_bench.py; crates written by OpenUSD';
	}
	for (const name of TEXTS) {
		const crate = join(own, name.replace('.usda', '.usdc'));
		if (!existsSync(crate) || statSync(crate).mtimeMs < statSync(join(own, name)).mtimeMs) {
			writeFileSync(crate, writeUsdc(readLayer(join(own, name))));
		}
	}
	return 'texts by our generator; crates written by us, as OpenUSD is not installed';
}

function hash(path: string): string {
	return createHash('sha256').update(readFileSync(path)).digest('hex');
}
