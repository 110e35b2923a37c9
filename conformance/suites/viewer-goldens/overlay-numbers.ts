import {
	principalInertia,
	quatRotate,
	transformMultiply,
	transformPoint,
	transformPointInverse,
} from '@manyworlds/core/internal';
import { GeoType, JointType, type Model, ShapeFlags, type State } from '@manyworlds/model';
import { CollisionGeometry } from '@manyworlds/sim/internal';
import { shapePose } from './link-map.ts';
import type { ShownRobot } from './observe-robot.ts';

/** Largest difference of what is drawn from what the model says [m, rad]. */
export const OVERLAY_TOLERANCE = 1e-5;

/** What is wrong with the drawings over a robot, beside the numbers of its model; undefined where nothing is. */
export function overlayFault(
	shown: Pick<ShownRobot, 'joints' | 'masses' | 'inertia' | 'colliders'>,
	model: Model,
	state: State,
): string | undefined {
	return (
		jointFault(shown.joints, model, state) ??
		massFault(shown.masses, model, state) ??
		inertiaFault(shown.inertia, model, state) ??
		colliderFault(shown.colliders, model, state)
	);
}

/** Reads lines one after the other. */
class LineReader {
	readonly #ends: readonly number[];
	#at = 0;

	constructor(ends: readonly number[]) {
		this.#ends = ends;
	}

	get left(): number {
		return (this.#ends.length - this.#at) / 6;
	}

	next(): { readonly from: readonly number[]; readonly to: readonly number[] } | undefined {
		if (this.left < 1) return undefined;
		const from = this.#ends.slice(this.#at, this.#at + 3);
		const to = this.#ends.slice(this.#at + 3, this.#at + 6);
		this.#at += 6;
		return { from, to };
	}

	/** Points of lines of which each begins where the one before ends. */
	chain(): number[][] {
		const points: number[][] = [];
		for (;;) {
			const from = this.#ends.slice(this.#at, this.#at + 3);
			if (from.length < 3) return points;
			if (points.length > 0 && points.at(-1)!.some((value, k) => value !== from[k])) return points;
			const line = this.next()!;
			if (points.length === 0) points.push([...line.from]);
			points.push([...line.to]);
		}
	}
}

/** Joints: a line along each axis about its origin, and what the limits leave: an arc about it or a line along it. */
function jointFault(ends: readonly number[], model: Model, state: State): string | undefined {
	const lines = new LineReader(ends);
	const count = model.worldCount > 0 ? model.jointWorldStart[1]! : model.jointCount;
	/** Half length of an axis, which the size of the robot decides; the same for all. */
	let reach: number | undefined;
	for (let joint = 0; joint < count; joint++) {
		const name = `joint '${model.jointLabels[joint]}'`;
		const frame = jointFrame(model, state, joint);
		const origin = frame.subarray(0, 3);
		for (const { dof, turns } of freedomsOf(model, joint)) {
			const axis = unit(quatRotate(new Float64Array(3), frame, model.jointAxis, 0, 3, 3 * dof));
			const line = lines.next();
			if (line === undefined) return `${name} has no axis`;
			const middle = line.from.map((value, k) => (value + line.to[k]!) / 2);
			const half = line.to.map((value, k) => (value - line.from[k]!) / 2);
			reach ??= Math.hypot(...half);
			if (isOff(middle, origin)) return `the axis of ${name} is not at its origin`;
			if (
				isOff(
					half,
					axis.map((value) => value * reach!),
				)
			)
				return `the axis of ${name} leads elsewhere`;
			const [lower, upper] = [model.jointLimitLower[dof]!, model.jointLimitUpper[dof]!];
			const isBounded = Math.abs(lower) < UNBOUNDED && Math.abs(upper) < UNBOUNDED;
			if (turns) {
				const drawn = arcOf(lines.chain(), origin, axis, reach);
				if (typeof drawn === 'string') return `the arc of ${name} ${drawn}`;
				const [from, to] = isBounded ? [lower, Math.min(upper, lower + 2 * Math.PI)] : [-Math.PI, Math.PI];
				// lengths on the arc are what is drawn
				const radius = ARC * reach;
				if (!(Math.abs(Math.sin((drawn.from - from) / 2)) * 2 * radius <= OVERLAY_TOLERANCE)) {
					return `the lower limit of ${name} is drawn at ${drawn.from} rad, expected ${from}`;
				}
				if (!(Math.abs(drawn.span - (to - from)) * radius <= OVERLAY_TOLERANCE)) {
					return `the range of ${name} is drawn as ${drawn.span} rad, expected ${to - from}`;
				}
			} else if (isBounded) {
				const range = lines.next();
				if (range === undefined) return `${name} has no range`;
				for (const [end, limit] of [
					[range.from, lower],
					[range.to, upper],
				] as const) {
					const expected = axis.map((value, k) => value * limit + origin[k]!);
					if (isOff(end, expected)) return `a limit of ${name} is not at ${limit} m`;
				}
			}
		}
		if (model.jointArticulation[joint]! < 0) {
			const line = lines.next();
			const child = model.jointChild[joint]!;
			if (line === undefined) return `the loop of ${name} is not drawn`;
			if (isOff(line.from, origin)) return `the loop of ${name} begins elsewhere`;
			if (isOff(line.to, state.bodyQ.subarray(7 * child, 7 * child + 3))) {
				return `the loop of ${name} ends elsewhere`;
			}
		}
	}
	return lines.left === 0 ? undefined : `${lines.left} lines more than the joints have`;
}

/** Limits from here on are none [m, rad]. */
const UNBOUNDED = 1e9;
/** Radius of an arc by the half length of an axis. */
const ARC = 0.5 / 0.8;

function jointFrame(model: Model, state: State, joint: number): Float64Array {
	const own = model.jointXP.slice(7 * joint, 7 * joint + 7);
	const parent = model.jointParent[joint]!;
	if (parent < 0) return own;
	return transformMultiply(new Float64Array(7), state.bodyQ.slice(7 * parent, 7 * parent + 7), own);
}

/** Freedoms about and along axes: not those of balls and free bodies. */
function freedomsOf(model: Model, joint: number): { readonly dof: number; readonly turns: boolean }[] {
	const type = model.jointType[joint]!;
	if (type !== JointType.PRISMATIC && type !== JointType.REVOLUTE && type !== JointType.D6) return [];
	const first = model.jointQdStart[joint]!;
	return Array.from({ length: model.jointQdStart[joint + 1]! - first }, (_, way) => ({
		dof: first + way,
		turns: way >= model.jointDofDim[2 * joint]!,
	}));
}

/** Where an arc begins, counted from the direction across the axis that is level, and how far it goes round [rad]. */
function arcOf(
	points: readonly (readonly number[])[],
	origin: ArrayLike<number>,
	axis: readonly number[],
	reach: number,
): { readonly from: number; readonly span: number } | string {
	if (points.length < 3) return 'is not drawn';
	const zero = unit(cross(Math.abs(axis[2]!) < 0.9 ? [0, 0, 1] : [1, 0, 0], axis));
	const side = cross(axis, zero);
	let [from, span, before] = [0, 0, 0];
	for (const [i, point] of points.entries()) {
		const arm = point.map((value, k) => value - origin[k]!);
		if (!(Math.abs(dot(arm, axis)) <= OVERLAY_TOLERANCE)) return 'leaves its plane';
		if (!(Math.abs(Math.hypot(...arm) - ARC * reach) <= OVERLAY_TOLERANCE)) return 'is not round';
		const angle = Math.atan2(dot(arm, side), dot(arm, zero));
		if (i === 0) from = angle;
		else span += Math.atan2(Math.sin(angle - before), Math.cos(angle - before));
		before = angle;
	}
	return { from, span };
}

/** Masses: a ball about the centre of mass of each link that has mass. */
function massFault(solids: readonly (readonly number[])[], model: Model, state: State): string | undefined {
	const links = heavyLinks(model);
	if (solids.length !== links.length) return `${solids.length} centres of mass are drawn, expected ${links.length}`;
	for (const [i, link] of links.entries()) {
		const { center } = spread(solids[i]!);
		if (isOff(center, massCenter(model, state, link))) {
			return `the centre of mass of '${model.bodyLabels[link]}' is drawn elsewhere`;
		}
	}
	return undefined;
}

/**
 * Inertia: a box about the centre of mass that has the mass and the inertia of the link. The corners of a box with half extents a, b, c
 * have the covariance diag(a², b², c²) along its axes; its inertia is m/3 (trace − covariance).
 */
function inertiaFault(solids: readonly (readonly number[])[], model: Model, state: State): string | undefined {
	const links = heavyLinks(model);
	if (solids.length !== links.length) return `${solids.length} boxes of inertia are drawn, expected ${links.length}`;
	for (const [i, link] of links.entries()) {
		const name = `'${model.bodyLabels[link]}'`;
		const { center, covariance } = spread(solids[i]!);
		if (isOff(center, massCenter(model, state, link))) return `the box of ${name} is elsewhere`;
		const expected = boxCovariance(model, state, link);
		// a corner that is off by the tolerance changes squares of lengths by as much times twice the length
		const length = Math.sqrt(expected[0]! + expected[4]! + expected[8]!);
		const off = covariance.reduce((most, value, k) => Math.max(most, Math.abs(value - expected[k]!)), 0);
		if (!(off <= 2 * length * OVERLAY_TOLERANCE + OVERLAY_TOLERANCE ** 2))
			return `the box of ${name} has another inertia`;
	}
	return undefined;
}

/** Covariance of the corners of the box that has the inertia of a link, in the world. */
function boxCovariance(model: Model, state: State, link: number): number[] {
	const mass = model.bodyMass[link]!;
	const tensor = model.bodyInertia.slice(9 * link, 9 * link + 9);
	const half = (tensor[0]! + tensor[4]! + tensor[8]!) / 2;
	let own = [...tensor].map((value, k) => (3 / mass) * ((k % 4 === 0 ? half : 0) - value));
	const { moments, axes } = principalInertia(tensor);
	const squares = Array.from(moments, (moment) => (3 / mass) * (half - moment));
	// no solid has such an inertia: the box is flat where it would have to be less
	if (squares.some((square) => square < 0))
		own = turned(diagonal(squares.map((square) => Math.max(0, square))), axes, 0);
	return turned(own, state.bodyQ, 7 * link + 3);
}

/** Colliders: each corner on the shape that the solver collides with, the corners of meshes one by one. */
function colliderFault(solids: readonly (readonly number[])[], model: Model, state: State): string | undefined {
	const shapes = Array.from({ length: model.shapeCount }, (_, shape) => shape).filter(
		(shape) =>
			(model.shapeFlags[shape]! & ShapeFlags.COLLIDE_SHAPES) !== 0 &&
			(model.shapeFlags[shape]! & ShapeFlags.SITE) === 0 &&
			model.shapeType[shape] !== GeoType.PLANE &&
			model.shapeWorld[shape]! <= 0,
	);
	if (solids.length !== shapes.length) return `${solids.length} colliders are drawn, expected ${shapes.length}`;
	const { hulls, meshes, heights } = new CollisionGeometry(model);
	for (const [i, shape] of shapes.entries()) {
		const name = `collider '${model.shapeLabels[shape]}'`;
		const pose = shapePose(model, state, shape);
		const corners = solids[i]!;
		const vertices = meshes[shape]?.mesh.vertices ?? hulls[shape]?.vertices ?? groundVertices(heights[shape]);
		const own = inFrame(corners, pose);
		if (vertices === undefined) {
			const fault = solidFault(own, model.shapeType[shape]!, model.shapeScale.subarray(3 * shape, 3 * shape + 3));
			if (fault !== undefined) return `${name} ${fault}`;
			continue;
		}
		if (own.length !== vertices.length) return `${name} has ${own.length / 3} corners, expected ${vertices.length / 3}`;
		for (let at = 0; at < own.length; at += 3) {
			const off = Math.hypot(
				own[at]! - vertices[at]!,
				own[at + 1]! - vertices[at + 1]!,
				own[at + 2]! - vertices[at + 2]!,
			);
			if (!(off <= OVERLAY_TOLERANCE)) return `a corner of ${name} is off by ${off} m`;
		}
	}
	return undefined;
}

/** Points of a heightfield, row by row. */
function groundVertices(ground: CollisionGeometry['heights'][number]): Float64Array | undefined {
	if (ground === undefined) return undefined;
	const { rows, columns, hx, hy, heights } = ground;
	return Float64Array.from({ length: 3 * rows * columns }, (_, i) => {
		const [row, column] = [Math.floor(i / 3 / columns), Math.floor(i / 3) % columns];
		if (i % 3 === 0) return hx * ((2 * column) / (columns - 1) - 1);
		return i % 3 === 1 ? hy * ((2 * row) / (rows - 1) - 1) : heights[row * columns + column]!;
	});
}

/** What is wrong with corners of a simple solid in its own frame. */
function solidFault(corners: Float64Array, type: number, size: Float64Array): string | undefined {
	const [x, y, z] = size as unknown as [number, number, number];
	const most = [0, 0, 0];
	for (let at = 0; at < corners.length; at += 3) {
		const point = [corners[at]!, corners[at + 1]!, corners[at + 2]!] as const;
		for (const [k, value] of point.entries()) most[k] = Math.max(most[k]!, Math.abs(value));
		const off = offSurface(point, type, [x, y, z]);
		if (off === undefined) return 'is a solid that is not known';
		if (!(off <= OVERLAY_TOLERANCE)) return `has a corner that is ${off} m off its surface`;
	}
	// corners on a part of the surface would be on it too
	const reach = extentOf(type, [x, y, z]);
	const short = reach.findIndex((value, k) => !(Math.abs(value - most[k]!) <= OVERLAY_TOLERANCE));
	return short < 0 ? undefined : `reaches ${most[short]} m along ${'xyz'[short]}, expected ${reach[short]}`;
}

/** Distance of a point from a surface [m]; undefined for other kinds. */
function offSurface(
	[px, py, pz]: readonly [number, number, number],
	type: number,
	[x, y, z]: readonly [number, number, number],
): number | undefined {
	const around = Math.hypot(px, py);
	switch (type) {
		case GeoType.SPHERE:
			return Math.abs(Math.hypot(px, py, pz) - x);
		case GeoType.ELLIPSOID:
			return Math.abs(Math.hypot(px / x, py / y, pz / z) - 1) * Math.min(x, y, z);
		case GeoType.BOX:
			return Math.max(Math.abs(Math.abs(px) - x), Math.abs(Math.abs(py) - y), Math.abs(Math.abs(pz) - z));
		case GeoType.CAPSULE:
			return Math.abs(Math.hypot(around, Math.max(0, Math.abs(pz) - y)) - x);
		case GeoType.CYLINDER:
			return Math.max(Math.abs(Math.abs(pz) - y), Math.min(Math.abs(around - x), around));
		case GeoType.CONE:
			return Math.max(
				0,
				Math.min(Math.hypot(around, pz - y), Math.hypot(Math.min(around, Math.abs(around - x)), pz + y)),
			);
		default:
			return undefined;
	}
}

/** How far a solid reaches along its axes [m]. */
function extentOf(type: number, [x, y, z]: readonly [number, number, number]): readonly number[] {
	if (type === GeoType.SPHERE) return [x, x, x];
	if (type === GeoType.CAPSULE) return [x, x, x + y];
	if (type === GeoType.CYLINDER || type === GeoType.CONE) return [x, x, y];
	return [x, y, z];
}

function heavyLinks({ bodyMass, bodyCount, worldCount, bodyWorldStart }: Model): number[] {
	const count = worldCount > 0 ? bodyWorldStart[1]! : bodyCount;
	return Array.from({ length: count }, (_, link) => link).filter((link) => bodyMass[link]! > 0);
}

function massCenter(model: Model, state: State, link: number): Float64Array {
	return transformPoint(new Float64Array(3), state.bodyQ, model.bodyCom, 0, 7 * link, 3 * link);
}

/** Middle of the room that points take, and their mean products about it, row by row. */
function spread(points: readonly number[]): { readonly center: number[]; readonly covariance: number[] } {
	const [low, high] = [
		[Infinity, Infinity, Infinity],
		[-Infinity, -Infinity, -Infinity],
	];
	for (const [i, value] of points.entries()) {
		low[i % 3] = Math.min(low[i % 3]!, value);
		high[i % 3] = Math.max(high[i % 3]!, value);
	}
	const center = low.map((value, k) => (value + high[k]!) / 2);
	const covariance = Array.from({ length: 9 }, (_, k) => {
		let sum = 0;
		for (let at = 0; at < points.length; at += 3) {
			sum += (points[at + Math.floor(k / 3)]! - center[Math.floor(k / 3)]!) * (points[at + (k % 3)]! - center[k % 3]!);
		}
		return (3 * sum) / points.length;
	});
	return { center, covariance };
}

function inFrame(points: readonly number[], pose: Float64Array): Float64Array {
	const own = Float64Array.from(points);
	for (let at = 0; at < own.length; at += 3) transformPointInverse(own, pose, own, at, 0, at);
	return own;
}

function diagonal([a, b, c]: readonly number[]): number[] {
	return [a!, 0, 0, 0, b!, 0, 0, 0, c!];
}

/** R M Rᵀ for the rotation x y z w at a place of an array. */
function turned(matrix: readonly number[], rotation: Float64Array, at: number): number[] {
	const columns = [0, 1, 2].map((k) => {
		const axis = new Float64Array(3);
		axis[k] = 1;
		return quatRotate(new Float64Array(3), rotation, axis, 0, at, 0);
	});
	return Array.from({ length: 9 }, (_, k) => {
		let sum = 0;
		for (let a = 0; a < 3; a++) {
			for (let b = 0; b < 3; b++) sum += columns[a]![Math.floor(k / 3)]! * matrix[3 * a + b]! * columns[b]![k % 3]!;
		}
		return sum;
	});
}

/** Whether two points are apart, or one is none. */
function isOff(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
	return !(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!) <= OVERLAY_TOLERANCE);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function unit(vector: ArrayLike<number>): number[] {
	const length = Math.hypot(vector[0]!, vector[1]!, vector[2]!);
	return [vector[0]! / length, vector[1]! / length, vector[2]! / length];
}
