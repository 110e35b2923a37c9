import { workOn } from '@manyworlds/node/internal';
import { MemoryBackend } from '@manyworlds/sweep/internal';
import { ComputePool } from './compute-pool.ts';
import { feedQueue, LOOK_INTERVAL, pause, type SweepWork } from './sweep-work.ts';

/** Batches in the queue for each thread. */
const WATERMARK = 4;
/** No thread of this process loses its lease: the one that renews them does not compute [ms]. */
const LEASE_TIME = 30_000;

/** Computes a sweep on threads of this process. Rejects for faults of the program and of the file system. */
export async function runHere(work: SweepWork, jobs: number, maxMemory: number | undefined): Promise<void> {
	const { sweep, folder, isOver, metrics } = work;
	const pool = new ComputePool(sweep.setup, {
		timePerRun: sweep.plan.stop.timePerRun,
		...(maxMemory !== undefined && { maxMemory }),
	});
	const backend = new MemoryBackend({
		capacity: WATERMARK * jobs,
		leaseTime: LEASE_TIME,
		now: () => performance.now(),
		later: (call, delay) => setTimeout(call, delay).unref(),
	});
	let isFaulty = false;
	let isDone = false;
	const isEnding = (): boolean => isFaulty || isOver();
	const timer = setInterval(() => {
		work.tick();
		// those who wait for batches see it at once
		if (isEnding()) void Promise.all([backend.close(), pool.close()]);
	}, LOOK_INTERVAL);
	const fed = feedQueue(backend, work.batches(), { isOver: isEnding, tick: work.tick }).then(async () => {
		for (;;) {
			const { pending, leased } = await backend.stats();
			if (isEnding() || pending + leased === 0) break;
			await pause(LOOK_INTERVAL / 5);
		}
		isDone = true;
		await backend.close();
	});
	try {
		await workOn({
			backend,
			results: work.results ?? folder,
			runOf: sweep.runOf,
			compute: (runs) => pool.compute(runs),
			concurrency: jobs,
			heartbeat: LEASE_TIME / 3,
			worker: work.worker,
			isStopping: () => isDone || isEnding(),
			onCommit: work.onCommit,
			onLease: (event) => {
				if (event === 'lease' || event === 'redelivery') metrics.add('leases_total');
			},
		});
	} catch (error) {
		// threads that were ended because the user stops are no fault
		if (!isOver()) throw error;
	} finally {
		isFaulty = true;
		await Promise.allSettled([fed]);
		clearInterval(timer);
		await pool.close();
	}
	await fed;
}
