import { parsePort } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { ViewCommandOptions } from './view.ts';

/** Declares `manyworlds view`; what it does is loaded when it runs. */
export function declareView(commands: CommandSet): void {
	commands
		.add('view', 'show a robot or scene in the browser: see, check, fix, pose and simulate it')
		.argument('[file]', 'OpenUSD, URDF, MJCF, SDF or scene file; without one the viewer starts empty')
		.option('--port <number>', 'port on this machine; any that is free unless given', parsePort)
		.option('--no-open', 'only print the address, start no browser')
		.option('--watch', 'show the asset anew when its files change')
		.option('--no-isolation', 'serve without the headers that let pages share memory between threads')
		.action(async (file: string | undefined, options: ViewCommandOptions) => {
			const { view } = await import('./view.ts');
			const site = await view(commands.context, file, options);
			if (site === undefined) return;
			await new Promise<void>((resolve) => {
				for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
			});
			await site.close();
		});
}
