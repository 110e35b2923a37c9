import { CONTACT_DEFAULTS_NAMES } from '@manyworlds/model';
import { QUANTITY_GROUPS } from '@manyworlds/worlds';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { createDiagnostic } from '../diagnostics.ts';
import { VERSION } from '../version.ts';
import { CommandContext, ExitCode, REPORT_FORMATS, type ReportFormat } from './command-context.ts';
import type { BenchCommandOptions } from './commands/bench.ts';
import type { CheckCommandOptions } from './commands/check.ts';
import type { ConvertCommandOptions } from './commands/convert.ts';
import type { ExplainCommandOptions } from './commands/explain.ts';
import type { FixCommandOptions } from './commands/fix.ts';
import { addFixParameters } from './commands/fix-parameters.ts';
import type { FlattenCommandOptions } from './commands/flatten.ts';
import type { FormatCommandOptions } from './commands/format.ts';
import type { InspectCommandOptions } from './commands/inspect.ts';
import type { InspectStageCommandOptions } from './commands/inspect-stage.ts';
import type { RunCommandOptions } from './commands/run.ts';
import { type CliIo, processIo } from './io.ts';
import { BENCH_FIELDS } from './run/bench-fields.ts';
import { SOLVERS } from './run/solver-names.ts';

/** Formats of `manyworlds check`. */
const CHECK_FORMATS: readonly CheckCommandOptions['format'][] = ['text', 'json', 'sarif', 'github', 'junit', 'rep'];

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
	if (context.outcome === undefined) await context.printReport(reportFormat);
	return context.exitCode();
}

/** The commands. What one of them needs is loaded when it runs, so that none waits for the others. */
function createProgram(context: CommandContext, setFormat: (format: ReportFormat) => void): Command {
	const program = new Command('manyworlds')
		.description('Look at, check, fix, explain, flatten, convert, format and simulate robot assets.')
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

	const withFiles = (command: Command): Command =>
		command
			.option('--root <dir>', 'folder that layers may be read from, besides that of the file; repeatable', collect)
			.option('--package <name=dir>', 'folder of a ROS package for package:// paths; repeatable', collect);
	const withStage = (command: Command): Command =>
		withFiles(command).option('--no-payloads', 'leave payloads unloaded');

	const withSimulation = (command: Command): Command =>
		withFiles(command)
			.addOption(new Option('--solver <solver>', 'solver to use').choices(SOLVERS).default('sap'))
			.option('--frames <count>', 'number of steps, instead of a duration', parseCount)
			.option('--dt <seconds>', 'time step (default: that of the scene, 0.002 for a robot)', parsePositive)
			.option('--worlds <count>', 'worlds to simulate side by side (default: those of the scene, else 1)', parseCount)
			.option('--num-worlds <count>', 'the same, by its name in scenes', parseCount)
			.option('--jobs <count>', 'threads to step worlds with; the result does not depend on it', parseCount)
			.option('--floating', 'let the base of a robot float where its format leaves that open')
			.option('--no-ground', 'no ground plane below a robot')
			.addOption(
				new Option(
					'--contacts <name>',
					'contact of shapes of a robot that say nothing about it (default: firm)',
				).choices(CONTACT_DEFAULTS_NAMES),
			)
			.option('--no-strict', 'run a scene also when a part of it is not supported; that part is left out and told')
			.option(
				'--resolvers <names>',
				'schema resolvers of USD in order of priority: newton, physx, mjc',
				parseResolvers,
			);

	withFiles(program.command('check').description('find where assets break REP 0158, in every variant selection'))
		.argument('<paths...>', 'files, folders or patterns')
		.addOption(new Option('--format <format>', 'how to write findings').choices(CHECK_FORMATS).default('text'))
		.option('--select <rules>', 'rules to check, R1.1.7 or a section as §1.3; repeatable, or with commas', collect)
		.option('--ignore <rules>', 'rules not to check; repeatable, or with commas', collect)
		.addOption(
			new Option('--profile <profile>', 'what the assets are; sources may keep Euler angles').choices([
				'distributed',
				'source',
			]),
		)
		.addOption(
			new Option('--payload-policy <policy>', 'whether the payload of the entry prim may bring links').choices([
				'kinematics-visible',
				'entry',
			]),
		)
		.option('--config <file>', 'configuration; the nearest manyworlds.json unless given')
		.option('--no-config', 'read no configuration')
		.option('--baseline <file>', 'report only what this file does not have')
		.option('--write-baseline <file>', 'write all findings to a file for --baseline')
		.addOption(
			new Option('--fail-on <severity>', 'least severity that makes exit status 1 (default: "warning")').choices([
				'error',
				'warning',
				'info',
				'hint',
				'never',
			]),
		)
		.option('--jobs <count>', 'threads to use', parseCount)
		.option('--interfaces <dir>', 'folder with interface files of ROS packages; repeatable', collect)
		.option('--max-variants <count>', 'most variant selections of an asset (default: 64)', parseCount)
		.option('--max-prims <count>', 'most prims of an asset (default: 2000000)', parseCount)
		.option('--all', 'show all findings of a rule')
		.option('--excerpts', 'show the source lines')
		.option('--quiet', 'show the summary only')
		.action(async (paths: string[], options: CheckCommandOptions) => {
			const { check } = await import('./commands/check.ts');
			await check(context, paths, options);
		});

	withSimulation(add('run', 'simulate a scene (YAML or JSON), or a robot (USD, URDF or MJCF) on the ground'))
		.argument('<file>', 'scene or robot')
		.option('--compare <solvers>', 'run several solvers and show where they part, as sap,mujoco')
		.option('--duration <seconds>', 'simulated time', parsePositive, 1)
		.option('--watch <world>', 'world to record', parseIndex, 0)
		.option(
			'--quantities <list>',
			`what to record and plot, with commas: ${Object.keys(QUANTITY_GROUPS).join(', ')}; position:knee keeps names with knee in them`,
			parseList,
		)
		.option('--record <file>', 'write the quantities of the watched world over time as .csv or .json')
		.option('--plot <file>', 'write a plot of them as .svg')
		.option('--json', 'print the summary as JSON')
		.addHelpText('after', '\nA world that diverges is held and reported, the others go on; the exit status is then 1.')
		.action(async (file: string, options: RunCommandOptions) => {
			const { run } = await import('./commands/run.ts');
			await run(context, file, options);
		});

	withSimulation(add('bench', 'time the steps of a scene or robot'))
		.argument('[file]', 'scene or robot')
		.option('--scene <file>', 'the same, by the name of the reference')
		.option('--duration <seconds>', 'simulated time', parsePositive, 2)
		.option('--warmup <frames>', 'steps before the clock runs', parseIndex, 50)
		.option('--device <name>', 'cpu, the only one there is', 'cpu')
		.option('--json', 'print JSON, as --format json does')
		.addHelpText('after', `\nFields of the result:\n${listFields(BENCH_FIELDS)}`)
		.addHelpText('after', '\nA run in which a world diverges has no rate; the exit status is then 1.')
		.action(async (file: string | undefined, options: BenchCommandOptions) => {
			const { bench } = await import('./commands/bench.ts');
			await bench(context, file, options);
		});

	withStage(add('inspect', 'list what a USD file holds, composes to, or what a robot imports to'))
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.option('--json', 'print JSON (docs/guide/inspect.md says its shape)')
		.option('--depth <levels>', 'levels of prims to list', parseDepth)
		.option('--values', 'list properties with their values')
		.option('--stage', 'compose the file with all it refers to and list the result')
		.option('--time <code>', 'time code of the values that --stage lists', parseTime)
		.option(
			'--model',
			'import the robot (USD, URDF or MJCF) and list the model: bodies, joints, drives, shapes, ledger',
		)
		.option(
			'--resolvers <names>',
			'with --model: schema resolvers of USD in order of priority, such as physx,newton,mjc',
			parseResolvers,
		)
		.option('--strict', 'with --model: attributes that have no effect are errors')
		.option('--newton-compat', 'with --model: as Newton 1.6.1 imports it, where that differs')
		.action(async (file: string, options: InspectCommandOptions & InspectStageCommandOptions & ModelOptions) => {
			if (options.model === true) {
				const { inspectRobot } = await import('./commands/inspect-model.ts');
				inspectRobot(context, file, options);
			} else if (options.stage === true) {
				const { inspectComposed } = await import('./commands/inspect-stage.ts');
				inspectComposed(context, file, options);
			} else await inspectLayer(context, file, options);
		});

	withStage(add('flatten', 'write what a file composes to as one layer'))
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.option('-o, --output <file>', 'file to write (.usda, .usdc, .usd); stdout gets usda without it')
		.option('--layer-stack', 'only put the sublayers together; references and other arcs stay')
		.option('--absolute-paths', 'name other files by absolute paths, as OpenUSD does')
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.action(async (file: string, options: FlattenCommandOptions) => {
			const { flatten } = await import('./commands/flatten.ts');
			flatten(context, file, options);
		});

	withStage(add('explain', 'tell where a value comes from, every opinion, strongest first; or what a rule asks for'))
		.argument('<file>', 'usda, usdc, usd or usdz file, or package.usdz[member]; or a rule or code such as R1.1.7')
		.argument(
			'[path]',
			'/prim.property, /prim, /prim:metadata, /:metadata of the stage, or joint_target_ke[3] of the model',
		)
		.option('--metadata <name>', 'explain metadata of the prim or property')
		.option('--time <code>', 'time code of the value, the default time without one', parseTime)
		.option('--json', 'print JSON (docs/guide/explain.md says its shape)')
		.option(
			'--resolvers <names>',
			'for a value of the model: schema resolvers of USD in order of priority',
			parseResolvers,
		)
		.option('--newton-compat', 'for a value of the model: as Newton 1.6.1 imports it, where that differs')
		.action(async (file: string, path: string | undefined, options: ExplainCommandOptions & ModelOptions) => {
			if (path !== undefined && /^[a-z][\w:]*\[.+\]$/.test(path)) {
				const { explainModel } = await import('./commands/explain-model.ts');
				explainModel(context, file, path, options);
			} else if (path !== undefined) (await import('./commands/explain.ts')).explain(context, file, path, options);
			else (await import('./commands/explain-code.ts')).explainCode(context, file, options);
		});

	add('convert', 'write a layer in another format')
		.argument('<input>', 'usda, usdc, usd or usdz file, or package.usdz[member]')
		.argument('<output>', 'file to write; its extension says the format, .usd means usdc')
		.addOption(new Option('--to <format>', 'format of the output').choices(['usda', 'usdc', 'usdz']))
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.option('--rewrite-paths', 'keep relative paths true when the output is in another folder')
		.action(async (input: string, output: string, options: ConvertCommandOptions) => {
			const { convert } = await import('./commands/convert.ts');
			convert(context, input, output, options);
		});

	const fixCommand = withStage(add('fix', 'put assets right by REP 0158'))
		.argument('<paths...>', 'entry files of assets, folders or patterns')
		.option('--diff', 'print what would change as unified diffs and write nothing')
		.option('--unsafe', 'also change geometry, names and values that somebody chose')
		.option('--only <families>', 'families of fixes to apply, such as F2,F9', collect)
		.option('--select <rules>', 'rules to put right, such as R1.1.7 or §1.1', collect)
		.option('--backup', 'keep what files held before as FILE.orig')
		.option('--plan <file>', 'write what is done as JSON; - for stdout')
		.option('-o, --output <dir>', 'write the whole asset there and leave the original alone')
		.option('--no-verify', 'do not compare masses, joints and shapes before and after');
	addFixParameters(fixCommand, collect).action(async (paths: string[], options: FixCommandOptions) =>
		(await import('./commands/fix.ts')).fix(context, paths, options),
	);

	add('format', 'rewrite usda files in canonical form')
		.argument('<files...>', 'files, folders or patterns')
		.option('--check', 'change nothing, exit 1 if a file would change')
		.option('--stdout', 'print the result instead of changing the file')
		.option('--force', 'rewrite files with comments, which are lost')
		.action(async (files: string[], options: FormatCommandOptions) => {
			const { format } = await import('./commands/format.ts');
			format(context, files, options);
		});
	return program;
}

function listFields(fields: Readonly<Record<string, string>>): string {
	return Object.entries(fields)
		.map(([name, meaning]) => `  ${name.padEnd(27)}${meaning}`)
		.join('\n');
}

/** Options about the model that a robot imports to. */
interface ModelOptions {
	readonly stage?: boolean;
	readonly model?: boolean;
	readonly resolvers?: readonly string[];
	readonly strict?: boolean;
	readonly newtonCompat?: boolean;
}

/** Inspects a file by itself, for which options about composition mean nothing. */
async function inspectLayer(
	context: CommandContext,
	file: string,
	options: InspectCommandOptions & InspectStageCommandOptions & ModelOptions,
): Promise<void> {
	const { root, package: packages, time, payloads, resolvers, strict, newtonCompat } = options;
	if (resolvers !== undefined || strict === true || newtonCompat === true) {
		const message =
			'--resolvers, --strict and --newton-compat are about the model that a robot imports to: add --model';
		context.report.add(createDiagnostic('CLI006', message));
		return;
	}
	if (root === undefined && packages === undefined && time === undefined && payloads !== false) {
		(await import('./commands/inspect.ts')).inspect(context, file, options);
		return;
	}
	const message = '--root, --package, --no-payloads and --time are about what a file composes to: add --stage';
	context.report.add(createDiagnostic('CLI006', message));
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

const RESOLVER_NAMES = ['newton', 'physx', 'mjc'];

function parseResolvers(text: string): string[] {
	const names = text.split(',').filter((name) => name !== '');
	if (names.some((name) => !RESOLVER_NAMES.includes(name)))
		throw new InvalidArgumentError(`Expected names out of ${RESOLVER_NAMES.join(', ')}, with commas.`);
	return names;
}

function parseTime(text: string): number {
	const time = Number(text);
	if (text.trim() === '' || !Number.isFinite(time)) throw new InvalidArgumentError('Expected a number.');
	return time;
}

function parseCount(text: string): number {
	if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, 1 or more.');
	return Number(text);
}

function parseIndex(text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, 0 or more.');
	return Number(text);
}

function parseList(text: string): string[] {
	return text
		.split(',')
		.map((item) => item.trim())
		.filter((item) => item !== '');
}

function parsePositive(text: string): number {
	const value = Number(text);
	if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('Expected a positive number.');
	return value;
}

function collect(item: string, items: readonly string[] = []): string[] {
	return [...items, item];
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
