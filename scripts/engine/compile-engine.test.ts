import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileEngine, engineBinarySource, KERNELS, type Kernels } from './compile-engine.ts';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'packages/sim/src/wasm');
const CACHE = join(ROOT, 'node_modules/.cache/manyworlds-engine');

it.each(KERNELS)('the kernels in $module are those that the sources compile to', async (kernels) => {
	const found = digest([readFileSync(join(MODULES, kernels.module))]);
	expect(found === (await expectedDigest(kernels)), 'run `npm run build:engine`').toBe(true);
});

/** Of the module that the sources compile to. Compiling takes seconds, so it is kept by all that goes into it. */
async function expectedDigest(kernels: Kernels): Promise<string> {
	const sources = join(ROOT, 'packages/sim/engine');
	const names = (readdirSync(sources, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts')).sort();
	const inputs = [...names.map((name) => join(sources, name)), join(import.meta.dirname, 'compile-engine.ts')];
	// the lock file has the version of the compiler
	inputs.push(join(ROOT, 'package-lock.json'));
	const key = digest([JSON.stringify([kernels, names]), ...inputs.map((path) => readFileSync(path))]);
	const kept = join(CACHE, `${kernels.module}-${key}`);
	try {
		return readFileSync(kept, 'utf8');
	} catch {
		const made = digest([engineBinarySource(kernels, await compileEngine(kernels))]);
		mkdirSync(CACHE, { recursive: true });
		writeFileSync(kept, made);
		return made;
	}
}

function digest(parts: readonly (string | Uint8Array)[]): string {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(part);
	return hash.digest('hex');
}
