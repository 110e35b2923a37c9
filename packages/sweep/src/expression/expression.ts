import { exponential, naturalLog } from '@manyworlds/core/internal';

/** What an expression works with: truth is 1 or 0, texts can only be compared. */
export type ExpressionValue = number | string;

/** A name in an expression: a parameter, a metric or a quantity such as `position:/Robot/base.z`. */
export interface ExpressionName {
	readonly text: string;
	/** Where it stands, in characters from 0. */
	readonly at: number;
}

/** An expression that was read. */
export interface Expression {
	readonly text: string;
	/** Each name once, in the order of their first use. */
	readonly names: readonly ExpressionName[];
	/** Whether it says yes or no, rather than how much. */
	readonly isCondition: boolean;
	/** Its value, with one value for each of {@link names}. Nothing is allocated. */
	evaluate(values: ArrayLike<ExpressionValue>): ExpressionValue;
}

/** What is wrong with an expression, and where. */
export interface ExpressionFault {
	readonly fault: string;
	readonly at: number;
}

/** Longest expression; also bounds how deep parentheses can nest. */
const MOST_LETTERS = 1000;

/** Functions by name, with the number of their arguments; undefined for one or more. */
const FUNCTIONS: Readonly<Record<string, { readonly count?: number; readonly call: (values: number[]) => number }>> = {
	abs: { count: 1, call: ([x]) => Math.abs(x!) },
	sqrt: { count: 1, call: ([x]) => Math.sqrt(x!) },
	floor: { count: 1, call: ([x]) => Math.floor(x!) },
	exp: { count: 1, call: ([x]) => exponential(x!) },
	log: { count: 1, call: ([x]) => naturalLog(x!) },
	min: { call: (values) => values.reduce((a, b) => Math.min(a, b)) },
	max: { call: (values) => values.reduce((a, b) => Math.max(a, b)) },
	hypot: { count: 2, call: ([x, y]) => Math.sqrt(x! * x! + y! * y!) },
};

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, true: 1, false: 0, inf: Number.POSITIVE_INFINITY };

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
/** A name, and behind a colon whatever has no space or operator in it; `/`, `-` and `.` belong to paths. */
const NAME = /[A-Za-z_]\w*(?::(?:"[^"]*"(?:\.\w+|\[\d+\])*|[^\s()<>=!,+*&|"]+))?/y;
const TEXT = /"([^"]*)"|'([^']*)'/y;

type Evaluate = (values: ArrayLike<ExpressionValue>) => ExpressionValue;

/**
 * Reads an expression of numbers, names, texts, `+ - * /`, comparisons, `and`, `or`, `not`, parentheses and a few functions. It
 * only ever computes: nothing is executed, and it uses no function whose last digits depend on the engine.
 */
export function parseExpression(text: string): Expression | ExpressionFault {
	if (text.length > MOST_LETTERS)
		return { fault: `it has ${text.length} characters, expected at most ${MOST_LETTERS}`, at: MOST_LETTERS };
	const parser = new Parser(text);
	const evaluate = parser.whole();
	if (parser.fault !== undefined) return parser.fault;
	return { text, names: parser.names, isCondition: parser.isCondition, evaluate };
}

const NOTHING: Evaluate = () => Number.NaN;

/** Recursive descent; after a fault every rule returns at once. */
class Parser {
	readonly names: ExpressionName[] = [];
	fault: ExpressionFault | undefined;
	isCondition = false;
	readonly #text: string;
	#at = 0;
	#depth = 0;

	constructor(text: string) {
		this.#text = text;
	}

	whole(): Evaluate {
		const evaluate = this.#either();
		if (this.fault === undefined && this.#peek() !== '')
			this.#fail(`found ${this.#found()}, expected an operator or the end`);
		return evaluate;
	}

	#either(): Evaluate {
		if (++this.#depth > 100) this.#fail('it is nested deeper than 100 levels');
		let left = this.#both();
		while (this.fault === undefined && (this.#word('or') || this.#sign('||'))) {
			const [a, b] = [left, this.#both()];
			left = (values) => (isTrue(a(values)) || isTrue(b(values)) ? 1 : 0);
			this.isCondition = true;
		}
		this.#depth--;
		return left;
	}

	#both(): Evaluate {
		let left = this.#denied();
		while (this.fault === undefined && (this.#word('and') || this.#sign('&&'))) {
			const [a, b] = [left, this.#denied()];
			left = (values) => (isTrue(a(values)) && isTrue(b(values)) ? 1 : 0);
			this.isCondition = true;
		}
		return left;
	}

	#denied(): Evaluate {
		if (this.#word('not') || (this.#peek() === '!' && this.#text[this.#at + 1] !== '=' && this.#sign('!'))) {
			if (++this.#depth > 100) this.#fail('it is nested deeper than 100 levels');
			const inner = this.fault === undefined ? this.#denied() : NOTHING;
			this.#depth--;
			this.isCondition = true;
			return (values) => (isTrue(inner(values)) ? 0 : 1);
		}
		return this.#comparison();
	}

	#comparison(): Evaluate {
		const left = this.#sum();
		for (const sign of ['<=', '>=', '==', '!=', '<', '>'] as const) {
			if (this.fault !== undefined || !this.#sign(sign)) continue;
			const right = this.#sum();
			this.isCondition = true;
			return (values) => (compare(sign, left(values), right(values)) ? 1 : 0);
		}
		return left;
	}

	#sum(): Evaluate {
		let left = this.#product();
		for (let sign = this.#peek(); this.fault === undefined && (sign === '+' || sign === '-'); sign = this.#peek()) {
			this.#at++;
			const [a, b] = [left, this.#product()];
			left =
				sign === '+'
					? (values) => asNumber(a(values)) + asNumber(b(values))
					: (values) => asNumber(a(values)) - asNumber(b(values));
		}
		return left;
	}

	#product(): Evaluate {
		let left = this.#factor();
		for (let sign = this.#peek(); this.fault === undefined && (sign === '*' || sign === '/'); sign = this.#peek()) {
			this.#at++;
			const [a, b] = [left, this.#factor()];
			left =
				sign === '*'
					? (values) => asNumber(a(values)) * asNumber(b(values))
					: (values) => asNumber(a(values)) / asNumber(b(values));
		}
		return left;
	}

	#factor(): Evaluate {
		const next = this.#peek();
		if (this.fault !== undefined) return NOTHING;
		if (next === '-' || next === '+') {
			this.#at++;
			if (++this.#depth > 100) this.#fail('it is nested deeper than 100 levels');
			const inner = this.#factor();
			this.#depth--;
			return next === '-' ? (values) => -asNumber(inner(values)) : inner;
		}
		if (next === '(') {
			this.#at++;
			const inner = this.#either();
			this.#expect(')');
			return inner;
		}
		const number = this.#match(NUMBER);
		if (number !== undefined) {
			const value = Number(number[0]);
			return () => value;
		}
		const quoted = this.#match(TEXT);
		if (quoted !== undefined) {
			const value = quoted[1] ?? quoted[2] ?? '';
			return () => value;
		}
		const at = this.#at;
		const name = this.#match(NAME)?.[0];
		if (name === undefined) {
			this.#fail(`found ${this.#found()}, expected a number, a name or '('`);
			return NOTHING;
		}
		if (this.#peek() === '(') return this.#call(name, at);
		if (Object.hasOwn(CONSTANTS, name)) {
			const value = CONSTANTS[name]!;
			return () => value;
		}
		return this.#name(name, at);
	}

	#name(text: string, at: number): Evaluate {
		let slot = this.names.findIndex((known) => known.text === text);
		if (slot < 0) slot = this.names.push({ text, at }) - 1;
		return (values) => values[slot]!;
	}

	#call(name: string, at: number): Evaluate {
		const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : undefined;
		if (known === undefined) {
			this.#fail(`there is no function '${name}', expected ${Object.keys(FUNCTIONS).join(', ')}`, at);
			return NOTHING;
		}
		this.#at++;
		const inner: Evaluate[] = [];
		do inner.push(this.#either());
		while (this.fault === undefined && this.#sign(','));
		this.#expect(')');
		if (known.count !== undefined && inner.length !== known.count)
			this.#fail(`${name} takes ${known.count} ${known.count === 1 ? 'value' : 'values'}, found ${inner.length}`, at);
		const given = new Array<number>(inner.length);
		return (values) => {
			for (let i = 0; i < inner.length; i++) given[i] = asNumber(inner[i]!(values));
			return known.call(given);
		};
	}

	#peek(): string {
		while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
		return this.#text[this.#at] ?? '';
	}

	#found(): string {
		const next = this.#peek();
		return next === '' ? 'the end' : `'${next}'`;
	}

	/** Takes a sign if it is next. */
	#sign(sign: string): boolean {
		this.#peek();
		if (!this.#text.startsWith(sign, this.#at)) return false;
		this.#at += sign.length;
		return true;
	}

	/** Takes a word if it is next, whole. */
	#word(word: string): boolean {
		this.#peek();
		const after = this.#text[this.#at + word.length] ?? ' ';
		return !/[\w:]/.test(after) && this.#sign(word);
	}

	#expect(sign: string): void {
		if (this.fault === undefined && !this.#sign(sign)) this.#fail(`found ${this.#found()}, expected '${sign}'`);
	}

	#match(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.#at;
		const match = pattern.exec(this.#text) ?? undefined;
		if (match !== undefined) this.#at += match[0].length;
		return match;
	}

	#fail(fault: string, at: number = this.#at): void {
		this.fault ??= { fault, at };
	}
}

function asNumber(value: ExpressionValue): number {
	return typeof value === 'number' ? value : Number.NaN;
}

/** Whether a value counts as yes. Nothing that is no number does. */
export function isTrue(value: ExpressionValue): boolean {
	return typeof value === 'number' && value !== 0 && !Number.isNaN(value);
}

function compare(sign: '<=' | '>=' | '==' | '!=' | '<' | '>', a: ExpressionValue, b: ExpressionValue): boolean {
	if (sign === '==') return a === b;
	if (sign === '!=') return a !== b;
	const [x, y] = [asNumber(a), asNumber(b)];
	switch (sign) {
		case '<':
			return x < y;
		case '<=':
			return x <= y;
		case '>':
			return x > y;
		case '>=':
			return x >= y;
	}
}
