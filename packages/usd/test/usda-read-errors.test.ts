import { CODES } from '@manyworlds/usd/codes';
import { describe, expect, it } from 'vitest';
import type { ListOp } from '../src/sdf/list-op.ts';
import type { Path } from '../src/sdf/path.ts';
import type { Value } from '../src/sdf/value.ts';
import { fieldAt, readBytes, readText } from './read-text.ts';

function codesOf(text: string): string[] {
	return readBytes(new TextEncoder().encode(text)).diagnostics.map(({ code }) => code);
}

const EXAMPLES = Object.entries(CODES).filter(([code, { bad }]) => code.startsWith('USDA') && bad !== undefined);

describe('examples of the code registry', () => {
	it.each(EXAMPLES)('%s: the bad one provokes it and nothing else', (code, { bad }) => {
		expect([...new Set(codesOf(bad!))]).toStrictEqual([code]);
	});

	it.each(EXAMPLES)('%s: the good one gives no diagnostic', (_, { good }) => {
		expect(codesOf(good!)).toStrictEqual([]);
	});
});

describe('codes without an example', () => {
	it('USDA009: bytes that are not UTF-8', () => {
		const bytes = new TextEncoder().encode('#usda 1.0\ndef "A" {\n    string s = "?"\n}\n');
		bytes[bytes.indexOf(0x3f)] = 0xff;
		expect(readBytes(bytes).places).toStrictEqual(['USDA009 3:17']);
	});

	it('USDA010: control characters', () => {
		expect(readText('def "A" {\n\0\n}\n').places).toStrictEqual(['USDA010 3:1']);
		expect(readText('def "A" {\n asset a = @a\x01b@\n}\n').places).toStrictEqual(['USDA010 3:14']);
	});

	it('USDA015: nesting', () => {
		expect(readText(`def "A" {\n int[] a = ${'['.repeat(2000)}\n}\n`).places).toStrictEqual(['USDA015 3:12']);
	});

	it('USDA064: too many mistakes', () => {
		const { diagnostics, data } = readText(`def "A" {\n int first = 1\n${' int a = ?\n'.repeat(20_000)}}\n`);
		expect(diagnostics.length).toBeLessThanOrEqual(1000);
		expect(fieldAt(data, '/A.first', 'default')?.data).toBe(1);
	});
});

describe('a diagnostic', () => {
	it('says what was found and expected, where, with the line and a caret', () => {
		const { diagnostics } = readText('def "A" {\n    float mass = "heavy"\n}\n', { file: 'robot.usda' });
		expect(diagnostics).toMatchObject([
			{
				code: 'USDA030',
				severity: 'error',
				message: 'found \'"heavy"\', expected a number for float',
				file: 'robot.usda',
				prim: '/A.mass',
				range: { start: { line: 3, column: 18, offset: 37 }, end: { line: 3, column: 25 } },
				excerpt: { text: '    float mass = "heavy"', caretStart: 17, caretLength: 7 },
			},
		]);
	});

	it('stays short and printable whatever the text is', () => {
		const name = `\u202e${'x'.repeat(5000)} `;
		for (const { message, excerpt } of readText(`def "${name}" {\n bool b = "${name}"\n}\n`).diagnostics) {
			expect(message.length).toBeLessThan(250);
			expect(message).not.toContain('\u202e');
			expect(excerpt?.text).not.toContain('\u202e');
		}
	});
});

describe('recovery', () => {
	it('reports independent mistakes once each and keeps what is right', () => {
		const { places, data } = readText(
			[
				'(',
				'    metersPerUnit = "one"',
				'    upAxis = "Z"',
				')',
				'def Xform "A" (',
				'    kind = 5',
				'    active = true',
				')',
				'{',
				'    int a = ',
				'    int b = 2',
				'    float3[] c = [(1, 2, 3), (4, 5)]',
				'    rel d = </bad path>',
				'    int[] e = [1, 2',
				'    int f = 6',
				'    def "B" {',
				'        string s = "open',
				'        string t = "ok"',
				'    }',
				'    int g = 7 int h = 8',
				'    int i = 9',
				'}',
				'def "C" {',
				'}',
				'',
			].join('\n'),
		);
		expect(places).toStrictEqual([
			'USDA030 3:21',
			'USDA001 7:12',
			'USDA001 11:13',
			'USDA032 13:30',
			'USDA024 14:13',
			'USDA001 16:5',
			'USDA005 18:20',
			'USDA013 21:15',
		]);
		expect(fieldAt(data, '/', 'upAxis')?.data).toBe('Z');
		expect(fieldAt(data, '/A', 'active')?.data).toBe(true);
		expect(fieldAt(data, '/A.b', 'default')?.data).toBe(2);
		expect(fieldAt(data, '/A.f', 'default')?.data).toBe(6);
		expect(fieldAt(data, '/A/B.t', 'default')?.data).toBe('ok');
		expect(fieldAt(data, '/A.i', 'default')?.data).toBe(9);
		expect(fieldAt(data, '/', 'primChildren')?.data).toStrictEqual(['A', 'C']);
	});

	it('checks what is below a prim that cannot be kept, without keeping it', () => {
		const { places, data } = readText(
			'def "A" {\n int a = 1\n}\ndef "A" {\n int a = 2\n int b = ?\n}\ndef "1" {\n int c = ?\n}\ndef "D" {\n}\n',
		);
		expect(places).toStrictEqual(['USDA021 5:5', 'USDA001 7:10', 'USDA020 9:5', 'USDA001 10:10']);
		expect(fieldAt(data, '/A.a', 'default')?.data).toBe(1);
		expect(fieldAt(data, '/A', 'properties')?.data).toStrictEqual(['a']);
		expect(fieldAt(data, '/', 'primChildren')?.data).toStrictEqual(['A', 'D']);
	});

	it('closes what is open at the end and says so once', () => {
		const { places, data } = readText('def "A" {\n def "B" {\n  int x = 1\n');
		expect(places).toStrictEqual(['USDA011 5:1']);
		expect(fieldAt(data, '/A', 'primChildren')?.data).toStrictEqual(['B']);
		expect(fieldAt(data, '/A/B.x', 'default')?.data).toBe(1);
	});

	it('steps over a block that belongs to nothing', () => {
		const { places, data } = readText('define "A"\n{\n int x = ?\n}\ndef "B" {\n}\n');
		expect(places).toStrictEqual(['USDA052 2:1']);
		expect(fieldAt(data, '/', 'primChildren')?.data).toStrictEqual(['B']);
	});

	it('keeps the usable items of a list', () => {
		const { places, data } = readText('def "A" {\n rel r = [</B>, <>, </C{v=x}>, </D>, </B>]\n}\n');
		expect(places).toStrictEqual(['USDA027 3:10', 'USDA025 3:17', 'USDA026 3:21']);
		const targets = fieldAt(data, '/A.r', 'targetPaths') as Value<ListOp<Path>>;
		expect(targets.data.explicitItems.join()).toBe('/B,/D');
	});
});

describe('empty variant sets', () => {
	it('have nothing between their braces', () => {
		expect(readText('def "A" {\n variantSet "v" = {}\n}\n').places).toStrictEqual([]);
		expect(readText('def "A" {\n variantSet "v" = {\n }\n}\n').places).toStrictEqual(['USDA001 4:2']);
		expect(readText('def "A" {\n variantSet "v" = {\n "x y" {\n }\n }\n}\n').places).toStrictEqual(['USDA023 4:2']);
	});
});

describe('headers', () => {
	it.each(['#usda 1.0', '#usda 1.4', '#usda 1.0.7', '#usda  1.2 ', '#sdf 1.4.32', '\n #usda 1.0', '#usda 1.0\r'])(
		'accepts %j',
		(header) => {
			expect(codesOf(`${header}\ndef "A" {\n}\n`)).toStrictEqual([]);
		},
	);

	it.each([
		['#usda', 'USDA002'],
		['#USDA 1.0', 'USDA002'],
		['#usda 1.5', 'USDA003'],
		['#usda 2.0', 'USDA003'],
		['#usda x', 'USDA003'],
		['#sdf 2.0', 'USDA003'],
		['\x89PNG\r\n\x1a\n', 'USDA002'],
		['   \n', 'USDA002'],
	])('refuses %j', (header, code) => {
		expect(codesOf(`${header}\n`)).toStrictEqual([code]);
	});
});
