// Quaternions of four f64 in the order x y z w. A product applies its right factor first: rotating by `a · b` is rotating
// by `b`, then by `a`. Functions named "unit" in their description expect a quaternion of length 1 and do not check it.

/** Writes four components. @public */
export function quatSet(
	out: Float64Array,
	x: number,
	y: number,
	z: number,
	w: number,
	outOffset: number = 0,
): Float64Array {
	out[outOffset] = x;
	out[outOffset + 1] = y;
	out[outOffset + 2] = z;
	out[outOffset + 3] = w;
	return out;
}

/** The rotation by nothing. @public */
export function quatIdentity(out: Float64Array, outOffset: number = 0): Float64Array {
	return quatSet(out, 0, 0, 0, 1, outOffset);
}

/** `out = a`. @public */
export function quatCopy(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): Float64Array {
	return quatSet(out, a[aOffset]!, a[aOffset + 1]!, a[aOffset + 2]!, a[aOffset + 3]!, outOffset);
}

/** `out = a · b`. @public */
export function quatMultiply(
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
	const aw = a[aOffset + 3]!;
	const bx = b[bOffset]!;
	const by = b[bOffset + 1]!;
	const bz = b[bOffset + 2]!;
	const bw = b[bOffset + 3]!;
	out[outOffset] = aw * bx + ax * bw + ay * bz - az * by;
	out[outOffset + 1] = aw * by - ax * bz + ay * bw + az * bx;
	out[outOffset + 2] = aw * bz + ax * by - ay * bx + az * bw;
	out[outOffset + 3] = aw * bw - ax * bx - ay * by - az * bz;
	return out;
}

/** Negates x, y and z: the inverse of a unit quaternion. @public */
export function quatConjugate(
	out: Float64Array,
	a: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	const x = a[aOffset]!;
	const y = a[aOffset + 1]!;
	const z = a[aOffset + 2]!;
	out[outOffset + 3] = a[aOffset + 3]!;
	out[outOffset] = -x;
	out[outOffset + 1] = -y;
	out[outOffset + 2] = -z;
	return out;
}

/** `out · a = 1`; the zero quaternion gives zero. @public */
export function quatInvert(
	out: Float64Array,
	a: Float64Array,
	outOffset: number = 0,
	aOffset: number = 0,
): Float64Array {
	const square = quatDot(a, a, aOffset, aOffset);
	const scale = square > 0 ? 1 / square : 0;
	quatConjugate(out, a, outOffset, aOffset);
	for (let i = 0; i < 4; i++) out[outOffset + i] = out[outOffset + i]! * scale;
	return out;
}

/** Scalar product of the four components. @public */
export function quatDot(a: Float64Array, b: Float64Array, aOffset: number = 0, bOffset: number = 0): number {
	return (
		a[aOffset]! * b[bOffset]! +
		a[aOffset + 1]! * b[bOffset + 1]! +
		a[aOffset + 2]! * b[bOffset + 2]! +
		a[aOffset + 3]! * b[bOffset + 3]!
	);
}

/** `out = a / |a|`; the zero quaternion gives the identity. Gives the length that `a` had. @public */
export function quatNormalize(out: Float64Array, a: Float64Array, outOffset: number = 0, aOffset: number = 0): number {
	const length = Math.sqrt(quatDot(a, a, aOffset, aOffset));
	if (!(length > 0)) {
		quatIdentity(out, outOffset);
		return length;
	}
	const scale = 1 / length;
	for (let i = 0; i < 4; i++) out[outOffset + i] = a[aOffset + i]! * scale;
	return length;
}

/** Rotates a vector by a unit quaternion. @public */
export function quatRotate(
	out: Float64Array,
	q: Float64Array,
	v: Float64Array,
	outOffset: number = 0,
	qOffset: number = 0,
	vOffset: number = 0,
): Float64Array {
	return rotate(out, outOffset, q, qOffset, 1, v, vOffset);
}

/** Rotates a vector by the inverse of a unit quaternion. @public */
export function quatRotateInverse(
	out: Float64Array,
	q: Float64Array,
	v: Float64Array,
	outOffset: number = 0,
	qOffset: number = 0,
	vOffset: number = 0,
): Float64Array {
	return rotate(out, outOffset, q, qOffset, -1, v, vOffset);
}

/** The rotation by `angle` [rad] about a unit axis. @public */
export function quatFromAxisAngle(
	out: Float64Array,
	axis: Float64Array,
	angle: number,
	outOffset: number = 0,
	axisOffset: number = 0,
): Float64Array {
	const s = Math.sin(angle / 2);
	const c = Math.cos(angle / 2);
	return quatSet(out, axis[axisOffset]! * s, axis[axisOffset + 1]! * s, axis[axisOffset + 2]! * s, c, outOffset);
}

/** Writes the axis of a unit quaternion and gives its angle [rad] in 0 to π; no rotation gives the x axis and 0. @public */
export function quatToAxisAngle(
	axis: Float64Array,
	q: Float64Array,
	axisOffset: number = 0,
	qOffset: number = 0,
): number {
	const sign = q[qOffset + 3]! < 0 ? -1 : 1;
	const x = q[qOffset]! * sign;
	const y = q[qOffset + 1]! * sign;
	const z = q[qOffset + 2]! * sign;
	const s = Math.sqrt(x * x + y * y + z * z);
	axis[axisOffset] = s > 0 ? x / s : 1;
	axis[axisOffset + 1] = s > 0 ? y / s : 0;
	axis[axisOffset + 2] = s > 0 ? z / s : 0;
	return 2 * Math.atan2(s, q[qOffset + 3]! * sign);
}

/** The rotation whose axis and angle [rad] are the direction and length of a vector (exponential map). @public */
export function quatFromRotationVector(
	out: Float64Array,
	v: Float64Array,
	outOffset: number = 0,
	vOffset: number = 0,
): Float64Array {
	const x = v[vOffset]!;
	const y = v[vOffset + 1]!;
	const z = v[vOffset + 2]!;
	const angle = Math.sqrt(x * x + y * y + z * z);
	// sin(a/2)/a tends to 1/2; below this bound its next term is lost in rounding
	const s = angle > 1e-8 ? Math.sin(angle / 2) / angle : 0.5;
	return quatSet(out, x * s, y * s, z * s, Math.cos(angle / 2), outOffset);
}

/** The vector along the axis of a unit quaternion with its angle [rad], at most π, as length (logarithm). @public */
export function quatToRotationVector(
	out: Float64Array,
	q: Float64Array,
	outOffset: number = 0,
	qOffset: number = 0,
): Float64Array {
	const angle = quatToAxisAngle(out, q, outOffset, qOffset);
	for (let i = 0; i < 3; i++) out[outOffset + i] = out[outOffset + i]! * angle;
	return out;
}

/** The shortest rotation that turns unit vector `from` into unit vector `to`. Opposite vectors turn about a fixed choice of axis. @public */
export function quatBetween(
	out: Float64Array,
	from: Float64Array,
	to: Float64Array,
	outOffset: number = 0,
	fromOffset: number = 0,
	toOffset: number = 0,
): Float64Array {
	const fx = from[fromOffset]!;
	const fy = from[fromOffset + 1]!;
	const fz = from[fromOffset + 2]!;
	const tx = to[toOffset]!;
	const ty = to[toOffset + 1]!;
	const tz = to[toOffset + 2]!;
	// the half-way vector keeps its digits where 1 + cos would lose them, near opposite directions
	const hx = fx + tx;
	const hy = fy + ty;
	const hz = fz + tz;
	const square = hx * hx + hy * hy + hz * hz;
	if (square < 1e-28) {
		// any axis square to `from` does: its cross product with x or with z, whichever is the longer
		if (Math.abs(fx) < Math.abs(fz)) quatSet(out, 0, fz, -fy, 0, outOffset);
		else quatSet(out, fy, -fx, 0, 0, outOffset);
	} else {
		quatSet(out, fy * hz - fz * hy, fz * hx - fx * hz, fx * hy - fy * hx, square / 2, outOffset);
	}
	quatNormalize(out, out, outOffset, outOffset);
	return out;
}

/** Turns at constant speed from unit quaternion `a` (t = 0) to `b` (t = 1) the short way round; the ends are exact up to sign. @public */
export function quatSlerp(
	out: Float64Array,
	a: Float64Array,
	b: Float64Array,
	t: number,
	outOffset: number = 0,
	aOffset: number = 0,
	bOffset: number = 0,
): Float64Array {
	const sign = quatDot(a, b, aOffset, bOffset) < 0 ? -1 : 1;
	// the arc tangent keeps small angles exact, where the arc cosine would lose half the digits
	let difference = 0;
	let sum = 0;
	for (let i = 0; i < 4; i++) {
		const p = a[aOffset + i]!;
		const q = b[bOffset + i]! * sign;
		difference += (p - q) * (p - q);
		sum += (p + q) * (p + q);
	}
	const angle = 2 * Math.atan2(Math.sqrt(difference), Math.sqrt(sum));
	const sine = Math.sin(angle);
	const isSame = sine < 1e-12;
	const wa = isSame ? 1 - t : Math.sin((1 - t) * angle) / sine;
	const wb = (isSame ? t : Math.sin(t * angle) / sine) * sign;
	for (let i = 0; i < 4; i++) out[outOffset + i] = wa * a[aOffset + i]! + wb * b[bOffset + i]!;
	return out;
}

function rotate(
	out: Float64Array,
	outOffset: number,
	q: Float64Array,
	qOffset: number,
	sign: 1 | -1,
	v: Float64Array,
	vOffset: number,
): Float64Array {
	const qx = sign * q[qOffset]!;
	const qy = sign * q[qOffset + 1]!;
	const qz = sign * q[qOffset + 2]!;
	const qw = q[qOffset + 3]!;
	const x = v[vOffset]!;
	const y = v[vOffset + 1]!;
	const z = v[vOffset + 2]!;
	// v + 2w (q × v) + 2 q × (q × v)
	const tx = 2 * (qy * z - qz * y);
	const ty = 2 * (qz * x - qx * z);
	const tz = 2 * (qx * y - qy * x);
	out[outOffset] = x + qw * tx + (qy * tz - qz * ty);
	out[outOffset + 1] = y + qw * ty + (qz * tx - qx * tz);
	out[outOffset + 2] = z + qw * tz + (qx * ty - qy * tx);
	return out;
}
