import type { Diagnostic, Severity } from '@manyworlds/core';
import { type CodeInfo, printable } from '@manyworlds/core/internal';
import type { RepCode } from '../diagnostics.ts';
import { findRule } from '../rule-index.ts';
import { RULES } from '../rules/index.ts';
import type { AssetResult } from './asset-result.ts';

/** Options of {@link formatJunit}. @public */
export interface JunitOptions {
	/** Rules that were checked; all of them unless given. */
	readonly rules?: ReadonlySet<RepCode>;
	/** Severities that make a test fail. */
	readonly failing?: readonly Severity[];
	/** What is written about codes; tests are named by the titles. */
	readonly codes?: Readonly<Record<string, CodeInfo>>;
}

/** Values of {@link JunitOptions} that are used when absent. @public */
export const JUNIT_DEFAULTS: { readonly failing: readonly Severity[] } = { failing: ['error', 'warning'] };

/** Writes JUnit XML: a suite for each asset, a test for each rule that was checked on it. @public */
export function formatJunit(results: readonly AssetResult[], options: JunitOptions = {}): string {
	const suites = results.map((result) => formatSuite(result, options));
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="manyworlds check">\n${suites.join('')}</testsuites>\n`;
}

function formatSuite({ asset, diagnostics }: AssetResult, options: JunitOptions): string {
	const { failing } = { ...JUNIT_DEFAULTS, ...options };
	const byCode = new Map<string, Diagnostic[]>();
	for (const rule of RULES) {
		if (rule.visit !== undefined && (options.rules?.has(rule.id) ?? true)) byCode.set(rule.id, []);
	}
	for (const diagnostic of diagnostics) {
		const found = byCode.get(diagnostic.code);
		if (found === undefined) byCode.set(diagnostic.code, [diagnostic]);
		else found.push(diagnostic);
	}
	let failures = 0;
	const tests = [...byCode].map(([code, found]) => {
		const grave = found.filter(({ severity }) => failing.includes(severity));
		const others = found.filter(({ severity }) => !failing.includes(severity));
		if (grave.length > 0) failures++;
		const parts = [
			...(grave.length > 0 ? [formatFailure(grave)] : []),
			...(others.length > 0 ? [`      <system-out>${escapeXml(others.map(lineOf).join('\n'))}</system-out>\n`] : []),
		];
		const title = options.codes?.[code]?.title ?? '';
		const section = findRule(code)?.section;
		const group = section === undefined ? 'composition' : `REP 0158 §${section}`;
		const open = `    <testcase name="${escapeXml(`${code} ${title}`)}" classname="${escapeXml(group)}" file="${escapeXml(asset)}"`;
		return parts.length === 0 ? `${open}/>\n` : `${open}>\n${parts.join('')}    </testcase>\n`;
	});
	const head = `name="${escapeXml(asset)}" tests="${tests.length}" failures="${failures}" errors="0" skipped="0"`;
	return `  <testsuite ${head}>\n${tests.join('')}  </testsuite>\n`;
}

function formatFailure(found: readonly Diagnostic[]): string {
	const [first] = found as [Diagnostic];
	const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
	const message = escapeXml(`${first.message}${more}`);
	return `      <failure type="${first.severity}" message="${message}">${escapeXml(found.map(lineOf).join('\n'))}</failure>\n`;
}

function lineOf({ file, range, severity, code, message, prim }: Diagnostic): string {
	const place = range === undefined ? '' : `:${range.start.line}:${range.start.column}`;
	const where = file === undefined ? '' : `${file}${place}: `;
	return `${where}${severity} ${code}: ${message}${prim === undefined ? '' : ` <${prim}>`}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
};

/** Text for XML: line ends stay, other control characters are replaced. */
function escapeXml(text: string): string {
	return text
		.split('\n')
		.map((line) => printable(line).replace(/[&<>"']/g, (character) => ENTITIES[character]!))
		.join('&#10;');
}
