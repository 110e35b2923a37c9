import { Path } from '@manyworlds/usd';
import { isIdentifier, isNamespacedIdentifier } from '@manyworlds/usd/internal';
import { TokenKind, UsdaTokens } from './usda-tokens.ts';

/** A statement of usda text. Numbers are those of tokens, -1 for parts that are not there. */
export interface OutlineNode {
	readonly kind: 'layer' | 'prim' | 'variantSet' | 'variant' | 'property' | 'metadata';
	readonly parent: OutlineNode | undefined;
	readonly children: OutlineNode[];
	/** Name of a prim, property, variant set, variant or key. */
	name: string;
	nameToken: number;
	/** `def`, `over`, `class`; the type of a property; `rel`. */
	specifierToken: number;
	typeToken: number;
	/** Type of a prim or property as written: `float3[]`. */
	typeName: string;
	/** What follows the name of a property after a dot: `timeSamples`, `connect`. */
	suffix: string;
	/** `prepend`, `delete` and so on; '' without one. */
	listOp: string;
	readonly first: number;
	last: number;
	/** First token after `=`. */
	valueFirst: number;
	valueLast: number;
	metadataOpen: number;
	metadataClose: number;
	bodyOpen: number;
	bodyClose: number;
	/** The spec that it is, or that it is part of; undefined where names make no path. */
	readonly path: Path | undefined;
}

/** The statements of usda text as a tree, whatever is wrong with the text. */
export class UsdaOutline {
	readonly tokens: UsdaTokens;
	readonly root: OutlineNode;

	constructor(bytes: Uint8Array) {
		this.tokens = new UsdaTokens(bytes);
		this.root = new OutlineReader(this.tokens).read();
	}

	/** The innermost statement around a byte. */
	nodeAt(offset: number): OutlineNode {
		const { tokens } = this;
		let node = this.root;
		for (;;) {
			// children stand in order
			const { children } = node;
			let low = -1;
			let high = children.length;
			while (high - low > 1) {
				const middle = (low + high) >> 1;
				if (tokens.start(children[middle]!.first) <= offset) low = middle;
				else high = middle;
			}
			const child = children[low];
			if (child === undefined || offset > tokens.end(child.last)) return node;
			node = child;
		}
	}

	*nodes(): Generator<OutlineNode> {
		const stack = [this.root];
		for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
			yield node;
			for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
		}
	}
}

/** The prim, variant or layer that a statement stands in, itself included. */
export function ownerOf(node: OutlineNode): OutlineNode {
	let at = node;
	while (at.kind === 'property' || at.kind === 'metadata' || at.kind === 'variantSet') at = at.parent!;
	return at;
}

/** The path of the prim around a statement without variants: what relative paths in it start from. */
export function anchorOf(node: OutlineNode): Path {
	return ownerOf(node).path?.stripVariants() ?? Path.root;
}

const SPECIFIERS: ReadonlySet<string> = new Set(['def', 'over', 'class']);
const LIST_OPS: ReadonlySet<string> = new Set(['prepend', 'append', 'delete', 'add', 'reorder']);
const QUALIFIERS: ReadonlySet<string> = new Set(['custom', 'uniform', 'varying', 'config']);
const OPENING: ReadonlySet<number> = new Set([0x28, 0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x29, 0x5d, 0x7d]);
const [ROUND_OPEN, ROUND_CLOSE, SQUARE_OPEN, SQUARE_CLOSE] = [0x28, 0x29, 0x5b, 0x5d];
const [CURLY_OPEN, CURLY_CLOSE, EQUALS, SEMICOLON, DOT] = [0x7b, 0x7d, 0x3d, 0x3b, 0x2e];

class OutlineReader {
	readonly #tokens: UsdaTokens;
	#at = 0;

	constructor(tokens: UsdaTokens) {
		this.#tokens = tokens;
	}

	read(): OutlineNode {
		const root = makeNode('layer', undefined, 0, Path.root);
		this.#comments();
		if (this.#isMark(ROUND_OPEN)) this.#metadata(root);
		this.#bodies(root);
		root.last = Math.max(this.#tokens.count - 1, 0);
		return root;
	}

	/** Reads statements up to the end; prims and variants that are open are kept on a stack, as nesting has no limit. */
	#bodies(root: OutlineNode): void {
		let open = root;
		for (;;) {
			this.#comments();
			if (this.#at >= this.#tokens.count) break;
			if (this.#isMark(CURLY_CLOSE)) {
				open.bodyClose = this.#at;
				open.last = this.#at++;
				open = open.parent ?? root;
				continue;
			}
			const word = this.#word();
			if (open.kind === 'variantSet') open = this.#variant(open);
			else if (SPECIFIERS.has(word)) open = this.#prim(open);
			else if (word === 'variantSet') open = this.#variantSet(open);
			else if (word !== '') this.#property(open);
			else this.#at++;
		}
		for (let node: OutlineNode | undefined = open; node !== undefined; node = node.parent) {
			node.last = Math.max(this.#tokens.count - 1, 0);
		}
	}

	#prim(parent: OutlineNode): OutlineNode {
		const first = this.#at++;
		let typeToken = -1;
		this.#comments();
		if (this.#kind() === TokenKind.word && !this.#startsStatement()) typeToken = this.#at++;
		this.#comments();
		const nameToken = this.#kind() === TokenKind.string ? this.#at++ : -1;
		const name = nameToken < 0 ? '' : this.#tokens.content(nameToken);
		const base = parent.path;
		const node = makeNode('prim', parent, first, isIdentifier(name) ? base?.appendChild(name) : undefined);
		node.name = name;
		node.nameToken = nameToken;
		node.specifierToken = first;
		node.typeToken = typeToken;
		if (typeToken >= 0) node.typeName = this.#tokens.text(typeToken);
		node.last = this.#at - 1;
		return this.#opened(node, parent);
	}

	#variantSet(parent: OutlineNode): OutlineNode {
		const first = this.#at++;
		this.#comments();
		const nameToken = this.#kind() === TokenKind.string ? this.#at++ : -1;
		const node = makeNode('variantSet', parent, first, parent.path);
		node.nameToken = nameToken;
		node.name = nameToken < 0 ? '' : this.#tokens.content(nameToken);
		this.#comments();
		if (this.#isMark(EQUALS)) this.#at++;
		node.last = this.#at - 1;
		this.#comments();
		return this.#body(node, parent);
	}

	#variant(parent: OutlineNode): OutlineNode {
		if (this.#kind() !== TokenKind.string) {
			this.#at++;
			return parent;
		}
		const first = this.#at++;
		const name = this.#tokens.content(first);
		const path = parent.name === '' || name === '' ? undefined : parent.path?.appendVariant(parent.name, name);
		const node = makeNode('variant', parent, first, path);
		node.nameToken = first;
		node.name = name;
		return this.#opened(node, parent);
	}

	/** Reads what may stand between a name and its body. Gives what is open then. */
	#opened(node: OutlineNode, parent: OutlineNode): OutlineNode {
		this.#comments();
		if (this.#isMark(ROUND_OPEN)) this.#metadata(node);
		this.#comments();
		return this.#body(node, parent);
	}

	#body(node: OutlineNode, parent: OutlineNode): OutlineNode {
		if (!this.#isMark(CURLY_OPEN)) return parent;
		node.bodyOpen = this.#at;
		node.last = this.#at++;
		return node;
	}

	#property(parent: OutlineNode): void {
		const first = this.#at;
		const listOp = this.#listOp();
		let word = listOp === '' ? this.#word() : this.#wordOnLine();
		while (QUALIFIERS.has(word)) {
			this.#at++;
			word = this.#wordOnLine();
		}
		const typeToken = word === '' ? -1 : this.#at++;
		let typeName = typeToken < 0 ? '' : word;
		if (this.#isMark(SQUARE_OPEN) && this.#tokens.isMark(this.#at + 1, SQUARE_CLOSE)) {
			typeName += '[]';
			this.#at += 2;
		}
		const name = this.#wordOnLine();
		const isNamed = name !== '' && isNamespacedIdentifier(name);
		const nameToken = name === '' ? -1 : this.#at++;
		const path = isNamed && typeName !== '' ? parent.path?.appendProperty(name) : parent.path;
		const node = makeNode('property', parent, first, path);
		node.typeToken = typeToken;
		node.typeName = typeName;
		node.nameToken = nameToken;
		node.name = name;
		node.listOp = listOp;
		if (this.#isMark(DOT) && !this.#tokens.isFirstOnLine(this.#at)) {
			this.#at++;
			node.suffix = this.#wordOnLine();
			if (node.suffix !== '') this.#at++;
		}
		node.last = this.#at - 1;
		this.#value(node);
		if (this.#isMark(ROUND_OPEN) && node.nameToken >= 0) this.#metadata(node);
	}

	/** Reads the metadata in round brackets. */
	#metadata(node: OutlineNode): void {
		node.metadataOpen = this.#at++;
		for (;;) {
			this.#comments();
			if (this.#at >= this.#tokens.count) break;
			if (this.#isMark(ROUND_CLOSE)) {
				node.metadataClose = this.#at++;
				break;
			}
			// nobody closed the bracket
			if (this.#isMark(CURLY_CLOSE) || this.#isMark(CURLY_OPEN) || this.#startsStatement()) break;
			if (this.#kind() !== TokenKind.word) {
				this.#at++;
				continue;
			}
			const first = this.#at;
			const listOp = this.#listOp();
			const word = listOp === '' ? this.#word() : this.#wordOnLine();
			const entry = makeNode('metadata', node, first, node.path);
			entry.listOp = listOp;
			entry.name = word;
			entry.nameToken = word === '' ? -1 : this.#at++;
			entry.last = this.#at - 1;
			this.#value(entry);
		}
		node.last = this.#at - 1;
	}

	/** Reads `= value` up to where the statement ends. */
	#value(node: OutlineNode): void {
		this.#comments();
		if (!this.#isMark(EQUALS) || this.#tokens.isFirstOnLine(this.#at)) return;
		node.last = this.#at++;
		let depth = 0;
		const start = this.#at;
		for (; this.#at < this.#tokens.count; this.#at++) {
			const kind = this.#kind();
			if (kind === TokenKind.comment) continue;
			const isStart = node.valueFirst < 0;
			const isFirst = this.#tokens.isFirstOnLine(this.#at);
			if (depth === 0 && isFirst && (!isStart || this.#at > start)) break;
			if (isFirst && this.#startsStatement()) break;
			const byte = kind === TokenKind.mark ? this.#tokens.bytes[this.#tokens.start(this.#at)]! : 0;
			if (depth === 0 && !isStart && byte === ROUND_OPEN) break;
			if (depth === 0 && byte === SEMICOLON) {
				this.#at++;
				break;
			}
			if (CLOSING.has(byte)) {
				if (depth === 0) break;
				depth--;
			} else if (OPENING.has(byte)) depth++;
			if (isStart) node.valueFirst = this.#at;
			node.valueLast = this.#at;
			node.last = this.#at;
		}
	}

	/** Whether a prim or variant set begins here: what is still open before it was never closed. */
	#startsStatement(): boolean {
		const word = this.#word();
		if (!SPECIFIERS.has(word) && word !== 'variantSet') return false;
		const tokens = this.#tokens;
		const next = this.#at + 1;
		if (next >= tokens.count) return false;
		if (tokens.kind(next) === TokenKind.string) return true;
		return (
			tokens.kind(next) === TokenKind.word && next + 1 < tokens.count && tokens.kind(next + 1) === TokenKind.string
		);
	}

	/** Reads `prepend`, `delete` and so on; '' when none stands here. */
	#listOp(): string {
		const word = this.#word();
		if (!LIST_OPS.has(word)) return '';
		this.#at++;
		return word;
	}

	#comments(): void {
		while (this.#at < this.#tokens.count && this.#kind() === TokenKind.comment) this.#at++;
	}

	#kind(): TokenKind | undefined {
		return this.#at < this.#tokens.count ? this.#tokens.kind(this.#at) : undefined;
	}

	#word(): string {
		return this.#kind() === TokenKind.word ? this.#tokens.text(this.#at) : '';
	}

	/** The word here unless it begins a line: then it belongs to the next statement. */
	#wordOnLine(): string {
		return this.#kind() === TokenKind.word && !this.#tokens.isFirstOnLine(this.#at) ? this.#tokens.text(this.#at) : '';
	}

	#isMark(byte: number): boolean {
		return this.#tokens.isMark(this.#at, byte);
	}
}

function makeNode(
	kind: OutlineNode['kind'],
	parent: OutlineNode | undefined,
	first: number,
	path: Path | undefined,
): OutlineNode {
	const node: OutlineNode = {
		kind,
		parent,
		children: [],
		name: '',
		nameToken: -1,
		specifierToken: -1,
		typeToken: -1,
		typeName: '',
		suffix: '',
		listOp: '',
		first,
		last: first,
		valueFirst: -1,
		valueLast: -1,
		metadataOpen: -1,
		metadataClose: -1,
		bodyOpen: -1,
		bodyClose: -1,
		path,
	};
	parent?.children.push(node);
	return node;
}
