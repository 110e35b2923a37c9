import { dirname } from 'node:path';
import { quote } from '@manyworlds/core';
import {
	isLayerFailure,
	joinPackageRelativePath,
	type Layer,
	PopulationMask,
	Stage,
	splitPackageRelativePathOuter,
} from '@manyworlds/usd';
import { type CommandContext, toSlashes } from './command-context.ts';
import { createDiagnostic } from './diagnostics.ts';
import { FileSource } from './file-source.ts';
import { readInput } from './files.ts';
import { packageSources } from './package-folders.ts';

/** Options of commands that compose a stage. */
export interface StageCommandOptions {
	/** Folders that may be read besides the one of the root layer. */
	readonly root?: readonly string[];
	/** Folders of ROS packages, as `name=folder`. */
	readonly package?: readonly string[];
	/** False: payloads stay unloaded. */
	readonly payloads?: boolean;
}

/** A stage and the files it is composed from. */
export interface OpenedStage {
	readonly stage: Stage;
	readonly source: FileSource;
	/** The root layer as messages name it. */
	readonly file: string;
}

/** A layer and the files that it can lead to. */
export interface OpenedRoot {
	readonly layer: Layer;
	readonly source: FileSource;
	/** The layer as messages name it. */
	readonly file: string;
}

/** Opens the root layer of an asset; undefined, with a diagnostic, when there is none. */
export function openRootLayer(
	context: CommandContext,
	file: string,
	options: StageCommandOptions,
): OpenedRoot | undefined {
	const { report } = context;
	const packages = packageMap(context, options.package ?? []);
	const [path, member] = splitPackageRelativePathOuter(toSlashes(file));
	const bytes = packages && readInput(context, path);
	if (bytes === undefined) return undefined;
	const absolute = toSlashes(context.absolute(path));
	const source = new FileSource({
		roots: [dirname(absolute), ...(options.root ?? []).map((folder) => context.absolute(folder))],
		packages: packageSources(packages!, context.io.env),
		display: (name) => context.display(name),
		report,
		given: [absolute, bytes],
		onRead: (name, size) => context.progress.step(`reading ${context.display(name)}`, size),
	});
	const found = source.layer(joinPackageRelativePath(absolute, member));
	const name = joinPackageRelativePath(context.display(path), member);
	if (isLayerFailure(found)) {
		report.add(createDiagnostic('CLI012', `${quote(name)} cannot be opened: ${found.failure}`, { file: name }));
		return undefined;
	}
	return { layer: found, source, file: name };
}

/** Opens the stage of a file; undefined, with a diagnostic, when there is nothing to compose. */
export function openStage(
	context: CommandContext,
	file: string,
	options: StageCommandOptions,
	mask: PopulationMask = PopulationMask.all,
): OpenedStage | undefined {
	const opened = openRootLayer(context, file, options);
	if (opened === undefined) return undefined;
	const { layer, source, file: name } = opened;
	context.progress.step(`composing ${name}`);
	const { report } = context;
	const stage = Stage.open(layer, { source, report, mask, load: options.payloads === false ? 'none' : 'all' });
	return { stage, source, file: name };
}

/** Folders of ROS packages that `--package NAME=DIR` names; undefined, with a diagnostic, when one is not of this form. */
export function packageMap(context: CommandContext, entries: readonly string[]): Map<string, string> | undefined {
	const map = new Map<string, string>();
	for (const entry of entries) {
		const [, name, folder] = /^([^=/]+)=(.+)$/.exec(entry) ?? [];
		if (name === undefined || folder === undefined) {
			context.report.add(createDiagnostic('CLI006', `--package is ${quote(entry)}, expected NAME=FOLDER`));
			return undefined;
		}
		map.set(name, context.absolute(folder));
	}
	return map;
}
