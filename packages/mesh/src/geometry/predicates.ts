import { exactDifference, expansionProduct, expansionSign, expansionSum } from './expansion.ts';

// Signs of determinants, exact for all doubles whose products neither underflow nor overflow: a rounded value decides when
// it is beyond its error bound, exact arithmetic otherwise.

const EPSILON = 2 ** -53;
const ORIENT_2D_BOUND = (3 + 16 * EPSILON) * EPSILON;
const ORIENT_3D_BOUND = (7 + 56 * EPSILON) * EPSILON;

/** 1 when the points a, b, c turn counterclockwise, -1 when clockwise, 0 when they lie on one line. */
export function orient2d(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
	const left = (ax - cx) * (by - cy);
	const right = (ay - cy) * (bx - cx);
	const determinant = left - right;
	const bound = ORIENT_2D_BOUND * (Math.abs(left) + Math.abs(right));
	if (determinant > bound) return 1;
	if (-determinant > bound) return -1;
	if (bound === 0 && (ax === cx || by === cy) && (ay === cy || bx === cx)) return 0;
	return orient2dExact(ax, ay, bx, by, cx, cy);
}

/**
 * 1 when d lies on the side of the plane a b c from which these are counterclockwise, -1 on the other, 0 in the plane.
 * Points are given by the positions of their coordinates in `v`.
 */
export function orient3d(v: Float64Array, a: number, b: number, c: number, d: number): number {
	const dx = v[d]!;
	const dy = v[d + 1]!;
	const dz = v[d + 2]!;
	const adx = v[a]! - dx;
	const ady = v[a + 1]! - dy;
	const adz = v[a + 2]! - dz;
	const bdx = v[b]! - dx;
	const bdy = v[b + 1]! - dy;
	const bdz = v[b + 2]! - dz;
	const cdx = v[c]! - dx;
	const cdy = v[c + 1]! - dy;
	const cdz = v[c + 2]! - dz;
	const bdxcdy = bdx * cdy;
	const cdxbdy = cdx * bdy;
	const cdxady = cdx * ady;
	const adxcdy = adx * cdy;
	const adxbdy = adx * bdy;
	const bdxady = bdx * ady;
	// negated: the usual determinant is positive below the plane
	const determinant = -(adz * (bdxcdy - cdxbdy) + bdz * (cdxady - adxcdy) + cdz * (adxbdy - bdxady));
	const permanent =
		(Math.abs(bdxcdy) + Math.abs(cdxbdy)) * Math.abs(adz) +
		(Math.abs(cdxady) + Math.abs(adxcdy)) * Math.abs(bdz) +
		(Math.abs(adxbdy) + Math.abs(bdxady)) * Math.abs(cdz);
	const bound = ORIENT_3D_BOUND * permanent;
	if (determinant > bound) return 1;
	if (-determinant > bound) return -1;
	// points in one axis plane: every product has a difference of zero
	if (adx === 0 && bdx === 0 && cdx === 0) return 0;
	if (ady === 0 && bdy === 0 && cdy === 0) return 0;
	if (adz === 0 && bdz === 0 && cdz === 0) return 0;
	return orient3dExact(v, a, b, c, d);
}

const X1 = new Float64Array(2);
const X2 = new Float64Array(2);
const Y1 = new Float64Array(2);
const Y2 = new Float64Array(2);
const PRODUCT_A = new Float64Array(8);
const PRODUCT_B = new Float64Array(8);
const SUM_2D = new Float64Array(16);

function orient2dExact(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
	const x1 = exactDifference(X1, ax, cx);
	const y2 = exactDifference(Y2, by, cy);
	const y1 = exactDifference(Y1, ay, cy);
	const x2 = exactDifference(X2, bx, cx);
	const left = expansionProduct(PRODUCT_A, X1, x1, Y2, y2);
	const right = expansionProduct(PRODUCT_B, Y1, y1, X2, x2);
	for (let i = 0; i < right; i++) PRODUCT_B[i] = -PRODUCT_B[i]!;
	return expansionSign(SUM_2D, expansionSum(SUM_2D, PRODUCT_A, left, PRODUCT_B, right));
}

const DIFFERENCES: readonly Float64Array[] = Array.from({ length: 9 }, () => new Float64Array(2));
const LENGTHS = new Uint8Array(9);
const MINOR = new Float64Array(16);
const TERM = new Float64Array(64);
const TOTAL_A = new Float64Array(192);
const TOTAL_B = new Float64Array(192);

function orient3dExact(v: Float64Array, a: number, b: number, c: number, d: number): number {
	for (let axis = 0; axis < 3; axis++) {
		LENGTHS[axis] = exactDifference(DIFFERENCES[axis]!, v[a + axis]!, v[d + axis]!);
		LENGTHS[3 + axis] = exactDifference(DIFFERENCES[3 + axis]!, v[b + axis]!, v[d + axis]!);
		LENGTHS[6 + axis] = exactDifference(DIFFERENCES[6 + axis]!, v[c + axis]!, v[d + axis]!);
	}
	let total = addTerm(TOTAL_A, TOTAL_B, 0, 2, 3, 7, 6, 4);
	total = addTerm(TOTAL_B, TOTAL_A, total, 5, 6, 1, 0, 7);
	total = addTerm(TOTAL_A, TOTAL_B, total, 8, 0, 4, 3, 1);
	return -expansionSign(TOTAL_B, total);
}

/** `out = sum + D[z] · (D[p] · D[q] - D[r] · D[s])` on the nine differences; gives the length. */
function addTerm(
	sum: Float64Array,
	out: Float64Array,
	sumLength: number,
	z: number,
	p: number,
	q: number,
	r: number,
	s: number,
): number {
	const left = expansionProduct(PRODUCT_A, DIFFERENCES[p]!, LENGTHS[p]!, DIFFERENCES[q]!, LENGTHS[q]!);
	const right = expansionProduct(PRODUCT_B, DIFFERENCES[r]!, LENGTHS[r]!, DIFFERENCES[s]!, LENGTHS[s]!);
	for (let i = 0; i < right; i++) PRODUCT_B[i] = -PRODUCT_B[i]!;
	const minor = expansionSum(MINOR, PRODUCT_A, left, PRODUCT_B, right);
	const term = expansionProduct(TERM, MINOR, minor, DIFFERENCES[z]!, LENGTHS[z]!);
	return expansionSum(out, sum, sumLength, TERM, term);
}
