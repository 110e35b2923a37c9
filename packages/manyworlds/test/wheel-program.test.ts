import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('the wheel starts the file of the bundle that the executable of the package starts', () => {
	const file = /'\.\.\/bundle\/([^']+)'/.exec(read('packages/manyworlds/bin/manyworlds.cjs'))?.[1];
	expect(file).toBeDefined();
	expect(read('python/manyworlds/_program.py')).toContain(`"bundle" / "${file}"`);
	expect(read('python/build_wheel.py')).toContain(`"bundle" / "${file}"`);
	expect(read('conformance/suites/python-wheel/index.ts')).toContain(`bundle/${file}'`);
});
