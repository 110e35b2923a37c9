import { GeoType } from '@manyworlds/model';
import type { ConvexShape } from './convex-shape.ts';

/** Result of {@link pointDistance}: signed distance, outward unit normal and nearest surface point, in the frame of the shape. */
export interface PointDistance {
	distance: number;
	nx: number;
	ny: number;
	nz: number;
	x: number;
	y: number;
	z: number;
}

/** Signed distance of a point from the surface of a primitive, all in its frame. False for kinds without a closed form. */
export function pointDistance(shape: ConvexShape, x: number, y: number, z: number, out: PointDistance): boolean {
	switch (shape.type) {
		case GeoType.SPHERE:
			fromPoint(x, y, z, 0, 0, 0, shape.x, out);
			return true;
		case GeoType.CAPSULE:
			fromPoint(x, y, z, 0, 0, Math.min(shape.y, Math.max(-shape.y, z)), shape.x, out);
			return true;
		case GeoType.BOX:
			fromBox(shape.x, shape.y, shape.z, x, y, z, out);
			return true;
		case GeoType.CYLINDER:
			fromRectangle(shape.x, shape.y, Math.sqrt(x * x + y * y), z, out);
			revolve(x, y, out);
			return true;
		case GeoType.CONE:
			fromTriangle(shape.x, shape.y, Math.sqrt(x * x + y * y), z, out);
			revolve(x, y, out);
			return true;
		case GeoType.ELLIPSOID:
			fromEllipsoid(shape.x, shape.y, shape.z, x, y, z, out);
			return true;
		default:
			return false;
	}
}

/** Distance from a ball around (cx, cy, cz). */
function fromPoint(
	x: number,
	y: number,
	z: number,
	cx: number,
	cy: number,
	cz: number,
	radius: number,
	out: PointDistance,
): void {
	let dx = x - cx;
	let dy = y - cy;
	let dz = z - cz;
	const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
	if (length > 0) {
		dx /= length;
		dy /= length;
		dz /= length;
	} else dx = 1;
	out.distance = length - radius;
	out.nx = dx;
	out.ny = dy;
	out.nz = dz;
	out.x = cx + radius * dx;
	out.y = cy + radius * dy;
	out.z = cz + radius * dz;
}

function fromBox(hx: number, hy: number, hz: number, x: number, y: number, z: number, out: PointDistance): void {
	const cx = Math.min(hx, Math.max(-hx, x));
	const cy = Math.min(hy, Math.max(-hy, y));
	const cz = Math.min(hz, Math.max(-hz, z));
	const dx = x - cx;
	const dy = y - cy;
	const dz = z - cz;
	const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
	out.x = cx;
	out.y = cy;
	out.z = cz;
	if (length > 0) {
		out.distance = length;
		out.nx = dx / length;
		out.ny = dy / length;
		out.nz = dz / length;
		return;
	}
	// inside: through the nearest face
	const gx = hx - Math.abs(x);
	const gy = hy - Math.abs(y);
	const gz = hz - Math.abs(z);
	out.nx = 0;
	out.ny = 0;
	out.nz = 0;
	if (gx <= gy && gx <= gz) {
		out.nx = x < 0 ? -1 : 1;
		out.x = out.nx * hx;
		out.distance = -gx;
	} else if (gy <= gz) {
		out.ny = y < 0 ? -1 : 1;
		out.y = out.ny * hy;
		out.distance = -gy;
	} else {
		out.nz = z < 0 ? -1 : 1;
		out.z = out.nz * hz;
		out.distance = -gz;
	}
}

/** Turns a result in the half plane of radius (x) and height (z) to the side where the point is. */
function revolve(x: number, y: number, out: PointDistance): void {
	const rho = Math.sqrt(x * x + y * y);
	const ux = rho > 0 ? x / rho : 1;
	const uy = rho > 0 ? y / rho : 0;
	const normal = out.nx;
	const place = out.x;
	out.nx = normal * ux;
	out.ny = normal * uy;
	out.x = place * ux;
	out.y = place * uy;
}

function fromRectangle(radius: number, half: number, rho: number, z: number, out: PointDistance): void {
	const cr = Math.min(radius, rho);
	const cz = Math.min(half, Math.max(-half, z));
	const dr = rho - cr;
	const dz = z - cz;
	const length = Math.sqrt(dr * dr + dz * dz);
	out.x = cr;
	out.z = cz;
	if (length > 0) {
		out.distance = length;
		out.nx = dr / length;
		out.nz = dz / length;
		return;
	}
	const side = radius - rho;
	const cap = half - Math.abs(z);
	out.nx = side <= cap ? 1 : 0;
	out.nz = side <= cap ? 0 : z < 0 ? -1 : 1;
	if (side <= cap) out.x = radius;
	else out.z = out.nz * half;
	out.distance = -Math.min(side, cap);
}

/** A cone with its apex at +half: base at −half, side from (radius, −half) to (0, half). */
function fromTriangle(radius: number, half: number, rho: number, z: number, out: PointDistance): void {
	const slant = Math.hypot(radius, 2 * half);
	const nr = (2 * half) / slant;
	const nz = radius / slant;
	const above = (rho - radius) * nr + (z + half) * nz;
	const below = -half - z;
	if (above <= 0 && below <= 0) {
		const isSide = above >= below;
		out.distance = isSide ? above : below;
		out.nx = isSide ? nr : 0;
		out.nz = isSide ? nz : -1;
		out.x = rho - out.distance * out.nx;
		out.z = z - out.distance * out.nz;
		return;
	}
	// nearest of the side, as a segment, and of the base
	const t = Math.min(1, Math.max(0, ((rho - radius) * -radius + (z + half) * 2 * half) / (slant * slant)));
	const sr = radius * (1 - t);
	const sz = -half + 2 * half * t;
	const br = Math.min(radius, rho);
	const toSide = Math.hypot(rho - sr, z - sz);
	const toBase = Math.hypot(rho - br, z + half);
	const isSide = toSide <= toBase;
	out.x = isSide ? sr : br;
	out.z = isSide ? sz : -half;
	out.distance = isSide ? toSide : toBase;
	out.nx = (rho - out.x) / out.distance;
	out.nz = (z - out.z) / out.distance;
}

/** Eberly's method: the root of a function that falls monotonically, in units of the least radius. */
function fromEllipsoid(a: number, b: number, c: number, x: number, y: number, z: number, out: PointDistance): void {
	const ax = Math.abs(x);
	const ay = Math.abs(y);
	const az = Math.abs(z);
	const least = Math.min(a, b, c);
	const ra = (a / least) ** 2;
	const rb = (b / least) ** 2;
	const rc = (c / least) ** 2;
	const za = ax / a;
	const zb = ay / b;
	const zc = az / c;
	const level = za * za + zb * zb + zc * zc - 1;
	// s ≥ −1; at −1 the term of the least radius is unbounded unless its coordinate is 0
	const value = (s: number): number =>
		term((ra * za) / (s + ra)) + term((rb * zb) / (s + rb)) + term((rc * zc) / (s + rc)) - 1;
	let low = -1;
	let high = level < 0 ? 0 : Math.hypot(ra * za, rb * zb, rc * zc) - 1;
	const atLow = limitAtLow(a, b, c, least, za, zb, zc, ra, rb, rc);
	let s = low;
	if (atLow > 0) {
		for (let i = 0; i < 200; i++) {
			s = 0.5 * (low + high);
			if (s === low || s === high) break;
			if (value(s) > 0) low = s;
			else high = s;
		}
	}
	let qx = (ra * ax) / (s + ra);
	let qy = (rb * ay) / (s + rb);
	let qz = (rc * az) / (s + rc);
	if (atLow <= 0) {
		// on the middle plane of the least radius and close to it: the nearest point leaves the plane
		if (c === least) {
			qx = ra > 1 ? (ra * ax) / (ra - 1) : 0;
			qy = rb > 1 ? (rb * ay) / (rb - 1) : 0;
			qz = c * Math.sqrt(Math.max(0, 1 - (qx / a) ** 2 - (qy / b) ** 2));
		} else if (b === least) {
			qx = ra > 1 ? (ra * ax) / (ra - 1) : 0;
			qz = rc > 1 ? (rc * az) / (rc - 1) : 0;
			qy = b * Math.sqrt(Math.max(0, 1 - (qx / a) ** 2 - (qz / c) ** 2));
		} else {
			qy = rb > 1 ? (rb * ay) / (rb - 1) : 0;
			qz = rc > 1 ? (rc * az) / (rc - 1) : 0;
			qx = a * Math.sqrt(Math.max(0, 1 - (qy / b) ** 2 - (qz / c) ** 2));
		}
	}
	qx = x < 0 ? -qx : qx;
	qy = y < 0 ? -qy : qy;
	qz = z < 0 ? -qz : qz;
	// the gradient of the surface is well defined where the point sits on it
	let nx = qx / (a * a);
	let ny = qy / (b * b);
	let nz = qz / (c * c);
	const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
	nx /= length;
	ny /= length;
	nz /= length;
	out.x = qx;
	out.y = qy;
	out.z = qz;
	out.nx = nx;
	out.ny = ny;
	out.nz = nz;
	out.distance = (x - qx) * nx + (y - qy) * ny + (z - qz) * nz;
}

function term(x: number): number {
	return x * x;
}

/** Value of the root function as s comes to −1: infinite, or what the other axes leave. */
function limitAtLow(
	a: number,
	b: number,
	c: number,
	least: number,
	za: number,
	zb: number,
	zc: number,
	ra: number,
	rb: number,
	rc: number,
): number {
	const isOpen = (a === least && za > 0) || (b === least && zb > 0) || (c === least && zc > 0);
	if (isOpen) return Number.POSITIVE_INFINITY;
	let sum = -1;
	if (a > least) sum += ((ra * za) / (ra - 1)) ** 2;
	if (b > least) sum += ((rb * zb) / (rb - 1)) ** 2;
	if (c > least) sum += ((rc * zc) / (rc - 1)) ** 2;
	return sum;
}
