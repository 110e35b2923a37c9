import {
	convexHull,
	findSelfIntersections,
	type MeshTopology,
	meshTopology,
	type SelfIntersection,
	type TriangleMesh,
} from '@manyworlds/mesh';
import type { Prim } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import { CheckMemory } from './check-memory.ts';
import { type MeshArrays, readMeshArrays, signedVolume, triangulateArrays } from './mesh-arrays.ts';

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

/**
 * The facts about a mesh, shared by all prims and variant selections that get its points and faces from the same place;
 * undefined when it has none.
 */
export function meshFacts(context: CheckContext, prim: Prim): MeshFacts | undefined {
	// settings are made for each check, so nothing outlives it unless somebody gives a memory
	let memory = context.settings.memory ?? MEMORIES.get(context.settings);
	if (memory === undefined) {
		memory = new CheckMemory();
		MEMORIES.set(context.settings, memory);
	}
	const sites = ['points', 'faceVertexCounts', 'faceVertexIndices', 'orientation'].map(
		(name) => prim.attribute(name).resolveInfo('default').site,
	);
	const key = sites.map((site) => (site === undefined ? '' : `${site.layer.identifier} ${site.path}`)).join('\n');
	const layers = sites.map((site) => site?.layer);
	return memory.recall(key, layers, () => {
		const arrays = readMeshArrays(prim);
		return arrays && new MeshFacts(arrays);
	});
}

const MEMORIES = new WeakMap<object, CheckMemory>();
