import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** A change that cannot alter what the program does. */
export interface Equivalent {
	readonly file: string;
	readonly original: string;
	readonly replacement: string;
	/** Part of the line that it stands in, where the same text means something else in other lines. */
	readonly line?: string;
	readonly reason: string;
}

export function readEquivalents(): Equivalent[] {
	return JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as Equivalent[];
}

/** Whether an entry is about a mutant of a file with these lines. */
export function isAbout(entry: Equivalent, mutant: Mutant, lines: readonly string[]): boolean {
	return (
		entry.file === mutant.file &&
		entry.original === mutant.original &&
		entry.replacement === mutant.replacement &&
		lines[mutant.line - 1]?.includes(entry.line ?? '') === true
	);
}
