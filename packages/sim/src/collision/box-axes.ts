import type { ConvexShape } from './convex-shape.ts';

/** Axes across two edges shorter than this are parallel edges, which add nothing. */
const SHORTEST = 1e-6;

/**
 * The axis along which two boxes are farthest apart, or overlap least, among the normals of their faces and the directions
 * across two edges (Gottschalk 1996). Results are fields.
 */
export class BoxAxes {
	/** Separation along the axis [m], negative for an overlap. */
	separation = 0;
	/** Unit axis from the first box to the second. */
	nx = 0;
	ny = 0;
	nz = 0;
	/** Whether the axis is the normal of a face. */
	isFace = false;

	/** Finds the axis. */
	compute(A: ConvexShape, B: ConvexShape): void {
		const ra = A.rotation;
		const rb = B.rotation;
		const dx = B.px - A.px;
		const dy = B.py - A.py;
		const dz = B.pz - A.pz;
		this.separation = Number.NEGATIVE_INFINITY;
		for (let side = 0; side < 2; side++) {
			const r = side === 0 ? ra : rb;
			for (let i = 0; i < 9; i += 3) this.#offer(A, B, r[i]!, r[i + 1]!, r[i + 2]!, dx, dy, dz, true);
		}
		const best = this.separation;
		// an edge must win clearly: faces give better contacts
		const margin = 1e-9 * (A.x + A.y + A.z + B.x + B.y + B.z);
		this.separation = best + margin;
		for (let i = 0; i < 9; i += 3) {
			for (let j = 0; j < 9; j += 3) {
				const x = ra[i + 1]! * rb[j + 2]! - ra[i + 2]! * rb[j + 1]!;
				const y = ra[i + 2]! * rb[j]! - ra[i]! * rb[j + 2]!;
				const z = ra[i]! * rb[j + 1]! - ra[i + 1]! * rb[j]!;
				const length = Math.sqrt(x * x + y * y + z * z);
				if (length < SHORTEST) continue;
				this.#offer(A, B, x / length, y / length, z / length, dx, dy, dz, false);
			}
		}
		if (this.isFace) this.separation = best;
	}

	#offer(
		A: ConvexShape,
		B: ConvexShape,
		x: number,
		y: number,
		z: number,
		dx: number,
		dy: number,
		dz: number,
		isFace: boolean,
	): void {
		const along = x * dx + y * dy + z * dz;
		const separation = Math.abs(along) - reach(A, x, y, z) - reach(B, x, y, z);
		if (!(separation > this.separation)) return;
		const sign = along < 0 ? -1 : 1;
		this.separation = separation;
		this.nx = sign * x;
		this.ny = sign * y;
		this.nz = sign * z;
		this.isFace = isFace;
	}
}

/** How far a box reaches along a direction from its centre. */
function reach(box: ConvexShape, x: number, y: number, z: number): number {
	const r = box.rotation;
	return (
		box.x * Math.abs(r[0]! * x + r[1]! * y + r[2]! * z) +
		box.y * Math.abs(r[3]! * x + r[4]! * y + r[5]! * z) +
		box.z * Math.abs(r[6]! * x + r[7]! * y + r[8]! * z)
	);
}
