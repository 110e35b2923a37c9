import { jacobiTangent, rotateRows } from './jacobi.ts';
import { mat3Determinant } from './mat3.ts';

// convergence is quadratic: five sweeps reach rounding, the bound only guards against NaN
const SWEEPS = 12;

/**
 * Eigenvalues, ascending, and eigenvectors of a symmetric 3 × 3 matrix, by cyclic Jacobi rotations.
 *
 * Row i of `vectors` is the unit eigenvector of `values[i]`, so `matrix = vectorsᵀ · diag(values) · vectors`; the rows are
 * right-handed: `vectors` is a rotation matrix. Only the upper triangle of `matrix` is read. The steps are in a fixed
 * order and signs follow a rule, so equal input gives equal bits. None of the arrays may overlap.
 */
export function eigenSymmetric3(
	values: Float64Array,
	vectors: Float64Array,
	matrix: Float64Array,
	valuesOffset: number = 0,
	vectorsOffset: number = 0,
	matrixOffset: number = 0,
): void {
	let xx = matrix[matrixOffset]!;
	let xy = matrix[matrixOffset + 1]!;
	let xz = matrix[matrixOffset + 2]!;
	let yy = matrix[matrixOffset + 4]!;
	let yz = matrix[matrixOffset + 5]!;
	let zz = matrix[matrixOffset + 8]!;
	vectors.fill(0, vectorsOffset, vectorsOffset + 9);
	for (let i = 0; i < 9; i += 4) vectors[vectorsOffset + i] = 1;

	for (let sweep = 0; sweep < SWEEPS && (xy !== 0 || xz !== 0 || yz !== 0); sweep++) {
		// plane x y
		let t = jacobiTangent(xx, yy, xy);
		let c = 1 / Math.sqrt(1 + t * t);
		let s = t * c;
		xx -= t * xy;
		yy += t * xy;
		xy = 0;
		let p = xz;
		xz = c * p - s * yz;
		yz = s * p + c * yz;
		rotateRows(vectors, vectorsOffset, vectorsOffset + 3, c, s);

		// plane x z
		t = jacobiTangent(xx, zz, xz);
		c = 1 / Math.sqrt(1 + t * t);
		s = t * c;
		xx -= t * xz;
		zz += t * xz;
		xz = 0;
		p = xy;
		xy = c * p - s * yz;
		yz = s * p + c * yz;
		rotateRows(vectors, vectorsOffset, vectorsOffset + 6, c, s);

		// plane y z
		t = jacobiTangent(yy, zz, yz);
		c = 1 / Math.sqrt(1 + t * t);
		s = t * c;
		yy -= t * yz;
		zz += t * yz;
		yz = 0;
		p = xy;
		xy = c * p - s * xz;
		xz = s * p + c * xz;
		rotateRows(vectors, vectorsOffset + 3, vectorsOffset + 6, c, s);
	}

	values[valuesOffset] = xx;
	values[valuesOffset + 1] = yy;
	values[valuesOffset + 2] = zz;
	sortPairs(values, vectors, valuesOffset, vectorsOffset);
	orient(vectors, vectorsOffset);
}

/** Sorts the eigenvalues, and the rows with them; equal ones keep their order. */
function sortPairs(values: Float64Array, vectors: Float64Array, valuesOffset: number, vectorsOffset: number): void {
	for (let pass = 0; pass < 2; pass++) {
		for (let i = 0; i < 2 - pass; i++) {
			const low = values[valuesOffset + i]!;
			const high = values[valuesOffset + i + 1]!;
			if (!(low > high)) continue;
			values[valuesOffset + i] = high;
			values[valuesOffset + i + 1] = low;
			// a quarter turn swaps the rows; signs are settled afterwards
			rotateRows(vectors, vectorsOffset + 3 * i, vectorsOffset + 3 * i + 3, 0, 1);
		}
	}
}

/** Makes the largest component of the first two rows positive and the third row complete a right-handed set. */
function orient(vectors: Float64Array, offset: number): void {
	for (let row = offset; row < offset + 6; row += 3) {
		let largest = vectors[row]!;
		for (let i = 1; i < 3; i++) if (Math.abs(vectors[row + i]!) > Math.abs(largest)) largest = vectors[row + i]!;
		if (largest < 0) negateRow(vectors, row);
	}
	if (mat3Determinant(vectors, offset) < 0) negateRow(vectors, offset + 6);
}

function negateRow(vectors: Float64Array, row: number): void {
	for (let i = 0; i < 3; i++) vectors[row + i] = -vectors[row + i]!;
}
