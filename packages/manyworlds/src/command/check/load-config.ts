import { dirname, isAbsolute, join, relative } from 'node:path';
import { toSlashes } from '@manyworlds/node/internal';
import type { CheckConfig } from '@manyworlds/rep158';
import { EMPTY_CONFIG } from '@manyworlds/rep158/internal';
import type { CommandContext } from '../command-context.ts';
import { fileExists, readInput } from '../files.ts';

/** File that is looked for in the working directory and the folders above it. */
export const CONFIG_NAME = 'manyworlds.json';

/** A configuration and the folder that its paths are relative to. */
export interface LoadedConfig {
	readonly config: CheckConfig;
	/** The file as the paths of the configuration have it; undefined for files outside of its folder. */
	readonly relativePath: (file: string) => string | undefined;
}

/** The configuration that was named, or the nearest one; an empty one when there is none; undefined when it is unusable. */
export async function loadConfig(
	context: CommandContext,
	named: string | false | undefined,
): Promise<LoadedConfig | undefined> {
	const file = named === false ? undefined : (named ?? nearestConfig(context));
	if (file === undefined) return { config: EMPTY_CONFIG, relativePath: () => undefined };
	const bytes = readInput(context, file);
	if (bytes === undefined) return undefined;
	// most folders have none: the schema is loaded for those that do
	const { parseCheckConfig } = await import('./parse-config.ts');
	const config = parseCheckConfig(new TextDecoder().decode(bytes), context.display(file), context.report);
	if (config === undefined) return undefined;
	const folder = dirname(context.absolute(file));
	return {
		config,
		relativePath: (path) => {
			const found = relative(folder, context.absolute(path));
			return found.startsWith('..') || isAbsolute(found) ? undefined : toSlashes(found);
		},
	};
}

function nearestConfig(context: CommandContext): string | undefined {
	for (let folder = context.io.cwd; ; folder = dirname(folder)) {
		const file = join(folder, CONFIG_NAME);
		if (fileExists(context, file)) return file;
		if (dirname(folder) === folder) return undefined;
	}
}
