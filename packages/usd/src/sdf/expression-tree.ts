import { ExpressionFault } from './text-cursor.ts';

/** An operator with its operands, or an operand. Operator 0 is the prefix operator and has no left operand. */
export type ExpressionTree<T> =
	| { readonly operator: number; readonly left: ExpressionTree<T> | undefined; readonly right: ExpressionTree<T> }
	| { readonly operand: T };

/** Parentheses inside parentheses beyond this are refused. */
const DEEPEST_GROUP = 256;

/** Joins operands by an operator; `left` is undefined for the prefix operator. */
export type Combine<N> = (operator: number, left: N | undefined, right: N) => N;

/** Builds a tree of nodes from operands and operators in the order of the text. A lower number binds tighter, all to the left. */
export class TreeBuilder<N> {
	readonly #combine: Combine<N>;
	#operators: number[] = [];
	#operands: N[] = [];
	readonly #outer: { readonly operators: number[]; readonly operands: N[] }[] = [];

	constructor(combine: Combine<N>) {
		this.#combine = combine;
	}

	/** Number of open parentheses. */
	get depth(): number {
		return this.#outer.length;
	}

	operand(operand: N): void {
		this.#operands.push(operand);
	}

	operator(operator: number): void {
		for (;;) {
			const last = this.#operators[this.#operators.length - 1];
			// the prefix operator waits for its operand, which may start with another one
			if (last === undefined || last > operator || (last === operator && operator === 0)) break;
			this.#reduce();
		}
		this.#operators.push(operator);
	}

	open(index: number): void {
		if (this.#outer.length === DEEPEST_GROUP) throw new ExpressionFault(index, 'fewer parentheses inside each other');
		this.#outer.push({ operators: this.#operators, operands: this.#operands });
		this.#operators = [];
		this.#operands = [];
	}

	close(): void {
		const inner = this.finish();
		const outer = this.#outer.pop()!;
		this.#operators = outer.operators;
		this.#operands = outer.operands;
		this.#operands.push(inner);
	}

	finish(): N {
		while (this.#operators.length > 0) this.#reduce();
		return this.#operands[0] as N;
	}

	#reduce(): void {
		const operator = this.#operators.pop()!;
		const right = this.#operands.pop() as N;
		const left = operator === 0 ? undefined : (this.#operands.pop() as N);
		this.#operands.push(this.#combine(operator, left, right));
	}
}

/** The text of a tree with the parentheses it needs. `spellings` holds the text of each operator. */
export function formatTree<T>(
	tree: ExpressionTree<T>,
	spellings: readonly string[],
	formatOperand: (operand: T) => string,
): string {
	let text = '';
	// pieces still to write, the next one last: chains of operators may be long
	const rest: (string | { readonly tree: ExpressionTree<T>; readonly isGroup: boolean })[] = [{ tree, isGroup: false }];
	for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
		if (typeof next === 'string') {
			text += next;
		} else if ('operand' in next.tree) {
			text += formatOperand(next.tree.operand);
		} else {
			const { operator, left, right } = next.tree;
			if (next.isGroup) rest.push(')');
			// equal operators group to the left
			rest.push({ tree: right, isGroup: needsGroup(right, operator, operator !== 0) }, spellings[operator]!);
			if (left !== undefined) rest.push({ tree: left, isGroup: needsGroup(left, operator, false) });
			if (next.isGroup) rest.push('(');
		}
	}
	return text;
}

function needsGroup<T>(tree: ExpressionTree<T>, parent: number, isRight: boolean): boolean {
	if ('operand' in tree) return false;
	return parent < tree.operator || (isRight && parent === tree.operator);
}
