import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';

/** Shells that can be told what to complete. */
export type Shell = 'bash' | 'zsh' | 'fish';

interface CommandFacts {
	readonly name: string;
	readonly description: string;
	readonly options: readonly {
		readonly flag: string;
		readonly description: string;
		readonly choices: readonly string[];
		readonly takesValue: boolean;
	}[];
}

/** `manyworlds completion SHELL`: prints a script made from the declarations of the commands. */
export function completion(context: CommandContext, program: Command, shell: Shell): void {
	const commands = program.commands.map(factsOf);
	context.print(WRITERS[shell](commands));
}

function factsOf(command: Command): CommandFacts {
	return {
		name: command.name(),
		description: command.description(),
		options: command.options
			.filter(({ hidden }) => !hidden)
			.map(({ long, short, description, argChoices, required, optional }) => ({
				flag: long ?? short ?? '',
				description,
				choices: argChoices ?? [],
				takesValue: required || optional,
			})),
	};
}

const WRITERS: Readonly<Record<Shell, (commands: readonly CommandFacts[]) => string>> = {
	bash: (commands) => {
		const cases = commands.map(({ name, options }) => {
			const values = options
				.filter(({ choices }) => choices.length > 0)
				.map(
					({ flag, choices }) =>
						`\t\t\t${flag}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;\n`,
				);
			return `\t${name})\n\t\tcase "$before" in\n${values.join('')}\t\t\t*) ;;\n\t\tesac\n\t\toptions='${options.map(({ flag }) => flag).join(' ')}' ;;\n`;
		});
		return `# completion of manyworlds for bash
_manyworlds() {
	local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" options=''
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$word"))
		return
	fi
	case "\${COMP_WORDS[1]}" in
${cases.join('')}	esac
	if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
	else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _manyworlds manyworlds
`;
	},
	zsh: (commands) => {
		const quote = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
		const cases = commands.map(({ name, options }) => {
			const specs = options.map(({ flag, description, choices, takesValue }) => {
				const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : '';
				return `'${flag}[${quote(description)}]${value}'`;
			});
			return `\t\t${name}) _arguments ${[...specs, "'*:file:_files'"].join(' ')} ;;\n`;
		});
		return `#compdef manyworlds
# completion of manyworlds for zsh
_manyworlds() {
	local -a commands
	commands=(${commands.map(({ name, description }) => `'${name}:${quote(description)}'`).join(' ')})
	if (( CURRENT == 2 )); then _describe command commands; return; fi
	shift words; (( CURRENT-- ))
	case $words[1] in
${cases.join('')}	esac
}
compdef _manyworlds manyworlds
`;
	},
	fish: (commands) => {
		const quote = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
		const lines = commands.flatMap(({ name, description, options }) => [
			`complete -c manyworlds -n __fish_use_subcommand -f -a ${name} -d '${quote(description)}'`,
			...options.map(({ flag, description: text, choices, takesValue }) => {
				const values = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
				return `complete -c manyworlds -n '__fish_seen_subcommand_from ${name}' -l ${flag.replace(/^--/, '')} -d '${quote(text)}'${values}`;
			}),
		]);
		return `# completion of manyworlds for fish\n${lines.join('\n')}\n`;
	},
};
