import { readFileSync } from 'node:fs';

interface Group {
	readonly name: string;
	readonly total: number;
	readonly passed: number;
	readonly expectedFailures: number;
	readonly skipped: number;
	readonly failures: readonly { readonly case: string; readonly reason: string }[];
}

interface Suite {
	readonly suite: string;
	readonly groups: readonly Group[];
}

/** Prints the JSON of `npm run conformance -- --json` as a table that ends with `N passed, N failed`. */
function summarize(path: string): void {
	const parsed = JSON.parse(readFileSync(path, 'utf8')) as Suite | { readonly suites: readonly Suite[] };
	const suites = 'suites' in parsed ? parsed.suites : [parsed];
	let passed = 0;
	let failed = 0;
	for (const { suite, groups } of suites) {
		for (const group of groups) {
			passed += group.passed;
			failed += group.failures.length;
			const rest = `${group.expectedFailures} expected failures, ${group.skipped} skipped`;
			console.log(`${suite} ${group.name}: ${group.passed}/${group.total}, ${rest}`);
			for (const failure of group.failures.slice(0, 20)) console.log(`  ${failure.case}: ${failure.reason}`);
			if (group.failures.length > 20) console.log(`  and ${group.failures.length - 20} more`);
		}
	}
	console.log(`${passed} passed, ${failed} failed`);
}

summarize(process.argv[2] ?? '/dev/stdin');
