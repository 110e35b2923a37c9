import { parseIndex, parsePositive, withSimulation } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import { BENCH_FIELDS } from '../run/bench-fields.ts';
import type { BenchCommandOptions } from './bench.ts';

/** Declares `manyworlds bench`; what it does is loaded when it runs. */
export function declareBench(commands: CommandSet): void {
	withSimulation(commands.add('bench', 'time the steps of a scene or robot'))
		.argument('[file]', 'scene or robot')
		.option('--scene <file>', 'the same, by the name of the reference')
		.option('--duration <seconds>', 'simulated time', parsePositive, 2)
		.option('--warmup <frames>', 'steps before the clock runs', parseIndex, 50)
		.option('--device <name>', 'cpu, the only one there is', 'cpu')
		.option('--json', 'print JSON, as --format json does')
		.addHelpText('after', `\nFields of the result:\n${listFields(BENCH_FIELDS)}`)
		.addHelpText('after', '\nA run in which a world diverges has no rate; the exit status is then 1.')
		.action(async (file: string | undefined, options: BenchCommandOptions) => {
			const { bench } = await import('./bench.ts');
			await bench(commands.context, file, options);
		});
}

function listFields(fields: Readonly<Record<string, string>>): string {
	return Object.entries(fields)
		.map(([name, meaning]) => `  ${name.padEnd(27)}${meaning}`)
		.join('\n');
}
