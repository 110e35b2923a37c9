import type { Diagnostic, Severity } from '@manyworlds/core';
import type { CodeInfo } from '@manyworlds/core/internal';
import { formatDiagnostic, SEVERITIES } from '@manyworlds/core/internal';
import { compareSections, findRule, SECTION_TITLES } from '../rule-index.ts';
import type { AssetResult } from './asset-result.ts';
import { type CheckSummary, summarizeChecks } from './check-summary.ts';
import { fixOf } from './fix-of.ts';

/** Options of {@link formatCheck}. @public */
export interface CheckTextOptions {
	/** Use ANSI colours. */
	readonly colour?: boolean;
	/** Most findings of one rule that are shown for an asset. */
	readonly perRule?: number;
	/** Show the source line with a caret below each finding. */
	readonly excerpts?: boolean;
	/** Show the counts only. */
	readonly quiet?: boolean;
	/** Lightest severity of findings that are shown; all are counted. */
	readonly least?: Severity;
	/** The inputs as the user named them, for the command to run next. */
	readonly inputs?: readonly string[];
	/** What is written about codes; findings are headed by the titles. */
	readonly codes?: Readonly<Record<string, CodeInfo>>;
}

/** Values of {@link CheckTextOptions} that are used when absent. @public */
export const CHECK_TEXT_DEFAULTS: Required<Omit<CheckTextOptions, 'inputs' | 'codes'>> = {
	colour: false,
	perRule: 3,
	excerpts: false,
	quiet: false,
	least: 'info',
};

/** Writes findings for people: rule by rule, a table of the sections, what can be fixed and how. @public */
export function formatCheck(results: readonly AssetResult[], options: CheckTextOptions = {}): string {
	const settings = { ...CHECK_TEXT_DEFAULTS, ...options };
	const summary = summarizeChecks(results);
	const findings = settings.quiet ? [] : results.map((result) => formatAsset(result, settings, results.length > 1));
	return `${findings.join('')}${formatSummary(summary, settings)}`;
}

type Settings = typeof CHECK_TEXT_DEFAULTS & CheckTextOptions;

function formatAsset(result: AssetResult, settings: Settings, isNamed: boolean): string {
	const shown = result.diagnostics.filter(
		({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(settings.least),
	);
	if (shown.length === 0) return '';
	const byCode = new Map<string, Diagnostic[]>();
	for (const diagnostic of shown) {
		const found = byCode.get(diagnostic.code);
		if (found === undefined) byCode.set(diagnostic.code, [diagnostic]);
		else found.push(diagnostic);
	}
	const groups = [...byCode].sort(([a], [b]) => compareCodes(a, b));
	const head = isNamed ? `${paint(settings, BOLD, result.asset)}\n\n` : '';
	return head + groups.map(([, found]) => formatRule(found, settings)).join('');
}

/** What is not about a rule first, then the rules in the order of the REP. */
function compareCodes(a: string, b: string): number {
	const [first, second] = [findRule(a), findRule(b)];
	if (first === undefined || second === undefined) {
		if (first === second) return a < b ? -1 : 1;
		return first === undefined ? -1 : 1;
	}
	return compareSections(first.section, second.section) || compareSections(a, b);
}

function formatRule(found: readonly Diagnostic[], settings: Settings): string {
	const [{ code }] = found as [Diagnostic];
	const rule = findRule(code);
	const info = settings.codes?.[code];
	const fixes = found.map(fixOf);
	const isSame = fixes.every((fix) => fix?.command === fixes[0]?.command);
	const fix = isSame && fixes[0] !== undefined ? `, ${fixable(fixes[0].options)}` : '';
	const section = rule === undefined ? '' : ` (§${rule.section}${fix})`;
	const head = `${paint(settings, BOLD, info === undefined ? code : `${code} ${info.title}`)}${section}\n`;
	const { colour, excerpts } = settings;
	const lines = found.slice(0, settings.perRule).map(({ fix: offer, ...diagnostic }) => {
		// what the head says of all findings is not said again
		const shown = isSame || offer === undefined ? diagnostic : { ...diagnostic, fix: offer };
		return formatDiagnostic(shown, { colour, excerpts });
	});
	const more = found.length - lines.length;
	return `${head}${lines.join('')}${more > 0 ? `… ${more} more of ${code} (--all shows them)\n` : ''}\n`;
}

function fixable(options: string): string {
	return options === '' ? 'fixable' : `fixable with ${options}`;
}

function formatSummary(summary: CheckSummary, settings: Settings): string {
	const { assets, prims, layers, selections, counts, omitted } = summary;
	const what = [
		plural(assets, 'asset'),
		plural(prims, 'prim'),
		plural(layers, 'layer'),
		plural(selections, 'variant selection'),
	];
	const found = SEVERITIES.filter((severity) => counts[severity] > 0).map((at) => plural(counts[at], at));
	const total = found.length === 0 ? paint(settings, GREEN, 'no findings') : found.join(', ');
	const lines = [`checked ${what.join(', ')}: ${total}${omitted > 0 ? ` (${omitted} not listed)` : ''}`];
	if (assets > 1) lines.push(`${summary.clean} of ${assets} assets have no error or warning`);
	if (summary.sections.length > 0) lines.push('', ...formatTable(summary, settings), '');
	lines.push(...nextSteps(summary, settings));
	return `${lines.join('\n')}\n`;
}

function formatTable({ sections }: CheckSummary, settings: Settings): string[] {
	const heads = ['section', '', 'errors', 'warnings', 'infos', 'fixable'];
	const rows = sections.map(({ section, counts, fixable: fixes, unsafe }) => [
		section === '' ? '-' : `§${section}`,
		section === '' ? 'Reading and composition' : (SECTION_TITLES[section] ?? ''),
		...[counts.error, counts.warning, counts.info + counts.hint].map(String),
		unsafe > 0 ? `${fixes} (${unsafe} unsafe)` : String(fixes),
	]);
	const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
	const format = (cells: readonly string[]): string =>
		cells
			.map((cell, i) => (i < 2 || i === 5 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
			.join('  ')
			.trimEnd();
	return [paint(settings, BOLD, `  ${format(heads)}`), ...rows.map((row) => `  ${format(row)}`)];
}

function nextSteps(summary: CheckSummary, settings: Settings): string[] {
	const { unsafe, asked, untried, sections, counts } = summary;
	const total = SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
	if (total === 0) return [];
	const paths = (settings.inputs ?? []).map((path) =>
		/^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`,
	);
	const named = paths.length > 0 && paths.length <= 4 ? paths.join(' ') : 'PATH...';
	const lines: string[] = [];
	if (summary.fixable > 0) {
		const safe = summary.fixable - unsafe;
		const parts = [safe > 0 ? `${safe} safely` : '', unsafe > 0 ? `${unsafe} with --unsafe` : ''].filter(
			(part) => part !== '',
		);
		const told = asked > 0 ? `; ${asked} of them ${asked === 1 ? 'needs' : 'need'} an option with a value` : '';
		lines.push(`${summary.fixable} of ${total} findings can be fixed: ${parts.join(', ')}${told}`);
		// of several ways the first
		const options = (summary.firstOptions ?? '').split(' or ')[0]!;
		lines.push(`next: manyworlds fix --diff${options === '' ? '' : ` ${options}`} ${named}`);
	} else if (untried > 0) {
		lines.push(`${untried} of ${total} findings are of rules that have fixes`);
		lines.push(`next: manyworlds check --fixes ${named} tries them and says what removes each finding`);
	} else if (sections.some(({ section }) => section !== '')) {
		lines.push('next: manyworlds explain RULE tells what a rule is about, such as manyworlds explain R1.1.7');
	}
	return lines;
}

const BOLD = '1';
const GREEN = '1;32';

function paint({ colour }: Settings, code: string, text: string): string {
	return colour === true ? `\u001b[${code}m${text}\u001b[0m` : text;
}

function plural(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
