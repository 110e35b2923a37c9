import { InternalError } from '@manyworlds/core';
import {
	convexHull,
	createCapsule,
	createCone,
	createCylinder,
	createEllipsoid,
	type TriangleMesh,
} from '@manyworlds/mesh';
import type {
	ConversionGeometry,
	ConversionMesh,
	ConversionModel,
	ConversionShape,
} from '../model/conversion-model.ts';
import { writeMtl, writeObj, writeStl } from './mesh-text.ts';
import type { TargetFile } from './target-files.ts';
import type { TextureFiles } from './texture-files.ts';
import { UniqueNames } from './unique-names.ts';

/** Pieces around round shapes that become meshes. */
const ROUND = { segments: 48, rings: 24 };

/** Mesh files of a target: one for each mesh and use, shared by all shapes of it. */
export class ShapeMeshes {
	readonly files: TargetFile[] = [];
	readonly #model: ConversionModel;
	readonly #folder: string;
	readonly #textures: TextureFiles;
	readonly #names = new UniqueNames();
	readonly #known = new Map<string, string>();

	constructor(model: ConversionModel, folder: string, textures: TextureFiles) {
		this.#model = model;
		this.#folder = folder;
		this.#textures = textures;
	}

	/** Path of the mesh of a shape: STL for what collides, OBJ with its materials for what is seen. */
	pathOf(shape: ConversionShape): string {
		const { geometry, role, name } = shape;
		const asset = geometry.kind === 'mesh' ? this.#model.meshes[geometry.mesh]! : undefined;
		const isHull = role === 'collision' && asset !== undefined && shape.approximation === 'convexHull';
		const key = `${role} ${isHull} ${geometry.kind === 'mesh' ? geometry.mesh : JSON.stringify(geometry)}`;
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const wanted = fileName(asset?.name || name || geometry.kind);
		const stem = this.#names.take(role === 'collision' ? `${wanted}_collision` : wanted);
		const path =
			role === 'collision'
				? this.#collision(stem, asset?.mesh ?? tessellate(geometry), isHull)
				: this.#visual(stem, asset ?? { name: wanted, mesh: tessellate(geometry), materials: new Map() });
		this.#known.set(key, path);
		return path;
	}

	#collision(stem: string, mesh: TriangleMesh, isHull: boolean): string {
		const path = `${this.#folder}/${stem}.stl`;
		this.files.push({ path, content: writeStl(isHull ? hullOf(mesh) : mesh) });
		return path;
	}

	#visual(stem: string, { mesh, materials, file }: ConversionMesh): string {
		const path = `${this.#folder}/${stem}.obj`;
		const used = new Set(mesh.groups?.flatMap(({ material }) => material ?? []));
		const looks = [...materials].filter(([name]) => used.has(name));
		const library = looks.length > 0 ? { materialLibrary: `${stem}.mtl` } : {};
		this.files.push({ path, content: writeObj(mesh, library) });
		if (looks.length > 0) {
			const textureOf = (texture: string): string | undefined => {
				const found = this.#textures.pathOf(texture, file ?? '');
				return found === undefined ? undefined : `../${found}`;
			};
			this.files.push({ path: `${this.#folder}/${stem}.mtl`, content: writeMtl(looks, textureOf) });
		}
		return path;
	}
}

/** The hull of a mesh, or the mesh where it is flat and has none. */
function hullOf(mesh: TriangleMesh): TriangleMesh {
	const hull = convexHull(mesh.vertices);
	return hull.dimension === 3 ? hull.mesh : mesh;
}

/** Letters, digits and a few signs: nothing that leads out of the folder. */
export function fileName(wanted: string): string {
	return wanted.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/\.{2,}|^\./g, '_') || 'file';
}

/** A round shape as triangles, corners on its surface. */
function tessellate(geometry: ConversionGeometry): TriangleMesh {
	switch (geometry.kind) {
		case 'cylinder':
			return createCylinder(geometry.radius, geometry.length / 2, ROUND);
		case 'capsule':
			return createCapsule(geometry.radius, geometry.length / 2, ROUND);
		case 'cone':
			return createCone(geometry.radius, geometry.length / 2, ROUND);
		case 'sphere':
			return createEllipsoid(geometry.radius, geometry.radius, geometry.radius, ROUND);
		case 'ellipsoid':
			return createEllipsoid(...geometry.radii, ROUND);
		default:
			throw new InternalError(`a ${geometry.kind} needs no mesh`);
	}
}
