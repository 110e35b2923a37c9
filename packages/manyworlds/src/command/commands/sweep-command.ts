import { InvalidArgumentError, Option } from 'commander';
import { parseCount, parseIndex, parseSeconds } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { SweepCommandOptions } from '../sweep/sweep-command-options.ts';

/** Declares `manyworlds sweep`; what it does is loaded when it runs. */
export function declareSweep(commands: CommandSet): void {
	commands
		.add('sweep', 'run a plan of many simulations or checks, here or on many machines; resume by running it again')
		.argument('[plan]', 'plan (YAML or JSON), or one of status, show, query, report, export')
		.argument('[rest...]', 'status FOLDER, show KEY FOLDER, query SQL FOLDER, report FOLDER, export FOLDER')
		.option('--out <dir>', 'folder of results (default: NAME.sweep beside the plan)')
		.option('--run <index>', 'do this run only and print its row as JSON', parseIndex)
		.option('--shard <I/N>', 'do part I of N, counted from 0; all parts share the folder', parseShard)
		.option('--queue <url>', 'hand the runs to workers: nats://HOST:PORT/NAME or file:///FOLDER')
		.option('--store <url>', 'keep results where other machines see them: s3://BUCKET/PREFIX')
		.option('--lease <time>', 'how long the queue waits for a sign of life of a worker, as 30s', parseSeconds, 30)
		.addOption(new Option('--retry <what>', 'run again what failed').choices(['failed']))
		.option('--jobs <count>', 'threads (default: one for each processor)', parseCount)
		.option('--max-memory <MB>', 'most memory of a thread', parseCount)
		.option('--dry-run', 'check the plan and show what would be run')
		.option('--dataset <file>', 'where export puts the series of all runs (default: dataset.parquet in the folder)')
		.option('--json', 'print progress and the summary as lines of JSON')
		.option('--metrics <[host]:port>', 'serve counts for Prometheus')
		.option('--print-nats-config', 'print a configuration for nats-server that loses nothing')
		.addHelpText(
			'after',
			'\nExit status: 0 all runs are committed, 1 more failed than the plan allows, 2 wrong plan or use, 130 interrupted: run it again to go on.',
		)
		.action(async (plan: string | undefined, rest: string[], options: SweepCommandOptions) => {
			const { sweep } = await import('./sweep.ts');
			await sweep(commands.context, plan, rest, options);
		});
}

/** `0/3` to `2/3`, as arrays of Slurm and Jobs of Kubernetes count. */
function parseShard(text: string): { readonly index: number; readonly count: number } {
	const match = /^(\d{1,6})\/([1-9]\d{0,5})$/.exec(text);
	const [index, count] = [Number(match?.[1]), Number(match?.[2])];
	if (match === null || index >= count) throw new InvalidArgumentError('Expected I/N with I from 0 to N-1.');
	return { index, count };
}
