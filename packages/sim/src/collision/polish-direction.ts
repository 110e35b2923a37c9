import type { ConvexShape } from './convex-shape.ts';

/** A direction with the width of A − B along it. */
export interface Direction {
	nx: number;
	ny: number;
	nz: number;
	depth: number;
}

const point = new Float64Array(3);
const trial: Direction = { nx: 0, ny: 0, nz: 0, depth: 0 };
/** The point of A − B that is farthest along the direction of the last `measureWidth`. */
const farthest = new Float64Array(3);

/** Directions of a fan: cosine and sine of each. */
const FAN_SIZE = 12;
const FAN = Float64Array.from({ length: 2 * FAN_SIZE }, (_, i) =>
	i % 2 === 0 ? Math.cos((i * Math.PI) / FAN_SIZE) : Math.sin(((i - 1) * Math.PI) / FAN_SIZE),
);
/** Angle [rad] of a pattern below which widths no longer differ by more than rounding. */
const FINEST = 1e-9;
/** Angle [rad] over which the change of the farthest point is taken, and steps of Newton's method at most. */
const PROBE = 1e-6;
const MOST_STEPS = 8;
/** Angle [rad] on either side within which the best direction across an edge lies. */
const REACH = 2e-2;

/**
 * Sets the depth of a unit direction to the width `h_A(n) + h_B(−n)` of the cores along it: an upper bound of the least depth.
 * The shapes must be those of the distance algorithm that ran before: relative to the position of A.
 */
export function measureWidth(A: ConvexShape, B: ConvexShape, direction: Direction): void {
	const { nx: x, ny: y, nz: z } = direction;
	A.aim(x, y, z);
	A.support(point, 0);
	const reach = point[0]! * x + point[1]! * y + point[2]! * z;
	farthest[0] = point[0]!;
	farthest[1] = point[1]!;
	farthest[2] = point[2]!;
	B.aim(-x, -y, -z);
	B.support(point, 0);
	direction.depth = reach - (point[0]! * x + point[1]! * y + point[2]! * z);
	farthest[0] = farthest[0]! - point[0]!;
	farthest[1] = farthest[1]! - point[1]!;
	farthest[2] = farthest[2]! - point[2]!;
}

/** Two unit directions across a unit direction, in the six numbers of `across`. */
const across = new Float64Array(6);

function findAcross(nx: number, ny: number, nz: number): void {
	const useX = Math.abs(nx) < 0.6;
	let ux = useX ? 0 : -nz;
	let uy = useX ? nz : 0;
	let uz = useX ? -ny : nx;
	const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
	ux /= length;
	uy /= length;
	uz /= length;
	across[0] = ux;
	across[1] = uy;
	across[2] = uz;
	across[3] = ny * uz - nz * uy;
	across[4] = nz * ux - nx * uz;
	across[5] = nx * uy - ny * ux;
}

/** Sets the trial to a direction moved by `c` and `s` along the two across it, and measures it. */
function tryBeside(A: ConvexShape, B: ConvexShape, nx: number, ny: number, nz: number, c: number, s: number): void {
	const x = nx + c * across[0]! + s * across[3]!;
	const y = ny + c * across[1]! + s * across[4]!;
	const z = nz + c * across[2]! + s * across[5]!;
	const norm = Math.sqrt(x * x + y * y + z * z);
	trial.nx = x / norm;
	trial.ny = y / norm;
	trial.nz = z / norm;
	measureWidth(A, B, trial);
}

/** Takes the trial if it is better than a direction. */
function takeBetter(direction: Direction): boolean {
	if (!(trial.depth < direction.depth)) return false;
	direction.nx = trial.nx;
	direction.ny = trial.ny;
	direction.nz = trial.nz;
	direction.depth = trial.depth;
	return true;
}

/**
 * Improves a direction of least depth, for round shapes whose many equal directions are too much for an expanding polytope:
 * by Newton's method where both surfaces are smooth, then by a pattern search where that is not enough.
 */
export function polishDirection(A: ConvexShape, B: ConvexShape, direction: Direction, start: number): void {
	measureWidth(A, B, direction);
	if (!descend(A, B, direction)) searchPattern(A, B, direction, start);
}

/**
 * Newton's method on the sphere. The slope of the width is the farthest point of A − B; its change beside the direction gives
 * the curvature. Gives whether the direction is where the slope ends.
 */
function descend(A: ConvexShape, B: ConvexShape, direction: Direction): boolean {
	for (let i = 0; i < MOST_STEPS; i++) {
		const { nx, ny, nz, depth } = direction;
		const wx = farthest[0]!;
		const wy = farthest[1]!;
		const wz = farthest[2]!;
		findAcross(nx, ny, nz);
		const ux = across[0]!;
		const uy = across[1]!;
		const uz = across[2]!;
		const vx = across[3]!;
		const vy = across[4]!;
		const vz = across[5]!;
		const gu = wx * ux + wy * uy + wz * uz;
		const gv = wx * vx + wy * vy + wz * vz;
		const size = Math.abs(wx) + Math.abs(wy) + Math.abs(wz);
		if (Math.abs(gu) + Math.abs(gv) <= 1e-14 * size) return true;
		tryBeside(A, B, nx, ny, nz, PROBE, 0);
		const uu = ((farthest[0]! - wx) * ux + (farthest[1]! - wy) * uy + (farthest[2]! - wz) * uz) / PROBE - depth;
		const uv = ((farthest[0]! - wx) * vx + (farthest[1]! - wy) * vy + (farthest[2]! - wz) * vz) / PROBE;
		tryBeside(A, B, nx, ny, nz, 0, PROBE);
		const vv = ((farthest[0]! - wx) * vx + (farthest[1]! - wy) * vy + (farthest[2]! - wz) * vz) / PROBE - depth;
		const det = uu * vv - uv * uv;
		if (!(uu > 0 && det > 0)) return false;
		const du = (uv * gv - vv * gu) / det;
		const dv = (uv * gu - uu * gv) / det;
		tryBeside(A, B, nx, ny, nz, du, dv);
		// at the bottom only rounding is left, on a kink the step leads up
		if (!takeBetter(direction)) return Math.abs(du) + Math.abs(dv) < 1e-7 && trial.depth - depth <= 1e-15 * size;
	}
	return false;
}

/** A pattern search on the sphere. The fan of directions turns every round, so that valleys are followed. */
function searchPattern(A: ConvexShape, B: ConvexShape, direction: Direction, start: number): void {
	let step = start;
	for (let round = 0; round < 400 && step > FINEST; round++) {
		const { nx, ny, nz } = direction;
		findAcross(nx, ny, nz);
		const turnC = step * Math.cos(round * 0.61);
		const turnS = step * Math.sin(round * 0.61);
		let found = false;
		for (let k = 0; k < FAN_SIZE; k++) {
			const fanC = FAN[2 * k]!;
			const fanS = FAN[2 * k + 1]!;
			tryBeside(A, B, nx, ny, nz, turnC * fanC - turnS * fanS, turnS * fanC + turnC * fanS);
			if (takeBetter(direction)) found = true;
		}
		step *= found ? 1.3 : 0.7;
	}
}

/**
 * The same where one shape touches with a straight edge: the best direction is across the edge, in a valley too narrow for a
 * pattern. Finds where the slope along the circle across the edge ends, near the given direction; kept if better.
 */
export function polishAcrossEdge(
	A: ConvexShape,
	B: ConvexShape,
	direction: Direction,
	ex: number,
	ey: number,
	ez: number,
): void {
	measureWidth(A, B, direction);
	const along = direction.nx * ex + direction.ny * ey + direction.nz * ez;
	let ux = direction.nx - along * ex;
	let uy = direction.ny - along * ey;
	let uz = direction.nz - along * ez;
	const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
	if (!(length > 1e-6)) return;
	ux /= length;
	uy /= length;
	uz /= length;
	across[0] = ey * uz - ez * uy;
	across[1] = ez * ux - ex * uz;
	across[2] = ex * uy - ey * ux;
	let low = -REACH;
	let high = REACH;
	let lowSlope = slopeAcross(A, B, ux, uy, uz, low);
	let highSlope = slopeAcross(A, B, ux, uy, uz, high);
	if (!(lowSlope < 0 && highSlope > 0)) return;
	// false position with the weight of an end that stays halved (Illinois)
	let side = 0;
	for (let i = 0; i < 60 && high - low > 1e-16; i++) {
		const middle = (low * highSlope - high * lowSlope) / (highSlope - lowSlope);
		const slope = slopeAcross(A, B, ux, uy, uz, middle);
		takeBetter(direction);
		if (slope === 0) return;
		if (slope < 0) {
			if (low === middle) return;
			low = middle;
			lowSlope = slope;
			if (side < 0) highSlope *= 0.5;
			side = -1;
		} else {
			if (high === middle) return;
			high = middle;
			highSlope = slope;
			if (side > 0) lowSlope *= 0.5;
			side = 1;
		}
	}
}

/** Slope of the width at a place of the circle through a direction and the one across it, which is measured as the trial. */
function slopeAcross(A: ConvexShape, B: ConvexShape, ux: number, uy: number, uz: number, tangent: number): number {
	across[3] = 0;
	across[4] = 0;
	across[5] = 0;
	tryBeside(A, B, ux, uy, uz, tangent, 0);
	const vx = across[0]! - tangent * ux;
	const vy = across[1]! - tangent * uy;
	const vz = across[2]! - tangent * uz;
	return farthest[0]! * vx + farthest[1]! * vy + farthest[2]! * vz;
}
