import { expect, it } from 'vitest';
import { median, summarizeSweep, summarizeTask } from './summary.ts';
import type { BenchTask, SweepTask } from './task.ts';

const TASK: BenchTask = {
	kind: 'task',
	name: 'open',
	title: 'open a file',
	rates: [{ fact: 'megabytes', unit: 'MB/s' }],
	contenders: [],
	outside: [],
};

it('takes the middle of an odd and of an even number of times', () => {
	expect(median([3, 1, 2])).toBe(2);
	expect(median([4, 1, 2, 3])).toBe(2.5);
});

it('gives no rate for a contender whose result is wrong', () => {
	const memory = { peak: 1, held: 1 };
	const [ours, theirs] = summarizeTask(TASK, [
		{
			contender: 'ours',
			times: [100, 200, 300],
			cpuTimes: [1, 2, 3],
			facts: { megabytes: 10 },
			memory,
			trouble: undefined,
		},
		{
			contender: 'theirs',
			times: [],
			cpuTimes: [],
			facts: {},
			memory: undefined,
			trouble: 'specs: found 1, expected 2',
		},
	]).contenders;
	expect(ours?.rates).toEqual({ 'MB/s': 50 });
	expect(theirs?.rates).toBeUndefined();
	expect(theirs?.trouble).toContain('found 1');
});

it('compares items of a sweep that both did and names the slow ones', () => {
	const task: SweepTask = {
		kind: 'sweep',
		name: 'files',
		title: 'files',
		unavailable: () => undefined,
		items: () => [],
		contenders: ['ours', 'theirs'].map((name) => ({ name, prepare: () => ({ run: () => 0, check: () => {} }) })),
	};
	const row = (item: string, ...ms: (number | string)[]) => ({ item, group: 'usda', megabytes: 1, ms });
	const [group] = summarizeSweep(task, { rows: [row('a', 1, 4), row('b', 2, 1), row('c', 1, 'threw')] }).groups;
	expect(group?.compared).toBe(2);
	expect(group?.oursFaster).toBeCloseTo(5 / 3);
	expect(group?.slower).toEqual(['b']);
	expect(group?.troubles).toEqual([{ item: 'c', contender: 'theirs', message: 'threw' }]);
});
