import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileEngine, engineBinarySource, KERNELS } from './engine/compile-engine.ts';

// Compiles the kernels of the SAP engine and writes them as modules, so that they load without a file system or the network.
for (const kernels of KERNELS) {
	writeFileSync(
		join(import.meta.dirname, '../packages/sim/src/wasm', kernels.module),
		engineBinarySource(kernels, await compileEngine(kernels)),
	);
}
