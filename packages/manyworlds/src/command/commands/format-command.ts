import type { CommandSet } from '../command-set.ts';
import type { FormatCommandOptions } from './format.ts';

/** Declares `manyworlds format`; what it does is loaded when it runs. */
export function declareFormat(commands: CommandSet): void {
	commands
		.add('format', 'rewrite usda files in canonical form')
		.argument('<files...>', 'files, folders or patterns')
		.option('--check', 'change nothing, exit 1 if a file would change')
		.option('--stdout', 'print the result instead of changing the file')
		.option('--force', 'rewrite files with comments, which are lost')
		.action(async (files: string[], options: FormatCommandOptions) => {
			const { format } = await import('./format.ts');
			format(commands.context, files, options);
		});
}
