import { expect, test } from 'vitest';
import { Expectations } from '../src/expectations.ts';
import { InputFinder } from '../src/input-finder.ts';
import { hasFailures, runSuite, type SuiteResult } from '../src/runner.ts';
import type { Case, Suite } from '../src/suite.ts';

const context = { dir: '/nowhere', assetsDir: '/nowhere', inputs: new InputFinder('/nowhere'), log: () => undefined };

function suiteOf(cases: readonly Case[], timeLimit = 10): Suite {
	const group = { name: 'group', description: '', tolerance: '', timeLimit, cases: () => cases };
	return { name: 'test', description: '', defaultDir: '.', groups: [group] };
}

function run(cases: readonly Case[], lists: unknown = {}, filter?: string, timeLimit?: number): Promise<SuiteResult> {
	return runSuite(suiteOf(cases, timeLimit), context, new Expectations(lists), { filter });
}

const passing: Case = { name: 'good', run: () => undefined };
const failing: Case = { name: 'bad', run: () => 'wrong number' };

test('counts cases that pass, fail, are skipped and are no cases', async () => {
	const skipped: Case = { name: 'skipped', run: () => ({ skipped: 'no such peer here' }) };
	const excluded: Case = { name: 'excluded', run: () => ({ excluded: 'unreadable' }) };
	const result = await run([passing, failing, skipped, excluded]);
	expect(result).toEqual({
		suite: 'test',
		groups: [
			{
				name: 'group',
				total: 3,
				passed: 1,
				expectedFailures: 0,
				skipped: 1,
				failures: [{ case: 'bad', reason: 'wrong number' }],
			},
		],
	});
	expect(hasFailures(result)).toBe(true);
});

test('a listed case that fails is expected, one that passes is a failure', async () => {
	const lists = {
		group: [
			{ case: 'bad', reason: 'known' },
			{ case: 'good', reason: 'was wrong once' },
		],
	};
	const group = (await run([passing, failing], lists)).groups[0]!;
	expect(group.expectedFailures).toBe(1);
	expect(group.failures).toEqual([{ case: 'good', reason: expect.stringContaining('was wrong once') }]);
});

test('a case that throws fails with the message', async () => {
	const throwing: Case = {
		name: 'throws',
		run: () => {
			throw new RangeError('index 7 of 3');
		},
	};
	const group = (await run([throwing])).groups[0]!;
	expect(group.failures[0]!.reason).toContain('index 7 of 3');
});

test('a folder that cannot be listed is a failure, with the cases before it counted', async () => {
	const suite: Suite = {
		...suiteOf([]),
		groups: [
			{
				...suiteOf([]).groups[0]!,
				*cases() {
					yield passing;
					throw new Error('index.json is not a list');
				},
			},
		],
	};
	const group = (await runSuite(suite, context, new Expectations())).groups[0]!;
	expect(group.passed).toBe(1);
	expect(group.failures[0]!.reason).toContain('index.json is not a list');
});

test('a slow case fails', async () => {
	const slow: Case = { name: 'slow', run: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 30)) };
	const group = (await run([slow], {}, undefined, 0.001)).groups[0]!;
	expect(group.failures[0]!.reason).toContain('limit');
});

test('two cases of one name are a failure', async () => {
	expect((await run([passing, passing])).groups[0]!.failures).toHaveLength(1);
});

test('a filter chooses by group and name', async () => {
	expect((await run([passing, failing], {}, 'group/goo')).groups[0]!.total).toBe(1);
	expect((await run([passing, failing], {}, 'elsewhere')).groups[0]!.total).toBe(0);
});

test('a list of expected failures without reasons is refused', () => {
	expect(() => new Expectations({ group: [{ case: 'bad' }] })).toThrow(TypeError);
	expect(() => new Expectations({ group: 'bad' })).toThrow(TypeError);
});
