import type { Path, Prim } from '@manyworlds/usd';

/** Geometry that belongs to one rigid body, without that of bodies below it. @public */
export interface LinkContents {
	readonly colliders: readonly Prim[];
	/** Geometry that is shown: every shape whose purpose is not guide. */
	readonly visuals: readonly Prim[];
}

/** What sorting geometry by bodies needs of an asset. */
interface Geometry {
	readonly lists: { readonly gprims: readonly Prim[]; readonly colliders: readonly Prim[] };
	bodyOf(prim: Prim): Prim | undefined;
	purposeOf(prim: Prim): string;
}

/** Sorts geometry by the body it belongs to. Bodies without any have no entry. @public */
export function linkContents(context: Geometry): Map<Path, LinkContents> {
	const { gprims, colliders } = context.lists;
	const links = new Map<Path, { colliders: Prim[]; visuals: Prim[] }>();
	const entry = (prim: Prim): { colliders: Prim[]; visuals: Prim[] } | undefined => {
		const body = context.bodyOf(prim);
		if (body === undefined) return undefined;
		let found = links.get(body.path);
		if (found === undefined) {
			found = { colliders: [], visuals: [] };
			links.set(body.path, found);
		}
		return found;
	};
	for (const prim of colliders) entry(prim)?.colliders.push(prim);
	for (const prim of gprims) if (context.purposeOf(prim) !== 'guide') entry(prim)?.visuals.push(prim);
	return links;
}

/** The contents of a body without any. @public */
export const NO_CONTENTS: LinkContents = { colliders: [], visuals: [] };
