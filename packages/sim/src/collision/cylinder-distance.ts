import { GeoType } from '@manyworlds/model';
import type { ConvexShape } from './convex-shape.ts';
import { RimDistance } from './rim-distance.ts';
import { SegmentDistance } from './segment-distance.ts';

/** Share of the size by which bounds of the distance may differ, by rounding. */
const ROUNDING = 1e-13;
/** Component of a direction below which a face, line or cap is across it. */
const ACROSS = 1e-13;
/** Cosine of an angle that counts as right. */
const STRAIGHT = 1e-12;
/** How often a point is moved between a face and what lies above it. */
const MOST_MOVES = 4;

/**
 * Distance of a cylinder from a box or another cylinder that is apart from it, by what may be nearest: flat faces, sides, rims. A
 * direction gives a lower bound of the distance and two points an upper one; where they meet, both are the answer. Results are
 * fields, relative to the position of the cylinder.
 */
export class CylinderDistance {
	/** Distance from which on only a lower bound is looked for; the caller sets it. */
	limit: number = Number.POSITIVE_INFINITY;
	/** The lower bound; also the upper one unless it is beyond the limit. */
	distance = 0;
	/** Unit normal from the cylinder to the other shape. */
	nx = 0;
	ny = 0;
	nz = 0;
	/** Nearest point of the cylinder. */
	readonly a: Float64Array = new Float64Array(3);

	/** Nearest point of the other shape, while it is looked for. */
	readonly #b = new Float64Array(3);
	readonly #segment = new SegmentDistance();
	readonly #rim = new RimDistance();
	/** From the cylinder to the other shape. */
	#dx = 0;
	#dy = 0;
	#dz = 0;
	#scale = 0;
	/** The best direction so far, what it shows, and whose face it is a normal of. */
	#gap = 0;
	#isOwnFace = false;
	readonly #n = new Float64Array(3);
	/** From the axis of the cylinder to the nearest point of the box, or of the other axis. */
	readonly #way = new Float64Array(3);

	/** Finds the distance; false when that takes a search. */
	compute(A: ConvexShape, B: ConvexShape): boolean {
		this.#dx = B.px - A.px;
		this.#dy = B.py - A.py;
		this.#dz = B.pz - A.pz;
		this.#scale = Math.max(
			Math.abs(this.#dx) + Math.abs(this.#dy) + Math.abs(this.#dz),
			A.x + A.y,
			B.x + B.y + (B.type === GeoType.BOX ? B.z : 0),
		);
		this.#gap = Number.NEGATIVE_INFINITY;
		this.#tryNormal(A, B, A.rotation, 6, true);
		for (let i = B.type === GeoType.BOX ? 0 : 6; i < 9; i += 3) this.#tryNormal(A, B, B.rotation, i, false);
		if (this.#gap > this.limit) {
			this.#take();
			return true;
		}
		const least = ROUNDING * this.#scale;
		if (this.#gap > least && this.#meetsFace(A, B)) return true;
		if (this.#trySide(A, B) && this.#isDecided(least)) return true;
		return this.#searchRim(A, B, true, least) || (B.type === GeoType.CYLINDER && this.#searchRim(B, A, false, least));
	}

	/** Looks for the answer on the rim of a cylinder: from where the other shape is, then from where it is nearest. */
	#searchRim(own: ConvexShape, other: ConvexShape, isFirst: boolean, least: number): boolean {
		if (!this.#aimAtRim(own, other, isFirst)) return false;
		if (this.#rim.compute(other) && this.#takeRim(own, other, isFirst) && this.#isDecided(least)) return true;
		this.#rim.beginNearest(other);
		return this.#rim.compute(other) && this.#takeRim(own, other, isFirst) && this.#isDecided(least);
	}

	/** Whether the bounds meet, or the lower one is beyond the limit. */
	#isDecided(least: number): boolean {
		if (this.#gap > this.limit) {
			this.#take();
			return true;
		}
		return this.#gap > least && this.distance - this.#gap <= least;
	}

	/** Takes the axis of a frame that begins at `at`, to the side of B, if it shows the shapes farther apart than others. */
	#tryNormal(A: ConvexShape, B: ConvexShape, frame: Float64Array, at: number, isOwnFace: boolean): void {
		const n = this.#n;
		const x = frame[at]!;
		const y = frame[at + 1]!;
		const z = frame[at + 2]!;
		const sign = x * this.#dx + y * this.#dy + z * this.#dz < 0 ? -1 : 1;
		n[0] = sign * x;
		n[1] = sign * y;
		n[2] = sign * z;
		const gap = this.#gapAlong(A, B);
		if (!(gap > this.#gap)) return;
		this.#gap = gap;
		this.#isOwnFace = isOwnFace;
		this.nx = n[0]!;
		this.ny = n[1]!;
		this.nz = n[2]!;
	}

	/** How far the direction in the scratch shows the shapes apart. */
	#gapAlong(A: ConvexShape, B: ConvexShape): number {
		const n = this.#n;
		const along = n[0]! * this.#dx + n[1]! * this.#dy + n[2]! * this.#dz;
		return along - this.#reach(A) - this.#reach(B);
	}

	/** How far a shape reaches from its middle along the direction in the scratch, either way. */
	#reach(shape: ConvexShape): number {
		const r = shape.rotation;
		const n = this.#n;
		const x = n[0]!;
		const y = n[1]!;
		const z = n[2]!;
		const lx = r[0]! * x + r[1]! * y + r[2]! * z;
		const ly = r[3]! * x + r[4]! * y + r[5]! * z;
		const lz = r[6]! * x + r[7]! * y + r[8]! * z;
		if (shape.type === GeoType.BOX) return shape.x * Math.abs(lx) + shape.y * Math.abs(ly) + shape.z * Math.abs(lz);
		return shape.x * Math.sqrt(lx * lx + ly * ly) + shape.y * Math.abs(lz);
	}

	/** Takes the best direction as the answer. */
	#take(): void {
		this.distance = this.#gap;
	}

	/** Whether a point that is nearest to the face of the best direction lies above it; then those are the nearest points. */
	#meetsFace(A: ConvexShape, B: ConvexShape): boolean {
		const own = this.#isOwnFace;
		const face = own ? A : B;
		const other = own ? B : A;
		const onFace = own ? this.a : this.#b;
		const onOther = own ? this.#b : this.a;
		const n = this.#n;
		const sign = own ? 1 : -1;
		onFace[0] = own ? 0 : this.#dx;
		onFace[1] = own ? 0 : this.#dy;
		onFace[2] = own ? 0 : this.#dz;
		for (let i = 0; i < MOST_MOVES; i++) {
			n[0] = -sign * this.nx;
			n[1] = -sign * this.ny;
			n[2] = -sign * this.nz;
			this.#moveOnto(other, !own, onFace, onOther);
			n[0] = sign * this.nx;
			n[1] = sign * this.ny;
			n[2] = sign * this.nz;
			this.#moveOnto(face, own, onOther, onFace);
			// straight above: a small way aside hardly shows in the distance
			const gap = sign * this.#gap;
			const x = onOther[0]! - onFace[0]! - gap * this.nx;
			const y = onOther[1]! - onFace[1]! - gap * this.ny;
			const z = onOther[2]! - onFace[2]! - gap * this.nz;
			if (Math.abs(x) + Math.abs(y) + Math.abs(z) <= ROUNDING * this.#scale) {
				this.distance = this.#gap;
				return true;
			}
		}
		return false;
	}

	/** The point of a shape nearest to another among those that are farthest along the direction in the scratch. */
	#moveOnto(shape: ConvexShape, isFirst: boolean, from: Float64Array, out: Float64Array): void {
		const r = shape.rotation;
		const n = this.#n;
		const ox = isFirst ? 0 : this.#dx;
		const oy = isFirst ? 0 : this.#dy;
		const oz = isFirst ? 0 : this.#dz;
		const x = from[0]! - ox;
		const y = from[1]! - oy;
		const z = from[2]! - oz;
		let lx = r[0]! * x + r[1]! * y + r[2]! * z;
		let ly = r[3]! * x + r[4]! * y + r[5]! * z;
		let lz = r[6]! * x + r[7]! * y + r[8]! * z;
		const mx = r[0]! * n[0]! + r[1]! * n[1]! + r[2]! * n[2]!;
		const my = r[3]! * n[0]! + r[4]! * n[1]! + r[5]! * n[2]!;
		const mz = r[6]! * n[0]! + r[7]! * n[1]! + r[8]! * n[2]!;
		if (shape.type === GeoType.BOX) {
			lx = farthestOf(lx, mx, shape.x);
			ly = farthestOf(ly, my, shape.y);
			lz = farthestOf(lz, mz, shape.z);
		} else {
			lz = farthestOf(lz, mz, shape.y);
			const across = Math.sqrt(mx * mx + my * my);
			const rho = Math.sqrt(lx * lx + ly * ly);
			if (across > ACROSS) {
				lx = (shape.x * mx) / across;
				ly = (shape.x * my) / across;
			} else if (rho > shape.x) {
				lx *= shape.x / rho;
				ly *= shape.x / rho;
			}
		}
		out[0] = ox + r[0]! * lx + r[3]! * ly + r[6]! * lz;
		out[1] = oy + r[1]! * lx + r[4]! * ly + r[7]! * lz;
		out[2] = oz + r[2]! * lx + r[5]! * ly + r[8]! * lz;
	}

	/** Takes the direction from the axis of the cylinder to the other shape, or to its axis; false when they meet. */
	#trySide(A: ConvexShape, B: ConvexShape): boolean {
		const isBox = B.type === GeoType.BOX;
		if (isBox) this.#fromAxisToBox(A, B);
		else this.#betweenAxes(A, B);
		const { a } = this;
		const b = this.#b;
		const n = this.#n;
		const x = b[0]! - a[0]!;
		const y = b[1]! - a[1]!;
		const z = b[2]! - a[2]!;
		const way = this.#way;
		way[0] = x;
		way[1] = y;
		way[2] = z;
		const length = Math.sqrt(x * x + y * y + z * z);
		const radii = A.x + (isBox ? 0 : B.x);
		this.distance = length - radii;
		if (!(this.distance > 0)) return false;
		n[0] = x / length;
		n[1] = y / length;
		n[2] = z / length;
		this.#gap = this.#gapAlong(A, B);
		this.nx = n[0]!;
		this.ny = n[1]!;
		this.nz = n[2]!;
		for (let k = 0; k < 3; k++) a[k] = a[k]! + A.x * n[k]!;
		// beyond an end of an axis the side is not nearest, by however little
		if (!this.#isAcross(A) || (!isBox && !this.#isAcross(B))) this.distance = Number.POSITIVE_INFINITY;
		return true;
	}

	/** Whether the direction in the scratch is across the axis of a cylinder. */
	#isAcross({ rotation: r }: ConvexShape): boolean {
		const n = this.#n;
		return Math.abs(r[6]! * n[0]! + r[7]! * n[1]! + r[8]! * n[2]!) <= STRAIGHT;
	}

	/** Sets up the rim of a cylinder's cap, on the side where the other shape is; false when that is nowhere. */
	#aimAtRim(own: ConvexShape, other: ConvexShape, isFirst: boolean): boolean {
		const way = this.#way;
		const sign = isFirst ? 1 : -1;
		const ro = own.rotation;
		const ax = ro[6]!;
		const ay = ro[7]!;
		const az = ro[8]!;
		const along = way[0]! * ax + way[1]! * ay + way[2]! * az;
		// across the axis, to where the other shape is; twice, as little may be left of it
		let ux = sign * (way[0]! - along * ax);
		let uy = sign * (way[1]! - along * ay);
		let uz = sign * (way[2]! - along * az);
		if (!(Math.abs(ux) + Math.abs(uy) + Math.abs(uz) > ROUNDING * this.#scale)) return false;
		const rest = ux * ax + uy * ay + uz * az;
		ux -= rest * ax;
		uy -= rest * ay;
		uz -= rest * az;
		const scale = own.x / Math.sqrt(ux * ux + uy * uy + uz * uz);
		ux *= scale;
		uy *= scale;
		uz *= scale;
		const half = sign * along < 0 ? -own.y : own.y;
		const cx = half * ax - sign * this.#dx;
		const cy = half * ay - sign * this.#dy;
		const cz = half * az - sign * this.#dz;
		const vx = ay * uz - az * uy;
		const vy = az * ux - ax * uz;
		const vz = ax * uy - ay * ux;
		const r = other.rotation;
		const rim = this.#rim;
		rim.cx = r[0]! * cx + r[1]! * cy + r[2]! * cz;
		rim.cy = r[3]! * cx + r[4]! * cy + r[5]! * cz;
		rim.cz = r[6]! * cx + r[7]! * cy + r[8]! * cz;
		rim.ux = r[0]! * ux + r[1]! * uy + r[2]! * uz;
		rim.uy = r[3]! * ux + r[4]! * uy + r[5]! * uz;
		rim.uz = r[6]! * ux + r[7]! * uy + r[8]! * uz;
		rim.vx = r[0]! * vx + r[1]! * vy + r[2]! * vz;
		rim.vy = r[3]! * vx + r[4]! * vy + r[5]! * vz;
		rim.vz = r[6]! * vx + r[7]! * vy + r[8]! * vz;
		return true;
	}

	/** Takes the direction between the place that was found on the rim and the other shape. */
	#takeRim(own: ConvexShape, other: ConvexShape, isFirst: boolean): boolean {
		const sign = isFirst ? 1 : -1;
		const r = other.rotation;
		const { x, y, z, ex, ey, ez } = this.#rim;
		const distance = Math.sqrt(ex * ex + ey * ey + ez * ez);
		if (!(distance > 0)) return false;
		this.distance = distance;
		const nx = (-sign * (r[0]! * ex + r[3]! * ey + r[6]! * ez)) / distance;
		const ny = (-sign * (r[1]! * ex + r[4]! * ey + r[7]! * ez)) / distance;
		const nz = (-sign * (r[2]! * ex + r[5]! * ey + r[8]! * ez)) / distance;
		const n = this.#n;
		n[0] = nx;
		n[1] = ny;
		n[2] = nz;
		this.nx = nx;
		this.ny = ny;
		this.nz = nz;
		const px = r[0]! * x + r[3]! * y + r[6]! * z;
		const py = r[1]! * x + r[4]! * y + r[7]! * z;
		const pz = r[2]! * x + r[5]! * y + r[8]! * z;
		const { a } = this;
		// from the other shape's middle to that of the first, and for its own rim over the distance
		a[0] = px + (isFirst ? this.#dx : -distance * nx);
		a[1] = py + (isFirst ? this.#dy : -distance * ny);
		a[2] = pz + (isFirst ? this.#dz : -distance * nz);
		this.#gap = isFirst ? this.#gapAlong(own, other) : this.#gapAlong(other, own);
		return true;
	}

	/** Nearest points of the axis of the cylinder and of a box. */
	#fromAxisToBox(A: ConvexShape, B: ConvexShape): void {
		const segment = this.#segment;
		const r = B.rotation;
		const ra = A.rotation;
		const dx = this.#dx;
		const dy = this.#dy;
		const dz = this.#dz;
		const ux = A.y * ra[6]!;
		const uy = A.y * ra[7]!;
		const uz = A.y * ra[8]!;
		segment.cx = -(r[0]! * dx + r[1]! * dy + r[2]! * dz);
		segment.cy = -(r[3]! * dx + r[4]! * dy + r[5]! * dz);
		segment.cz = -(r[6]! * dx + r[7]! * dy + r[8]! * dz);
		segment.ux = r[0]! * ux + r[1]! * uy + r[2]! * uz;
		segment.uy = r[3]! * ux + r[4]! * uy + r[5]! * uz;
		segment.uz = r[6]! * ux + r[7]! * uy + r[8]! * uz;
		segment.compute(B);
		const { t, ex, ey, ez } = segment;
		const { a } = this;
		const b = this.#b;
		a[0] = t * ux;
		a[1] = t * uy;
		a[2] = t * uz;
		b[0] = a[0]! - (r[0]! * ex + r[3]! * ey + r[6]! * ez);
		b[1] = a[1]! - (r[1]! * ex + r[4]! * ey + r[7]! * ez);
		b[2] = a[2]! - (r[2]! * ex + r[5]! * ey + r[8]! * ez);
	}

	/** Nearest points of the axes of two cylinders (Ericson 2005, 5.1.9). */
	#betweenAxes(A: ConvexShape, B: ConvexShape): void {
		const ra = A.rotation;
		const rb = B.rotation;
		const { a } = this;
		const b = this.#b;
		const ux = ra[6]!;
		const uy = ra[7]!;
		const uz = ra[8]!;
		const vx = rb[6]!;
		const vy = rb[7]!;
		const vz = rb[8]!;
		const dx = this.#dx;
		const dy = this.#dy;
		const dz = this.#dz;
		const uv = ux * vx + uy * vy + uz * vz;
		const ud = ux * dx + uy * dy + uz * dz;
		const vd = vx * dx + vy * dy + vz * dz;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const cross = cx * cx + cy * cy + cz * cz;
		let s = cross > 1e-24 ? within((ud - uv * vd) / cross, A.y) : 0;
		const t = within(uv * s - vd, B.y);
		s = within(uv * t + ud, A.y);
		a[0] = s * ux;
		a[1] = s * uy;
		a[2] = s * uz;
		b[0] = dx + t * vx;
		b[1] = dy + t * vy;
		b[2] = dz + t * vz;
	}
}

/** The end of a range that a direction leads to, or what is nearest to a place in it when it leads to neither. */
function farthestOf(place: number, along: number, half: number): number {
	return along > ACROSS ? half : along < -ACROSS ? -half : within(place, half);
}

function within(place: number, half: number): number {
	return place > half ? half : Math.max(place, -half);
}
