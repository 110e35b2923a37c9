import { TriangleBvh } from '../bvh/triangle-bvh.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { type ContactKind, TriangleContacts } from './triangle-contacts.ts';
import { joinEqual } from './weld-vertices.ts';

/** Two triangles of a mesh that meet where they should not. @public */
export interface SelfIntersection {
	/** Triangle numbers, the smaller first. */
	readonly triangles: readonly [number, number];
	readonly kind: ContactKind;
}

/** Options of {@link findSelfIntersections}. @public */
export interface SelfIntersectionOptions {
	/** Most pairs given. */
	readonly limit?: number;
	/** Reports triangles that only touch, too, such as a vertex on the face of another triangle. */
	readonly includeTouching?: boolean;
	/** A tree over the mesh, when there is one already. */
	readonly bvh?: TriangleBvh;
}

/** Values of {@link SelfIntersectionOptions} that are used when absent. @public */
export const SELF_INTERSECTION_DEFAULTS: { readonly limit: number; readonly includeTouching: boolean } = {
	limit: Number.POSITIVE_INFINITY,
	includeTouching: false,
};

/**
 * Finds pairs of triangles that cross or lie on each other, decided exactly. Neighbours may share an edge or a vertex;
 * they are reported only when they meet elsewhere. Triangles without area take no part.
 * @public
 */
export function findSelfIntersections(mesh: TriangleMesh, options: SelfIntersectionOptions = {}): SelfIntersection[] {
	const { limit = SELF_INTERSECTION_DEFAULTS.limit, includeTouching = SELF_INTERSECTION_DEFAULTS.includeTouching } =
		options;
	const bvh = options.bvh ?? new TriangleBvh(mesh);
	const contacts = new TriangleContacts(mesh.vertices, mesh.indices, joinEqual(mesh.vertices));
	const found: SelfIntersection[] = [];
	bvh.visitPairs((first, second) => {
		const kind = contacts.kind(first, second);
		if (kind === undefined || (kind === 'touching' && !includeTouching)) return false;
		found.push({ triangles: [first, second], kind });
		return found.length >= limit;
	});
	return found.sort((a, b) => a.triangles[0] - b.triangles[0] || a.triangles[1] - b.triangles[1]);
}
