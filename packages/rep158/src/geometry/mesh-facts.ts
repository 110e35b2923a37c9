import {
	convexHull,
	findSelfIntersections,
	type MeshTopology,
	meshTopology,
	type SelfIntersection,
	type TriangleMesh,
} from '@manyworlds/mesh';
import { type MeshArrays, signedVolume, triangulateArrays } from './mesh-arrays.ts';

/** Part of the hull's volume that rounding of the points explains. */
const CONVEX_TOLERANCE = 1e-4;

/** What rules ask about one mesh; each answer is worked out once. */
export class MeshFacts {
	readonly arrays: MeshArrays;
	#triangles: { mesh: TriangleMesh; faces: Uint32Array } | undefined;
	#topology: MeshTopology | undefined;
	#crossing: SelfIntersection | undefined | null = null;

	constructor(arrays: MeshArrays) {
		this.arrays = arrays;
	}

	get triangles(): { mesh: TriangleMesh; faces: Uint32Array } {
		this.#triangles ??= triangulateArrays(this.arrays);
		return this.#triangles;
	}

	get topology(): MeshTopology {
		this.#topology ??= meshTopology(this.triangles.mesh);
		return this.#topology;
	}

	/** Whether the faces of a closed mesh look inwards. */
	get isInsideOut(): boolean {
		return this.topology.isWatertight && signedVolume(this.triangles.mesh) < 0;
	}

	/** Whether the mesh is closed and fills its convex hull. */
	get isConvex(): boolean {
		if (!this.topology.isWatertight) return false;
		const { mesh } = this.triangles;
		const hull = Math.abs(signedVolume(convexHull(mesh.vertices).mesh));
		return hull > 0 && Math.abs(signedVolume(mesh)) >= hull * (1 - CONVEX_TOLERANCE);
	}

	/** A pair of triangles that pass through each other. */
	get selfIntersection(): SelfIntersection | undefined {
		if (this.#crossing === null) this.#crossing = findSelfIntersections(this.triangles.mesh, { limit: 1 })[0];
		return this.#crossing;
	}
}
