import type { Path } from '../sdf/path.ts';
import type { Prim } from '../usd/prim.ts';
import { authoredNumber, authoredText } from './authored-values.ts';

const CONTEXT_API = 'RosContextAPI';

/** Resolves namespaces and domains along the contexts above prims (REP 0158 §2.1.1). */
export class ContextResolver {
	/** Segments of the namespace at a prim, by path. */
	readonly #segments = new Map<Path, readonly string[]>();
	readonly #outermost = new Map<Path, Prim | undefined>();
	readonly #prefix: readonly string[];

	/** `prefix` is a namespace that deployment puts in front, unless a context is absolute. */
	constructor(prefix = '') {
		this.#prefix = splitNamespace(prefix);
	}

	/** The namespace in effect at a prim, `/` when there is none. */
	namespace(prim: Prim): string {
		return `/${this.#segmentsAt(prim).join('/')}`;
	}

	/** The domain of the nearest context that gives one; undefined: the simulator's. */
	domain(prim: Prim): number | undefined {
		for (let at: Prim | undefined = prim; at !== undefined; at = at.parent) {
			const id = isContext(at) ? authoredNumber(at, 'ros:context:domain_id') : undefined;
			if (id !== undefined) return id;
		}
		return undefined;
	}

	/** The topmost context at or above a prim: the root of its robot; undefined below no context. */
	outermost(prim: Prim): Prim | undefined {
		const chain: Prim[] = [];
		let found: Prim | undefined;
		let at: Prim | undefined = prim;
		for (; at !== undefined && !this.#outermost.has(at.path); at = at.parent) chain.push(at);
		if (at !== undefined) found = this.#outermost.get(at.path);
		for (let i = chain.length - 1; i >= 0; i--) {
			found ??= isContext(chain[i]!) ? chain[i]! : undefined;
			this.#outermost.set(chain[i]!.path, found);
		}
		return found;
	}

	/** The parent frame of a robot, given on its outermost context. */
	parentFrame(robot: Prim): string {
		return authoredText(robot, 'ros:context:parent_frame') ?? 'world';
	}

	#segmentsAt(prim: Prim): readonly string[] {
		const chain: Prim[] = [];
		let segments: readonly string[] = this.#prefix;
		let at: Prim | undefined = prim;
		for (; at !== undefined && !this.#segments.has(at.path); at = at.parent) chain.push(at);
		if (at !== undefined) segments = this.#segments.get(at.path)!;
		for (let i = chain.length - 1; i >= 0; i--) {
			const step = chain[i]!;
			const value = isContext(step) ? (authoredText(step, 'ros:context:namespace') ?? '') : '';
			if (value.startsWith('/')) segments = splitNamespace(value);
			else if (value !== '') segments = [...segments, ...splitNamespace(value)];
			this.#segments.set(step.path, segments);
		}
		return segments;
	}
}

/** Whether a prim starts a namespace. */
export function isContext(prim: Prim): boolean {
	return !prim.isPseudoRoot && prim.hasSchema(CONTEXT_API);
}

function splitNamespace(namespace: string): string[] {
	return namespace.split('/').filter((segment) => segment !== '');
}
