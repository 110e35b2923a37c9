import { orient2d as adaptiveOrient2d, orient3d as adaptiveOrient3d } from 'robust-predicates';

// Signs of determinants, exact for all doubles whose products neither underflow nor overflow: a rounded value decides when
// it is beyond its error bound, the adaptive arithmetic of Shewchuk otherwise.

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
	// positive when clockwise
	return -Math.sign(adaptiveOrient2d(ax, ay, bx, by, cx, cy));
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
	// positive below the plane
	return -Math.sign(
		adaptiveOrient3d(v[a]!, v[a + 1]!, v[a + 2]!, v[b]!, v[b + 1]!, v[b + 2]!, v[c]!, v[c + 1]!, v[c + 2]!, dx, dy, dz),
	);
}
