import { quatRotate } from '@manyworlds/core/internal';
import { GeoType, type Model } from '@manyworlds/model';
import type { CollisionGeometry } from './collision-geometry.ts';
import { ContactManifold } from './contact-manifold.ts';
import { ConvexShape } from './convex-shape.ts';
import { hasFaceAxes, isBallOnPlane, needsSearch } from './pair-kinds.ts';
import { SeparatingAxes } from './separating-axes.ts';
import type { ShapeFrames } from './shape-frames.ts';
import { SurfaceContacts } from './surface-contacts.ts';
import type { WorldContacts } from './world-contacts.ts';

/** Distance by which rounding may misplace boxes [m]. */
const ROUNDING = 1e-9;

/**
 * Contacts of pairs of shapes, written to a buffer: points on the surfaces in the frames of the bodies, the normal from shape
 * 0 to shape 1 in the world. A contact is written when `distance − margins ≤ gaps`, where gaps are grown by the way that the
 * point may go in the time that the frames look ahead; of the two shapes the one with the smaller kind is shape 0, as in
 * Newton.
 */
export class NarrowPhase {
	readonly #model: Model;
	readonly #frames: ShapeFrames;
	readonly #geometry: CollisionGeometry;
	readonly #a = new ConvexShape();
	readonly #b = new ConvexShape();
	readonly #manifold = new ContactManifold();
	readonly #surface = new SurfaceContacts();
	readonly #axes: SeparatingAxes;
	/** Shapes that `#a` and `#b` are set up as, and for which call of `begin`: pairs that share one follow each other. */
	#shapeA = -1;
	#shapeB = -1;
	#call = -1;
	/** Velocities of the origins of shapes, and the calls of `begin` that they are of. */
	readonly #velocity: Float64Array;
	readonly #velocityCall: Int32Array;
	/** Distance up to which contacts of the pair at hand count: at rest, and with the way that it may go. */
	#near = 0;
	#limit = 0;
	readonly #normal = new Float64Array(3);
	readonly #ballOnPlane = new Float64Array(3);
	readonly #ballOnBall = new Float64Array(3);
	readonly #offset = new Float64Array(3);
	readonly #pointVelocity = new Float64Array(3);
	readonly #arm = new Float64Array(3);

	constructor(frames: ShapeFrames, geometry: CollisionGeometry) {
		this.#frames = frames;
		this.#model = frames.model;
		this.#geometry = geometry;
		this.#axes = new SeparatingAxes(frames.model.shapeContactPairs.length / 2);
		this.#velocity = new Float64Array(3 * frames.model.shapeCount);
		this.#velocityCall = new Int32Array(frames.model.shapeCount).fill(-1);
	}

	/** Writes the contacts of a pair into the rows of a world. */
	collide(first: number, second: number, world: number, bodyQ: Float64Array, contacts: WorldContacts): void {
		const model = this.#model;
		const isSwapped = model.shapeType[first]! > model.shapeType[second]!;
		const shape0 = isSwapped ? second : first;
		const shape1 = isSwapped ? first : second;
		this.#near =
			model.shapeMargin[shape0]! + model.shapeMargin[shape1]! + model.shapeGap[shape0]! + model.shapeGap[shape1]!;
		this.#limit = this.#near;
		if (isBallOnPlane(model, shape0, shape1)) {
			this.#collideBall(shape0, shape1, world, bodyQ, contacts);
			return;
		}
		if (model.shapeType[shape0] === GeoType.PLANE && this.#isBoxAbove(shape0, shape1)) return;
		if (this.#frames.horizon > 0) this.#lookAhead(shape0, shape1);
		const type0 = model.shapeType[shape0]!;
		const type1 = model.shapeType[shape1]!;
		if (type0 === GeoType.PLANE) {
			if (type1 === GeoType.PLANE) return;
			if (this.#isAbove(shape0, shape1)) return;
		}
		const { meshes } = this.#geometry;
		const isSurface0 = type0 === GeoType.HFIELD || meshes[shape0] !== undefined;
		const isSurface1 = type1 === GeoType.HFIELD || meshes[shape1] !== undefined;
		// the lowest points of a mesh over a plane are corners of its hull
		const isConvex = (!isSurface0 && !isSurface1) || (type0 === GeoType.PLANE && type1 === GeoType.MESH);
		if (isConvex) {
			const isSearched = needsSearch(type0, type1);
			if (isSearched && !hasFaceAxes(type0, type1) && this.#areApart(shape0, shape1)) return;
			if (!this.#placeBoth(shape0, shape1)) return;
			if (isSearched) {
				this.#axes.distance = Math.max(0, this.#limit + this.#a.radius + this.#b.radius);
				if (this.#axes.areApart(shape0, shape1, this.#a, this.#b)) return;
			}
			// a shape that is nowhere near the end of a plane does not know that it has one
			if (this.#a.type === GeoType.BOX && type0 === GeoType.PLANE && this.#isInside(shape0, shape1))
				this.#setPlane(this.#a, shape0);
			this.#manifold.limit = this.#limit;
			const found = this.#manifold.find(this.#a, this.#b);
			if (this.#manifold.found.isBeyond) this.#axes.keep(shape0, shape1, this.#a, this.#manifold.found.beyond);
			const { pointA, pointB } = this.#manifold;
			const n = this.#normal;
			n[0] = this.#manifold.nx;
			n[1] = this.#manifold.ny;
			n[2] = this.#manifold.nz;
			for (let i = 0; i < found; i++) this.#write(shape0, shape1, pointA, pointB, 3 * i, world, bodyQ, contacts);
			return;
		}
		if (type0 === GeoType.PLANE || (type0 === GeoType.HFIELD && type1 === GeoType.HFIELD)) return;
		this.#collideSurface(shape0, shape1, isSurface0, world, bodyQ, contacts);
	}

	/**
	 * Writes the contact of an endless plane and a sphere, the most common pair under feet, without setting up shapes. The sphere is
	 * placed only when it matters how fast it is.
	 */
	#collideBall(plane: number, ball: number, world: number, bodyQ: Float64Array, contacts: WorldContacts): void {
		const frames = this.#frames;
		frames.place(plane);
		const { pose, rotation } = frames;
		const { shapeBody, shapeTransform, shapeScale } = this.#model;
		const radius = shapeScale[3 * ball]!;
		const body = shapeBody[ball]!;
		// as `ShapeFrames` has it
		let x = shapeTransform[7 * ball]!;
		let y = shapeTransform[7 * ball + 1]!;
		let z = shapeTransform[7 * ball + 2]!;
		if (body >= 0) {
			const b = 7 * body;
			const qx = bodyQ[b + 3]!;
			const qy = bodyQ[b + 4]!;
			const qz = bodyQ[b + 5]!;
			const qw = bodyQ[b + 6]!;
			const tx = 2 * (qy * z - qz * y);
			const ty = 2 * (qz * x - qx * z);
			const tz = 2 * (qx * y - qy * x);
			x = bodyQ[b]! + x + qw * tx + (qy * tz - qz * ty);
			y = bodyQ[b + 1]! + y + qw * ty + (qz * tx - qx * tz);
			z = bodyQ[b + 2]! + z + qw * tz + (qx * ty - qy * tx);
		}
		const nx = rotation[9 * plane + 6]!;
		const ny = rotation[9 * plane + 7]!;
		const nz = rotation[9 * plane + 8]!;
		const p = 7 * plane;
		const distance = (x - pose[p]!) * nx + (y - pose[p + 1]!) * ny + (z - pose[p + 2]!) * nz - radius;
		if (distance > this.#near) {
			if (!(frames.horizon > 0)) return;
			frames.place(ball);
			this.#lookAhead(plane, ball);
			if (distance > this.#limit) return;
		}
		const n = this.#normal;
		n[0] = nx;
		n[1] = ny;
		n[2] = nz;
		const onPlane = this.#ballOnPlane;
		const onBall = this.#ballOnBall;
		onBall[0] = x - radius * nx;
		onBall[1] = y - radius * ny;
		onBall[2] = z - radius * nz;
		onPlane[0] = onBall[0]! - distance * nx;
		onPlane[1] = onBall[1]! - distance * ny;
		onPlane[2] = onBall[2]! - distance * nz;
		this.#write(plane, ball, onPlane, onBall, 0, world, bodyQ, contacts);
	}

	/**
	 * Grows the limit by the way that points of the shapes may go past each other. A point of contact is on the smaller shape,
	 * within its reach, and no farther than the limit from the other one. There the two bodies differ in speed by what they do
	 * in the middle of the smaller shape, by their difference in turning times its reach, and by the turning of the other one
	 * over the way between: limbs that move together do not count as fast.
	 */
	#lookAhead(shape0: number, shape1: number): void {
		const { bodyQd, reach, most, horizon, pose } = this.#frames;
		const { shapeBody } = this.#model;
		const isFirst = reach[shape0]! < reach[shape1]!;
		const small = isFirst ? shape0 : shape1;
		const large = isFirst ? shape1 : shape0;
		const v = this.#velocity;
		this.#setVelocity(small);
		this.#setVelocity(large);
		const a = 6 * shapeBody[small]! + 3;
		const b = 6 * shapeBody[large]! + 3;
		const wx = b < 0 ? 0 : bodyQd[b]!;
		const wy = b < 0 ? 0 : bodyQd[b + 1]!;
		const wz = b < 0 ? 0 : bodyQd[b + 2]!;
		const rx = pose[7 * small]! - pose[7 * large]!;
		const ry = pose[7 * small + 1]! - pose[7 * large + 1]!;
		const rz = pose[7 * small + 2]! - pose[7 * large + 2]!;
		const vx = v[3 * small]! - v[3 * large]! - (wy * rz - wz * ry);
		const vy = v[3 * small + 1]! - v[3 * large + 1]! - (wz * rx - wx * rz);
		const vz = v[3 * small + 2]! - v[3 * large + 2]! - (wx * ry - wy * rx);
		const speed = Math.sqrt(vx * vx + vy * vy + vz * vz);
		const ux = (a < 0 ? 0 : bodyQd[a]!) - wx;
		const uy = (a < 0 ? 0 : bodyQd[a + 1]!) - wy;
		const uz = (a < 0 ? 0 : bodyQd[a + 2]!) - wz;
		const turning = ux * ux + uy * uy + uz * uz;
		const largeTurning = wx * wx + wy * wy + wz * wz;
		const between = Math.sqrt(largeTurning) * (this.#near + most);
		const way = horizon * (speed + Math.sqrt(turning) * reach[small]! + between);
		this.#limit += Math.min(most, way);
	}

	/** Sets the velocity of the origin of a shape, once after each `begin`. */
	#setVelocity(shape: number): void {
		const { call, pose } = this.#frames;
		if (this.#velocityCall[shape] === call) return;
		this.#velocityCall[shape] = call;
		const v = this.#pointVelocity;
		v[0] = 0;
		v[1] = 0;
		v[2] = 0;
		this.#addVelocity(shape, pose, 7 * shape, 1);
		this.#velocity[3 * shape] = v[0]!;
		this.#velocity[3 * shape + 1] = v[1]!;
		this.#velocity[3 * shape + 2] = v[2]!;
	}

	/** How far the points of a contact may be apart for their speed [m]: towards each other, and past each other. */
	#wayBetween(shape0: number, shape1: number, point0: Float64Array, point1: Float64Array, at: number): number {
		const { ahead, aside, most } = this.#frames;
		const v = this.#pointVelocity;
		v[0] = 0;
		v[1] = 0;
		v[2] = 0;
		this.#addVelocity(shape1, point1, at, 1);
		this.#addVelocity(shape0, point0, at, -1);
		const n = this.#normal;
		const leaving = v[0]! * n[0]! + v[1]! * n[1]! + v[2]! * n[2]!;
		const squared = v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!;
		const sliding = Math.sqrt(Math.max(0, squared - leaving * leaving));
		return Math.min(most, ahead * Math.max(0, -leaving) + aside * sliding);
	}

	/** Adds the velocity of a point of a shape, times `sign`, to the scratch. */
	#addVelocity(shape: number, point: Float64Array, at: number, sign: number): void {
		const { shapeBody, bodyCom } = this.#model;
		const body = shapeBody[shape]!;
		if (body < 0) return;
		const { bodyQ, bodyQd } = this.#frames;
		const v = this.#pointVelocity;
		// from the centre of mass, which the velocities of bodies are of
		const arm = this.#arm;
		quatRotate(arm, bodyQ, bodyCom, 0, 7 * body + 3, 3 * body);
		const rx = point[at]! - bodyQ[7 * body]! - arm[0]!;
		const ry = point[at + 1]! - bodyQ[7 * body + 1]! - arm[1]!;
		const rz = point[at + 2]! - bodyQ[7 * body + 2]! - arm[2]!;
		const d = 6 * body;
		const wx = bodyQd[d + 3]!;
		const wy = bodyQd[d + 4]!;
		const wz = bodyQd[d + 5]!;
		v[0] = v[0]! + sign * (bodyQd[d]! + wy * rz - wz * ry);
		v[1] = v[1]! + sign * (bodyQd[d + 1]! + wz * rx - wx * rz);
		v[2] = v[2]! + sign * (bodyQd[d + 2]! + wx * ry - wy * rx);
	}

	/** Whether the box of a shape, as far as the shape may go, stays clear of a plane that does not move. */
	#isBoxAbove(plane: number, shape: number): boolean {
		const model = this.#model;
		if (model.shapeBody[plane]! >= 0) return false;
		const { pose, rotation, box } = this.#frames;
		let height = -model.shapeMargin[plane]! - model.shapeGap[plane]!;
		for (let k = 0; k < 3; k++) {
			const n = rotation[9 * plane + 6 + k]!;
			// an axis across the normal has no part in it, also of a box without end
			if (n !== 0) height += n * (box[6 * shape + (n > 0 ? k : 3 + k)]! - pose[7 * plane + k]!);
		}
		return height > ROUNDING;
	}

	/** Whether a sphere around a shape stays clear of an endless plane. */
	#isAbove(plane: number, shape: number): boolean {
		const model = this.#model;
		const { pose, rotation } = this.#frames;
		const low = model.shapeCollisionAabbLower;
		const high = model.shapeCollisionAabbUpper;
		const nx = rotation[9 * plane + 6]!;
		const ny = rotation[9 * plane + 7]!;
		const nz = rotation[9 * plane + 8]!;
		let height = 0;
		for (let k = 0; k < 3; k++) {
			height += (pose[7 * shape + k]! - pose[7 * plane + k]!) * (k === 0 ? nx : k === 1 ? ny : nz);
		}
		for (let axis = 0; axis < 3; axis++) {
			const at = 9 * shape + 3 * axis;
			const along = rotation[at]! * nx + rotation[at + 1]! * ny + rotation[at + 2]! * nz;
			const a = low[3 * shape + axis]! * along;
			const b = high[3 * shape + axis]! * along;
			height += Math.min(a, b);
		}
		return height > this.#limit;
	}

	/** Whether a plane across an axis of one of two shapes keeps their bounds apart. */
	#areApart(shape0: number, shape1: number): boolean {
		const { shapeCollisionAabbLower: lower, shapeCollisionAabbUpper: upper } = this.#model;
		const { pose, rotation } = this.#frames;
		for (let side = 0; side < 2; side++) {
			const own = side === 0 ? shape0 : shape1;
			const other = side === 0 ? shape1 : shape0;
			const dx = pose[7 * other]! - pose[7 * own]!;
			const dy = pose[7 * other + 1]! - pose[7 * own + 1]!;
			const dz = pose[7 * other + 2]! - pose[7 * own + 2]!;
			for (let axis = 0; axis < 3; axis++) {
				const at = 9 * own + 3 * axis;
				const x = rotation[at]!;
				const y = rotation[at + 1]!;
				const z = rotation[at + 2]!;
				let low = dx * x + dy * y + dz * z;
				let high = low;
				for (let k = 0; k < 3; k++) {
					const r = 9 * other + 3 * k;
					const along = rotation[r]! * x + rotation[r + 1]! * y + rotation[r + 2]! * z;
					const a = lower[3 * other + k]! * along;
					const b = upper[3 * other + k]! * along;
					low += Math.min(a, b);
					high += Math.max(a, b);
				}
				const gap = Math.max(low - upper[3 * own + axis]!, lower[3 * own + axis]! - high);
				if (gap > this.#limit) return true;
			}
		}
		return false;
	}

	/** Whether the shadow of a shape lies within a plane that has an end. */
	#isInside(plane: number, shape: number): boolean {
		const model = this.#model;
		const { pose, rotation } = this.#frames;
		for (let side = 0; side < 2; side++) {
			const half = model.shapeScale[3 * plane + side]! / 2;
			const at = 9 * plane + 3 * side;
			let low = 0;
			for (let k = 0; k < 3; k++) low += (pose[7 * shape + k]! - pose[7 * plane + k]!) * rotation[at + k]!;
			let high = low;
			for (let axis = 0; axis < 3; axis++) {
				const r = 9 * shape + 3 * axis;
				const along =
					rotation[r]! * rotation[at]! + rotation[r + 1]! * rotation[at + 1]! + rotation[r + 2]! * rotation[at + 2]!;
				const a = model.shapeCollisionAabbLower[3 * shape + axis]! * along;
				const b = model.shapeCollisionAabbUpper[3 * shape + axis]! * along;
				low += Math.min(a, b);
				high += Math.max(a, b);
			}
			if (low < -half || high > half) return false;
		}
		return true;
	}

	#setPlane(out: ConvexShape, shape: number): void {
		this.#shapeA = -1;
		out.setGeometry(GeoType.PLANE, 0, 0, 0, undefined);
		this.#setFrame(out, shape);
	}

	/** Sets up the shapes of a pair, unless the pair before had them; false when one has no geometry. */
	#placeBoth(shape0: number, shape1: number): boolean {
		if (this.#call !== this.#frames.call) {
			this.#call = this.#frames.call;
			this.#shapeA = -1;
			this.#shapeB = -1;
		}
		if (this.#shapeA === shape0) this.#a.lastVertex = 0;
		else {
			this.#shapeA = -1;
			if (!this.#place(this.#a, shape0)) return false;
			this.#shapeA = shape0;
		}
		if (this.#shapeB === shape1) this.#b.lastVertex = 0;
		else {
			this.#shapeB = -1;
			if (!this.#place(this.#b, shape1)) return false;
			this.#shapeB = shape1;
		}
		return true;
	}

	/** Sets up a shape as a convex one; false when it has no geometry. */
	#place(out: ConvexShape, shape: number): boolean {
		const model = this.#model;
		const { pose, rotation } = this.#frames;
		const s = 3 * shape;
		let type = model.shapeType[shape]!;
		let x = model.shapeScale[s]!;
		let y = model.shapeScale[s + 1]!;
		let z = model.shapeScale[s + 2]!;
		let drop = 0;
		const hull = this.#geometry.hulls[shape];
		if (type === GeoType.MESH || type === GeoType.CONVEX_MESH) {
			if (hull === undefined) return false;
			type = GeoType.CONVEX_MESH;
		} else if (type === GeoType.PLANE && x > 0 && y > 0) {
			// a plane with an end: the top of a solid block
			type = GeoType.BOX;
			x /= 2;
			y /= 2;
			z = Math.max(x, y);
			drop = z;
		}
		out.setGeometry(type, x, y, z, hull);
		const r = out.rotation;
		for (let k = 0; k < 9; k++) r[k] = rotation[9 * shape + k]!;
		out.px = pose[7 * shape]! - drop * r[6]!;
		out.py = pose[7 * shape + 1]! - drop * r[7]!;
		out.pz = pose[7 * shape + 2]! - drop * r[8]!;
		return type !== GeoType.NONE;
	}

	#collideSurface(
		shape0: number,
		shape1: number,
		isSurface0: boolean,
		world: number,
		bodyQ: Float64Array,
		contacts: WorldContacts,
	): void {
		this.#shapeA = -1;
		this.#shapeB = -1;
		const limit = this.#limit;
		const ground = isSurface0 ? shape0 : shape1;
		const other = isSurface0 ? shape1 : shape0;
		const surface = this.#surface;
		const frame = this.#a;
		this.#setFrame(frame, ground);
		surface.begin();
		const field = this.#geometry.heights[ground];
		const mesh = this.#geometry.meshes[ground];
		const otherMesh = this.#geometry.meshes[other];
		if (otherMesh !== undefined) {
			this.#setFrame(this.#b, other);
			if (mesh !== undefined) surface.addMeshes(mesh, frame, otherMesh, this.#b, limit);
			else if (field !== undefined && this.#place(this.#b, other)) surface.addHeights(field, frame, this.#b, limit);
		} else {
			if (!this.#place(this.#b, other)) return;
			if (field !== undefined) surface.addHeights(field, frame, this.#b, limit);
			else if (mesh !== undefined) surface.addMesh(mesh, frame, this.#b, limit);
		}
		const found = surface.finish();
		const { pointA, pointB, normal } = surface;
		const sign = ground === shape0 ? 1 : -1;
		const n = this.#normal;
		for (let i = 0; i < found; i++) {
			for (let k = 0; k < 3; k++) n[k] = sign * normal[3 * i + k]!;
			this.#write(
				shape0,
				shape1,
				sign > 0 ? pointA : pointB,
				sign > 0 ? pointB : pointA,
				3 * i,
				world,
				bodyQ,
				contacts,
			);
		}
	}

	#setFrame(out: ConvexShape, shape: number): void {
		const { pose, rotation } = this.#frames;
		for (let k = 0; k < 9; k++) out.rotation[k] = rotation[9 * shape + k]!;
		out.px = pose[7 * shape]!;
		out.py = pose[7 * shape + 1]!;
		out.pz = pose[7 * shape + 2]!;
	}

	/** Writes a contact whose normal is in the scratch; points are at `at` of the arrays. */
	#write(
		shape0: number,
		shape1: number,
		point0: Float64Array,
		point1: Float64Array,
		at: number,
		world: number,
		bodyQ: Float64Array,
		contacts: WorldContacts,
	): void {
		const n = this.#normal;
		let isAhead = false;
		if (this.#limit > this.#near) {
			const distance =
				(point1[at]! - point0[at]!) * n[0]! +
				(point1[at + 1]! - point0[at + 1]!) * n[1]! +
				(point1[at + 2]! - point0[at + 2]!) * n[2]!;
			isAhead = distance > this.#near;
			if (isAhead && distance > this.#near + this.#wayBetween(shape0, shape1, point0, point1, at)) return;
		}
		const row = contacts.nextInWorld(world, isAhead);
		if (row < 0) return;
		const { shapeBody } = this.#model;
		toBody(contacts.rigidPoint0, 3 * row, bodyQ, shapeBody[shape0]!, point0, at, 1);
		toBody(contacts.rigidPoint1, 3 * row, bodyQ, shapeBody[shape1]!, point1, at, 1);
		this.#writeRest(row, shape0, shape1, bodyQ, contacts);
	}

	/** Writes all of a contact but its points; its normal is in the scratch. */
	#writeRest(row: number, shape0: number, shape1: number, bodyQ: Float64Array, contacts: WorldContacts): void {
		const { shapeMargin, shapeBody } = this.#model;
		const margin0 = shapeMargin[shape0]!;
		const margin1 = shapeMargin[shape1]!;
		contacts.rigidShape0[row] = shape0;
		contacts.rigidShape1[row] = shape1;
		contacts.rigidMargin0[row] = margin0;
		contacts.rigidMargin1[row] = margin1;
		contacts.rigidMatchIndex[row] = -1;
		const n = this.#normal;
		for (let k = 0; k < 3; k++) contacts.rigidNormal[3 * row + k] = n[k]!;
		this.#writeOffset(contacts.rigidOffset0, row, bodyQ, shapeBody[shape0]!, margin0);
		this.#writeOffset(contacts.rigidOffset1, row, bodyQ, shapeBody[shape1]!, -margin1);
	}

	/** Writes the way from the core to the surface along the normal in the frame of a body. */
	#writeOffset(out: Float64Array, row: number, bodyQ: Float64Array, body: number, length: number): void {
		const offset = this.#offset;
		const n = this.#normal;
		if (length === 0) {
			out[3 * row] = 0;
			out[3 * row + 1] = 0;
			out[3 * row + 2] = 0;
			return;
		}
		for (let k = 0; k < 3; k++) offset[k] = length * n[k]!;
		toBody(out, 3 * row, bodyQ, body, offset, 0, 0);
	}
}

/** Writes a world point (`isPoint` 1) or direction (0), three numbers from `from` on, in the frame of a body; as it is for the world. */
function toBody(
	out: Float64Array,
	at: number,
	bodyQ: Float64Array,
	body: number,
	source: Float64Array,
	from: number,
	isPoint: number,
): void {
	if (body < 0) {
		out[at] = source[from]!;
		out[at + 1] = source[from + 1]!;
		out[at + 2] = source[from + 2]!;
		return;
	}
	const b = 7 * body;
	const dx = source[from]! - isPoint * bodyQ[b]!;
	const dy = source[from + 1]! - isPoint * bodyQ[b + 1]!;
	const dz = source[from + 2]! - isPoint * bodyQ[b + 2]!;
	const qx = -bodyQ[b + 3]!;
	const qy = -bodyQ[b + 4]!;
	const qz = -bodyQ[b + 5]!;
	const qw = bodyQ[b + 6]!;
	const cx = qy * dz - qz * dy;
	const cy = qz * dx - qx * dz;
	const cz = qx * dy - qy * dx;
	out[at] = dx + 2 * (qw * cx + qy * cz - qz * cy);
	out[at + 1] = dy + 2 * (qw * cy + qz * cx - qx * cz);
	out[at + 2] = dz + 2 * (qw * cz + qx * cy - qy * cx);
}
