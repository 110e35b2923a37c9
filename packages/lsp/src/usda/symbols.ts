import {
	type DocumentSymbol,
	type FoldingRange,
	FoldingRangeKind,
	type SelectionRange,
	SymbolKind,
} from 'vscode-languageserver';
import type { PlaceRequest, TextRequest } from '../language-features.ts';
import type { OutlineNode, UsdaOutline } from '../outline/usda-outline.ts';
import { TokenKind } from '../outline/usda-tokens.ts';
import { nameRange } from './usda-subject.ts';

/** Kinds of symbols by the beginning of prim types. */
const TYPE_KINDS: readonly (readonly [type: RegExp, kind: SymbolKind])[] = [
	[/^(?:Material|Shader|NodeGraph)$/, SymbolKind.Constant],
	[/^Physics.*Joint$/, SymbolKind.Event],
	[/^(?:Mesh|Cube|Sphere|Cylinder|Capsule|Cone|Plane|Points|BasisCurves)/, SymbolKind.Struct],
	[/^(?:Scope|GeomSubset)$/, SymbolKind.Namespace],
	[/Light$/, SymbolKind.Key],
	[/^Camera$/, SymbolKind.Object],
];

/** The prims, variants and properties of a layer as a tree. */
export function symbols({ workspace, text }: TextRequest): DocumentSymbol[] {
	const outline = workspace.outline(text);
	const toSymbol = (node: OutlineNode): DocumentSymbol | undefined => {
		if (node.kind === 'metadata' || node.kind === 'layer') return undefined;
		const name =
			node.nameToken < 0
				? { start: outline.tokens.start(node.first), end: outline.tokens.end(node.first) }
				: nameRange(outline, node.nameToken);
		const range = text.range(outline.tokens.start(node.first), Math.max(outline.tokens.end(node.last), name.end));
		return {
			name: node.name === '' ? '(no name)' : node.kind === 'variant' ? `${node.parent?.name}=${node.name}` : node.name,
			kind: kindOf(node),
			...(node.typeName !== '' && { detail: node.typeName }),
			range,
			selectionRange: text.range(name.start, name.end),
			children: [],
		};
	};
	// nesting has no limit: the tree is made without recursion
	const top: DocumentSymbol[] = [];
	const stack: [node: OutlineNode, into: DocumentSymbol[]][] = outline.root.children.map((child) => [child, top]);
	stack.reverse();
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const [node, into] = next;
		const symbol = toSymbol(node);
		if (symbol === undefined) continue;
		into.push(symbol);
		for (let i = node.children.length - 1; i >= 0; i--) stack.push([node.children[i]!, symbol.children!]);
	}
	return top;
}

function kindOf(node: OutlineNode): SymbolKind {
	switch (node.kind) {
		case 'property':
			return node.typeName === 'rel' ? SymbolKind.Interface : SymbolKind.Property;
		case 'variantSet':
			return SymbolKind.Enum;
		case 'variant':
			return SymbolKind.EnumMember;
		default:
			return TYPE_KINDS.find(([type]) => type.test(node.typeName))?.[1] ?? SymbolKind.Class;
	}
}

/** What can be folded: bodies, metadata, values over several lines, comments. */
export function folding({ workspace, text }: TextRequest): FoldingRange[] {
	const outline = workspace.outline(text);
	const { tokens } = outline;
	const found: FoldingRange[] = [];
	const add = (first: number, last: number, kind?: FoldingRangeKind): void => {
		const startLine = text.position(tokens.start(first)).line;
		const endLine = text.position(tokens.end(last)).line - (kind === undefined ? 1 : 0);
		if (endLine > startLine) found.push({ startLine, endLine, ...(kind !== undefined && { kind }) });
	};
	for (const node of outline.nodes()) {
		if (node.bodyOpen >= 0 && node.bodyClose >= 0) add(node.bodyOpen, node.bodyClose);
		if (node.metadataOpen >= 0 && node.metadataClose >= 0) add(node.metadataOpen, node.metadataClose);
		if (node.valueFirst >= 0 && node.valueLast > node.valueFirst) add(node.valueFirst, node.valueLast);
	}
	for (let token = 0; token < tokens.count; token++) {
		if (tokens.kind(token) !== TokenKind.comment) continue;
		let last = token;
		while (last + 1 < tokens.count && tokens.kind(last + 1) === TokenKind.comment) last++;
		add(token, last, FoldingRangeKind.Comment);
		token = last;
	}
	return found.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}

/** The token, value, statement, body and so on around a place, the smallest first. */
export function selection({ workspace, text, offset }: PlaceRequest): SelectionRange {
	const outline = workspace.outline(text);
	const { tokens } = outline;
	const spans: (readonly [number, number])[] = [[0, text.length]];
	const chain: OutlineNode[] = [];
	for (let node: OutlineNode | undefined = outline.nodeAt(offset); node !== undefined; node = node.parent)
		chain.unshift(node);
	for (const node of chain) {
		if (node.kind !== 'layer') spans.push([tokens.start(node.first), tokens.end(node.last)]);
		for (const [open, close] of [
			[node.bodyOpen, node.bodyClose],
			[node.metadataOpen, node.metadataClose],
			[node.valueFirst, node.valueLast],
		] as const) {
			if (open >= 0 && close >= open && tokens.start(open) <= offset && offset <= tokens.end(close))
				spans.push([tokens.start(open), tokens.end(close)]);
		}
	}
	const token = tokens.at(offset);
	if (token >= 0 && offset <= tokens.end(token)) spans.push([tokens.start(token), tokens.end(token)]);
	let result: SelectionRange | undefined;
	let [from, to] = [0, text.length];
	for (const [start, end] of spans) {
		// each must lie inside of the one before
		if (start < from || end > to || (start === from && end === to && result !== undefined)) continue;
		[from, to] = [start, end];
		result = { range: text.range(start, end), ...(result !== undefined && { parent: result }) };
	}
	return result!;
}

/** Names of the prims of an outline, for searches over many layers. */
export function* primNames(outline: UsdaOutline): Generator<OutlineNode> {
	for (const node of outline.nodes()) if (node.kind === 'prim' && node.name !== '') yield node;
}
