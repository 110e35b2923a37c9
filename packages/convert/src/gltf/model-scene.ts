import { mat4FromTrs } from '@manyworlds/core/internal';
import { convexHull, type TriangleMesh } from '@manyworlds/mesh';
import type { AssetStore } from '@manyworlds/usd';
import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionGeometry, ConversionModel, ConversionShape, ShapeRole } from '../model/conversion-model.ts';
import { type Look, lookOf, lookOfGroup } from '../model/look.ts';
import { compose } from '../model/pose.ts';
import type { GltfDocument } from './gltf-document.ts';
import { GltfMaterials, type WrittenMaterial } from './gltf-materials.ts';
import { addMesh, type MeshPart } from './gltf-meshes.ts';
import { GltfTextures } from './gltf-textures.ts';
import type { ImageInput, SurfaceInput } from './preview-surface.ts';
import { type SceneNode, type SceneNodes, writeNodes } from './scene-nodes.ts';
import { keepUsed, renumbered, type SurfaceMesh, usedVertices } from './surface-mesh.ts';
import { type PlainShape, Tessellator } from './tessellate.ts';

/** Writes links as nodes below the links that hold them, with what is seen of them, or with what they touch with. */
export function writeModelScene(
	document: GltfDocument,
	model: ConversionModel,
	store: AssetStore,
	ledger: ConversionLedger,
	role: ShapeRole = 'visual',
): SceneNodes {
	const nodes: SceneNode[] = model.bodies.map(({ name, pose }) => ({
		name,
		world: matrixOf(pose),
		isPose: true,
		parent: undefined,
		attachments: [],
	}));
	const bodies = [...nodes];
	for (const { parent, child } of model.joints) if (parent >= 0) bodies[child]!.parent = bodies[parent]!;
	const worldOf = (body: number, pose: Float64Array): Float64Array =>
		body < 0 ? pose : compose(model.bodies[body]!.pose, pose);
	for (const { name, body, pose } of model.frames) {
		nodes.push({
			name,
			world: matrixOf(worldOf(body, pose)),
			isPose: false,
			parent: bodies[body],
			attachments: [],
		});
	}
	const writer = new ShapeWriter(document, model, store, ledger);
	for (const [index, shape] of model.shapes.entries()) {
		if (shape.role !== role) continue;
		const kind = role === 'visual' ? 'visual' : 'collider';
		if (role === 'collision') ledger.hold('collider', index);
		if (shape.geometry.kind === 'plane' && shape.geometry.size === undefined) {
			ledger.drop(kind, index, 'surroundings', 'a plane without an end is not drawn');
			continue;
		}
		const scale = shape.geometry.kind === 'mesh' ? shape.geometry.scale : ([1, 1, 1] as const);
		nodes.push({
			name: shape.name || `${model.bodies[shape.body]?.name ?? 'world'}_${role}`,
			world: matrixOf(worldOf(shape.body, shape.pose), scale),
			isPose: false,
			parent: bodies[shape.body],
			attachments: [
				() => {
					const mesh = writer.mesh(shape, index);
					return mesh === undefined ? undefined : { mesh };
				},
			],
		});
	}
	const root = { name: role === 'visual' ? 'scene' : 'colliders', rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] };
	const { roots, indexOf } = writeNodes(document, nodes, root);
	return { roots, bodies: new Map(bodies.map((node, body) => [body, indexOf.get(node)!])), unit: 1 };
}

/** Meshes and materials of shapes. */
class ShapeWriter {
	readonly #document: GltfDocument;
	readonly #model: ConversionModel;
	readonly #store: AssetStore;
	readonly #ledger: ConversionLedger;
	readonly #materials: GltfMaterials;
	readonly #shapes = new Tessellator();
	readonly #surfaces = new Map<string, SurfaceMesh>();

	constructor(document: GltfDocument, model: ConversionModel, store: AssetStore, ledger: ConversionLedger) {
		this.#document = document;
		this.#model = model;
		this.#store = store;
		this.#ledger = ledger;
		this.#materials = new GltfMaterials(document, new GltfTextures(document, store, ledger));
	}

	/** Index of the mesh of a shape; undefined when its size makes none. */
	mesh(shape: ConversionShape, index: number): number | undefined {
		const parts = this.#parts(shape, index);
		if (parts.length > 0) return addMesh(this.#document, shape.name || shape.geometry.kind, parts);
		const kind = shape.role === 'visual' ? 'visual' : 'collider';
		this.#ledger.drop(kind, index, 'shape-tessellated', `the ${shape.geometry.kind} has no surface`);
		return undefined;
	}

	#parts(shape: ConversionShape, index: number): MeshPart[] {
		const { geometry, material } = shape;
		const own = material === undefined ? undefined : this.#model.materials[material]!;
		const look = own === undefined ? undefined : lookOf(own);
		if (geometry.kind !== 'mesh') {
			const kind = shape.role === 'visual' ? 'visual' : 'collider';
			this.#ledger.approximate(kind, index, 'shape-tessellated', 'glTF has triangles only');
			const mesh = this.#shapes.mesh(plainShape(geometry));
			return mesh === undefined ? [] : [{ mesh, material: this.#material(look, false, material).material }];
		}
		const asset = this.#model.meshes[geometry.mesh]!;
		const { mesh, materials, file } = asset;
		if (shape.role === 'collision') {
			return [
				{
					mesh: this.#collider(geometry.mesh, shape.approximation),
					material: this.#material(undefined, false, undefined).material,
				},
			];
		}
		const groups = mesh.groups ?? [];
		if (look !== undefined || groups.length === 0 || materials.size === 0) {
			const { material: written } = this.#material(look, mesh.uvs !== undefined, material);
			return [{ mesh: this.#surface(geometry.mesh, 0, mesh.indices.length / 3), material: written }];
		}
		return groups.flatMap(({ material: name, start, count }) => {
			const found = name === undefined ? undefined : materials.get(name);
			const written = this.#material(lookOfGroup(name, found, file ?? ''), mesh.uvs !== undefined, undefined);
			return count === 0 ? [] : [{ mesh: this.#surface(geometry.mesh, start, count), material: written.material }];
		});
	}

	/** What a mesh touches with: its hull, or itself. */
	#collider(mesh: number, approximation: ConversionShape['approximation']): SurfaceMesh {
		const isHull = approximation === 'convexHull';
		const key = `collider ${mesh} ${isHull}`;
		let found = this.#surfaces.get(key);
		if (found === undefined) {
			const { mesh: own } = this.#model.meshes[mesh]!;
			const hull = isHull ? convexHull(own.vertices) : undefined;
			const touching = hull?.dimension === 3 ? hull.mesh : { vertices: own.vertices, indices: own.indices };
			found = surfaceOf(touching, 0, touching.indices.length / 3);
			this.#surfaces.set(key, found);
		}
		return found;
	}

	#surface(mesh: number, start: number, count: number): SurfaceMesh {
		const key = `${mesh} ${start} ${count}`;
		let found = this.#surfaces.get(key);
		if (found === undefined) {
			found = surfaceOf(this.#model.meshes[mesh]!.mesh, start, count);
			this.#surfaces.set(key, found);
		}
		return found;
	}

	#material(look: Look | undefined, hasUvs: boolean, item: number | undefined): WrittenMaterial {
		const ground = {
			primvar: (name: string) => (name === 'st' && hasUvs ? { constant: undefined } : undefined),
			isDoubleSided: false,
			displayColor: undefined,
			displayOpacity: undefined,
		};
		if (look === undefined) {
			const grey: SurfaceInput = { kind: 'constant', numbers: [0.5, 0.5, 0.5] };
			const inputs = new Map([['diffuseColor', grey]]);
			return this.#materials.surface('grey', { inputs, opacityMode: 'presence', problems: [] }, ground, () => {});
		}
		const constant = (...numbers: number[]): SurfaceInput => ({ kind: 'constant', numbers });
		const inputs = new Map<string, SurfaceInput>([
			['diffuseColor', look.texture === undefined ? constant(...look.color) : this.#image(look.texture, look.anchor)],
			['opacity', constant(look.opacity)],
			['metallic', constant(look.metallic)],
			['roughness', constant(look.roughness)],
		]);
		return this.#materials.surface(
			look.name,
			{ inputs, opacityMode: 'presence', problems: [] },
			ground,
			(code, message) => {
				if (item !== undefined) this.#ledger.approximate('material', item, code, message);
			},
		);
	}

	#image(address: string, anchor: string): SurfaceInput {
		const { identifier, refusal } = this.#store.identify(address, anchor);
		const image: ImageInput = {
			file: refusal === undefined ? identifier : undefined,
			address,
			channels: [0, 1, 2],
			space: 'auto',
			scale: [1, 1, 1, 1],
			bias: [0, 0, 0, 0],
			isScaled: false,
			wrap: ['repeat', 'repeat'],
			fallback: [0.5, 0.5, 0.5, 1],
			primvar: 'st',
			at: [0, 0],
			matrix: [1, 0, 0, 0, 1, 0],
			turn: undefined,
		};
		return { kind: 'image', image };
	}
}

function matrixOf(pose: Float64Array, scale: readonly number[] = [1, 1, 1]): Float64Array {
	return mat4FromTrs(new Float64Array(16), pose, pose.subarray(3, 7), Float64Array.from(scale));
}

/** Triangles of a mesh, the vertices that they use in their order. */
function surfaceOf({ vertices, indices, normals, uvs }: TriangleMesh, start: number, count: number): SurfaceMesh {
	const corners = indices.subarray(3 * start, 3 * (start + count));
	const used = usedVertices(corners, vertices.length / 3);
	const directions = normals === undefined ? undefined : unitNormals(keepUsed(normals, 3, used));
	return {
		positions: keepUsed(vertices, 3, used),
		indices: used === undefined ? corners : renumbered(corners, used),
		...(directions === undefined ? {} : { normals: directions }),
		uvs: uvs === undefined ? [] : [upsideDown(keepUsed(uvs, 2, used))],
	};
}

/** Coordinates of images with the second one down. */
function upsideDown(uvs: Float32Array): Float32Array {
	for (let i = 1; i < uvs.length; i += 2) uvs[i] = 1 - uvs[i]!;
	return uvs;
}

/** Normals of unit length; undefined when one points nowhere, as faces then shade better without. */
function unitNormals(normals: Float32Array): Float32Array | undefined {
	for (let i = 0; i < normals.length; i += 3) {
		const length = Math.sqrt(normals[i]! ** 2 + normals[i + 1]! ** 2 + normals[i + 2]! ** 2);
		if (!(length > 0) || !Number.isFinite(length)) return undefined;
		for (let k = 0; k < 3; k++) normals[i + k] = normals[i + k]! / length;
	}
	return normals;
}

function plainShape(geometry: Exclude<ConversionGeometry, { kind: 'mesh' }>): PlainShape {
	switch (geometry.kind) {
		case 'box': {
			const [x, y, z] = geometry.size;
			return { kind: 'box', half: [x / 2, y / 2, z / 2] };
		}
		case 'sphere':
			return { kind: 'ellipsoid', radii: [geometry.radius, geometry.radius, geometry.radius] };
		case 'ellipsoid':
			return { kind: 'ellipsoid', radii: geometry.radii };
		case 'plane': {
			const [x, y] = geometry.size ?? [0, 0];
			return { kind: 'plane', half: [x / 2, y / 2] };
		}
		default:
			return { kind: geometry.kind, radius: geometry.radius, half: geometry.length / 2 };
	}
}
