import { entryFiles } from '@manyworlds/rep158';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';

/** The entries of files in memory, by name. */
function entries(files: Readonly<Record<string, string>>, named: readonly string[] = []): string[] {
	const store = new MemoryStore(files, { folder: '/asset' });
	const paths = Object.keys(files).map((name) => `/asset/${name}`);
	const found = entryFiles(paths, store, { named: new Set(named.map((name) => `/asset/${name}`)) });
	return found.map((path) => path.slice('/asset/'.length));
}

const PART = '#usda 1.0\ndef Xform "Part" {}\n';

function referring(...paths: readonly string[]): string {
	return `#usda 1.0\ndef Xform "Robot" (references = [${paths.map((path) => `@${path}@</Part>`).join(', ')}]) {}\n`;
}

describe('entry files', () => {
	it('are those that no other file refers to', () => {
		expect(entries({ 'arm.usda': referring('./parts/hand.usda'), 'parts/hand.usda': PART, 'box.usda': PART })).toEqual([
			'arm.usda',
			'box.usda',
		]);
	});

	it('leave out parts that only an unselected variant refers to', () => {
		const robot = `#usda 1.0
def Xform "Robot" (
    variantSets = "tool"
    variants = { string tool = "none" }
)
{
    variantSet "tool" = {
        "gripper" { def "hand" (references = @./hand.usda@</Part>) {} }
        "none" {}
    }
}
`;
		expect(entries({ 'robot.usda': robot, 'hand.usda': PART })).toEqual(['robot.usda']);
	});

	it('leave out what is reached through sublayers, payloads and files of other folders', () => {
		const root = '#usda 1.0\n(subLayers = [@./middle.usda@])\n';
		const middle = '#usda 1.0\ndef "Robot" (payload = @../a/part.usda@</Part>) {}\n';
		const store = new MemoryStore(
			{ 'a/root.usda': root.replace('./', '../b/'), 'b/middle.usda': middle, 'a/part.usda': PART },
			{ folder: '/asset' },
		);
		expect(entryFiles(['/asset/a/part.usda', '/asset/a/root.usda'], store)).toEqual(['/asset/a/root.usda']);
	});

	it('keep files that were named, and files that refer to themselves', () => {
		const files = { 'arm.usda': referring('./hand.usda', './arm.usda'), 'hand.usda': PART };
		expect(entries(files)).toEqual(['arm.usda']);
		expect(entries(files, ['hand.usda'])).toEqual(['arm.usda', 'hand.usda']);
	});

	it('are all files of a circle, and not what the circle is made of', () => {
		const files = {
			'a.usda': referring('./b.usda'),
			'b.usda': referring('./a.usda', './part.usda'),
			'part.usda': PART,
			'c.usda': PART,
		};
		expect(entries(files)).toEqual(['a.usda', 'b.usda', 'c.usda']);
	});

	it('are files that cannot be read', () => {
		expect(entries({ 'bad.usda': 'nothing of the kind', 'arm.usda': PART })).toEqual(['bad.usda', 'arm.usda']);
	});
});
