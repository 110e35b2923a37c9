import type { ConvexShape } from './convex-shape.ts';

/** Axes across two edges shorter than this are parallel edges, which add nothing. */
const SHORTEST = 1e-6;
/** Normals of the faces of both boxes, then the directions across an edge of each. */
const FACE_AXES = 6;
const AXES = 15;

/**
 * The axis along which two boxes are farthest apart, or overlap least, among the normals of their faces and the directions
 * across two edges (Gottschalk 1996). Results are fields.
 */
export class BoxAxes {
	/** Separation from which on boxes are of no interest [m]: the first axis that shows it ends the search. */
	limit: number = Number.POSITIVE_INFINITY;
	/** Separation along the axis [m], negative for an overlap. */
	separation = 0;
	/** Unit axis from the first box to the second. */
	nx = 0;
	ny = 0;
	nz = 0;
	/** Whether the axis is the normal of a face. */
	isFace = false;
	/** Otherwise, which edges of the boxes it is across: 0 to 2 each. */
	#edgeA = 0;
	#edgeB = 0;

	/** Finds the axis. */
	compute(A: ConvexShape, B: ConvexShape): void {
		const ra = A.rotation;
		const rb = B.rotation;
		const { x: ax, y: ay, z: az } = A;
		const { x: bx, y: by, z: bz } = B;
		const { limit } = this;
		const dx = B.px - A.px;
		const dy = B.py - A.py;
		const dz = B.pz - A.pz;
		let best = Number.NEGATIVE_INFINITY;
		for (let axis = 0; axis < AXES; axis++) {
			let x: number;
			let y: number;
			let z: number;
			if (axis < FACE_AXES) {
				const r = axis < 3 ? ra : rb;
				const i = 3 * (axis < 3 ? axis : axis - 3);
				x = r[i]!;
				y = r[i + 1]!;
				z = r[i + 2]!;
			} else {
				// an edge must win clearly: faces give better contacts
				if (axis === FACE_AXES) best += 1e-9 * (ax + ay + az + bx + by + bz);
				const j = 3 * (axis % 3);
				const i = axis - FACE_AXES - j / 3;
				x = ra[i + 1]! * rb[j + 2]! - ra[i + 2]! * rb[j + 1]!;
				y = ra[i + 2]! * rb[j]! - ra[i]! * rb[j + 2]!;
				z = ra[i]! * rb[j + 1]! - ra[i + 1]! * rb[j]!;
				const length = Math.sqrt(x * x + y * y + z * z);
				if (length < SHORTEST) continue;
				x /= length;
				y /= length;
				z /= length;
			}
			const along = x * dx + y * dy + z * dz;
			// how far both boxes reach along the axis from their centres
			const reachA =
				ax * Math.abs(ra[0]! * x + ra[1]! * y + ra[2]! * z) +
				ay * Math.abs(ra[3]! * x + ra[4]! * y + ra[5]! * z) +
				az * Math.abs(ra[6]! * x + ra[7]! * y + ra[8]! * z);
			const reachB =
				bx * Math.abs(rb[0]! * x + rb[1]! * y + rb[2]! * z) +
				by * Math.abs(rb[3]! * x + rb[4]! * y + rb[5]! * z) +
				bz * Math.abs(rb[6]! * x + rb[7]! * y + rb[8]! * z);
			const separation = Math.abs(along) - reachA - reachB;
			if (!(separation > best)) continue;
			const sign = along < 0 ? -1 : 1;
			best = separation;
			this.nx = sign * x;
			this.ny = sign * y;
			this.nz = sign * z;
			this.separation = separation;
			this.isFace = axis < FACE_AXES;
			this.#edgeB = axis % 3;
			this.#edgeA = (axis - FACE_AXES - this.#edgeB) / 3;
			if (separation > limit) break;
		}
	}

	/**
	 * Writes the points where the two edges that an axis across edges was found of come nearest to each other, which are those of the
	 * boxes then. False when they are not on the edges: boxes that are apart may be nearest elsewhere.
	 */
	writePoints(A: ConvexShape, B: ConvexShape, pointA: Float64Array, pointB: Float64Array): boolean {
		const ra = A.rotation;
		const rb = B.rotation;
		this.#toEdge(A, this.#edgeA, 1, pointA);
		this.#toEdge(B, this.#edgeB, -1, pointB);
		const i = 3 * this.#edgeA;
		const j = 3 * this.#edgeB;
		const ux = ra[i]!;
		const uy = ra[i + 1]!;
		const uz = ra[i + 2]!;
		const vx = rb[j]!;
		const vy = rb[j + 1]!;
		const vz = rb[j + 2]!;
		const dx = pointB[0]! - pointA[0]!;
		const dy = pointB[1]! - pointA[1]!;
		const dz = pointB[2]! - pointA[2]!;
		const uv = ux * vx + uy * vy + uz * vz;
		const ud = ux * dx + uy * dy + uz * dz;
		const vd = vx * dx + vy * dy + vz * dz;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const squared = cx * cx + cy * cy + cz * cz;
		const s = (ud - uv * vd) / squared;
		const t = (uv * ud - vd) / squared;
		if (!(Math.abs(s) <= halfOf(A, this.#edgeA) && Math.abs(t) <= halfOf(B, this.#edgeB))) return false;
		pointA[0] = pointA[0]! + s * ux;
		pointA[1] = pointA[1]! + s * uy;
		pointA[2] = pointA[2]! + s * uz;
		pointB[0] = pointB[0]! + t * vx;
		pointB[1] = pointB[1]! + t * vy;
		pointB[2] = pointB[2]! + t * vz;
		return true;
	}

	/** Writes the middle of the edge of a box along one of its axes that is farthest along the normal, times `sign`. */
	#toEdge(box: ConvexShape, edge: number, sign: number, out: Float64Array): void {
		const r = box.rotation;
		let x = box.px;
		let y = box.py;
		let z = box.pz;
		for (let k = 0; k < 3; k++) {
			if (k === edge) continue;
			const at = 3 * k;
			const along = r[at]! * this.nx + r[at + 1]! * this.ny + r[at + 2]! * this.nz;
			const half = sign * along < 0 ? -halfOf(box, k) : halfOf(box, k);
			x += half * r[at]!;
			y += half * r[at + 1]!;
			z += half * r[at + 2]!;
		}
		out[0] = x;
		out[1] = y;
		out[2] = z;
	}
}

function halfOf(box: ConvexShape, axis: number): number {
	return axis === 0 ? box.x : axis === 1 ? box.y : box.z;
}
