import type { Layer } from '@manyworlds/usd';
import { compareUtf8, relativeAssetPath } from '@manyworlds/usd/internal';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { renameFiles } from '../layers/layer-paths.ts';

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]+:/;

/** F21: files of the asset are named from where they are named, beginning with `./` or `../`. */
export const PATHS: Fixer = {
	family: 'F21',
	title: 'paths that begin at the layer that has them',
	rules: ['R1.2.5.5', 'R1.2.5.8'],
	safety: 'safe',
	apply(session) {
		const layers = session.layers().sort((a, b) => compareUtf8(a.identifier, b.identifier));
		for (const layer of layers) anchorPaths(session, layer);
	},
};

function anchorPaths(session: FixSession, layer: Layer): void {
	const root = session.rootLayer.identifier.replace(/[^/]*$/, '');
	renameFiles(session, 'R1.2.5.5', layer, ({ assetPath }) => {
		if (assetPath === '' || assetPath.startsWith('./') || assetPath.startsWith('../') || assetPath.startsWith('`'))
			return assetPath;
		if (SCHEME.test(assetPath) && !/^[A-Za-z]:[\\/]/.test(assetPath)) {
			if (!assetPath.startsWith('package:')) refuse(session, layer, assetPath);
			return assetPath;
		}
		const { identifier, refusal } = session.store.identify(assetPath.replace(/\\/g, '/'), layer.identifier);
		const isThere = refusal === undefined && session.store.exists(identifier) === true;
		if (!isThere || !identifier.startsWith(root)) {
			if (assetPath.startsWith('/') || /^[A-Za-z]:/.test(assetPath)) {
				refuse(session, layer, assetPath);
				return assetPath;
			}
			if (!isThere)
				session.refuse('R1.2.5.5', `${assetPath} is not there, so where it is looked for is not told`, { layer });
			return assetPath;
		}
		return relativeAssetPath(layer.identifier, identifier, assetPath);
	});
}

function refuse(session: FixSession, layer: Layer, assetPath: string): void {
	const message = `${assetPath} lies outside of the asset; copy it beside the layer, or name it by package://`;
	session.refuse('R1.2.5.8', message, { layer });
}
