import { Report } from '@manyworlds/core';
import { readNumberList, readXml, type XmlElement } from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

function read(text: string | Uint8Array, maxDepth?: number) {
	const report = new Report();
	const document = readXml(text, { file: 'a.xml', report, ...(maxDepth === undefined ? {} : { maxDepth }) });
	return { document, root: document.root, diagnostics: report.toArray(), codes: report.toArray().map((d) => d.code) };
}

describe('readXml', () => {
	it('gives elements, attributes, text and comments in order', () => {
		const { root, diagnostics } = read('<?xml version="1.0"?><a x="1" y=\'2\'>t<b/><!-- c --><b z="3">u</b></a>');
		expect(diagnostics).toEqual([]);
		expect(root?.name).toBe('a');
		expect(root?.attributes.map((a) => [a.name, a.value])).toEqual([
			['x', '1'],
			['y', '2'],
		]);
		expect(root?.nodes.map((node) => node.kind)).toEqual(['text', 'element', 'comment', 'element']);
		expect(root?.childrenNamed('b').map((b) => b.text)).toEqual(['', 'u']);
		expect(root?.child('b')?.parent).toBe(root);
		expect(root?.children[1]?.get('z')).toBe('3');
	});

	it('knows where everything is written, also behind letters beyond ASCII', () => {
		const { root } = read('<a>\n\t<b näme="é🤖" w="5"/>\n</a>');
		const b = root?.child('b');
		expect(b?.range).toEqual({
			start: { offset: 5, line: 2, column: 2 },
			end: { offset: 30, line: 2, column: 22 },
		});
		const [first, second] = b?.attributes ?? [];
		expect(first?.valueRange).toEqual({
			start: { offset: 15, line: 2, column: 11 },
			end: { offset: 21, line: 2, column: 13 },
		});
		expect(second?.range.start).toEqual({ offset: 23, line: 2, column: 15 });
		expect(second?.location.excerpt).toEqual({ text: '\t<b näme="é🤖" w="5"/>', caretStart: 17, caretLength: 1 });
		expect(root?.range.end).toEqual({ offset: 35, line: 3, column: 5 });
	});

	it('keeps positions right far into a long text', () => {
		const filler = 'ä'.repeat(2000);
		const { root } = read(`<a><!--${filler}-->\n<b c="d"/></a>`);
		expect(root?.child('b')?.attribute('c')?.range.start).toEqual({ offset: 4014, line: 2, column: 4 });
	});

	it('replaces references and normalises white space', () => {
		const { root, diagnostics } = read('<a b="1\t2\r\n3&#10;&lt;&#x41;">&amp;\r\n<![CDATA[<&]]></a>');
		expect(diagnostics).toEqual([]);
		expect(root?.get('b')).toBe('1 2 3\n<A');
		expect(root?.text).toBe('&\n<&');
	});

	it('decodes by byte order mark and by declaration', () => {
		const utf16 = Uint8Array.from([0xff, 0xfe, ...[...'<a b="é"/>'].flatMap((c) => [c.charCodeAt(0), 0])]);
		expect(read(utf16).root?.get('b')).toBe('é');
		const latin = Uint8Array.from(
			[...'<?xml version="1.0" encoding="ISO-8859-1"?><a b="é"/>'].map((c) => c.charCodeAt(0)),
		);
		expect(read(latin).root?.get('b')).toBe('é');
		expect(read(new TextEncoder().encode('\ufeff<a b="é"/>')).root?.get('b')).toBe('é');
		const unknown = new TextEncoder().encode('<?xml version="1.0" encoding="koi8-r"?><a/>');
		expect(read(unknown).codes).toEqual(['XML004']);
	});

	it('refuses declared entities instead of growing', () => {
		const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r x="&b;">&b;</r>';
		const { root, codes } = read(bomb);
		expect(codes).toEqual(['XML002', 'XML002', 'XML002', 'XML002']);
		expect(root?.get('x')).toBe('&b;');
		expect(root?.text).toBe('&b;');
	});

	it('closes elements whose end tags are missing or crossed', () => {
		const { root, diagnostics, document } = read('<a><b><c></b><d/></e></a>');
		expect(diagnostics.map((d) => d.message)).toEqual([
			"<c> has no end tag before '</b>'",
			"found '</e>', expected '</a>'",
		]);
		expect(diagnostics.map((d) => d.range?.start.column)).toEqual([7, 18]);
		expect(root?.children.map((child) => child.name)).toEqual(['b', 'd']);
		expect(document.isWellFormed).toBe(false);
		expect(read('<a><b>').diagnostics.map((d) => d.message)).toEqual(['<a> has no end tag', '<b> has no end tag']);
	});

	it.each([
		['<a b=c/>', "the value of 'b' is not in quotes"],
		['<a b/>', "the attribute 'b' has no value"],
		['<a b="1"c="2"/>', "found no space before the attribute 'c'"],
		['<a b="1" b="2"/>', "the attribute 'b' of <a> is given twice; the first counts"],
		['<a b="<"/>', "found '<' in the value of 'b', expected '&lt;'"],
		['<a>&</a>', "found '&' that begins no reference, expected '&amp;'"],
		['<a>&#0;</a>', "the reference '&#0;' names no character of XML"],
		['<a/><b/>', 'found a second outermost element <b>, expected one'],
		['<a/>x', 'found character data outside of the outermost element'],
		['', 'the text holds no element'],
		['<a><!-- ', "found no '-->' for this '<!--'"],
		['<a>< b</a>', "found '<', expected the name of an element after it"],
	])('reports %j', (text, message) => {
		const { diagnostics, document } = read(text);
		expect(diagnostics.map((d) => d.message)).toContain(message);
		expect(diagnostics.every((d) => d.file === 'a.xml' && d.range !== undefined)).toBe(true);
		expect(document.isWellFormed).toBe(false);
	});

	it('cuts nesting at the bound and goes on behind it', () => {
		const { root, codes } = read('<a><b><c><d/></c>t</b><e/></a>', 2);
		expect(codes).toEqual(['XML003']);
		expect(root?.children.map((child) => [child.name, child.children.length])).toEqual([
			['b', 0],
			['e', 0],
		]);
		const deep = `${'<a>'.repeat(50000)}${'</a>'.repeat(50000)}`;
		expect(read(deep).codes).toEqual(['XML003']);
	});

	it('gives back every tree that is written out', () => {
		const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,6}$/);
		const value = fc.string({ unit: 'binary', maxLength: 12 }).filter((s) => [...s].every(isCharacter));
		const attributes = fc.uniqueArray(fc.tuple(name, value), { selector: ([n]) => n, maxLength: 4 });
		const leaf = fc.record({ name, attributes, children: fc.constant<Tree[]>([]) });
		const branch = fc.record({ name, attributes, children: fc.array(leaf, { maxLength: 3 }) });
		const tree = fc.record({ name, attributes, children: fc.array(branch, { maxLength: 3 }) });
		fc.assert(
			fc.property(tree, (expected) => {
				const { root, diagnostics } = read(write(expected));
				expect(diagnostics).toEqual([]);
				expect(root && plain(root)).toEqual(expected);
			}),
			{ seed: 7, numRuns: 200 },
		);
	});

	it('never throws, whatever the text', () => {
		const piece = fc.constantFrom(
			'<',
			'>',
			'/',
			'=',
			'"',
			"'",
			'&',
			';',
			'!',
			'-',
			'?',
			'[',
			']',
			'a',
			' ',
			'<!--',
			'<a',
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				const text = pieces.join('');
				const { document, diagnostics } = read(text);
				for (const d of diagnostics) expect(d.range?.start.offset).toBeLessThanOrEqual(text.length);
				expect(document.isWellFormed).toBe(diagnostics.length === 0);
			}),
			{ seed: 11, numRuns: 2000 },
		);
	});
});

interface Tree {
	name: string;
	attributes: [string, string][];
	children: Tree[];
}

function plain(element: XmlElement): Tree {
	return {
		name: element.name,
		attributes: element.attributes.map((a) => [a.name, a.value]),
		children: element.children.map(plain),
	};
}

function write(tree: Tree): string {
	const attributes = tree.attributes.map(([name, value]) => ` ${name}="${escapeText(value)}"`).join('');
	return `<${tree.name}${attributes}>${tree.children.map(write).join('\n')}</${tree.name}>`;
}

function escapeText(text: string): string {
	return text.replace(/[&<>"\t\r\n]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function isCharacter(character: string): boolean {
	const point = character.codePointAt(0) ?? 0;
	const isControl = point < 0x20 && point !== 9 && point !== 10 && point !== 13;
	return !isControl && !(point >= 0xd800 && point <= 0xdfff) && point !== 0xfffe && point !== 0xffff;
}

describe('readNumberList', () => {
	it('rounds as Number does, whatever the digits', () => {
		const words = fc.oneof(
			fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
			fc.tuple(fc.integer(), fc.nat(), fc.integer({ min: -330, max: 330 })).map(([a, b, e]) => `${a}.${b}e${e}`),
			fc.bigInt().map(String),
			fc.constantFrom('-0', '+1.5', '.5', '5.', '1E5', '00012', '123456789012345678901234567890.5e-20'),
		);
		fc.assert(
			fc.property(fc.array(words), fc.constantFrom(' ', '\n', '\t  '), (list, space) => {
				expect([...readNumberList(space + list.join(space) + space)]).toEqual(list.map(Number));
			}),
		);
	});

	it.each([
		['0', 0],
		['-0', -0],
		['-0.0', -0],
		['0.', 0],
		['00', 0],
		['+7', 7],
		['.5', 0.5],
		['-.25', -0.25],
		['0.006448507', 6448507 / 1e9],
		['-9.77863e-4', -977863 / 1e9],
		['999999999', 999999999],
		['0999999999', 999999999],
		['1234567890', 1234567890],
		['0.0000000001', 1e-10],
		['0.1234567890', 0.123456789],
		['4294967297', 4294967297],
		['123456789012345', 123456789012345],
		['9007199254740993', 9007199254740992],
		['0.30000000000000004', 0.1 + 0.2],
		['1e22', 1e22],
		['1e23', 1e23],
		['5E+2', 500],
		['0e5', 0],
		['2.2250738585072014e-308', 2 ** -1022],
		['1e400', Number.POSITIVE_INFINITY],
		['INF', Number.POSITIVE_INFINITY],
		['-infinity', Number.NEGATIVE_INFINITY],
		['NaN', Number.NaN],
		['0x', Number.NaN],
		['0..5', Number.NaN],
		['1.2.3', Number.NaN],
		['1234567890x', Number.NaN],
		['1e', Number.NaN],
		['+', Number.NaN],
	])('reads %s', (word, value) => {
		const numbers = readNumberList(`1 ${word} 2`);
		expect([numbers.length, numbers[0], numbers[2]]).toEqual([3, 1, 2]);
		expect(Object.is(numbers[1], value), String(numbers[1])).toBe(true);
	});

	it('ends with a file that is cut off within a number', () => {
		for (const last of ['2', '2.5', '2e1', '-', '2.', '2e']) {
			const { root } = read(new TextEncoder().encode(`<a>1 ${last}`));
			expect([...(root?.numbers ?? [])]).toEqual([1, ...readNumberList(last)]);
		}
	});

	it('gives NaN for words that are no numbers, and goes on', () => {
		expect([...readNumberList('1 x 2e 0x10 1.2.3 --4 - . inf -Infinity nan 3')]).toEqual([
			1,
			Number.NaN,
			Number.NaN,
			Number.NaN,
			Number.NaN,
			Number.NaN,
			Number.NaN,
			Number.NaN,
			Number.POSITIVE_INFINITY,
			Number.NEGATIVE_INFINITY,
			Number.NaN,
			3,
		]);
	});
});

describe('integers of an element', () => {
	const integers = (text: string): number[] | undefined => {
		const found = read(new TextEncoder().encode(text)).root?.integers;
		return found === undefined ? undefined : [...found];
	};

	it.each([
		['<a>0 1 22 333</a>', [0, 1, 22, 333]],
		['<a>\n\t-1  +2\r\n007</a>', undefined],
		['<a>\n\t-1  +2\n007 </a>', [-1, 2, 7]],
		['<a>999999999 -999999999</a>', [999999999, -999999999]],
		['<a>1 2', [1, 2]],
		['<a> </a>', []],
	])('are read from %j', (text, expected) => {
		expect(integers(text)).toEqual(expected);
	});

	it('are more than room for a first guess', () => {
		const expected = Array.from({ length: 5000 }, (_, i) => i - 100);
		expect(integers(`<a>${expected.join(' ')}</a>`)).toEqual(expected);
		expect(integers('<a>3</a>')).toEqual([3]);
	});

	it.each(['1234567890', '1.0', '1e2', '-', '+ 1', 'x', '1x', '--1', 'inf', '1&#32;2', '<b/>1', 'ä'])(
		'are none with %j among them',
		(word) => {
			expect(integers(`<a>1 ${word} 2</a>`)).toBeUndefined();
		},
	);
});

it('names elements without their prefix when that is asked for', () => {
	const { root } = readXml('<c:COLLADA xmlns:c="x"><c:asset/></c:COLLADA>', { localNames: true });
	expect([root?.name, root?.child('asset')?.name]).toEqual(['COLLADA', 'asset']);
});
