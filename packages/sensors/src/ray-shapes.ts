/**
 * Distances along rays to shapes in their own frame, from outside or inside; infinite where the ray misses. Directions have
 * length one. Sizes as in `shapeScale` of a model [m].
 */

const NEVER = Number.POSITIVE_INFINITY;

/** The xy plane; of limited size where `width` and `length` are not 0. Seen from both sides. */
export function rayPlane(o: Float64Array, d: Float64Array, width: number, length: number): number {
	if (d[2] === 0) return NEVER;
	const t = -o[2]! / d[2]!;
	if (t < 0) return NEVER;
	const x = Math.abs(o[0]! + t * d[0]!);
	const y = Math.abs(o[1]! + t * d[1]!);
	return (width > 0 && x > width / 2) || (length > 0 && y > length / 2) ? NEVER : t;
}

/** An ellipsoid with three radii; a sphere where they are equal. */
export function rayEllipsoid(o: Float64Array, d: Float64Array, rx: number, ry: number, rz: number): number {
	const [ox, oy, oz] = [o[0]! / rx, o[1]! / ry, o[2]! / rz];
	const [dx, dy, dz] = [d[0]! / rx, d[1]! / ry, d[2]! / rz];
	return firstRoot(dx * dx + dy * dy + dz * dz, ox * dx + oy * dy + oz * dz, ox * ox + oy * oy + oz * oz - 1);
}

/** A box with three half extents. */
export function rayBox(o: Float64Array, d: Float64Array, hx: number, hy: number, hz: number): number {
	const half = [hx, hy, hz];
	let near = -NEVER;
	let far = NEVER;
	for (let k = 0; k < 3; k++) {
		const at = o[k]!;
		const step = d[k]!;
		if (step === 0) {
			if (Math.abs(at) > half[k]!) return NEVER;
			continue;
		}
		const a = (-half[k]! - at) / step;
		const b = (half[k]! - at) / step;
		near = Math.max(near, Math.min(a, b));
		far = Math.min(far, Math.max(a, b));
	}
	if (near > far || far < 0) return NEVER;
	return near >= 0 ? near : far;
}

/** A cylinder along z. */
export function rayCylinder(o: Float64Array, d: Float64Array, radius: number, halfHeight: number): number {
	let best = NEVER;
	for (const t of roots(
		d[0]! ** 2 + d[1]! ** 2,
		o[0]! * d[0]! + o[1]! * d[1]!,
		o[0]! ** 2 + o[1]! ** 2 - radius * radius,
	)) {
		if (t >= 0 && t < best && Math.abs(o[2]! + t * d[2]!) <= halfHeight) best = t;
	}
	return Math.min(best, rayDisk(o, d, radius, halfHeight), rayDisk(o, d, radius, -halfHeight));
}

/** A capsule along z: a cylinder between two balls. */
export function rayCapsule(o: Float64Array, d: Float64Array, radius: number, halfHeight: number): number {
	let best = NEVER;
	for (const t of roots(
		d[0]! ** 2 + d[1]! ** 2,
		o[0]! * d[0]! + o[1]! * d[1]!,
		o[0]! ** 2 + o[1]! ** 2 - radius * radius,
	)) {
		if (t >= 0 && t < best && Math.abs(o[2]! + t * d[2]!) <= halfHeight) best = t;
	}
	for (const end of [halfHeight, -halfHeight]) {
		const z = o[2]! - end;
		const b = o[0]! * d[0]! + o[1]! * d[1]! + z * d[2]!;
		for (const t of roots(1, b, o[0]! ** 2 + o[1]! ** 2 + z * z - radius * radius)) {
			// the half that looks out
			const beyond = o[2]! + t * d[2]!;
			if (t >= 0 && t < best && (end > 0 ? beyond >= end : beyond <= end)) best = t;
		}
	}
	return best;
}

/** A cone along z: the tip above, the base below. */
export function rayCone(o: Float64Array, d: Float64Array, radius: number, halfHeight: number): number {
	const slope = radius / (2 * halfHeight);
	const k = slope * slope;
	const z = halfHeight - o[2]!;
	const a = d[0]! ** 2 + d[1]! ** 2 - k * d[2]! ** 2;
	const b = o[0]! * d[0]! + o[1]! * d[1]! + k * z * d[2]!;
	let best = rayDisk(o, d, radius, -halfHeight);
	for (const t of roots(a, b, o[0]! ** 2 + o[1]! ** 2 - k * z * z)) {
		if (t >= 0 && t < best && Math.abs(o[2]! + t * d[2]!) <= halfHeight) best = t;
	}
	return best;
}

function rayDisk(o: Float64Array, d: Float64Array, radius: number, z: number): number {
	if (d[2] === 0) return NEVER;
	const t = (z - o[2]!) / d[2]!;
	if (t < 0) return NEVER;
	const x = o[0]! + t * d[0]!;
	const y = o[1]! + t * d[1]!;
	return x * x + y * y <= radius * radius ? t : NEVER;
}

/** Roots of a t² + 2 b t + c, in order. */
function roots(a: number, b: number, c: number): number[] {
	if (a === 0) return b === 0 ? [] : [-c / (2 * b)];
	const discriminant = b * b - a * c;
	if (discriminant < 0) return [];
	// the form that loses no digits
	const q = -(b + (b < 0 ? -1 : 1) * Math.sqrt(discriminant));
	const found = q === 0 ? [0, 0] : [q / a, c / q];
	return found[0]! < found[1]! ? found : [found[1]!, found[0]!];
}

function firstRoot(a: number, b: number, c: number): number {
	return roots(a, b, c).find((t) => t >= 0) ?? NEVER;
}
