import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ALL_CODES } from '../packages/manyworlds/src/all-codes.ts';
import { makePages, PAGES_FOLDER } from './code-rules.ts';
import { FIX_CLAIMS_FILE, makeFixClaims } from './rule-docs/fix-claims.ts';
import { ROOT, readSourceFiles } from './source-files.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

const pages = makePages(ALL_CODES);
mkdirSync(join(ROOT, PAGES_FOLDER), { recursive: true });
const present = existsSync(join(ROOT, PAGES_FOLDER)) ? readSourceFiles(PAGES_FOLDER, '.md') : [];
for (const file of present) if (!pages.has(file.path)) rmSync(join(ROOT, file.path));
for (const [path, text] of pages) writeFileSync(join(ROOT, path), text);
console.log(`${PAGES_FOLDER}: ${pages.size} pages`);

// rules go by these
writeFileSync(join(ROOT, FIX_CLAIMS_FILE), makeFixClaims());
const { makeRuleFiles, strayRuleFiles } = await import('./rule-docs/make-files.ts');
const ruleFiles = makeRuleFiles();
for (const path of strayRuleFiles(ruleFiles)) rmSync(join(ROOT, path));
for (const [path, text] of ruleFiles) {
	mkdirSync(dirname(join(ROOT, path)), { recursive: true });
	writeFileSync(join(ROOT, path), text);
}
console.log(`rules: ${ruleFiles.size} files`);

// pages that people write
const written = [...readSourceFiles('docs', '.md'), ...readSourceFiles('packages', 'README.md')].map(
	({ path }) => path,
);
for (const path of [...written, 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']) {
	const text = readFileSync(join(ROOT, path), 'utf8');
	const wrapped = wrapMarkdown(text);
	if (wrapped !== text) writeFileSync(join(ROOT, path), wrapped);
}
