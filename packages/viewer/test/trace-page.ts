import type { Browser } from 'playwright-core';
import type { ViewerPage } from './open-page.ts';

/** An event of Chromium's traces: times in microseconds. */
interface TraceEvent {
	readonly name: string;
	readonly ph: string;
	readonly pid: number;
	readonly tid: number;
	readonly ts: number;
	readonly dur?: number;
	/** Processor time of the thread; absent when the clock did not move. */
	readonly tdur?: number;
	readonly args?: { readonly name?: string };
}

/** What threads of a page did between its marks `begin` and `end`, by processor time [ms]: a busy machine changes nothing. */
export interface TracedWork {
	/** Tasks of the thread that draws and takes clicks, the longest first. */
	readonly tasks: readonly number[];
	/** Time that this thread and workers took until a mark. */
	until(mark: string): number;
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'blink.user_timing'];

/** Follows the threads of a page while an expression is worked out, which sets the marks `begin` and `end`. */
export async function traceWork(browser: Browser, viewer: ViewerPage, expression: string): Promise<TracedWork> {
	await browser.startTracing(viewer.page, { categories: CATEGORIES });
	await viewer.evaluate(expression);
	const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
	const mark = (name: string): TraceEvent => {
		const found = traceEvents.find((event) => event.name === name);
		if (found === undefined) throw new Error(`the page never came to '${name}'`);
		return found;
	};
	const [begin, end] = [mark('begin'), mark('end')];
	const tasks = traceEvents.filter(
		({ name, ph, pid, ts }) => name.endsWith('::RunTask') && ph === 'X' && pid === begin.pid && ts >= begin.ts,
	);
	const workers = new Set(
		traceEvents
			.filter(({ name, args }) => name === 'thread_name' && args?.name?.startsWith('DedicatedWorker'))
			.map(({ tid }) => tid),
	);
	if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('this browser tells no processor times');
	// tasks that are too short for the clock have none
	const milliseconds = ({ tdur = 0 }: TraceEvent): number => tdur / 1000;
	return {
		tasks: tasks
			.filter(({ tid, ts }) => tid === begin.tid && ts <= end.ts)
			.map(milliseconds)
			.sort((a, b) => b - a),
		until: (name) => {
			const { ts: last } = mark(name);
			const counted = tasks.filter(({ tid, ts }) => ts <= last && (tid === begin.tid || workers.has(tid)));
			return counted.reduce((sum, task) => sum + milliseconds(task), 0);
		},
	};
}
