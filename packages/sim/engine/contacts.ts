import {
	abs,
	add,
	all,
	at,
	choose,
	det,
	div,
	dot,
	gather,
	int,
	isAtMost,
	isLess,
	keep,
	LANES,
	mad,
	mul,
	neg,
	none,
	not,
	put,
	scatter,
	sqrt,
	sub,
	without,
} from './lanes';
import * as layout from './layout';
import * as problem from './newton-memory';
import { FORCE, GIVEN_POINT0, GIVEN_POINT1, MATERIAL, NORMAL, SHARE } from './records';

/** What the kernels make of a contact: frame (tangent, tangent, normal), points of both bodies in the world, material, distance. */
export const CONTACT_INPUT: i32 = 19;
export const POINT0: i32 = 9;
export const POINT1: i32 = 12;
export const MU: i32 = 15;
export const STIFFNESS: i32 = 16;
export const TAU: i32 = 17;
export const DISTANCE: i32 = 18;

/** Addresses of the records of all lanes of a contact. */
function recordsOf(c: i32): usize {
	return problem.contactRecords + ((LANES * c) << 2);
}

/** Puts a contact into the world, as `ContactTerms` does. Gives the lanes that have it. */
export function placeContact(c: i32): v128 {
	const from = recordsOf(c);
	const to = problem.contactInput + ((CONTACT_INPUT * c) << 4);
	const nx = gather(from, NORMAL);
	const ny = gather(from, NORMAL + 8);
	const nz = gather(from, NORMAL + 16);
	const isThere = isLess(none(), dot(nx, ny, nz, nx, ny, nz));
	putFrame(to, nx, ny, nz, isThere);
	const body0 = int(problem.contactBody0, c);
	placePoint(from, GIVEN_POINT0, body0);
	const x0 = pointX;
	const y0 = pointY;
	const z0 = pointZ;
	placePoint(from, GIVEN_POINT1, int(problem.contactBody1, c));
	const dx = sub(pointX, x0);
	const dy = sub(pointY, y0);
	const dz = sub(pointZ, z0);
	const share = gather(from, SHARE);
	const isBetween = isAtMost(none(), share);
	const px = choose(isBetween, mad(share, dx, x0), x0);
	const py = choose(isBetween, mad(share, dy, y0), y0);
	const pz = choose(isBetween, mad(share, dz, z0), z0);
	put(to, POINT0, keep(isThere, px));
	put(to, POINT0 + 1, keep(isThere, py));
	put(to, POINT0 + 2, keep(isThere, pz));
	put(to, POINT1, keep(isThere, choose(isBetween, px, pointX)));
	put(to, POINT1 + 1, keep(isThere, choose(isBetween, py, pointY)));
	put(to, POINT1 + 2, keep(isThere, choose(isBetween, pz, pointZ)));
	put(to, MU, gather(from, MATERIAL));
	put(to, STIFFNESS, gather(from, MATERIAL + 8));
	put(to, TAU, gather(from, MATERIAL + 16));
	put(to, DISTANCE, keep(isThere, dot(dx, dy, dz, nx, ny, nz)));
	// the world has no centre of mass: its torque is about the origin
	const centre = layout.centre + ((3 * body0) << 4);
	const arm = problem.contactArm + ((3 * c) << 4);
	put(arm, 0, body0 < 0 ? px : sub(px, at(centre, 0)));
	put(arm, 1, body0 < 0 ? py : sub(py, at(centre, 1)));
	put(arm, 2, body0 < 0 ? pz : sub(pz, at(centre, 2)));
	return isThere;
}

/** Tangent, tangent, normal in rows, right-handed; the first tangent is across the least component of the normal. */
function putFrame(to: usize, nx: v128, ny: v128, nz: v128, isThere: v128): void {
	const ax = abs(nx);
	const ay = abs(ny);
	const az = abs(nz);
	const isX = v128.and(isAtMost(ax, ay), isAtMost(ax, az));
	const isY = without(isAtMost(ay, az), isX);
	const isZ = without(not(isX), isY);
	const least = choose(isX, nx, choose(isY, ny, nz));
	const size = sqrt(sub(all(1), mul(least, least)));
	const r = div(all(1), size);
	const s = mul(neg(r), least);
	const rx = mul(r, nx);
	const ry = mul(r, ny);
	const rz = mul(r, nz);
	put(to, 0, keep(isThere, without(choose(isY, rz, neg(ry)), isX)));
	put(to, 1, keep(isThere, without(choose(isX, neg(rz), rx), isY)));
	put(to, 2, keep(isThere, without(choose(isX, ry, neg(rx)), isZ)));
	put(to, 3, keep(isThere, choose(isX, size, mul(s, nx))));
	put(to, 4, keep(isThere, choose(isY, size, mul(s, ny))));
	put(to, 5, keep(isThere, choose(isZ, size, mul(s, nz))));
	put(to, 6, nx);
	put(to, 7, ny);
	put(to, 8, nz);
}

let pointX: v128 = f64x2.splat(0);
let pointY: v128 = f64x2.splat(0);
let pointZ: v128 = f64x2.splat(0);

/** World coordinates of a point in the frame of a body; it is so many bytes into the records. */
function placePoint(from: usize, point: usize, body: i32): void {
	const x = gather(from, point);
	const y = gather(from, point + 8);
	const z = gather(from, point + 16);
	pointX = x;
	pointY = y;
	pointZ = z;
	if (body < 0) return;
	const position = layout.position + ((3 * body) << 4);
	const rotation = layout.rotation + ((4 * body) << 4);
	const qx = at(rotation, 0);
	const qy = at(rotation, 1);
	const qz = at(rotation, 2);
	const qw = at(rotation, 3);
	const cx = det(qy, z, qz, y);
	const cy = det(qz, x, qx, z);
	const cz = det(qx, y, qy, x);
	pointX = mad(all(2), sub(mad(qy, cz, mul(qw, cx)), mul(qz, cy)), add(at(position, 0), x));
	pointY = mad(all(2), sub(mad(qz, cx, mul(qw, cy)), mul(qx, cz)), add(at(position, 1), y));
	pointZ = mad(all(2), sub(mad(qx, cy, mul(qw, cz)), mul(qy, cx)), add(at(position, 2), z));
}

/** Writes the force on body 0 of each contact, with the torque about its centre of mass before the step, to its record. */
export function writeForces(count: i32): void {
	for (let c = 0; c < count; c++) {
		const frame = problem.contactInput + ((CONTACT_INPUT * c) << 4);
		const impulse = problem.contactImpulse + ((3 * c) << 4);
		const arm = problem.contactArm + ((3 * c) << 4);
		const to = recordsOf(c);
		const g0 = at(impulse, 0);
		const g1 = at(impulse, 1);
		const gn = at(impulse, 2);
		const fx = div(neg(dot(at(frame, 0), at(frame, 3), at(frame, 6), g0, g1, gn)), layout.dt);
		const fy = div(neg(dot(at(frame, 1), at(frame, 4), at(frame, 7), g0, g1, gn)), layout.dt);
		const fz = div(neg(dot(at(frame, 2), at(frame, 5), at(frame, 8), g0, g1, gn)), layout.dt);
		const rx = at(arm, 0);
		const ry = at(arm, 1);
		const rz = at(arm, 2);
		scatter(to, FORCE, fx);
		scatter(to, FORCE + 8, fy);
		scatter(to, FORCE + 16, fz);
		scatter(to, FORCE + 24, det(ry, fz, rz, fy));
		scatter(to, FORCE + 32, det(rz, fx, rx, fz));
		scatter(to, FORCE + 40, det(rx, fy, ry, fx));
	}
}
