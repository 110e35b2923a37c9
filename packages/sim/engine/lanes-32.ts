/**
 * Numbers of several worlds side by side, in 32 bits: four lanes. Stands in for `lanes` when the kernels of the preset `approx32`
 * are compiled; see there. Constants and numbers of single lanes are of 64 bits in the kernels and rounded here.
 */

export function at(array: usize, index: i32): v128 {
	return v128.load(array + (index << 4));
}

export function put(array: usize, index: i32, value: v128): void {
	v128.store(array + (index << 4), value);
}

export function int(table: usize, index: i32): i32 {
	return load<i32>(table + (index << 2));
}

export function all(value: f64): v128 {
	return f32x4.splat(<f32>value);
}

export function add(a: v128, b: v128): v128 {
	return f32x4.add(a, b);
}

export function sub(a: v128, b: v128): v128 {
	return f32x4.sub(a, b);
}

export function mul(a: v128, b: v128): v128 {
	return f32x4.mul(a, b);
}

export function div(a: v128, b: v128): v128 {
	return f32x4.div(a, b);
}

export function neg(a: v128): v128 {
	return f32x4.neg(a);
}

export function abs(a: v128): v128 {
	return f32x4.abs(a);
}

export function sqrt(a: v128): v128 {
	return f32x4.sqrt(a);
}

export function mad(a: v128, b: v128, c: v128): v128 {
	return f32x4.add(f32x4.mul(a, b), c);
}

export function nmad(a: v128, b: v128, c: v128): v128 {
	return f32x4.sub(c, f32x4.mul(a, b));
}

export function det(a: v128, b: v128, c: v128, d: v128): v128 {
	return f32x4.sub(f32x4.mul(a, b), f32x4.mul(c, d));
}

export function dot(a: v128, b: v128, c: v128, x: v128, y: v128, z: v128): v128 {
	return f32x4.add(f32x4.add(f32x4.mul(a, x), f32x4.mul(b, y)), f32x4.mul(c, z));
}

export function least(a: v128, b: v128): v128 {
	return f32x4.pmin(b, a);
}

export function most(a: v128, b: v128): v128 {
	return f32x4.pmax(b, a);
}

export function isLess(a: v128, b: v128): v128 {
	return f32x4.lt(a, b);
}

export function isAtMost(a: v128, b: v128): v128 {
	return f32x4.le(a, b);
}

export function isEqual(a: v128, b: v128): v128 {
	return f32x4.eq(a, b);
}

export function nearest(a: v128): v128 {
	return f32x4.nearest(a);
}

export function floor(a: v128): v128 {
	return f32x4.floor(a);
}

export function choose(mask: v128, a: v128, b: v128): v128 {
	return v128.bitselect(a, b, mask);
}

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

export function without(a: v128, b: v128): v128 {
	return v128.andnot(a, b);
}

export function any(mask: v128): bool {
	return v128.any_true(mask);
}

export function isSame(a: v128, b: v128): bool {
	return !v128.any_true(v128.xor(a, b));
}

export function none(): v128 {
	return f32x4.splat(0);
}

export function every(): v128 {
	return i32x4.splat(-1);
}

export const LANES: i32 = 4;

export function lane(array: usize, index: i32, which: i32): f64 {
	return <f64>load<f32>(array + (index << 4) + (which << 2));
}

export function putLane(array: usize, index: i32, which: i32, value: f64): void {
	store<f32>(array + (index << 4) + (which << 2), <f32>value);
}

export function isSet(array: usize, index: i32, which: i32): bool {
	return load<i32>(array + (index << 4) + (which << 2)) != 0;
}

export function beside(from: usize, stride: i32, last: i32): v128 {
	const second = stride * min<i32>(1, last);
	const third = stride * min<i32>(2, last);
	const low = f64x2.replace_lane(v128.load64_splat(from), 1, load<f64>(from + second));
	const high = f64x2.replace_lane(v128.load64_splat(from + third), 1, load<f64>(from + stride * last));
	return i64x2.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
}

export function apart(to: usize, stride: i32, value: v128): void {
	const low = f64x2.promote_low_f32x4(value);
	const high = f64x2.promote_low_f32x4(i64x2.shuffle(value, value, 1, 1));
	v128.store64_lane(to, low, 0);
	v128.store64_lane(to + stride, low, 1);
	v128.store64_lane(to + 2 * stride, high, 0);
	v128.store64_lane(to + 3 * stride, high, 1);
}

export function gather(table: usize, offset: usize): v128 {
	const first = load<usize>(table) + offset;
	const second = load<usize>(table + 4) + offset;
	const third = load<usize>(table + 8) + offset;
	const fourth = load<usize>(table + 12) + offset;
	const low = f64x2.replace_lane(v128.load64_splat(first), 1, load<f64>(second));
	const high = f64x2.replace_lane(v128.load64_splat(third), 1, load<f64>(fourth));
	return i64x2.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
}

export function scatter(table: usize, offset: usize, value: v128): void {
	const low = f64x2.promote_low_f32x4(value);
	const high = f64x2.promote_low_f32x4(i64x2.shuffle(value, value, 1, 1));
	v128.store64_lane(load<usize>(table) + offset, low, 0);
	v128.store64_lane(load<usize>(table + 4) + offset, low, 1);
	v128.store64_lane(load<usize>(table + 8) + offset, high, 0);
	v128.store64_lane(load<usize>(table + 12) + offset, high, 1);
}

export const FAR: f64 = 1e3;
export const QUARTER: f64 = 1.5703125;
export const QUARTER_REST: f64 = 4.837512969970703e-4;
export const QUARTER_LAST: f64 = 7.54978995489188e-8;
export const ROOT_TOLERANCE: f64 = 1e-3;
export const MASSLESS: f64 = 1e-10;
