import { describe, expect, it } from 'vitest';
import type { ListOp } from '../src/sdf/list-op.ts';
import { MetadataRegistry } from '../src/sdf/metadata-registry.ts';
import { Path } from '../src/sdf/path.ts';
import { SpecType } from '../src/sdf/spec-type.ts';
import type { Dictionary, Payload, Reference, Value } from '../src/sdf/value.ts';
import { T } from '../src/sdf/value-type.ts';
import { fieldAt, readClean, readText } from './read-text.ts';

function prim(metadata: string): (field: string) => Value | undefined {
	const data = readClean(`def "A" (\n    ${metadata}\n)\n{\n}\n`);
	return (field) => fieldAt(data, '/A', field);
}

/** The lists of a list-op that have items, or its explicit list. */
function lists(value: Value | undefined): unknown {
	const op = value?.data as ListOp<unknown>;
	const text = (items: readonly unknown[]) => items.map(String);
	if (op.isExplicit) return { explicit: text(op.explicitItems) };
	const all = { added: op.addedItems, prepended: op.prependedItems, appended: op.appendedItems };
	const rest = { deleted: op.deletedItems, ordered: op.orderedItems };
	const entries = Object.entries({ ...all, ...rest }).filter(([, items]) => items.length > 0);
	return Object.fromEntries(entries.map(([name, items]) => [name, text(items)]));
}

function plain(dictionary: unknown): unknown {
	const entries = [...(dictionary as Dictionary)].map(([key, value]) => [
		key,
		value.type === (T.dictionary as unknown) ? plain(value.data) : `${value.type.name} ${value.data}`,
	]);
	return Object.fromEntries(entries);
}

describe('prims', () => {
	it('keeps specifier, type, order of children and properties', () => {
		const data = readClean(
			'def Xform "A" {\n int b\n def "Z" {\n }\n int a\n over A::B.C "Y" {\n }\n}\nclass "C"\n{\n}\n',
		);
		expect(fieldAt(data, '/', 'primChildren')?.data).toStrictEqual(['A', 'C']);
		expect(fieldAt(data, '/A', 'primChildren')?.data).toStrictEqual(['Z', 'Y']);
		expect(fieldAt(data, '/A', 'properties')?.data).toStrictEqual(['b', 'a']);
		expect(fieldAt(data, '/A', 'specifier')?.data).toBe('def');
		expect(fieldAt(data, '/A', 'typeName')?.data).toBe('Xform');
		expect(fieldAt(data, '/A/Y', 'specifier')?.data).toBe('over');
		expect(fieldAt(data, '/A/Y', 'typeName')?.data).toBe('A::B.C');
		expect(fieldAt(data, '/A/Z', 'typeName')).toBeUndefined();
		expect(fieldAt(data, '/C', 'specifier')?.data).toBe('class');
		expect(data.specCount).toBe(7);
	});

	it('accepts names of other scripts and names that are keywords', () => {
		const data = readClean('def "Größe" {\n int 高さ = 1\n int rel\n rel def\n int inputs:custom:timeSamples\n}\n');
		expect(fieldAt(data, '/Größe', 'properties')?.data).toStrictEqual([
			'高さ',
			'rel',
			'def',
			'inputs:custom:timeSamples',
		]);
	});

	it('reads orders', () => {
		const data = readClean(
			'reorder rootPrims = ["B", "A"]\ndef "A" {\n reorder nameChildren = ["c", "b"]\n reorder properties = "p"\n}\n',
		);
		expect(fieldAt(data, '/', 'primOrder')?.data).toStrictEqual(['B', 'A']);
		expect(fieldAt(data, '/A', 'primOrder')?.data).toStrictEqual(['c', 'b']);
		expect(fieldAt(data, '/A', 'propertyOrder')?.data).toStrictEqual(['p']);
	});

	it('reads variants, nested and with content', () => {
		const data = readClean(
			'def "A" (\n prepend variantSets = "v"\n variants = {\n string v = "x"\n }\n)\n{\n' +
				' variantSet "v" = {\n  "x" (\n kind = "component"\n ) {\n   int a = 1\n   def "B" {\n   }\n' +
				'   variantSet "w" = {\n "y" {\n }\n }\n  }\n  ".2-z" {\n }\n }\n}\n',
		);
		expect(fieldAt(data, '/A', 'variantSetChildren')?.data).toStrictEqual(['v']);
		expect(fieldAt(data, '/A{v=}', 'variantChildren')?.data).toStrictEqual(['x', '.2-z']);
		expect(fieldAt(data, '/A{v=x}', 'properties')?.data).toStrictEqual(['a']);
		expect(fieldAt(data, '/A{v=x}', 'primChildren')?.data).toStrictEqual(['B']);
		expect(fieldAt(data, '/A{v=x}', 'kind')?.data).toBe('component');
		expect(fieldAt(data, '/A{v=x}{w=}', 'variantChildren')?.data).toStrictEqual(['y']);
		expect(data.specType(Path.parse('/A{v=x}')!)).toBe(SpecType.variant);
		expect(data.specType(Path.parse('/A{v=}')!)).toBe(SpecType.variantSet);
		expect(fieldAt(data, '/A', 'variantSelection')?.data).toStrictEqual(new Map([['v', 'x']]));
	});
});

describe('properties', () => {
	it('stores what every attribute has', () => {
		const data = readClean('def "A" {\n custom uniform int[] x = [1]\n config float y\n}\n');
		expect(data.fieldNames(Path.parse('/A.x')!)).toStrictEqual(['custom', 'typeName', 'variability', 'default']);
		expect(fieldAt(data, '/A.x', 'custom')?.data).toBe(true);
		expect(fieldAt(data, '/A.x', 'typeName')?.data).toBe('int[]');
		expect(fieldAt(data, '/A.x', 'variability')?.data).toBe('uniform');
		expect(fieldAt(data, '/A.y', 'variability')?.data).toBe('uniform');
		expect(fieldAt(data, '/A.y', 'custom')?.data).toBe(false);
	});

	it('stores what every relationship has', () => {
		const data = readClean('def "A" {\n rel x\n custom varying rel y = <B>\n rel z = None\n}\n');
		expect(fieldAt(data, '/A.x', 'variability')?.data).toBe('uniform');
		expect(fieldAt(data, '/A.x', 'targetPaths')).toBeUndefined();
		expect(fieldAt(data, '/A.y', 'variability')?.data).toBe('varying');
		expect(fieldAt(data, '/A.y', 'custom')?.data).toBe(true);
		expect(lists(fieldAt(data, '/A.y', 'targetPaths'))).toStrictEqual({ explicit: ['/A/B'] });
		expect(lists(fieldAt(data, '/A.z', 'targetPaths'))).toStrictEqual({ explicit: [] });
	});

	it('puts the statements about one property together', () => {
		const data = readClean(
			'def "A" {\n double x = 1\n double x.timeSamples = {\n }\n double x.connect = </B.y>\n' +
				' custom double x (\n doc = "d"\n )\n add rel r = </B>\n delete rel r = [<C>, <../D.e>]\n prepend double x.connect = </B.z>\n}\n',
		);
		expect(fieldAt(data, '/A', 'properties')?.data).toStrictEqual(['x', 'r']);
		expect(fieldAt(data, '/A.x', 'custom')?.data).toBe(true);
		expect(fieldAt(data, '/A.x', 'documentation')?.data).toBe('d');
		expect(lists(fieldAt(data, '/A.x', 'connectionPaths'))).toStrictEqual({ prepended: ['/B.z'] });
		expect(lists(fieldAt(data, '/A.r', 'targetPaths'))).toStrictEqual({ added: ['/B'], deleted: ['/A/C', '/D.e'] });
	});

	it('ends statements with a line end or a semicolon', () => {
		const data = readClean('def "A" { int a = 1;int b = 2 ; /* c */\n int c # comment\n}\n');
		expect(fieldAt(data, '/A', 'properties')?.data).toStrictEqual(['a', 'b', 'c']);
	});
});

describe('prim metadata', () => {
	it('reads strings, words and registered types', () => {
		const field = prim(
			'"first"\n    doc = """d"""; kind = "component"\n active = 0\n hidden = "no"\n permission = private\n symmetryFunction =\n displayName = "n"',
		);
		expect(field('comment')?.data).toBe('first');
		expect(field('documentation')?.data).toBe('d');
		expect(field('kind')?.data).toBe('component');
		expect(field('active')?.data).toBe(false);
		expect(field('hidden')?.data).toBe(false);
		expect(field('permission')).toMatchObject({ data: 'private', type: { name: 'permission' } });
		expect(field('symmetryFunction')?.data).toBe('');
		expect(field('displayName')?.type.name).toBe('string');
	});

	it('lets the last of an explicit list and edits decide', () => {
		expect(lists(prim('references = @a@\n prepend references = @b@')('references'))).toStrictEqual({
			prepended: ['[object Object]'],
		});
		expect(lists(prim('prepend apiSchemas = ["A"]\n delete apiSchemas = ["B"]')('apiSchemas'))).toStrictEqual({
			prepended: ['A'],
			deleted: ['B'],
		});
		expect(lists(prim('prepend apiSchemas = ["A"]\n apiSchemas = ["B", "C"]')('apiSchemas'))).toStrictEqual({
			explicit: ['B', 'C'],
		});
		expect(lists(prim('apiSchemas = None')('apiSchemas'))).toStrictEqual({ explicit: [] });
		expect(lists(prim('add inherits = [</B>, <C>]\n reorder inherits = </D>')('inheritPaths'))).toStrictEqual({
			added: ['/B', '/A/C'],
			ordered: ['/D'],
		});
	});

	it('reads references and payloads with all their parts', () => {
		const field = prim(
			'references = [\n @a.usd@</P> (\n offset = 1; scale = -2\n customData = {\n int n = 1\n }\n ),\n </Q>, @b@ (), <>\n ]\n payload = @p@ </P> (scale = 0.5)',
		);
		const references = (field('references') as Value<ListOp<Reference>>).data.explicitItems;
		expect(references.map(({ assetPath, primPath }) => `${assetPath}<${primPath}>`)).toStrictEqual([
			'a.usd</P>',
			'</Q>',
			'b<>',
			'<>',
		]);
		expect(references[0]?.layerOffset).toStrictEqual({ offset: 1, scale: -2 });
		expect(plain(references[0]?.customData)).toStrictEqual({ n: 'int 1' });
		const payload = (field('payload') as Value<ListOp<Payload>>).data.explicitItems[0]!;
		expect(`${payload.assetPath}${payload.primPath}`).toBe('p/P');
		expect(payload.layerOffset).toStrictEqual({ offset: 0, scale: 0.5 });
	});

	it('keeps the types in dictionaries', () => {
		const field = prim(
			'customData = {\n  bool b = 1\n  dictionary "key with: signs" = {\n   double3 d = (1, 2, 3); token[] t = ["a"]\n  }\n  int def = 2\n  int64 n = 3\n dictionary e = {}\n }',
		);
		expect(plain(field('customData')?.data)).toStrictEqual({
			b: 'bool true',
			'key with: signs': { d: 'double3 1,2,3', t: 'token[] a' },
			def: 'int 2',
			n: 'int64 3',
			e: {},
		});
	});

	it('keeps metadata that nobody registered', () => {
		const field = prim(
			'a = 1.50\n b = [1,(2,"x")]\n c = {\n int d = 1\n }\n add e = [1,2]\n prepend e = [3]\n f = None\n g = word',
		);
		expect(field('a')).toMatchObject({ data: '1.5', type: { name: 'unregistered' } });
		expect(field('b')?.data).toBe('[1, (2, "x")]');
		expect(plain(field('c')?.data)).toStrictEqual({ d: 'int 1' });
		expect(lists(field('e'))).toStrictEqual({ added: ['1, 2'], prepended: ['3'] });
		expect(field('f')?.data).toBe('None');
		expect(field('g')?.data).toBe('word');
	});

	it('reads metadata of a registry that was extended', () => {
		const registry = MetadataRegistry.standard.extend([{ name: 'limit', type: T.int64ListOp, sites: ['prim'] }]);
		const data = readClean('def "A" (\n append limit = [9007199254740993]\n)\n{\n}\n', { registry });
		expect(lists(fieldAt(data, '/A', 'limit'))).toStrictEqual({ appended: ['9007199254740993'] });
	});

	it('reads substitutions and keeps old relocates sorted', () => {
		expect(
			plain(prim('prefixSubstitutions = {\n "a": "b", "c" : "d",\n }')('prefixSubstitutions')?.data),
		).toStrictEqual({
			a: 'string b',
			c: 'string d',
		});
		const { data, places } = readText('def "A" (\n relocates = {\n <c>: <d>, </B>: <>\n }\n)\n{\n}\n');
		expect(places).toStrictEqual(['USDA060 3:2']);
		expect((fieldAt(data, '/A', 'relocates') as Value<Path[][]>).data.map((pair) => pair.join(' '))).toStrictEqual([
			'/A/c /A/d',
			'/B ',
		]);
	});
});

describe('layer metadata', () => {
	it('reads sublayers, relocates and registered fields', () => {
		const data = readClean(
			'(\n subLayers = [\n @a@,\n @b@ (offset = 2)\n ]\n relocates = { </A/B>: </A/C>, <A/D> : <> }\n defaultPrim = "A"\n metersPerUnit = 0.01\n framePrecision = 3\n customLayerData = {\n string s = "t"\n }\n expressionVariables = { string V = "v" }\n)\n',
		);
		expect(fieldAt(data, '/', 'subLayers')?.data).toStrictEqual(['a', 'b']);
		expect(fieldAt(data, '/', 'subLayerOffsets')?.data).toStrictEqual([
			{ offset: 0, scale: 1 },
			{ offset: 2, scale: 1 },
		]);
		const pairs = fieldAt(data, '/', 'layerRelocates')?.data as Path[][];
		expect(pairs.map((pair) => pair.join(' '))).toStrictEqual(['/A/B /A/C', '/A/D ']);
		expect(fieldAt(data, '/', 'metersPerUnit')).toMatchObject({ data: 0.01, type: { name: 'double' } });
		expect(fieldAt(data, '/', 'framePrecision')?.type.name).toBe('int');
		expect(plain(fieldAt(data, '/', 'customLayerData')?.data)).toStrictEqual({ s: 'string t' });
	});

	it('stops after it when asked to', () => {
		const { data, diagnostics } = readText('(\n doc = "d"\n)\nnonsense', { metadataOnly: true });
		expect(fieldAt(data, '/', 'documentation')?.data).toBe('d');
		expect(diagnostics).toStrictEqual([]);
	});
});
