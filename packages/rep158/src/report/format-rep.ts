import type { Severity } from '@manyworlds/core';
import { SEVERITIES } from '@manyworlds/core/internal';
import { findRule } from '../rule-index.ts';
import type { AssetResult } from './asset-result.ts';
import { publicCheck } from './public-ids.ts';

/** A finding as the public checker writes it. */
export interface RepViolation {
	/** Number of the check there; our rule where it has none. */
	readonly check_id: string;
	readonly severity: 'error' | 'warning' | 'info';
	readonly section: string;
	readonly prim_path: string;
	readonly message: string;
	readonly validator: string;
	/** Our rule, file and line, which the public checker does not know. */
	readonly rule: string;
	readonly file?: string;
	readonly line?: number;
}

/** A report of the public checker. */
export interface RepReport {
	readonly asset: string;
	readonly summary: {
		readonly errors: number;
		readonly warnings: number;
		readonly infos: number;
		readonly total: number;
	};
	readonly violations: readonly RepViolation[];
}

/** Turns the findings of an asset into the public checker's report. */
export function toRepReport(result: AssetResult): RepReport {
	const violations = result.diagnostics
		.map((diagnostic): RepViolation => {
			const { code, severity, message, prim, file, range } = diagnostic;
			const check = publicCheck(diagnostic);
			return {
				check_id: check?.id ?? code,
				severity: severity === 'hint' ? 'info' : severity,
				section: findRule(code)?.section ?? '',
				prim_path: (prim ?? '').split('.')[0]!,
				message,
				validator: check?.validator ?? 'Manyworlds',
				rule: code,
				...(file !== undefined && { file }),
				...(range !== undefined && { line: range.start.line }),
			};
		})
		.sort((a, b) => rank(a.severity) - rank(b.severity));
	const count = (severity: RepViolation['severity']): number => {
		const extra = severity === 'info' ? (result.omitted.hint ?? 0) : 0;
		return violations.filter((at) => at.severity === severity).length + (result.omitted[severity] ?? 0) + extra;
	};
	const [errors, warnings, infos] = [count('error'), count('warning'), count('info')];
	return { asset: result.asset, summary: { errors, warnings, infos, total: errors + warnings + infos }, violations };
}

/** Writes the public checker's JSON: one report for one asset, an array of them for several. @public */
export function formatRep(results: readonly AssetResult[]): string {
	const reports = results.map(toRepReport);
	return `${JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2)}\n`;
}

function rank(severity: Severity): number {
	return SEVERITIES.indexOf(severity);
}
