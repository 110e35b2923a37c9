import type { Report } from '../report.ts';
import type { Severity } from '../severity.ts';
import { Fingerprints } from './fingerprint.ts';

const SEVERITIES: Readonly<Record<Severity, string>> = {
	error: 'critical',
	warning: 'major',
	info: 'minor',
	hint: 'info',
};

/** Writes a report as a code quality report of GitLab: a list of findings with a place and a fingerprint. @public */
export function formatGitlab(report: Report): string {
	const fingerprints = new Fingerprints();
	const findings = report.toArray().map((d) => ({
		description: d.message,
		check_name: d.code,
		fingerprint: fingerprints.of(d),
		severity: SEVERITIES[d.severity],
		location: { path: d.file ?? '', lines: { begin: d.range?.start.line ?? 1 } },
	}));
	const omitted = {
		description: `${report.omitted} further findings are not listed`,
		check_name: 'omitted',
		fingerprint: 'omitted',
		severity: 'info',
		location: { path: '', lines: { begin: 1 } },
	};
	return `${JSON.stringify(report.omitted > 0 ? [...findings, omitted] : findings, null, 2)}\n`;
}
