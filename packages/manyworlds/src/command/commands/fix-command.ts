import { collect, withStage } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { FixCommandOptions } from './fix.ts';
import { addFixParameters } from './fix-parameters.ts';

/** Declares `manyworlds fix`; what it does is loaded when it runs. */
export function declareFix(commands: CommandSet): void {
	const fixCommand = withStage(commands.add('fix', 'put assets right by REP 0158'))
		.argument('<paths...>', 'entry files of assets, folders or patterns')
		.option('--diff', 'print what would change as unified diffs and write nothing')
		.option('--unsafe', 'also change geometry, names and values that somebody chose')
		.option('--only <families>', 'families of fixes to apply, such as F2,F9', collect)
		.option('--select <rules>', 'rules to put right, such as R1.1.7 or §1.1', collect)
		.option('--backup', 'keep what files held before as FILE.orig')
		.option('--plan <file>', 'write what is done as JSON; - for stdout')
		.option('-o, --output <dir>', 'write the whole asset there and leave the original alone')
		.option('--no-verify', 'do not compare masses, joints and shapes before and after');
	addFixParameters(fixCommand, collect).action(async (paths: string[], options: FixCommandOptions) =>
		(await import('./fix.ts')).fix(commands.context, paths, options),
	);
}
