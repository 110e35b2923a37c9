import { quote } from '@manyworlds/core';
import { REP_CODES, type RepCode } from '../diagnostics.ts';

/** Rules that somebody chose, and what named none. @public */
export interface RuleChoice {
	readonly rules: ReadonlySet<RepCode>;
	/** A sentence for each text that names no rule or section. */
	readonly problems: readonly string[];
}

/**
 * The rules that texts name, each text one or more separated by commas: an identifier exactly (`R1.1.7`), or a section with all
 * below it (`§1.3`).
 * @public
 */
export function chooseRules(texts: readonly string[]): RuleChoice {
	const rules = new Set<RepCode>();
	const problems: string[] = [];
	for (const text of texts.flatMap((at) => at.split(',')).map((at) => at.trim())) {
		if (text === '') continue;
		const section = /^(?:§|s(?:ection)?\s*)(\d+(?:\.\d+)*)$/i.exec(text)?.[1];
		if (isRule(text.toUpperCase())) rules.add(text.toUpperCase() as RepCode);
		else if (section !== undefined) {
			const found = RULE_IDS.filter((id) => `${sectionOf(id)}.`.startsWith(`${section}.`));
			for (const id of found) rules.add(id);
			if (found.length === 0) problems.push(`the REP has no section ${quote(section)} with rules`);
		} else {
			const hint = /^\d+(?:\.\d+)*$/.test(text) ? `; a section is written §${text}` : '';
			problems.push(
				`unknown rule ${quote(text)}, expected an identifier such as R1.1.7 or a section such as §1.3${hint}`,
			);
		}
	}
	return { rules, problems };
}

const RULE_IDS = Object.keys(REP_CODES) as readonly RepCode[];

function isRule(text: string): text is RepCode {
	return Object.hasOwn(REP_CODES, text);
}

/** The section of a rule: its identifier without `R` and number, and without the zeros that stand for no subsection. */
function sectionOf(id: RepCode): string {
	return id.replace(/^R|(?:\.0)*\.\d+$/g, '');
}
