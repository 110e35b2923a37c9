import type { SuiteResult } from './runner.ts';

const FAILURES_SHOWN = 20;
const HEADER = ['group', 'total', 'passed', 'expected', 'skipped', 'failed'];

/** A result as a table with the failures below it. */
export function formatTable(result: SuiteResult): string {
	const rows = result.groups.map((group) => [
		group.name,
		String(group.total),
		String(group.passed),
		String(group.expectedFailures),
		String(group.skipped),
		String(group.failures.length),
	]);
	const widths = HEADER.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
	const line = (row: readonly string[]): string =>
		row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
	const lines = [result.suite, line(HEADER), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)];
	for (const group of result.groups) {
		for (const failure of group.failures.slice(0, FAILURES_SHOWN)) {
			lines.push(`FAIL ${group.name}/${failure.case}: ${failure.reason}`);
		}
		const more = group.failures.length - FAILURES_SHOWN;
		if (more > 0) lines.push(`FAIL ${group.name}: ${more} more`);
	}
	return `${lines.join('\n')}\n`;
}
