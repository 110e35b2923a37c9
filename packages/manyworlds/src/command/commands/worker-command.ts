import { parseCount, parseSeconds } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { WorkerCommandOptions } from './worker.ts';

/** Declares `manyworlds worker`; what it does is loaded when it runs. */
export function declareWorker(commands: CommandSet): void {
	commands
		.add('worker', 'compute runs of sweeps that a queue hands out')
		.requiredOption('--queue <url>', 'nats://HOST:PORT/NAME or file:///FOLDER')
		.option('--store <place>', 'folder or s3://BUCKET/PREFIX that results go to directly (default: through the queue)')
		.option('--threads <count>', 'threads (default: one for each processor)', parseCount)
		.option('--max-memory <MB>', 'most memory of a thread', parseCount)
		.option('--once', 'end when the queue is empty')
		.option('--idle-exit <time>', 'end after a time without work, as 60s', parseSeconds)
		.option('--grace <time>', 'time to finish after SIGTERM', parseSeconds, 30)
		.option('--lease <time>', 'how long the queue waits for a sign of life', parseSeconds, 30)
		.option('--labels <list>', 'words about this machine for the timing table, as gpu=no')
		.option('--metrics <[host]:port>', 'serve counts for Prometheus')
		.option('--cache <dir>', 'folder for assets (default: the cache folder of the user)')
		.action(async (options: WorkerCommandOptions) => {
			const { worker } = await import('./worker.ts');
			await worker(commands.context, options);
		});
}
