import { GeoType } from '@manyworlds/model';
import { type ConvexShape, TRIANGLE } from './convex-shape.ts';

/** Corners of the polygon that stands for a round cap; the first is the deepest. */
const CAP_CORNERS = 8;
export const CAP_COSINES: Float64Array = Float64Array.from({ length: CAP_CORNERS }, (_, k) =>
	Math.cos((2 * Math.PI * k) / CAP_CORNERS),
);
export const CAP_SINES: Float64Array = Float64Array.from({ length: CAP_CORNERS }, (_, k) =>
	Math.sin((2 * Math.PI * k) / CAP_CORNERS),
);
/** A face that was not looked for. */
const UNKNOWN = -2;

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

	/** Unit direction in the world of the next `align` and `find`; `aim` sets it. */
	#dx = 0;
	#dy = 0;
	#dz = 0;
	/** The same in the frame of the shape at hand. */
	#lx = 0;
	#ly = 0;
	#lz = 0;
	readonly #local = new Float64Array(3);
	/** How well a flat face of the shape of the last `align` faces the direction: 0 without flat faces. */
	alignment = 0;
	/** Face of a hull that `align` found for the direction, for `find` of the same shape. */
	#aligned = UNKNOWN;

	/** Sets the direction. Numbers travel in fields, as those that go through calls are boxed. */
	aim(dx: number, dy: number, dz: number): void {
		this.#dx = dx;
		this.#dy = dy;
		this.#dz = dz;
		this.#aligned = UNKNOWN;
	}

	/** Finds how well a flat face of a shape faces the direction. */
	align(shape: ConvexShape): void {
		this.#turn(shape);
		switch (shape.type) {
			case GeoType.BOX:
				this.alignment = Math.max(Math.abs(this.#lx), Math.abs(this.#ly), Math.abs(this.#lz));
				break;
			case GeoType.CYLINDER:
				this.alignment = Math.abs(this.#lz);
				break;
			case GeoType.CONE:
				this.alignment = Math.max(0, -this.#lz);
				break;
			case TRIANGLE: {
				const n = triangleNormal(shape);
				this.alignment = Math.abs(n[0]! * this.#dx + n[1]! * this.#dy + n[2]! * this.#dz);
				break;
			}
			case GeoType.CONVEX_MESH: {
				const normals = shape.hull!.faceNormals;
				const face = this.#bestFace(shape);
				this.#aligned = face;
				const f = 3 * face;
				this.alignment =
					face < 0 ? 0 : normals[f]! * this.#lx + normals[f + 1]! * this.#ly + normals[f + 2]! * this.#lz;
				break;
			}
			default:
				this.alignment = 0;
		}
	}

	/**
	 * Takes the face, line or point of a shape that faces the direction best. Faces go around in either sense. After `align` it is
	 * for the same shape.
	 */
	find(shape: ConvexShape): void {
		this.count = 0;
		this.#turn(shape);
		const lx = this.#lx;
		const ly = this.#ly;
		const lz = this.#lz;
		const local = this.#local;
		switch (shape.type) {
			case GeoType.BOX:
				this.#boxFace(shape);
				break;
			case GeoType.CAPSULE:
				for (let side = -1; side <= 1; side += 2) {
					local[0] = shape.x * lx;
					local[1] = shape.x * ly;
					local[2] = side * shape.y + shape.x * lz;
					this.#add(shape, local, 0);
				}
				break;
			case GeoType.CYLINDER: {
				const radial = Math.sqrt(lx * lx + ly * ly);
				if (Math.abs(lz) >= radial) this.#cap(shape, lz < 0 ? -1 : 1);
				else {
					for (let side = -1; side <= 1; side += 2) {
						local[0] = (shape.x * lx) / radial;
						local[1] = (shape.x * ly) / radial;
						local[2] = side * shape.y;
						this.#add(shape, local, 0);
					}
				}
				break;
			}
			case GeoType.CONE: {
				const radial = Math.sqrt(lx * lx + ly * ly);
				const slant = Math.sqrt(shape.x * shape.x + 4 * shape.y * shape.y);
				const toSide = (2 * shape.y * radial + shape.x * lz) / slant;
				if (-lz >= toSide) {
					this.#cap(shape, -1);
					break;
				}
				if (radial > 0) {
					local[0] = (shape.x * lx) / radial;
					local[1] = (shape.x * ly) / radial;
					local[2] = -shape.y;
					this.#add(shape, local, 0);
				}
				local[0] = 0;
				local[1] = 0;
				local[2] = shape.y;
				this.#add(shape, local, 0);
				break;
			}
			case TRIANGLE:
				this.#setTriangleNormal(shape);
				for (let i = 0; i < 9; i += 3) this.#add(shape, shape.corners, i);
				break;
			case GeoType.CONVEX_MESH: {
				const { faceStart, faceVertices, faceNormals, vertices } = shape.hull!;
				const face = this.#aligned === UNKNOWN ? this.#bestFace(shape) : this.#aligned;
				if (face < 0) break;
				this.#setNormal(shape, faceNormals, 3 * face);
				const most = this.points.length / 3;
				const start = faceStart[face]!;
				const end = Math.min(faceStart[face + 1]!, start + most);
				for (let k = start; k < end; k++) this.#add(shape, vertices, 3 * faceVertices[k]!);
				break;
			}
		}
	}

	/** Takes the direction to the frame of a shape. */
	#turn(shape: ConvexShape): void {
		const r = shape.rotation;
		const x = this.#dx;
		const y = this.#dy;
		const z = this.#dz;
		this.#lx = r[0]! * x + r[1]! * y + r[2]! * z;
		this.#ly = r[3]! * x + r[4]! * y + r[5]! * z;
		this.#lz = r[6]! * x + r[7]! * y + r[8]! * z;
	}

	/**
	 * The face of a hull whose normal is closest to the direction; -1 without faces. Of large hulls only those at the farthest
	 * corner and its neighbours count: a direction lies between the normals around the corner that is farthest along it.
	 */
	#bestFace(shape: ConvexShape): number {
		const normals = shape.hull!.faceNormals;
		const lx = this.#lx;
		const ly = this.#ly;
		const lz = this.#lz;
		if (normals.length > 3 * 48) {
			const { cornerFaceStart, cornerFaces } = shape.hull!;
			shape.local[0] = lx;
			shape.local[1] = ly;
			shape.local[2] = lz;
			const corner = shape.farthestCorner();
			let face = -1;
			let largest = Number.NEGATIVE_INFINITY;
			for (let f = cornerFaceStart[corner]!; f < cornerFaceStart[corner + 1]!; f++) {
				const i = 3 * cornerFaces[f]!;
				const value = normals[i]! * lx + normals[i + 1]! * ly + normals[i + 2]! * lz;
				if (value > largest) {
					largest = value;
					face = cornerFaces[f]!;
				}
			}
			return face;
		}
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

	/** Sets the normal from one in the frame of a shape: three numbers from `at` on. */
	#setNormal(shape: ConvexShape, from: Float64Array, at: number): void {
		const r = shape.rotation;
		const x = from[at]!;
		const y = from[at + 1]!;
		const z = from[at + 2]!;
		this.nx = r[0]! * x + r[3]! * y + r[6]! * z;
		this.ny = r[1]! * x + r[4]! * y + r[7]! * z;
		this.nz = r[2]! * x + r[5]! * y + r[8]! * z;
	}

	/** The side of a triangle that faces the direction. */
	#setTriangleNormal(shape: ConvexShape): void {
		const n = triangleNormal(shape);
		const sign = n[0]! * this.#dx + n[1]! * this.#dy + n[2]! * this.#dz < 0 ? -1 : 1;
		this.nx = sign * n[0]!;
		this.ny = sign * n[1]!;
		this.nz = sign * n[2]!;
	}

	#boxFace(shape: ConvexShape): void {
		const lx = this.#lx;
		const ly = this.#ly;
		const lz = this.#lz;
		const ax = Math.abs(lx);
		const ay = Math.abs(ly);
		const az = Math.abs(lz);
		const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
		const side = (axis === 0 ? lx : axis === 1 ? ly : lz) < 0 ? -1 : 1;
		const local = this.#local;
		local[0] = axis === 0 ? side : 0;
		local[1] = axis === 1 ? side : 0;
		local[2] = axis === 2 ? side : 0;
		this.#setNormal(shape, local, 0);
		for (let corner = 0; corner < 4; corner++) {
			// around the face
			const first = corner === 1 || corner === 2 ? 1 : -1;
			const second = corner < 2 ? -1 : 1;
			local[0] = (axis === 0 ? side : first) * shape.x;
			local[1] = (axis === 1 ? side : axis === 0 ? first : second) * shape.y;
			local[2] = (axis === 2 ? side : second) * shape.z;
			this.#add(shape, local, 0);
		}
	}

	/** Points on the rim of the cap on one side, the first where the direction leans to. */
	#cap(shape: ConvexShape, side: number): void {
		const lx = this.#lx;
		const ly = this.#ly;
		const local = this.#local;
		local[0] = 0;
		local[1] = 0;
		local[2] = side;
		this.#setNormal(shape, local, 0);
		const radial = Math.sqrt(lx * lx + ly * ly);
		// a cap that lies flat has no lean but rounding: its points then stay where they are in the body
		const isLeaning = radial > 1e-6;
		const cx = isLeaning ? lx / radial : 1;
		const cy = isLeaning ? ly / radial : 0;
		for (let k = 0; k < CAP_CORNERS; k++) {
			const c = CAP_COSINES[k]!;
			const s = CAP_SINES[k]!;
			local[0] = shape.x * (c * cx - s * cy);
			local[1] = shape.x * (s * cx + c * cy);
			local[2] = side * shape.y;
			this.#add(shape, local, 0);
		}
	}

	/** Adds a point of the frame of a shape: three numbers from `from` on. */
	#add(shape: ConvexShape, local: Float64Array, from: number): void {
		const r = shape.rotation;
		const x = local[from]!;
		const y = local[from + 1]!;
		const z = local[from + 2]!;
		const at = 3 * this.count++;
		this.points[at] = shape.px + r[0]! * x + r[3]! * y + r[6]! * z;
		this.points[at + 1] = shape.py + r[1]! * x + r[4]! * y + r[7]! * z;
		this.points[at + 2] = shape.pz + r[2]! * x + r[5]! * y + r[8]! * z;
	}
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
