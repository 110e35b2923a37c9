import { Path } from '../sdf/path.ts';

/** What is loaded at and below a path: everything, the prim without payloads below it, or nothing. */
export type LoadRule = 'all' | 'only' | 'none';

/** Which payloads of a stage are loaded. Immutable. */
export class LoadRules {
	/** Every payload is loaded. */
	static readonly all: LoadRules = new LoadRules(new Map());

	readonly #rules: ReadonlyMap<Path, LoadRule>;

	private constructor(rules: ReadonlyMap<Path, LoadRule>) {
		this.#rules = rules;
	}

	/** The rules with these entries; paths without a rule above them load everything. */
	static of(rules: Iterable<readonly [Path, LoadRule]>): LoadRules {
		return new LoadRules(new Map(rules));
	}

	/** Everything is loaded but the payloads at and below these paths; what is no path is left out. */
	static except(paths: Iterable<string>): LoadRules {
		const rules = new Map<Path, LoadRule>();
		for (const text of paths) {
			const path = Path.parse(text);
			if (path !== undefined) rules.set(path, 'none');
		}
		return new LoadRules(rules);
	}

	/** These rules where everything below `path` follows `rule`. */
	with(path: Path, rule: LoadRule): LoadRules {
		const rules = new Map<Path, LoadRule>();
		for (const [known, value] of this.#rules) if (!known.hasPrefix(path)) rules.set(known, value);
		rules.set(path, rule);
		return new LoadRules(rules);
	}

	entries(): IterableIterator<[Path, LoadRule]> {
		return this.#rules.entries();
	}

	/** Whether the payloads of the prim at `path` are loaded. */
	isLoaded(path: Path): boolean {
		return this.effectiveRule(path) !== 'none';
	}

	/** The rule that decides about `path`. */
	effectiveRule(path: Path): LoadRule {
		if (this.#rules.size === 0) return 'all';
		for (let at: Path | null = path; at !== null; at = at.parent) {
			const rule = this.#rules.get(at);
			if (rule === undefined) continue;
			if (rule === 'all') return 'all';
			if (rule === 'only' && at === path) return 'only';
			return this.#hasLoadedBelow(path) ? 'only' : 'none';
		}
		return 'all';
	}

	/** The rules at and below `path` as seen from there, as text: equal for subtrees that load alike. */
	keyBelow(path: Path): string {
		if (this.#rules.size === 0) return '';
		const parts = [this.effectiveRule(path)] as string[];
		for (const [known, rule] of this.#rules) {
			if (known !== path && known.hasPrefix(path)) parts.push(`${known.makeRelative(path)}=${rule}`);
		}
		return parts.length === 1 && parts[0] === 'all' ? '' : parts.sort().join(';');
	}

	#hasLoadedBelow(path: Path): boolean {
		for (const [known, rule] of this.#rules) {
			if (rule !== 'none' && known !== path && known.hasPrefix(path)) return true;
		}
		return false;
	}
}
