/** How bad a finding is. @public */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** What the registry says about one diagnostic code; the page in `docs/diagnostics` is generated from it. @public */
export interface CodeInfo {
	/** A few words, no full stop: the heading of the page. */
	readonly title: string;
	/** Severity that a diagnostic has unless its maker says otherwise. */
	readonly severity: Severity;
	/** Why it matters and what to do about it, in full sentences (Markdown). */
	readonly help: string;
	/** Shortest input that provokes it. */
	readonly bad?: string;
	/** The same input put right. */
	readonly good?: string;
	/** Language tag of the two examples, `usda` unless stated. */
	readonly language?: string;
}
