import { SourceText } from '@manyworlds/core';
import { EXCERPT_WIDTH } from '@manyworlds/core/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const utf8 = new TextEncoder();
const source = (text: string): SourceText => new SourceText(utf8.encode(text), 'a.usda');

describe('positions', () => {
	test('lines and columns are counted from 1', () => {
		const text = source('ab\ncd\n');
		expect(text.position(0)).toEqual({ offset: 0, line: 1, column: 1 });
		expect(text.position(2)).toEqual({ offset: 2, line: 1, column: 3 });
		expect(text.position(3)).toEqual({ offset: 3, line: 2, column: 1 });
		expect(text.position(6)).toEqual({ offset: 6, line: 3, column: 1 });
		expect(text.lineCount).toBe(3);
	});

	test('columns of long lines are the same whatever was asked for before', () => {
		const line = Array.from({ length: 4000 }, (_, i) => 'aé€😀'.slice(i % 3, (i % 3) + (i % 3 === 2 ? 3 : 1))).join('');
		const text = source(`first\n${line}\n${line}`);
		const places = [6];
		for (const one of line) places.push(places.at(-1)! + Buffer.byteLength(one));
		// far right, left again, near, and from end to end
		for (let k = 0; k < places.length; k++) {
			const at = (k * 2741) % places.length;
			expect(text.position(places[at]!)).toEqual({ offset: places[at]!, line: 2, column: at + 1 });
			const below = places[at]! + Buffer.byteLength(line) + 1;
			expect(text.position(below)).toEqual({ offset: below, line: 3, column: at + 1 });
		}
	});

	test('columns count code points', () => {
		const text = source('é漢😀x');
		expect(text.position(2 + 3 + 4).column).toBe(4);
	});

	test('LF, CR LF and a lone CR end a line', () => {
		const text = source('a\r\nb\rc\nd');
		expect([0, 3, 5, 7].map((offset) => text.position(offset).line)).toEqual([1, 2, 3, 4]);
		expect(text.lineCount).toBe(4);
	});

	test('offsets outside the file are moved to its ends', () => {
		const text = source('ab');
		expect(text.position(-5).offset).toBe(0);
		expect(text.position(Number.NaN).offset).toBe(0);
		expect(text.position(99)).toEqual({ offset: 2, line: 1, column: 3 });
		expect(source('').position(0)).toEqual({ offset: 0, line: 1, column: 1 });
	});

	test('a range that ends before it starts is empty', () => {
		expect(source('abc').range(2, 1)).toEqual({
			start: { offset: 2, line: 1, column: 3 },
			end: { offset: 2, line: 1, column: 3 },
		});
	});

	test('agree with a decoded count for any text and any order of questions', () => {
		const text = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\n', '\r', 'é', '漢', '😀') });
		fc.assert(
			fc.property(text, fc.array(fc.nat(40), { maxLength: 10 }), (content, picks) => {
				const subject = source(content);
				const characters = [...content];
				for (const pick of picks) {
					const before = characters.slice(0, Math.min(pick, characters.length)).join('');
					if (before.endsWith('\r') && content.startsWith('\n', before.length)) continue;
					const lines = before.split(/\r\n|\n|\r/);
					const position = subject.position(utf8.encode(before).length);
					expect(position.line).toBe(lines.length);
					expect(position.column).toBe([...lines.at(-1)!].length + 1);
					expect(subject.offsetAt(position.line, position.column)).toBe(position.offset);
				}
			}),
			{ seed: 1, numRuns: 300 },
		);
	});

	test('a thousand places on one line of 10 MB are located', () => {
		const text = new SourceText(new Uint8Array(10_000_000).fill(0x61));
		for (let i = 0; i < 1000; i++) text.locate(i * 10_000, i * 10_000 + 5);
		expect(text.position(9_990_000).column).toBe(9_990_001);
	});
});

describe('line bounds', () => {
	test('exclude the line end', () => {
		const text = source('ab\r\ncde\n');
		expect([text.lineStart(2), text.lineEnd(2)]).toEqual([4, 7]);
		expect([text.lineStart(1), text.lineEnd(1)]).toEqual([0, 2]);
		expect([text.lineStart(99), text.lineEnd(99)]).toEqual([8, 8]);
	});

	test('a column past the end of a line gives its end', () => {
		expect(source('ab\ncd').offsetAt(1, 99)).toBe(2);
	});
});

describe('excerpts', () => {
	test('show the line and the columns to underline', () => {
		expect(source('x\n  def "a"\ny').excerpt(4, 7)).toEqual({ text: '  def "a"', caretStart: 2, caretLength: 3 });
	});

	test('underline one column past the end of the line when nothing is there', () => {
		expect(source('ab\n').excerpt(2, 3)).toEqual({ text: 'ab', caretStart: 2, caretLength: 1 });
		expect(source('ab\r\nc').excerpt(3, 4)).toEqual({ text: 'ab', caretStart: 2, caretLength: 1 });
		expect(source('').excerpt(0, 0)).toEqual({ text: '', caretStart: 0, caretLength: 1 });
	});

	test('stop the underline at the end of the line', () => {
		expect(source('abc\ndef').excerpt(1, 6)).toEqual({ text: 'abc', caretStart: 1, caretLength: 2 });
	});

	test('cut a long line to a window around the place', () => {
		const excerpt = source(`${'a'.repeat(500)}X${'b'.repeat(500)}`).excerpt(500, 501);
		expect([...excerpt.text]).toHaveLength(EXCERPT_WIDTH);
		expect([...excerpt.text][excerpt.caretStart]).toBe('X');
		expect(excerpt.text).toMatch(/^…a+Xb+…$/);
	});

	test('replace what would disturb a terminal', () => {
		expect(source('\u001b[31m\u202eX\t').excerpt(0, 1).text).toBe('\u241b[31m\ufffdX\t');
	});

	test('stay within the window whatever the bytes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(2000), fc.nat(2000), (bytes, start, length) => {
				const { text, caretStart, caretLength } = new SourceText(bytes).excerpt(start, start + length);
				const size = [...text].length;
				expect(size).toBeLessThanOrEqual(EXCERPT_WIDTH);
				expect(caretStart + caretLength).toBeLessThanOrEqual(size + 1);
				expect(text).not.toMatch(/[\n\r]/);
			}),
			{ seed: 2, numRuns: 300 },
		);
		const continuation = new SourceText(new Uint8Array(100_000).fill(0x80)).excerpt(50_000, 50_001);
		expect([...continuation.text].length).toBeLessThanOrEqual(EXCERPT_WIDTH);
	});
});

test('locate gives what a diagnostic needs', () => {
	const place = source('ab cd').locate(3, 5);
	expect(place.file).toBe('a.usda');
	expect(place.range.start.column).toBe(4);
	expect(place.excerpt.caretLength).toBe(2);
	expect('file' in new SourceText(new Uint8Array(0)).locate(0, 0)).toBe(false);
});
