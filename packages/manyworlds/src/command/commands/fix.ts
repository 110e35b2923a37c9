import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { quote } from '@manyworlds/core';
import type { FileStore } from '@manyworlds/node';
import { toSlashes } from '@manyworlds/node/internal';
import { chooseRules, type FixedFile, type FixFamily, type FixOptions, fixAsset } from '@manyworlds/rep158';
import {
	countByFamily,
	createRep158Diagnostic,
	FIXERS,
	type FixPlan,
	formatPlan,
	unifiedDiff,
} from '@manyworlds/rep158/internal';
import { Layer } from '@manyworlds/usd';
import { isPackageRelativePath, listAssetPaths } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { fileExists, writeOutput } from '../files.ts';
import { findAssets } from '../find-assets.ts';
import { openStage, type StageCommandOptions } from '../open-stage.ts';
import { type FixParameterOptions, fixParameters } from './fix-parameters.ts';

/** Options of `manyworlds fix`. */
export interface FixCommandOptions extends StageCommandOptions, FixParameterOptions {
	readonly diff?: boolean;
	readonly unsafe?: boolean;
	readonly only?: readonly string[];
	readonly select?: readonly string[];
	readonly backup?: boolean;
	readonly plan?: string;
	readonly output?: string;
	readonly verify?: boolean;
}

/** `manyworlds fix PATH...`: puts assets right, or shows how. */
export async function fix(
	context: CommandContext,
	inputs: readonly string[],
	options: FixCommandOptions,
): Promise<void> {
	const wanted = fixOptions(context, options);
	if (wanted === undefined) return;
	const { loadWebpCodec } = await import('#platform');
	const chosen = { ...wanted, codecs: { webp: await loadWebpCodec() } };
	const plans: FixPlan[] = [];
	let changed = 0;
	const entries = findAssets(context, inputs, /\.usd[ac]?$/i, options);
	const base = commonFolder(entries.map((file) => toSlashes(context.absolute(file))));
	for (const file of entries) {
		const plan = fixOne(context, file, options, chosen, base);
		if (plan === undefined) continue;
		plans.push(plan);
		if (plan.items.length > 0) changed++;
	}
	if (options.plan !== undefined) writePlan(context, options.plan, plans);
	if (plans.length > 1)
		context.note(`${plans.length} assets, ${changed} ${options.diff === true ? 'would change' : 'changed'}`);
}

/** Fixes one asset and says what was done. */
function fixOne(
	context: CommandContext,
	file: string,
	options: FixCommandOptions,
	chosen: FixOptions,
	base: string,
): FixPlan | undefined {
	const opened = openStage(context, file, options);
	if (opened === undefined) return undefined;
	context.progress.step(`fixing ${opened.file}`);
	const { stage, store } = opened;
	const { rootLayer } = stage;
	if (isPackageRelativePath(rootLayer.identifier)) {
		const message = `${quote(opened.file)} lies in a package, which fixes cannot be written to; unpack it first`;
		context.report.add(createRep158Diagnostic('FIX006', message, { file: opened.file }));
		return undefined;
	}
	const copied = options.output === undefined ? [] : assetFiles(rootLayer, store);
	stage.close();
	const { plan, files: all } = fixAsset(rootLayer, store, { ...chosen, report: context.report });
	const files = all.filter((fixed) => isSafe(context, fixed));
	if (options.diff === true) for (const fixed of files) context.print(diffOf(context, fixed));
	else if (options.output === undefined) for (const fixed of files) writeFixed(context, fixed, options.backup === true);
	else writeCopy(context, options.output, base, copied, files);
	summarize(context, opened.file, plan, files, options);
	return plan;
}

/** Whether a file can be written without losing what could not be read of it; a finding when it cannot. */
function isSafe(context: CommandContext, { identifier, extent, before }: FixedFile): boolean {
	const name = context.display(identifier);
	const isBroken = context.findings.toArray().some(({ file, severity }) => file === name && severity === 'error');
	if (!isBroken || before === undefined || extent === 'statements') return true;
	const message = `${quote(name)} was not changed: a part of it cannot be read and would be lost; mend it first`;
	context.findings.add(createRep158Diagnostic('FIX006', message, { file: name }));
	return false;
}

/** The difference of one file: lines of text, a sentence for what is binary. */
function diffOf(context: CommandContext, { identifier, bytes, before, isText }: FixedFile): string {
	const name = context.display(identifier);
	if (!isText) return `Binary file ${name} ${before === undefined ? 'would be made' : 'would change'}\n`;
	const decoder = new TextDecoder();
	const [old, now] = isAbsolute(name) ? [name, name] : [`a/${name}`, `b/${name}`];
	const names = { before: before === undefined ? '/dev/null' : old, after: now };
	return unifiedDiff(before === undefined ? '' : decoder.decode(before), decoder.decode(bytes), names);
}

function writeFixed(context: CommandContext, { identifier, bytes, before }: FixedFile, keepsBackup: boolean): void {
	if (keepsBackup && before !== undefined && !fileExists(context, `${identifier}.orig`)) {
		if (!writeOutput(context, `${identifier}.orig`, before)) return;
	}
	writeOutput(context, identifier, bytes);
}

/** Writes the whole asset below another folder, fixed files in the place of what they were. Several assets keep their folders. */
function writeCopy(
	context: CommandContext,
	output: string,
	base: string,
	copied: readonly (readonly [string, Uint8Array])[],
	files: readonly FixedFile[],
): void {
	const all = new Map<string, Uint8Array>(copied);
	for (const { identifier, bytes } of files) all.set(identifier, bytes);
	for (const [identifier, bytes] of all) {
		const path = toSlashes(relative(base, identifier));
		if (path.startsWith('..') || isAbsolute(path)) {
			const message = `${quote(context.display(identifier))} lies outside of ${quote(context.display(base))} and was not copied`;
			context.report.add(createRep158Diagnostic('FIX006', message));
		} else writeOutput(context, resolve(context.absolute(output), path), bytes);
	}
}

/** The folder that files lie below. */
function commonFolder(files: readonly string[]): string {
	let common = files[0] === undefined ? '' : dirname(files[0]);
	for (const file of files)
		while (!file.startsWith(`${common}/`) && common !== dirname(common)) common = dirname(common);
	return common;
}

/** Every file that an asset is made of, whatever variants are selected: layers and what they name. */
function assetFiles(rootLayer: Layer, store: FileStore): [string, Uint8Array][] {
	const found = new Map<string, Uint8Array>();
	const layers = [rootLayer];
	for (let layer = layers.pop(); layer !== undefined; layer = layers.pop()) {
		const own = store.bytes(layer.identifier);
		if (!(own instanceof Uint8Array) || found.has(layer.identifier)) continue;
		found.set(layer.identifier, own);
		for (const { assetPath, kind } of listAssetPaths(layer.data)) {
			for (const name of tileNames(assetPath)) {
				const { identifier, refusal } = store.identify(name, layer.identifier);
				if (refusal !== undefined || found.has(identifier)) continue;
				const content = kind === 'asset' ? store.bytes(identifier) : store.layer(identifier);
				if (content instanceof Uint8Array) found.set(identifier, content);
				else if (content instanceof Layer) layers.push(content);
			}
		}
	}
	return [...found];
}

/** The files that a path with a placeholder for tiles stands for, or the path. */
function tileNames(assetPath: string): string[] {
	if (!/<UDIM>/i.test(assetPath)) return [assetPath];
	return Array.from({ length: 100 }, (_, i) => assetPath.replace(/<UDIM>/i, String(1001 + i)));
}

function writePlan(context: CommandContext, target: string, plans: readonly FixPlan[]): void {
	const text = plans.length === 1 ? formatPlan(plans[0]!) : `${JSON.stringify(plans, undefined, '\t')}\n`;
	if (target === '-') context.print(text);
	else writeOutput(context, target, new TextEncoder().encode(text));
}

function summarize(
	context: CommandContext,
	file: string,
	plan: FixPlan,
	files: readonly FixedFile[],
	options: FixCommandOptions,
): void {
	if (plan.items.length === 0) {
		context.note(`${file}: nothing to fix`);
		return;
	}
	const titles = new Map(FIXERS.map(({ family, title }) => [family, title]));
	const verb = options.diff === true ? 'would change' : 'changed';
	const count = `${plan.items.length} ${plan.items.length === 1 ? 'edit' : 'edits'}`;
	context.note(`${file}: ${count}, ${files.length} ${files.length === 1 ? 'file' : 'files'} ${verb}`);
	for (const [family, number] of countByFamily(plan)) {
		context.note(`  ${family.padEnd(4)} ${String(number).padStart(5)}  ${titles.get(family) ?? ''}`);
	}
}

/** What the options ask for; undefined, with a diagnostic, when they make no sense. */
function fixOptions(context: CommandContext, options: FixCommandOptions): FixOptions | undefined {
	const parameters = fixParameters(context, options);
	if (parameters === undefined) return undefined;
	const only = list(options.only);
	const known = new Set<string>(FIXERS.map(({ family }) => family));
	const wrong = only.find((name) => !known.has(name));
	if (wrong !== undefined) {
		const message = `--only has ${quote(wrong)}, expected families of ${[...known].join(', ')}`;
		context.report.add(createDiagnostic('CLI006', message));
		return undefined;
	}
	const select = options.select === undefined ? undefined : chooseRules(options.select);
	for (const problem of select?.problems ?? []) context.report.add(createDiagnostic('CLI006', problem));
	if (select !== undefined && select.problems.length > 0) return undefined;
	return {
		parameters,
		unsafe: options.unsafe ?? false,
		verify: options.verify ?? true,
		...(only.length > 0 && { only: only as FixFamily[] }),
		...(select !== undefined && { select: select.rules }),
	};
}

function list(items: readonly string[] | undefined): string[] {
	return (items ?? []).flatMap((item) => item.split(',')).filter((item) => item !== '');
}
