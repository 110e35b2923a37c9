import type { SweepResult, SweepRow } from './messages.ts';
import type { SweepItem, SweepRunner, SweepTask } from './task.ts';

/** Rounds over all items before times count, so that the compiler has seen the code with all they need. */
const WARM_UP_ROUNDS = 10;
/** Milliseconds that such a round gives an item, however small it is. */
const WARM_UP_MS = 2;
/** Milliseconds of processor time that one measurement takes at least: the clock counts in microseconds. */
const LEAST_BATCH_MS = 2;
const LEAST_TURNS = 7;
/** An item is done when so many turns in a row gave no contender a time that is better by this part. */
const STABLE_TURNS = 5;
const STABLE_PART = 0.01;

/**
 * Does every item with every contender in turn and keeps the least processor time per run: it does not count what other programs
 * do meanwhile. Small items are done many times in one measurement. Ends an item when its times are stable or after `seconds`.
 */
export async function sweep(task: SweepTask, seconds: number): Promise<SweepResult> {
	const runners = await Promise.all(task.contenders.map((contender) => contender.prepare()));
	const items = task.items();
	const troubles = items.map((item) => runners.map((runner) => firstTrouble(runner, item)));
	for (let round = 0; round < WARM_UP_ROUNDS; round++) {
		for (const [index, item] of items.entries()) {
			runners.forEach((runner, who) => {
				if (troubles[index]![who] === undefined) warmUp(runner, item);
			});
		}
	}
	const rows = items.map((item, index): SweepRow => {
		const times = leastTimes(runners, item, troubles[index]!, seconds);
		const ms = times.map((time, who) => troubles[index]![who] ?? time);
		return { item: item.name, group: item.group, megabytes: item.megabytes, ms };
	});
	return { rows };
}

function warmUp(runner: SweepRunner, item: SweepItem): void {
	const end = performance.now() + WARM_UP_MS;
	do runner.run(item);
	while (performance.now() < end);
}

function leastTimes(
	runners: readonly SweepRunner[],
	item: SweepItem,
	troubles: readonly (string | undefined)[],
	seconds: number,
): number[] {
	const least = runners.map(() => Number.POSITIVE_INFINITY);
	const runs = Math.max(
		...runners.map((runner, who) =>
			troubles[who] === undefined ? Math.ceil(LEAST_BATCH_MS / Math.max(cpuTime(runner, item, 3), 1e-3)) : 1,
		),
	);
	const end = performance.now() + seconds * 1000;
	let unchanged = 0;
	for (let turn = 0; turn < LEAST_TURNS || (unchanged < STABLE_TURNS && performance.now() < end); turn++) {
		unchanged++;
		for (let i = 0; i < runners.length; i++) {
			// whoever is first in one turn is last in the next
			const who = turn % 2 === 0 ? i : runners.length - 1 - i;
			if (troubles[who] !== undefined) continue;
			const ms = cpuTime(runners[who]!, item, runs);
			if (ms < least[who]! * (1 - STABLE_PART)) unchanged = 0;
			if (ms < least[who]!) least[who] = ms;
		}
	}
	return least;
}

/** Milliseconds of processor time per run, those of the collector and the compiler included. */
function cpuTime(runner: SweepRunner, item: SweepItem, runs: number): number {
	const used = process.cpuUsage();
	for (let run = 0; run < runs; run++) runner.run(item);
	const { user, system } = process.cpuUsage(used);
	return (user + system) / 1000 / runs;
}

function firstTrouble(runner: SweepRunner, item: SweepItem): string | undefined {
	try {
		runner.check(item, runner.run(item));
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
