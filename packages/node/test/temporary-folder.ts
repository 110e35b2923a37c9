import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(realpathSync(tmpdir()), 'manyworlds-node-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
