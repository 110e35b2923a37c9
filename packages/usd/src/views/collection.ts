import { Path, PathKind } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { readBool, readText } from './read-values.ts';
import { reportFinding, type ViewOptions } from './view-report.ts';

/** How a member of a collection spreads to what is below it. */
export type CollectionRule = 'explicitOnly' | 'expandPrims' | 'expandPrimsAndProperties' | 'exclude';

const PREFIX = 'collection:';

/** Which paths a collection holds: for each path that it names, how far that reaches. */
export class CollectionMembership {
	readonly rules: ReadonlyMap<Path, CollectionRule>;

	constructor(rules: ReadonlyMap<Path, CollectionRule>) {
		this.rules = rules;
	}

	/** Whether it holds a prim or property. The nearest path that it names at or above decides. */
	includes(path: Path): boolean {
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

/** The membership of the collection `name` of a prim, with the collections that it includes. */
export function collectionMembership(prim: Prim, name: string, options: ViewOptions = {}): CollectionMembership {
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
	return new CollectionMembership(first.rules);
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
	if (readBool(prim, `${PREFIX}${name}:includeRoot`) === true) rules.set(Path.root, rule);
	const includes = prim.relationship(`${PREFIX}${name}:includes`).targets();
	return { prim, name, path: prim.path.appendProperty(PREFIX + name), rule, includes, rules, at: 0 };
}
