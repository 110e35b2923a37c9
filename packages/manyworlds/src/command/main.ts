import { Command, CommanderError } from 'commander';
import { createDiagnostic } from '../diagnostics.ts';
import { VERSION } from '../version.ts';
import { CommandContext, ExitCode, REPORT_FORMATS, type ReportFormat } from './command-context.ts';
import { CommandSet } from './command-set.ts';
import { type CliIo, processIo } from './io.ts';
import { usageMessage } from './usage-message.ts';

/** Runs `manyworlds` with the given arguments and gives its exit status; never throws. */
export async function main(args: readonly string[], io: CliIo = processIo()): Promise<ExitCode> {
	const context = new CommandContext(io);
	let reportFormat = reportFormatOf(args);
	try {
		const program = await createProgram(context, args[0], (chosen) => {
			reportFormat = chosen;
		});
		await program.parseAsync([...args], { from: 'user' });
	} catch (error) {
		if (!(error instanceof CommanderError)) return fail(context, error);
		// help and version were asked for
		if (error.exitCode === 0) return ExitCode.clean;
		// help was shown for want of a command
		if (error.code === 'commander.help') return ExitCode.unusable;
		context.report.add(createDiagnostic('CLI006', `${usageMessage(error)} (see manyworlds help)`));
	}
	if (context.outcome === undefined) await context.printReport(reportFormat);
	return context.exitCode();
}

/** Declarations of the commands; each is beside its code and loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<(commands: CommandSet) => void>>> = {
	check: async () => (await import('./commands/check-command.ts')).declareCheck,
	run: async () => (await import('./commands/run-command.ts')).declareRun,
	serve: async () => (await import('./commands/serve-command.ts')).declareServe,
	record: async () => (await import('./commands/record-command.ts')).declareRecord,
	bench: async () => (await import('./commands/bench-command.ts')).declareBench,
	sweep: async () => (await import('./commands/sweep-command.ts')).declareSweep,
	worker: async () => (await import('./commands/worker-command.ts')).declareWorker,
	inspect: async () => (await import('./commands/inspect-command.ts')).declareInspect,
	flatten: async () => (await import('./commands/flatten-command.ts')).declareFlatten,
	explain: async () => (await import('./commands/explain-command.ts')).declareExplain,
	convert: async () => (await import('./commands/convert-command.ts')).declareConvert,
	view: async () => (await import('./commands/view-command.ts')).declareView,
	fix: async () => (await import('./commands/fix-command.ts')).declareFix,
	format: async () => (await import('./commands/format-command.ts')).declareFormat,
	host: async () => (await import('./commands/host-command.ts')).declareHost,
	lsp: async () => (await import('./commands/lsp-command.ts')).declareLsp,
	completion: async () => (await import('./commands/completion-command.ts')).declareCompletion,
};

/** The program with the command that is asked for, or with all of them where help is. */
async function createProgram(
	context: CommandContext,
	asked: string | undefined,
	setFormat: (format: ReportFormat) => void,
): Promise<Command> {
	const program = new Command('manyworlds')
		.description('Look at, view, check, fix, explain, flatten, convert, format, simulate and serve robot assets.')
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

	const createAll = (): Promise<Command> => createProgram(context, undefined, setFormat);
	const commands = new CommandSet(program, context, setFormat, createAll);
	const only = asked === undefined || !Object.hasOwn(COMMANDS, asked) ? undefined : COMMANDS[asked];
	for (const load of only === undefined ? Object.values(COMMANDS) : [only]) (await load())(commands);
	return program;
}

/** The report format that the arguments ask for, known even when they are otherwise wrong. */
function reportFormatOf(args: readonly string[]): ReportFormat {
	const at = args.findIndex((arg) => arg === '--format' || arg.startsWith('--format='));
	const value = args[at]?.includes('=') ? args[at].slice('--format='.length) : args[at + 1];
	return at < 0 ? 'text' : (REPORT_FORMATS.find((format) => format === value) ?? 'text');
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
