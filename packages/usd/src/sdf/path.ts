/** What a path node stands for. Numbers order siblings of different kinds as OpenUSD does. */
export const PathKind = {
	empty: 0,
	root: 1,
	prim: 2,
	property: 3,
	variant: 4,
	target: 5,
	relationalAttribute: 6,
	mapper: 7,
	mapperArg: 8,
	expression: 9,
} as const;
export type PathKind = (typeof PathKind)[keyof typeof PathKind];

/** Children beyond this number are found through a map instead of a list walk. */
const LIST_LIMIT = 8;

/**
 * A scene path: `/Robot/arm.radius`, `/Robot{lod=high}mesh`, `../sibling`.
 *
 * Paths are interned: two paths with the same text are the same object, so they compare with `===` and serve as map keys.
 * A path keeps its ancestors alive and is kept alive by its top-level prim; when nothing refers to any path below
 * a top-level prim, that whole tree can be collected.
 */
export class Path {
	/** The path of nothing, written `<>`. */
	static readonly empty: Path = new Path(null, PathKind.empty, '', null);
	/** `/` */
	static readonly root: Path = new Path(null, PathKind.root, '/', null);
	/** `.`, the start of every relative path. */
	static readonly relativeRoot: Path = new Path(null, PathKind.root, '.', null);

	readonly parent: Path | null;
	readonly kind: PathKind;
	/**
	 * Name of a prim, property, relational attribute or mapper argument; `set=selection` of a variant;
	 * `..` for a step upwards; text of the target path of a target or mapper.
	 */
	readonly name: string;
	/** The path inside the brackets of a target or mapper element. */
	readonly target: Path | null;
	/** Number of elements below the root. */
	readonly depth: number;
	/** Number of the {@link MemoryData} that took this path last, and the place of its spec there. */
	holder = 0;
	place = 0;

	#text: string | null = null;
	/** The child that was made last, or all of them by name when they are many. */
	#children: Path | ChildMaps | null = null;
	#nextSibling: Path | null = null;

	private constructor(parent: Path | null, kind: PathKind, name: string, target: Path | null) {
		this.parent = parent;
		this.kind = kind;
		this.name = name;
		this.target = target;
		this.depth = parent === null ? 0 : parent.depth + 1;
	}

	/** The path that `text` spells, or undefined when it spells none. `''` gives the empty path. */
	static parse(text: string): Path | undefined {
		return parsePath(text);
	}

	get isEmpty(): boolean {
		return this.kind === PathKind.empty;
	}

	get isAbsolute(): boolean {
		let node: Path = this;
		while (node.parent !== null) node = node.parent;
		return node === Path.root;
	}

	get isAbsoluteRoot(): boolean {
		return this === Path.root;
	}

	/** A prim, a prim inside a variant, or the root of a relative path. */
	get isPrim(): boolean {
		return this.kind === PathKind.prim;
	}

	get isProperty(): boolean {
		return this.kind === PathKind.property || this.kind === PathKind.relationalAttribute;
	}

	get isVariant(): boolean {
		return this.kind === PathKind.variant;
	}

	/** Name of the variant set of a variant element; '' for other kinds. */
	get variantSet(): string {
		return this.kind === PathKind.variant ? this.name.slice(0, this.name.indexOf('=')) : '';
	}

	/** Selection of a variant element; '' for a variant set and for other kinds. */
	get variantSelection(): string {
		return this.kind === PathKind.variant ? this.name.slice(this.name.indexOf('=') + 1) : '';
	}

	/** True when some element is a variant selection. */
	get hasVariants(): boolean {
		for (let node: Path | null = this; node !== null; node = node.parent) {
			if (node.kind === PathKind.variant) return true;
		}
		return false;
	}

	appendChild(name: string): Path {
		return this.#child(PathKind.prim, name, null);
	}

	appendProperty(name: string): Path {
		return this.#child(PathKind.property, name, null);
	}

	/** `{set=selection}`; an empty selection names the variant set itself. */
	appendVariant(set: string, selection: string): Path {
		return this.#child(PathKind.variant, `${set}=${selection}`, null);
	}

	/** `[target]` below a relationship or attribute. */
	appendTarget(target: Path): Path {
		return this.#child(PathKind.target, target.toString(), target);
	}

	/** `.name` below a target. */
	appendRelationalAttribute(name: string): Path {
		return this.#child(PathKind.relationalAttribute, name, null);
	}

	/** `.mapper[target]` */
	appendMapper(target: Path): Path {
		return this.#child(PathKind.mapper, target.toString(), target);
	}

	appendMapperArg(name: string): Path {
		return this.#child(PathKind.mapperArg, name, null);
	}

	appendExpression(): Path {
		return this.#child(PathKind.expression, 'expression', null);
	}

	/** Appends one element that has the same kind and name as `element`. */
	appendElement(element: Path): Path {
		return this.#child(element.kind, element.name, element.target);
	}

	/** The closest ancestor, or this, that is a prim, a variant or a root. */
	get primPath(): Path {
		let node: Path = this;
		while (node.parent !== null && node.kind !== PathKind.prim && node.kind !== PathKind.variant) node = node.parent;
		return node;
	}

	/** Whether `prefix` is this path or one of its ancestors. */
	hasPrefix(prefix: Path): boolean {
		let node: Path | null = this;
		while (node !== null && node.depth > prefix.depth) node = node.parent;
		return node === prefix;
	}

	/**
	 * This path with the ancestor `from` replaced by `to`; unchanged when `from` is not a prefix.
	 * Target paths inside brackets are replaced as well, unless `fixTargets` is false.
	 */
	replacePrefix(from: Path, to: Path, fixTargets = true): Path {
		if (from === to || this.isEmpty) return this;
		const elements: Path[] = [];
		let node: Path = this;
		while (node !== from) {
			elements.push(node);
			if (node.parent === null) break;
			node = node.parent;
		}
		const found = node === from;
		let result = found ? to : node;
		for (let i = elements.length - 1; i >= 0; i--) {
			const element = elements[i]!;
			if (element.parent === null) continue;
			const target = fixTargets && element.target !== null ? element.target.replacePrefix(from, to) : element.target;
			result =
				target === element.target ? result.appendElement(element) : result.#child(element.kind, `${target}`, target);
		}
		return result;
	}

	/** This path without its variant selections: `/A{v=x}B` becomes `/A/B`. */
	stripVariants(): Path {
		if (!this.hasVariants) return this;
		const parent = this.parent!.stripVariants();
		return this.kind === PathKind.variant ? parent : parent.appendElement(this);
	}

	/** The longest path that is a prefix of both. Empty when one is absolute and the other relative. */
	commonPrefix(other: Path): Path {
		let a: Path | null = this;
		let b: Path | null = other;
		while (a !== null && a.depth > other.depth) a = a.parent;
		while (b !== null && a !== null && b.depth > a.depth) b = b.parent;
		while (a !== b) {
			a = a?.parent ?? null;
			b = b?.parent ?? null;
		}
		return a ?? Path.empty;
	}

	/** An absolute path from this one, read relative to the prim path `anchor`; empty when `..` leaves the root. */
	makeAbsolute(anchor: Path): Path {
		if (this.isEmpty || this.isAbsolute) return this;
		let result: Path | null = anchor;
		for (const element of this.elements()) {
			if (element.kind === PathKind.prim && element.name === '..') {
				result = result === null ? null : upwards(result);
			} else {
				result = result?.appendElement(element) ?? null;
			}
			if (result === null) return Path.empty;
		}
		return result ?? Path.empty;
	}

	/** A relative path that leads from the prim path `anchor` to this absolute path. */
	makeRelative(anchor: Path): Path {
		if (this.isEmpty || !this.isAbsolute) return this;
		const common = this.primPath.commonPrefix(anchor);
		let result = Path.relativeRoot;
		for (let up = anchor; up !== common; up = up.parent!) {
			if (up.kind === PathKind.prim) result = result.appendChild('..');
		}
		const below: Path[] = [];
		for (let node: Path = this; node !== common; node = node.parent!) below.push(node);
		for (let i = below.length - 1; i >= 0; i--) result = result.appendElement(below[i]!);
		return result;
	}

	/** The elements from the one below the root to this one. */
	elements(): Path[] {
		const list: Path[] = new Array(this.depth);
		for (let node: Path = this; node.parent !== null; node = node.parent) list[node.depth - 1] = node;
		return list;
	}

	toString(): string {
		this.#text ??= this.#spell();
		return this.#text;
	}

	#spell(): string {
		// an explicit walk: paths may be thousands of elements deep
		const pieces: string[] = [];
		let node: Path = this;
		for (;;) {
			if (node.#text !== null) {
				pieces.push(node.#text);
				break;
			}
			if (node.parent === null) {
				pieces.push(node.name);
				break;
			}
			pieces.push(elementText(node, node.parent));
			// relative paths are spelled without their root: 'A', not './A'
			if (node.parent.parent === null) {
				if (node.parent === Path.root) pieces.push('/');
				break;
			}
			node = node.parent;
		}
		return pieces.reverse().join('');
	}

	#child(kind: PathKind, name: string, target: Path | null): Path {
		if (this === Path.root && kind === PathKind.prim) return topLevelPrim(name, (n) => new Path(this, kind, n, null));
		const children = this.#children;
		if (children instanceof ChildMaps) {
			const map = children.of(kind);
			const key = mapKey(kind, name);
			let child = map.get(key);
			if (child === undefined) {
				child = new Path(this, kind, name, target);
				map.set(key, child);
			}
			return child;
		}
		let count = 0;
		for (let child = children; child !== null; child = child.#nextSibling) {
			if (child.name === name && child.kind === kind) return child;
			count++;
		}
		const child = new Path(this, kind, name, target);
		child.#nextSibling = children;
		this.#children = count < LIST_LIMIT ? child : this.#indexChildren(child);
		return child;
	}

	#indexChildren(first: Path): ChildMaps {
		const maps = new ChildMaps();
		for (let child: Path | null = first; child !== null; child = child.#nextSibling) {
			maps.of(child.kind).set(mapKey(child.kind, child.name), child);
		}
		return maps;
	}
}

/**
 * Orders paths as OpenUSD's `SdfPath` does: absolute before relative, a path right after its ancestors, siblings by kind and name.
 * Names compare by UTF-16 units, which for names within the Basic Multilingual Plane is the order of their code points.
 */
export function comparePaths(a: Path, b: Path): number {
	if (a === b) return 0;
	if (a.isEmpty || b.isEmpty) return a.isEmpty ? -1 : 1;
	let x = a;
	let y = b;
	while (x.depth > b.depth) x = x.parent!;
	while (y.depth > x.depth) y = y.parent!;
	if (x === y) return a.depth - b.depth;
	while (x.parent !== y.parent) {
		x = x.parent!;
		y = y.parent!;
	}
	if (x.parent === null) return x === Path.root ? -1 : 1;
	if (x.kind !== y.kind) return x.kind - y.kind;
	if (x.target !== null && y.target !== null) return comparePaths(x.target, y.target);
	return x.name < y.name ? -1 : 1;
}

/** Whether `name` may name a prim: a letter or `_`, then letters, digits and `_` (Unicode XID). */
export function isIdentifier(name: string): boolean {
	return IDENTIFIER.test(name);
}

/** Whether `name` may name a property: identifiers joined by `:`. */
export function isNamespacedIdentifier(name: string): boolean {
	return NAMESPACED_IDENTIFIER.test(name);
}

/** Whether `name` may name a variant: letters, digits, `_`, `|`, `-`, with an optional leading `.`. */
export function isVariantIdentifier(name: string): boolean {
	return VARIANT_IDENTIFIER.test(name);
}

const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const NAMESPACED_IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*(?::[\p{XID_Start}_]\p{XID_Continue}*)*$/u;
const VARIANT_IDENTIFIER = /^\.?[\p{XID_Continue}|-]+$/u;
const PRIM_AT = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
const PROPERTY_AT = /[\p{XID_Start}_]\p{XID_Continue}*(?::[\p{XID_Start}_]\p{XID_Continue}*)*/uy;
const VARIANT_AT = /\{[ \t]*([\p{XID_Start}_][\p{XID_Continue}-]*)[ \t]*=[ \t]*(\.?[\p{XID_Continue}|-]*)[ \t]*\}/uy;

/** The children of a path by {@link mapKey}. */
class ChildMaps {
	readonly #prims = new Map<string, Path>();
	readonly #properties = new Map<string, Path>();
	readonly #others = new Map<string, Path>();

	of(kind: PathKind): Map<string, Path> {
		return kind === PathKind.prim ? this.#prims : kind === PathKind.property ? this.#properties : this.#others;
	}
}

function mapKey(kind: PathKind, name: string): string {
	return kind === PathKind.prim || kind === PathKind.property ? name : `${kind}${name}`;
}

/** Top-level prims, held weakly so that the paths of layers nobody holds any more can go. */
const topLevel = new Map<string, WeakRef<Path>>();
const droppedTopLevel = new FinalizationRegistry<string>((name) => {
	if (topLevel.get(name)?.deref() === undefined) topLevel.delete(name);
});

function topLevelPrim(name: string, create: (name: string) => Path): Path {
	const known = topLevel.get(name)?.deref();
	if (known !== undefined) return known;
	const made = create(name);
	topLevel.set(name, new WeakRef(made));
	droppedTopLevel.register(made, name);
	return made;
}

/** The parent for a `..` step; null above the root. Variant selections are left together with their prim. */
function upwards(path: Path): Path | null {
	let node: Path = path;
	while (node.kind === PathKind.variant) node = node.parent!;
	let parent = node.parent;
	if (node.kind !== PathKind.prim) return parent;
	while (parent !== null && parent.kind === PathKind.variant) parent = parent.parent;
	return parent;
}

function elementText(node: Path, parent: Path): string {
	switch (node.kind) {
		case PathKind.prim:
			return parent.kind === PathKind.prim ? `/${node.name}` : node.name;
		case PathKind.variant:
			return `{${node.name}}`;
		case PathKind.target:
			return `[${node.name}]`;
		case PathKind.mapper:
			return `.mapper[${node.name}]`;
		default:
			return parent.name === '..' && parent.kind === PathKind.prim ? `/.${node.name}` : `.${node.name}`;
	}
}

const MAX_TARGET_NESTING = 64;

function parsePath(text: string): Path | undefined {
	if (text === '') return Path.empty;
	const plain = parsePlainPath(text);
	if (plain !== undefined) return plain;
	const cursor = { text, at: 0 };
	const path = parseFrom(cursor, 0);
	return path !== undefined && cursor.at === text.length ? path : undefined;
}

const SLASH = 0x2f;
const DOT = 0x2e;

/** An absolute path of ASCII names to a prim or property, as nearly all are; undefined for others, valid or not. */
function parsePlainPath(text: string): Path | undefined {
	const end = text.length;
	if (text.charCodeAt(0) !== SLASH) return undefined;
	let path = Path.root;
	for (let start = 1; ; ) {
		const at = plainNameEnd(text, start);
		const unit = at < end ? text.charCodeAt(at) : SLASH;
		if (at === start || (unit !== SLASH && unit !== DOT)) return undefined;
		path = path.appendChild(text.slice(start, at));
		if (at === end) return path;
		start = at + 1;
		if (unit === DOT) return isPlainProperty(text, start) ? path.appendProperty(text.slice(start)) : undefined;
	}
}

function isPlainProperty(text: string, start: number): boolean {
	for (let from = start; ; ) {
		const at = plainNameEnd(text, from);
		if (at === from) return false;
		if (at === text.length) return true;
		if (text.charCodeAt(at) !== 0x3a) return false;
		from = at + 1;
	}
}

/** End of the ASCII identifier that begins at `start`, `start` when there is none. */
function plainNameEnd(text: string, start: number): number {
	let at = start;
	for (; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		const letter = unit | 0x20;
		const isLetter = (letter >= 0x61 && letter <= 0x7a && unit < 0x80) || unit === 0x5f;
		if (!isLetter && (at === start || unit < 0x30 || unit > 0x39)) break;
	}
	return at;
}

interface Cursor {
	readonly text: string;
	at: number;
}

/** Reads one path at the cursor, up to the end or a closing bracket. */
function parseFrom(cursor: Cursor, nesting: number): Path | undefined {
	const { text } = cursor;
	let path: Path;
	if (text[cursor.at] === '/') {
		cursor.at++;
		path = Path.root;
		if (atEnd(cursor)) return path;
	} else {
		path = Path.relativeRoot;
		if (text[cursor.at] === '.' && text[cursor.at + 1] !== '.' && !startsName(text, cursor.at + 1)) {
			cursor.at++;
			return atEnd(cursor) ? path : undefined;
		}
		let steps = 0;
		while (text.startsWith('..', cursor.at)) {
			path = path.appendChild('..');
			cursor.at += 2;
			steps++;
			if (atEnd(cursor)) return path;
			if (text[cursor.at] !== '/') return undefined;
			cursor.at++;
		}
		if (steps > 0 && (atEnd(cursor) || text[cursor.at] === '/')) return undefined;
	}
	return parseElements(cursor, path, nesting);
}

function parseElements(cursor: Cursor, start: Path, nesting: number): Path | undefined {
	const { text } = cursor;
	let path = start;
	if (text[cursor.at] !== '.') {
		for (;;) {
			const name = matchAt(PRIM_AT, cursor);
			if (name === undefined) return undefined;
			path = path.appendChild(name[0]);
			let hadVariant = false;
			while (text[cursor.at] === '{') {
				const variant = matchAt(VARIANT_AT, cursor);
				if (variant === undefined) return undefined;
				path = path.appendVariant(variant[1]!, variant[2]!);
				hadVariant = true;
			}
			if (text[cursor.at] === '/') {
				// a child of a variant follows without a slash
				if (hadVariant) return undefined;
				cursor.at++;
			} else if (!hadVariant || atEnd(cursor) || text[cursor.at] === '.') break;
		}
	}
	if (atEnd(cursor)) return path;
	if (text[cursor.at] !== '.' || path === Path.root) return undefined;
	cursor.at++;
	const property = matchAt(PROPERTY_AT, cursor);
	if (property === undefined) return undefined;
	return parsePropertyTail(cursor, path.appendProperty(property[0]), nesting);
}

function parsePropertyTail(cursor: Cursor, property: Path, nesting: number): Path | undefined {
	const { text } = cursor;
	let path = property;
	while (!atEnd(cursor)) {
		if (text[cursor.at] === '[') {
			const target = parseBracketed(cursor, nesting);
			if (target === undefined || path.kind === PathKind.target) return undefined;
			path = path.appendTarget(target);
		} else if (text[cursor.at] === '.') {
			cursor.at++;
			const name = matchAt(PROPERTY_AT, cursor);
			if (name === undefined) return undefined;
			if (path.kind === PathKind.target) path = path.appendRelationalAttribute(name[0]);
			else if (path.kind === PathKind.mapper) path = path.appendMapperArg(name[0]);
			else if (name[0] === 'mapper' && text[cursor.at] === '[') {
				const target = parseBracketed(cursor, nesting);
				if (target === undefined) return undefined;
				path = path.appendMapper(target);
			} else if (name[0] === 'expression') path = path.appendExpression();
			else return undefined;
		} else return undefined;
	}
	return path;
}

function parseBracketed(cursor: Cursor, nesting: number): Path | undefined {
	if (nesting >= MAX_TARGET_NESTING) return undefined;
	cursor.at++;
	const target = parseFrom(cursor, nesting + 1);
	if (target === undefined || cursor.text[cursor.at] !== ']') return undefined;
	cursor.at++;
	return target;
}

function atEnd(cursor: Cursor): boolean {
	return cursor.at >= cursor.text.length || cursor.text[cursor.at] === ']';
}

function startsName(text: string, at: number): boolean {
	PRIM_AT.lastIndex = at;
	return PRIM_AT.test(text);
}

function matchAt(pattern: RegExp, cursor: Cursor): RegExpExecArray | undefined {
	pattern.lastIndex = cursor.at;
	const match = pattern.exec(cursor.text);
	if (match === null) return undefined;
	cursor.at = pattern.lastIndex;
	return match;
}
