import type { Severity } from '@manyworlds/core';
import type { CodeInfo } from '@manyworlds/core/internal';
import { CODES } from '../codes/rep158-codes.ts';
import type { RepCode } from '../diagnostics.ts';
import { RULE_EXAMPLES } from '../examples/index.ts';
import { FIXERS } from '../fix/fixers.ts';
import type { Rule, RuleCheck } from '../rule.ts';
import { findRule, SECTION_TITLES } from '../rule-index.ts';

/** Everything there is to say about a statement of REP 0158. @public */
export interface RulePage {
	readonly id: RepCode;
	readonly title: string;
	readonly section: string;
	readonly sectionTitle: string;
	readonly level: Rule['level'];
	readonly check: RuleCheck;
	/** Severity of a finding unless the rule or the configuration says otherwise. */
	readonly severity: Severity;
	readonly rationale: string;
	/** Text that breaks the rule, and the same put right; file names as comments. */
	readonly bad?: string;
	readonly good?: string;
	readonly fix?: {
		readonly family: string;
		readonly safety: 'safe' | 'unsafe';
		/** What the family does; absent while nobody has written it. */
		readonly title?: string;
		/** Option that it has to be given. */
		readonly parameter?: string;
	};
	/** Test that holds a duty of tools. */
	readonly heldBy?: string;
}

/** The page of a rule; undefined when there is no such rule. @public */
export function rulePage(id: string): RulePage | undefined {
	const rule = findRule(id);
	if (rule === undefined) return undefined;
	const { title, severity, help } = CODES[rule.id] as CodeInfo;
	const example = RULE_EXAMPLES[rule.id];
	const family = FIXERS.find((fixer) => fixer.family === rule.fix?.family);
	return {
		id: rule.id,
		title,
		section: rule.section,
		sectionTitle: SECTION_TITLES[rule.section] ?? '',
		level: rule.level,
		check: rule.check,
		severity,
		rationale: help,
		...(example !== undefined && { bad: example.bad, good: example.good }),
		...(rule.fix !== undefined && { fix: { ...rule.fix, ...(family !== undefined && { title: family.title }) } }),
		...(rule.heldBy !== undefined && { heldBy: rule.heldBy }),
	};
}

/** How a page is written. @public */
export interface RulePageOptions {
	/** Whether headings are bold on a terminal. */
	readonly colour?: boolean;
}

/** A rule page as text for a terminal, ending with a line end. @public */
export function formatRulePage(page: RulePage, options: RulePageOptions = {}): string {
	const bold = (text: string): string => (options.colour === true ? `\u001b[1m${text}\u001b[22m` : text);
	const parts = [bold(`${page.id}: ${page.title}`), statusLine(page), wrap(page.rationale)];
	if (page.bad !== undefined) parts.push(`${bold('Breaks it')}\n${indent(page.bad)}`);
	if (page.good !== undefined) parts.push(`${bold('Keeps it')}\n${indent(page.good)}`);
	parts.push(`${bold('Fix')}\n${indent(fixText(page))}`);
	return `${parts.join('\n\n')}\n`;
}

/** A rule page in Markdown. @public */
export function ruleMarkdown(page: RulePage): string {
	const parts = [`# ${page.id}: ${page.title}`, statusLine(page), page.rationale];
	if (page.bad !== undefined) parts.push(`## Breaks it\n\n${fence(page.bad)}`);
	if (page.good !== undefined) parts.push(`## Keeps it\n\n${fence(page.good)}`);
	parts.push(`## Fix\n\n${fixText(page)}`);
	return `${parts.join('\n\n')}\n`;
}

const HELD: Readonly<Record<RuleCheck, string>> = {
	static: 'checked on the asset',
	heuristic: 'guessed from the asset, never above warning',
	behaviour: 'a duty of tools',
	none: 'cannot be checked',
};

function statusLine({ section, sectionTitle, level, check, severity, heldBy }: RulePage): string {
	const place = sectionTitle === '' ? `section ${section}` : `section ${section} (${sectionTitle})`;
	const held = check === 'behaviour' && heldBy !== undefined ? `a duty of tools, held by ${heldBy}` : HELD[check];
	const grade = check === 'static' || check === 'heuristic' ? `; severity ${severity}` : '';
	return `REP 0158 ${place}: ${level === 'tool' ? 'tools must' : level}. Held: ${held}${grade}.`;
}

function fixText({ fix, id, check }: RulePage): string {
	if (fix === undefined)
		return check === 'static' || check === 'heuristic' ? 'By hand.' : 'Nothing to fix in an asset.';
	if (fix.title === undefined) return `By hand: the family ${fix.family} that would do it is not written yet.`;
	const what = `family ${fix.family}, ${fix.title}`;
	const option = fix.safety === 'unsafe' ? ' --unsafe' : '';
	const parameter = fix.parameter === undefined ? '' : ` ${fix.parameter}`;
	return `${what} (${fix.safety}): manyworlds fix --select ${id}${option}${parameter} FILE`;
}

function indent(text: string): string {
	return text.replace(/^(?=.)/gm, '  ');
}

function fence(text: string): string {
	return `\`\`\`usda\n${text}\n\`\`\``;
}

/** Breaks a paragraph into lines of at most 100 characters. */
function wrap(text: string): string {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(/\s+/)) {
		if (line !== '' && line.length + 1 + word.length > 100) {
			lines.push(line);
			line = word;
		} else {
			line = line === '' ? word : `${line} ${word}`;
		}
	}
	return [...lines, line].join('\n');
}
