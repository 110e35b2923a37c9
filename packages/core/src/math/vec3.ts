// Vectors of three f64. In every function of this folder `out` may be an input of the same kind at the same offset unless its
// description says otherwise, and the trailing offsets say where in each array the value begins, so that values can live
// side by side in large arrays without views. Nothing is allocated.

/** Writes three components. @public */
export function vec3Set(out: Float64Array, x: number, y: number, z: number, outOffset: number = 0): Float64Array {
	out[outOffset] = x;
	out[outOffset + 1] = y;
	out[outOffset + 2] = z;
	return out;
}

/** `out = a`. @public */
export function vec3Copy(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): Float64Array {
	return vec3Set(out, a[aOffset]!, a[aOffset + 1]!, a[aOffset + 2]!, outOffset);
}

/** `out = a + b`. @public */
export function vec3Add(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	out[outOffset] = a[aOffset]! + b[bOffset]!;
	out[outOffset + 1] = a[aOffset + 1]! + b[bOffset + 1]!;
	out[outOffset + 2] = a[aOffset + 2]! + b[bOffset + 2]!;
	return out;
}

/** `out = a - b`. @public */
export function vec3Subtract(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	out[outOffset] = a[aOffset]! - b[bOffset]!;
	out[outOffset + 1] = a[aOffset + 1]! - b[bOffset + 1]!;
	out[outOffset + 2] = a[aOffset + 2]! - b[bOffset + 2]!;
	return out;
}

/** `out = scale · a`. @public */
export function vec3Scale(
	out: Float64Array,
	a: Float64Array,
	scale: number,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	out[outOffset] = a[aOffset]! * scale;
	out[outOffset + 1] = a[aOffset + 1]! * scale;
	out[outOffset + 2] = a[aOffset + 2]! * scale;
	return out;
}

/** `out = a + scale · b`. @public */
export function vec3AddScaled(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	scale: number,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	out[outOffset] = a[aOffset]! + b[bOffset]! * scale;
	out[outOffset + 1] = a[aOffset + 1]! + b[bOffset + 1]! * scale;
	out[outOffset + 2] = a[aOffset + 2]! + b[bOffset + 2]! * scale;
	return out;
}

/** `out = (1 - t) · a + t · b`, exact at both ends. @public */
export function vec3Lerp(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	t: number,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const s = 1 - t;
	out[outOffset] = s * a[aOffset]! + t * b[bOffset]!;
	out[outOffset + 1] = s * a[aOffset + 1]! + t * b[bOffset + 1]!;
	out[outOffset + 2] = s * a[aOffset + 2]! + t * b[bOffset + 2]!;
	return out;
}

/** Scalar product. @public */
export function vec3Dot(a: Float64Array, b: Float64Array, aOffset: number = 0, bOffset: number = 0): number {
	return a[aOffset]! * b[bOffset]! + a[aOffset + 1]! * b[bOffset + 1]! + a[aOffset + 2]! * b[bOffset + 2]!;
}

/** `out = a × b`, right-handed. @public */
export function vec3Cross(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const ax = a[aOffset]!;
	const ay = a[aOffset + 1]!;
	const az = a[aOffset + 2]!;
	const bx = b[bOffset]!;
	const by = b[bOffset + 1]!;
	const bz = b[bOffset + 2]!;
	return vec3Set(out, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx, outOffset);
}

/** Euclidean length. @public */
export function vec3Length(a: Float64Array, aOffset: number = 0): number {
	return Math.sqrt(vec3Dot(a, a, aOffset, aOffset));
}

/** Distance between two points. @public */
export function vec3Distance(a: Float64Array, b: Float64Array, aOffset: number = 0, bOffset: number = 0): number {
	const x = a[aOffset]! - b[bOffset]!;
	const y = a[aOffset + 1]! - b[bOffset + 1]!;
	const z = a[aOffset + 2]! - b[bOffset + 2]!;
	return Math.sqrt(x * x + y * y + z * z);
}

/** `out = a / |a|`; a zero vector stays zero. Gives the length that `a` had. @public */
export function vec3Normalize(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): number {
	const length = vec3Length(a, aOffset);
	vec3Scale(out, a, length > 0 ? 1 / length : 0, outOffset, aOffset);
	return length;
}
