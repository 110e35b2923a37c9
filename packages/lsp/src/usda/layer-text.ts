import type { Layer } from '@manyworlds/usd';
import type { OutlineNode, UsdaOutline } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import { DocumentText } from '../text/document-text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type PathSubject, pathSubject, type UsdaSubject } from './usda-subject.ts';
import { layerUri, textOf } from './virtual-texts.ts';

/** A layer as text: its own, or one that stands for a crate. */
export interface LayerText {
	readonly layer: Layer;
	readonly uri: string;
	readonly text: DocumentText;
	readonly outline: UsdaOutline;
	/** Whether the text is a file that can be edited. */
	readonly isFile: boolean;
}

/** Largest crate that is looked through as text [specs]. */
const MOST_SPECS = 50_000;

/** The text of a layer; undefined for crates that are too large to be written as one. */
export function layerText(layer: Layer, workspace: Workspace): LayerText | undefined {
	const own = workspace.store.text(layer.identifier) === undefined ? undefined : workspace.text(layer.identifier);
	const isFile = own !== undefined && !layer.identifier.endsWith(']');
	if (own === undefined && layer.data.specCount > MOST_SPECS) return undefined;
	const text = own ?? new DocumentText(textOf(layer).bytes, 'utf-16');
	return { layer, uri: layerUri(layer, workspace), text, outline: workspace.outline(text), isFile };
}

/** Every path in angle brackets of a text. */
export function* pathsIn(
	outline: UsdaOutline,
): Generator<{ readonly token: number; readonly subject: UsdaSubject & PathSubject }> {
	const { tokens } = outline;
	let node: OutlineNode | undefined;
	for (let token = 0; token < tokens.count; token++) {
		if (tokens.kind(token) !== TokenKind.path) continue;
		const isSame = node !== undefined && node.children.length === 0 && token >= node.first && token <= node.last;
		if (!isSame) node = outline.nodeAt(tokens.start(token));
		const subject = pathSubject(outline, node!, token);
		if (subject !== undefined) yield { token, subject };
	}
}
