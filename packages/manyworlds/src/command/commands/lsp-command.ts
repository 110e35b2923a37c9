import type { CommandSet } from '../command-set.ts';

/** Declares `manyworlds lsp`; what it does is loaded when it runs. */
export function declareLsp(commands: CommandSet): void {
	commands.program
		.command('lsp')
		.description('serve an editor: findings, fixes, navigation and completion for OpenUSD, URDF, MJCF and scene files')
		.option('--stdio', 'speak over standard input and output (the default, and the only way)')
		// editors pass it; the client says the same when it begins
		.option('--clientProcessId <number>', 'process to end with')
		.action(async () => {
			const { serveEditor } = await import('../lsp/serve-editor.ts');
			commands.context.outcome = await serveEditor(commands.context);
		});
}
