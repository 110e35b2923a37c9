import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileEngine, engineBinarySource, KERNELS } from './compile-engine.ts';

const MODULES = join(import.meta.dirname, '../../packages/sim/src/engine');

it.each(KERNELS)(
	'the kernels in $module are those that the sources compile to',
	{ timeout: 120_000 },
	async (kernels) => {
		const expected = engineBinarySource(kernels, await compileEngine(kernels));
		expect(readFileSync(join(MODULES, kernels.module), 'utf8') === expected, 'run `npm run build:engine`').toBe(true);
	},
);
