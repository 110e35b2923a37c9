import { type ExpressionTree, formatTree, TreeBuilder } from './expression-tree.ts';
import { isIdentifier, isNamespacedIdentifier, Path } from './path.ts';
import { formatPredicate, type PredicateExpression, parsePredicate } from './predicate-expression.ts';
import { ExpressionFault, TextCursor } from './text-cursor.ts';

/** One element of a pattern behind its fixed prefix. Without text and predicate it stands for any number of levels (`//`). */
export interface PatternComponent {
	readonly text: string;
	readonly predicate: PredicateExpression | undefined;
}

/** A pattern of paths: `/World//arm*{isa:Mesh}.points`. */
export interface PathPattern {
	/** The longest literal start; a property path when the whole pattern is literal. */
	readonly prefix: Path;
	readonly components: readonly PatternComponent[];
	readonly isProperty: boolean;
}

/** Another expression, named by where it is: `%/World:things`; `%_` is the weaker opinion. */
export interface ExpressionReference {
	/** Empty for the same prim and for `%_`. */
	readonly path: Path;
	readonly name: string;
}

type Atom = PathPattern | ExpressionReference;
type Tree = ExpressionTree<Atom> | undefined;

const COMPLEMENT = 0;
const SPELLINGS = ['~', ' ', ' + ', ' & ', ' - '] as const;
const OPERATORS: { readonly [symbol: string]: number } = { '+': 2, '&': 3, '-': 4 };
const IMPLIED_UNION = 1;
const INTERSECTION = 3;
const DIFFERENCE = 4;

const LINE_END = /\r?\n/;

/** Why a text is no path expression. */
export interface PathExpressionFault {
	/** Index of the character at fault. */
	readonly index: number;
	readonly expected: string;
}

/**
 * A set of paths in the form of patterns and references joined by `~`, juxtaposition, `+`, `&` and `-`, in falling
 * precedence. Immutable.
 * @example
 * ```ts
 * const wheels = PathExpression.parse('/Robot//wheel* - /Robot/spare');
 * ```
 */
export class PathExpression {
	/** Undefined for the expression that no path matches. */
	readonly tree: ExpressionTree<Atom> | undefined;

	private constructor(tree: ExpressionTree<Atom> | undefined) {
		this.tree = tree;
	}

	/** The expression that `text` spells, or why it spells none. */
	static parse(text: string): PathExpression | PathExpressionFault {
		if (text === '') return new PathExpression(undefined);
		try {
			// OpenUSD looks at the first line only
			return new PathExpression(parseExpression(new TextCursor(text.split(LINE_END, 1)[0]!)));
		} catch (fault) {
			if (fault instanceof ExpressionFault) return { index: fault.index, expected: fault.message };
			throw fault;
		}
	}

	/** This expression with its relative paths read from `anchor`. Paths that would leave the root stay relative. */
	makeAbsolute(anchor: Path): PathExpression {
		if (this.tree === undefined) return this;
		const absolute = (path: Path): Path => {
			const made = anchored(path, anchor);
			return made.isEmpty ? path : made;
		};
		return new PathExpression(
			mapTree(this.tree, (atom) =>
				'prefix' in atom ? { ...atom, prefix: absolute(atom.prefix) } : { ...atom, path: absolute(atom.path) },
			),
		);
	}

	/**
	 * This expression in another namespace. What has no image there (an empty path) matches nothing; patterns that begin
	 * with `//` look everywhere in any namespace.
	 */
	mapPaths(map: (path: Path) => Path): PathExpression {
		return this.#replaceAtoms((atom) => {
			if ('prefix' in atom && startsEverywhere(atom)) return { operand: atom };
			const path = 'prefix' in atom ? atom.prefix : atom.path;
			if (path.isEmpty) return { operand: atom };
			const mapped = map(path);
			if (mapped.isEmpty) return undefined;
			return { operand: 'prefix' in atom ? { ...atom, prefix: mapped } : { ...atom, path: mapped } };
		});
	}

	/** Whether it leaves room for the weaker opinion (`%_`). */
	get refersToWeaker(): boolean {
		return this.tree !== undefined && atomsOf(this.tree).some(isWeaker);
	}

	/** This expression with `weaker` in the place of `%_`. */
	composeOver(weaker: PathExpression): PathExpression {
		if (!this.refersToWeaker) return this;
		return this.#replaceAtoms((atom) => (isWeaker(atom) ? weaker.tree : { operand: atom }));
	}

	#replaceAtoms(replace: (atom: Atom) => Tree): PathExpression {
		return this.tree === undefined ? this : new PathExpression(rebuildTree(this.tree, replace));
	}

	/** The text as OpenUSD spells it. */
	toString(): string {
		return this.tree === undefined ? '' : formatTree(this.tree, SPELLINGS, formatAtom);
	}
}

function parseExpression(cursor: TextCursor): Tree {
	const builder = new TreeBuilder<Tree>(combine);
	parseFactor(cursor, builder);
	for (;;) {
		const start = cursor.at;
		cursor.skipBlanks();
		if (cursor.take(')')) {
			if (builder.depth === 0) throw new ExpressionFault(cursor.at - 1, 'the end of the expression');
			builder.close();
			continue;
		}
		if (cursor.isAtEnd) {
			if (builder.depth > 0) throw new ExpressionFault(cursor.at, "')' to close the group");
			return builder.finish();
		}
		const operator = OPERATORS[cursor.text[cursor.at]!];
		if (operator !== undefined) cursor.at++;
		else if (cursor.at === start) throw new ExpressionFault(start, 'the end of the expression');
		builder.operator(operator ?? IMPLIED_UNION);
		parseFactor(cursor, builder);
	}
}

/** Parses opening parentheses, each with a complement in front if need be, then a pattern or a reference. */
function parseFactor(cursor: TextCursor, builder: TreeBuilder<Tree>): void {
	for (;;) {
		cursor.skipBlanks();
		if (cursor.take('~')) {
			builder.operator(COMPLEMENT);
			cursor.skipBlanks();
		}
		if (!cursor.take('(')) break;
		builder.open(cursor.at);
	}
	builder.operand({ operand: cursor.sees('%') ? parseReference(cursor) : parsePattern(cursor) });
}

// names may have letters of any script: OpenUSD's text has none in patterns, but writes them where a prim of that name is meant
const WEAKER = /%_(?![\p{XID_Continue}:])/uy;
const REFERENCE =
	/(?:(?:\.\.(?:\/\.\.)*)?\/[\p{XID_Start}_]\p{XID_Continue}*(?:\/[\p{XID_Start}_]\p{XID_Continue}*)*|\.\.(?:\/\.\.)*)?:[\p{XID_Start}_]\p{XID_Continue}*/uy;

function parseReference(cursor: TextCursor): ExpressionReference {
	if (cursor.match(WEAKER) !== undefined) return { path: Path.empty, name: '_' };
	const start = ++cursor.at;
	const reference = cursor.match(REFERENCE);
	if (reference === undefined) throw new ExpressionFault(start, "a path and ':' with the name of an expression");
	const colon = reference.lastIndexOf(':');
	return { path: Path.parse(reference.slice(0, colon)) ?? Path.empty, name: reference.slice(colon + 1) };
}

const PRIM_ELEMENT = /(?:[\p{XID_Continue}?*]|\[[\p{XID_Continue}!?*-]+\])+/uy;
const PROPERTY_ELEMENT = /(?:[\p{XID_Continue}:?*]|\[[\p{XID_Continue}!?*-]+\])+/uy;

function parsePattern(cursor: TextCursor): PathPattern {
	const pattern = new PatternBuilder();
	const start = cursor.at;
	if (cursor.sees('/')) {
		pattern.prefix = Path.root;
		takeSeparator(cursor, pattern);
		parseElements(cursor, pattern);
	} else if (cursor.sees('..')) {
		do {
			cursor.at += 2;
			pattern.child('..', undefined);
		} while (cursor.sees('/..') && cursor.take('/'));
		const separator = cursor.sees('//') ? '//' : '/';
		if (takeSeparator(cursor, pattern) && !parseElements(cursor, pattern) && separator === '/') {
			throw new ExpressionFault(cursor.at, 'an element of a path pattern');
		}
	} else if (cursor.take('.')) {
		if (cursor.take('//')) {
			pattern.stretch();
			parseElements(cursor, pattern);
		}
	} else if (!parseElements(cursor, pattern)) {
		throw new ExpressionFault(start, 'a path expression');
	}
	return pattern.finish();
}

function takeSeparator(cursor: TextCursor, pattern: PatternBuilder): boolean {
	if (cursor.take('//')) {
		pattern.stretch();
		return true;
	}
	return cursor.take('/');
}

/** Parses elements joined by separators, then a property or `//`. Gives false when there is no element. */
function parseElements(cursor: TextCursor, pattern: PatternBuilder): boolean {
	let element = takeElement(cursor, PRIM_ELEMENT);
	if (element === undefined) return false;
	for (;;) {
		pattern.child(element.text, element.predicate);
		const separator = cursor.sees('//') ? '//' : cursor.sees('/') ? '/' : '';
		if (separator === '') break;
		const start = cursor.at;
		cursor.at += separator.length;
		element = takeElement(cursor, PRIM_ELEMENT);
		if (element === undefined) {
			if (separator === '/') throw new ExpressionFault(cursor.at, 'an element of a path pattern');
			cursor.at = start;
			break;
		}
		if (separator === '//') pattern.stretch();
	}
	if (cursor.take('.')) {
		const property = takeElement(cursor, PROPERTY_ELEMENT);
		if (property === undefined) throw new ExpressionFault(cursor.at, "a property pattern after '.'");
		pattern.property(property.text, property.predicate);
	} else if (cursor.take('//')) {
		pattern.stretch();
	}
	return true;
}

function takeElement(cursor: TextCursor, element: RegExp): PatternComponent | undefined {
	const text = cursor.match(element);
	if (!cursor.take('{')) return text === undefined ? undefined : { text, predicate: undefined };
	const predicate = parsePredicate(cursor);
	if (!cursor.take('}')) throw new ExpressionFault(cursor.at, "'}' to close the predicate");
	return { text: text ?? '', predicate };
}

/** Collects the elements of a pattern: literal names go to its prefix until something else comes. */
class PatternBuilder {
	prefix: Path = Path.relativeRoot;
	readonly #components: PatternComponent[] = [];
	#isProperty = false;

	child(text: string, predicate: PredicateExpression | undefined): void {
		const isLiteral = predicate === undefined && this.#components.length === 0 && (text === '..' || isIdentifier(text));
		if (isLiteral) this.prefix = this.prefix.appendChild(text);
		else this.#components.push({ text, predicate });
	}

	stretch(): void {
		const last = this.#components[this.#components.length - 1];
		if (last === undefined || !isStretch(last)) this.#components.push({ text: '', predicate: undefined });
	}

	property(text: string, predicate: PredicateExpression | undefined): void {
		this.#isProperty = true;
		const isLiteral = predicate === undefined && this.#components.length === 0 && isNamespacedIdentifier(text);
		if (isLiteral) this.prefix = this.prefix.appendProperty(text);
		else this.#components.push({ text, predicate });
	}

	finish(): PathPattern {
		return { prefix: this.prefix, components: this.#components, isProperty: this.#isProperty };
	}
}

function isStretch(component: PatternComponent): boolean {
	return component.text === '' && component.predicate === undefined;
}

function formatAtom(atom: Atom): string {
	if ('prefix' in atom) return formatPattern(atom);
	return `%${atom.path}${atom.name === '_' ? '_' : `:${atom.name}`}`;
}

function formatPattern({ prefix, components, isProperty }: PathPattern): string {
	const [first] = components;
	const isLeadingDot = first === undefined || isStretch(first);
	let text = prefix === Path.relativeRoot ? (isLeadingDot ? '.' : '') : prefix.toString();
	components.forEach((component, i) => {
		if (isStretch(component)) {
			text += i === 0 && prefix === Path.root ? '/' : '//';
			return;
		}
		if (isProperty && i === components.length - 1) text += '.';
		else if (text !== '' && !text.endsWith('/')) text += '/';
		text += component.text;
		if (component.predicate !== undefined) text += `{${formatPredicate(component.predicate)}}`;
	});
	return text;
}

/** Joins sets of paths; everything (`//`) and nothing dissolve as OpenUSD has it, and complements cancel. */
function combine(operator: number, left: Tree, right: Tree): Tree {
	if (operator === COMPLEMENT) return complement(right);
	const isTrivial = left === undefined || right === undefined || isEverything(left) || isEverything(right);
	if (!isTrivial) return { operator, left, right };
	// a difference is the intersection with the complement
	const other = operator === DIFFERENCE ? complement(right) : right;
	const isIntersection = operator === INTERSECTION || operator === DIFFERENCE;
	if (left === undefined || other === undefined) return isIntersection ? undefined : (left ?? other);
	if (isEverything(left)) return isIntersection ? other : left;
	return isIntersection ? left : other;
}

function complement(tree: Tree): Tree {
	if (tree === undefined) return { operand: EVERYTHING };
	if (isEverything(tree)) return undefined;
	if (!('operand' in tree) && tree.operator === COMPLEMENT) return tree.right;
	return { operator: COMPLEMENT, left: undefined, right: tree };
}

const EVERYTHING: PathPattern = {
	prefix: Path.root,
	components: [{ text: '', predicate: undefined }],
	isProperty: false,
};

function isEverything(tree: ExpressionTree<Atom>): boolean {
	if (!('operand' in tree) || !('prefix' in tree.operand)) return false;
	const { prefix, components } = tree.operand;
	return prefix === Path.root && components.length === 1 && isStretch(components[0]!);
}

function startsEverywhere({ prefix, components }: PathPattern): boolean {
	return prefix === Path.root && components.length > 0 && isStretch(components[0]!);
}

function isWeaker(atom: Atom): boolean {
	return !('prefix' in atom) && atom.name === '_' && atom.path.isEmpty;
}

/** Every node before its children, without recursion: chains of operators may be long. */
function nodesOf(tree: ExpressionTree<Atom>): ExpressionTree<Atom>[] {
	const order: ExpressionTree<Atom>[] = [tree];
	for (const node of order) {
		if ('operand' in node) continue;
		if (node.left !== undefined) order.push(node.left);
		order.push(node.right);
	}
	return order;
}

function atomsOf(tree: ExpressionTree<Atom>): Atom[] {
	return nodesOf(tree).flatMap((node) => ('operand' in node ? [node.operand] : []));
}

/** The tree with other expressions in the place of its atoms, simplified where everything or nothing turns up. */
function rebuildTree(tree: ExpressionTree<Atom>, replace: (atom: Atom) => Tree): Tree {
	const rebuilt = new Map<ExpressionTree<Atom>, Tree>();
	for (const node of nodesOf(tree).reverse()) {
		if ('operand' in node) {
			rebuilt.set(node, replace(node.operand));
		} else {
			const left = node.left === undefined ? undefined : rebuilt.get(node.left);
			rebuilt.set(node, combine(node.operator, left, rebuilt.get(node.right)));
		}
	}
	return rebuilt.get(tree);
}

/** The same tree of other atoms. */
function mapTree(tree: ExpressionTree<Atom>, map: (atom: Atom) => Atom): ExpressionTree<Atom> {
	const order = nodesOf(tree);
	const mapped = new Map<ExpressionTree<Atom>, ExpressionTree<Atom>>();
	for (const node of order.reverse()) {
		if ('operand' in node) {
			mapped.set(node, { operand: map(node.operand) });
		} else {
			const left = node.left === undefined ? undefined : mapped.get(node.left)!;
			mapped.set(node, { operator: node.operator, left, right: mapped.get(node.right)! });
		}
	}
	return mapped.get(tree)!;
}

/**
 * A relative path read from `anchor`, the empty path when it leaves the root. Unlike target paths, which never lead into
 * variants, paths of expressions keep the variant selections of the anchor (OpenUSD `SdfPath::MakeAbsolutePath`).
 */
function anchored(path: Path, anchor: Path): Path {
	if (path.isAbsolute || path.isEmpty) return path;
	let result: Path | null = anchor;
	for (const element of path.elements()) {
		result = element.name === '..' ? result.parent : result.appendElement(element);
		if (result === null) return Path.empty;
	}
	return result;
}
