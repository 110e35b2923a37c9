import { Option } from 'commander';
import { collect, parseIndex, parsePositive, withFiles } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import { SOLVERS } from '../run/solver-names.ts';
import type { RecordOptions } from './record.ts';

/** Declares `manyworlds record`; what it does is loaded when it runs. */
export function declareRecord(commands: CommandSet): void {
	withFiles(
		commands.add('record', 'simulate a robot or a scene and write its ROS topics as MCAP, without serving them'),
	)
		.argument('<file>', 'robot (USD, URDF, MJCF, SDF) or scene (YAML, JSON)')
		.requiredOption('-o, --output <file>', 'the .mcap file to write, or a bag folder (a name that ends in /)')
		.option('--duration <seconds>', 'simulated time', parsePositive, 5)
		.addOption(new Option('--solver <solver>', 'solver to use').choices(SOLVERS).default('sap'))
		.option('--dt <seconds>', 'time step (default: that of the file, else 0.002)', parsePositive)
		.addOption(
			new Option('--compression <kind>', 'compression of recordings').choices(['zstd', 'none']).default('zstd'),
		)
		.option('--lidar-noise <metres>', 'standard deviation of the ranges of lidars (default: none)', parsePositive)
		.option('--play <file>', 'MCAP file whose commands the robot gets, at their simulated times')
		.option('--seed <number>', 'seed of that noise', parseIndex, 0)
		.option('--namespace <name>', 'namespace of a robot that has none of its own')
		.option('--interfaces <dir>', 'folder with .msg, .srv and .action files of further types; repeatable', collect)
		.option('--floating', 'let the base of a robot float where its format leaves that open')
		.option('--no-ground', 'no ground plane below a robot')
		.addHelpText('after', '\nThe same file, options and seed give the same bytes.')
		.action(async (file: string, options: RecordOptions) => {
			const { record } = await import('./record.ts');
			await record(commands.context, file, options);
		});
}
