import { type CheckOptions, checkAsset } from '@manyworlds/rep158';
import { CODES } from '@manyworlds/rep158/codes';
import { expect } from 'vitest';
import { openAsset } from '../open-asset.ts';
import { METRICS } from './check-files.ts';

/** A layer from its body, with the metadata that every layer of an asset has. */
export function layerOf(body: string, metadata = 'defaultPrim = "robot"'): string {
	return `#usda 1.0\n(\n\t${metadata}\n\t${METRICS}\n)\n${body}`;
}

/**
 * Checks an asset, the first of some files, whose text says itself where findings are: a line that ends in `# R1.3.3` has one of that rule and no other line has,
 * `# R1.3.3:warning` one of another severity than is usual. Short prims may stand on one line, the mark is then of their first. Only the
 * rules that are given count; findings of lines that cannot be marked follow as `file:line RULE`.
 */
export function expectMarked(
	rules: readonly string[],
	files: string | Readonly<Record<string, string | Uint8Array>>,
	options: CheckOptions = {},
	further: readonly string[] = [],
): void {
	const expected: string[] = [...further];
	const plain: Record<string, string | Uint8Array> = {};
	for (const [file, text] of Object.entries(typeof files === 'string' ? { 'robot.usda': layerOf(files) } : files)) {
		plain[file] = typeof text === 'string' && file.endsWith('.usda') ? takeMarks(file, text, expected) : text;
	}
	const { layer, store } = openAsset(plain, Object.keys(plain)[0]!);
	const { report } = checkAsset(layer, store, options);
	const [fault] = store.report.toArray();
	if (fault !== undefined) throw new Error(`${fault.message} ${fault.range?.start.line}`);
	const found = report
		.toArray()
		.filter(({ code }) => rules.includes(code) || code === 'CHK002')
		.map(({ code, severity, file, range }) => {
			const usual = CODES[code]?.severity === severity;
			return `${file?.split('/').at(-1)}:${range?.start.line ?? 0} ${code}${usual ? '' : `:${severity}`}`;
		});
	expect(found.sort()).toEqual(expected.sort());
}

/** The text without marks, statements on lines of their own; `file:line RULE` of the marks is added to a list. */
function takeMarks(file: string, text: string, expected: string[]): string {
	const lines: string[] = [];
	for (const line of text.split('\n')) {
		const [, body, marks] = /^(.*?)(?:# (R\d[\w.: R]*))?$/.exec(line)!;
		for (const mark of marks?.trim().split(/ +/) ?? [])
			expected.push(`${file.split('/').at(-1)}:${lines.length + 1} ${mark}`);
		lines.push(...body!.replaceAll(/\{ /g, '{\n').replaceAll(/ \}/g, '\n}\n').replaceAll('; ', '\n').split('\n'));
	}
	return lines.join('\n');
}
