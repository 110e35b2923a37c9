import type { AssetStore } from '@manyworlds/usd';
import { withIdentify } from '@manyworlds/usd/internal';
import type { ScenePath } from '../scene-document.ts';
import { isMapping } from '../schema/leaf.ts';
import { findAssetSource, type GitCheckout } from './asset-source.ts';
import type { LoadContext } from './load-context.ts';

/**
 * A store that finds folders from elsewhere under the folder of an MJCF file: each entry of `external_assets` has a
 * `target`, relative to that folder, and the `source` that stands in for it. Undefined after a diagnostic.
 */
export function withExternalAssets(
	context: LoadContext,
	store: AssetStore,
	file: string,
	entries: readonly unknown[],
	path: ScenePath,
	options: { readonly name: string; readonly checkout: GitCheckout | undefined },
): AssetStore | undefined {
	const links: { readonly from: string; readonly to: string }[] = [];
	const folder = file.slice(0, file.lastIndexOf('/') + 1);
	for (const [i, entry] of entries.entries()) {
		const at: ScenePath = [...path, 'external_assets', i];
		const target = isMapping(entry) ? entry['target'] : undefined;
		if (!isMapping(entry) || typeof target !== 'string') {
			return context.add('SCN010', at, "has no 'target', expected target and one of source, git and path");
		}
		if (/^[\\/]|^[A-Za-z]:|(^|[\\/])\.\.([\\/]|$)/.test(target)) {
			return context.add('SCN032', [...at, 'target'], `is '${target}', expected a path below the folder of the asset`);
		}
		const source = 'source' in entry ? entry['source'] : entry;
		const place = findAssetSource(context, source, 'source' in entry ? [...at, 'source'] : at, {
			...options,
			allowsText: false,
		});
		if (place === undefined || 'text' in place) return undefined;
		links.push({ from: `${folder}${target.replace(/^\.\//, '').replace(/\/+$/, '')}`, to: place.identifier });
	}
	return withIdentify(store, (assetPath, anchor) => {
		const isPlain = !/^\.{0,2}[/\\]|^[A-Za-z][A-Za-z0-9+.-]*:/.test(assetPath);
		const { identifier } = store.identify(isPlain ? `./${assetPath}` : assetPath, anchor);
		const link = links.find(({ from }) => identifier === from || identifier.startsWith(`${from}/`));
		return link === undefined
			? store.identify(assetPath, anchor)
			: store.identify(`${link.to}${identifier.slice(link.from.length)}`, '');
	});
}
