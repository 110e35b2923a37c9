import { type Command, Option } from 'commander';
import { type CommandContext, REPORT_FORMATS, type ReportFormat } from './command-context.ts';

/** The program that commands are declared in. */
export class CommandSet {
	readonly program: Command;
	readonly context: CommandContext;
	/** A program with all commands, whichever was asked for. */
	readonly createAll: () => Promise<Command>;
	readonly #setFormat: (format: ReportFormat) => void;

	constructor(
		program: Command,
		context: CommandContext,
		setFormat: (format: ReportFormat) => void,
		createAll: () => Promise<Command>,
	) {
		this.program = program;
		this.context = context;
		this.createAll = createAll;
		this.#setFormat = setFormat;
	}

	/** A command whose findings are written in the format that is asked for. */
	add(usage: string, description: string): Command {
		return this.program
			.command(usage)
			.description(description)
			.addOption(new Option('--format <format>', 'how to write diagnostics').choices(REPORT_FORMATS).default('text'))
			.hook('preAction', (_, command) => this.#setFormat(command.opts<{ format: ReportFormat }>().format));
	}
}
