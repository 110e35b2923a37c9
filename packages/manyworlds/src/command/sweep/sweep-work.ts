import type { Commit, ResultFolder } from '@manyworlds/node/internal';
import type { Backend, Batch, ResultStore } from '@manyworlds/sweep/internal';
import type { LoadedSweep } from './load-sweep.ts';
import type { SweepMetrics } from './sweep-metrics.ts';

/** What there is to do of a sweep, and who is told about it. */
export interface SweepWork {
	readonly sweep: LoadedSweep;
	readonly folder: ResultFolder;
	/** Where results go; the folder unless given. */
	readonly results?: ResultStore;
	/** Batches of what is left; asked again after a queue lost some. */
	readonly batches: () => Iterable<Batch>;
	/** Name of this process. */
	readonly worker: string;
	/** Whether to end early. */
	readonly isOver: () => boolean;
	/** Called again and again. */
	readonly tick: () => void;
	readonly onCommit: (commit: Commit) => void;
	readonly metrics: SweepMetrics;
}

/** Time between two looks at a queue [ms]. */
export const LOOK_INTERVAL = 50;

/** Puts batches into a queue, waiting while it is full. */
export async function feedQueue(
	backend: Backend,
	batches: Iterable<Batch>,
	{ isOver, tick }: Pick<SweepWork, 'isOver' | 'tick'>,
	meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
	for (const batch of batches) {
		while (!isOver() && !(await backend.submit(batch))) {
			await meanwhile();
			tick();
			await pause(LOOK_INTERVAL);
		}
		if (isOver()) return;
	}
}

/** Whether the file system refuses to keep results. */
export function isDiskFault(error: unknown): boolean {
	const code = (error as NodeJS.ErrnoException).code ?? '';
	return ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR', 'ENOENT', 'EFBIG'].includes(code);
}

export function pause(delay: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, delay));
}
