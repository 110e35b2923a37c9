import type { CommandSet } from '../command-set.ts';
import type { Shell } from './completion.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** Declares `manyworlds completion`; what it does is loaded when it runs. */
export function declareCompletion(commands: CommandSet): void {
	commands.program
		.command('completion')
		.description(
			'print what lets a shell complete commands and options; for bash: source <(manyworlds completion bash)',
		)
		.addArgument(commands.program.createArgument('<shell>', 'bash, zsh or fish').choices(SHELLS))
		.action(async (shell: Shell) => {
			const { completion } = await import('./completion.ts');
			completion(commands.context, await commands.createAll(), shell);
		});
}
