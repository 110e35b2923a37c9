import type { HeightSurface, MeshGeometry } from './collision-geometry.ts';
import { ContactManifold } from './contact-manifold.ts';
import { ConvexShape, TRIANGLE } from './convex-shape.ts';
import type { NormalCones } from './normal-cones.ts';
import { reducePoints } from './reduce-points.ts';
import { triangleNormal } from './surface-feature.ts';

const CAPACITY = 1024;
/** Most clusters of normals, and most contacts of each: that touch, on ground that is nearly but not quite flat, and that do not. */
const MAX_CLUSTERS = 8;
const TOUCHING = 8;
const NEAR = 4;
/** Cosine of the angle within which contacts share a normal. */
const SAME_NORMAL = 0.985;
/** Cosine of the angle within which a normal counts as that of a face. */
const FACE = 0.9998;
/** Cosine of the angle within which triangles of two meshes count as facing each other, or the same way. */
const OPPOSED = 0.95;
/** Sine of the angle within which a corner counts as no lower than the highest one. */
const LEVEL = 0.01;

/**
 * Contacts of a convex shape with triangles: a mesh or a heightfield. Triangles are one-sided: what is behind them, but not by
 * more than half its own extent, is pushed out of their front. Edges and corners have the normals of their cones
 * (`NormalCones`). Contacts are then thinned out to a few for each direction. Results are fields.
 */
export class SurfaceContacts {
	count = 0;
	/** Points on the triangles and on the convex shape, normals from the first to the second; three numbers each. */
	readonly pointA: Float64Array = new Float64Array(3 * CAPACITY);
	readonly pointB: Float64Array = new Float64Array(3 * CAPACITY);
	readonly normal: Float64Array = new Float64Array(3 * CAPACITY);
	readonly distance: Float64Array = new Float64Array(CAPACITY);
	readonly #cluster = new Int32Array(CAPACITY);
	readonly #order = new Int32Array(CAPACITY);
	readonly #stack = new Int32Array(256);
	readonly #triangle = new ConvexShape();
	readonly #manifold = new ContactManifold();
	readonly #low = new Float64Array(3);
	readonly #high = new Float64Array(3);
	readonly #point = new Float64Array(3);
	readonly #scratchA = new Float64Array(3 * CAPACITY);
	readonly #scratchB = new Float64Array(3 * CAPACITY);
	readonly #scratchD = new Float64Array(CAPACITY);

	begin(): void {
		this.count = 0;
	}

	/** Adds contacts of a mesh, placed by `frame`, with a convex shape. */
	addMesh(geometry: MeshGeometry, frame: ConvexShape, convex: ConvexShape, limit: number): void {
		const { bounds, offsets, counts, order } = geometry.bvh;
		if (counts.length === 0) return;
		this.#cones = geometry.cones;
		this.#localBox(frame, convex, limit);
		const low = this.#low;
		const high = this.#high;
		const stack = this.#stack;
		let top = 0;
		stack[top++] = 0;
		while (top > 0) {
			const node = stack[--top]!;
			const b = 6 * node;
			const isApart =
				bounds[b]! > high[0]! ||
				bounds[b + 1]! > high[1]! ||
				bounds[b + 2]! > high[2]! ||
				bounds[b + 3]! < low[0]! ||
				bounds[b + 4]! < low[1]! ||
				bounds[b + 5]! < low[2]!;
			if (isApart) continue;
			if (counts[node] === 0) {
				stack[top++] = offsets[node]!;
				stack[top++] = node + 1;
				continue;
			}
			const first = offsets[node]!;
			for (let i = first; i < first + counts[node]!; i++) this.#meshTriangle(geometry, order[i]!, frame, convex, limit);
		}
	}

	/** Adds contacts of a heightfield, placed by `frame`, with a convex shape. */
	addHeights(field: HeightSurface, frame: ConvexShape, convex: ConvexShape, limit: number): void {
		this.#localBox(frame, convex, limit);
		const low = this.#low;
		const high = this.#high;
		if (low[2]! > field.highest) return;
		const stepX = (2 * field.hx) / (field.columns - 1);
		const stepY = (2 * field.hy) / (field.rows - 1);
		const c0 = Math.max(0, Math.floor((low[0]! + field.hx) / stepX));
		const c1 = Math.min(field.columns - 2, Math.floor((high[0]! + field.hx) / stepX));
		const r0 = Math.max(0, Math.floor((low[1]! + field.hy) / stepY));
		const r1 = Math.min(field.rows - 2, Math.floor((high[1]! + field.hy) / stepY));
		const corners = this.#triangle.corners;
		this.#cones = field.cones;
		for (let row = r0; row <= r1; row++) {
			for (let column = c0; column <= c1; column++) {
				const x0 = -field.hx + column * stepX;
				const y0 = -field.hy + row * stepY;
				const at = row * field.columns + column;
				const h00 = field.heights[at]!;
				const h10 = field.heights[at + 1]!;
				const h01 = field.heights[at + field.columns]!;
				const h11 = field.heights[at + field.columns + 1]!;
				if (Math.max(h00, h10, h01, h11) < low[2]!) continue;
				this.#index = 2 * (row * (field.columns - 1) + column);
				setCorners(corners, x0, y0, h00, x0 + stepX, y0, h10, x0 + stepX, y0 + stepY, h11);
				this.#touch(frame, convex, limit);
				this.#index++;
				setCorners(corners, x0, y0, h00, x0 + stepX, y0 + stepY, h11, x0, y0 + stepY, h01);
				this.#touch(frame, convex, limit);
			}
		}
	}

	/** Adds contacts of the triangles of one mesh, as thin convex shapes, with another mesh. */
	addMeshes(
		geometry: MeshGeometry,
		frame: ConvexShape,
		other: MeshGeometry,
		otherFrame: ConvexShape,
		limit: number,
	): void {
		const convex = this.#other;
		const { vertices, indices } = other.mesh;
		convex.type = TRIANGLE;
		convex.radius = 0;
		convex.px = otherFrame.px;
		convex.py = otherFrame.py;
		convex.pz = otherFrame.pz;
		convex.rotation.set(otherFrame.rotation);
		this.#otherCones = other.cones;
		this.#otherSize = leastExtent(other);
		for (let t = 0; t < indices.length; t += 3) {
			for (let i = 0; i < 3; i++) {
				const v = 3 * indices[t + i]!;
				for (let k = 0; k < 3; k++) convex.corners[3 * i + k] = vertices[v + k]!;
			}
			this.#otherIndex = t / 3;
			this.addMesh(geometry, frame, convex, limit);
		}
		this.#otherCones = undefined;
	}

	/** Normals of the surface at hand, and the triangle. */
	#cones: NormalCones | undefined;
	#index = 0;
	/** The same of the other surface, where that is one of triangles too. */
	#otherCones: NormalCones | undefined;
	#otherIndex = 0;
	/** Least extent of the bounds of the other surface [m]. */
	#otherSize = 0;

	readonly #other = new ConvexShape();

	/** Thins the contacts out; call after all were added. */
	finish(): number {
		this.#dropRepeated();
		this.#reduce();
		return this.count;
	}

	/** Box of the convex shape in the frame of the triangles, grown by the limit. */
	#localBox(frame: ConvexShape, convex: ConvexShape, limit: number): void {
		const r = frame.rotation;
		const p = this.#point;
		convex.relativeTo(frame);
		for (let axis = 0; axis < 3; axis++) {
			const dx = r[3 * axis]!;
			const dy = r[3 * axis + 1]!;
			const dz = r[3 * axis + 2]!;
			convex.aim(dx, dy, dz);
			convex.support(p, 0);
			this.#high[axis] = p[0]! * dx + p[1]! * dy + p[2]! * dz + convex.radius + limit;
			convex.aim(-dx, -dy, -dz);
			convex.support(p, 0);
			this.#low[axis] = p[0]! * dx + p[1]! * dy + p[2]! * dz - convex.radius - limit;
		}
	}

	#meshTriangle(
		geometry: MeshGeometry,
		triangle: number,
		frame: ConvexShape,
		convex: ConvexShape,
		limit: number,
	): void {
		const { vertices, indices } = geometry.mesh;
		const corners = this.#triangle.corners;
		this.#index = triangle;
		for (let i = 0; i < 3; i++) {
			const v = 3 * indices[3 * triangle + i]!;
			for (let k = 0; k < 3; k++) corners[3 * i + k] = vertices[v + k]!;
		}
		this.#touch(frame, convex, limit);
	}

	/** Contacts of the triangle at hand. */
	#touch(frame: ConvexShape, convex: ConvexShape, limit: number): void {
		const triangle = this.#triangle;
		triangle.type = TRIANGLE;
		triangle.radius = 0;
		triangle.px = frame.px;
		triangle.py = frame.py;
		triangle.pz = frame.pz;
		triangle.rotation.set(frame.rotation);
		const manifold = this.#manifold;
		const normal = triangleNormal(triangle);
		const tx = normal[0]!;
		const ty = normal[1]!;
		const tz = normal[2]!;
		manifold.limit = limit;
		let facing = 1;
		let count = 0;
		const other = this.#otherCones;
		const opposed = other === undefined ? 0 : this.#opposition(convex, tx, ty, tz);
		if (opposed > OPPOSED) return;
		if (opposed < -OPPOSED) {
			// thin triangles that cross do not know their inside, their normals do
			manifold.nx = tx;
			manifold.ny = ty;
			manifold.nz = tz;
			count = manifold.findAgainstFace(triangle, convex);
		} else {
			count = manifold.find(triangle, convex);
			if (count === 0) return;
			facing = manifold.nx * tx + manifold.ny * ty + manifold.nz * tz;
			let least = Number.POSITIVE_INFINITY;
			for (let i = 0; i < count; i++) least = Math.min(least, manifold.distance[i]!);
			const isOwn =
				this.#belongs(this.#cones!, this.#index, triangle, facing, 1) &&
				(other === undefined || this.#belongsToOther(convex));
			if (!isOwn) {
				// what is apart touches a neighbour, or nothing
				if (least > 0 || other !== undefined) return;
				manifold.nx = tx;
				manifold.ny = ty;
				manifold.nz = tz;
				count = manifold.findAgainstFace(triangle, convex);
				facing = 1;
			}
		}
		const deepest = this.#deepest(convex, frame);
		for (let i = 0; i < count; i++) if (manifold.distance[i]! < deepest) return;
		for (let i = 0; i < count && this.count < CAPACITY; i++) {
			const at = 3 * this.count;
			for (let k = 0; k < 3; k++) {
				this.pointA[at + k] = manifold.pointA[3 * i + k]!;
				this.pointB[at + k] = manifold.pointB[3 * i + k]!;
			}
			this.normal[at] = manifold.nx;
			this.normal[at + 1] = manifold.ny;
			this.normal[at + 2] = manifold.nz;
			this.distance[this.count++] = manifold.distance[i]!;
		}
	}

	/** Whether the normal of the manifold, times `sign`, is one of the surface: of the triangle itself, its edges or its corners. */
	#belongs(cones: NormalCones, index: number, triangle: ConvexShape, facing: number, sign: number): boolean {
		if (facing > FACE) return true;
		// from behind, hollow places look like edges
		if (facing < -LEVEL) return false;
		const { nx, ny, nz } = this.#manifold;
		const r = triangle.rotation;
		const lx = sign * (r[0]! * nx + r[1]! * ny + r[2]! * nz);
		const ly = sign * (r[3]! * nx + r[4]! * ny + r[5]! * nz);
		const lz = sign * (r[6]! * nx + r[7]! * ny + r[8]! * nz);
		const c = triangle.corners;
		let top = 0;
		for (let i = 1; i < 3; i++) if (this.#rise(c, top, i, lx, ly, lz) > 0) top = i;
		const next = (top + 1) % 3;
		const last = (top + 2) % 3;
		const isNextLevel = this.#rise(c, top, next, lx, ly, lz) >= -LEVEL;
		const isLastLevel = this.#rise(c, top, last, lx, ly, lz) >= -LEVEL;
		if (isNextLevel && isLastLevel) return facing > 0;
		cones.nx = lx;
		cones.ny = ly;
		cones.nz = lz;
		if (isNextLevel) return cones.holdsAtEdge(index, top);
		if (isLastLevel) return cones.holdsAtEdge(index, last);
		return cones.holdsAtCorner(index, top);
	}

	/** Sine of the angle at which the way from one corner to another rises along a direction. */
	#rise(c: Float64Array, from: number, to: number, x: number, y: number, z: number): number {
		const ux = c[3 * to]! - c[3 * from]!;
		const uy = c[3 * to + 1]! - c[3 * from + 1]!;
		const uz = c[3 * to + 2]! - c[3 * from + 2]!;
		const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
		return length > 0 ? (ux * x + uy * y + uz * z) / length : 0;
	}

	#belongsToOther(convex: ConvexShape): boolean {
		const { nx, ny, nz } = this.#manifold;
		const n = triangleNormal(convex);
		const facing = -(nx * n[0]! + ny * n[1]! + nz * n[2]!);
		return this.#belongs(this.#otherCones!, this.#otherIndex, convex, facing, -1);
	}

	/** Cosine of the angle between the normals of the triangle at hand and of that of another mesh. */
	#opposition(convex: ConvexShape, x: number, y: number, z: number): number {
		const n = triangleNormal(convex);
		return n[0]! * x + n[1]! * y + n[2]! * z;
	}

	/** Distance along the normal of the manifold, below 0, beyond which a shape is no longer pushed out: half its extent [m]. */
	#deepest(convex: ConvexShape, frame: ConvexShape): number {
		if (this.#otherCones !== undefined) return -0.5 * this.#otherSize;
		const { nx, ny, nz } = this.#manifold;
		const p = this.#point;
		convex.relativeTo(frame);
		convex.aim(nx, ny, nz);
		convex.support(p, 0);
		const high = p[0]! * nx + p[1]! * ny + p[2]! * nz;
		convex.aim(-nx, -ny, -nz);
		convex.support(p, 0);
		return -0.5 * (high - (p[0]! * nx + p[1]! * ny + p[2]! * nz)) - convex.radius;
	}

	/** Drops contacts that triangles with a common corner or edge found alike. */
	#dropRepeated(): void {
		const p = this.pointA;
		let kept = 0;
		for (let i = 0; i < this.count; i++) {
			let isRepeated = false;
			for (let j = 0; j < i && !isRepeated; j++) {
				const dx = p[3 * i]! - p[3 * j]!;
				const dy = p[3 * i + 1]! - p[3 * j + 1]!;
				const dz = p[3 * i + 2]! - p[3 * j + 2]!;
				isRepeated = dx * dx + dy * dy + dz * dz < 1e-14 && this.#dot(i, j) > 0.9999;
			}
			if (!isRepeated) this.#order[kept++] = i;
		}
		for (let k = 0; k < kept; k++) this.#move(this.#order[k]!, k);
		this.count = kept;
	}

	#dot(i: number, j: number): number {
		const n = this.normal;
		return n[3 * i]! * n[3 * j]! + n[3 * i + 1]! * n[3 * j + 1]! + n[3 * i + 2]! * n[3 * j + 2]!;
	}

	#move(from: number, to: number): void {
		if (from === to) return;
		for (let k = 0; k < 3; k++) {
			this.pointA[3 * to + k] = this.pointA[3 * from + k]!;
			this.pointB[3 * to + k] = this.pointB[3 * from + k]!;
			this.normal[3 * to + k] = this.normal[3 * from + k]!;
		}
		this.distance[to] = this.distance[from]!;
	}

	/** Adds the most telling contacts of a cluster that touch, or do not, to the order; gives the new number in it. */
	#keep(cluster: number, touches: boolean, most: number, written: number): number {
		let members = 0;
		for (let i = 0; i < this.count; i++) {
			if (this.#cluster[i] !== cluster || this.distance[i]! <= 0 !== touches) continue;
			for (let k = 0; k < 3; k++) {
				this.#scratchA[3 * members + k] = this.pointA[3 * i + k]!;
				// the index rides along, so that the chosen ones can be found again
				this.#scratchB[3 * members + k] = i;
			}
			this.#scratchD[members++] = this.distance[i]!;
		}
		const kept = reducePoints(this.#scratchA, this.#scratchB, this.#scratchD, members, most);
		for (let i = 0; i < kept; i++) this.#order[written + i] = this.#scratchB[3 * i]!;
		return written + kept;
	}

	/** Clusters contacts by their normals, deepest first, and keeps a few of each. */
	#reduce(): void {
		if (this.count <= NEAR) return;
		this.#cluster.fill(-1, 0, this.count);
		let written = 0;
		for (let cluster = 0; cluster < MAX_CLUSTERS; cluster++) {
			let seed = -1;
			for (let i = 0; i < this.count; i++) {
				if (this.#cluster[i] === -1 && (seed < 0 || this.distance[i]! < this.distance[seed]!)) seed = i;
			}
			if (seed < 0) break;
			for (let i = 0; i < this.count; i++) {
				if (this.#cluster[i] === -1 && this.#dot(i, seed) >= SAME_NORMAL) this.#cluster[i] = cluster;
			}
			written = this.#keep(cluster, true, TOUCHING, written);
			written = this.#keep(cluster, false, NEAR, written);
		}
		const order = this.#order;
		for (let i = 1; i < written; i++) {
			const chosen = order[i]!;
			let j = i;
			for (; j > 0 && order[j - 1]! > chosen; j--) order[j] = order[j - 1]!;
			order[j] = chosen;
		}
		for (let k = 0; k < written; k++) this.#move(order[k]!, k);
		this.count = written;
	}
}

/** Least extent of the bounds of a mesh [m]. */
function leastExtent({ bvh }: MeshGeometry): number {
	const { bounds } = bvh;
	return Math.min(bounds[3]! - bounds[0]!, bounds[4]! - bounds[1]!, bounds[5]! - bounds[2]!);
}

function setCorners(
	out: Float64Array,
	ax: number,
	ay: number,
	az: number,
	bx: number,
	by: number,
	bz: number,
	cx: number,
	cy: number,
	cz: number,
): void {
	out[0] = ax;
	out[1] = ay;
	out[2] = az;
	out[3] = bx;
	out[4] = by;
	out[5] = bz;
	out[6] = cx;
	out[7] = cy;
	out[8] = cz;
}
