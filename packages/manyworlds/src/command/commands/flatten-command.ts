import { parseVersion, withStage } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { FlattenCommandOptions } from './flatten.ts';

/** Declares `manyworlds flatten`; what it does is loaded when it runs. */
export function declareFlatten(commands: CommandSet): void {
	withStage(commands.add('flatten', 'write what a file composes to as one layer'))
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.option('-o, --output <file>', 'file to write (.usda, .usdc, .usd); stdout gets usda without it')
		.option('--layer-stack', 'only put the sublayers together; references and other arcs stay')
		.option('--absolute-paths', 'name other files by absolute paths, as OpenUSD does')
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.action(async (file: string, options: FlattenCommandOptions) => {
			const { flatten } = await import('./flatten.ts');
			flatten(commands.context, file, options);
		});
}
