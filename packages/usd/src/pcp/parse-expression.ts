/** A parsed variable expression. */
export type ExpressionNode =
	| { readonly kind: 'constant'; readonly value: boolean | bigint | null }
	| { readonly kind: 'variable'; readonly name: string }
	/** Text with references to variables in it. */
	| { readonly kind: 'string'; readonly parts: readonly (string | { readonly variable: string })[] }
	| { readonly kind: 'list'; readonly items: readonly ExpressionNode[] }
	| { readonly kind: 'call'; readonly name: string; readonly args: readonly ExpressionNode[] };

/** Parses an expression in backquotes: `${VAR}`, "text ${VAR}", 12, true, None, [a, b], if(eq(...), a, b). */
export function parseExpression(text: string): ExpressionNode | { readonly error: string } {
	const parser = new ExpressionParser(text.slice(1, -1));
	try {
		return parser.parse();
	} catch (error) {
		if (error instanceof ExpressionFault) return { error: error.message };
		throw error;
	}
}

/** How many arguments a function takes: least and most. */
const FUNCTIONS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
	['if', [2, 3]],
	['eq', [2, 2]],
	['neq', [2, 2]],
	['lt', [2, 2]],
	['leq', [2, 2]],
	['gt', [2, 2]],
	['geq', [2, 2]],
	['and', [2, Number.POSITIVE_INFINITY]],
	['or', [2, Number.POSITIVE_INFINITY]],
	['not', [1, 1]],
	['contains', [2, 2]],
	['at', [2, 2]],
	['len', [1, 1]],
	['defined', [1, Number.POSITIVE_INFINITY]],
]);

const MOST_NESTING = 200;

class ExpressionFault extends Error {}

class ExpressionParser {
	readonly #text: string;
	#at = 0;
	#depth = 0;

	constructor(text: string) {
		this.#text = text;
	}

	parse(): ExpressionNode {
		const node = this.#expression() ?? this.#fail('Unexpected expression');
		if (this.#at < this.#text.length) this.#fail("Missing ending '`'");
		return node;
	}

	/** An expression, or undefined with nothing consumed when none begins here. */
	#expression(): ExpressionNode | undefined {
		if (++this.#depth > MOST_NESTING) this.#fail('Expression is nested too deeply');
		try {
			const c = this.#text[this.#at];
			if (c === '"' || c === "'") return this.#string(c);
			if (c === '[') return { kind: 'list', items: this.#items(']') };
			if (this.#text.startsWith('${', this.#at)) return { kind: 'variable', name: this.#variable() };
			const number = this.#match(/-?[0-9]+/y);
			if (number !== undefined) return this.#integer(number);
			return this.#word();
		} finally {
			this.#depth--;
		}
	}

	#integer(digits: string): ExpressionNode {
		const value = BigInt(digits);
		if (BigInt.asIntN(64, value) !== value) this.#fail(`Integer ${digits} out of range.`);
		return { kind: 'constant', value };
	}

	#word(): ExpressionNode | undefined {
		const start = this.#at;
		const word = this.#match(/[A-Za-z_][A-Za-z0-9_]*/y);
		if (word === undefined) return undefined;
		if (word === 'True' || word === 'true') return { kind: 'constant', value: true };
		if (word === 'False' || word === 'false') return { kind: 'constant', value: false };
		if (word === 'None' || word === 'none') return { kind: 'constant', value: null };
		this.#skipSpaces();
		if (this.#text[this.#at] !== '(') {
			this.#at = start;
			return undefined;
		}
		const args = this.#items(')');
		const arity = FUNCTIONS.get(word);
		if (arity === undefined) throw new ExpressionFault(`Unknown function ${word}`);
		const [least, most] = arity;
		if (args.length < least && most === Number.POSITIVE_INFINITY) {
			throw new ExpressionFault(`Function '${word}' requires at least ${least} arguments.`);
		}
		if (args.length < least || args.length > most) {
			throw new ExpressionFault(`Function '${word}' does not take ${args.length} arguments.`);
		}
		return { kind: 'call', name: word, args };
	}

	/** Expressions separated by commas, from the bracket at hand to `close`. */
	#items(close: string): ExpressionNode[] {
		this.#at++;
		const items: ExpressionNode[] = [];
		for (;;) {
			this.#skipSpaces();
			const item = this.#expression();
			if (item !== undefined) items.push(item);
			this.#skipSpaces();
			const c = this.#text[this.#at];
			if (c === close) {
				this.#at++;
				return items;
			}
			if (c !== ',' || item === undefined) return this.#fail(`Missing ending '${close}'`);
			this.#at++;
		}
	}

	#string(quote: string): ExpressionNode {
		const parts: (string | { readonly variable: string })[] = [];
		let run = '';
		this.#at++;
		for (;;) {
			const c = this.#text[this.#at];
			// the text runs over the backquote that was to end the expression
			if (c === undefined) return this.#fail(`Missing ending ${quote === '"' ? `'"'` : `"'"`}`, 2);
			if (c === quote) {
				this.#at++;
				break;
			}
			if (c === '\\' && isEscapable(this.#text[this.#at + 1], quote)) {
				run += this.#text[this.#at + 1];
				this.#at += 2;
			} else if (this.#text.startsWith('${', this.#at)) {
				if (run !== '') parts.push(run);
				run = '';
				parts.push({ variable: this.#variable() });
			} else {
				run += c;
				this.#at++;
			}
		}
		if (run !== '') parts.push(run);
		return { kind: 'string', parts };
	}

	#variable(): string {
		this.#at += 2;
		const name = this.#match(/[A-Za-z_][A-Za-z0-9_]*/y);
		if (name === undefined) return this.#fail('Variables must be a C identifier');
		if (this.#text[this.#at] !== '}') this.#fail("Missing ending '}'");
		this.#at++;
		return name;
	}

	#match(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.#at;
		const found = pattern.exec(this.#text)?.[0];
		if (found !== undefined) this.#at += found.length;
		return found;
	}

	#skipSpaces(): void {
		while (this.#text[this.#at] === ' ') this.#at++;
	}

	/** The backquote in front counts as a character. */
	#fail(what: string, shift = 1): never {
		throw new ExpressionFault(`${what} at character ${this.#at + shift}`);
	}
}

function isEscapable(c: string | undefined, quote: string): boolean {
	return c === '`' || c === '$' || c === '\\' || c === quote;
}
