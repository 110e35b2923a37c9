/**
 * The assets of the REP cases with one line changed or left out: findings of every level, as recorded in `golden/rep158-edited.txt`. They were made by
 * this checker and tell that something changed, not that it is right; the cases themselves are judged by hand (`rep158-cases.ts`).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkAsset } from '@manyworlds/rep158';
import { isAssetFailure, MemoryStore } from '@manyworlds/usd';
import { expect, it } from 'vitest';
import { caseName, readBytes, walkFiles } from '../src/files.ts';
import { GoldenSections } from '../src/golden-sections.ts';
import { rep158 } from '../suites/rep158/index.ts';
import { formatFinding } from './rep158-cases.ts';

const { defaultDir } = rep158;
const golden = new GoldenSections(join(import.meta.dirname, '../golden/rep158-edited.txt'));
const cases = readdirSync(defaultDir)
	.sort()
	.flatMap((rule) =>
		readdirSync(join(defaultDir, rule))
			.sort()
			.map((name) => `${rule}/${name}`),
	);

/** A line that holds one whole field or property. */
const WHOLE = /^\s*(?:[\w[\]]+ )*[\w:.]+ = [^{}]*[^{}([,]$/;

/** A number that follows from a text. */
function hash(text: string): number {
	let sum = 7;
	for (const char of text) sum = (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0;
	return sum;
}

/** Changes one line of one layer and says which. */
function edit(name: string, files: Map<string, Uint8Array>): string {
	const places: [file: string, line: number][] = [];
	for (const [file, bytes] of files) {
		if (!file.endsWith('.usda')) continue;
		for (const [i, line] of new TextDecoder().decode(bytes).split('\n').entries())
			if (WHOLE.test(line)) places.push([file, i]);
	}
	const [file, at] = places[hash(name) % places.length]!;
	const lines = new TextDecoder().decode(files.get(file)).split('\n');
	const line = lines[at]!;
	const changed = line.replace(
		/(= .*?)(\d+(?:\.\d+)?)/,
		(_, head: string, number: string) => `${head}${3 * Number(number) + 1}`,
	);
	lines[at] = changed === line || hash(`${name}?`) % 2 === 0 ? '' : changed;
	files.set(file, new TextEncoder().encode(lines.join('\n')));
	return `${file}:${at + 1} ${line.trim()} → ${lines[at]!.trim() || '(nothing)'}`;
}

it.each(cases)('%s', (name) => {
	const dir = join(defaultDir, name);
	const files = new Map(Array.from(walkFiles(dir), (path) => [caseName(dir, path), readBytes(path)]));
	const done = edit(name, files);
	const store = new MemoryStore(files, { folder: '/asset' });
	const layer = store.open('asset.usda');
	if (isAssetFailure(layer)) throw new Error(layer.failure);
	const { report } = checkAsset(layer, store);
	const found = [done, ...[...store.report.toArray(), ...report.toArray()].map(formatFinding)];
	expect(found.join('\n')).toBe(golden.answer(name, found));
});
