import { BEYOND, isBeyond } from './distance';
import {
	addVelocity,
	beginFrames,
	directionToBody,
	isBallAbove,
	measureVelocity,
	overlap,
	place,
	placeOrigin,
	toBody,
} from './frames';
import {
	AXIS,
	axes,
	axisMask,
	BALL,
	HOST,
	kinds,
	left,
	lookAhead,
	rates,
	rowIsAhead,
	rowMargin0,
	rowMargin1,
	rowNormal,
	rowOffset0,
	rowOffset1,
	rowPoint0,
	rowPoint1,
	rowRoom,
	rowShape0,
	rowShape1,
	SOLID,
	searchCount,
	searches,
	selectWorld,
	shapePairs,
	shapeShift,
	solids,
	stretchCount,
	stretchEnd,
	stretchParts,
	stretchStart,
	worldRows,
} from './layout';
import * as manifold from './manifold';
import { dot, int, num, put3, putInt, putNum, THREE } from './memory';
import { areNear, testParts } from './near';
import {
	AXES,
	BODY,
	BOX,
	CORNER,
	GAP,
	INDEX,
	kindOf,
	LOCAL,
	LOWER,
	MARGIN,
	PLANE,
	RADIUS,
	REACH,
	SIZE,
	setOrigin,
	support,
	UPPER,
	VELOCITY,
} from './solids';

/** Contacts of the pairs of a world, as `NarrowPhase` of the host finds them. */

/** Distance by which rounding may misplace boxes [m]. */
const ROUNDING: f64 = 1e-9;
/** Share of the limit beyond which a search, with its rounding, would find the shapes apart too. */
const CLEAR: f64 = 1 + 1e-9;

/** Rows that are written, and those of the world at hand that are ahead. */
let rowCount: i32 = 0;
let aheadCount: i32 = 0;
/** Distance up to which contacts of the pair at hand count: at rest, and with the way that it may go. */
let nearest: f64 = 0;
let limit: f64 = 0;

const POINT_A: usize = memory.data(24, 16);
const POINT_B: usize = memory.data(24, 16);
const SPEED: usize = memory.data(24, 16);

/**
 * Writes the contacts of `count` worlds, of which `first` is the first and whose poses the host has written, and lists the pairs that are left to
 * the host. Gives their number.
 */
export function find(first: i32, count: i32): i32 {
	rowCount = 0;
	let leftCount = 0;
	for (let world = 0; world < count; world++) {
		selectWorld(world);
		aheadCount = 0;
		testParts();
		beginFrames();
		for (let i = 0; i < stretchCount; i++) {
			if (!areNear(int(stretchParts, i))) continue;
			const end = int(stretchEnd, i);
			for (let pair = int(stretchStart, i); pair < end; pair++) {
				if (collidePair(pair, first + world)) continue;
				putInt(left, 3 * leftCount, world);
				putInt(left, 3 * leftCount + 1, pair);
				putInt(left, 3 * leftCount + 2, rowCount);
				leftCount++;
			}
		}
		putInt(worldRows, 2 * world, rowCount);
		putInt(worldRows, 2 * world + 1, aheadCount);
	}
	return leftCount;
}

/** Writes the contacts of a pair whose parts may touch. False for what is left to the host. */
function collidePair(pair: i32, world: i32): bool {
	const a = solids + int(shapePairs, 2 * pair) * SOLID;
	const b = solids + int(shapePairs, 2 * pair + 1) * SOLID;
	const kind = int(kinds, pair);
	const isBall = kind == BALL;
	place(a);
	if (!isBall) {
		if (kindOf(a) == PLANE && load<i32>(a, BODY) < 0 && isBallAbove(a, b)) return true;
		place(b);
		if (!overlap(a, b)) return true;
		if (kind == HOST) return false;
	}
	if (rowCount + manifold.MOST > rowRoom) return false;
	nearest = load<f64>(a, MARGIN) + load<f64>(b, MARGIN) + load<f64>(a, GAP) + load<f64>(b, GAP);
	limit = nearest;
	if (!isBall) return collide(a, b, world, int(searches, pair));
	collideBall(a, b);
	return true;
}

/** Writes the contacts of two solids. False for what is left to the host. */
function collide(a: usize, b: usize, world: i32, search: i32): bool {
	const isPlane = kindOf(a) == PLANE;
	if (isPlane && isBoxAbove(a, b)) return true;
	if (num(lookAhead, 0) > 0) addLookAhead(a, b);
	if (isPlane && isAbove(a, b)) return true;
	store<i32>(a, 0, CORNER);
	store<i32>(b, 0, CORNER);
	let slot: usize = 0;
	if (search >= 0) {
		if (areApart(a, b)) return true;
		slot = axes + ((world * searchCount + search) & axisMask) * AXIS;
		if (isAxisBetween(a, b, slot)) return true;
		store<i32>(a, 0, CORNER);
		store<i32>(b, 0, CORNER);
		if (!manifold.findManifold(a, b, limit)) return false;
		if (isBeyond) keepAxis(a, slot);
	} else if (!manifold.findManifold(a, b, limit)) return false;
	for (let i = 0; i < manifold.count; i++)
		write(a, b, manifold.POINTS_A + i * THREE, manifold.POINTS_B + i * THREE, manifold.nx, manifold.ny, manifold.nz);
	return true;
}

/** Writes the contact of a plane without an end and a sphere. */
function collideBall(plane: usize, ball: usize): void {
	const radius = load<f64>(ball, SIZE);
	let x = load<f64>(ball, LOCAL);
	let y = load<f64>(ball, LOCAL + 8);
	let z = load<f64>(ball, LOCAL + 16);
	if (load<i32>(ball, BODY) >= 0) {
		placeOrigin(ball, x, y, z, POINT_B);
		x = load<f64>(POINT_B);
		y = load<f64>(POINT_B, 8);
		z = load<f64>(POINT_B, 16);
	}
	const nx = load<f64>(plane, AXES + 48);
	const ny = load<f64>(plane, AXES + 56);
	const nz = load<f64>(plane, AXES + 64);
	const distance =
		(x - load<f64>(plane)) * nx + (y - load<f64>(plane, 8)) * ny + (z - load<f64>(plane, 16)) * nz - radius;
	if (distance > nearest) {
		if (!(num(lookAhead, 0) > 0)) return;
		place(ball);
		addLookAhead(plane, ball);
		if (distance > limit) return;
	}
	x -= radius * nx;
	y -= radius * ny;
	z -= radius * nz;
	put3(POINT_B, x, y, z);
	put3(POINT_A, x - distance * nx, y - distance * ny, z - distance * nz);
	write(plane, ball, POINT_A, POINT_B, nx, ny, nz);
}

/** Grows the limit by the way that points of the solids may go past each other. */
function addLookAhead(a: usize, b: usize): void {
	const horizon = num(lookAhead, 0);
	const most = num(lookAhead, 1);
	const isFirst = load<f64>(a, REACH) < load<f64>(b, REACH);
	const small = isFirst ? a : b;
	const large = isFirst ? b : a;
	measureVelocity(small);
	measureVelocity(large);
	let wx = 0.0;
	let wy = 0.0;
	let wz = 0.0;
	const bodyLarge = load<i32>(large, BODY);
	if (bodyLarge >= 0) {
		const rate = rates + bodyLarge * 48;
		wx = load<f64>(rate, 24);
		wy = load<f64>(rate, 32);
		wz = load<f64>(rate, 40);
	}
	const rx = load<f64>(small) - load<f64>(large);
	const ry = load<f64>(small, 8) - load<f64>(large, 8);
	const rz = load<f64>(small, 16) - load<f64>(large, 16);
	const vx = load<f64>(small, VELOCITY) - load<f64>(large, VELOCITY) - (wy * rz - wz * ry);
	const vy = load<f64>(small, VELOCITY + 8) - load<f64>(large, VELOCITY + 8) - (wz * rx - wx * rz);
	const vz = load<f64>(small, VELOCITY + 16) - load<f64>(large, VELOCITY + 16) - (wx * ry - wy * rx);
	const speed = Math.sqrt(vx * vx + vy * vy + vz * vz);
	let ux = 0.0;
	let uy = 0.0;
	let uz = 0.0;
	const bodySmall = load<i32>(small, BODY);
	if (bodySmall >= 0) {
		const rate = rates + bodySmall * 48;
		ux = load<f64>(rate, 24);
		uy = load<f64>(rate, 32);
		uz = load<f64>(rate, 40);
	}
	ux -= wx;
	uy -= wy;
	uz -= wz;
	const turning = ux * ux + uy * uy + uz * uz;
	const largeTurning = wx * wx + wy * wy + wz * wz;
	const between = Math.sqrt(largeTurning) * (nearest + most);
	const way = horizon * (speed + Math.sqrt(turning) * load<f64>(small, REACH) + between);
	limit += f64.min(most, way);
}

/** Whether the box of a solid, as far as it may go, stays clear of a plane that does not move. */
function isBoxAbove(plane: usize, solid: usize): bool {
	if (load<i32>(plane, BODY) >= 0) return false;
	let height = -load<f64>(plane, MARGIN) - load<f64>(plane, GAP);
	for (let k = 0; k < 3; k++) {
		const n = num(plane + AXES, 6 + k);
		if (n == 0) continue;
		const end = n > 0 ? num(solid + BOX, 2 * k) : -num(solid + BOX, 2 * k + 1);
		height += n * (end - num(plane, k));
	}
	return height > ROUNDING;
}

/** Whether the bounds of a solid stay clear of a plane. */
function isAbove(plane: usize, solid: usize): bool {
	const nx = load<f64>(plane, AXES + 48);
	const ny = load<f64>(plane, AXES + 56);
	const nz = load<f64>(plane, AXES + 64);
	let height = 0.0;
	height += (load<f64>(solid) - load<f64>(plane)) * nx;
	height += (load<f64>(solid, 8) - load<f64>(plane, 8)) * ny;
	height += (load<f64>(solid, 16) - load<f64>(plane, 16)) * nz;
	for (let axis = 0; axis < 3; axis++) {
		const along = dot(solid + AXES + axis * THREE, nx, ny, nz);
		height += f64.min(num(solid + LOWER, axis) * along, num(solid + UPPER, axis) * along);
	}
	return height > limit;
}

/** Whether a plane across an axis of one of two solids keeps their bounds apart. */
function areApart(a: usize, b: usize): bool {
	return isBeside(a, b) || isBeside(b, a);
}

function isBeside(own: usize, other: usize): bool {
	const dx = load<f64>(other) - load<f64>(own);
	const dy = load<f64>(other, 8) - load<f64>(own, 8);
	const dz = load<f64>(other, 16) - load<f64>(own, 16);
	for (let axis = 0; axis < 3; axis++) {
		const r = own + AXES + axis * THREE;
		const x = load<f64>(r);
		const y = load<f64>(r, 8);
		const z = load<f64>(r, 16);
		let low = dx * x + dy * y + dz * z;
		let high = low;
		for (let k = 0; k < 3; k++) {
			const along = dot(other + AXES + k * THREE, x, y, z);
			const p = num(other + LOWER, k) * along;
			const q = num(other + UPPER, k) * along;
			low += f64.min(p, q);
			high += f64.max(p, q);
		}
		if (f64.max(low - num(own + UPPER, axis), num(own + LOWER, axis) - high) > limit) return true;
	}
	return false;
}

/**
 * Whether the direction that is remembered of two solids keeps them apart, as `SeparatingAxes` of the host has it. Pairs may share a
 * direction: whichever does proves it.
 */
function isAxisBetween(a: usize, b: usize, slot: usize): bool {
	const lx = <f64>load<f32>(slot);
	const ly = <f64>load<f32>(slot, 4);
	const lz = <f64>load<f32>(slot, 8);
	const r = a + AXES;
	const x = load<f64>(r) * lx + load<f64>(r, 24) * ly + load<f64>(r, 48) * lz;
	const y = load<f64>(r, 8) * lx + load<f64>(r, 32) * ly + load<f64>(r, 56) * lz;
	const z = load<f64>(r, 16) * lx + load<f64>(r, 40) * ly + load<f64>(r, 64) * lz;
	setOrigin(a);
	support(a, -x, -y, -z, POINT_A);
	support(b, x, y, z, POINT_B);
	const along =
		x * (load<f64>(POINT_A) - load<f64>(POINT_B)) +
		y * (load<f64>(POINT_A, 8) - load<f64>(POINT_B, 8)) +
		z * (load<f64>(POINT_A, 16) - load<f64>(POINT_B, 16));
	const distance = f64.max(0, limit + load<f64>(a, RADIUS) + load<f64>(b, RADIUS));
	return along > CLEAR * distance * Math.sqrt(x * x + y * y + z * z);
}

/** Remembers the direction that showed a search that its solids are apart, in the frame of the first. */
function keepAxis(a: usize, slot: usize): void {
	const x = num(BEYOND, 0);
	const y = num(BEYOND, 1);
	const z = num(BEYOND, 2);
	const scale = 1 / Math.sqrt(x * x + y * y + z * z);
	store<f32>(slot, <f32>(dot(a + AXES, x, y, z) * scale));
	store<f32>(slot, <f32>(dot(a + AXES + 24, x, y, z) * scale), 4);
	store<f32>(slot, <f32>(dot(a + AXES + 48, x, y, z) * scale), 8);
}

/** Writes a contact, unless it is ahead and its points will not meet in time. */
function write(a: usize, b: usize, pointA: usize, pointB: usize, nx: f64, ny: f64, nz: f64): void {
	let isAhead = false;
	if (limit > nearest) {
		const distance =
			(load<f64>(pointB) - load<f64>(pointA)) * nx +
			(load<f64>(pointB, 8) - load<f64>(pointA, 8)) * ny +
			(load<f64>(pointB, 16) - load<f64>(pointA, 16)) * nz;
		isAhead = distance > nearest;
		if (isAhead && distance > nearest + wayBetween(a, b, pointA, pointB, nx, ny, nz)) return;
	}
	const row = rowCount * THREE;
	putInt(rowShape0, rowCount, indexOf(a));
	putInt(rowShape1, rowCount, indexOf(b));
	toBody(a, pointA, rowPoint0 + row);
	toBody(b, pointB, rowPoint1 + row);
	put3(rowNormal + row, nx, ny, nz);
	const marginA = load<f64>(a, MARGIN);
	const marginB = load<f64>(b, MARGIN);
	putNum(rowMargin0, rowCount, marginA);
	putNum(rowMargin1, rowCount, marginB);
	writeOffset(a, marginA, nx, ny, nz, rowOffset0 + row);
	writeOffset(b, -marginB, nx, ny, nz, rowOffset1 + row);
	store<u8>(rowIsAhead + rowCount, isAhead ? 1 : 0);
	if (isAhead) aheadCount++;
	rowCount++;
}

/** The shape of the model that a solid of the world at hand is. */
function indexOf(solid: usize): i32 {
	const index = load<i32>(solid, INDEX);
	return index < 0 ? -1 - index : index + shapeShift;
}

/** Writes the way from the core of a solid to its surface along the normal in the frame of its body. */
function writeOffset(solid: usize, length: f64, nx: f64, ny: f64, nz: f64, out: usize): void {
	if (length == 0) put3(out, 0, 0, 0);
	else directionToBody(solid, length * nx, length * ny, length * nz, out);
}

/** How far the points of a contact may be apart for their speed [m]: towards each other, and past each other. */
function wayBetween(a: usize, b: usize, pointA: usize, pointB: usize, nx: f64, ny: f64, nz: f64): f64 {
	put3(SPEED, 0, 0, 0);
	addVelocity(b, pointB, 1, SPEED);
	addVelocity(a, pointA, -1, SPEED);
	const vx = load<f64>(SPEED);
	const vy = load<f64>(SPEED, 8);
	const vz = load<f64>(SPEED, 16);
	const leaving = vx * nx + vy * ny + vz * nz;
	const squared = vx * vx + vy * vy + vz * vz;
	const sliding = Math.sqrt(f64.max(0, squared - leaving * leaving));
	const towards = num(lookAhead, 2) * f64.max(0, -leaving);
	return f64.min(num(lookAhead, 1), towards + num(lookAhead, 3) * sliding);
}
