import { isAssetFailure, type Layer, readUsda, type TextLayerData, writeUsda } from '@manyworlds/usd';
import type { Workspace } from '../workspace/workspace.ts';

/** Scheme of the addresses of layers that are no text, shown as text. */
const SCHEME = 'manyworlds-usdc';

/** A layer that is no text, written as one. */
export interface VirtualText {
	readonly text: string;
	readonly bytes: Uint8Array;
	/** The same layer with the places in the text. */
	readonly data: TextLayerData;
}

const texts = new WeakMap<Layer, VirtualText>();

/** The address of a layer: that of its file, or one that stands for the text of a crate or of a member of a package. */
export function layerUri(layer: Layer, workspace: Workspace): string {
	const { identifier } = layer;
	if (workspace.store.text(identifier) !== undefined && !identifier.endsWith(']'))
		return workspace.uris.uri(identifier);
	return `${SCHEME}:${identifier.split('/').map(encodeURIComponent).join('/')}.usda`;
}

/** What stands behind an address of {@link layerUri}. */
export function virtualText(uri: string, workspace: Workspace): VirtualText | undefined {
	if (!uri.startsWith(`${SCHEME}:`)) return undefined;
	const identifier = decodeURIComponent(uri.slice(SCHEME.length + 1)).replace(/\.usda$/, '');
	const layer = workspace.store.layer(identifier);
	return layer === undefined || isAssetFailure(layer) ? undefined : textOf(layer);
}

/** A layer as text, made once. */
export function textOf(layer: Layer): VirtualText {
	let found = texts.get(layer);
	if (found === undefined) {
		const bytes = writeUsda(layer.data);
		found = { bytes, text: new TextDecoder().decode(bytes), data: readUsda(bytes) };
		texts.set(layer, found);
	}
	return found;
}
