import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileEngine, engineBinarySource } from './compile-engine.ts';

const BINARY = join(import.meta.dirname, '../../packages/sim/src/engine/engine-binary.ts');

it('the kernels in the package are those that the sources compile to', { timeout: 120_000 }, async () => {
	const expected = engineBinarySource(await compileEngine());
	expect(readFileSync(BINARY, 'utf8') === expected, 'run `npm run build:engine`').toBe(true);
});
