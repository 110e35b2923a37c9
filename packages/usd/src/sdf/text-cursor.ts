/** A place in a text that a small parser moves along, back as well as forth. */
export class TextCursor {
	readonly text: string;
	at = 0;

	constructor(text: string) {
		this.text = text;
	}

	get isAtEnd(): boolean {
		return this.at >= this.text.length;
	}

	/** Whether `wanted` comes next. */
	sees(wanted: string): boolean {
		return this.text.startsWith(wanted, this.at);
	}

	/** Moves behind `wanted` if it comes next. */
	take(wanted: string): boolean {
		if (!this.sees(wanted)) return false;
		this.at += wanted.length;
		return true;
	}

	/** Moves behind what the sticky expression `pattern` matches here, and gives it; undefined when it does not match. */
	match(pattern: RegExp): string | undefined {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.text)?.[0];
		if (found !== undefined) this.at += found.length;
		return found;
	}

	skipBlanks(): void {
		while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++;
	}
}

/** Thrown inside a parser at text that nothing can follow from. */
export class ExpressionFault extends Error {
	/** Index of the character at fault. */
	readonly index: number;

	constructor(index: number, expected: string) {
		super(expected);
		this.index = index;
	}
}
