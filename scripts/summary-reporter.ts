import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Vitest reporter that ends a run with the plain line `N passed, N failed`.
 * A test file that does not load and an unhandled error count as a failure each.
 */
class SummaryReporter implements Reporter {
	onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
		let passed = 0;
		let failed = unhandledErrors.length;
		for (const module of modules) {
			let failedHere = 0;
			for (const test of module.children.allTests()) {
				const state = test.result().state;
				if (state === 'passed') passed++;
				if (state === 'failed') failedHere++;
			}
			// a module can fail without a failing test: import errors, hooks, failing suites
			failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere;
		}
		// written last, whatever the other reporters still have to print
		process.once('exit', () => writeSync(1, `${passed} passed, ${failed} failed\n`));
	}
}

// vitest loads a reporter named by path from the default export
export default SummaryReporter;
