import { dirname } from 'node:path';
import { quote } from '@manyworlds/core';
import { FileStore, RosPackages } from '@manyworlds/node';
import { toSlashes } from '@manyworlds/node/internal';
import { isAssetFailure, type Layer, PopulationMask, Stage } from '@manyworlds/usd';
import { joinPackageRelativePath, splitPackageRelativePathOuter } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../diagnostics.ts';
import type { CommandContext } from './command-context.ts';
import { readInput } from './files.ts';
import { storeSettings } from './store-settings.ts';

/** Options of commands that compose a stage. */
export interface StageCommandOptions {
	/** Folders that may be read besides the one of the root layer. */
	readonly root?: readonly string[];
	/** Folders of ROS packages, as `name=folder`. */
	readonly package?: readonly string[];
	/** Folders that hold ROS packages. */
	readonly packages?: readonly string[];
	/** False: payloads stay unloaded. */
	readonly payloads?: boolean;
}

/** A stage and the files it is composed from. */
export interface OpenedStage {
	readonly stage: Stage;
	readonly store: FileStore;
	/** The root layer as messages name it. */
	readonly file: string;
}

/** A layer and the files that it can lead to. */
export interface OpenedRoot {
	readonly layer: Layer;
	readonly store: FileStore;
	/** The layer as messages name it. */
	readonly file: string;
}

/** A file that is taken for the one on the disk. */
export interface ReplacedFile {
	readonly identifier: string;
	readonly bytes: Uint8Array;
}

/** Opens the root layer of an asset; undefined, with a diagnostic, when there is none. */
export function openRootLayer(
	context: CommandContext,
	file: string,
	options: StageCommandOptions,
	replaced: readonly ReplacedFile[] = [],
): OpenedRoot | undefined {
	const { report } = context;
	const packages = rosPackages(context, options.package ?? []);
	const [path, member] = splitPackageRelativePathOuter(toSlashes(file));
	const bytes = packages && readInput(context, path);
	if (bytes === undefined) return undefined;
	const absolute = toSlashes(context.absolute(path));
	const store = new FileStore({
		...storeSettings(context),
		roots: [dirname(absolute), ...(options.root ?? []).map((folder) => context.absolute(folder))],
		packages: packages!,
	});
	store.give(absolute, bytes);
	for (const { identifier, bytes: content } of replaced) store.give(identifier, content);
	const found = store.layer(joinPackageRelativePath(absolute, member))!;
	const name = joinPackageRelativePath(context.display(path), member);
	if (isAssetFailure(found)) {
		report.add(createDiagnostic('CLI012', `${quote(name)} cannot be opened: ${found.failure}`, { file: name }));
		return undefined;
	}
	return { layer: found, store, file: name };
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
	const { layer, store, file: name } = opened;
	context.progress.step(`composing ${name}`);
	// a stage that could be opened is one to work with: what is wrong with it is a finding
	const stage = Stage.open(layer, {
		store,
		report: context.findings,
		mask,
		load: options.payloads === false ? 'none' : 'all',
	});
	return { stage, store, file: name };
}

/**
 * ROS packages that `--package NAME=DIR` and the environment name; undefined, with a diagnostic, when an entry is not of this
 * form.
 */
export function rosPackages(
	context: CommandContext,
	entries: readonly string[],
	holders: readonly string[] = [],
): RosPackages | undefined {
	const folders = new Map<string, string>();
	for (const entry of entries) {
		const [, name, folder] = /^([^=/]+)=(.+)$/.exec(entry) ?? [];
		if (name === undefined || folder === undefined) {
			context.report.add(createDiagnostic('CLI006', `--package is ${quote(entry)}, expected NAME=FOLDER`));
			return undefined;
		}
		folders.set(name, context.absolute(folder));
	}
	return new RosPackages({
		folders,
		holders: holders.map((folder) => context.absolute(folder)),
		env: context.io.env,
	});
}
