import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const HEAD = '## ';

/**
 * A text file of answers: a heading `## NAME` before the lines of each. With `UPDATE_GOLDEN=1` in the environment answers that are asked
 * for are written instead of compared; read the difference before you commit it.
 */
export class GoldenSections {
	readonly #path: string;
	readonly #sections: Map<string, string>;

	constructor(path: string) {
		this.#path = path;
		this.#sections = existsSync(path) ? parse(readFileSync(path, 'utf8')) : new Map();
	}

	get names(): string[] {
		return [...this.#sections.keys()];
	}

	/** The committed answer; in an update, the one that was found. */
	answer(name: string, found: readonly string[]): string {
		if (process.env['UPDATE_GOLDEN'] === '1') {
			this.#sections.set(name, found.join('\n'));
			this.#write();
		}
		return this.#sections.get(name) ?? '(no answer is committed)';
	}

	/** Leaves an answer out of the file, in an update. */
	forget(name: string): void {
		if (process.env['UPDATE_GOLDEN'] === '1' && this.#sections.delete(name)) this.#write();
	}

	#write(): void {
		const text = [...this.#sections]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, lines]) => `${HEAD}${key}\n${lines}\n`);
		writeFileSync(this.#path, text.join('\n'));
	}
}

function parse(text: string): Map<string, string> {
	const sections = new Map<string, string>();
	for (const part of text.split(/^## /m).slice(1)) {
		const end = part.indexOf('\n');
		sections.set(part.slice(0, end), part.slice(end + 1).trimEnd());
	}
	return sections;
}
