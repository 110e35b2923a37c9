import type { Layer, Path } from '@manyworlds/usd';
import type { LocationLink, Range } from 'vscode-languageserver';
import { DocumentText } from '../text/document-text.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { layerUri, textOf } from './virtual-texts.ts';

/** A spec in the text of its layer. */
export interface SpecPlace {
	readonly uri: string;
	readonly range: Range;
	/** Where its name stands. */
	readonly nameRange: Range;
}

/** Largest crate that is shown as text to point into it [specs]. */
const MOST_SPECS = 200_000;

/** Where a spec is written; undefined when there is none. */
export function specPlace(layer: Layer, path: Path, workspace: Workspace): SpecPlace | undefined {
	if (!layer.has(path)) return undefined;
	const uri = layerUri(layer, workspace);
	const isText = workspace.store.text(layer.identifier) !== undefined;
	if (!isText && layer.data.specCount > MOST_SPECS) return { uri, range: START, nameRange: START };
	const shown = isText ? undefined : textOf(layer);
	const unit = workspace.text(layer.identifier)?.unit ?? 'utf-16';
	const text = shown === undefined ? workspace.text(layer.identifier) : new DocumentText(shown.bytes, unit);
	const source = (shown?.data ?? layer.data).specSource(path);
	if (text === undefined || source === undefined) return { uri, range: START, nameRange: START };
	const range = text.range(source.start, source.end);
	if (source.nameStart < 0) return { uri, range, nameRange: text.range(source.start, source.start) };
	const quote = text.bytes[source.nameStart];
	const isQuoted = quote === 0x22 || quote === 0x27;
	const name = path.isVariant ? path.variantSelection : path.name;
	const start = source.nameStart + (isQuoted ? 1 : 0);
	return { uri, range, nameRange: text.range(start, start + new TextEncoder().encode(name).length) };
}

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Links to specs, each once. */
export function specLinks(
	sites: Iterable<{ readonly layer: Layer; readonly path: Path }>,
	workspace: Workspace,
	origin: Range,
): LocationLink[] {
	const links = new Map<string, LocationLink>();
	for (const { layer, path } of sites) {
		const place = specPlace(layer, path, workspace);
		if (place === undefined) continue;
		const { uri, range, nameRange } = place;
		links.set(`${uri} ${JSON.stringify(nameRange)} ${path}`, {
			originSelectionRange: origin,
			targetUri: uri,
			targetRange: range,
			targetSelectionRange: nameRange,
		});
	}
	return [...links.values()];
}
