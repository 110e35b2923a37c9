import { mat4Identity, mat4Multiply } from '@manyworlds/core/internal';
import { arcCosine, sinCos } from './exact-trig.ts';

// Matrices are those of USD: 16 doubles row by row, points are rows and stand on the left. Products, inverses and
// rotations sum in the order in which OpenUSD does, so that composed transforms agree to the last bit where the
// trigonometric functions do.

/** A new identity matrix. */
export function identityMatrix(): Float64Array {
	return mat4Identity(new Float64Array(16));
}

/** A new matrix that applies `a`, then `b`. */
export function multiplyMatrices(a: Float64Array, b: Float64Array): Float64Array {
	return mat4Multiply(new Float64Array(16), a, b);
}

/** Whether a matrix is exactly the identity. */
export function isIdentityMatrix(m: Float64Array): boolean {
	for (let i = 0; i < 16; i++) if (m[i] !== (i % 5 === 0 ? 1 : 0)) return false;
	return true;
}

/** A matrix that moves by a vector. */
export function translationMatrix(x: number, y: number, z: number): Float64Array {
	const m = identityMatrix();
	m[12] = x;
	m[13] = y;
	m[14] = z;
	return m;
}

/** A matrix that scales along the axes. */
export function scaleMatrix(x: number, y: number, z: number): Float64Array {
	const m = new Float64Array(16);
	m[0] = x;
	m[5] = y;
	m[10] = z;
	m[15] = 1;
	return m;
}

/** A matrix that turns by a quaternion (i, j, k, real), which must be of unit length. */
export function quaternionMatrix(q: ArrayLike<number>): Float64Array {
	const m = identityMatrix();
	const x = q[0]!;
	const y = q[1]!;
	const z = q[2]!;
	const r = q[3]!;
	m[0] = 1 - 2 * (y * y + z * z);
	m[1] = 2 * (x * y + z * r);
	m[2] = 2 * (z * x - y * r);
	m[4] = 2 * (x * y - z * r);
	m[5] = 1 - 2 * (z * z + x * x);
	m[6] = 2 * (y * z + x * r);
	m[8] = 2 * (z * x + y * r);
	m[9] = 2 * (y * z - x * r);
	m[10] = 1 - 2 * (y * y + x * x);
	return m;
}

const DEGREES = Math.PI / 180;
const SHORTEST = 1e-10;

/** The unit quaternion of a turn by `degrees` about an axis of unit length. */
export function axisAngleQuaternion(axis: ArrayLike<number>, degrees: number): Float64Array {
	const half = (degrees * DEGREES) / 2;
	const { sin, cos } = sinCos(half);
	return normalizedQuaternion([axis[0]! * sin, axis[1]! * sin, axis[2]! * sin, cos]);
}

/** A quaternion of unit length; the identity for one of no length. */
export function normalizedQuaternion(q: ArrayLike<number>): Float64Array {
	const length = Math.sqrt(q[3]! * q[3]! + (q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]!));
	if (!(length >= SHORTEST)) return new Float64Array([0, 0, 0, 1]);
	const scale = 1 / length;
	return new Float64Array([q[0]! * scale, q[1]! * scale, q[2]! * scale, q[3]! / length]);
}

/**
 * A quaternion of any length taken as a rotation the way OpenUSD does: axis and angle are found first, the angle from
 * the real part alone. Quaternions far from unit length therefore do not turn as their normalized selves would.
 */
export function rotationOfQuaternion(q: ArrayLike<number>): { axis: Float64Array; degrees: number } {
	const x = q[0]!;
	const y = q[1]!;
	const z = q[2]!;
	const length = Math.sqrt(x * x + y * y + z * z);
	if (!(length > SHORTEST)) return { axis: new Float64Array([1, 0, 0]), degrees: 0 };
	const half = arcCosine(q[3]!);
	const scale = 1 / length;
	const axis = new Float64Array([x * scale, y * scale, z * scale]);
	return { axis, degrees: 2 * (half * (180 / Math.PI)) };
}

/** The inverse by cofactors; a matrix with no inverse gives one that scales by the largest float, as in OpenUSD. */
export function invertMatrix(m: Float64Array, smallest: number = 0): { matrix: Float64Array; determinant: number } {
	const [a00, a01, a02, a03, a10, a11, a12, a13, a20, a21, a22, a23, a30, a31, a32, a33] = m as unknown as Entries;
	// minors of the first two columns, then of the last two
	let y01 = a00 * a11 - a10 * a01;
	let y02 = a00 * a21 - a20 * a01;
	let y03 = a00 * a31 - a30 * a01;
	let y12 = a10 * a21 - a20 * a11;
	let y13 = a10 * a31 - a30 * a11;
	let y23 = a20 * a31 - a30 * a21;
	const z33 = a02 * y12 - a12 * y02 + a22 * y01;
	const z23 = a12 * y03 - a32 * y01 - a02 * y13;
	const z13 = a02 * y23 - a22 * y03 + a32 * y02;
	const z03 = a22 * y13 - a32 * y12 - a12 * y23;
	const z32 = a13 * y02 - a23 * y01 - a03 * y12;
	const z22 = a03 * y13 - a13 * y03 + a33 * y01;
	const z12 = a23 * y03 - a33 * y02 - a03 * y23;
	const z02 = a13 * y23 - a23 * y13 + a33 * y12;
	y01 = a02 * a13 - a12 * a03;
	y02 = a02 * a23 - a22 * a03;
	y03 = a02 * a33 - a32 * a03;
	y12 = a12 * a23 - a22 * a13;
	y13 = a12 * a33 - a32 * a13;
	y23 = a22 * a33 - a32 * a23;
	const z30 = a11 * y02 - a21 * y01 - a01 * y12;
	const z20 = a01 * y13 - a11 * y03 + a31 * y01;
	const z10 = a21 * y03 - a31 * y02 - a01 * y23;
	const z00 = a11 * y23 - a21 * y13 + a31 * y12;
	const z31 = a00 * y12 - a10 * y02 + a20 * y01;
	const z21 = a10 * y03 - a30 * y01 - a00 * y13;
	const z11 = a00 * y23 - a20 * y03 + a30 * y02;
	const z01 = a20 * y13 - a30 * y12 - a10 * y23;
	const determinant = a30 * z30 + a20 * z20 + a10 * z10 + a00 * z00;
	if (!(Math.abs(determinant) > smallest)) {
		return { matrix: scaleMatrix(LARGEST_FLOAT, LARGEST_FLOAT, LARGEST_FLOAT), determinant };
	}
	const rcp = 1 / determinant;
	const matrix = Float64Array.of(z00, z10, z20, z30, z01, z11, z21, z31, z02, z12, z22, z32, z03, z13, z23, z33);
	for (let i = 0; i < 16; i++) matrix[i] = matrix[i]! * rcp;
	return { matrix, determinant };
}

const LARGEST_FLOAT = 3.4028234663852886e38;
type Tuple4 = [number, number, number, number];
type Entries = [...Tuple4, ...Tuple4, ...Tuple4, ...Tuple4];

/** A point through a matrix, divided by its last coordinate only when that is needed. */
export function transformPoint(m: Float64Array, x: number, y: number, z: number): [number, number, number] {
	const w = x * m[3]! + y * m[7]! + z * m[11]! + m[15]!;
	const scale = w === 1 || w === 0 ? 1 : 1 / w;
	return [
		(x * m[0]! + y * m[4]! + z * m[8]! + m[12]!) * scale,
		(x * m[1]! + y * m[5]! + z * m[9]! + m[13]!) * scale,
		(x * m[2]! + y * m[6]! + z * m[10]! + m[14]!) * scale,
	];
}

/** A direction through a matrix. */
export function transformDirection(m: Float64Array, x: number, y: number, z: number): [number, number, number] {
	return [x * m[0]! + y * m[4]! + z * m[8]!, x * m[1]! + y * m[5]! + z * m[9]!, x * m[2]! + y * m[6]! + z * m[10]!];
}
