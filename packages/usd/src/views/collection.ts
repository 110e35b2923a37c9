import { Path, PathKind } from '../sdf/path.ts';
import { PathExpression } from '../sdf/path-expression.ts';
import { dataOf } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { Prim } from '../usd/prim.ts';
import { matchExpression, type PathMatcher } from './path-matcher.ts';
import { readBool, readText } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

/** How a member of a collection spreads to what is below it. */
export type CollectionRule = 'explicitOnly' | 'expandPrims' | 'expandPrimsAndProperties' | 'exclude';

const PREFIX = 'collection:';

/** Which paths a collection holds: for each path that it names, how far that reaches; or what an expression matches. */
export class CollectionMembership {
	readonly rules: ReadonlyMap<Path, CollectionRule>;
	readonly #matcher: PathMatcher | undefined;

	constructor(rules: ReadonlyMap<Path, CollectionRule>, matcher?: PathMatcher) {
		this.rules = rules;
		this.#matcher = matcher;
	}

	/** Whether it holds a prim or property. The nearest path that it names at or above decides. */
	includes(path: Path): boolean {
		if (this.#matcher !== undefined) return this.#matcher(path);
		const isPrim = path.kind === PathKind.prim || path.kind === PathKind.root;
		for (let at: Path | null = path; at !== null; at = at.parent) {
			const rule = this.rules.get(at);
			if (rule === undefined) continue;
			if (rule === 'exclude') return false;
			if (at === path || rule === 'expandPrimsAndProperties' || (isPrim && rule === 'expandPrims')) return true;
		}
		return false;
	}
}

/** Names of the collections of a prim. */
export function collectionNames(prim: Prim): string[] {
	const names = new Set<string>();
	for (const schema of prim.appliedSchemas) {
		if (schema.startsWith('CollectionAPI:')) names.add(schema.slice('CollectionAPI:'.length));
	}
	return [...names];
}

/**
 * The membership of the collection `name` of a prim: by its relationships, with the collections that they include; without
 * those by its expression. Its `mode` can insist on one of them.
 * @example
 * ```ts
 * const lit = collectionMembership(light, 'lightLink');
 * const isLit = lit.includes(prim.path);
 * ```
 */
export function collectionMembership(prim: Prim, name: string, options: ViewOptions = {}): CollectionMembership {
	const rules = ruleMembership(prim, name, options);
	const mode = readText(prim, `${PREFIX}${name}:mode`);
	if (mode === 'relationship' || (mode !== 'expression' && rules.size > 0)) return new CollectionMembership(rules);
	const matcher = expressionMatcher(prim, name, options, new Set());
	return new CollectionMembership(matcher === undefined ? rules : new Map(), matcher);
}

/** A matcher of the expression of a collection; `open` holds the collections whose expressions led here. */
function expressionMatcher(
	prim: Prim,
	name: string,
	options: ViewOptions,
	open: ReadonlySet<Path>,
): PathMatcher | undefined {
	const text = dataOf(prim.attribute(`${PREFIX}${name}:membershipExpression`).get(), T.pathExpression);
	if (text === undefined || text === '') return undefined;
	const path = prim.path.appendProperty(PREFIX + name);
	const expression = PathExpression.parse(text);
	if (!(expression instanceof PathExpression)) {
		const message = `character ${expression.index + 1} of the expression is not ${expression.expected}`;
		reportFinding('VIEW003', prim, message, options, path);
		return () => false;
	}
	const inner = new Set(open).add(path);
	return matchExpression(prim.stage, expression.makeAbsolute(prim.path), (reference) => {
		const owner = reference.path.isEmpty ? prim : prim.stage.prim(reference.path);
		if (owner === undefined) return () => false;
		if (inner.has(owner.path.appendProperty(PREFIX + reference.name)) || inner.size > DEEPEST_REFERENCE) {
			reportFinding('VIEW003', prim, 'the expression refers to itself', options, path);
			return () => false;
		}
		return expressionMatcher(owner, reference.name, options, inner) ?? (() => false);
	});
}

/** Expressions that refer to each other beyond this depth count as endless. */
const DEEPEST_REFERENCE = 500;

function ruleMembership(prim: Prim, name: string, options: ViewOptions): Map<Path, CollectionRule> {
	// frames instead of recursion: collections may include each other in long chains
	const first = openFrame(prim, name);
	const stack = [first];
	const open = new Set<Path>([first.path]);
	for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
		const target = top.includes[top.at++];
		if (target === undefined) {
			for (const path of top.prim.relationship(`${PREFIX}${top.name}:excludes`).targets())
				top.rules.set(path, 'exclude');
			stack.pop();
			open.delete(top.path);
			const outer = stack[stack.length - 1];
			if (outer !== undefined) for (const [path, rule] of top.rules) outer.rules.set(path, rule);
			continue;
		}
		if (target.kind !== PathKind.property || !target.name.startsWith(PREFIX)) {
			top.rules.set(target, top.rule);
			continue;
		}
		const owner = prim.stage.prim(target.parent!);
		if (open.has(target)) reportFinding('VIEW003', top.prim, 'the collection includes itself', options, top.path);
		else if (owner !== undefined) {
			open.add(target);
			stack.push(openFrame(owner, target.name.slice(PREFIX.length)));
		}
	}
	return first.rules;
}

interface Frame {
	readonly prim: Prim;
	readonly name: string;
	readonly path: Path;
	readonly rule: CollectionRule;
	readonly includes: readonly Path[];
	readonly rules: Map<Path, CollectionRule>;
	at: number;
}

function openFrame(prim: Prim, name: string): Frame {
	const rule = (readText(prim, `${PREFIX}${name}:expansionRule`) ?? 'expandPrims') as CollectionRule;
	const rules = new Map<Path, CollectionRule>();
	if (rule !== 'explicitOnly' && readBool(prim, `${PREFIX}${name}:includeRoot`) === true) rules.set(Path.root, rule);
	const includes = prim.relationship(`${PREFIX}${name}:includes`).targets();
	return { prim, name, path: prim.path.appendProperty(PREFIX + name), rule, includes, rules, at: 0 };
}
