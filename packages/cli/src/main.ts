import { createDiagnostic } from '@manyworlds/core';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CommandContext, ExitCode, REPORT_FORMATS, type ReportFormat } from './command-context.ts';
import { type ConvertCommandOptions, convert } from './commands/convert.ts';
import { type FormatCommandOptions, format } from './commands/format.ts';
import { type InspectCommandOptions, inspect } from './commands/inspect.ts';
import { type CliIo, processIo } from './io.ts';
import { VERSION } from './version.ts';

/** Runs `manyworlds` with the given arguments and gives its exit status; never throws. */
export async function main(args: readonly string[], io: CliIo = processIo()): Promise<ExitCode> {
	const context = new CommandContext(io);
	let reportFormat = reportFormatOf(args);
	try {
		const program = createProgram(context, (chosen) => {
			reportFormat = chosen;
		});
		await program.parseAsync([...args], { from: 'user' });
	} catch (error) {
		if (!(error instanceof CommanderError)) return fail(context, error);
		// help and version were asked for
		if (error.exitCode === 0) return ExitCode.clean;
		// help was shown for want of a command
		if (error.code === 'commander.help') return ExitCode.unusable;
		const message = `${error.message.replace(/^error: /, '')} (see manyworlds help)`;
		context.report.add(createDiagnostic('CLI006', message));
	}
	context.printReport(reportFormat);
	return context.exitCode();
}

function createProgram(context: CommandContext, setFormat: (format: ReportFormat) => void): Command {
	const program = new Command('manyworlds')
		.description('Look at, convert and format robot assets in OpenUSD.')
		.version(VERSION, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'explain a command')
		.exitOverride()
		.configureOutput({
			writeOut: (text) => context.io.stdout.write(text),
			writeErr: (text) => context.io.stderr.write(text),
			// errors become diagnostics
			outputError: () => {},
		})
		.addHelpText('after', '\nExit status: 0 clean, 1 findings, 2 unusable input or wrong use, 3 internal error.');

	const add = (usage: string, description: string): Command =>
		program
			.command(usage)
			.description(description)
			.addOption(new Option('--format <format>', 'how to write diagnostics').choices(REPORT_FORMATS).default('text'))
			.hook('preAction', (_, command) => setFormat(command.opts<{ format: ReportFormat }>().format));

	add('inspect', 'list what a USD file holds')
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.option('--json', 'print JSON (docs/guide/inspect.md says its shape)')
		.option('--depth <levels>', 'levels of prims to list', parseDepth)
		.option('--values', 'list properties with their values')
		.action((file: string, options: InspectCommandOptions) => inspect(context, file, options));

	add('convert', 'write a layer in another format')
		.argument('<input>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.argument('<output>', 'file to write; its extension says the format, .usd means usdc')
		.addOption(new Option('--to <format>', 'format of the output').choices(['usda', 'usdc', 'usdz']))
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.option('--rewrite-paths', 'keep relative paths true when the output is in another folder')
		.action((input: string, output: string, options: ConvertCommandOptions) =>
			convert(context, input, output, options),
		);

	add('format', 'rewrite usda files in canonical form')
		.argument('<files...>', 'files, folders or patterns')
		.option('--check', 'change nothing, exit 1 if a file would change')
		.option('--stdout', 'print the result instead of changing the file')
		.option('--force', 'rewrite files with comments, which are lost')
		.action((files: string[], options: FormatCommandOptions) => format(context, files, options));
	return program;
}

/** The report format that the arguments ask for, known even when they are otherwise wrong. */
function reportFormatOf(args: readonly string[]): ReportFormat {
	const at = args.findIndex((arg) => arg === '--format' || arg.startsWith('--format='));
	const value = args[at]?.includes('=') ? args[at].slice('--format='.length) : args[at + 1];
	return at < 0 ? 'text' : (REPORT_FORMATS.find((format) => format === value) ?? 'text');
}

function parseDepth(text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a number of levels, 0 or more.');
	return Number(text);
}

function parseVersion(text: string): string {
	const minor = Number(/^0\.(\d{1,2})\.0$/.exec(text)?.[1] ?? 0);
	if (minor < 4 || minor > 16) throw new InvalidArgumentError('Expected a version from 0.4.0 to 0.16.0.');
	return text;
}

function fail(context: CommandContext, error: unknown): ExitCode {
	context.progress.clear();
	const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
	context.io.stderr.write(
		`manyworlds ${VERSION} failed with an internal error. This is a fault in Manyworlds: please report it, with the ` +
			`command, the input if you can share it, and the text below.\n\n${detail}\n`,
	);
	return ExitCode.internal;
}
