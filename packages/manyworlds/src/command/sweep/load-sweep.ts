import { dirname, resolve } from 'node:path';
import { quote, Report } from '@manyworlds/core';
import { FileStore } from '@manyworlds/node';
import { robotFolders, toSlashes } from '@manyworlds/node/internal';
import { type PlanPlaces, readPlan, type SweepPlan } from '@manyworlds/sweep';
import {
	type AssetFiles,
	base32,
	canonicalJson,
	checkPlan,
	collectAssetFiles,
	createSweepDiagnostic,
	Expansion,
	fileKey,
	hashOf,
	metricDefinition,
	type Run,
	RunKeys,
	recordingStore,
	type SweepAsset,
	type SweepHeader,
	type WorldRecipe,
} from '@manyworlds/sweep/internal';
import { openAsset } from '../../front/asset.ts';
import { AssetError } from '../../front/asset-error.ts';
import type { CommandContext } from '../command-context.ts';
import { readInput } from '../files.ts';
import { findAssets } from '../find-assets.ts';
import { type ThreadRun, type ThreadSetup, toolName } from './thread-setup.ts';

/** A plan with its asset, ready to be run. */
export interface LoadedSweep {
	readonly plan: SweepPlan;
	readonly planText: string;
	/** The plan as messages name it. */
	readonly planFile: string;
	/** Runs before constraints. */
	readonly count: number;
	/** A run with its key; undefined where there is none. */
	readonly runOf: (index: number) => ThreadRun | undefined;
	readonly expansion: Expansion;
	/** Tells the outputs of the plan from others. */
	readonly outputs: string;
	/** Metrics by what they are. */
	readonly metrics: readonly string[];
	readonly tool: string;
	/** Tells this plan, asset and program from others. */
	readonly sweep: string;
	readonly files: AssetFiles;
	readonly control?: string;
	readonly setup: ThreadSetup;
	/** The world of the first run; undefined for `task: check`. */
	readonly first?: WorldRecipe;
}

/** Reads a plan, opens its asset and tries the plan on it; undefined, with diagnostics, when something is wrong. */
export async function loadSweep(context: CommandContext, file: string): Promise<LoadedSweep | undefined> {
	const bytes = readInput(context, file);
	if (bytes === undefined) return undefined;
	return await loadSweepText(
		context,
		new TextDecoder().decode(bytes),
		context.display(file),
		dirname(context.absolute(file)),
	);
}

/** The same for the text of a plan, whose paths are relative to a folder. */
export async function loadSweepText(
	context: CommandContext,
	planText: string,
	planFile: string,
	folder: string,
): Promise<LoadedSweep | undefined> {
	const { plan, places } = readPlan(planText, { file: planFile, report: context.report });
	if (plan === undefined || places === undefined) return undefined;
	const source = { planText, planFile, env: context.io.env };
	if (plan.task === 'check') return loadCheck(context, plan, folder, source);
	return await openSimulation(plan, places, context.report, {
		...source,
		asset: resolve(folder, plan.asset),
		...(plan.simulate.control !== undefined && { control: toSlashes(resolve(folder, plan.simulate.control)) }),
		roots: [folder],
		cwd: context.io.cwd,
	});
}

/** Opens a sweep that a coordinator announced, whose files are in a folder. */
export async function openAnnounced(
	header: SweepHeader,
	folder: string,
	env: ThreadSetup['env'],
	report: Report,
): Promise<LoadedSweep | undefined> {
	const { plan, places } = readPlan(header.planText, { file: header.planFile, report });
	if (plan === undefined || places === undefined) return undefined;
	const { planText, planFile } = header;
	if (plan.task === 'check')
		return checkSweep(
			plan,
			{ planText, planFile, env, asset: '', roots: [folder], cwd: folder },
			header.files.map(({ path }) => path).filter((path) => /\.usd[acz]?$/i.test(path)),
			header,
		);
	return await openSimulation(plan, places, report, {
		planText,
		planFile,
		env,
		asset: resolve(folder, header.entry),
		...(header.control !== undefined && { control: toSlashes(resolve(folder, header.control)) }),
		roots: [folder],
		cwd: folder,
	});
}

async function openSimulation(
	plan: SweepPlan,
	places: PlanPlaces,
	report: Report,
	setup: ThreadSetup,
): Promise<LoadedSweep | undefined> {
	const read = new Set<string>();
	let asset: SweepAsset;
	try {
		const opened = await openAsset(setup.asset, { roots: setup.roots });
		if ((opened.format === 'scene') !== plan.isScene) {
			const key = plan.isScene ? 'scene' : 'asset';
			report.add(
				createSweepDiagnostic(
					'SWP025',
					`${key} is ${quote(plan.asset)}, which is ${opened.format === 'scene' ? 'a scene' : 'a robot'}`,
					places.locate([key]),
				),
			);
			return undefined;
		}
		asset = {
			...opened,
			store: recordingStore(opened.store, read),
			...(setup.control !== undefined && { control: setup.control }),
		};
	} catch (error) {
		if (!(error instanceof AssetError)) throw error;
		report.add(createSweepDiagnostic('SWP025', error.message, places.locate([plan.isScene ? 'scene' : 'asset'])));
		return undefined;
	}
	if (setup.control !== undefined) read.add(setup.control);
	const first = await checkPlan(plan, asset, places, report);
	if (first === undefined) return undefined;
	for (const folder of robotFolders(setup.asset)) read.add(`${toSlashes(folder)}/package.xml`);
	const files = collectAssetFiles(asset.store, asset.identifier, read);
	const tool = toolName();
	const identity = { tool, assetTree: files.tree };
	const expansion = new Expansion(plan);
	const keys = new RunKeys(plan, identity);
	return {
		plan,
		planText: setup.planText,
		planFile: setup.planFile,
		count: expansion.count,
		expansion,
		runOf: (index) => {
			const run = expansion.run(index);
			return run && { ...run, key: keys.keyOf(run) };
		},
		outputs: keys.outputs,
		metrics: plan.outputs.metrics.map(metricDefinition),
		tool,
		sweep: sweepId(plan, tool, files.tree),
		files,
		...(setup.control !== undefined && { control: setup.control.slice(files.root.length) }),
		setup,
		first,
	};
}

function sweepId(plan: SweepPlan, tool: string, tree: string): string {
	return base32(hashOf(canonicalJson({ plan, tool, tree })), 24);
}

function loadCheck(
	context: CommandContext,
	plan: SweepPlan,
	folder: string,
	source: Pick<ThreadSetup, 'planText' | 'planFile' | 'env'>,
): LoadedSweep | undefined {
	const patterns = plan.assets.map((pattern) => context.display(resolve(folder, pattern)));
	const found = findAssets(context, patterns, /\.usd[acz]?$/i, {});
	if (context.report.hasErrors) return undefined;
	return checkSweep(plan, { ...source, asset: '', roots: [], cwd: context.io.cwd }, found);
}

/** A sweep whose runs are files; their keys are of all that they are made of. */
function checkSweep(plan: SweepPlan, setup: ThreadSetup, found: readonly string[], header?: SweepHeader): LoadedSweep {
	const tool = toolName();
	const root = `${toSlashes(setup.cwd)}/`;
	const trees = found.map((name) => {
		const path = toSlashes(resolve(setup.cwd, name));
		const store = new FileStore({ roots: [dirname(path), setup.cwd], report: new Report({ cap: 0 }) });
		return collectAssetFiles(store, path, []);
	});
	const all = new Map(trees.flatMap(({ root: own, files }) => files.map((file) => [own + file.path, file] as const)));
	const files = [...all]
		.map(([path, file]) => ({ ...file, path: path.startsWith(root) ? path.slice(root.length) : path }))
		.sort((a, b) => (a.path < b.path ? -1 : 1));
	const tree = hashOf(canonicalJson(trees.map((one) => one.tree)));
	const keys = found.map((name, i) => fileKey({ tool, assetTree: '' }, plan, name, trees[i]!.tree));
	const run = (index: number): Run => ({ index, values: [], repeat: 0, seed: 0 });
	const checked: SweepPlan = { ...plan, sampler: { kind: 'list', rows: found.map(() => ({})) } };
	return {
		plan,
		planText: setup.planText,
		planFile: setup.planFile,
		count: found.length,
		expansion: new Expansion(checked),
		runOf: (index) => (index < found.length ? { ...run(index), key: keys[index]!, file: found[index]! } : undefined),
		outputs: 'check',
		metrics: [],
		tool,
		sweep: header?.sweep ?? sweepId(plan, tool, tree),
		files: { root, entry: '', files, tree },
		setup,
	};
}
