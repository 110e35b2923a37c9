import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const lines = readFileSync(`${root}docs/status.md`, 'utf8').split('\n');
const rows = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));

describe('docs/status.md', () => {
	it('names only files and folders that exist', () => {
		const named = rows.flatMap((row) =>
			Array.from(row.matchAll(/`([\w./-]+\/[\w./-]+|[\w-]+\.json)`/g), (match) => match[1]!),
		);
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
	});

	it('gives every row a state', () => {
		const states = /\| (?:done|partial|missing)/;
		const stateless = rows.filter((row) => !states.test(row) && !/\| state \|/.test(row));
		expect(stateless).toEqual([]);
	});

	it('lists every rule of REP 0158 once', () => {
		const rules = rows.map((row) => /^\| (R\d[\d.]*) \|/.exec(row)?.[1]).filter((rule) => rule !== undefined);
		expect(rules.length).toBe(228);
		expect(new Set(rules).size).toBe(228);
	});
});
