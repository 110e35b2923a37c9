import { Option } from 'commander';
import { parseVersion } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { ConvertCommandOptions } from './convert.ts';

/** Declares `manyworlds convert`; what it does is loaded when it runs. */
export function declareConvert(commands: CommandSet): void {
	commands
		.add('convert', 'write a layer in another format')
		.argument('<input>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.argument('<output>', 'file to write; its extension says the format, .usd means usdc')
		.addOption(new Option('--to <format>', 'format of the output').choices(['usda', 'usdc', 'usdz']))
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.option('--rewrite-paths', 'keep relative paths true when the output is in another folder')
		.action(async (input: string, output: string, options: ConvertCommandOptions) => {
			const { convert } = await import('./convert.ts');
			convert(commands.context, input, output, options);
		});
}
