import type { CommandSet } from '../command-set.ts';

/** Declares `manyworlds host`, which the package for Python starts; people have no use for it, so that help does not show it. */
export function declareHost(commands: CommandSet): void {
	commands.program
		.command('host', { hidden: true })
		.description('simulate for another program, which speaks through standard input and output')
		.action(async () => {
			const { openStdioChannel } = await import('@manyworlds/node');
			const { serveHost } = await import('../host/serve-host.ts');
			await serveHost(openStdioChannel());
			commands.context.outcome = 0;
		});
}
