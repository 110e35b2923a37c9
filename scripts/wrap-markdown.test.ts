import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-files.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

describe('wrapping Markdown', () => {
	it('has been done in every page that people write', () => {
		const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
		const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
		expect(pages.filter((page) => existsSync(join(ROOT, page)) && wrapMarkdown(read(page)) !== read(page))).toEqual([]);
	});

	it('breaks paragraphs and list items at 120 columns and keeps their words', () => {
		const text = `${words(60)}\n\n- ${words(60)}\n- short\n1. ${words(30)}\n`;
		const lines = wrapMarkdown(text).split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
		expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(2);
		expect(lines[5]).toBe(`  ${words(23)}`);
		expect(wrapMarkdown(text).split(/\s+/)).toEqual(text.split(/\s+/));
		expect(wrapMarkdown(wrapMarkdown(text))).toBe(wrapMarkdown(text));
	});

	it('keeps within the width where the next word would begin a list', () => {
		const text = `${words(22)} \`run --one --two --three --four\` and + ${words(30)}\n`;
		const lines = wrapMarkdown(text).split('\n');
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
		expect(lines.filter((line) => /^[-+*]/.test(line))).toEqual([]);
	});

	it('leaves alone what is short, code, tables and headings', () => {
		const text = [
			`# ${words(40)}`,
			'two',
			'lines',
			'```',
			words(40),
			'```',
			`| ${words(40)} |`,
			`    ${words(40)}`,
		].join('\n');
		expect(wrapMarkdown(text)).toBe(text);
	});

	it('begins no line with what would be a list or a heading', () => {
		const text = `${words(23)} abcde - ${words(4)}`;
		expect(text.indexOf(' -')).toBe(120);
		expect(wrapMarkdown(text)).not.toMatch(/^-/m);
	});
});
