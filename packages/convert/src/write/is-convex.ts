import { convexHull, solidMass, type TriangleMesh } from '@manyworlds/mesh';

/** Share of its volume by which a solid may be smaller than its hull. */
const TOLERANCE = 1e-4;

/** Whether a mesh is a solid that fills its hull. */
export function isConvex(mesh: TriangleMesh): boolean {
	if (!mesh.vertices.every(Number.isFinite)) return false;
	const hull = convexHull(mesh.vertices);
	if (hull.dimension < 3) return false;
	const [own, whole] = [solidMass(mesh).volume, solidMass(hull.mesh).volume];
	return Math.abs(whole - own) <= TOLERANCE * whole;
}
