import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Report } from '@manyworlds/core';
import {
	createMjcf,
	type MjcfDocument,
	MjcfElement,
	type MjcfFileContent,
	type ReadMjcfOptions,
	readMjcf,
	writeMjcf,
} from '@manyworlds/formats';
import { mjcfElementAtLine } from '@manyworlds/formats/internal';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** A file as the includes of another name it. */
function load(path: string, from: string): MjcfFileContent {
	const file = join(dirname(from), path);
	try {
		return { file, content: readFileSync(file) };
	} catch {
		return { file, failure: '' };
	}
}

/** A model from texts by name; `main.xml` is the main one. */
function read(files: Readonly<Record<string, string>>, options: ReadMjcfOptions = {}): MjcfDocument {
	const find = (file: string): MjcfFileContent => {
		const content = files[file];
		return content === undefined ? { file, failure: '' } : { file, content };
	};
	return readMjcf(files['main.xml']!, { file: 'main.xml', load: find, ...options });
}

/** All that a document holds, without places; includes that were read are left out, as they are when it is written. */
function contentOf(document: MjcfDocument): unknown {
	const ofElement = (element: MjcfElement): unknown => {
		const inside: unknown[] = [];
		for (const child of element.children) {
			inside.push(...child.leading.map(remark));
			if (!child.isResolvedInclude) inside.push(ofElement(child));
		}
		inside.push(...element.trailing.map(remark));
		const attributes = element.attributes.map(({ name, value }) => [name, value]);
		return { name: element.name, suffix: element.suffix, copy: element.copyIndex, attributes, inside };
	};
	const remark = ({ kind, text }: { kind: string; text: string }): string => `${kind} ${text}`;
	return document.root === undefined
		? undefined
		: [document.root.leading.map(remark), ofElement(document.root), document.trailing.map(remark)];
}

function xmlFiles(folder: string): string[] {
	try {
		return readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.xml'))
			.map((name) => join(folder, name))
			.filter((file) => /<mujoco\b/.test(readFileSync(file, 'utf8')))
			.sort();
	} catch {
		return [];
	}
}

const OWN = [...xmlFiles(join(ROOT, 'examples/robots')), ...xmlFiles(join(ROOT, 'conformance/data/import'))];
const SHARED = ['assets/menagerie', 'more/menagerie'].flatMap((name) => xmlFiles(join(ROOT, '../shared', name)));

describe('writing MJCF', () => {
	test('there are own examples to write', () => {
		expect(OWN.length).toBeGreaterThan(5);
	});

	test.each([...OWN, ...SHARED])('%s reads as before after it was written', (file) => {
		for (const expandReplicate of [true, false]) {
			const before = readMjcf(readFileSync(file), { file, load, expandReplicate });
			const text = writeMjcf(before);
			const after = readMjcf(text, { file, load, expandReplicate });
			expect(contentOf(after)).toEqual(contentOf(before));
			expect(writeMjcf(after)).toBe(text);
		}
	});

	test('keeps comments, character data, instructions and what is unknown, in their places', () => {
		const text = [
			'<?xml version="1.0" encoding="utf-8"?>',
			'<!-- top -->',
			'<mujoco model="a &amp; &quot;b&quot;">',
			'  <!-- two',
			'       lines -->',
			'  <worldbody>',
			'    <body name="x" novel:kind="1e-2 .50">',
			'      <invention level="9"/>',
			'      stray &lt;text&gt;',
			'      <!-- last -->',
			'    </body>',
			'    <body>',
			'      <!-- alone -->',
			'    </body>',
			'  </worldbody>',
			'</mujoco>',
			'<!-- end -->',
			'',
		].join('\n');
		expect(writeMjcf(readMjcf(text))).toBe(text);
	});

	test('the text is UTF-8, and says so', () => {
		const latin = Uint8Array.from('<?xml version="1.0" encoding="ISO-8859-1"?><mujoco model="\xe9"/>', (character) =>
			character.charCodeAt(0),
		);
		expect(writeMjcf(readMjcf(latin))).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<mujoco model="é"/>\n');
	});

	test('an include is written as what its file holds; one that is missing stays', () => {
		const document = read({
			'main.xml':
				'<mujoco><worldbody><!--1--><include file="b.xml"/><!--4--><body name="c"/><include file="none.xml"/></worldbody></mujoco>',
			'b.xml': '<?xml version="1.0"?><!--2--><mujocoinclude><body name="b"/><!--3--></mujocoinclude>',
		});
		expect(writeMjcf(document)).toBe(
			[
				'<mujoco>',
				'  <worldbody>',
				'    <!--1-->',
				'    <!--2-->',
				'    <body name="b"/>',
				'    <!--3-->',
				'    <!--4-->',
				'    <body name="c"/>',
				'    <include file="none.xml"/>',
				'  </worldbody>',
				'</mujoco>',
				'',
			].join('\n'),
		);
	});

	test('a replication is written once; its copies cannot be edited', () => {
		const files = {
			'main.xml':
				'<mujoco><worldbody><replicate count="3" offset="1 0 0"><geom name="g" size="1"/></replicate></worldbody></mujoco>',
		};
		const expanded = read(files);
		expect(writeMjcf(expanded).match(/<geom name="g"/g)).toHaveLength(1);
		const copy = [...expanded.elements()].find(({ name }) => name === 'geom')!;
		expect(() => copy.set('size', 2)).toThrow('expandReplicate: false');
		expect(() => copy.parent!.add('geom')).toThrow('expandReplicate: false');
		const plain = read(files, { expandReplicate: false });
		[...plain.elements()].find(({ name }) => name === 'geom')!.set('size', 2);
		expect(writeMjcf(plain)).toContain('<geom name="g" size="2"/>');
	});

	test('a bad replication keeps what it holds', () => {
		const document = read({
			'main.xml': '<mujoco><worldbody><replicate count="x"><geom size="1"/></replicate></worldbody></mujoco>',
		});
		expect(writeMjcf(document)).toContain('<geom size="1"/>');
	});

	test('a text without a model gives an empty one', () => {
		expect(writeMjcf(readMjcf('<robot/>'))).toBe('');
	});
});

describe('editing MJCF', () => {
	test('attributes are set in place, added behind and taken away', () => {
		const document = read({ 'main.xml': '<mujoco><option a="1" b="2" c="3"/></mujoco>' });
		const option = document.root!.child('option')!;
		option
			.set('b', [0.1, -0, 1e-7, 2 ** -1030])
			.set('d', true)
			.set('e', undefined)
			.delete('a')
			.delete('none');
		expect(writeMjcf(document)).toContain('<option b="0.1 0 1e-7 0" c="3" d="true"/>');
		// what was read stays as it is
		expect(option.xml!.get('b')).toBe('2');
	});

	test('numbers read back to the same double', () => {
		const numbers = [0.1 + 0.2, 1 / 3, 5e-300, -123456789.12345679, Number.MAX_VALUE, 2 ** -1022];
		const document = createMjcf();
		document.root!.add('option', { gravity: numbers });
		const again = readMjcf(writeMjcf(document)).root!.child('option')!.get('gravity')!;
		expect(again.split(' ').map(Number)).toEqual(numbers);
	});

	test('white space and markup in values survive', () => {
		const document = createMjcf();
		document.root!.set('model', 'a\tb\nc "<&>"');
		expect(readMjcf(writeMjcf(document)).modelName).toBe('a\tb\nc "<&>"');
	});

	test('elements are added, moved with their remarks, and removed', () => {
		const document = read({
			'main.xml': '<mujoco><worldbody><!--of a--><body name="a"/><body name="b"/></worldbody></mujoco>',
		});
		const [world] = document.sections('worldbody');
		const [a, b] = world!.childrenNamed('body');
		b!.append(a!);
		expect(a!.parent).toBe(b);
		world!.append(new MjcfElement('geom', { size: 1 }), b);
		expect(world!.children.map(({ name }) => name)).toEqual(['geom', 'body']);
		expect(writeMjcf(document)).toContain('<body name="b">\n      <!--of a-->\n      <body name="a"/>');
		expect(() => a!.append(b!)).toThrow('inside itself');
		expect(() => world!.remove(a!)).toThrow('no child');
		world!.remove(b!);
		expect(b!.parent).toBeUndefined();
		expect(writeMjcf(document)).toBe('<mujoco>\n  <worldbody>\n    <geom size="1"/>\n  </worldbody>\n</mujoco>\n');
	});

	test('what was made has no place; what is edited has that of its element', () => {
		const document = read({ 'main.xml': '<mujoco>\n<compiler angle="radian"/>\n</mujoco>' });
		const made = document.root!.add('compiler', { angle: 'turns' });
		expect([made.location, made.attribute('angle')!.location, made.xml]).toEqual([{}, {}, undefined]);
		expect([made.path, made.source.file]).toEqual(['compiler[2]', 'main.xml']);
		const report = new Report();
		document.refresh(report);
		expect(report.toArray().map(({ code, range }) => [code, range])).toEqual([['MJCF006', undefined]]);
		const compiler = document.root!.child('compiler')!.set('angle', 'turns');
		document.root!.remove(made);
		const again = new Report();
		document.refresh(again);
		expect(again.toArray()[0]!.range!.start.line).toBe(compiler.location.range!.start.line);
	});

	test('compiler settings and default classes follow an edit when they are taken again', () => {
		const document = createMjcf();
		document.root!.add('compiler', { angle: 'radian' });
		document.root!.add('default').add('geom', { margin: 0.5 });
		expect(document.compiler.degree).toBe(true);
		document.refresh();
		expect(document.compiler.degree).toBe(false);
		const geom = document.root!.add('worldbody').add('geom');
		expect(document.attributesOf(geom).get('margin')!.text).toBe('0.5');
	});

	test('a line of the text has its element', () => {
		const document = readMjcf('<mujoco><!--a\nb--><worldbody><geom/></worldbody></mujoco>');
		const names = [1, 2, 3, 4, 5, 6, 7, 8].map((line) => mjcfElementAtLine(document, line)?.name);
		expect(names).toEqual(['mujoco', undefined, undefined, 'worldbody', 'geom', 'worldbody', 'mujoco', undefined]);
	});
});
