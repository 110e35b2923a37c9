import { dirname } from 'node:path';
import { detectAssetFormat } from '@manyworlds/import';
import { FileStore } from '@manyworlds/node';
import { robotFolders, toSlashes } from '@manyworlds/node/internal';
import { joinPackageRelativePath, splitPackageRelativePathOuter } from '@manyworlds/usd/internal';
import type { CommandContext } from './command-context.ts';
import { readInput } from './files.ts';
import { rosPackages, type StageCommandOptions } from './open-stage.ts';
import { storeSettings } from './store-settings.ts';

/** The files of a robot. */
export interface RobotStore {
	readonly store: FileStore;
	readonly identifier: string;
	/** The file as messages name it. */
	readonly name: string;
	readonly isUsd: boolean;
}

/** A store for a robot that the user named and the files around it; undefined, with a diagnostic, when it cannot be read. */
export function openRobotStore(
	context: CommandContext,
	file: string,
	options: Pick<StageCommandOptions, 'package' | 'packages' | 'root'>,
): RobotStore | undefined {
	const packages = rosPackages(context, options.package ?? [], options.packages);
	const [path, member] = splitPackageRelativePathOuter(toSlashes(file));
	const bytes = packages && readInput(context, path);
	if (bytes === undefined) return undefined;
	const absolute = toSlashes(context.absolute(path));
	const isUsd = detectAssetFormat(bytes, path) === 'usd';
	const store = new FileStore({
		...storeSettings(context),
		roots: [
			...(isUsd ? [dirname(absolute)] : robotFolders(absolute)),
			...(options.root ?? []).map((folder) => context.absolute(folder)),
		],
		packages: packages!,
	});
	store.give(absolute, bytes);
	const identifier = joinPackageRelativePath(absolute, member);
	return { store, identifier, name: store.name(identifier), isUsd };
}
