import type { Prim, Stage } from '@manyworlds/usd';
import type { FixSession } from './fix-session.ts';

/**
 * Visits the prims of every variant selection that a filter picks, prims of prototypes among them. The stage follows the edits that
 * are made meanwhile; prims that an edit has taken away are passed over.
 */
export function eachPrim(session: FixSession, filter: (prim: Prim) => boolean, visit: (prim: Prim) => void): void {
	session.forEachSelection((stage) => {
		const paths = allPrims(stage)
			.filter(filter)
			.map(({ path }) => path);
		for (const path of paths) {
			const prim = session.stage.prim(path);
			if (prim?.isValid === true) visit(prim);
		}
	});
}

/** The usual prims of a stage, and those of its prototypes. */
export function allPrims(stage: Stage): Prim[] {
	const found = [...stage.traverse()];
	for (const prototype of stage.prototypes()) {
		const stack = prototype.children().reverse();
		for (let prim = stack.pop(); prim !== undefined; prim = stack.pop()) {
			found.push(prim);
			if (!prim.isInstance) stack.push(...prim.children().reverse());
		}
	}
	return found;
}
