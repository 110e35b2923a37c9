import { mat3FromQuat } from '@manyworlds/core/internal';
import { GeoType } from '@manyworlds/model';
import { directionCell, type HullGeometry } from './hull-geometry.ts';

/** Kind of a single triangle, beside the kinds of `GeoType`. */
export const TRIANGLE = 100;

/**
 * A convex shape at a pose, as the narrow phase sees it. Spheres and capsules are a core (a point or a segment) with a
 * radius around it; distances between cores are exact where those between round surfaces are not. One object is used again
 * for shape after shape.
 */
export class ConvexShape {
	type: number = GeoType.NONE;
	/** Sizes: radius, half height; half extents; radii. */
	x = 0;
	y = 0;
	z = 0;
	/** Radius around the core [m]. */
	radius = 0;
	/** Position of the frame. */
	px = 0;
	py = 0;
	pz = 0;
	/** Axes of the frame in the world, one in a row: `rotation[3 i + k]` is component k of axis i. */
	readonly rotation: Float64Array = new Float64Array(9);
	hull: HullGeometry | undefined;
	/** Corners of a triangle in its frame. */
	readonly corners: Float64Array = new Float64Array(9);
	/**
	 * Direction of the next `support` in the world, and the point that its result is relative to. They are fields, as numbers
	 * that go through calls are boxed.
	 */
	dx = 0;
	dy = 0;
	dz = 0;
	ox = 0;
	oy = 0;
	oz = 0;
	/** Direction of the next `farthestCorner`, in the frame of the shape. */
	readonly local: Float64Array = new Float64Array(3);
	/** Last supporting corner of a hull, where the next search begins. */
	lastVertex = 0;

	/** Takes kind and size of a shape, as `shapeType` and `shapeScale` of a model. */
	setGeometry(type: number, x: number, y: number, z: number, hull: HullGeometry | undefined): void {
		this.type = type;
		this.x = x;
		this.y = y;
		this.z = z;
		this.hull = hull;
		this.lastVertex = 0;
		this.radius = type === GeoType.SPHERE || type === GeoType.CAPSULE ? x : 0;
	}

	/** Takes a pose: position and quaternion x y z w from `at` on. */
	setPose(pose: Float64Array, at: number): void {
		this.px = pose[at]!;
		this.py = pose[at + 1]!;
		this.pz = pose[at + 2]!;
		mat3FromQuat(this.rotation, pose, 0, at + 3);
	}

	/** Writes a point in the middle of the shape. */
	centre(out: Float64Array, at: number): void {
		const { rotation: r, hull } = this;
		const isHull = this.type === GeoType.CONVEX_MESH && hull !== undefined;
		const x = isHull ? hull.center[0]! : 0;
		const y = isHull ? hull.center[1]! : 0;
		const z = isHull ? hull.center[2]! : 0;
		out[at] = this.px + r[0]! * x + r[3]! * y + r[6]! * z;
		out[at + 1] = this.py + r[1]! * x + r[4]! * y + r[7]! * z;
		out[at + 2] = this.pz + r[2]! * x + r[5]! * y + r[8]! * z;
	}

	/** Writes the farthest point of the core along the direction (dx, dy, dz), relative to the point (ox, oy, oz). */
	support(out: Float64Array, at: number): void {
		const { rotation: r, dx, dy, dz } = this;
		const lx = r[0]! * dx + r[1]! * dy + r[2]! * dz;
		const ly = r[3]! * dx + r[4]! * dy + r[5]! * dz;
		const lz = r[6]! * dx + r[7]! * dy + r[8]! * dz;
		let sx = 0;
		let sy = 0;
		let sz = 0;
		switch (this.type) {
			case GeoType.BOX:
				sx = lx < 0 ? -this.x : this.x;
				sy = ly < 0 ? -this.y : this.y;
				sz = lz < 0 ? -this.z : this.z;
				break;
			case GeoType.CAPSULE:
				sz = lz < 0 ? -this.y : this.y;
				break;
			case GeoType.CYLINDER: {
				const radial = Math.sqrt(lx * lx + ly * ly);
				sx = radial > 1e-300 ? (this.x * lx) / radial : this.x;
				sy = radial > 1e-300 ? (this.x * ly) / radial : 0;
				sz = lz < 0 ? -this.y : this.y;
				break;
			}
			case GeoType.CONE: {
				const radial = Math.sqrt(lx * lx + ly * ly);
				sz = this.y;
				if (-this.y * lz + this.x * radial > this.y * lz) {
					sz = -this.y;
					sx = radial > 1e-300 ? (this.x * lx) / radial : this.x;
					sy = radial > 1e-300 ? (this.x * ly) / radial : 0;
				}
				break;
			}
			case GeoType.ELLIPSOID: {
				const ax = this.x * lx;
				const ay = this.y * ly;
				const az = this.z * lz;
				const length = Math.sqrt(ax * ax + ay * ay + az * az);
				const scale = length > 1e-300 ? 1 / length : 0;
				sx = this.x * ax * scale;
				sy = this.y * ay * scale;
				sz = this.z * az * scale;
				break;
			}
			case TRIANGLE: {
				const c = this.corners;
				let best = c[0]! * lx + c[1]! * ly + c[2]! * lz;
				let pick = 0;
				for (let i = 3; i < 9; i += 3) {
					const value = c[i]! * lx + c[i + 1]! * ly + c[i + 2]! * lz;
					if (value > best) {
						best = value;
						pick = i;
					}
				}
				sx = c[pick]!;
				sy = c[pick + 1]!;
				sz = c[pick + 2]!;
				break;
			}
			case GeoType.CONVEX_MESH: {
				const { vertices } = this.hull!;
				const { local } = this;
				local[0] = lx;
				local[1] = ly;
				local[2] = lz;
				const i = 3 * this.farthestCorner();
				sx = vertices[i]!;
				sy = vertices[i + 1]!;
				sz = vertices[i + 2]!;
				break;
			}
		}
		out[at] = this.px - this.ox + r[0]! * sx + r[3]! * sy + r[6]! * sz;
		out[at + 1] = this.py - this.oy + r[1]! * sx + r[4]! * sy + r[7]! * sz;
		out[at + 2] = this.pz - this.oz + r[2]! * sx + r[5]! * sy + r[8]! * sz;
	}

	/** Sets the direction of the next `support`. */
	aim(dx: number, dy: number, dz: number): void {
		this.dx = dx;
		this.dy = dy;
		this.dz = dz;
	}

	/** Makes results of `support` relative to the position of a shape. */
	relativeTo(other: ConvexShape): void {
		this.ox = other.px;
		this.oy = other.py;
		this.oz = other.pz;
	}

	/**
	 * The corner of the hull that is farthest along `local`: uphill from the last one or from the one for directions like it,
	 * which ends at the top of a convex body.
	 */
	farthestCorner(): number {
		const { vertices, neighbourStart, neighbours, seeds } = this.hull!;
		const { local } = this;
		const lx = local[0]!;
		const ly = local[1]!;
		const lz = local[2]!;
		const count = vertices.length / 3;
		let best = this.lastVertex;
		let top = vertices[3 * best]! * lx + vertices[3 * best + 1]! * ly + vertices[3 * best + 2]! * lz;
		if (count > 32) {
			const seed = seeds[directionCell(local, 0)]!;
			const value = vertices[3 * seed]! * lx + vertices[3 * seed + 1]! * ly + vertices[3 * seed + 2]! * lz;
			if (value > top) {
				top = value;
				best = seed;
			}
		}
		if (count <= 32 || neighbours.length === 0) {
			for (let i = 0; i < count; i++) {
				const value = vertices[3 * i]! * lx + vertices[3 * i + 1]! * ly + vertices[3 * i + 2]! * lz;
				if (value > top || (value === top && i < best)) {
					top = value;
					best = i;
				}
			}
		} else {
			for (let isRising = true; isRising; ) {
				isRising = false;
				const from = best;
				for (let k = neighbourStart[from]!; k < neighbourStart[from + 1]!; k++) {
					const i = neighbours[k]!;
					const value = vertices[3 * i]! * lx + vertices[3 * i + 1]! * ly + vertices[3 * i + 2]! * lz;
					if (value > top) {
						top = value;
						best = i;
						isRising = true;
					}
				}
			}
		}
		this.lastVertex = best;
		return best;
	}
}
