import * as epa from './epa';
import * as gjk from './gjk';
import { dot, put3 } from './memory';
import * as segment from './segment';
import {
	AXES,
	along,
	BLOCK,
	CAPSULE,
	CONVEX,
	CYLINDER,
	kindOf,
	PLANE,
	RADIUS,
	SIZE,
	SPHERE,
	setOrigin,
	support,
	writeDirection,
} from './solids';

/** Signed distance of two convex solids, as `ShapeDistance` of the host finds it, for kinds that the kernels know. */

/** Share of the size below which a direction between points that are nearest loses its digits. */
const CLOSEST: f64 = 1e-6;

export let distance: f64 = 0;
/** Unit normal from the first solid to the second. */
export let nx: f64 = 0;
export let ny: f64 = 0;
export let nz: f64 = 0;
/** Points on the two surfaces. */
export const POINT_A: usize = memory.data(24, 16);
export const POINT_B: usize = memory.data(24, 16);
/** Whether a search ended beyond the limit, and the direction from the second to the first solid that showed it. */
export let isBeyond: bool = false;
export const BEYOND: usize = memory.data(24, 16);

const SCRATCH: usize = memory.data(24, 16);

/** Sets what `edges` of boxes have found. */
export function setDistance(value: f64, x: f64, y: f64, z: f64): void {
	distance = value;
	nx = x;
	ny = y;
	nz = z;
}

export function forget(): void {
	isBeyond = false;
}

/** Finds the distance of two solids, in the order of their kinds. False for what is left to the host. */
export function findDistance(a: usize, b: usize, limit: f64): bool {
	const kindA = kindOf(a);
	const kindB = kindOf(b);
	if (kindA == PLANE) {
		fromPlane(a, b);
		return true;
	}
	if (kindA == SPHERE && kindB != CONVEX) {
		fromSphere(a, b, kindB);
		return true;
	}
	if (kindA == CAPSULE && kindB == CAPSULE) return capsules(a, b);
	if (kindA == CAPSULE && (kindB == BLOCK || kindB == CYLINDER) && fromCapsule(a, b)) return true;
	return general(a, b, limit);
}

/** Plane against any solid: its lowest point. */
function fromPlane(plane: usize, solid: usize): void {
	const x = load<f64>(plane, AXES + 48);
	const y = load<f64>(plane, AXES + 56);
	const z = load<f64>(plane, AXES + 64);
	const px = load<f64>(plane);
	const py = load<f64>(plane, 8);
	const pz = load<f64>(plane, 16);
	const radius = load<f64>(solid, RADIUS);
	if (kindOf(solid) == SPHERE)
		put3(POINT_B, load<f64>(solid) - px, load<f64>(solid, 8) - py, load<f64>(solid, 16) - pz);
	else {
		setOrigin(plane);
		support(solid, -x, -y, -z, POINT_B);
	}
	const height = dot(POINT_B, x, y, z) - radius;
	const bx = load<f64>(POINT_B) + px - radius * x;
	const by = load<f64>(POINT_B, 8) + py - radius * y;
	const bz = load<f64>(POINT_B, 16) + pz - radius * z;
	put3(POINT_B, bx, by, bz);
	put3(POINT_A, bx - height * x, by - height * y, bz - height * z);
	setDistance(height, x, y, z);
}

/** Sphere, the first solid, against a sphere, capsule, box or cylinder. */
function fromSphere(sphere: usize, solid: usize, kind: i32): void {
	const px = load<f64>(sphere);
	const py = load<f64>(sphere, 8);
	const pz = load<f64>(sphere, 16);
	const dx = px - load<f64>(solid);
	const dy = py - load<f64>(solid, 8);
	const dz = pz - load<f64>(solid, 16);
	const x = along(solid, 0, dx, dy, dz);
	const y = along(solid, 1, dx, dy, dz);
	const z = along(solid, 2, dx, dy, dz);
	const sx = load<f64>(solid, SIZE);
	const sy = load<f64>(solid, SIZE + 8);
	// distance and outward normal at a point of the solid's frame
	let found = 0.0;
	if (kind == BLOCK) found = pointToBox(sx, sy, load<f64>(solid, SIZE + 16), x, y, z);
	else if (kind == CYLINDER) found = pointToCylinder(sx, sy, x, y, z);
	else found = pointToBall(x, y, kind == CAPSULE ? z - f64.min(sy, f64.max(-sy, z)) : z, sx);
	writeDirection(solid, load<f64>(SCRATCH), load<f64>(SCRATCH, 8), load<f64>(SCRATCH, 16), SCRATCH);
	const mx = load<f64>(SCRATCH);
	const my = load<f64>(SCRATCH, 8);
	const mz = load<f64>(SCRATCH, 16);
	const radius = load<f64>(sphere, RADIUS);
	const height = found - radius;
	const qx = px - radius * mx;
	const qy = py - radius * my;
	const qz = pz - radius * mz;
	put3(POINT_A, qx, qy, qz);
	put3(POINT_B, qx - height * mx, qy - height * my, qz - height * mz);
	setDistance(height, -mx, -my, -mz);
}

/** Distance of a point from a ball around the origin. */
function pointToBall(x: f64, y: f64, z: f64, radius: f64): f64 {
	const length = Math.sqrt(x * x + y * y + z * z);
	if (length > 0) put3(SCRATCH, x / length, y / length, z / length);
	else put3(SCRATCH, 1, y, z);
	return length - radius;
}

function pointToBox(hx: f64, hy: f64, hz: f64, x: f64, y: f64, z: f64): f64 {
	const dx = x - f64.min(hx, f64.max(-hx, x));
	const dy = y - f64.min(hy, f64.max(-hy, y));
	const dz = z - f64.min(hz, f64.max(-hz, z));
	const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
	if (length > 0) {
		put3(SCRATCH, dx / length, dy / length, dz / length);
		return length;
	}
	// inside: through the nearest face
	const gx = hx - Math.abs(x);
	const gy = hy - Math.abs(y);
	const gz = hz - Math.abs(z);
	if (gx <= gy && gx <= gz) {
		put3(SCRATCH, x < 0 ? -1 : 1, 0, 0);
		return -gx;
	}
	if (gy <= gz) {
		put3(SCRATCH, 0, y < 0 ? -1 : 1, 0);
		return -gy;
	}
	put3(SCRATCH, 0, 0, z < 0 ? -1 : 1);
	return -gz;
}

function pointToCylinder(radius: f64, half: f64, x: f64, y: f64, z: f64): f64 {
	const rho = Math.sqrt(x * x + y * y);
	const dr = rho - f64.min(radius, rho);
	const dz = z - f64.min(half, f64.max(-half, z));
	const length = Math.sqrt(dr * dr + dz * dz);
	let nr = 0.0;
	let mz = 0.0;
	let found = length;
	if (length > 0) {
		nr = dr / length;
		mz = dz / length;
	} else {
		const side = radius - rho;
		const cap = half - Math.abs(z);
		nr = side <= cap ? 1 : 0;
		mz = side <= cap ? 0 : z < 0 ? -1 : 1;
		found = -f64.min(side, cap);
	}
	const ux = rho > 0 ? x / rho : 1;
	const uy = rho > 0 ? y / rho : 0;
	put3(SCRATCH, nr * ux, nr * uy, mz);
	return found;
}

/** Two segments with radii. Those that cross are left to the host. */
function capsules(a: usize, b: usize): bool {
	const halfA = load<f64>(a, SIZE + 8);
	const halfB = load<f64>(b, SIZE + 8);
	const ux = load<f64>(a, AXES + 48) * halfA;
	const uy = load<f64>(a, AXES + 56) * halfA;
	const uz = load<f64>(a, AXES + 64) * halfA;
	const vx = load<f64>(b, AXES + 48) * halfB;
	const vy = load<f64>(b, AXES + 56) * halfB;
	const vz = load<f64>(b, AXES + 64) * halfB;
	const wx = load<f64>(a) - load<f64>(b);
	const wy = load<f64>(a, 8) - load<f64>(b, 8);
	const wz = load<f64>(a, 16) - load<f64>(b, 16);
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
	const x = -wx - s * ux + t * vx;
	const y = -wy - s * uy + t * vy;
	const z = -wz - s * uz + t * vz;
	const length = Math.sqrt(x * x + y * y + z * z);
	if (!(length > 1e-12 * Math.sqrt(f64.max(uu, vv)))) return false;
	finish(
		a,
		b,
		length,
		x / length,
		y / length,
		z / length,
		load<f64>(a) + s * ux,
		load<f64>(a, 8) + s * uy,
		load<f64>(a, 16) + s * uz,
	);
	return true;
}

/** Capsule, the first solid, against a box or cylinder that its core does not meet. */
function fromCapsule(capsule: usize, solid: usize): bool {
	const px = load<f64>(capsule);
	const py = load<f64>(capsule, 8);
	const pz = load<f64>(capsule, 16);
	const dx = px - load<f64>(solid);
	const dy = py - load<f64>(solid, 8);
	const dz = pz - load<f64>(solid, 16);
	const half = load<f64>(capsule, SIZE + 8);
	const ux = half * load<f64>(capsule, AXES + 48);
	const uy = half * load<f64>(capsule, AXES + 56);
	const uz = half * load<f64>(capsule, AXES + 64);
	segment.setSegment(
		along(solid, 0, dx, dy, dz),
		along(solid, 1, dx, dy, dz),
		along(solid, 2, dx, dy, dz),
		along(solid, 0, ux, uy, uz),
		along(solid, 1, ux, uy, uz),
		along(solid, 2, ux, uy, uz),
	);
	const core = segment.segmentDistance(solid);
	if (!(core > CLOSEST * (half + load<f64>(solid, SIZE) + load<f64>(solid, SIZE + 8)))) return false;
	writeDirection(solid, segment.ex / core, segment.ey / core, segment.ez / core, SCRATCH);
	const mx = load<f64>(SCRATCH);
	const my = load<f64>(SCRATCH, 8);
	const mz = load<f64>(SCRATCH, 16);
	const t = segment.t;
	const radius = load<f64>(capsule, RADIUS);
	const height = core - radius;
	const qx = px + t * ux - radius * mx;
	const qy = py + t * uy - radius * my;
	const qz = pz + t * uz - radius * mz;
	put3(POINT_A, qx, qy, qz);
	put3(POINT_B, qx - height * mx, qy - height * my, qz - height * mz);
	setDistance(height, -mx, -my, -mz);
	return true;
}

function general(a: usize, b: usize, limit: f64): bool {
	const radii = load<f64>(a, RADIUS) + load<f64>(b, RADIUS);
	const most = f64.max(0, limit + radii);
	gjk.runGjk(a, b, most);
	const core = gjk.distance;
	if (core > most) {
		distance = core - radii;
		isBeyond = true;
		put3(BEYOND, gjk.vx, gjk.vy, gjk.vz);
		return true;
	}
	const px = load<f64>(a);
	const py = load<f64>(a, 8);
	const pz = load<f64>(a, 16);
	if (core > 0) {
		gjk.writeNearest(POINT_A, POINT_B);
		const x = -gjk.vx / core;
		const y = -gjk.vy / core;
		const z = -gjk.vz / core;
		// simplices on round surfaces may end too early: the host polishes them then
		if ((kindOf(a) == CYLINDER || kindOf(b) == CYLINDER) && core + widthAlong(a, b, x, y, z) > 1e-13 * gjk.scale)
			return false;
		finish(a, b, core, x, y, z, load<f64>(POINT_A) + px, load<f64>(POINT_A, 8) + py, load<f64>(POINT_A, 16) + pz);
		return true;
	}
	if (!epa.runEpa(a, b)) return false;
	epa.writeDeepest(POINT_A, POINT_B);
	const x = epa.nx;
	const y = epa.ny;
	const z = epa.nz;
	const depth = epa.depth;
	finish(
		a,
		b,
		-depth,
		x,
		y,
		z,
		0.5 * (load<f64>(POINT_A) + load<f64>(POINT_B) + depth * x) + px,
		0.5 * (load<f64>(POINT_A, 8) + load<f64>(POINT_B, 8) + depth * y) + py,
		0.5 * (load<f64>(POINT_A, 16) + load<f64>(POINT_B, 16) + depth * z) + pz,
	);
	return true;
}

const WIDTH: usize = memory.data(24, 16);

/** The width of A − B along a unit direction. */
function widthAlong(a: usize, b: usize, x: f64, y: f64, z: f64): f64 {
	support(a, x, y, z, WIDTH);
	const reach = dot(WIDTH, x, y, z);
	support(b, -x, -y, -z, WIDTH);
	return reach - dot(WIDTH, x, y, z);
}

/** Adds the radii to the distance of cores. (ax, ay, az) is the point on the core of A. */
function finish(a: usize, b: usize, core: f64, x: f64, y: f64, z: f64, ax: f64, ay: f64, az: f64): void {
	const radius = load<f64>(a, RADIUS);
	const height = core - radius - load<f64>(b, RADIUS);
	setDistance(height, x, y, z);
	const px = ax + radius * x;
	const py = ay + radius * y;
	const pz = az + radius * z;
	put3(POINT_A, px, py, pz);
	put3(POINT_B, px + height * x, py + height * y, pz + height * z);
}

function clamp(t: f64): f64 {
	return t < -1 ? -1 : f64.min(t, 1);
}
