import type { ConvexShape } from './convex-shape.ts';
import type { Gjk } from './gjk.ts';

const MAX_VERTICES = 320;
const MAX_FACES = 2 * MAX_VERTICES;
/** Share of the size at which the depth is known well enough. */
const GAP = 1e-12;

/**
 * Depth of two overlapping convex cores: the polytope expansion of van den Bergen (2001), from the simplex where the distance
 * algorithm ended. The nearest face of a polytope inside of A − B is a lower bound of the depth and the support along its
 * normal an upper one, so the result is the least depth, however deep the overlap. Results are fields.
 */
export class Epa {
	/** Unit direction along which B must move to come free of A. */
	nx = 0;
	ny = 0;
	nz = 0;
	depth = 0;
	/** Whether lower and upper bound met. */
	isExact = false;

	readonly #w = new Float64Array(3 * MAX_VERTICES);
	readonly #a = new Float64Array(3 * MAX_VERTICES);
	readonly #b = new Float64Array(3 * MAX_VERTICES);
	#vertices = 0;
	readonly #corner = new Int32Array(3 * MAX_FACES);
	readonly #normal = new Float64Array(3 * MAX_FACES);
	readonly #height = new Float64Array(MAX_FACES);
	#faces = 0;
	readonly #horizon = new Int32Array(6 * MAX_FACES);
	#edges = 0;
	#scale = 1;
	readonly #direction = new Float64Array(3);

	/** Finds the depth; `gjk` must have ended with an overlap of the same shapes just before. */
	run(A: ConvexShape, B: ConvexShape, gjk: Gjk): void {
		this.#scale = gjk.scale || 1;
		this.#faces = 0;
		this.#vertices = gjk.count;
		for (let i = 0; i < 3 * gjk.count; i++) {
			this.#w[i] = gjk.w[i]!;
			this.#a[i] = gjk.a[i]!;
			this.#b[i] = gjk.b[i]!;
		}
		this.isExact = true;
		if (!this.#grow(A, B)) {
			this.depth = 0;
			return;
		}
		this.#expand(A, B);
	}

	/** Points of A and B at the nearest place, relative to the position of A. */
	witnesses(pointA: Float64Array, pointB: Float64Array): void {
		const q = this.#near;
		q[0] = this.nx * this.depth;
		q[1] = this.ny * this.depth;
		q[2] = this.nz * this.depth;
		// flat parts of the surface are many triangles: take the one that holds the nearest point
		let least = Number.POSITIVE_INFINITY;
		let best = -1;
		for (let face = 0; face < this.#faces; face++) {
			if (this.#height[face]! > this.depth + 1e-3 * this.#scale) continue;
			this.#place(face);
			if (this.#squared < least) {
				least = this.#squared;
				best = face;
			}
		}
		if (best < 0) {
			for (let k = 0; k < 3; k++) {
				pointA[k] = this.#a[k]!;
				pointB[k] = this.#b[k]!;
			}
			return;
		}
		this.#place(best);
		const i = 3 * this.#corner[3 * best]!;
		const j = 3 * this.#corner[3 * best + 1]!;
		const k = 3 * this.#corner[3 * best + 2]!;
		const s = this.#s;
		const t = this.#t;
		for (let m = 0; m < 3; m++) {
			pointA[m] = (1 - s - t) * this.#a[i + m]! + s * this.#a[j + m]! + t * this.#a[k + m]!;
			pointB[m] = (1 - s - t) * this.#b[i + m]! + s * this.#b[j + m]! + t * this.#b[k + m]!;
		}
	}

	readonly #near = new Float64Array(3);
	#s = 0;
	#t = 0;
	#squared = 0;

	/** Sets the weights of the second and third corner for the point of a face nearest to `#near`, and its squared distance. */
	#place(face: number): void {
		const w = this.#w;
		const near = this.#near;
		const i = 3 * this.#corner[3 * face]!;
		const j = 3 * this.#corner[3 * face + 1]!;
		const k = 3 * this.#corner[3 * face + 2]!;
		const ax = w[i]! - near[0]!;
		const ay = w[i + 1]! - near[1]!;
		const az = w[i + 2]! - near[2]!;
		const ux = w[j]! - w[i]!;
		const uy = w[j + 1]! - w[i + 1]!;
		const uz = w[j + 2]! - w[i + 2]!;
		const vx = w[k]! - w[i]!;
		const vy = w[k + 1]! - w[i + 1]!;
		const vz = w[k + 2]! - w[i + 2]!;
		const cx = uy * vz - uz * vy;
		const cy = uz * vx - ux * vz;
		const cz = ux * vy - uy * vx;
		const cc = cx * cx + cy * cy + cz * cz;
		let s = (cx * (vy * az - vz * ay) + cy * (vz * ax - vx * az) + cz * (vx * ay - vy * ax)) / cc;
		let t = (cx * (ay * uz - az * uy) + cy * (az * ux - ax * uz) + cz * (ax * uy - ay * ux)) / cc;
		if (!(s >= 0 && t >= 0 && s + t <= 1)) {
			// on an edge: the nearest of three
			const uu = ux * ux + uy * uy + uz * uz;
			const vv = vx * vx + vy * vy + vz * vz;
			const uv = ux * vx + uy * vy + uz * vz;
			const au = ax * ux + ay * uy + az * uz;
			const av = ax * vx + ay * vy + az * vz;
			const onU = share(-au, uu);
			const onV = share(-av, vv);
			const onW = share(uu - uv + au - av, uu - 2 * uv + vv);
			const toU = onU * (onU * uu + 2 * au);
			const toV = onV * (onV * vv + 2 * av);
			const sw = 1 - onW;
			const toW = sw * (sw * uu + 2 * au) + onW * (onW * vv + 2 * av) + 2 * sw * onW * uv;
			s = toU <= toV && toU <= toW ? onU : toV <= toW ? 0 : sw;
			t = toU <= toV && toU <= toW ? 0 : toV <= toW ? onV : onW;
		}
		this.#s = s;
		this.#t = t;
		const x = ax + s * ux + t * vx;
		const y = ay + s * uy + t * vy;
		const z = az + s * uz + t * vz;
		this.#squared = x * x + y * y + z * z;
	}

	/** Makes a tetrahedron of the simplex. False when A − B has no volume: then its plane gives the direction. */
	#grow(A: ConvexShape, B: ConvexShape): boolean {
		const least = 1e-10 * this.#scale;
		if (this.#vertices === 1) this.#growFromPoint(A, B, least);
		if (this.#vertices === 2) this.#growFromEdge(A, B, least);
		if (this.#vertices < 3) {
			// points on a line: every direction across is free
			this.#perpendicular();
			return false;
		}
		this.#triangleNormal();
		if (this.#vertices === 3) {
			this.#aim(this.nx, this.ny, this.nz);
			this.#addVertex(A, B);
			if (!(this.#heightAbove(3) > least)) {
				this.#vertices = 3;
				this.#aim(-this.nx, -this.ny, -this.nz);
				this.#addVertex(A, B);
				if (!(-this.#heightAbove(3) > least)) {
					this.#vertices = 3;
					return false;
				}
			}
		}
		const isUp = this.#heightAbove(3) > 0;
		// faces with outward normals
		if (isUp) {
			this.#addFace(0, 2, 1);
			this.#addFace(0, 1, 3);
			this.#addFace(1, 2, 3);
			this.#addFace(2, 0, 3);
		} else {
			this.#addFace(0, 1, 2);
			this.#addFace(0, 3, 1);
			this.#addFace(1, 3, 2);
			this.#addFace(2, 3, 0);
		}
		return this.#faces === 4;
	}

	#growFromPoint(A: ConvexShape, B: ConvexShape, least: number): void {
		for (let axis = 0; axis < 3 && this.#vertices === 1; axis++) {
			for (let sign = -1; sign <= 1; sign += 2) {
				this.#aim(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0);
				this.#addVertex(A, B);
				if (this.#distance(0, 1) > least) return;
				this.#vertices = 1;
			}
		}
	}

	#growFromEdge(A: ConvexShape, B: ConvexShape, least: number): void {
		const w = this.#w;
		const ux = w[3]! - w[0]!;
		const uy = w[4]! - w[1]!;
		const uz = w[5]! - w[2]!;
		this.#perpendicular();
		const px = this.nx;
		const py = this.ny;
		const pz = this.nz;
		const length = Math.hypot(ux, uy, uz);
		const qx = (uy * pz - uz * py) / length;
		const qy = (uz * px - ux * pz) / length;
		const qz = (ux * py - uy * px) / length;
		for (let i = 0; i < 8; i++) {
			const c = Math.cos((i * Math.PI) / 4);
			const s = Math.sin((i * Math.PI) / 4);
			this.#aim(c * px + s * qx, c * py + s * qy, c * pz + s * qz);
			this.#addVertex(A, B);
			const dx = w[6]! - w[0]!;
			const dy = w[7]! - w[1]!;
			const dz = w[8]! - w[2]!;
			const area = Math.hypot(uy * dz - uz * dy, uz * dx - ux * dz, ux * dy - uy * dx);
			if (area > least * length) return;
			this.#vertices = 2;
		}
	}

	/** Sets the direction to one across the first edge. */
	#perpendicular(): void {
		const w = this.#w;
		const isEdge = this.#vertices > 1;
		const ux = isEdge ? w[3]! - w[0]! : 1;
		const uy = isEdge ? w[4]! - w[1]! : 0;
		const uz = isEdge ? w[5]! - w[2]! : 0;
		const least = Math.min(Math.abs(ux), Math.abs(uy), Math.abs(uz));
		const ex = Math.abs(ux) === least ? 1 : 0;
		const ey = ex === 0 && Math.abs(uy) === least ? 1 : 0;
		const ez = ex === 0 && ey === 0 ? 1 : 0;
		const x = uy * ez - uz * ey;
		const y = uz * ex - ux * ez;
		const z = ux * ey - uy * ex;
		const length = Math.sqrt(x * x + y * y + z * z) || 1;
		this.nx = x / length;
		this.ny = y / length;
		this.nz = z / length;
	}

	#triangleNormal(): void {
		const w = this.#w;
		const ux = w[3]! - w[0]!;
		const uy = w[4]! - w[1]!;
		const uz = w[5]! - w[2]!;
		const vx = w[6]! - w[0]!;
		const vy = w[7]! - w[1]!;
		const vz = w[8]! - w[2]!;
		const x = uy * vz - uz * vy;
		const y = uz * vx - ux * vz;
		const z = ux * vy - uy * vx;
		const length = Math.sqrt(x * x + y * y + z * z) || 1;
		this.nx = x / length;
		this.ny = y / length;
		this.nz = z / length;
	}

	/** Height of a vertex above the plane of the first three, along the direction. */
	#heightAbove(i: number): number {
		const w = this.#w;
		return (w[3 * i]! - w[0]!) * this.nx + (w[3 * i + 1]! - w[1]!) * this.ny + (w[3 * i + 2]! - w[2]!) * this.nz;
	}

	#distance(i: number, j: number): number {
		const w = this.#w;
		return Math.hypot(w[3 * i]! - w[3 * j]!, w[3 * i + 1]! - w[3 * j + 1]!, w[3 * i + 2]! - w[3 * j + 2]!);
	}

	/** Sets the direction of the next vertex. */
	#aim(dx: number, dy: number, dz: number): void {
		this.#direction[0] = dx;
		this.#direction[1] = dy;
		this.#direction[2] = dz;
	}

	/** Adds the farthest point of A − B along the direction. */
	#addVertex(A: ConvexShape, B: ConvexShape): void {
		const at = 3 * this.#vertices++;
		const d = this.#direction;
		A.aim(d[0]!, d[1]!, d[2]!);
		A.support(this.#a, at);
		B.aim(-d[0]!, -d[1]!, -d[2]!);
		B.support(this.#b, at);
		for (let k = 0; k < 3; k++) this.#w[at + k] = this.#a[at + k]! - this.#b[at + k]!;
	}

	#addFace(i: number, j: number, k: number): boolean {
		if (this.#faces >= MAX_FACES) return false;
		const w = this.#w;
		const ux = w[3 * j]! - w[3 * i]!;
		const uy = w[3 * j + 1]! - w[3 * i + 1]!;
		const uz = w[3 * j + 2]! - w[3 * i + 2]!;
		const vx = w[3 * k]! - w[3 * i]!;
		const vy = w[3 * k + 1]! - w[3 * i + 1]!;
		const vz = w[3 * k + 2]! - w[3 * i + 2]!;
		const x = uy * vz - uz * vy;
		const y = uz * vx - ux * vz;
		const z = ux * vy - uy * vx;
		const length = Math.sqrt(x * x + y * y + z * z);
		const face = this.#faces++;
		this.#corner[3 * face] = i;
		this.#corner[3 * face + 1] = j;
		this.#corner[3 * face + 2] = k;
		if (!(length > 1e-30 * this.#scale * this.#scale)) {
			// slivers have no direction: never the nearest
			this.#normal[3 * face] = 0;
			this.#normal[3 * face + 1] = 0;
			this.#normal[3 * face + 2] = 0;
			this.#height[face] = Number.POSITIVE_INFINITY;
			return true;
		}
		this.#normal[3 * face] = x / length;
		this.#normal[3 * face + 1] = y / length;
		this.#normal[3 * face + 2] = z / length;
		this.#height[face] = (x * w[3 * i]! + y * w[3 * i + 1]! + z * w[3 * i + 2]!) / length;
		return true;
	}

	#expand(A: ConvexShape, B: ConvexShape): void {
		let upper = Number.POSITIVE_INFINITY;
		for (;;) {
			const face = this.#findNearest();
			const nx = this.#normal[3 * face]!;
			const ny = this.#normal[3 * face + 1]!;
			const nz = this.#normal[3 * face + 2]!;
			const lower = this.#height[face]!;
			const at = 3 * this.#vertices;
			if (this.#vertices >= MAX_VERTICES || this.#faces + 64 >= MAX_FACES) {
				this.isExact = false;
				break;
			}
			this.#aim(nx, ny, nz);
			this.#addVertex(A, B);
			const reach = nx * this.#w[at]! + ny * this.#w[at + 1]! + nz * this.#w[at + 2]!;
			// any direction gives an upper bound: keep the best
			if (reach < upper) {
				upper = reach;
				this.nx = nx;
				this.ny = ny;
				this.nz = nz;
			}
			if (upper - lower <= GAP * this.#scale) break;
			if (!this.#insert(this.#vertices - 1)) {
				this.isExact = upper - lower <= 1e-9 * this.#scale;
				break;
			}
		}
		this.depth = upper;
	}

	#findNearest(): number {
		let best = 0;
		for (let face = 1; face < this.#faces; face++) if (this.#height[face]! < this.#height[best]!) best = face;
		return best;
	}

	/** Replaces the faces that a vertex sees by a fan over their border. False when rounding leaves nothing to do. */
	#insert(vertex: number): boolean {
		const w = this.#w;
		const x = w[3 * vertex]!;
		const y = w[3 * vertex + 1]!;
		const z = w[3 * vertex + 2]!;
		this.#edges = 0;
		let removed = 0;
		for (let face = this.#faces - 1; face >= 0; face--) {
			const height = this.#height[face]!;
			const isSliver = height === Number.POSITIVE_INFINITY;
			const i = 3 * this.#corner[3 * face]!;
			const above =
				this.#normal[3 * face]! * (x - w[i]!) +
				this.#normal[3 * face + 1]! * (y - w[i + 1]!) +
				this.#normal[3 * face + 2]! * (z - w[i + 2]!);
			if (isSliver ? true : !(above > 1e-14 * this.#scale)) continue;
			removed++;
			for (let e = 0; e < 3; e++) {
				this.#toggleEdge(this.#corner[3 * face + e]!, this.#corner[3 * face + ((e + 1) % 3)]!);
			}
			this.#moveFace(this.#faces - 1, face);
			this.#faces--;
		}
		if (removed === 0) return false;
		for (let e = 0; e < this.#edges; e++) {
			if (!this.#addFace(this.#horizon[2 * e]!, this.#horizon[2 * e + 1]!, vertex)) return false;
		}
		return true;
	}

	/** Adds an edge to the border, or takes away its twin. */
	#toggleEdge(i: number, j: number): void {
		const h = this.#horizon;
		for (let e = 0; e < this.#edges; e++) {
			if (h[2 * e] === j && h[2 * e + 1] === i) {
				this.#edges--;
				h[2 * e] = h[2 * this.#edges]!;
				h[2 * e + 1] = h[2 * this.#edges + 1]!;
				return;
			}
		}
		h[2 * this.#edges] = i;
		h[2 * this.#edges + 1] = j;
		this.#edges++;
	}

	#moveFace(from: number, to: number): void {
		for (let k = 0; k < 3; k++) {
			this.#corner[3 * to + k] = this.#corner[3 * from + k]!;
			this.#normal[3 * to + k] = this.#normal[3 * from + k]!;
		}
		this.#height[to] = this.#height[from]!;
	}
}

/** A share of a segment, 0 to 1. */
function share(along: number, squared: number): number {
	return squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
}
