import { expect, test } from 'vitest';
import { inspectFile, Layer, makeValue, readUsda, T, writeUsdc } from '../src/index.ts';
import { formatBytes, formatInspection, jsonPieces, valueToJson } from '../src/internal.ts';
import { Path } from '../src/sdf/path.ts';

function attribute(line: string): unknown {
	const data = readUsda(new TextEncoder().encode(`#usda 1.0\ndef "a"\n{\n    ${line}\n}\n`));
	const path = Path.parse('/a.x')!;
	return valueToJson(data.field(path, 'default') ?? data.field(path, 'timeSamples')!);
}

test.each([
	['bool x = true', true],
	['bool[] x = [true, false]', [true, false]],
	['int64 x = 7', 7],
	['int64 x = 9007199254740993', '9007199254740993'],
	['float x = 0.1', 0.1],
	[
		'float3[] x = [(0.1, 2, 1e-7), (1e9, inf, -inf)]',
		[
			[0.1, 2, 1e-7],
			[1e9, 'inf', '-inf'],
		],
	],
	['half x = 0.5', 0.5],
	['half2 x = (0.5, 2)', [0.5, 2]],
	['double x = nan', 'nan'],
	['quatf x = (1, 2, 3, 4)', [1, 2, 3, 4]],
	[
		'matrix2d x = ((1, 2), (3, 4))',
		[
			[1, 2],
			[3, 4],
		],
	],
	['token[] x = ["a", "b"]', ['a', 'b']],
	['asset x = @a.png@', 'a.png'],
	['double x = None', null],
	[
		'double x.timeSamples = { 1: 2, 3: None }',
		[
			[1, 2],
			[3, null],
		],
	],
])('%s is %j', (line, json) => {
	expect(attribute(line)).toEqual(json);
});

test('dictionaries, list-ops and arcs become plain objects', () => {
	const text = `#usda 1.0
def "a" (
    customData = {
        int __proto__ = 1
        dictionary d = {
            double[] e = [1, 2]
        }
    }
    delete references = @x.usda@</X> (offset = 3)
    prepend references = </B>
)
{
}
`;
	const { layer } = inspectFile(new TextEncoder().encode(text), { file: 'a.usda' });
	const metadata = layer!.specs[0]!.metadata!;
	expect(JSON.stringify(metadata['customData'])).toBe('{"__proto__":1,"d":{"e":[1,2]}}');
	expect(metadata['references']).toEqual({
		prepended: [{ assetPath: '', primPath: '/B' }],
		deleted: [{ assetPath: 'x.usda', primPath: '/X', layerOffset: { offset: 3, scale: 1 } }],
	});
});

test('deep and wide layers are cut, and what is cut is counted', () => {
	const deep = `#usda 1.0\n${'def "a" {\n'.repeat(300)}${'}\n'.repeat(300)}`;
	const { layer } = inspectFile(new TextEncoder().encode(deep), { file: 'deep.usda' });
	expect(layer).toMatchObject({ omittedPrims: 200, counts: { specs: 301, specTypes: { prim: 300 } } });
	const wide = `#usda 1.0\n${Array.from({ length: 1000 }, (_, i) => `def "p${i}" {}\n`).join('')}`;
	const text = formatInspection(inspectFile(new TextEncoder().encode(wide), { file: 'wide.usda' }));
	expect(text).toContain('… 600 more lines, not shown');
	expect(text).toMatch(/specs +prim 1000/);
});

test('fields of the wrong type are shown, not stumbled over', () => {
	const layer = Layer.create('odd.usda');
	layer.createPrim('/a', { specifier: 'def' });
	layer.setField('/a', 'references', makeValue(T.dictionary, new Map([['x', makeValue(T.int, 1)]])));
	layer.setField('/a', 'apiSchemas', makeValue(T.double, 2));
	layer.createAttribute('/a.x', 'double');
	layer.setField('/a.x', 'timeSamples', makeValue(T.token, 'none'));
	const crate = writeUsdc(layer.data);
	const text = formatInspection(inspectFile(crate, { file: 'odd.usdc', values: true }));
	expect(text).toContain('def a  [2]  ref 1');
});

test('names cannot disturb a terminal', () => {
	const text = '#usda 1.0\n(\n    doc = "\\x1b[31mred\\x07"\n)\n';
	const printed = formatInspection(inspectFile(new TextEncoder().encode(text), { file: 'a\u001b.usda' }));
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
	expect(printed).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
});

test('JSON in pieces says the same as JSON in one', () => {
	const value = {
		a: [1, 2, [3, 4]],
		b: [],
		c: {},
		d: [{ e: null }, { f: 'x"y' }],
		g: Array.from({ length: 10_000 }, (_, i) => [i, `${i}`]),
	};
	const text = [...jsonPieces(value)].join('');
	expect(JSON.parse(text)).toEqual(value);
	expect(text.split('\n')).toHaveLength(14);
});

test('sizes have a unit that suits them', () => {
	expect([0, 999, 1000, 9949, 9999, 12_345, 999_499, 999_500, 62_000_000, 3e12].map(formatBytes)).toEqual([
		'0 bytes',
		'999 bytes',
		'1.0 kB',
		'9.9 kB',
		'10.0 kB',
		'12 kB',
		'999 kB',
		'1.0 MB',
		'62 MB',
		'3000 GB',
	]);
});
