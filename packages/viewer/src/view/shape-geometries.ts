import {
	BoxGeometry,
	BufferAttribute,
	BufferGeometry,
	CapsuleGeometry,
	ConeGeometry,
	CylinderGeometry,
	Matrix4,
	PlaneGeometry,
	SphereGeometry,
} from 'three';
import type { MeshArrays, ShapeRow } from '../asset/asset-types.ts';
import { writePose } from './pose-matrix.ts';

/** three.js draws round solids along y, models along z. */
const ALONG_Z = new Matrix4().makeRotationX(Math.PI / 2);
/** Half length of a plane that has no end [m]. */
const FAR = 10;

/** Geometries of the shapes of a model; equal ones are one. */
export class ShapeGeometries {
	readonly #meshes: readonly MeshArrays[];
	readonly #known = new Map<string, BufferGeometry>();

	constructor(meshes: readonly MeshArrays[]) {
		this.#meshes = meshes;
	}

	/** The geometry of a shape, and where it is in the frame of its link. */
	of(shape: ShapeRow): { readonly geometry: BufferGeometry; readonly matrix: Matrix4 } {
		const key = shape.mesh === undefined ? `${shape.kind} ${shape.scale.join(' ')}` : `mesh ${shape.mesh}`;
		let geometry = this.#known.get(key);
		if (geometry === undefined) {
			geometry = shape.mesh === undefined ? solid(shape) : triangles(this.#meshes[shape.mesh]!);
			this.#known.set(key, geometry);
		}
		return { geometry, matrix: writePose(new Matrix4(), shape.pose, 0) };
	}

	dispose(): void {
		for (const geometry of this.#known.values()) geometry.dispose();
	}
}

function solid({ kind, scale: [x, y, z] }: ShapeRow): BufferGeometry {
	switch (kind) {
		case 'sphere':
			return new SphereGeometry(x, 32, 16);
		case 'ellipsoid':
			return new SphereGeometry(1, 32, 16).scale(x, y, z);
		case 'box':
			return new BoxGeometry(2 * x, 2 * y, 2 * z);
		case 'capsule':
			return new CapsuleGeometry(x, 2 * y, 8, 24).applyMatrix4(ALONG_Z);
		case 'cylinder':
			return new CylinderGeometry(x, x, 2 * y, 32).applyMatrix4(ALONG_Z);
		case 'cone':
			return new ConeGeometry(x, 2 * y, 32).applyMatrix4(ALONG_Z);
		default:
			return new PlaneGeometry(x > 0 ? x : 2 * FAR, y > 0 ? y : 2 * FAR);
	}
}

function triangles({ positions, indices }: MeshArrays): BufferGeometry {
	const geometry = new BufferGeometry();
	geometry.setAttribute('position', new BufferAttribute(positions, 3));
	geometry.setIndex(new BufferAttribute(indices, 1));
	geometry.computeVertexNormals();
	return geometry;
}
