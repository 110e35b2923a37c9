import type { ExpressionTree } from '../sdf/expression-tree.ts';
import { type Path, PathKind } from '../sdf/path.ts';
import type { ExpressionReference, PathExpression, PathPattern, PatternComponent } from '../sdf/path-expression.ts';
import type { PredicateCall, PredicateExpression } from '../sdf/predicate-expression.ts';
import type { Prim } from '../usd/prim.ts';
import type { Stage } from '../usd/stage.ts';

/** Tells whether a path matches. */
export type PathMatcher = (path: Path) => boolean;

/** What a reference to another expression stands for. */
export type ResolveReference = (reference: ExpressionReference) => PathMatcher;

const UNION = [1, 2];
const INTERSECTION = 3;

/** Makes a matcher of an expression whose paths are absolute. Predicates ask the prims of the stage. */
export function matchExpression(stage: Stage, expression: PathExpression, resolve: ResolveReference): PathMatcher {
	if (expression.tree === undefined) return () => false;
	return joinTree(
		expression.tree,
		(atom) => ('prefix' in atom ? matchPattern(stage, atom) : resolve(atom)),
		(operator, left, right) => {
			if (left === undefined) return (path) => !right(path);
			if (UNION.includes(operator)) return (path) => left(path) || right(path);
			if (operator === INTERSECTION) return (path) => left(path) && right(path);
			return (path) => left(path) && !right(path);
		},
	);
}

/** Builds something from the leaves of a tree up. Long chains of operators cost no stack here. */
function joinTree<T, R>(
	tree: ExpressionTree<T>,
	leaf: (operand: T) => R,
	join: (operator: number, left: R | undefined, right: R) => R,
): R {
	const order: ExpressionTree<T>[] = [];
	const stack = [tree];
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		order.push(node);
		if ('operand' in node) continue;
		if (node.left !== undefined) stack.push(node.left);
		stack.push(node.right);
	}
	// nodes stand before their operands, right ones before left ones: backwards, left operands are made first
	const made: R[] = [];
	for (let i = order.length - 1; i >= 0; i--) {
		const node = order[i]!;
		if ('operand' in node) {
			made.push(leaf(node.operand));
			continue;
		}
		const right = made.pop()!;
		const left = node.left === undefined ? undefined : made.pop()!;
		made.push(join(node.operator, left, right));
	}
	return made[0]!;
}

function matchPattern(stage: Stage, { prefix, components, isProperty }: PathPattern): PathMatcher {
	const tests = components.map((component) => matchComponent(stage, component));
	return (path) => {
		if ((path.kind === PathKind.property) !== isProperty || !path.hasPrefix(prefix)) return false;
		const steps: Path[] = [];
		for (let at: Path = path; at !== prefix; at = at.parent!) steps.push(at);
		steps.reverse();
		return matchSteps(tests, steps);
	};
}

type StepTest = ((path: Path) => boolean) | 'stretch';

/** Whether the tests take all steps: a stretch takes any number of them, each other test one. */
function matchSteps(tests: readonly StepTest[], steps: readonly Path[]): boolean {
	// positions that the tests so far can have come to
	let reached = new Uint8Array(steps.length + 1);
	reached[0] = 1;
	for (const test of tests) {
		const next = new Uint8Array(steps.length + 1);
		for (let at = 0; at <= steps.length; at++) {
			if (test === 'stretch') next[at] = reached[at] === 1 || (at > 0 && next[at - 1] === 1) ? 1 : 0;
			else if (reached[at] === 1 && at < steps.length && test(steps[at]!)) next[at + 1] = 1;
		}
		reached = next;
	}
	return reached[steps.length] === 1;
}

function matchComponent(stage: Stage, { text, predicate }: PatternComponent): StepTest {
	if (text === '' && predicate === undefined) return 'stretch';
	const glob = text === '' ? undefined : globExpression(text);
	const condition = predicate === undefined ? undefined : matchPredicate(predicate);
	return (path) => {
		if (glob !== undefined && !glob.test(path.name)) return false;
		if (condition === undefined) return true;
		const prim = stage.prim(path.kind === PathKind.property ? path.parent! : path);
		return prim !== undefined && condition(prim);
	};
}

/** `*`, `?` and `[a-z]` as in file names. */
function globExpression(text: string): RegExp {
	let source = '';
	for (let i = 0; i < text.length; i++) {
		const letter = text[i]!;
		const close = letter === '[' ? text.indexOf(']', i + 2) : -1;
		if (letter === '*') source += '.*';
		else if (letter === '?') source += '.';
		else if (close > 0) {
			const set = text.slice(i + 1, close).replaceAll('\\', '\\\\');
			source += set.startsWith('!') ? `[^${set.slice(1)}]` : `[${set}]`;
			i = close;
		} else source += letter.replace(/[^\w]/, '\\$&');
	}
	try {
		return new RegExp(`^${source}$`, 's');
	} catch {
		// a range such as [z-a] names nothing
		return /^(?!)/;
	}
}

const OR = 3;

function matchPredicate(predicate: PredicateExpression): (prim: Prim) => boolean {
	return joinTree<PredicateCall, (prim: Prim) => boolean>(
		predicate,
		(call) => (prim) => callPredicate(call, prim),
		(operator, left, right) => {
			if (left === undefined) return (prim) => !right(prim);
			return operator === OR ? (prim) => left(prim) || right(prim) : (prim) => left(prim) && right(prim);
		},
	);
}

/** The predicates that collections know; others hold for nothing. */
function callPredicate({ name, args }: PredicateCall, prim: Prim): boolean {
	const texts = args.filter((argument) => argument.name === '').map(({ value }) => String(value));
	const flag = args.length === 0 || args[0]!.value !== false;
	switch (name) {
		case 'abstract':
			return prim.isAbstract === flag;
		case 'defined':
			return prim.isDefined === flag;
		case 'model':
			return prim.isModel === flag;
		case 'group':
			return prim.isGroup === flag;
		case 'kind':
			return texts.includes(prim.kind ?? '');
		case 'specifier':
			return texts.includes(prim.specifier);
		case 'isa':
			return texts.some((type) => prim.isA(type));
		case 'hasAPI':
			return texts.some((schema) => prim.hasSchema(schema));
		case 'variant':
			return args.every(
				({ name: set, value }) => set !== '' && globExpression(String(value)).test(prim.variantSelection(set)),
			);
		default:
			return false;
	}
}
