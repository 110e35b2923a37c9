import { QUANTITY_GROUPS } from '@manyworlds/worlds';
import { parseIndex, parseList, parsePositive, withSimulation } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { RunCommandOptions } from './run.ts';

/** Declares `manyworlds run`; what it does is loaded when it runs. */
export function declareRun(commands: CommandSet): void {
	withSimulation(
		commands.add('run', 'simulate a scene (YAML or JSON), or a robot (USD, URDF, MJCF or SDF) on the ground'),
	)
		.argument('<file>', 'scene or robot')
		.option('--compare <solvers>', 'run several solvers and show where they part, as sap,mujoco')
		.option('--duration <seconds>', 'simulated time', parsePositive, 1)
		.option('--watch <world>', 'world to record', parseIndex, 0)
		.option(
			'--quantities <list>',
			`what to record and plot, with commas: ${Object.keys(QUANTITY_GROUPS).join(', ')}; position:knee keeps names with knee in them`,
			parseList,
		)
		.option('--record <file>', 'write the quantities of the watched world over time as .csv or .json')
		.option('--plot <file>', 'write a plot of them as .svg')
		.option('--json', 'print the summary as JSON')
		.addHelpText('after', '\nA world that diverges is held and reported, the others go on; the exit status is then 1.')
		.action(async (file: string, options: RunCommandOptions) => {
			const { run } = await import('./run.ts');
			await run(commands.context, file, options);
		});
}
