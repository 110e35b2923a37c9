import { type Diagnostic, quote, type Report } from '@manyworlds/core';
import { createDiagnostic } from '../diagnostics.ts';
import type { AssetResult } from './asset-result.ts';

/** Findings that are known and accepted: how many of a code there are at a prim of a file. @public */
export interface Baseline {
	readonly version: 1;
	readonly findings: readonly BaselineEntry[];
}

/** Known findings at one place. Lines are left out: they move when a file is edited. @public */
export interface BaselineEntry {
	readonly code: string;
	readonly file?: string;
	readonly prim?: string;
	readonly count: number;
}

/** Makes a baseline of everything that was found, sorted. @public */
export function makeBaseline(results: readonly AssetResult[]): Baseline {
	const entries = new Map<string, BaselineEntry>();
	const seen = new Set<string>();
	for (const diagnostic of results.flatMap(({ diagnostics }) => diagnostics)) {
		const whole = JSON.stringify([keyOf(diagnostic), diagnostic.message, diagnostic.range?.start.offset]);
		if (seen.has(whole)) continue;
		seen.add(whole);
		const { code, file, prim } = diagnostic;
		const key = keyOf(diagnostic);
		const count = (entries.get(key)?.count ?? 0) + 1;
		entries.set(key, { code, ...(file !== undefined && { file }), ...(prim !== undefined && { prim }), count });
	}
	const findings = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
	return { version: 1, findings };
}

/** Reads a baseline; undefined, with a diagnostic, when the text is none. @public */
export function parseBaseline(text: string, file: string, report: Report): Baseline | undefined {
	const problem = (what: string): undefined => {
		report.add(createDiagnostic('CHK004', `${quote(file)} is not a baseline: ${what}`, { file }));
		return undefined;
	};
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch {
		return problem('it is no JSON');
	}
	if (typeof data !== 'object' || data === null || !('version' in data) || data.version !== 1) {
		return problem('it has no version 1');
	}
	const findings = 'findings' in data ? data.findings : undefined;
	if (!Array.isArray(findings) || !findings.every(isEntry)) return problem('its findings are not as written');
	return { version: 1, findings };
}

/** The results without findings that the baseline has, as often as it has them; what is gone is told to the report. @public */
export function applyBaseline(
	results: readonly AssetResult[],
	baseline: Baseline,
	report: Report,
): { readonly results: AssetResult[]; readonly suppressed: readonly Diagnostic[] } {
	const left = new Map(baseline.findings.map((entry) => [keyOf(entry), entry.count]));
	/** Findings that several assets share are known once. */
	const known = new Set<string>();
	const suppressed: Diagnostic[] = [];
	const rest = results.map((result) => {
		const diagnostics = result.diagnostics.filter((diagnostic) => {
			const key = keyOf(diagnostic);
			const whole = JSON.stringify([key, diagnostic.message, diagnostic.range?.start.offset]);
			if (known.has(whole)) return false;
			const count = left.get(key) ?? 0;
			if (count === 0) return true;
			left.set(key, count - 1);
			known.add(whole);
			suppressed.push(diagnostic);
			return false;
		});
		return { ...result, diagnostics };
	});
	const gone = [...left.values()].reduce((sum, count) => sum + count, 0);
	if (gone > 0) {
		report.add(createDiagnostic('CHK005', `${gone} findings of the baseline are gone; write it again to keep it true`));
	}
	return { results: rest, suppressed };
}

function keyOf({ code, file, prim }: Pick<Diagnostic, 'file' | 'prim'> & { readonly code: string }): string {
	return JSON.stringify([file ?? '', code, prim ?? '']);
}

function isEntry(entry: unknown): entry is BaselineEntry {
	if (typeof entry !== 'object' || entry === null) return false;
	const { code, file, prim, count } = entry as Record<string, unknown>;
	const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string';
	return (
		typeof code === 'string' &&
		isOptionalText(file) &&
		isOptionalText(prim) &&
		Number.isInteger(count) &&
		Number(count) > 0
	);
}
