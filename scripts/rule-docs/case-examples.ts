import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a rule asks for, shown by two little assets. */
export interface CaseExample {
	readonly bad: string;
	readonly good: string;
}

/** Lines shown before and after those that differ. */
const CONTEXT = 3;
/** Most lines of one example. */
const LONGEST = 28;

/**
 * The lines in which `good` and `bad` of a rule differ, with a few around them, each file under its name. Undefined when the rule
 * has no such pair.
 */
export function caseExample(folder: string): CaseExample | undefined {
	const good = readTexts(firstFolder(folder, 'good'));
	const bad = readTexts(firstFolder(folder, 'bad'));
	if (good.size === 0 || bad.size === 0) return undefined;
	const shown = { bad: [] as string[], good: [] as string[] };
	for (const name of [...new Set([...bad.keys(), ...good.keys()])].sort()) {
		const before = bad.get(name);
		const after = good.get(name);
		if (before?.join('\n') === after?.join('\n')) continue;
		const change = changedLines(before ?? [], after ?? []);
		if (before !== undefined) shown.bad.push(excerpt(name, before, change.from, change.badTo));
		if (after !== undefined) shown.good.push(excerpt(name, after, change.from, change.goodTo));
	}
	return { bad: shown.bad.join('\n'), good: shown.good.join('\n') };
}

/** The folder with this name, or the first that begins with it. */
function firstFolder(folder: string, name: string): string {
	const names = existsSync(folder) ? readdirSync(folder).sort() : [];
	return join(folder, names.find((candidate) => candidate.startsWith(name)) ?? name);
}

function readTexts(folder: string): Map<string, string[]> {
	const texts = new Map<string, string[]>();
	if (!existsSync(folder)) return texts;
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const path = join(entry.parentPath, entry.name);
		const name = path.slice(folder.length + 1).replaceAll('\\', '/');
		if (entry.name.endsWith('.usda')) texts.set(name, readFileSync(path, 'utf8').trimEnd().split('\n'));
		else if (!entry.name.endsWith('.json')) texts.set(name, [`# ${describeBytes(readFileSync(path))}`]);
	}
	return texts;
}

/** What a binary file is, in a few words. */
function describeBytes(bytes: Uint8Array): string {
	// a TextDecoder takes latin1 for windows-1252 in some versions of Node
	const text = String.fromCharCode(...bytes.subarray(0, 12));
	if (text.startsWith('PXR-USDC')) return 'a crate layer';
	if (text.startsWith('\u0089PNG')) return `a PNG file with ${bytes[24]} bits for each channel`;
	if (text.startsWith('\u00ff\u00d8\u00ff')) return 'a JPEG file';
	if (text.includes('KTX 20')) return 'a KTX2 file';
	if (text.startsWith('v/1\u0001')) return 'an OpenEXR file';
	if (text.startsWith('#?RADIANCE')) return 'a Radiance HDR file';
	return text.startsWith('RIFF') ? 'a WebP file' : 'a binary file';
}

/** The part of two texts between their equal beginnings and endings. */
function changedLines(
	bad: readonly string[],
	good: readonly string[],
): { from: number; badTo: number; goodTo: number } {
	let from = 0;
	while (from < bad.length && from < good.length && bad[from] === good[from]) from++;
	let badTo = bad.length;
	let goodTo = good.length;
	while (badTo > from && goodTo > from && bad[badTo - 1] === good[goodTo - 1]) {
		badTo--;
		goodTo--;
	}
	return { from, badTo, goodTo };
}

function excerpt(name: string, lines: readonly string[], from: number, to: number): string {
	const start = Math.max(0, from - CONTEXT);
	const end = Math.min(lines.length, to + CONTEXT, start + LONGEST);
	let chosen = lines.slice(start, end);
	while (chosen.length > 1 && chosen.at(-1)!.trim() === '') chosen = chosen.slice(0, -1);
	while (chosen.length > 1 && chosen[0]!.trim() === '') chosen = chosen.slice(1);
	chosen = chosen.map((line) => (line.length > 160 ? `${line.slice(0, 157)}...` : line));
	const width = Math.min(
		...chosen.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
	);
	return [`# ${name}`, ...chosen.map((line) => line.slice(Number.isFinite(width) ? width : 0))].join('\n');
}
