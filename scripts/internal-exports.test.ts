import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './source-files.ts';

/** Names that an entry exports. */
function exportsOf(text: string): string[] {
	return [...text.matchAll(/export(?: type)? \{([^}]*)\}/g)].flatMap(([, names]) =>
		names!
			.split(',')
			.map(
				(name) =>
					name
						.trim()
						.replace(/^type /, '')
						.split(' as ')
						.at(-1)!,
			)
			.filter((name) => name !== ''),
	);
}

test('internal entries export nothing that only their own package uses', () => {
	const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
	const words = new Map(
		files
			.filter((file) => existsSync(join(ROOT, file)))
			.map((file) => [file, new Set(readFileSync(join(ROOT, file), 'utf8').match(/\w+/g))]),
	);
	const unused = files
		.filter((file) => /^packages\/[^/]+\/src\/internal\.ts$/.test(file))
		.flatMap((entry) => {
			const own = entry.slice(0, -'internal.ts'.length);
			const others = [...words].filter(([file]) => !file.startsWith(own)).map(([, used]) => used);
			return exportsOf(readFileSync(join(ROOT, entry), 'utf8'))
				.filter((name) => !others.some((used) => used.has(name)))
				.map((name) => `${entry}: ${name}`);
		});
	expect(unused).toEqual([]);
});
