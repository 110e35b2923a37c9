import type { SweepResult, SweepRow } from './messages.ts';
import type { SweepItem, SweepRunner, SweepTask } from './task.ts';

/** Runs of an item before times count, so that the compiler has seen the code. */
const WARM_UP_RUNS = 2;
const LEAST_RUNS = 5;
const MOST_RUNS = 200;

/** Does every item with every contender in turn, as often as fits into `seconds` for each item, and keeps the fastest times. */
export async function sweep(task: SweepTask, seconds: number): Promise<SweepResult> {
	const runners = await Promise.all(task.contenders.map((contender) => contender.prepare()));
	const items = task.items();
	// a first round over everything, so that no item pays for the compilation of code that others use
	const troubles = items.map((item) => runners.map((runner) => firstTrouble(runner, item)));
	const rows = items.map((item, index): SweepRow => {
		const trouble = troubles[index]!;
		const fastest = runners.map(() => Number.POSITIVE_INFINITY);
		const end = performance.now() + seconds * 1000;
		for (let turn = 0; turn < MOST_RUNS && (turn < LEAST_RUNS + WARM_UP_RUNS || performance.now() < end); turn++) {
			for (let i = 0; i < runners.length; i++) {
				// whoever is first in one turn is last in the next
				const who = turn % 2 === 0 ? i : runners.length - 1 - i;
				if (trouble[who] !== undefined) continue;
				const start = performance.now();
				runners[who]!.run(item);
				const ms = performance.now() - start;
				if (turn >= WARM_UP_RUNS && ms < fastest[who]!) fastest[who] = ms;
			}
		}
		const ms = fastest.map((time, who) => trouble[who] ?? time);
		return { item: item.name, group: item.group, megabytes: item.megabytes, ms };
	});
	return { rows };
}

function firstTrouble(runner: SweepRunner, item: SweepItem): string | undefined {
	try {
		runner.check(item, runner.run(item));
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
