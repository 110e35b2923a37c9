import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeImage, type Raster } from '@manyworlds/image';
import type { BenchSuite } from '../harness/task.ts';
import { pillow } from '../peers/pillow.ts';

const MESHES = fileURLToPath(new URL('../../../shared/assets/anymal_c/meshes', import.meta.url));
/** SHA-256 of the pixels of all files by libjpeg-turbo 3.2.0, one after the other. */
const PIXELS = '1e411cb1e42d22d60e5f99e9ea79de898c623e5b5aa239fa7bea4b56593a500b';

/** Decoding of images. */
export const suite: BenchSuite = {
	name: 'image',
	prepare: async () => `${jpegs().length} JPEG textures of ANYmal C, 2048 × 2048 pixels each, 4:2:0`,
	tasks: [
		{
			kind: 'task',
			name: 'decodeJpeg',
			title: "ANYmal's textures from disk to pixels",
			rates: [{ fact: 'pixels', unit: 'pixels/s' }],
			contenders: [
				{
					name: 'manyworlds',
					prepare: () => ({ run: decodeAll, check: (result) => check(result as readonly Raster[]) }),
				},
			],
			outside: [pillow(jpegs)],
		},
	],
};

function jpegs(): readonly string[] {
	const names = readdirSync(MESHES).filter((name) => name.endsWith('.jpg'));
	return names.sort().map((name) => join(MESHES, name));
}

function decodeAll(): readonly Raster[] {
	return jpegs().map((file) => {
		const image = decodeImage(readFileSync(file));
		if ('reason' in image) throw new Error(`${file} ${image.reason}`);
		return image.raster;
	});
}

function check(rasters: readonly Raster[]): { readonly pixels: number } {
	const hash = createHash('sha256');
	for (const { samples } of rasters) hash.update(samples);
	if (hash.digest('hex') !== PIXELS) throw new Error('pixels are not those of libjpeg');
	return { pixels: rasters.reduce((sum, { width, height }) => sum + width * height, 0) };
}
