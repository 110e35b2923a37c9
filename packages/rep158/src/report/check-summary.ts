import type { Severity } from '@manyworlds/core';
import { SEVERITIES } from '@manyworlds/core/internal';
import { compareSections, findRule } from '../rule-index.ts';
import { AVAILABLE_FIXES } from '../rules/available-fixes.ts';
import type { AssetResult } from './asset-result.ts';
import { fixOf } from './fix-of.ts';

/** Findings of one section of the REP. @public */
export interface SectionCounts {
	/** The section, or '' for what is not about a rule. */
	readonly section: string;
	readonly counts: Record<Severity, number>;
	/** Findings that a command removes, and of them those that need `--unsafe` and those that need an option with a value. */
	fixable: number;
	unsafe: number;
	asked: number;
}

/** Counts over all assets. @public */
export interface CheckSummary {
	readonly assets: number;
	/** Assets without a finding at warning or above. */
	readonly clean: number;
	readonly prims: number;
	readonly layers: number;
	readonly selections: number;
	readonly counts: Record<Severity, number>;
	readonly omitted: number;
	readonly fixable: number;
	readonly unsafe: number;
	readonly asked: number;
	/** What to give `manyworlds fix` first: the least of what removes some finding. */
	readonly firstOptions?: string;
	/** Findings of rules that have fixes, in assets for which no fixes were tried. */
	readonly untried: number;
	/** In the order of the REP; what is not about a rule comes first. */
	readonly sections: readonly SectionCounts[];
}

/** Counts the findings of assets by severity and section. A finding that several assets share counts once. @public */
export function summarizeChecks(results: readonly AssetResult[]): CheckSummary {
	const sections = new Map<string, SectionCounts>();
	const counts = noCounts();
	const seen = new Set<string>();
	let omitted = 0;
	let clean = 0;
	let untried = 0;
	let first: { readonly options: string; readonly rank: number } | undefined;
	for (const result of results) {
		let isClean = true;
		for (const diagnostic of result.diagnostics) {
			const { code, severity, file, range, prim, message } = diagnostic;
			if (severity === 'error' || severity === 'warning') isClean = false;
			const key = JSON.stringify([code, file, range?.start.offset, prim, message]);
			if (seen.has(key)) continue;
			seen.add(key);
			counts[severity]++;
			const rule = findRule(code);
			const section = rule?.section ?? '';
			let found = sections.get(section);
			if (found === undefined) {
				found = { section, counts: noCounts(), fixable: 0, unsafe: 0, asked: 0 };
				sections.set(section, found);
			}
			found.counts[severity]++;
			const fix = fixOf(diagnostic);
			if (fix !== undefined) found.fixable++;
			if (fix?.isUnsafe === true) found.unsafe++;
			if (fix?.option !== undefined) found.asked++;
			const rank = (fix?.option === undefined ? 0 : 2) + (fix?.isUnsafe === true ? 1 : 0);
			if (fix !== undefined && (first === undefined || rank < first.rank)) first = { options: fix.options, rank };
			if (result.hasTriedFixes !== true && AVAILABLE_FIXES.has(code)) untried++;
		}
		for (const severity of SEVERITIES) {
			const more = result.omitted[severity] ?? 0;
			counts[severity] += more;
			omitted += more;
			if (more > 0 && (severity === 'error' || severity === 'warning')) isClean = false;
		}
		if (isClean) clean++;
	}
	const sum = (value: (result: AssetResult) => number): number => results.reduce((total, at) => total + value(at), 0);
	const all = [...sections.values()].sort((a, b) => compareSections(a.section, b.section));
	return {
		assets: results.length,
		clean,
		prims: sum(({ primCount }) => primCount),
		layers: sum(({ layerCount }) => layerCount),
		selections: sum(({ selectionCount }) => selectionCount),
		counts,
		omitted,
		fixable: all.reduce((total, { fixable }) => total + fixable, 0),
		unsafe: all.reduce((total, { unsafe }) => total + unsafe, 0),
		asked: all.reduce((total, { asked }) => total + asked, 0),
		untried,
		...(first !== undefined && { firstOptions: first.options }),
		sections: all,
	};
}

function noCounts(): Record<Severity, number> {
	return { error: 0, warning: 0, info: 0, hint: 0 };
}
