import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DIAGNOSTIC_CODES } from '@manyworlds/core';
import { checkCodeUse, checkFamilies, checkPages, makePages, PAGES_FOLDER } from './code-rules.ts';
import { ROOT, readSourceFiles } from './source-files.ts';

const FAMILY_FOLDER = 'packages/core/src/codes/';

const sources = readSourceFiles('packages', '.ts').filter((file) => /^packages\/[^/]+\/src\//.test(file.path));
const families = sources.filter((file) => file.path.startsWith(FAMILY_FOLDER) && !file.path.endsWith('/code-info.ts'));
const users = sources.filter((file) => !file.path.startsWith(FAMILY_FOLDER));
const pages = existsSync(join(ROOT, PAGES_FOLDER)) ? readSourceFiles(PAGES_FOLDER, '.md') : [];

const problems = [
	...checkFamilies(families, DIAGNOSTIC_CODES),
	...checkCodeUse(Object.keys(DIAGNOSTIC_CODES), users),
	...checkPages(makePages(DIAGNOSTIC_CODES), pages),
];
for (const problem of problems) console.error(problem);
console.log(`diagnostic codes: ${Object.keys(DIAGNOSTIC_CODES).length} codes, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
