import { isIdentifier, isNamespacedIdentifier, Path } from '../sdf/path.ts';
import { makeValue } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import { formatValue } from './format-value.ts';
import { quoteString } from './quote-string.ts';

/**
 * Spells a path expression as OpenUSD does: one blank around operators, no needless parentheses, arguments of predicates
 * quoted. Undefined when it is malformed.
 * @param anchor - prim path that relative paths are made absolute with; without it they stay relative
 */
export function normalizePathExpression(text: string, anchor?: Path): string | undefined {
	if (text === '') return '';
	// what follows a line end is not looked at
	const parser = new ExpressionParser(text.split('\n', 1)[0]!, anchor);
	try {
		return parser.parse();
	} catch (fault) {
		if (fault instanceof Malformed) return undefined;
		throw fault;
	}
}

/** Leaves the parser. */
class Malformed {}

/** Deepest nesting of parentheses. */
const MAX_DEPTH = 100;

/** A printed part with the rank of its operator: the lower, the tighter it binds. Atoms have rank 0. */
interface Part {
	readonly text: string;
	readonly rank: number;
}

const COMPLEMENT = 1;
const IMPLIED_UNION = 2;
const OPERATORS: ReadonlyMap<string, number> = new Map([
	['+', 3],
	['&', 4],
	['-', 5],
]);
const OPERATOR_TEXTS: readonly string[] = ['', '~', ' ', ' + ', ' & ', ' - '];

const NOT = 1;
const IMPLIED_AND = 2;
const AND = 3;
const OR = 4;
const PREDICATE_TEXTS: readonly string[] = ['', 'not ', ' ', ' and ', ' or '];

const BLANKS = /[ \t]*/y;
const PRIM_TEXT = /[\p{XID_Continue}?*]+(?:\[[\p{XID_Continue}[\]!\-?*]+)?/uy;
const PROPERTY_TEXT = /[\p{XID_Continue}:?*]+(?:\[[\p{XID_Continue}:[\]!\-?*]+)?/uy;
const REFERENCE =
	/%(?:_|((?:(?:\/|(?:\.\.\/)+)[\p{XID_Start}_]\p{XID_Continue}*(?:\/[\p{XID_Start}_]\p{XID_Continue}*)*)?):([\p{XID_Start}_]\p{XID_Continue}*))/uy;
const WORD = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
const KEYWORD_ARGUMENT = /([\p{XID_Start}_]\p{XID_Continue}*)[ \t]*=[ \t]*/uy;
const REAL = /-?(?:inf(?!\p{XID_Continue})|\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+))/uy;
const INTEGER = /-?\d+/y;
const BOOLEAN = /(?:true|false)(?!\p{XID_Continue})/uy;
const QUOTED = /"(?:\\["\\bfnrt]|[^"\\])*"|'(?:\\['\\bfnrt]|[^'\\])*'/uy;
const UNQUOTED = /[\p{XID_Continue}~!@#$%^&*\-+=|\\.?/]*/uy;
const RESERVED: ReadonlySet<string> = new Set(['not', 'and', 'or', 'inf', 'true', 'false']);

/** Reads an expression and prints it again. */
class ExpressionParser {
	readonly #text: string;
	readonly #anchor: Path | undefined;
	#at = 0;
	#depth = 0;

	constructor(text: string, anchor: Path | undefined) {
		this.#text = text;
		this.#anchor = anchor;
	}

	parse(): string {
		this.#match(BLANKS);
		const part = this.#expression();
		this.#match(BLANKS);
		if (this.#at < this.#text.length) throw new Malformed();
		return part.text;
	}

	#match(pattern: RegExp): RegExpExecArray | null {
		pattern.lastIndex = this.#at;
		const match = pattern.exec(this.#text);
		if (match !== null) this.#at = pattern.lastIndex;
		return match;
	}

	#accept(text: string): boolean {
		if (!this.#text.startsWith(text, this.#at)) return false;
		this.#at += text.length;
		return true;
	}

	#expression(): Part {
		const parts: Part[] = [this.#factor()];
		const ranks: number[] = [];
		for (;;) {
			const start = this.#at;
			this.#match(BLANKS);
			const hasBlank = this.#at > start;
			const operator = OPERATORS.get(this.#text[this.#at] ?? '');
			if (operator !== undefined) {
				this.#at++;
				this.#match(BLANKS);
			} else if (!hasBlank || !this.#startsFactor()) {
				this.#at = start;
				break;
			}
			ranks.push(operator ?? IMPLIED_UNION);
			parts.push(this.#factor());
		}
		return joinParts(parts, ranks, OPERATOR_TEXTS);
	}

	#startsFactor(): boolean {
		const next = this.#text[this.#at];
		return next !== undefined && next !== ')' && next !== '}';
	}

	#factor(): Part {
		if (!this.#accept('~')) return this.#atom();
		this.#match(BLANKS);
		const atom = this.#atom();
		return { text: `~${atom.rank > COMPLEMENT ? `(${atom.text})` : atom.text}`, rank: COMPLEMENT };
	}

	#atom(): Part {
		if (this.#accept('(')) {
			if (++this.#depth > MAX_DEPTH) throw new Malformed();
			this.#match(BLANKS);
			const part = this.#expression();
			this.#match(BLANKS);
			if (!this.#accept(')')) throw new Malformed();
			this.#depth--;
			return part;
		}
		if (this.#text[this.#at] === '%') return { text: this.#reference(), rank: 0 };
		return { text: this.#pattern(), rank: 0 };
	}

	#reference(): string {
		const match = this.#match(REFERENCE);
		if (match === null) throw new Malformed();
		const [, pathText, name] = match;
		if (name === undefined) return '%_';
		if (pathText === undefined || pathText === '') return `%:${name}`;
		const path = Path.parse(pathText);
		if (path === undefined) throw new Malformed();
		return `%${this.#absolute(path)}:${name}`;
	}

	/** The path made absolute, or as it is when that is not possible. */
	#absolute(path: Path): Path {
		if (this.#anchor === undefined || path.isAbsolute) return path;
		// unlike other paths these keep the variant selections of the anchor
		let absolute: Path | null = this.#anchor;
		for (const element of path.elements()) {
			absolute = element.name === '..' ? absolute.parent : absolute.appendElement(element);
			if (absolute === null) return path;
		}
		return absolute;
	}

	#pattern(): string {
		const pattern = new PatternText();
		let needsElement = true;
		if (this.#text[this.#at] === '/') {
			pattern.prefix = Path.root;
			this.#at++;
			if (this.#accept('/')) pattern.stretch();
			needsElement = false;
			if (!this.#startsElement()) return this.#finish(pattern);
		} else if (this.#text.startsWith('..', this.#at)) {
			while (this.#accept('..')) {
				pattern.prefix = pattern.prefix.appendChild('..');
				if (!this.#accept('/')) return this.#finish(pattern);
				if (this.#accept('/')) {
					pattern.stretch();
					needsElement = false;
					break;
				}
			}
			if (!needsElement && !this.#startsElement()) return this.#finish(pattern);
		} else if (this.#accept('.')) {
			if (!this.#accept('//')) return this.#finish(pattern);
			pattern.stretch();
			if (!this.#startsElement()) return this.#finish(pattern);
		}
		this.#elements(pattern);
		return this.#finish(pattern);
	}

	#startsElement(): boolean {
		const at = this.#at;
		const starts = this.#text[at] === '{' || this.#match(PRIM_TEXT) !== null;
		this.#at = at;
		return starts;
	}

	#elements(pattern: PatternText): void {
		for (;;) {
			const text = this.#match(PRIM_TEXT)?.[0] ?? '';
			const predicate = this.#text[this.#at] === '{' ? this.#bracedPredicate() : '';
			if (text === '' && predicate === '') throw new Malformed();
			pattern.child(text, predicate);
			if (this.#accept('.')) {
				const property = this.#match(PROPERTY_TEXT)?.[0] ?? '';
				const condition = this.#text[this.#at] === '{' ? this.#bracedPredicate() : '';
				if (property === '' && condition === '') throw new Malformed();
				pattern.property(property, condition);
				return;
			}
			if (this.#accept('//')) {
				pattern.stretch();
				if (!this.#startsElement()) return;
			} else if (!this.#accept('/')) return;
		}
	}

	#finish(pattern: PatternText): string {
		pattern.prefix = this.#absolute(pattern.prefix);
		return pattern.toString();
	}

	#bracedPredicate(): string {
		this.#at++;
		this.#match(BLANKS);
		const { text } = this.#predicate();
		this.#match(BLANKS);
		if (!this.#accept('}')) throw new Malformed();
		return text;
	}

	#predicate(): Part {
		const parts: Part[] = [this.#predicateFactor()];
		const ranks: number[] = [];
		for (;;) {
			const start = this.#at;
			this.#match(BLANKS);
			const hasBlank = this.#at > start;
			const afterBlanks = this.#at;
			const word = this.#match(WORD)?.[0];
			let rank = word === 'and' ? AND : word === 'or' ? OR : 0;
			if (rank > 0) this.#match(BLANKS);
			else {
				this.#at = afterBlanks;
				const next = this.#text[afterBlanks];
				if (!hasBlank || next === undefined || next === '}' || next === ')') {
					this.#at = start;
					break;
				}
				rank = IMPLIED_AND;
			}
			ranks.push(rank);
			parts.push(this.#predicateFactor());
		}
		return joinParts(parts, ranks, PREDICATE_TEXTS);
	}

	#predicateFactor(): Part {
		const start = this.#at;
		const word = this.#match(WORD)?.[0];
		if (word === 'not') {
			this.#match(BLANKS);
			if (++this.#depth > MAX_DEPTH) throw new Malformed();
			const part = this.#predicateFactor();
			this.#depth--;
			return { text: `not ${part.rank > NOT ? `(${part.text})` : part.text}`, rank: NOT };
		}
		if (word === undefined) {
			if (!this.#accept('(')) throw new Malformed();
			if (++this.#depth > MAX_DEPTH) throw new Malformed();
			this.#match(BLANKS);
			const part = this.#predicate();
			this.#match(BLANKS);
			if (!this.#accept(')')) throw new Malformed();
			this.#depth--;
			return part;
		}
		if (RESERVED.has(word)) {
			this.#at = start;
			throw new Malformed();
		}
		return { text: this.#call(word), rank: 0 };
	}

	#call(name: string): string {
		if (this.#accept(':')) {
			const values: string[] = [];
			do values.push(this.#argument());
			while (this.#accept(','));
			return `${name}:${values.join(',')}`;
		}
		const end = this.#at;
		this.#match(BLANKS);
		if (!this.#accept('(')) {
			this.#at = end;
			return name;
		}
		this.#match(BLANKS);
		const values: string[] = [];
		do {
			this.#match(BLANKS);
			const keyword = this.#match(KEYWORD_ARGUMENT)?.[1];
			const value = this.#argument();
			values.push(keyword === undefined ? value : `${keyword}=${value}`);
			this.#match(BLANKS);
		} while (this.#accept(','));
		if (!this.#accept(')')) throw new Malformed();
		return `${name}(${values.join(', ')})`;
	}

	#argument(): string {
		const real = this.#match(REAL)?.[0];
		if (real !== undefined) {
			const value = real.endsWith('inf') ? Number.POSITIVE_INFINITY * (real[0] === '-' ? -1 : 1) : Number(real);
			return formatValue(makeValue(T.double, value));
		}
		const integer = this.#match(INTEGER)?.[0];
		if (integer !== undefined) return String(BigInt(integer));
		const boolean = this.#match(BOOLEAN)?.[0];
		if (boolean !== undefined) return boolean === 'true' ? '1' : '0';
		const quoted = this.#match(QUOTED)?.[0];
		if (quoted !== undefined) return quoteString(unescaped(quoted.slice(1, -1)));
		return quoteString(this.#match(UNQUOTED)?.[0] ?? '');
	}
}

/** A path pattern that is being spelled: the leading plain names are one path, the rest are elements of their own. */
class PatternText {
	prefix: Path = Path.relativeRoot;
	readonly #elements: { readonly text: string; readonly predicate: string }[] = [];
	#isProperty = false;

	stretch(): void {
		this.#elements.push({ text: '', predicate: '' });
	}

	child(text: string, predicate: string): void {
		if (predicate === '' && this.#elements.length === 0 && isIdentifier(text))
			this.prefix = this.prefix.appendChild(text);
		else this.#elements.push({ text, predicate });
	}

	property(text: string, predicate: string): void {
		if (predicate === '' && this.#elements.length === 0 && isNamespacedIdentifier(text)) {
			this.prefix = this.prefix.appendProperty(text);
			return;
		}
		this.#elements.push({ text, predicate });
		this.#isProperty = true;
	}

	toString(): string {
		const elements = this.#elements;
		const isStretch = (i: number) => elements[i]?.text === '' && elements[i]?.predicate === '';
		let result = this.prefix.toString();
		if (this.prefix === Path.relativeRoot) result = elements.length === 0 || isStretch(0) ? '.' : '';
		for (const [i, { text, predicate }] of elements.entries()) {
			if (isStretch(i)) {
				result += i === 0 && this.prefix === Path.root ? '/' : '//';
				continue;
			}
			if (this.#isProperty && i === elements.length - 1) result += '.';
			else if (result !== '' && !result.endsWith('/')) result += '/';
			result += predicate === '' ? text : `${text}{${predicate}}`;
		}
		return result;
	}
}

/** Joins operands by left-associative operators of different ranks, with parentheses only where they are needed. */
function joinParts(parts: readonly Part[], ranks: readonly number[], texts: readonly string[]): Part {
	const operands: Part[] = [parts[0]!];
	const pending: number[] = [];
	const reduce = (): void => {
		const rank = pending.pop()!;
		const right = operands.pop()!;
		const left = operands.pop()!;
		const leftText = rank < left.rank ? `(${left.text})` : left.text;
		const rightText = rank <= right.rank ? `(${right.text})` : right.text;
		operands.push({ text: `${leftText}${texts[rank]}${rightText}`, rank });
	};
	for (const [i, rank] of ranks.entries()) {
		while (pending.length > 0 && pending[pending.length - 1]! <= rank) reduce();
		pending.push(rank);
		operands.push(parts[i + 1]!);
	}
	while (pending.length > 0) reduce();
	return operands[0]!;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(text: string): string {
	return text.replaceAll(/\\(.)/gu, (_, letter: string) => ESCAPES[letter] ?? letter);
}
