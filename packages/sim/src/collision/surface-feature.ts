import { GeoType } from '@manyworlds/model';
import { type ConvexShape, TRIANGLE } from './convex-shape.ts';

/** Corners of the polygon that stands for a round cap; the first is the deepest. */
const CAP_CORNERS = 8;

/** Corners of a flat face, the ends of a straight line on a round surface, or nothing for a point. */
export class SurfaceFeature {
	/** World points on the surface; three numbers each. */
	readonly points: Float64Array;
	count = 0;
	/** Outward unit normal of the face; only faces, which have three corners or more, have one. */
	nx = 0;
	ny = 0;
	nz = 0;

	constructor(capacity: number = 64) {
		this.points = new Float64Array(3 * capacity);
	}

	/** How well a flat face of a shape faces a unit direction; 0 without flat faces. */
	static alignment(shape: ConvexShape, dx: number, dy: number, dz: number): number {
		const r = shape.rotation;
		switch (shape.type) {
			case GeoType.BOX:
				return Math.max(
					Math.abs(r[0]! * dx + r[1]! * dy + r[2]! * dz),
					Math.abs(r[3]! * dx + r[4]! * dy + r[5]! * dz),
					Math.abs(r[6]! * dx + r[7]! * dy + r[8]! * dz),
				);
			case GeoType.CYLINDER:
				return Math.abs(r[6]! * dx + r[7]! * dy + r[8]! * dz);
			case GeoType.CONE:
				return Math.max(0, -(r[6]! * dx + r[7]! * dy + r[8]! * dz));
			case TRIANGLE: {
				const n = triangleNormal(shape);
				return Math.abs(n[0]! * dx + n[1]! * dy + n[2]! * dz);
			}
			case GeoType.CONVEX_MESH: {
				const normals = shape.hull!.faceNormals;
				const face = bestFace(shape, dx, dy, dz);
				if (face < 0) return 0;
				const [lx, ly, lz] = [
					r[0]! * dx + r[1]! * dy + r[2]! * dz,
					r[3]! * dx + r[4]! * dy + r[5]! * dz,
					r[6]! * dx + r[7]! * dy + r[8]! * dz,
				];
				return normals[3 * face]! * lx + normals[3 * face + 1]! * ly + normals[3 * face + 2]! * lz;
			}
			default:
				return 0;
		}
	}

	/** Takes the face, line or point of a shape that faces a unit direction best. Faces go around in either sense. */
	find(shape: ConvexShape, dx: number, dy: number, dz: number): void {
		this.count = 0;
		const r = shape.rotation;
		const lx = r[0]! * dx + r[1]! * dy + r[2]! * dz;
		const ly = r[3]! * dx + r[4]! * dy + r[5]! * dz;
		const lz = r[6]! * dx + r[7]! * dy + r[8]! * dz;
		switch (shape.type) {
			case GeoType.BOX:
				this.#boxFace(shape, lx, ly, lz);
				break;
			case GeoType.CAPSULE:
				this.#addLocal(shape, shape.x * lx, shape.x * ly, -shape.y + shape.x * lz);
				this.#addLocal(shape, shape.x * lx, shape.x * ly, shape.y + shape.x * lz);
				break;
			case GeoType.CYLINDER: {
				const radial = Math.sqrt(lx * lx + ly * ly);
				if (Math.abs(lz) >= radial) this.#cap(shape, lx, ly, lz < 0 ? -shape.y : shape.y);
				else {
					const [x, y] = [(shape.x * lx) / radial, (shape.x * ly) / radial];
					this.#addLocal(shape, x, y, -shape.y);
					this.#addLocal(shape, x, y, shape.y);
				}
				break;
			}
			case GeoType.CONE: {
				const radial = Math.sqrt(lx * lx + ly * ly);
				const slant = Math.hypot(shape.x, 2 * shape.y);
				const toSide = (2 * shape.y * radial + shape.x * lz) / slant;
				if (-lz >= toSide) this.#cap(shape, lx, ly, -shape.y);
				else if (radial > 0) {
					this.#addLocal(shape, (shape.x * lx) / radial, (shape.x * ly) / radial, -shape.y);
					this.#addLocal(shape, 0, 0, shape.y);
				} else this.#addLocal(shape, 0, 0, shape.y);
				break;
			}
			case TRIANGLE:
				this.#setTriangleNormal(shape, dx, dy, dz);
				for (let i = 0; i < 9; i += 3) {
					this.#addLocal(shape, shape.corners[i]!, shape.corners[i + 1]!, shape.corners[i + 2]!);
				}
				break;
			case GeoType.CONVEX_MESH: {
				const { faceStart, faceVertices, faceNormals, vertices } = shape.hull!;
				const face = bestFace(shape, dx, dy, dz);
				if (face < 0) break;
				this.#setNormal(shape, faceNormals[3 * face]!, faceNormals[3 * face + 1]!, faceNormals[3 * face + 2]!);
				const most = this.points.length / 3;
				const start = faceStart[face]!;
				const end = Math.min(faceStart[face + 1]!, start + most);
				for (let k = start; k < end; k++) {
					const i = 3 * faceVertices[k]!;
					this.#addLocal(shape, vertices[i]!, vertices[i + 1]!, vertices[i + 2]!);
				}
				break;
			}
		}
	}

	#setNormal(shape: ConvexShape, x: number, y: number, z: number): void {
		const r = shape.rotation;
		this.nx = r[0]! * x + r[3]! * y + r[6]! * z;
		this.ny = r[1]! * x + r[4]! * y + r[7]! * z;
		this.nz = r[2]! * x + r[5]! * y + r[8]! * z;
	}

	/** The side of a triangle that faces a direction. */
	#setTriangleNormal(shape: ConvexShape, dx: number, dy: number, dz: number): void {
		const n = triangleNormal(shape);
		const sign = n[0]! * dx + n[1]! * dy + n[2]! * dz < 0 ? -1 : 1;
		this.nx = sign * n[0]!;
		this.ny = sign * n[1]!;
		this.nz = sign * n[2]!;
	}

	#boxFace(shape: ConvexShape, lx: number, ly: number, lz: number): void {
		const ax = Math.abs(lx);
		const ay = Math.abs(ly);
		const az = Math.abs(lz);
		const { x, y, z } = shape;
		if (ax >= ay && ax >= az) {
			this.#setNormal(shape, lx < 0 ? -1 : 1, 0, 0);
			const s = lx < 0 ? -x : x;
			this.#addLocal(shape, s, -y, -z);
			this.#addLocal(shape, s, y, -z);
			this.#addLocal(shape, s, y, z);
			this.#addLocal(shape, s, -y, z);
		} else if (ay >= az) {
			this.#setNormal(shape, 0, ly < 0 ? -1 : 1, 0);
			const s = ly < 0 ? -y : y;
			this.#addLocal(shape, -x, s, -z);
			this.#addLocal(shape, x, s, -z);
			this.#addLocal(shape, x, s, z);
			this.#addLocal(shape, -x, s, z);
		} else {
			this.#setNormal(shape, 0, 0, lz < 0 ? -1 : 1);
			const s = lz < 0 ? -z : z;
			this.#addLocal(shape, -x, -y, s);
			this.#addLocal(shape, x, -y, s);
			this.#addLocal(shape, x, y, s);
			this.#addLocal(shape, -x, y, s);
		}
	}

	/** Points on the rim of a cap, the first where the direction leans to. */
	#cap(shape: ConvexShape, lx: number, ly: number, height: number): void {
		this.#setNormal(shape, 0, 0, height < 0 ? -1 : 1);
		const radial = Math.sqrt(lx * lx + ly * ly);
		// a cap that lies flat has no lean but rounding: its points then stay where they are in the body
		const isLeaning = radial > 1e-6;
		const cx = isLeaning ? lx / radial : 1;
		const cy = isLeaning ? ly / radial : 0;
		for (let k = 0; k < CAP_CORNERS; k++) {
			const angle = (2 * Math.PI * k) / CAP_CORNERS;
			const c = Math.cos(angle);
			const s = Math.sin(angle);
			this.#addLocal(shape, shape.x * (c * cx - s * cy), shape.x * (s * cx + c * cy), height);
		}
	}

	#addLocal(shape: ConvexShape, x: number, y: number, z: number): void {
		const r = shape.rotation;
		const at = 3 * this.count++;
		this.points[at] = shape.px + r[0]! * x + r[3]! * y + r[6]! * z;
		this.points[at + 1] = shape.py + r[1]! * x + r[4]! * y + r[7]! * z;
		this.points[at + 2] = shape.pz + r[2]! * x + r[5]! * y + r[8]! * z;
	}
}

/** The face of a hull whose normal is closest to a world direction; -1 without faces. */
function bestFace(shape: ConvexShape, dx: number, dy: number, dz: number): number {
	const r = shape.rotation;
	const lx = r[0]! * dx + r[1]! * dy + r[2]! * dz;
	const ly = r[3]! * dx + r[4]! * dy + r[5]! * dz;
	const lz = r[6]! * dx + r[7]! * dy + r[8]! * dz;
	const normals = shape.hull!.faceNormals;
	let best = -1;
	let most = Number.NEGATIVE_INFINITY;
	for (let i = 0; i < normals.length; i += 3) {
		const value = normals[i]! * lx + normals[i + 1]! * ly + normals[i + 2]! * lz;
		if (value > most) {
			most = value;
			best = i / 3;
		}
	}
	return best;
}

const normal = new Float64Array(3);

/** World normal of a triangle; the array is used again. */
export function triangleNormal(shape: ConvexShape): Float64Array {
	const c = shape.corners;
	const r = shape.rotation;
	const ux = c[3]! - c[0]!;
	const uy = c[4]! - c[1]!;
	const uz = c[5]! - c[2]!;
	const vx = c[6]! - c[0]!;
	const vy = c[7]! - c[1]!;
	const vz = c[8]! - c[2]!;
	let x = uy * vz - uz * vy;
	let y = uz * vx - ux * vz;
	let z = ux * vy - uy * vx;
	const length = Math.sqrt(x * x + y * y + z * z) || 1;
	x /= length;
	y /= length;
	z /= length;
	normal[0] = r[0]! * x + r[3]! * y + r[6]! * z;
	normal[1] = r[1]! * x + r[4]! * y + r[7]! * z;
	normal[2] = r[2]! * x + r[5]! * y + r[8]! * z;
	return normal;
}
