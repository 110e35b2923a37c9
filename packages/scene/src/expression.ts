/** What an expression comes to, or what is wrong with it and where: `at` counts characters from 0. */
export type ExpressionResult = { readonly value: number } | { readonly fault: string; readonly at: number };

/** Longest expression; also bounds how deep parentheses can nest. */
const EXPRESSION_LIMIT = 256;

/** A decimal number of Python, with underscores between digits, or a hexadecimal one. */
const NUMBER = /0[xX](?:_?[0-9a-fA-F])+|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y;

const NAME = /[\p{L}_][\p{L}\p{N}_.]*/uy;

/**
 * Evaluates an expression of numbers, `pi`, unary and binary `+` and `-`, `*`, `/` and parentheses, with the usual
 * precedence. It only ever computes: there are no calls, no names but `pi`, and nothing is executed.
 */
export function evaluateExpression(text: string): ExpressionResult {
	if (text.length > EXPRESSION_LIMIT)
		return { fault: `it has ${text.length} characters, at most ${EXPRESSION_LIMIT}`, at: EXPRESSION_LIMIT };
	if (/^\s/.test(text)) return { fault: 'it begins with a space', at: 0 };
	const parser = new ExpressionParser(text);
	const value = parser.parse();
	if (parser.fault !== undefined) return parser.fault;
	if (!Number.isFinite(value)) return { fault: `it comes to ${value}, expected a finite number`, at: 0 };
	return { value };
}

/** Recursive descent; after a fault every rule returns at once. */
class ExpressionParser {
	readonly #text: string;
	#at = 0;
	fault: { readonly fault: string; readonly at: number } | undefined;

	constructor(text: string) {
		this.#text = text;
	}

	parse(): number {
		const value = this.#sum();
		if (this.#peek() !== '') this.#fail(`found '${this.#peek()}', expected +, -, *, / or the end`);
		return value;
	}

	/** sum = product {(+|-) product} */
	#sum(): number {
		let value = this.#product();
		for (let sign = this.#peek(); this.#goesOn && (sign === '+' || sign === '-'); sign = this.#peek()) {
			this.#at++;
			const right = this.#product();
			value = sign === '+' ? value + right : value - right;
		}
		return value;
	}

	/** product = factor {(*|/) factor} */
	#product(): number {
		let value = this.#factor();
		for (let sign = this.#peek(); this.#goesOn && (sign === '*' || sign === '/'); sign = this.#peek()) {
			const at = this.#at++;
			const right = this.#factor();
			if (sign === '/' && right === 0 && this.#goesOn) this.#fail('it divides by zero', at);
			value = sign === '*' ? value * right : value / right;
		}
		return value;
	}

	/** factor = (+|-) factor | ( sum ) | pi | number */
	#factor(): number {
		const next = this.#peek();
		if (!this.#goesOn) return Number.NaN;
		if (next === '+' || next === '-') {
			this.#at++;
			const value = this.#factor();
			return next === '-' ? -value : value;
		}
		if (next === '(') {
			this.#at++;
			const value = this.#sum();
			if (this.#peek() !== ')') this.#fail(`found ${this.#found()}, expected ')'`);
			this.#at++;
			return value;
		}
		const number = this.#match(NUMBER);
		if (number !== undefined) {
			const name = this.#match(NAME);
			if (name !== undefined) this.#fail(`'${number}${name}' is not a number`, this.#at - number.length - name.length);
			return Number(number.replaceAll('_', ''));
		}
		const name = this.#match(NAME);
		if (name === 'pi') return Math.PI;
		if (name !== undefined) this.#fail(`the name '${name}' is not known, only pi`, this.#at - name.length);
		else this.#fail(`found ${this.#found()}, expected a number, pi or '('`);
		return Number.NaN;
	}

	get #goesOn(): boolean {
		return this.fault === undefined;
	}

	/** The next character that is no space; '' at the end. */
	#peek(): string {
		while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
		return this.#text[this.#at] ?? '';
	}

	#found(): string {
		const next = this.#peek();
		return next === '' ? 'the end' : `'${next}'`;
	}

	#match(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.#at;
		const match = pattern.exec(this.#text)?.[0];
		if (match !== undefined) this.#at += match.length;
		return match;
	}

	#fail(fault: string, at: number = this.#at): void {
		this.fault ??= { fault, at };
	}
}
