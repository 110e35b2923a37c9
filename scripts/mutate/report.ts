import { dirname } from 'node:path';
import type { Verdict } from './judge-mutants.ts';
import { describeMutant } from './mutant.ts';

interface Row {
	readonly folder: string;
	readonly mutants: number;
	readonly survived: number;
}

/** A table by folder, and every survivor on a line. */
export function formatReport(verdicts: readonly Verdict[]): string {
	const cells = [
		['folder', 'mutants', 'killed', 'survived', '%'],
		...countByFolder(verdicts).map(({ folder, mutants, survived }) => [
			folder,
			String(mutants),
			String(mutants - survived),
			String(survived),
			((100 * survived) / mutants).toFixed(1),
		]),
	];
	const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
	const pad = (cell: string, i: number): string =>
		i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
	const lines = cells.map((row) => row.map(pad).join('  '));
	for (const { mutant, state } of verdicts) {
		if (isSurvivor(state)) lines.push(`${state === 'unreached' ? 'unreached' : 'survived '} ${describeMutant(mutant)}`);
	}
	return lines.join('\n');
}

/** The same for programs. */
export function toJson(verdicts: readonly Verdict[]): unknown {
	return {
		folders: countByFolder(verdicts),
		mutants: verdicts.map(({ mutant: { file, line, operator, original, replacement }, state, killedBy }) => ({
			file,
			line,
			operator,
			original,
			replacement,
			state,
			...(killedBy !== undefined && { killedBy }),
		})),
	};
}

function isSurvivor(state: Verdict['state']): boolean {
	return state === 'survived' || state === 'unreached';
}

/** Rows of the folders and, last, of all. */
function countByFolder(verdicts: readonly Verdict[]): Row[] {
	const folders = new Map<string, Verdict[]>();
	for (const verdict of verdicts) {
		const folder = dirname(verdict.mutant.file);
		folders.set(folder, [...(folders.get(folder) ?? []), verdict]);
	}
	const count = (folder: string, list: readonly Verdict[]): Row => {
		return { folder, mutants: list.length, survived: list.filter(({ state }) => isSurvivor(state)).length };
	};
	const rows = [...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, list]) => count(folder, list));
	return [...rows, count('all', verdicts)];
}
