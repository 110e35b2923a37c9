import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as core from '@manyworlds/core';
import * as mesh from '@manyworlds/mesh';
import { expect, test } from 'vitest';
import { bytesOf } from './shapes.ts';

const TETRAHEDRON = `solid a
${[
	[0, 2, 1],
	[0, 1, 3],
	[1, 2, 3],
	[2, 0, 3],
]
	.map(
		(face) =>
			`facet normal 0 0 0\nouter loop\n${face.map((i) => `vertex ${['0 0 0', '1 0 0', '0 1 0', '0 0 1'][i]}`).join('\n')}\nendloop\nendfacet`,
	)
	.join('\n')}
endsolid a
`;

test('the example of the readme runs', () => {
	const text = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
	const example = /```ts\n(.*?)```/s.exec(text)![1]!;
	const body = example.replace(/^import .*$/gm, '');
	const names = [...example.matchAll(/\{ (.*?) \} from .@manyworlds\/(\w+)/g)].flatMap((match) =>
		match[1]!.split(', ').map((name) => [name, (match[2] === 'core' ? core : mesh)[name as never]] as const),
	);
	const printed: unknown[] = [];
	const say = (...values: unknown[]): void => void printed.push(...values);
	const run = new Function(...names.map(([name]) => name), 'readFileSync', 'console', body);
	run(...names.map(([, value]) => value), () => bytesOf(TETRAHEDRON), { log: say, error: say });
	expect(printed[0]).toMatchObject({ mass: 450 });
	expect(printed[1]).toBe(true);
	expect(printed[3]).toBe(1);
});
