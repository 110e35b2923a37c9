import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The command as it is published: one file that Node starts with. */
export const BUNDLED_COMMAND: string = join(ROOT, 'packages/manyworlds/bundle/bin.cjs');

/** Makes the command from what is compiled, anew each time, as nothing tells whether a bundle is of today's code. */
export function bundleCommand(): void {
	execFileSync(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts/bundle-cli.ts')], { cwd: ROOT });
}
