import { formatGithub, formatSarif, Report, type Severity } from '@manyworlds/core';
import type { CodeInfo } from '@manyworlds/core/internal';
import { formatGitlab, SEVERITIES, toJsonReport } from '@manyworlds/core/internal';
import {
	type AssetResult,
	type CheckConfig,
	type CheckOptions,
	chooseRules,
	formatCheck,
	formatJunit,
	formatRep,
	makeBaseline,
	type PayloadPolicy,
	type Profile,
} from '@manyworlds/rep158';
import {
	applyBaseline,
	applyPaths,
	configOptions,
	isInternal,
	isUnusable,
	parseBaseline,
	summarizeChecks,
} from '@manyworlds/rep158/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import { VERSION } from '../../version.ts';
import { checkFiles } from '../check/check-files.ts';
import type { CheckJob } from '../check/check-job.ts';
import { readInterfaceFiles } from '../check/interface-files.ts';
import { type LoadedConfig, loadConfig } from '../check/load-config.ts';
import { type CommandContext, ExitCode } from '../command-context.ts';
import { readInput, writeOutput } from '../files.ts';
import { findAssets } from '../find-assets.ts';
import { wantsColour } from '../io.ts';
import type { StageCommandOptions } from '../open-stage.ts';

/** How findings are written. */
export type CheckFormat = 'text' | 'json' | 'sarif' | 'github' | 'gitlab' | 'junit' | 'rep';

/** Options of `manyworlds check`. */
export interface CheckCommandOptions extends StageCommandOptions {
	readonly format: CheckFormat;
	readonly select?: readonly string[];
	readonly ignore?: readonly string[];
	readonly profile?: Profile;
	readonly payloadPolicy?: PayloadPolicy;
	/** A file, or false for none. */
	readonly config?: string | false;
	readonly baseline?: string;
	readonly writeBaseline?: string;
	readonly failOn?: Severity | 'never';
	readonly jobs?: number;
	readonly maxVariants?: number;
	readonly maxPrims?: number;
	/** Folders with interface files of ROS packages. */
	readonly interfaces?: readonly string[];
	/** Whether fixes are tried; by itself for few assets, and for formats that tell. */
	readonly fixes?: boolean;
	/** A revision of git: only assets with files that have changed since. */
	readonly changedSince?: string;
	/** Whether assets are checked again when files change. */
	readonly watch?: boolean;
	readonly all?: boolean;
	readonly excerpts?: boolean;
	readonly quiet?: boolean;
}

/** Severities from which findings make the command fail, when nobody says otherwise. */
const FAIL_ON: Severity = 'warning';

/** Assets up to which fixes are tried unless somebody says otherwise. */
const MOST_TRIED = 4;
const TELLS_FIXES: readonly CheckFormat[] = ['text', 'json', 'sarif'];

/** `manyworlds check PATH...`: finds where assets break REP 0158. */
export async function check(
	context: CommandContext,
	inputs: readonly string[],
	options: CheckCommandOptions,
): Promise<void> {
	if (options.watch !== true) {
		await checkOnce(context, inputs, options);
		return;
	}
	const { checkAgain } = await import('../check/check-again.ts');
	await checkAgain(context, inputs, (again) => checkOnce(again, inputs, options));
}

async function checkOnce(
	context: CommandContext,
	inputs: readonly string[],
	options: CheckCommandOptions,
): Promise<void> {
	const loaded = await loadConfig(context, options.config);
	const chosen = loaded && checkOptions(context, options, loaded.config);
	if (loaded === undefined || chosen === undefined) return;
	const found = findAssets(context, inputs, /\.usd[acz]?$/i, options);
	const files = options.changedSince === undefined ? found : await changedAssets(context, found, options);
	if (files === undefined) return;
	const job: CheckJob = {
		cwd: context.io.cwd,
		env: context.io.env,
		stage: {
			...(options.root !== undefined && { root: options.root }),
			...(options.package !== undefined && { package: options.package }),
		},
		check: chosen,
		triesFixes: triesFixes(options, files.length),
		hasEdits: options.format === 'sarif',
	};
	const checked = await checkFiles(files, job, options.jobs, (what, done) => {
		context.progress.step(files.length > 1 ? `${what} (${done} of ${files.length})` : what);
	});
	let results = checked.map((result) => withPaths(result, loaded));
	let suppressed: AssetResult['diagnostics'] = [];
	if (options.baseline !== undefined) {
		const baseline = readBaseline(context, options.baseline);
		if (baseline === undefined) return;
		const applied = applyBaseline(results, baseline, context.report);
		results = applied.results;
		suppressed = applied.suppressed;
		if (suppressed.length > 0) context.note(`${suppressed.length} findings are in the baseline`);
	}
	if (options.writeBaseline !== undefined && !writeBaseline(context, options.writeBaseline, results)) return;

	// what is wrong with the inputs themselves belongs to no asset
	const own = context.report.toArray();
	const failOn = options.failOn ?? loaded.config.failOn ?? FAIL_ON;
	context.outcome = outcomeOf(results, own, options.writeBaseline === undefined ? failOn : 'never');
	context.print(await formatResults(context, results, own, inputs, options, { select: chosen.select, suppressed }));
}

/** Of some assets, those that a file of has changed since a revision; undefined, with a diagnostic, when nobody can tell. */
async function changedAssets(
	context: CommandContext,
	files: readonly string[],
	options: CheckCommandOptions,
): Promise<string[] | undefined> {
	const { assetsWith, changedFiles } = await import('../check/changed-files.ts');
	const changed = changedFiles(context, options.changedSince!);
	if (changed === undefined) return undefined;
	const kept = assetsWith(context, files, changed, options);
	context.note(`${kept.length} of ${files.length} assets have changed since ${options.changedSince}`);
	return kept;
}

function triesFixes({ fixes, format }: CheckCommandOptions, count: number): CheckJob['triesFixes'] {
	if (fixes !== undefined) return fixes ? 'yes' : 'no';
	return count <= MOST_TRIED && TELLS_FIXES.includes(format) ? 'small' : 'no';
}

/** The options of the checker that the command line and the configuration ask for; the command line wins. */
function checkOptions(
	context: CommandContext,
	options: CheckCommandOptions,
	config: CheckConfig,
): CheckOptions | undefined {
	const select = options.select === undefined ? undefined : chooseRules(options.select);
	const ignore = chooseRules(options.ignore ?? []);
	for (const problem of [...(select?.problems ?? []), ...ignore.problems]) {
		context.report.add(createDiagnostic('CLI006', problem));
	}
	const interfaces = readInterfaceFiles(context, options.interfaces ?? []);
	if (context.report.hasErrors) return undefined;
	const base = configOptions(config);
	const severities = new Map(base.severities);
	for (const rule of select?.rules ?? []) if (severities.get(rule) === 'off') severities.delete(rule);
	for (const rule of ignore.rules) severities.set(rule, 'off');
	const { profile, payloadPolicy, maxVariants, maxPrims } = options;
	return {
		...base,
		severities,
		excerpts: options.excerpts === true,
		...(select !== undefined && { select: select.rules }),
		...(profile !== undefined && { profile }),
		...(payloadPolicy !== undefined && { payloadPolicy }),
		...(maxVariants !== undefined && { maxVariants }),
		...(maxPrims !== undefined && { maxPrims }),
		...(interfaces.length > 0 && { interfaces }),
	};
}

/** A result as the entries of the configuration for its paths have it. */
function withPaths(result: AssetResult, { config, relativePath }: LoadedConfig): AssetResult {
	if (config.paths.length === 0) return result;
	const diagnostics = result.diagnostics.flatMap((diagnostic) => {
		const path = relativePath(diagnostic.file ?? result.asset);
		const found = path === undefined ? diagnostic : applyPaths(diagnostic, config, path);
		return found === undefined ? [] : [found];
	});
	return { ...result, diagnostics };
}

function readBaseline(context: CommandContext, file: string): ReturnType<typeof parseBaseline> {
	const bytes = readInput(context, file);
	return bytes && parseBaseline(new TextDecoder().decode(bytes), context.display(file), context.report);
}

function writeBaseline(context: CommandContext, file: string, results: readonly AssetResult[]): boolean {
	const baseline = makeBaseline(results);
	const isWritten = writeOutput(context, file, new TextEncoder().encode(`${JSON.stringify(baseline, null, 2)}\n`));
	const count = baseline.findings.reduce((sum, entry) => sum + entry.count, 0);
	if (isWritten) context.note(`wrote a baseline of ${count} findings to ${context.display(file)}`);
	return isWritten;
}

async function formatResults(
	context: CommandContext,
	results: readonly AssetResult[],
	own: AssetResult['diagnostics'],
	inputs: readonly string[],
	options: CheckCommandOptions,
	{
		select,
		suppressed,
	}: { readonly select: CheckOptions['select'] | undefined; readonly suppressed: AssetResult['diagnostics'] },
): Promise<string> {
	const all: AssetResult[] = own.length === 0 ? [...results] : [{ ...NO_ASSET, diagnostics: own }, ...results];
	// a clean asset has no code to explain
	const isClean = all.every(({ diagnostics }) => diagnostics.length === 0);
	const codes = isClean && options.format === 'text' ? {} : await codesOf(all, options.format === 'text');
	switch (options.format) {
		case 'text':
			return formatCheck(all, {
				colour: wantsColour(context.io, context.io.stdout),
				inputs,
				codes,
				...(options.all === true && { perRule: Number.POSITIVE_INFINITY }),
				...(options.excerpts === true && { excerpts: true }),
				...(options.quiet === true && { quiet: true }),
			});
		case 'json':
			return formatJsonChecks(all, results);
		case 'junit':
			return formatJunit(all, { codes, ...(select !== undefined && { rules: select }) });
		case 'rep':
			return formatRep(results);
		case 'sarif':
			return formatSarif(mergedReport(all), {
				toolVersion: VERSION,
				codes,
				suppressed,
				isUnusable,
				helpAddress,
				...(context.outcome !== undefined && { exitCode: context.outcome }),
			});
		case 'gitlab':
			return formatGitlab(mergedReport(all));
		case 'github':
			return formatGithub(mergedReport(all));
	}
}

/** Codes to explain results with. Those of rules are a third of all, and in text most results need no others. */
async function codesOf(results: readonly AssetResult[], isText: boolean): Promise<Readonly<Record<string, CodeInfo>>> {
	const { RULE_CODES } = await import('../../rule-codes.ts');
	const areEnough = isText && results.every(({ diagnostics }) => diagnostics.every(({ code }) => code in RULE_CODES));
	return areEnough ? RULE_CODES : (await import('../../all-codes.ts')).ALL_CODES;
}

/** The page about a code. */
function helpAddress(code: string): string {
	return `https://github.com/manyworlds/manyworlds/blob/main/docs/${/^R\d/.test(code) ? 'rules' : 'diagnostics'}/${code}.md`;
}

const NO_ASSET: AssetResult = {
	asset: '',
	diagnostics: [],
	omitted: {},
	primCount: 0,
	layerCount: 0,
	selectionCount: 0,
};

/** The report that every command writes, with counts of assets, sections and fixes. */
function formatJsonChecks(all: readonly AssetResult[], results: readonly AssetResult[]): string {
	const report = toJsonReport(mergedReport(all));
	const { fixable, unsafe, sections, clean } = summarizeChecks(all);
	const summary = {
		...report.summary,
		fixable,
		unsafe,
		clean,
		sections: Object.fromEntries(
			sections.map(({ section, counts, fixable: fixes }) => [
				section,
				{ errors: counts.error, warnings: counts.warning, infos: counts.info + counts.hint, fixable: fixes },
			]),
		),
		assets: results.map(({ asset, primCount, layerCount, selectionCount }) => {
			return { asset, prims: primCount, layers: layerCount, variantSelections: selectionCount };
		}),
	};
	return `${JSON.stringify({ ...report, summary }, null, 2)}\n`;
}

/** All findings, those that assets share once. */
function mergedReport(results: readonly AssetResult[]): Report {
	const report = new Report({ cap: Number.POSITIVE_INFINITY });
	for (const { diagnostics, omitted } of results) {
		for (const diagnostic of diagnostics) report.add(diagnostic);
		for (const severity of SEVERITIES) if (omitted[severity] !== undefined) report.count(severity, omitted[severity]);
	}
	return report;
}

function outcomeOf(
	results: readonly AssetResult[],
	own: AssetResult['diagnostics'],
	failOn: Severity | 'never',
): ExitCode {
	const all = [...own, ...results.flatMap(({ diagnostics }) => diagnostics)];
	if (all.some(isInternal)) return ExitCode.internal;
	if (all.some(isUnusable)) return ExitCode.unusable;
	if (failOn === 'never') return ExitCode.clean;
	const failing = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
	const isFailing = results.some(({ diagnostics, omitted }) => {
		return (
			diagnostics.some(({ severity }) => failing.includes(severity)) || failing.some((at) => (omitted[at] ?? 0) > 0)
		);
	});
	return isFailing ? ExitCode.findings : ExitCode.clean;
}
