import type { Mutant } from './mutant.ts';

/** A mutant with the number that switches it on. */
export interface NumberedMutant extends Mutant {
	readonly id: number;
}

interface Branch {
	readonly mutant: NumberedMutant;
	readonly inner: Branch[];
}

/** Puts mutants of one file behind a switch: with the state at 0 the text does what it did, and every mutant counts how often it is reached. Lines stay. */
export function instrument(text: string, mutants: readonly NumberedMutant[]): string {
	const sorted = [...mutants].sort(
		(a, b) => a.start - b.start || b.end - a.end || RANK[a.form] - RANK[b.form] || a.id - b.id,
	);
	const roots: Branch[] = [];
	const open: Branch[] = [];
	for (const mutant of sorted) {
		while (open.length > 0 && (open.at(-1) as Branch).mutant.end <= mutant.start) open.pop();
		const branch = { mutant, inner: [] };
		(open.at(-1)?.inner ?? roots).push(branch);
		open.push(branch);
	}
	return `const __mwHits = globalThis.__mwHits, __mwState = globalThis.__mwState; ${render(text, 0, text.length, roots)}`;
}

/** Of mutants with the same range, those that need a statement or element around them come first. */
const RANK: Readonly<Record<Mutant['form'], number>> = { statement: 0, element: 0, property: 0, expression: 1 };

function render(text: string, start: number, end: number, branches: readonly Branch[]): string {
	let out = '';
	let at = start;
	for (const { mutant, inner } of branches) {
		out += text.slice(at, mutant.start) + renderMutant(mutant, render(text, mutant.start, mutant.end, inner));
		at = mutant.end;
	}
	return out + text.slice(at, end);
}

function renderMutant({ id, form, replacement }: NumberedMutant, original: string): string {
	const isOn = `(__mwHits[${id}]++, __mwState.active === ${id})`;
	switch (form) {
		case 'expression':
			return `(${isOn} ? (${replacement}) : (${original}))`;
		case 'statement':
			return `{ if (!${isOn}) ${original} }`;
		case 'element':
			return `...(${isOn} ? [] : [${original}])`;
		case 'property':
			return `...(${isOn} ? {} : { ${original} })`;
	}
}
