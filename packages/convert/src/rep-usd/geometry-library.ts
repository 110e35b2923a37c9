import {
	axisAlignedBox,
	convexHull,
	createEllipsoid,
	findSelfIntersections,
	meshTopology,
	solidMass,
	type TriangleMesh,
	weldVertices,
} from '@manyworlds/mesh';
import { scaleMesh, transformMesh } from '@manyworlds/mesh/internal';
import { Path, T } from '@manyworlds/usd';
import type { ConversionModel } from '../model/conversion-model.ts';
import { compose } from '../model/pose.ts';
import { UniqueNames } from '../write/unique-names.ts';
import { LayerBuilder } from './layer-builder.ts';
import { primName } from './prim-names.ts';

/** Layer of the meshes of an asset. */
export const GEOMETRIES_FILE = './geometries.usdc';

const ROOT = Path.root.appendChild('geometries');

/** Triangles beyond which self-intersections are not looked for. */
const MOST_TRIANGLES = 200_000;

/** Pieces around ellipsoids that become meshes. */
const ROUND = { segments: 48, rings: 24 };

/** A mesh of the source as one shape has it. */
export interface MeshUse {
	readonly mesh: number;
	readonly scale: readonly [number, number, number];
	/** A quarter turn about x that goes into the points: +1, -1 or 0 for none (REP 1.1: geometry is stored with Z up). */
	readonly quarter: -1 | 0 | 1;
}

/** A mesh of the library. */
export interface StoredMesh {
	readonly path: Path;
	/** Subsets of its faces with their materials, in the order of the groups of the source. */
	readonly subsets: readonly { readonly name: string; readonly material: string | undefined }[];
	readonly hasUvs: boolean;
}

/** Points, faces, normals and texture coordinates of an asset, each mesh once (REP 1.2.1: geometries). */
export class GeometryLibrary {
	readonly builder: LayerBuilder = new LayerBuilder(GEOMETRIES_FILE, ROOT.name, 'Meshes.');
	readonly #model: ConversionModel;
	readonly #names = new UniqueNames();
	readonly #known = new Map<string, StoredMesh>();
	readonly #faults = new Map<string, string | undefined>();

	constructor(model: ConversionModel) {
		this.#model = model;
		this.builder.define(ROOT, 'Scope');
	}

	get isEmpty(): boolean {
		return this.#known.size === 0;
	}

	/** A mesh as it is seen, with the groups of its materials where `withGroups`. */
	seen(use: MeshUse, withGroups: boolean): StoredMesh {
		return this.#store(`seen ${keyOf(use)} ${withGroups}`, this.#nameOf(use), () => {
			const { groups, ...plain } = this.#made(use);
			return withGroups && groups !== undefined ? { ...plain, groups } : plain;
		});
	}

	/** A mesh that touches others as it is. */
	touched(use: MeshUse): StoredMesh {
		return this.#store(`touched ${keyOf(use)}`, `${this.#nameOf(use)}_collision`, () => this.#bare(use));
	}

	/** The hull of a mesh; undefined when it has no volume. */
	hull(use: MeshUse): StoredMesh | undefined {
		const key = `hull ${keyOf(use)}`;
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const hull = convexHull(this.#bare(use).vertices);
		return hull.dimension < 3 ? undefined : this.#store(key, `${this.#nameOf(use)}_hull`, () => hull.mesh);
	}

	/** An ellipsoid as triangles: engines take other ones as spheres. */
	ellipsoid(radii: readonly [number, number, number]): StoredMesh {
		return this.#store(`ellipsoid ${radii}`, 'ellipsoid', () => createEllipsoid(...radii, ROUND));
	}

	/** Why a mesh cannot touch others as it is (REP 3.4); undefined when it can. */
	fault(use: MeshUse): string | undefined {
		const key = keyOf(use);
		if (!this.#faults.has(key)) this.#faults.set(key, solidFault(this.#bare(use)));
		return this.#faults.get(key);
	}

	/** The triangles of a mesh alone, as single precision holds them, each place one vertex. */
	#bare(use: MeshUse): TriangleMesh {
		const { vertices, indices } = this.#made(use);
		return weldVertices({ vertices: vertices.map(Math.fround), indices }, { dropDegenerate: true }).mesh;
	}

	/** A mesh, stretched and turned as it is used. */
	#made({ mesh, scale, quarter }: MeshUse): TriangleMesh {
		const plain = this.#model.meshes[mesh]!.mesh;
		const stretched = scale.every((s) => s === 1) ? plain : scaleMesh(plain, ...scale);
		if (quarter === 0) return stretched;
		return transformMesh(stretched, [1, 0, 0, 0, 0, 0, quarter, 0, 0, -quarter, 0, 0, 0, 0, 0, 1]);
	}

	#nameOf({ mesh }: MeshUse): string {
		return primName(this.#model.meshes[mesh]!.name, 'mesh');
	}

	#store(key: string, name: string, make: () => TriangleMesh): StoredMesh {
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const path = ROOT.appendChild(this.#names.take(name));
		const stored = this.#write(path, make());
		this.#known.set(key, stored);
		return stored;
	}

	#write(path: Path, mesh: TriangleMesh): StoredMesh {
		const { builder } = this;
		const { vertices, indices, normals, uvs } = mesh;
		builder.define(path, 'Mesh');
		const { least, most } = axisAlignedBox(vertices);
		builder.attribute(path, 'extent', T.float3.array, Float32Array.of(...least, ...most));
		const counts = new Int32Array(indices.length / 3).fill(3);
		builder.attribute(path, 'faceVertexCounts', T.int.array, counts);
		builder.attribute(path, 'faceVertexIndices', T.int.array, Int32Array.from(indices));
		if (normals !== undefined) {
			builder.attribute(path, 'normals', T.float3.array, unitNormals(normals), { typeName: 'normal3f[]' });
			builder.field(path.appendProperty('normals'), 'interpolation', T.token, 'vertex');
		}
		builder.attribute(path, 'points', T.float3.array, Float32Array.from(vertices), { typeName: 'point3f[]' });
		if (uvs !== undefined) {
			builder.attribute(path, 'primvars:st', T.float2.array, Float32Array.from(uvs), { typeName: 'texCoord2f[]' });
			builder.field(path.appendProperty('primvars:st'), 'interpolation', T.token, 'vertex');
		}
		builder.uniform(path, 'subdivisionScheme', T.token, 'none');
		return { path, subsets: this.#writeSubsets(path, mesh), hasUvs: uvs !== undefined };
	}

	#writeSubsets(path: Path, { groups = [] }: TriangleMesh): StoredMesh['subsets'] {
		const { builder } = this;
		const names = new UniqueNames();
		// groups of one material are one subset
		const faces = new Map<string | undefined, number[]>();
		for (const { material, start, count } of groups) {
			const known = faces.get(material);
			const list = Array.from({ length: count }, (_, k) => start + k);
			if (known === undefined) faces.set(material, list);
			else for (const face of list) known.push(face);
		}
		const subsets = [...faces].filter(([, list]) => list.length > 0);
		if (subsets.length > 0) builder.uniform(path, 'subsetFamily:materialBind:familyType', T.token, 'nonOverlapping');
		return subsets.map(([material, list]) => {
			const name = names.take(primName(material ?? '', 'part'));
			const subset = builder.define(path.appendChild(name), 'GeomSubset');
			builder.uniform(subset, 'elementType', T.token, 'face');
			builder.uniform(subset, 'familyName', T.token, 'materialBind');
			builder.attribute(subset, 'indices', T.int.array, Int32Array.from(list));
			return { name, material };
		});
	}
}

function keyOf({ mesh, scale, quarter }: MeshUse): string {
	return `${mesh} ${scale} ${quarter}`;
}

/** How a shape uses a mesh, and the pose that is left when a quarter turn about x is in its points. */
export function meshUse(
	{ mesh, scale }: { readonly mesh: number; readonly scale: readonly [number, number, number] },
	pose: Float64Array,
): { readonly use: MeshUse; readonly pose: Float64Array } {
	const [x, y, z, w] = pose.subarray(3, 7) as unknown as [number, number, number, number];
	const isQuarter = Math.abs(Math.abs(x) - Math.SQRT1_2) < 1e-3 && Math.abs(Math.abs(w) - Math.SQRT1_2) < 1e-3;
	if (!isQuarter || Math.hypot(y, z) > 1e-3) return { use: { mesh, scale, quarter: 0 }, pose };
	const quarter = x * w > 0 ? 1 : -1;
	const back = Float64Array.of(0, 0, 0, -quarter * Math.SQRT1_2, 0, 0, Math.SQRT1_2);
	return { use: { mesh, scale, quarter }, pose: compose(pose, back) };
}

/** Why a mesh is no solid; undefined when it is one. */
function solidFault(mesh: TriangleMesh): string | undefined {
	const { boundaryEdges, nonManifoldEdges, misorientedEdges, nonManifoldVertices } = meshTopology(mesh);
	if (boundaryEdges.length > 0) return `it is open at ${boundaryEdges.length} edges`;
	if (nonManifoldEdges.length + nonManifoldVertices.length > 0) return 'its surfaces meet each other';
	if (misorientedEdges.length > 0) return 'its faces look in and out';
	if (solidMass(mesh).isInsideOut) return 'its faces look inwards';
	if (mesh.indices.length / 3 > MOST_TRIANGLES) return undefined;
	return findSelfIntersections(mesh, { limit: 1 }).length > 0 ? 'it passes through itself' : undefined;
}

/** Normals of unit length; those that point nowhere point up. */
function unitNormals(normals: Float64Array): Float32Array {
	const out = new Float32Array(normals.length);
	for (let i = 0; i < normals.length; i += 3) {
		const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!);
		const isUsable = length > 0 && Number.isFinite(length);
		for (let k = 0; k < 3; k++) out[i + k] = isUsable ? normals[i + k]! / length : k === 2 ? 1 : 0;
	}
	return out;
}
