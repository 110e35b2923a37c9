import type { Memory, Reply, Request } from './messages.ts';
import { loadSuite } from './suites.ts';
import { sweep } from './sweep.ts';
import type { Prepared } from './task.ts';

let prepared: Prepared | undefined;
let result: unknown;
let baseline = 0;

process.on('message', (request: Request) => {
	answer(request).then(send, (error: unknown) => {
		result = undefined;
		send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
	});
});

async function answer(request: Request): Promise<Reply> {
	switch (request.kind) {
		case 'prepare': {
			const suite = await loadSuite(request.suite);
			const task = suite.tasks.find((candidate) => candidate.name === request.task);
			if (task?.kind !== 'task') throw new Error(`there is no task '${request.task}'`);
			const contender = task.contenders.find((candidate) => candidate.name === request.contender);
			if (contender === undefined) throw new Error(`there is no contender '${request.contender}'`);
			prepared = await contender.prepare(request.context);
			baseline = heldBytes();
			return { kind: 'ready' };
		}
		case 'run': {
			if (prepared === undefined) throw new Error('nothing is prepared');
			result = undefined;
			// a full collection would also throw away compiled code whose objects have all died
			globalThis.gc?.({ type: 'minor' });
			const used = process.cpuUsage();
			const start = performance.now();
			result = await prepared.run();
			const ms = performance.now() - start;
			const { user, system } = process.cpuUsage(used);
			return { kind: 'ran', ms, cpuMs: (user + system) / 1000 };
		}
		case 'check': {
			if (prepared === undefined) throw new Error('nothing is prepared');
			const memory = measureMemory();
			return { kind: 'checked', facts: prepared.check(result), memory };
		}
		case 'sweep': {
			const suite = await loadSuite(request.suite);
			const task = suite.tasks.find((candidate) => candidate.name === request.task);
			if (task?.kind !== 'sweep') throw new Error(`there is no sweep '${request.task}'`);
			return { kind: 'swept', result: await sweep(task, request.seconds) };
		}
	}
}

function measureMemory(): Memory {
	const peak = process.resourceUsage().maxRSS / 1024;
	return { peak, held: Math.max(0, heldBytes() - baseline) / 1e6 };
}

function heldBytes(): number {
	globalThis.gc?.();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

function send(reply: Reply): void {
	process.send?.(reply);
}
