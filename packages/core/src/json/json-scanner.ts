/** Told about what stands in a JSON text, in its order. Offsets are UTF-16 units. */
export interface JsonEvents {
	/** A list or object begins. */
	open(kind: 'list' | 'object', start: number): void;
	/** The last list or object that is open ends before `end`. */
	close(end: number): void;
	/** A key, with its quotes; its value follows. */
	key(start: number, end: number): void;
	/** A text with its quotes, a number, `true`, `false` or `null`. */
	scalar(start: number, end: number): void;
}

/** A place where a text is not JSON, and why. */
export interface JsonFault {
	/** UTF-16 units before it. */
	readonly at: number;
	/** What was found there and what was expected. */
	readonly message: string;
}

/** First place where a text is not JSON, and why; undefined for JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
	return scanJson(text);
}

/** Walks over a text by the grammar of JSON, up to the first fault. */
export function scanJson(text: string, events?: JsonEvents): JsonFault | undefined {
	const scanner = new JsonScanner(text, events);
	scanner.run();
	return scanner.fault;
}

/** Line ends, the only control characters that texts often hold by mistake, end a string. */
const STRING = /"[^"\\\r\n\t]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\r\n\t]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/** Open brackets are kept in a list, so that nesting costs no stack. */
class JsonScanner {
	fault: JsonFault | undefined;
	readonly #text: string;
	readonly #events: JsonEvents | undefined;
	#at = 0;

	constructor(text: string, events: JsonEvents | undefined) {
		this.#text = text;
		this.#events = events;
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
			this.#events?.open(next === '[' ? 'list' : 'object', this.#at);
			this.#at++;
			const close = next === '[' ? ']' : '}';
			if (this.#next() === close) {
				this.#at++;
				this.#events?.close(this.#at);
				return;
			}
			open.push(close);
			if (close === '}') this.#key();
		}
		const start = this.#at;
		if (this.#skip(STRING) || this.#skip(NUMBER) || this.#skip(WORD)) this.#events?.scalar(start, this.#at);
		else this.#expect('a value');
	}

	/** What stands behind a value: a comma and the next value, or the end of the container. False when a value must follow. */
	#closes(open: string[]): boolean {
		const close = open[open.length - 1]!;
		const next = this.#next();
		if (next === close) {
			this.#at++;
			this.#events?.close(this.#at);
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
		const start = this.#at;
		if (this.#skip(STRING)) this.#events?.key(start, this.#at);
		else this.#expect('a key in double quotes');
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
