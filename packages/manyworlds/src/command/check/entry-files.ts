import { posix } from 'node:path';
import { Report } from '@manyworlds/core';
import { toSlashes } from '@manyworlds/node';
import { listAssetPaths, openOne } from '@manyworlds/usd';
import type { CommandContext } from '../command-context.ts';
import { readDependency } from '../files.ts';

/**
 * Of the files that folders and patterns stand for, those that no other one of them refers to by an arc or sublayer: the assets.
 * Files that were named one by one are all kept.
 */
export function entryFiles(context: CommandContext, inputs: readonly string[], files: readonly string[]): string[] {
	const named = new Set(inputs.map((input) => context.display(input)));
	if (files.every((file) => named.has(file))) return [...files];
	const used = new Set<string>();
	for (const file of files) {
		const path = toSlashes(context.absolute(file));
		context.progress.step(`looking at ${file}`);
		for (const target of referredFiles(context, path)) if (target !== path) used.add(target);
	}
	const entries = files.filter((file) => named.has(file) || !used.has(toSlashes(context.absolute(file))));
	// files that only refer to each other have no entry: all of them are
	return entries.length > 0 ? entries : [...files];
}

function* referredFiles(context: CommandContext, path: string): Generator<string> {
	const bytes = readDependency(context, path);
	const opened = bytes && openOne(bytes, path, new Report({ cap: 0 }));
	if (opened === undefined) return;
	for (const { assetPath, kind } of listAssetPaths(opened.data)) {
		if (kind === 'asset' || assetPath === '' || /^[A-Za-z][A-Za-z0-9+.-]+:/.test(assetPath)) continue;
		yield posix.resolve(posix.dirname(path), assetPath);
	}
}
