/** First place where a text is not JSON, and why; undefined for JSON. Offsets are UTF-16 units. */
export function findJsonFault(text: string): { readonly at: number; readonly message: string } | undefined {
	const scanner = new JsonScanner(text);
	scanner.run();
	return scanner.fault;
}

/** Line ends, the only control characters that texts often hold by mistake, end a string. */
const STRING = /"[^"\\\r\n\t]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\r\n\t]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/** Walks over a text by the grammar of JSON; open brackets are kept in a list, so that nesting costs no stack. */
class JsonScanner {
	fault: { readonly at: number; readonly message: string } | undefined;
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	run(): void {
		const open: string[] = [];
		do {
			this.#value(open);
			while (this.fault === undefined && open.length > 0 && this.#closes(open));
		} while (this.fault === undefined && open.length > 0);
		if (this.fault === undefined && this.#next() !== '') this.#expect('the end of the file');
	}

	/** A scalar or an empty container; containers that hold something are opened up to the first one inside. */
	#value(open: string[]): void {
		for (let next = this.#next(); next === '[' || next === '{'; next = this.#next()) {
			this.#at++;
			const close = next === '[' ? ']' : '}';
			if (this.#next() === close) {
				this.#at++;
				return;
			}
			open.push(close);
			if (close === '}') this.#key();
		}
		if (!this.#skip(STRING) && !this.#skip(NUMBER) && !this.#skip(WORD)) this.#expect('a value');
	}

	/** What stands behind a value: a comma and the next value, or the end of the container. False when a value must follow. */
	#closes(open: string[]): boolean {
		const close = open[open.length - 1]!;
		const next = this.#next();
		if (next === close) {
			this.#at++;
			open.pop();
			return true;
		}
		if (next !== ',') {
			this.#expect(`',' or '${close}'`);
			return false;
		}
		this.#at++;
		if (close === '}') this.#key();
		return false;
	}

	#key(): void {
		this.#next();
		if (!this.#skip(STRING)) this.#expect('a key in double quotes');
		if (this.#next() !== ':') this.#expect("':'");
		this.#at++;
	}

	#next(): string {
		this.#skip(SPACE);
		return this.#text[this.#at] ?? '';
	}

	#skip(pattern: RegExp): boolean {
		pattern.lastIndex = this.#at;
		const match = pattern.exec(this.#text);
		if (match === null) return false;
		this.#at += match[0].length;
		return true;
	}

	#expect(what: string): void {
		const next = this.#next();
		const found = next === '' ? 'the end of the file' : `'${next}'`;
		this.fault ??= { at: this.#at, message: `found ${found}, expected ${what}` };
	}
}
