import { dirname } from 'node:path';
import { Report } from '@manyworlds/core';
import { FileStore } from '@manyworlds/node';
import { toSlashes } from '@manyworlds/node/internal';
import { entryFiles } from '@manyworlds/rep158';
import type { CommandContext } from './command-context.ts';
import { expandInputs } from './expand-inputs.ts';
import { rosPackages, type StageCommandOptions } from './open-stage.ts';

/**
 * The assets that arguments stand for: files that were named, and of the files that folders and patterns stand for those that
 * no other one of them is made of.
 */
export function findAssets(
	context: CommandContext,
	inputs: readonly string[],
	wanted: RegExp,
	options: StageCommandOptions,
): string[] {
	const files = expandInputs(context, inputs, wanted);
	const named = new Set(inputs.map((input) => context.display(input)));
	const packages = rosPackages(context, options.package ?? []);
	if (packages === undefined) return [];
	const identifier = (file: string): string => toSlashes(context.absolute(file));
	const paths = files.map(identifier);
	const settings = {
		roots: outermost([...paths.map((path) => dirname(path)), ...(options.root ?? []).map(identifier)]),
		packages,
	};
	const finder = new FileStore(settings);
	const entries = new Set(
		entryFiles(
			paths,
			{
				identify: (assetPath, anchor) => finder.identify(assetPath, anchor),
				// a store for each file, so that a folder of many does not stay in memory
				layer: (file) => new FileStore({ ...settings, report: new Report({ cap: 0 }) }).layer(file),
			},
			{
				named: new Set([...named].map(identifier)),
				onFile: (file) => context.progress.step(`looking at ${context.display(file)}`),
			},
		),
	);
	return files.filter((_, i) => entries.has(paths[i]!));
}

/** The folders that lie below no other one. */
function outermost(folders: readonly string[]): string[] {
	const kept = new Set<string>();
	for (const folder of [...new Set(folders)].sort((a, b) => a.length - b.length)) {
		let above = dirname(folder);
		while (!kept.has(above) && above !== dirname(above)) above = dirname(above);
		if (!kept.has(above)) kept.add(folder);
	}
	return [...kept];
}
