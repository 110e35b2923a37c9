import { expect, test } from 'vitest';

test('imports the package from source', async () => {
	expect(await import('@manyworlds/core')).toBeTypeOf('object');
});
