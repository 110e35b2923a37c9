import { GeoType } from '@manyworlds/model';
import { BoxAxes } from './box-axes.ts';
import type { ConvexShape } from './convex-shape.ts';
import { reducePoints } from './reduce-points.ts';
import { ShapeDistance } from './shape-distance.ts';
import { SurfaceFeature } from './surface-feature.ts';

/** Cosine of the angle within which a face counts as facing the normal: about one degree. */
const FACING = 0.99985;
/** Sine of the angle within which two lines count as parallel. */
const PARALLEL = 0.02;
const CAPACITY = 128;
/** Most contacts of a pair of convex shapes. */
export const MAX_MANIFOLD = 4;

/**
 * Contacts of two convex shapes: points on both surfaces, `distance` apart along one normal. Faces that lie on each other
 * give up to four, lines two, everything else one. Results are fields.
 */
export class ContactManifold {
	/** Distance up to which contacts count [m]; set by the caller, as numbers that go through calls are boxed. */
	limit = 0;
	count = 0;
	/** Unit normal from the first shape to the second. */
	nx = 0;
	ny = 0;
	nz = 0;
	readonly pointA: Float64Array = new Float64Array(3 * CAPACITY);
	readonly pointB: Float64Array = new Float64Array(3 * CAPACITY);
	readonly distance: Float64Array = new Float64Array(CAPACITY);

	/** What the last `find` searched for, if it did. */
	readonly found: ShapeDistance = new ShapeDistance();
	readonly #axes = new BoxAxes();
	/** What contacts are measured from, and what is clipped to it. */
	#face = new SurfaceFeature();
	#other = new SurfaceFeature();
	#clip = new Float64Array(3 * CAPACITY);
	#clipped = new Float64Array(3 * CAPACITY);
	#clipCount = 0;
	readonly #above = new Float64Array(CAPACITY);
	readonly #plane = new Float64Array(4);

	/** Finds the contacts that are no farther apart than `limit`; gives their number. */
	find(A: ConvexShape, B: ConvexShape): number {
		const { limit, found } = this;
		this.count = 0;
		found.isBeyond = false;
		const areBoxes = A.type === GeoType.BOX && B.type === GeoType.BOX;
		if (areBoxes && this.#boxes(A, B)) return this.count;
		this.count = 0;
		if (!areBoxes || !this.#edges(A, B)) {
			found.limit = limit;
			found.compute(A, B);
			if (found.distance > limit) return 0;
		}
		this.nx = found.nx;
		this.ny = found.ny;
		this.nz = found.nz;
		if (!isRound(A) && !isRound(B)) this.#faces(A, B);
		// where no feature reaches as deep as the shapes do, their nearest points are a contact too
		let least = Number.POSITIVE_INFINITY;
		for (let i = 0; i < this.count; i++) least = Math.min(least, this.distance[i]!);
		const slack = 1e-6 * Math.abs(found.distance) + 1e-9;
		if (!(least <= found.distance + slack)) {
			if (this.count === 0) this.#restoreNormal();
			this.#addNearest();
		}
		if (this.count > MAX_MANIFOLD) {
			this.count = reducePoints(this.pointA, this.pointB, this.distance, this.count, MAX_MANIFOLD);
		}
		return this.count;
	}

	/** Two boxes that touch with a face, which is nearly always; false when that is not the case. */
	#boxes(A: ConvexShape, B: ConvexShape): boolean {
		const axes = this.#axes;
		axes.limit = this.limit;
		axes.compute(A, B);
		if (axes.separation > this.limit) return true;
		if (!axes.isFace) return false;
		this.nx = axes.nx;
		this.ny = axes.ny;
		this.nz = axes.nz;
		this.#faces(A, B);
		if (this.count === 0) return false;
		let least = Number.POSITIVE_INFINITY;
		for (let i = 0; i < this.count; i++) least = Math.min(least, this.distance[i]!);
		// boxes that are apart may be nearest elsewhere: beside the face
		if (axes.separation > 0 && least > axes.separation + 1e-9) return false;
		if (this.count > MAX_MANIFOLD) {
			this.count = reducePoints(this.pointA, this.pointB, this.distance, this.count, MAX_MANIFOLD);
		}
		return true;
	}

	/** Two boxes of which `#boxes` found that edges are nearest; false when that is not the case. */
	#edges(A: ConvexShape, B: ConvexShape): boolean {
		const axes = this.#axes;
		const { found } = this;
		if (axes.isFace || !axes.writePoints(A, B, found.pointA, found.pointB)) return false;
		found.distance = axes.separation;
		found.nx = axes.nx;
		found.ny = axes.ny;
		found.nz = axes.nz;
		return true;
	}

	/** Contacts against a given plane of A instead of the least distance: one-sided surfaces. The caller sets the normal. */
	findAgainstFace(A: ConvexShape, B: ConvexShape): number {
		const { nx, ny, nz } = this;
		this.count = 0;
		this.#face.aim(nx, ny, nz);
		this.#face.find(A);
		this.#other.aim(-nx, -ny, -nz);
		this.#other.find(B);
		if (this.#other.count === 0) this.#deepest(B);
		this.#project(true, true);
		return this.count;
	}

	#faces(A: ConvexShape, B: ConvexShape): void {
		const { nx, ny, nz } = this;
		// nothing faces better than a plane
		this.#face.aim(nx, ny, nz);
		if (A.type === GeoType.PLANE) this.#face.alignment = 2;
		else this.#face.align(A);
		this.#other.aim(-nx, -ny, -nz);
		if (B.type === GeoType.PLANE) this.#other.alignment = 2;
		else this.#other.align(B);
		const alongA = this.#face.alignment;
		const alongB = this.#other.alignment;
		if (Math.max(alongA, alongB) < FACING) {
			this.#lines(A, B);
			return;
		}
		const isFaceOnA = alongA >= alongB;
		const face = isFaceOnA ? A : B;
		const other = isFaceOnA ? B : A;
		const sign = isFaceOnA ? 1 : -1;
		if (!isFaceOnA) {
			const feature = this.#face;
			this.#face = this.#other;
			this.#other = feature;
		}
		const feature = this.#face;
		if (face.type === GeoType.PLANE) feature.count = 0;
		else {
			// faces that nearly lie on each other: the normal is that of the one whose plane distances are measured from
			feature.find(face);
			this.nx = sign * feature.nx;
			this.ny = sign * feature.ny;
			this.nz = sign * feature.nz;
		}
		this.#other.find(other);
		if (this.#other.count === 0) {
			this.#restoreNormal();
			return;
		}
		this.#project(isFaceOnA, face.type !== GeoType.PLANE);
	}

	#restoreNormal(): void {
		this.nx = this.found.nx;
		this.ny = this.found.ny;
		this.nz = this.found.nz;
	}

	/** Clips the other feature to the face and keeps what is close enough. */
	#project(isFaceOnA: boolean, isBounded: boolean): void {
		const { limit } = this;
		const sign = isFaceOnA ? 1 : -1;
		const nx = sign * this.nx;
		const ny = sign * this.ny;
		const nz = sign * this.nz;
		const other = this.#other;
		this.#clipCount = other.count;
		for (let i = 0; i < 3 * other.count; i++) this.#clip[i] = other.points[i]!;
		if (isBounded) this.#clipToFace(sign);
		// a point of the face: a corner, or the nearest point of a plane without end
		const point = isBounded ? this.#face.points : isFaceOnA ? this.found.pointA : this.found.pointB;
		const height = point[0]! * nx + point[1]! * ny + point[2]! * nz;
		for (let i = 0; i < this.#clipCount; i++) {
			const x = this.#clip[3 * i]!;
			const y = this.#clip[3 * i + 1]!;
			const z = this.#clip[3 * i + 2]!;
			const distance = x * nx + y * ny + z * nz - height;
			if (distance > limit || this.count >= CAPACITY) continue;
			const own = isFaceOnA ? this.pointA : this.pointB;
			const its = isFaceOnA ? this.pointB : this.pointA;
			const at = 3 * this.count;
			its[at] = x;
			its[at + 1] = y;
			its[at + 2] = z;
			own[at] = x - distance * nx;
			own[at + 1] = y - distance * ny;
			own[at + 2] = z - distance * nz;
			this.distance[this.count++] = distance;
		}
	}

	/** Sutherland and Hodgman: cuts the polygon or segment at the planes through the edges of the face, along the normal. */
	#clipToFace(sign: number): void {
		const nx = sign * this.nx;
		const ny = sign * this.ny;
		const nz = sign * this.nz;
		const face = this.#face;
		const plane = this.#plane;
		const p = face.points;
		const n = face.count;
		let cx = 0;
		let cy = 0;
		let cz = 0;
		const share = 1 / n;
		for (let i = 0; i < n; i++) {
			cx += p[3 * i]! * share;
			cy += p[3 * i + 1]! * share;
			cz += p[3 * i + 2]! * share;
		}
		for (let i = 0; i < n && this.#clipCount > 0; i++) {
			const j = i + 1 < n ? i + 1 : 0;
			const ex = p[3 * j]! - p[3 * i]!;
			const ey = p[3 * j + 1]! - p[3 * i + 1]!;
			const ez = p[3 * j + 2]! - p[3 * i + 2]!;
			let sx = ey * nz - ez * ny;
			let sy = ez * nx - ex * nz;
			let sz = ex * ny - ey * nx;
			const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
			if (!(length > 0)) continue;
			// outward, whichever way the face goes around
			const outward = (p[3 * i]! - cx) * sx + (p[3 * i + 1]! - cy) * sy + (p[3 * i + 2]! - cz) * sz;
			const scale = (outward < 0 ? -1 : 1) / length;
			sx *= scale;
			sy *= scale;
			sz *= scale;
			plane[0] = sx;
			plane[1] = sy;
			plane[2] = sz;
			plane[3] = p[3 * i]! * sx + p[3 * i + 1]! * sy + p[3 * i + 2]! * sz;
			this.#cut();
		}
	}

	/** Keeps the part of the polygon behind the plane `s · x ≤ offset` in the scratch. */
	#cut(): void {
		const plane = this.#plane;
		const sx = plane[0]!;
		const sy = plane[1]!;
		const sz = plane[2]!;
		const offset = plane[3]!;
		const from = this.#clip;
		const to = this.#clipped;
		const above = this.#above;
		const n = this.#clipCount;
		let out = 0;
		for (let i = 0; i < n; i++) {
			const height = from[3 * i]! * sx + from[3 * i + 1]! * sy + from[3 * i + 2]! * sz - offset;
			above[i] = height;
			if (!(height <= 0)) out++;
		}
		// mostly all of it is on one side
		if (out === 0) return;
		let count = 0;
		const isSegment = n === 2;
		for (let i = 0; i < n && out < n; i++) {
			const j = i + 1 < n ? i + 1 : 0;
			const x = from[3 * i]!;
			const y = from[3 * i + 1]!;
			const z = from[3 * i + 2]!;
			const a = above[i]!;
			const b = above[j]!;
			if (a <= 0) {
				to[3 * count] = x;
				to[3 * count + 1] = y;
				to[3 * count + 2] = z;
				count++;
			}
			// a segment has one edge, not two
			if (isSegment && i === 1) break;
			if (n > 1 && a <= 0 !== b <= 0 && count < CAPACITY - 1) {
				const t = a / (a - b);
				to[3 * count] = x + t * (from[3 * j]! - x);
				to[3 * count + 1] = y + t * (from[3 * j + 1]! - y);
				to[3 * count + 2] = z + t * (from[3 * j + 2]! - z);
				count++;
			}
		}
		this.#clip = to;
		this.#clipped = from;
		this.#clipCount = count;
	}

	/** Two contacts where straight lines on round surfaces lie along each other. */
	#lines(A: ConvexShape, B: ConvexShape): void {
		if (!hasLine(A) || !hasLine(B)) return;
		const { nx, ny, nz, limit } = this;
		this.#face.aim(nx, ny, nz);
		this.#face.find(A);
		this.#other.aim(-nx, -ny, -nz);
		this.#other.find(B);
		if (this.#face.count !== 2 || this.#other.count !== 2) return;
		const p = this.#face.points;
		const q = this.#other.points;
		const ux = p[3]! - p[0]!;
		const uy = p[4]! - p[1]!;
		const uz = p[5]! - p[2]!;
		const vx = q[3]! - q[0]!;
		const vy = q[4]! - q[1]!;
		const vz = q[5]! - q[2]!;
		const uu = ux * ux + uy * uy + uz * uz;
		const vv = vx * vx + vy * vy + vz * vz;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const cross = Math.sqrt(cx * cx + cy * cy + cz * cz);
		if (!(uu > 0 && vv > 0) || cross > PARALLEL * Math.sqrt(uu * vv)) return;
		const t0 = ((q[0]! - p[0]!) * ux + (q[1]! - p[1]!) * uy + (q[2]! - p[2]!) * uz) / uu;
		const t1 = ((q[3]! - p[0]!) * ux + (q[4]! - p[1]!) * uy + (q[5]! - p[2]!) * uz) / uu;
		const low = Math.max(0, Math.min(t0, t1));
		const high = Math.min(1, Math.max(t0, t1));
		if (!(high - low > 1e-3) || t0 === t1) return;
		for (let end = 0; end < 2; end++) {
			const t = end === 0 ? low : high;
			const s = (t - t0) / (t1 - t0);
			const at = 3 * this.count;
			let distance = 0;
			for (let k = 0; k < 3; k++) {
				const a = p[k]! + t * (p[3 + k]! - p[k]!);
				const b = q[k]! + s * (q[3 + k]! - q[k]!);
				distance += (b - a) * (k === 0 ? nx : k === 1 ? ny : nz);
				this.pointA[at + k] = a;
				this.pointB[at + k] = b;
			}
			if (distance > limit) continue;
			this.distance[this.count++] = distance;
		}
	}

	/** The farthest point of a round shape against the normal as its feature. */
	#deepest(shape: ConvexShape): void {
		const p = this.#other.points;
		shape.aim(-this.nx, -this.ny, -this.nz);
		shape.ox = 0;
		shape.oy = 0;
		shape.oz = 0;
		shape.support(p, 0);
		p[0] = p[0]! + shape.radius * shape.dx;
		p[1] = p[1]! + shape.radius * shape.dy;
		p[2] = p[2]! + shape.radius * shape.dz;
		this.#other.count = 1;
	}

	/** Adds the nearest points of the shapes, with their distance along the normal of the manifold. */
	#addNearest(): void {
		const { pointA, pointB } = this.found;
		const at = 3 * this.count;
		for (let k = 0; k < 3; k++) {
			this.pointA[at + k] = pointA[k]!;
			this.pointB[at + k] = pointB[k]!;
		}
		this.distance[this.count++] =
			(pointB[0]! - pointA[0]!) * this.nx + (pointB[1]! - pointA[1]!) * this.ny + (pointB[2]! - pointA[2]!) * this.nz;
	}
}

/** Shapes that touch in one point only. */
function isRound({ type }: ConvexShape): boolean {
	return type === GeoType.SPHERE || type === GeoType.ELLIPSOID;
}

/** Shapes with straight lines on a round surface. */
function hasLine({ type }: ConvexShape): boolean {
	return type === GeoType.CAPSULE || type === GeoType.CYLINDER || type === GeoType.CONE;
}
