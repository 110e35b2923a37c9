import { parentPort, workerData } from 'node:worker_threads';
import { exercise, findFault } from './exercise.ts';
import type { FuzzGroup } from './fuzz-case.ts';
import { allGroups } from './groups/all-groups.ts';
import { type Job, TIME_LIMIT_MS, type WorkerMessage, type WorkerSetup } from './messages.ts';

const setup = workerData as WorkerSetup;
const progress = new Int32Array(setup.progress);
const groups = new Map<string, FuzzGroup>(allGroups(setup.options).map((group) => [group.name, group]));

parentPort?.on('message', (job: Job) => runJob(job));
send({ kind: 'ready' });

function runJob(job: Job): void {
	const group = groups.get(job.group);
	if (group === undefined) throw new Error(`there is no group '${job.group}'`);
	let slowestMs = 0;
	let slowestIndex = job.from;
	let peakMB = 0;
	for (let index = job.from; index < job.to; index++) {
		const input = group.make(index);
		Atomics.store(progress, 0, index);
		const before = usedMegabytes();
		const start = process.cpuUsage();
		let fault: string | undefined;
		try {
			const report = exercise(input);
			fault = findFault(input, report);
			if (report.hasErrors) Atomics.add(progress, 1, 1);
		} catch (error) {
			fault = `an exception escaped: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
		}
		const { user, system } = process.cpuUsage(start);
		const ms = (user + system) / 1000;
		Atomics.store(progress, 0, -1);
		peakMB = Math.max(peakMB, usedMegabytes() - before);
		if (ms > slowestMs) {
			slowestMs = ms;
			slowestIndex = index;
		}
		if (fault !== undefined)
			send({ kind: 'failure', failure: { group: job.group, index, reason: `${input.how}: ${fault}` } });
		else if (ms > TIME_LIMIT_MS) send({ kind: 'slow', index, ms });
	}
	send({ kind: 'done', slowestMs, slowestIndex, peakMB });
}

/** Memory that this thread holds. What a case allocated counts until a collection, so differences are upper bounds mostly. */
function usedMegabytes(): number {
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return (heapUsed + arrayBuffers) / 1e6;
}

function send(message: WorkerMessage): void {
	parentPort?.postMessage(message);
}
