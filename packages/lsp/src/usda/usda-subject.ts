import { Path } from '@manyworlds/usd';
import { anchorOf, type OutlineNode, type UsdaOutline } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';

/** What stands at a place of usda text. */
export type UsdaSubject = { readonly start: number; readonly end: number; readonly node: OutlineNode } & (
	| { readonly kind: 'prim' | 'property' | 'variantSet' | 'variant' | 'metadata' }
	| PathSubject
	| { readonly kind: 'asset'; readonly assetPath: string }
	| { readonly kind: 'schema'; readonly name: string }
	/** A string, number or word of the value of a property or of metadata. */
	| { readonly kind: 'value'; readonly text: string }
);

/** A path in angle brackets. */
export interface PathSubject {
	readonly kind: 'path';
	/** The path up to the name at the place, in the namespace that it is written for. */
	readonly path: Path;
	/** File that the path leads into; '' for the layer stack that it is written in. */
	readonly assetPath: string;
	/** Whether the path belongs to an arc with another root: `references`, `payload`. */
	readonly isArc: boolean;
}

/** What stands at a byte; undefined between things. */
export function subjectAt(outline: UsdaOutline, offset: number): UsdaSubject | undefined {
	const { tokens } = outline;
	let index = tokens.at(offset);
	// behind the last character of a word the word is meant
	const isBetween = index < 0 || offset >= tokens.end(index) || tokens.kind(index) === TokenKind.mark;
	if (isBetween) {
		const before =
			index >= 0 && tokens.end(index) === offset && tokens.kind(index) !== TokenKind.mark ? index : index - 1;
		if (before < 0 || tokens.end(before) !== offset) return undefined;
		index = before;
	}
	const node = outline.nodeAt(tokens.start(index));
	const start = tokens.start(index);
	const end = tokens.end(index);
	switch (tokens.kind(index)) {
		case TokenKind.path:
			return pathSubject(outline, node, index, offset);
		case TokenKind.asset:
			return { kind: 'asset', node, assetPath: tokens.content(index), start, end };
		case TokenKind.comment:
			return undefined;
		default:
			break;
	}
	if (index === node.nameToken && node.kind !== 'layer') return { kind: node.kind, node, ...nameRange(outline, index) };
	if (index === node.typeToken && node.kind === 'prim')
		return { kind: 'schema', name: node.typeName, node, start, end };
	if (node.kind === 'metadata' && node.name === 'apiSchemas' && tokens.kind(index) === TokenKind.string) {
		return { kind: 'schema', name: tokens.content(index), node, ...tokens.contentRange(index) };
	}
	if (node.valueFirst >= 0 && index >= node.valueFirst && index <= node.valueLast) {
		const isString = tokens.kind(index) === TokenKind.string;
		const text = isString ? tokens.content(index) : tokens.text(index);
		return { kind: 'value', text, node, ...(isString ? tokens.contentRange(index) : { start, end }) };
	}
	return undefined;
}

/** The path in angle brackets at a token, up to the name at `offset`; the whole one without an offset. */
export function pathSubject(
	outline: UsdaOutline,
	node: OutlineNode,
	token: number,
	offset?: number,
): (UsdaSubject & PathSubject) | undefined {
	const { tokens } = outline;
	const { start } = tokens.contentRange(token);
	const text = tokens.content(token);
	const cut = offset === undefined ? text : upToName(text, byteToIndex(text, offset - start));
	const authored = Path.parse(cut);
	if (authored === undefined || authored.isEmpty) return undefined;
	const isArc = node.kind === 'metadata' && (node.name === 'references' || node.name === 'payload');
	const isBehindAsset = isArc && token > 0 && tokens.kind(token - 1) === TokenKind.asset;
	const path = authored.makeAbsolute(anchorOf(node));
	return {
		kind: 'path',
		node,
		path,
		assetPath: isBehindAsset ? tokens.content(token - 1) : '',
		isArc,
		start,
		end: start + new TextEncoder().encode(cut).length,
	};
}

/** A path up to the end of the name at an index. */
function upToName(text: string, index: number): string {
	let end = Math.max(index, 1);
	while (end < text.length && !/[/.{}[\]]/.test(text[end]!)) end++;
	const cut = text.slice(0, end).replace(/[/.]$/, '');
	// brackets that the cut left open belong to the name
	if ((cut.match(/\[/g)?.length ?? 0) !== (cut.match(/\]/g)?.length ?? 0)) return text;
	return cut === '' || /^\.+$/.test(cut) ? text : cut;
}

function byteToIndex(text: string, bytes: number): number {
	let left = bytes;
	let index = 0;
	for (const character of text) {
		if (left <= 0) break;
		left -= new TextEncoder().encode(character).length;
		index += character.length;
	}
	return index;
}

/** A name without the quotes around it. */
export function nameRange({ tokens }: UsdaOutline, token: number): { readonly start: number; readonly end: number } {
	if (tokens.kind(token) === TokenKind.string) return tokens.contentRange(token);
	return { start: tokens.start(token), end: tokens.end(token) };
}
