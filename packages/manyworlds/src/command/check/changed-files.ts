import { resolve } from 'node:path';
import { quote, Report } from '@manyworlds/core';
import { FileStore } from '@manyworlds/node';
import { runGit, toSlashes } from '@manyworlds/node/internal';
import { isAssetFailure } from '@manyworlds/usd';
import { listAssetPaths, splitPackageRelativePathOuter } from '@manyworlds/usd/internal';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';
import { rosPackages, type StageCommandOptions } from '../open-stage.ts';

/**
 * Files that differ from a revision of git, those that git does not know yet included; undefined, with a diagnostic, when git
 * cannot tell.
 */
export function changedFiles(context: CommandContext, revision: string): Set<string> | undefined {
	const { cwd, env } = context.io;
	// a revision never begins with a dash: it would be an option
	const isRevision = /^[^-\s][^\s]*$/.test(revision);
	const top = isRevision ? runGit(cwd, ['rev-parse', '--show-toplevel'], { env }) : undefined;
	const files = new Set<string>();
	if (top !== undefined && 'output' in top) {
		const root = top.output.trim();
		const commands = [
			['diff', '--name-only', '-z', revision, '--'],
			['ls-files', '--others', '--exclude-standard', '-z'],
		];
		const outputs = commands.map((args) => runGit(root, args, { env }));
		const failed = outputs.find((one) => 'failure' in one);
		if (failed === undefined) {
			for (const one of outputs) {
				if ('output' in one)
					for (const name of one.output.split('\0')) if (name !== '') files.add(toSlashes(resolve(root, name)));
			}
			return files;
		}
	}
	const message = `--changed-since is ${quote(revision)}, expected a revision of the git repository that the command is called in`;
	context.report.add(createDiagnostic('CLI006', message));
	return undefined;
}

/** Of some assets, those that lead to one of some files: layers in whatever variant, and what these name. */
export function assetsWith(
	context: CommandContext,
	assets: readonly string[],
	changed: ReadonlySet<string>,
	options: StageCommandOptions,
): string[] {
	const packages = rosPackages(context, options.package ?? []);
	const store = new FileStore({
		roots: ['/'],
		report: new Report({ cap: 0 }),
		...(packages !== undefined && { packages }),
	});
	return assets.filter((asset) => {
		const seen = new Set<string>();
		const pending = [toSlashes(context.absolute(asset))];
		for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
			const [file] = splitPackageRelativePathOuter(next);
			if (changed.has(file)) return true;
			if (seen.has(next)) continue;
			seen.add(next);
			const layer = /\.usd[acz]?(?:\[.*\])?$/i.test(next) ? store.layer(next) : undefined;
			if (layer === undefined || isAssetFailure(layer)) continue;
			for (const { assetPath } of listAssetPaths(layer.data)) {
				if (assetPath !== '') pending.push(store.identify(assetPath, layer.identifier).identifier);
			}
		}
		return false;
	});
}
