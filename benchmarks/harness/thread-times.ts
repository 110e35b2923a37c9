import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of each thread of this process [ms], by its number; empty where the system does not tell. */
export function threadTimes(): Map<string, number> {
	const times = new Map<string, number>();
	try {
		for (const thread of readdirSync('/proc/self/task')) {
			const text = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8');
			times.set(thread, Number(text.split(' ')[0]) / 1e6);
		}
	} catch {
		// only Linux has these files, and a thread may end while they are read
	}
	return times;
}

/** Processor time that the busiest thread used since an earlier look [ms]; undefined where the system does not tell. */
export function busiestSince(before: ReadonlyMap<string, number>): number | undefined {
	let most: number | undefined;
	for (const [thread, time] of threadTimes()) most = Math.max(most ?? 0, time - (before.get(thread) ?? 0));
	return most;
}
