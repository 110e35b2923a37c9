import {
	axisAngleQuaternion,
	identityMatrix,
	multiplyMatrices,
	rotationOfQuaternion,
	translationMatrix,
} from './matrix.ts';

/** The parts of an affine matrix. Applied in order: scale along `scaleAxes`, rotation, translation. */
export interface FactoredMatrix {
	/** Along the rows of `scaleAxes`; all three are negative when the matrix mirrors. */
	readonly scale: Float64Array;
	/** Rows are the directions along which it scales, as a 4 × 4 matrix. */
	readonly scaleAxes: Float64Array;
	/** A unit quaternion (i, j, k, real). */
	readonly rotation: Float64Array;
	readonly rotationMatrix: Float64Array;
	readonly translation: Float64Array;
	/** Whether it squeezes space flat; the parts are then only a guess. */
	readonly isSingular: boolean;
}

/** Scales below this count as none. */
const SMALLEST = 1e-10;

/** Factors a matrix as OpenUSD does: by the eigenvectors of its linear part times the transpose of that. */
export function factorMatrix(m: Float64Array): FactoredMatrix {
	const linear = m.slice();
	linear[3] = linear[7] = linear[11] = linear[12] = linear[13] = linear[14] = 0;
	linear[15] = 1;
	const determinant = determinant3(linear);
	const sign = determinant < 0 ? -1 : 1;
	const { values, vectors } = eigen(multiplyMatrices(linear, transposed(linear)));
	const scale = new Float64Array(3);
	const inverseScale = identityMatrix();
	for (let i = 0; i < 3; i++) {
		scale[i] = sign * (values[i]! < SMALLEST ? SMALLEST : Math.sqrt(values[i]!));
		inverseScale[i * 5] = 1 / scale[i]!;
	}
	const unscaled = multiplyMatrices(multiplyMatrices(vectors, inverseScale), transposed(vectors));
	const rotationMatrix = multiplyMatrices(unscaled, linear);
	// through axis and angle and back, like the transforms that descriptors are made from
	const { axis, degrees } = rotationOfQuaternion(quaternionOfMatrix(rotationMatrix));
	return {
		scale,
		scaleAxes: vectors,
		rotation: axisAngleQuaternion(axis, degrees),
		rotationMatrix,
		translation: m.slice(12, 15),
		isSingular: determinant * sign < SMALLEST,
	};
}

/** The matrix without scale and shear; a singular one stays as it is. */
export function removeScaleAndShear(m: Float64Array): Float64Array {
	const { rotationMatrix, translation, isSingular } = factorMatrix(m);
	if (isSingular) return m.slice();
	orthonormalize(rotationMatrix);
	return multiplyMatrices(rotationMatrix, translationMatrix(translation[0]!, translation[1]!, translation[2]!));
}

/** The quaternion (i, j, k, real) of the rotation that a matrix without scale holds. */
export function quaternionOfMatrix(m: Float64Array): Float64Array {
	const at = (row: number, column: number): number => m[row * 4 + column]!;
	const largest = m[0]! > m[5]! ? (m[0]! > m[10]! ? 0 : 2) : m[5]! > m[10]! ? 1 : 2;
	const q = new Float64Array(4);
	if (m[0]! + m[5]! + m[10]! > m[largest * 5]!) {
		const real = 0.5 * Math.sqrt(m[0]! + m[5]! + m[10]! + m[15]!);
		q[0] = (m[6]! - m[9]!) / (4 * real);
		q[1] = (m[8]! - m[2]!) / (4 * real);
		q[2] = (m[1]! - m[4]!) / (4 * real);
		q[3] = real;
	} else {
		const i = largest;
		const j = (i + 1) % 3;
		const k = (i + 2) % 3;
		const part = 0.5 * Math.sqrt(at(i, i) - at(j, j) - at(k, k) + m[15]!);
		q[i] = part;
		q[j] = (at(i, j) + at(j, i)) / (4 * part);
		q[k] = (at(k, i) + at(i, k)) / (4 * part);
		q[3] = (at(j, k) - at(k, j)) / (4 * part);
	}
	q[3] = Math.min(1, Math.max(-1, q[3]!));
	return q;
}

/** Makes the linear part of a matrix orthonormal: all three rows give way equally, none is preferred. */
export function orthonormalize(m: Float64Array): void {
	let rows = [0, 4, 8].map((at) => unit([m[at]!, m[at + 1]!, m[at + 2]!]));
	for (let round = 0; round < 20; round++) {
		const next = rows.map((row, i) => {
			const straight = [...row] as Vector;
			for (let j = 0; j < 3; j++) {
				if (j === i) continue;
				const other = rows[j]!;
				const along = dot(other, straight);
				for (let k = 0; k < 3; k++) straight[k] = straight[k]! - along * other[k]!;
			}
			return unit(straight.map((part, k) => 0.5 * (part + row[k]!)) as Vector);
		});
		let error = 0;
		for (let i = 0; i < 3; i++) {
			for (let k = 0; k < 3; k++) error += (rows[i]![k]! - next[i]![k]!) ** 2;
		}
		if (!(error >= 1e-12)) break;
		rows = next;
	}
	for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) m[i * 4 + k] = rows[i]![k]!;
}

/** The determinant of the linear part. */
export function determinant3(m: Float64Array): number {
	return (
		m[0]! * m[5]! * m[10]! +
		m[1]! * m[6]! * m[8]! +
		m[2]! * m[4]! * m[9]! -
		m[0]! * m[6]! * m[9]! -
		m[1]! * m[4]! * m[10]! -
		m[2]! * m[5]! * m[8]!
	);
}

type Vector = [number, number, number];

function dot(a: Vector, b: Vector): number {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(v: Vector): Vector {
	const scale = 1 / Math.max(Math.sqrt(dot(v, v)), SMALLEST);
	return [v[0] * scale, v[1] * scale, v[2] * scale];
}

function transposed(m: Float64Array): Float64Array {
	const out = new Float64Array(16);
	for (let row = 0; row < 4; row++)
		for (let column = 0; column < 4; column++) out[column * 4 + row] = m[row * 4 + column]!;
	return out;
}

/** Eigenvalues and, as rows of a matrix, entries of the eigenvectors of a symmetric matrix, by cyclic Jacobi rotations. */
function eigen(symmetric: Float64Array): { values: Float64Array; vectors: Float64Array } {
	const a = symmetric.slice();
	const vectors = identityMatrix();
	const values = new Float64Array([a[0]!, a[5]!, a[10]!]);
	const base = values.slice();
	const shift = new Float64Array(3);
	const turn = (m: Float64Array, at: number, other: number, sin: number, tau: number): void => {
		const g = m[at]!;
		const h = m[other]!;
		m[at] = g - sin * (h + g * tau);
		m[other] = h + sin * (g - h * tau);
	};
	for (let sweep = 0; sweep < 50; sweep++) {
		const rest = Math.abs(a[1]!) + Math.abs(a[2]!) + Math.abs(a[6]!);
		if (!(rest > 0)) break;
		const threshold = sweep < 3 ? (0.2 * rest) / 9 : 0;
		for (let p = 0; p < 3; p++) {
			for (let q = p + 1; q < 3; q++) {
				const pq = p * 4 + q;
				const tiny = 100 * Math.abs(a[pq]!);
				const vanishes = (value: number): boolean => Math.abs(value) + tiny === Math.abs(value);
				if (sweep > 3 && vanishes(values[p]!) && vanishes(values[q]!)) {
					a[pq] = 0;
					continue;
				}
				if (!(Math.abs(a[pq]!) > threshold)) continue;
				const gap = values[q]! - values[p]!;
				let tangent: number;
				if (vanishes(gap)) {
					tangent = a[pq]! / gap;
				} else {
					const theta = (0.5 * gap) / a[pq]!;
					tangent = 1 / (Math.abs(theta) + Math.sqrt(1 + theta * theta));
					if (theta < 0) tangent = -tangent;
				}
				const cos = 1 / Math.sqrt(1 + tangent * tangent);
				const sin = tangent * cos;
				const tau = sin / (1 + cos);
				const moved = tangent * a[pq]!;
				shift[p] = shift[p]! - moved;
				shift[q] = shift[q]! + moved;
				values[p] = values[p]! - moved;
				values[q] = values[q]! + moved;
				a[pq] = 0;
				for (let j = 0; j < p; j++) turn(a, j * 4 + p, j * 4 + q, sin, tau);
				for (let j = p + 1; j < q; j++) turn(a, p * 4 + j, j * 4 + q, sin, tau);
				for (let j = q + 1; j < 3; j++) turn(a, p * 4 + j, q * 4 + j, sin, tau);
				for (let j = 0; j < 3; j++) turn(vectors, j * 4 + p, j * 4 + q, sin, tau);
			}
		}
		for (let p = 0; p < 3; p++) {
			base[p] = base[p]! + shift[p]!;
			values[p] = base[p]!;
			shift[p] = 0;
		}
	}
	return { values, vectors };
}
