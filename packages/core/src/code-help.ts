import type { Severity } from './severity.ts';

/** What is written about one diagnostic code; the page in `docs/diagnostics` is generated from it. @public */
export interface CodeHelp {
	/** A few words, no full stop: the heading of the page. */
	readonly title: string;
	/** Why it matters and what to do about it, in full sentences (Markdown). */
	readonly help: string;
	/** Shortest input that provokes it. */
	readonly bad?: string;
	/** The same input put right. */
	readonly good?: string;
	/** Language tag of the two examples, `usda` unless stated. */
	readonly language?: string;
}

/** All that is known of a code. @public */
export interface CodeInfo extends CodeHelp {
	/** Severity that a diagnostic has unless its maker says otherwise. */
	readonly severity: Severity;
}

/** Joins the severities of codes and what is written about them. @public */
export function describeCodes<Code extends string>(
	severities: Readonly<Record<Code, Severity>>,
	helps: Readonly<Record<Code, CodeHelp>>,
): Readonly<Record<string, CodeInfo>> {
	const codes = Object.entries<Severity>(severities);
	return Object.fromEntries(codes.map(([code, severity]) => [code, { severity, ...helps[code as Code] }]));
}
