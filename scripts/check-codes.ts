import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_CODES } from '../packages/manyworlds/src/all-codes.ts';
import { checkCodeUse, checkFamilies, checkPages, makePages, PAGES_FOLDER } from './code-rules.ts';
import { ROOT, readSourceFiles } from './source-files.ts';

/** Where packages keep their codes. */
const FAMILY = /^packages\/[^/]+\/src\/codes\//;

const sources = readSourceFiles('packages', '.ts').filter((file) => /^packages\/[^/]+\/src\//.test(file.path));
const families = sources.filter(
	(file) => /\/src\/codes\/[\w-]+\.ts$/.test(file.path) && !/\/(?:index|rep158-codes)\.ts$/.test(file.path),
);
const users = sources.filter((file) => !FAMILY.test(file.path));
const pages = existsSync(join(ROOT, PAGES_FOLDER)) ? readSourceFiles(PAGES_FOLDER, '.md') : [];

const problems = [
	...checkFamilies(families, ALL_CODES),
	...checkCodeUse(Object.keys(ALL_CODES), users),
	...checkPages(makePages(ALL_CODES), pages),
];
for (const problem of problems) console.error(problem);
console.log(`diagnostic codes: ${Object.keys(ALL_CODES).length} codes, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
