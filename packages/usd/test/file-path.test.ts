import { expect, test } from 'vitest';
import { folderOf, isAbsoluteFile, isUri, joinFile, relativeFile } from '../src/ar/file-path.ts';

test.each([
	['a/b', './c.usda', 'a/b/c.usda'],
	['a/b', '../c.usda', 'a/c.usda'],
	['a', '../../c.usda', '../c.usda'],
	['', 'c.usda', 'c.usda'],
	['/a', '../../c.usda', '/c.usda'],
	['a', '/x/./y', '/x/y'],
	['C:/a', '../b', 'C:/b'],
	['a', 'D:/b//c', 'D:/b/c'],
])('%j and %j join to %j', (folder, path, joined) => {
	expect(joinFile(folder, path)).toBe(joined);
});

test.each([
	['', 'a/b', 'a/b'],
	['a', 'a/b', 'b'],
	['a/b', 'a/c/d', '../c/d'],
	['a/b', 'c', '../../c'],
	['/a', '/b/c', '../b/c'],
	['a/b', 'a/b', '../b'],
])('from %j, %j is %j', (folder, file, relative) => {
	expect(relativeFile(folder, file)).toBe(relative);
	expect(joinFile(folder, relative)).toBe(file);
});

test('tells folders, roots and schemes', () => {
	expect(['a/b.c', 'b', '/b'].map(folderOf)).toEqual(['a', '', '/']);
	expect(['/a', 'C:/a', 'C:\\a', 'a', './a'].map(isAbsoluteFile)).toEqual([true, true, true, false, false]);
	expect(['https://a', 'package://a/b', 'C:/a', 'a:b/c', './a:b'].map(isUri)).toEqual([
		true,
		true,
		false,
		false,
		false,
	]);
});
