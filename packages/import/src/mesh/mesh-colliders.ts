import type { MeshShapeOptions, ModelBuilder } from '@manyworlds/model';

/** What a mesh that collides can stand for: its convex hull or its triangles. @public */
export const MESH_COLLIDERS = ['hull', 'triangles'] as const;
/** A member of {@link MESH_COLLIDERS}. @public */
export type MeshColliders = (typeof MESH_COLLIDERS)[number];

/** How {@link addMeshShape} decides. */
export interface MeshColliderSettings {
	readonly meshColliders?: MeshColliders;
	readonly newtonCompat?: boolean;
}

/**
 * Adds a mesh to a body: for a collider of a format that does not speak of triangles, a convex shape. URDF leaves open what
 * its meshes collide as; MuJoCo, Drake and Bullet take the hull.
 */
export function addMeshShape(
	builder: ModelBuilder,
	body: number,
	options: MeshShapeOptions,
	{ meshColliders, newtonCompat = false }: MeshColliderSettings,
): number {
	const isCollider = options.config?.hasShapeCollision !== false;
	const takesHull = (meshColliders ?? (newtonCompat ? 'triangles' : 'hull')) === 'hull';
	return isCollider && takesHull ? builder.addShapeConvex(body, options) : builder.addShapeMesh(body, options);
}
