import { describe, expect, test } from 'vitest';
import { readFiles } from '../src/files/read-dropped.ts';

describe('files that a person chose', () => {
	test('have their bytes by path', async () => {
		const files = await readFiles([['a/b.usda', new File(['#usda 1.0'], 'b.usda')]]);
		expect([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])).toEqual([
			['a/b.usda', '#usda 1.0'],
		]);
	});

	test('of 4 GB are refused by name and size before a byte is read', async () => {
		const large = new File(['#usda 1.0'], 'large.usdc');
		Object.defineProperty(large, 'size', { value: 2 ** 32 });
		large.arrayBuffer = () => Promise.reject(new Error('read'));
		await expect(readFiles([['robot/large.usdc', large]])).rejects.toThrow(
			"'robot/large.usdc' has 4294967296 bytes, at most 2147483647 can be read",
		);
	});
});
