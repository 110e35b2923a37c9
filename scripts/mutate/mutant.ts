/** A change of source text that the tests should notice. Offsets count UTF-16 units. */
export interface Mutant {
	/** Path from the root of the repository. */
	readonly file: string;
	readonly line: number;
	readonly start: number;
	readonly end: number;
	readonly operator: string;
	/** How the replacement is put behind a switch. */
	readonly form: 'expression' | 'statement' | 'element' | 'property';
	/** The text at that place. */
	readonly original: string;
	/** The text instead; empty for what is removed. */
	readonly replacement: string;
}

/** One line that tells what a mutant changes. */
export function describeMutant(mutant: Mutant): string {
	const short = (text: string): string => {
		const line = text.replace(/\s+/g, ' ');
		return line.length > 90 ? `${line.slice(0, 87)}...` : line;
	};
	const change = mutant.replacement === '' ? 'removed' : `→ ${short(mutant.replacement)}`;
	return `${mutant.file}:${mutant.line} [${mutant.operator}] ${short(mutant.original)} ${change}`;
}
