import type { Prim } from './prim.ts';

/** Which prims a traversal gives. */
export interface TraverseOptions {
	/** Whether a prim is visited; below one that is not, nothing is. The usual prims unless given. */
	readonly predicate?: (prim: Prim) => boolean;
	/** Whether the prims below instances are visited too, as proxies. */
	readonly instanceProxies?: boolean;
}

/** Prims that a scene usually means: active, loaded, defined and not abstract. */
export function isUsualPrim(prim: Prim): boolean {
	return prim.isActive && prim.isLoaded && prim.isDefined && !prim.isAbstract;
}

/** Every prim. */
export function isAnyPrim(): boolean {
	return true;
}

/** The prims below one, depth first. The walk follows the stage as it is when it gets there. */
export function* traverse(start: Prim, options: TraverseOptions = {}): Generator<Prim> {
	const { predicate = isUsualPrim, instanceProxies = false } = options;
	const stack: Prim[] = [];
	const push = (parent: Prim): void => {
		if (parent.isInstance && !instanceProxies) return;
		const children = parent.children();
		for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
	};
	push(start);
	for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
		if (!predicate(prim)) continue;
		yield prim;
		push(prim);
	}
}
