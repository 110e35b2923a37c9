/**
 * Numbers of several worlds side by side, in 64 bits: two lanes. Arrays hold one vector for each entry, 16 bytes apart.
 * Every operation works on each lane alone, so a world does the same whatever stands beside it.
 */

/** Entry of an array. */
export function at(array: usize, index: i32): v128 {
	return v128.load(array + (index << 4));
}

/** Writes an entry of an array. */
export function put(array: usize, index: i32, value: v128): void {
	v128.store(array + (index << 4), value);
}

/** Entry of a table of integers, which all worlds share. */
export function int(table: usize, index: i32): i32 {
	return load<i32>(table + (index << 2));
}

/** The same number in every lane. */
export function all(value: f64): v128 {
	return f64x2.splat(value);
}

export function add(a: v128, b: v128): v128 {
	return f64x2.add(a, b);
}

export function sub(a: v128, b: v128): v128 {
	return f64x2.sub(a, b);
}

export function mul(a: v128, b: v128): v128 {
	return f64x2.mul(a, b);
}

export function div(a: v128, b: v128): v128 {
	return f64x2.div(a, b);
}

export function neg(a: v128): v128 {
	return f64x2.neg(a);
}

export function abs(a: v128): v128 {
	return f64x2.abs(a);
}

export function sqrt(a: v128): v128 {
	return f64x2.sqrt(a);
}

/** `a b + c`, rounded twice: no fused operation, whose bits would depend on the machine. */
export function mad(a: v128, b: v128, c: v128): v128 {
	return f64x2.add(f64x2.mul(a, b), c);
}

/** `c − a b`. */
export function nmad(a: v128, b: v128, c: v128): v128 {
	return f64x2.sub(c, f64x2.mul(a, b));
}

/** `a b − c d`. */
export function det(a: v128, b: v128, c: v128, d: v128): v128 {
	return f64x2.sub(f64x2.mul(a, b), f64x2.mul(c, d));
}

/** `a x + b y + c z`. */
export function dot(a: v128, b: v128, c: v128, x: v128, y: v128, z: v128): v128 {
	return f64x2.add(f64x2.add(f64x2.mul(a, x), f64x2.mul(b, y)), f64x2.mul(c, z));
}

/** The lesser, and `b` where either is no number. */
export function least(a: v128, b: v128): v128 {
	return f64x2.pmin(b, a);
}

/** The greater, and `b` where either is no number. */
export function most(a: v128, b: v128): v128 {
	return f64x2.pmax(b, a);
}

export function isLess(a: v128, b: v128): v128 {
	return f64x2.lt(a, b);
}

export function isAtMost(a: v128, b: v128): v128 {
	return f64x2.le(a, b);
}

export function isEqual(a: v128, b: v128): v128 {
	return f64x2.eq(a, b);
}

export function nearest(a: v128): v128 {
	return f64x2.nearest(a);
}

export function floor(a: v128): v128 {
	return f64x2.floor(a);
}

/** `a` where the mask is set, `b` elsewhere. */
export function choose(mask: v128, a: v128, b: v128): v128 {
	return v128.bitselect(a, b, mask);
}

/** `a` where the mask is set, 0 elsewhere. */
export function keep(mask: v128, a: v128): v128 {
	return v128.and(mask, a);
}

export function and(a: v128, b: v128): v128 {
	return v128.and(a, b);
}

export function or(a: v128, b: v128): v128 {
	return v128.or(a, b);
}

export function not(a: v128): v128 {
	return v128.not(a);
}

/** `a` and not `b`. */
export function without(a: v128, b: v128): v128 {
	return v128.andnot(a, b);
}

export function any(mask: v128): bool {
	return v128.any_true(mask);
}

/** Whether two vectors have the same bits. */
export function isSame(a: v128, b: v128): bool {
	return !v128.any_true(v128.xor(a, b));
}

export function none(): v128 {
	return f64x2.splat(0);
}

export function every(): v128 {
	return i64x2.splat(-1);
}

/** Lanes of a vector. */
export const LANES: i32 = 2;

/** The number of one lane. */

export function lane(array: usize, index: i32, which: i32): f64 {
	return load<f64>(array + (index << 4) + (which << 3));
}

export function putLane(array: usize, index: i32, which: i32, value: f64): void {
	store<f64>(array + (index << 4) + (which << 3), value);
}

/** Whether a mask is set in one lane. */
export function isSet(array: usize, index: i32, which: i32): bool {
	return load<i64>(array + (index << 4) + (which << 3)) != 0;
}

/**
 * Numbers of 64 bits of the worlds of a group, which stand `stride` bytes apart, side by side. `last` is the last lane with a world
 * of its own; those behind it repeat it.
 */
export function beside(from: usize, stride: i32, last: i32): v128 {
	return f64x2.replace_lane(v128.load64_splat(from), 1, load<f64>(from + stride * last));
}

/** The other way. */
export function apart(to: usize, stride: i32, value: v128): void {
	v128.store64_lane(to, value, 0);
	v128.store64_lane(to + stride, value, 1);
}

/** A number of 64 bits of each lane, which stands so many bytes behind the address that a table has for the lane. */
export function gather(table: usize, offset: usize): v128 {
	const first = load<usize>(table) + offset;
	const second = load<usize>(table + 4) + offset;
	return f64x2.replace_lane(v128.load64_splat(first), 1, load<f64>(second));
}

/** The other way. */
export function scatter(table: usize, offset: usize, value: v128): void {
	v128.store64_lane(load<usize>(table) + offset, value, 0);
	v128.store64_lane(load<usize>(table + 4) + offset, value, 1);
}

// what depends on the number of digits
/** Angles beyond this are reduced one by one. */
export const FAR: f64 = 1e5;
/** π/2 in three parts, of which the first two have zeros at the end: products with whole numbers are exact. */
export const QUARTER: f64 = 1.5707963267341256;
export const QUARTER_REST: f64 = 6.077100506303966e-11;
export const QUARTER_LAST: f64 = 2.0222662487959506e-21;
/** Relative accuracy of the exact root. */
export const ROOT_TOLERANCE: f64 = 1e-8;
/** Share of the largest entry of a mass matrix below which a degree of freedom has no mass. */
export const MASSLESS: f64 = 1e-14;
