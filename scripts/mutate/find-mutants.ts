import { parseSync } from 'vite';
import type { Mutant } from './mutant.ts';

/** A node of the syntax tree, of which only the places and a few fields matter. */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

const SWAPS: Readonly<Record<string, readonly string[]>> = {
	'<': ['>='],
	'<=': ['>'],
	'>': ['<='],
	'>=': ['<'],
	'===': ['!=='],
	'!==': ['==='],
	'+': ['-'],
	'-': ['+'],
	'*': ['/'],
	'/': ['*'],
	'&&': ['||'],
	'||': ['&&'],
	'+=': ['-='],
	'-=': ['+='],
	'*=': ['/='],
	'/=': ['*='],
};

const OPERATIONS: ReadonlySet<string> = new Set(['BinaryExpression', 'LogicalExpression', 'AssignmentExpression']);

const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '===', '!==']);

/** Calls whose text is wording for people, by the name that is called. */
const WORDING = /^(InternalError|Error|TypeError|RangeError|\w*Error)$/;

/** A code, the name of an attribute, a token: no sentence. */
const NAME = /^[A-Za-z_][\w:.-]*$/;

/** Every change of a source text that the operators know, in the order of the text. Types, wording and imports are left alone. */
export function findMutants(file: string, text: string): Mutant[] {
	const { program, errors } = parseSync(file, text, { lang: 'ts' });
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
	const finder = new Finder(file, text);
	finder.visit(program as unknown as Node, []);
	return finder.mutants.sort((a, b) => a.start - b.start || b.end - a.end || (a.replacement < b.replacement ? -1 : 1));
}

class Finder {
	readonly mutants: Mutant[] = [];
	readonly #file: string;
	readonly #text: string;
	readonly #lineStarts: number[] = [0];

	constructor(file: string, text: string) {
		this.#file = file;
		this.#text = text;
		for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.#lineStarts.push(i + 1);
	}

	visit(node: Node, parents: readonly Node[]): void {
		if (isSkipped(node)) return;
		this.#collect(node, parents);
		const inner = [...parents, node];
		for (const [field, value] of Object.entries(node)) {
			if (isNameField(node, field)) continue;
			for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) this.visit(child, inner);
		}
	}

	#collect(node: Node, parents: readonly Node[]): void {
		const { type } = node;
		if (type === 'Literal') this.#literal(node, parents);
		else if (OPERATIONS.has(type)) this.#operator(node);
		else if (type === 'UnaryExpression' && node['operator'] === '!') {
			this.#add(node, 'negation', 'expression', this.#of(node['argument']));
		} else if (type === 'IfStatement' || type === 'ConditionalExpression') this.#condition(node['test'] as Node);
		else if (type === 'ArrayExpression') this.#elements(node);
		else if (type === 'ObjectExpression') this.#properties(node, parents);
		else if (isRemovable(node, parents)) this.#add(node, 'statement', 'statement', '');
	}

	#literal(node: Node, parents: readonly Node[]): void {
		const { value } = node;
		if (typeof value === 'boolean') this.#add(node, 'boolean', 'expression', String(!value));
		// a buffer that is too large does what one of the right size does
		if (typeof value === 'number' && !isBufferSize(parents)) {
			for (const other of new Set([value + 1, value * 2])) {
				if (other !== value) this.#add(node, 'number', 'expression', String(other));
			}
		}
		if (typeof value === 'string' && NAME.test(value) && !isWording(parents)) {
			this.#add(node, 'string', 'expression', `'${value}~'`);
		}
	}

	#operator(node: Node): void {
		const operator = node['operator'] as string;
		const left = node['left'] as Node;
		const right = node['right'] as Node;
		// sums of text are wording
		if (operator.startsWith('+') && (isText(left) || isText(right))) return;
		for (const other of SWAPS[operator] ?? []) {
			const gap = this.#text.slice(left.end, right.start).replace(operator, other);
			const kind = COMPARISONS.has(operator)
				? 'comparison'
				: operator === '&&' || operator === '||'
					? 'logic'
					: 'arithmetic';
			const open = kind === 'logic' ? ['(', ')'] : ['', ''];
			const changed = `${open[0]}${this.#of(left)}${open[1]}${gap}${open[0]}${this.#of(right)}${open[1]}`;
			this.#add(node, kind, 'expression', changed);
		}
	}

	#condition(test: Node): void {
		for (const value of ['true', 'false']) {
			if (this.#of(test) !== value) this.#add(test, 'condition', 'expression', value);
		}
	}

	#elements(node: Node): void {
		const elements = node['elements'] as (Node | null)[];
		if (elements.length < 2 || elements.some((element) => element === null)) return;
		for (const element of elements) if (element !== null) this.#add(element, 'row', 'element', '');
	}

	/** Rows of tables: properties of objects that are made when the module is loaded. */
	#properties(node: Node, parents: readonly Node[]): void {
		const properties = node['properties'] as Node[];
		if (properties.length < 3 || parents.some(isFunction)) return;
		for (const property of properties) {
			if (property.type === 'Property' && property['shorthand'] !== true) this.#add(property, 'row', 'property', '');
		}
	}

	#add(node: Node, operator: string, form: Mutant['form'], replacement: string): void {
		const { start, end } = node;
		const line = lineOf(this.#lineStarts, start);
		this.mutants.push({
			file: this.#file,
			line,
			start,
			end,
			operator,
			form,
			original: this.#text.slice(start, end),
			replacement,
		});
	}

	#of(node: unknown): string {
		const { start, end } = node as Node;
		return this.#text.slice(start, end);
	}
}

function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Types, imports and text for people. */
function isSkipped(node: Node): boolean {
	const { type } = node;
	if (type === 'TSAsExpression' || type === 'TSNonNullExpression' || type === 'TSSatisfiesExpression') return false;
	if (type.startsWith('TS') || type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return true;
	// a broken invariant of ours, which no input reaches
	return type === 'ThrowStatement' || type === 'TemplateLiteral' || typeof node['directive'] === 'string';
}

/** Fields that hold a name or a type where no expression may stand. */
function isNameField(node: Node, field: string): boolean {
	if (field === 'typeAnnotation' || field === 'typeParameters' || field === 'typeArguments' || field === 'returnType')
		return true;
	if (field === 'key' || field === 'property') return node['computed'] !== true;
	return field === 'id' || field === 'source' || field === 'specifiers' || field === 'label';
}

function isFunction(node: Node): boolean {
	return /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type);
}

function isText(node: Node): boolean {
	if (node.type === 'TemplateLiteral') return true;
	if (node.type === 'BinaryExpression') return isText(node['left'] as Node) || isText(node['right'] as Node);
	return node.type === 'Literal' && typeof node['value'] === 'string';
}

/** Whether a literal is the length of a typed array that is made, or a factor of it: both changes make that longer. */
function isBufferSize(parents: readonly Node[]): boolean {
	const call = parents.findLast(({ type, operator }) => type !== 'BinaryExpression' || operator !== '*');
	return call?.type === 'NewExpression' && /Array$/.test(String((call['callee'] as Node)['name']));
}

/** Whether a literal is an argument of an error that is made. */
function isWording(parents: readonly Node[]): boolean {
	const call = parents.at(-1);
	if (call?.type !== 'NewExpression') return false;
	const callee = call['callee'] as Node;
	return callee.type === 'Identifier' && WORDING.test(String(callee['name']));
}

/** Whether a statement may go: no declaration, no last return, no call that a constructor needs. */
function isRemovable(node: Node, parents: readonly Node[]): boolean {
	switch (node.type) {
		case 'ExpressionStatement': {
			const expression = node['expression'] as Node;
			return !(expression.type === 'CallExpression' && (expression['callee'] as Node).type === 'Super');
		}
		case 'ContinueStatement':
			return true;
		case 'BreakStatement':
			return parents.at(-1)?.type !== 'SwitchCase';
		case 'ReturnStatement':
			return isEarly(node, parents);
		default:
			return false;
	}
}

/** Whether a function goes on behind a return. */
function isEarly(node: Node, parents: readonly Node[]): boolean {
	for (let i = parents.length - 1, inner = node; i >= 0; i--) {
		const parent = parents[i] as Node;
		if (isFunction(parent)) return false;
		if (parent.type === 'SwitchStatement' || /^(For|While|DoWhile)/.test(parent.type)) return true;
		if (parent.type === 'BlockStatement' && (parent['body'] as Node[]).at(-1) !== inner) return true;
		inner = parent;
	}
	return false;
}

function lineOf(starts: readonly number[], offset: number): number {
	let low = 0;
	let high = starts.length;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if ((starts[middle] as number) <= offset) low = middle;
		else high = middle;
	}
	return low + 1;
}
