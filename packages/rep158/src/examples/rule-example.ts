/** Parts of two little assets: one breaks a rule, the other keeps it. File names stand as comments. */
export interface RuleExample {
	readonly bad: string;
	readonly good: string;
}
