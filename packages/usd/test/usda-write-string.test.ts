import { describe, expect, it } from 'vitest';
import { quoteString, writeAssetPath } from '../src/text/quote-string.ts';
import { TextOutput } from '../src/text/text-output.ts';

function asset(path: string): string {
	const out = new TextOutput();
	writeAssetPath(out, path);
	return new TextDecoder().decode(out.finish());
}

describe('quoted strings', () => {
	it.each([
		['plain', '"plain"'],
		['', '""'],
		['say "hi"', `'say "hi"'`],
		["it's", '"it\'s"'],
		[`both " and '`, `"both \\" and '"`],
		['two\nlines', '"""two\nlines"""'],
		['"quoted"\nlines', `'''"quoted"\nlines'''`],
		['tab\tand\rreturn', '"tab\\tand\\rreturn"'],
		['back\\slash', '"back\\\\slash"'],
		['\x01\x7f', '"\\x01\\x7f"'],
		['größe 漢 😀', '"größe 漢 😀"'],
	])('%j is written %s', (text, expected) => {
		expect(quoteString(text)).toBe(expected);
	});

	it('spell raw bytes that are not UTF-8 in hex', () => {
		expect(quoteString('a\udcffb')).toBe('"a\\xffb"');
	});
});

describe('asset paths', () => {
	it.each([
		['a.usd', '@a.usd@'],
		['', '@@'],
		['a@b', '@@@a@b@@@'],
		['a@@@b', '@@@a\\@@@b@@@'],
		['ü.png', '@ü.png@'],
	])('%j is written %s', (path, expected) => {
		expect(asset(path)).toBe(expected);
	});
});

describe('text output', () => {
	it('joins its pieces in order', () => {
		const out = new TextOutput();
		let expected = '';
		for (let i = 0; i < 5000; i++) {
			out.line(i % 3, `line ${i}ä\n`);
			expected += `${'    '.repeat(i % 3)}line ${i}ä\n`;
		}
		const bytes = out.finish();
		expect(bytes.length).toBe(out.totalLength);
		expect(new TextDecoder().decode(bytes)).toBe(expected);
	});

	it('takes a text longer than any piece', () => {
		const out = new TextOutput();
		const long = 'x'.repeat(5_000_000);
		out.text('a');
		out.text(long);
		out.text('b');
		expect(new TextDecoder().decode(out.finish())).toBe(`a${long}b`);
	});
});
