import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileEngine, engineBinarySource } from './engine/compile-engine.ts';

// Compiles the kernels of the SAP engine and writes them as a module, so that they load without a file system or the network.
writeFileSync(
	join(import.meta.dirname, '../packages/sim/src/engine/engine-binary.ts'),
	engineBinarySource(await compileEngine()),
);
