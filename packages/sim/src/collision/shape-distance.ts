import { GeoType } from '@manyworlds/model';
import type { ConvexShape } from './convex-shape.ts';
import { CylinderDistance } from './cylinder-distance.ts';
import { Epa } from './epa.ts';
import { Gjk } from './gjk.ts';
import { type PointDistance, pointDistance } from './point-distance.ts';
import { type Direction, measureWidth, polishAcrossEdge, polishDirection } from './polish-direction.ts';
import { SegmentDistance } from './segment-distance.ts';

/** Share of the size below which a direction between points that are nearest loses its digits. */
const CLOSEST = 1e-6;

/**
 * Signed distance of two convex shapes, planes included: positive apart, negative by the least depth when they overlap. In
 * closed form where there is one, by GJK and EPA elsewhere. Results are fields, in world coordinates; nothing is allocated.
 */
export class ShapeDistance {
	distance = 0;
	/** Unit normal from the first shape to the second. */
	nx = 0;
	ny = 0;
	nz = 0;
	/** Points on the two surfaces, `distance` apart along the normal. */
	readonly pointA: Float64Array = new Float64Array(3);
	readonly pointB: Float64Array = new Float64Array(3);

	/** Whether a search ended beyond the limit, and the direction from the second to the first shape that showed it. */
	isBeyond = false;
	readonly beyond: Float64Array = new Float64Array(3);

	readonly #gjk = new Gjk();
	/** Made when shapes first overlap: it has much room. */
	#epa: Epa | undefined;
	readonly #segment = new SegmentDistance();
	readonly #cylinder = new CylinderDistance();
	readonly #direction: Direction = { nx: 0, ny: 0, nz: 0, depth: 0 };
	readonly #supportA = new Float64Array(3);
	readonly #supportB = new Float64Array(3);
	readonly #point: PointDistance = { distance: 0, nx: 0, ny: 0, nz: 0, x: 0, y: 0, z: 0 };

	/**
	 * Distance beyond which only a lower bound of the distance need be found, and no points; the caller sets it. Searches for
	 * shapes that are far apart then end after a step or two.
	 */
	limit: number = Number.POSITIVE_INFINITY;

	/** Sets the fields for two shapes, of which at most one is a plane. */
	compute(A: ConvexShape, B: ConvexShape): void {
		this.isBeyond = false;
		if (A.type === GeoType.PLANE) this.#fromPlane(A, B, 1);
		else if (B.type === GeoType.PLANE) this.#fromPlane(B, A, -1);
		else if (A.type === GeoType.SPHERE && this.#fromSphere(A, B, -1)) return;
		else if (B.type === GeoType.SPHERE && this.#fromSphere(B, A, 1)) return;
		else if (A.type === GeoType.CAPSULE && B.type === GeoType.CAPSULE) this.#capsules(A, B);
		else if (A.type === GeoType.CAPSULE && this.#fromCapsule(A, B, -1)) return;
		else if (B.type === GeoType.CAPSULE && this.#fromCapsule(B, A, 1)) return;
		else if (A.type === GeoType.CYLINDER && this.#fromCylinder(A, B, 1)) return;
		else if (B.type === GeoType.CYLINDER && this.#fromCylinder(B, A, -1)) return;
		else this.#general(A, B);
	}

	/** Plane against any shape: its lowest point. `sign` is 1 when the plane is the first shape. */
	#fromPlane(plane: ConvexShape, shape: ConvexShape, sign: number): void {
		const r = plane.rotation;
		const nx = r[6]!;
		const ny = r[7]!;
		const nz = r[8]!;
		const own = sign > 0 ? this.pointB : this.pointA;
		const other = sign > 0 ? this.pointA : this.pointB;
		if (shape.type === GeoType.SPHERE) {
			own[0] = shape.px - plane.px;
			own[1] = shape.py - plane.py;
			own[2] = shape.pz - plane.pz;
		} else {
			shape.aim(-nx, -ny, -nz);
			shape.relativeTo(plane);
			shape.support(own, 0);
		}
		const distance = own[0]! * nx + own[1]! * ny + own[2]! * nz - shape.radius;
		own[0] = own[0]! + plane.px - shape.radius * nx;
		own[1] = own[1]! + plane.py - shape.radius * ny;
		own[2] = own[2]! + plane.pz - shape.radius * nz;
		other[0] = own[0]! - distance * nx;
		other[1] = own[1]! - distance * ny;
		other[2] = own[2]! - distance * nz;
		this.distance = distance;
		this.nx = sign * nx;
		this.ny = sign * ny;
		this.nz = sign * nz;
	}

	/** Sphere against a primitive; `sign` is 1 when the sphere is the second shape. */
	#fromSphere(sphere: ConvexShape, shape: ConvexShape, sign: number): boolean {
		const r = shape.rotation;
		const dx = sphere.px - shape.px;
		const dy = sphere.py - shape.py;
		const dz = sphere.pz - shape.pz;
		const found = this.#point;
		const x = r[0]! * dx + r[1]! * dy + r[2]! * dz;
		const y = r[3]! * dx + r[4]! * dy + r[5]! * dz;
		const z = r[6]! * dx + r[7]! * dy + r[8]! * dz;
		if (!pointDistance(shape, x, y, z, found)) return false;
		const nx = r[0]! * found.nx + r[3]! * found.ny + r[6]! * found.nz;
		const ny = r[1]! * found.nx + r[4]! * found.ny + r[7]! * found.nz;
		const nz = r[2]! * found.nx + r[5]! * found.ny + r[8]! * found.nz;
		this.distance = found.distance - sphere.radius;
		const onShape = sign > 0 ? this.pointA : this.pointB;
		const onSphere = sign > 0 ? this.pointB : this.pointA;
		onSphere[0] = sphere.px - sphere.radius * nx;
		onSphere[1] = sphere.py - sphere.radius * ny;
		onSphere[2] = sphere.pz - sphere.radius * nz;
		onShape[0] = onSphere[0]! - this.distance * nx;
		onShape[1] = onSphere[1]! - this.distance * ny;
		onShape[2] = onSphere[2]! - this.distance * nz;
		this.nx = sign * nx;
		this.ny = sign * ny;
		this.nz = sign * nz;
		return true;
	}

	/** Two segments with radii (Ericson 2005, 5.1.9). */
	#capsules(A: ConvexShape, B: ConvexShape): void {
		const ra = A.rotation;
		const rb = B.rotation;
		const ux = ra[6]! * A.y;
		const uy = ra[7]! * A.y;
		const uz = ra[8]! * A.y;
		const vx = rb[6]! * B.y;
		const vy = rb[7]! * B.y;
		const vz = rb[8]! * B.y;
		const wx = A.px - B.px;
		const wy = A.py - B.py;
		const wz = A.pz - B.pz;
		const uu = ux * ux + uy * uy + uz * uz;
		const vv = vx * vx + vy * vy + vz * vz;
		const uv = ux * vx + uy * vy + uz * vz;
		const uw = ux * wx + uy * wy + uz * wz;
		const vw = vx * wx + vy * wy + vz * wz;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const cross = cx * cx + cy * cy + cz * cz;
		let s = cross > 1e-24 * uu * vv ? clamp((uv * vw - vv * uw) / cross) : 0;
		let t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
		s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
		t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
		let nx = -wx - s * ux + t * vx;
		let ny = -wy - s * uy + t * vy;
		let nz = -wz - s * uz + t * vz;
		let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
		const scale = Math.sqrt(Math.max(uu, vv));
		if (!(length > 1e-12 * scale)) {
			// segments that cross: out along the normal of both, or across the common line
			const isSkew = cross > 1e-20 * uu * vv && cross > 0;
			[nx, ny, nz] = isSkew ? [cx, cy, cz] : acrossOf(uu >= vv ? ux : vx, uu >= vv ? uy : vy, uu >= vv ? uz : vz);
			const unit = Math.sqrt(nx * nx + ny * ny + nz * nz);
			nx /= unit;
			ny /= unit;
			nz /= unit;
			length = 0;
		} else {
			nx /= length;
			ny /= length;
			nz /= length;
		}
		this.#finish(A, B, length, nx, ny, nz, A.px + s * ux, A.py + s * uy, A.pz + s * uz);
	}

	/** Capsule against a box or cylinder that its core does not meet; `sign` is 1 when the capsule is the second shape. */
	#fromCapsule(capsule: ConvexShape, shape: ConvexShape, sign: number): boolean {
		if (shape.type !== GeoType.BOX && shape.type !== GeoType.CYLINDER) return false;
		const segment = this.#segment;
		const r = shape.rotation;
		const rc = capsule.rotation;
		const dx = capsule.px - shape.px;
		const dy = capsule.py - shape.py;
		const dz = capsule.pz - shape.pz;
		const half = capsule.y;
		const ux = half * rc[6]!;
		const uy = half * rc[7]!;
		const uz = half * rc[8]!;
		segment.cx = r[0]! * dx + r[1]! * dy + r[2]! * dz;
		segment.cy = r[3]! * dx + r[4]! * dy + r[5]! * dz;
		segment.cz = r[6]! * dx + r[7]! * dy + r[8]! * dz;
		segment.ux = r[0]! * ux + r[1]! * uy + r[2]! * uz;
		segment.uy = r[3]! * ux + r[4]! * uy + r[5]! * uz;
		segment.uz = r[6]! * ux + r[7]! * uy + r[8]! * uz;
		segment.compute(shape);
		const core = segment.distance;
		if (!(core > CLOSEST * (half + shape.x + shape.y))) return false;
		const ex = segment.ex / core;
		const ey = segment.ey / core;
		const ez = segment.ez / core;
		const nx = r[0]! * ex + r[3]! * ey + r[6]! * ez;
		const ny = r[1]! * ex + r[4]! * ey + r[7]! * ez;
		const nz = r[2]! * ex + r[5]! * ey + r[8]! * ez;
		const { t } = segment;
		const distance = core - capsule.radius;
		const onShape = sign > 0 ? this.pointA : this.pointB;
		const onCapsule = sign > 0 ? this.pointB : this.pointA;
		onCapsule[0] = capsule.px + t * ux - capsule.radius * nx;
		onCapsule[1] = capsule.py + t * uy - capsule.radius * ny;
		onCapsule[2] = capsule.pz + t * uz - capsule.radius * nz;
		onShape[0] = onCapsule[0]! - distance * nx;
		onShape[1] = onCapsule[1]! - distance * ny;
		onShape[2] = onCapsule[2]! - distance * nz;
		this.distance = distance;
		this.nx = sign * nx;
		this.ny = sign * ny;
		this.nz = sign * nz;
		return true;
	}

	/** Cylinder against a box or cylinder where no rim is nearest; `sign` is 1 when the cylinder is the first shape. */
	#fromCylinder(cylinder: ConvexShape, shape: ConvexShape, sign: number): boolean {
		if (shape.type !== GeoType.BOX && shape.type !== GeoType.CYLINDER) return false;
		const found = this.#cylinder;
		found.limit = this.limit;
		if (!found.compute(cylinder, shape)) return false;
		const { distance, nx, ny, nz } = found;
		this.distance = distance;
		if (distance > this.limit) {
			this.isBeyond = true;
			this.beyond[0] = -sign * nx;
			this.beyond[1] = -sign * ny;
			this.beyond[2] = -sign * nz;
			return true;
		}
		const { a } = found;
		const own = sign > 0 ? this.pointA : this.pointB;
		const other = sign > 0 ? this.pointB : this.pointA;
		own[0] = cylinder.px + a[0]!;
		own[1] = cylinder.py + a[1]!;
		own[2] = cylinder.pz + a[2]!;
		other[0] = own[0]! + distance * nx;
		other[1] = own[1]! + distance * ny;
		other[2] = own[2]! + distance * nz;
		this.nx = sign * nx;
		this.ny = sign * ny;
		this.nz = sign * nz;
		return true;
	}

	#general(A: ConvexShape, B: ConvexShape): void {
		const gjk = this.#gjk;
		const { pointA, pointB } = this;
		const radii = A.radius + B.radius;
		gjk.limit = Math.max(0, this.limit + radii);
		gjk.run(A, B);
		const { distance } = gjk;
		if (distance > gjk.limit) {
			this.distance = distance - radii;
			this.isBeyond = true;
			this.beyond[0] = gjk.vx;
			this.beyond[1] = gjk.vy;
			this.beyond[2] = gjk.vz;
			return;
		}
		if (distance > 0) {
			gjk.witnesses(pointA, pointB);
			const direction = this.#direction;
			direction.nx = -gjk.vx / distance;
			direction.ny = -gjk.vy / distance;
			direction.nz = -gjk.vz / distance;
			if (isCurved(A) || isCurved(B)) {
				// simplices on round surfaces shrink to slivers: the gap to the lower bound shows when they end too early
				measureWidth(A, B, direction);
				if (distance + direction.depth > 1e-13 * gjk.scale) this.#polish(A, B);
			}
			const { nx, ny, nz } = direction;
			this.#finish(A, B, distance, nx, ny, nz, pointA[0]! + A.px, pointA[1]! + A.py, pointA[2]! + A.pz);
			return;
		}
		this.#epa ??= new Epa();
		const epa = this.#epa;
		epa.run(A, B, gjk);
		if (!epa.isExact) polishDirection(A, B, epa, 0.05);
		epa.witnesses(pointA, pointB);
		const { nx, ny, nz, depth } = epa;
		if (!epa.isExact) this.#useSupports(A, B, nx, ny, nz, depth);
		// half way between the bounds that rounding leaves
		const ax = 0.5 * (pointA[0]! + pointB[0]! + depth * nx) + A.px;
		const ay = 0.5 * (pointA[1]! + pointB[1]! + depth * ny) + A.py;
		const az = 0.5 * (pointA[2]! + pointB[2]! + depth * nz) + A.pz;
		this.#finish(A, B, -depth, nx, ny, nz, ax, ay, az);
	}

	/** Improves the direction of separated shapes, one of them round. */
	#polish(A: ConvexShape, B: ConvexShape): void {
		const gjk = this.#gjk;
		const corners = isCurved(A) ? gjk.b : gjk.a;
		let longest = 0;
		let at = 0;
		for (let i = 3; i < 3 * gjk.count; i += 3) {
			const length = Math.hypot(
				corners[i]! - corners[0]!,
				corners[i + 1]! - corners[1]!,
				corners[i + 2]! - corners[2]!,
			);
			if (length > longest) {
				longest = length;
				at = i;
			}
		}
		const direction = this.#direction;
		if (!(isCurved(A) && isCurved(B)) && longest > 1e-9 * gjk.scale) {
			const ex = (corners[at]! - corners[0]!) / longest;
			const ey = (corners[at + 1]! - corners[1]!) / longest;
			const ez = (corners[at + 2]! - corners[2]!) / longest;
			polishAcrossEdge(A, B, direction, ex, ey, ez);
		}
		measureWidth(A, B, direction);
		if (gjk.distance + direction.depth > 1e-13 * gjk.scale) polishDirection(A, B, direction, 1e-3);
	}

	/** Takes the farthest points along a polished direction as witnesses, unless they are off: then surfaces are flat there. */
	#useSupports(A: ConvexShape, B: ConvexShape, nx: number, ny: number, nz: number, depth: number): void {
		const { pointA, pointB } = this;
		const off = apart(pointA, pointB, nx * depth, ny * depth, nz * depth);
		const a = this.#supportA;
		const b = this.#supportB;
		A.aim(nx, ny, nz);
		A.support(a, 0);
		B.aim(-nx, -ny, -nz);
		B.support(b, 0);
		if (apart(a, b, nx * depth, ny * depth, nz * depth) > off) return;
		pointA.set(a);
		pointB.set(b);
	}

	/** Adds the radii to the distance of cores. (ax, ay, az) is the point on the core of A. */
	#finish(
		A: ConvexShape,
		B: ConvexShape,
		core: number,
		nx: number,
		ny: number,
		nz: number,
		ax: number,
		ay: number,
		az: number,
	): void {
		const distance = core - A.radius - B.radius;
		this.distance = distance;
		this.nx = nx;
		this.ny = ny;
		this.nz = nz;
		const { pointA, pointB } = this;
		pointA[0] = ax + A.radius * nx;
		pointA[1] = ay + A.radius * ny;
		pointA[2] = az + A.radius * nz;
		pointB[0] = pointA[0]! + distance * nx;
		pointB[1] = pointA[1]! + distance * ny;
		pointB[2] = pointA[2]! + distance * nz;
	}
}

function isCurved({ type }: ConvexShape): boolean {
	return type === GeoType.CYLINDER || type === GeoType.CONE || type === GeoType.ELLIPSOID;
}

/** How far a − b is from a vector. */
function apart(a: Float64Array, b: Float64Array, x: number, y: number, z: number): number {
	return Math.hypot(a[0]! - b[0]! - x, a[1]! - b[1]! - y, a[2]! - b[2]! - z);
}

function clamp(t: number): number {
	return t < -1 ? -1 : Math.min(t, 1);
}

/** A direction across a vector, or along x for none. */
function acrossOf(x: number, y: number, z: number): [number, number, number] {
	const least = Math.min(Math.abs(x), Math.abs(y), Math.abs(z));
	if (x === 0 && y === 0 && z === 0) return [1, 0, 0];
	if (Math.abs(x) === least) return [0, -z, y];
	return Math.abs(y) === least ? [z, 0, -x] : [-y, x, 0];
}
