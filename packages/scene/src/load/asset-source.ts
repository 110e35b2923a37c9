import { quote } from '@manyworlds/core';
import { type GitSource, readGitSource } from '../git-source.ts';
import { pythonText } from '../python-text.ts';
import type { ScenePath } from '../scene-document.ts';
import { isMapping } from '../schema/leaf.ts';
import type { LoadContext } from './load-context.ts';

/**
 * Puts a git source into a folder, or says why that fails. It runs while the scene is loaded and gives the folder of the
 * checkout, which the store of the load must be able to read; `path` is that of the asset below it, when it has another
 * place there than in the repository. @public
 */
export type GitCheckout = (
	source: GitSource,
) => { readonly folder: string; readonly path?: string } | { readonly failure: string };

/** Where an asset is: a file, or the text of a URDF file. */
export type AssetPlace = { readonly identifier: string } | { readonly text: string };

/** Finds the source of an asset. Undefined after it was reported as unsupported or as an error. */
export function findAssetSource(
	context: LoadContext,
	source: unknown,
	path: ScenePath,
	options: { readonly name: string; readonly checkout: GitCheckout | undefined; readonly allowsText: boolean },
): AssetPlace | undefined {
	const unsupported = (reason: string, at: ScenePath = path, code?: 'SCN032' | 'SCN033'): undefined => {
		context.addUnsupported(`${options.name} source: ${reason}`, at, code);
		return undefined;
	};
	if (typeof source === 'string') {
		if (options.allowsText && source.trimStart().startsWith('<')) return { text: source };
		return fileAt(context, source, path);
	}
	if (!isMapping(source)) return unsupported(`Expected asset source string or mapping, got ${pythonText(source)}.`);
	if ('path' in source) {
		if (typeof source['path'] === 'string') return fileAt(context, source['path'], [...path, 'path']);
		return unsupported(`source.path must be text, got ${pythonText(source['path'])}.`, [...path, 'path']);
	}
	if ('git' in source) {
		const { git } = source;
		const at = [...path, 'git'];
		if (!isMapping(git)) return unsupported(`source.git must be a mapping, got ${pythonText(git)}.`, at);
		const settled = readGitSource(git);
		if ('kind' in settled) {
			const place = settled.key === undefined ? at : [...at, settled.key];
			return unsupported(settled.reason, place, settled.kind === 'unsafe' ? 'SCN032' : undefined);
		}
		const { checkout } = options;
		const name = `Git asset ${settled.repo}@${settled.rev}:${settled.path}`;
		if (checkout === undefined) return unsupported(`${name} cannot be checked out here.`, at, 'SCN033');
		const done = checkout(settled);
		if ('failure' in done) return unsupported(done.failure, at, 'SCN033');
		return fileAt(context, `${done.folder.replace(/[\\/]+$/, '')}/${done.path ?? settled.path}`, at);
	}
	if ('examples_asset' in source) return unsupported(`examples_asset=${pythonText(source['examples_asset'])}`);
	return unsupported(`Unsupported asset source: ${pythonText(source)}`);
}

function fileAt(context: LoadContext, name: string, path: ScenePath): AssetPlace | undefined {
	const { store } = context;
	if (store === undefined) return context.add('SCN031', path, `is ${quote(name)}, but no files can be read here`);
	const { identifier, refusal } = store.identify(name, context.file);
	if (refusal !== undefined) return context.add('SCN031', path, `is ${quote(name)}, which cannot be read: ${refusal}`);
	return { identifier };
}
