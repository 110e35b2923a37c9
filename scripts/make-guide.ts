/** Puts the present output of the commands into the pages of `docs/guide`. With `--check`, fails if a page would change. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refreshGuide } from './guide-blocks.ts';
import { ROOT } from './source-files.ts';

const FOLDER = join(ROOT, 'docs/guide');
const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const name of readdirSync(FOLDER)
	.filter((file) => file.endsWith('.md'))
	.sort()) {
	const path = join(FOLDER, name);
	const text = readFileSync(path, 'utf8');
	const fresh = await refreshGuide(text, ROOT);
	if (fresh === text) continue;
	stale.push(name);
	if (!isCheck) writeFileSync(path, fresh);
}
console.log(
	`docs/guide: ${stale.length === 0 ? 'up to date' : `${isCheck ? 'out of date' : 'updated'}: ${stale.join(', ')}`}`,
);
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;
