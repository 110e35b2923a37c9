import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../source-files.ts';
import { FIX_CLAIMS_FILE, makeFixClaims } from './fix-claims.ts';
import { makeRuleFiles, strayRuleFiles } from './make-files.ts';

describe('files about rules', () => {
	const files = makeRuleFiles().set(FIX_CLAIMS_FILE, makeFixClaims());

	it('are up to date: npm run docs', () => {
		const stale = [...files]
			.filter(([path, text]) => !existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== text)
			.map(([path]) => path);
		expect(stale).toEqual([]);
		expect(strayRuleFiles(files)).toEqual([]);
	});

	it('have a page and a status row for each of the 228 statements', () => {
		expect([...files.keys()].filter((path) => /^docs\/rules\/R[\d.]+\.md$/.test(path))).toHaveLength(228);
		const rows = files.get('docs/status.md')!.match(/^\| R[\d.]+ \|.*$/gm)!;
		expect(rows).toHaveLength(228);
		for (const row of rows) {
			const [, state, rule, fix, tests] = row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
			expect(rule, row).toContain('packages/rep158/src/rules/');
			if (state!.includes('fixed')) expect(fix, row).toMatch(/^F\d+ `packages\/rep158\/src\/fix\//);
			if (/^done: (?:checked|a duty of tools)/.test(state!)) expect(tests, row).toMatch(/^`/);
		}
	});
});
