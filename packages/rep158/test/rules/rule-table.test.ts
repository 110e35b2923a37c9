/** Level, way of checking and fix of every statement, as recorded from the rules. `UPDATE_GOLDEN=1` writes them anew: read the difference beside the REP. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RULES } from '../../src/index.ts';

const FILE = join(import.meta.dirname, '../golden/rule-table.txt');

it('every statement has its level, its way of checking and its fix', () => {
	const lines = RULES.map(({ id, section, level, check, fix, heldBy, visit }) =>
		[
			id,
			section,
			level,
			check,
			visit === undefined ? 'no visit' : 'visit',
			fix === undefined ? 'no fix' : JSON.stringify(fix),
			heldBy ?? '',
		].join(' | '),
	);
	if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(FILE, `${lines.join('\n')}\n`);
	expect(lines).toEqual(readFileSync(FILE, 'utf8').trimEnd().split('\n'));
});
