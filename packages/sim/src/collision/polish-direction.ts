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

/**
 * Sets the depth of a unit direction to the width `h_A(n) + h_B(−n)` of the cores along it: an upper bound of the least depth.
 * The shapes must be those of the distance algorithm that ran before: relative to the position of A.
 */
export function measureWidth(A: ConvexShape, B: ConvexShape, direction: Direction): void {
	const { nx: x, ny: y, nz: z } = direction;
	A.aim(x, y, z);
	A.support(point, 0);
	const reach = point[0]! * x + point[1]! * y + point[2]! * z;
	B.aim(-x, -y, -z);
	B.support(point, 0);
	direction.depth = reach - (point[0]! * x + point[1]! * y + point[2]! * z);
}

/**
 * Improves a direction of least depth by a pattern search on the sphere, for round shapes whose many equal directions are too
 * much for an expanding polytope. The fan of directions turns every round, so that valleys are followed.
 */
export function polishDirection(A: ConvexShape, B: ConvexShape, direction: Direction, start: number): void {
	let { nx, ny, nz } = direction;
	measureWidth(A, B, direction);
	let best = direction.depth;
	let step = start;
	for (let round = 0; round < 400 && step > 1e-11; round++) {
		// two directions across
		const useX = Math.abs(nx) < 0.6;
		let ux = useX ? 0 : -nz;
		let uy = useX ? nz : 0;
		let uz = useX ? -ny : nx;
		const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
		ux /= length;
		uy /= length;
		uz /= length;
		const vx = ny * uz - nz * uy;
		const vy = nz * ux - nx * uz;
		const vz = nx * uy - ny * ux;
		let found = false;
		for (let k = 0; k < 12; k++) {
			const angle = round * 0.61 + (k * Math.PI) / 6;
			const c = step * Math.cos(angle);
			const s = step * Math.sin(angle);
			let x = nx + c * ux + s * vx;
			let y = ny + c * uy + s * vy;
			let z = nz + c * uz + s * vz;
			const norm = Math.sqrt(x * x + y * y + z * z);
			x /= norm;
			y /= norm;
			z /= norm;
			trial.nx = x;
			trial.ny = y;
			trial.nz = z;
			measureWidth(A, B, trial);
			if (trial.depth < best) {
				best = trial.depth;
				direction.nx = x;
				direction.ny = y;
				direction.nz = z;
				found = true;
			}
		}
		if (found) {
			nx = direction.nx;
			ny = direction.ny;
			nz = direction.nz;
			step *= 1.3;
		} else step *= 0.7;
	}
	direction.depth = best;
}

/**
 * The same where one shape touches with a straight edge: the best direction is across the edge, in a valley too narrow for a
 * pattern. Golden section on the circle across the edge, near the given direction; kept if better.
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
	const before = direction.depth;
	const along = direction.nx * ex + direction.ny * ey + direction.nz * ez;
	let ux = direction.nx - along * ex;
	let uy = direction.ny - along * ey;
	let uz = direction.nz - along * ez;
	const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
	if (!(length > 1e-6)) return;
	ux /= length;
	uy /= length;
	uz /= length;
	const vx = ey * uz - ez * uy;
	const vy = ez * ux - ex * uz;
	const vz = ex * uy - ey * ux;
	const ratio = 0.5 * (Math.sqrt(5) - 1);
	let low = -2e-2;
	let high = 2e-2;
	let left = high - ratio * (high - low);
	let right = low + ratio * (high - low);
	const at = (angle: number): number => {
		const c = Math.cos(angle);
		const s = Math.sin(angle);
		trial.nx = c * ux + s * vx;
		trial.ny = c * uy + s * vy;
		trial.nz = c * uz + s * vz;
		measureWidth(A, B, trial);
		return trial.depth;
	};
	let atLeft = at(left);
	let atRight = at(right);
	while (high - low > 1e-9) {
		if (atLeft < atRight) {
			high = right;
			right = left;
			atRight = atLeft;
			left = high - ratio * (high - low);
			atLeft = at(left);
		} else {
			low = left;
			left = right;
			atLeft = atRight;
			right = low + ratio * (high - low);
			atRight = at(right);
		}
	}
	const angle = 0.5 * (low + high);
	if (!(at(angle) < before)) return;
	const c = Math.cos(angle);
	const s = Math.sin(angle);
	direction.nx = c * ux + s * vx;
	direction.ny = c * uy + s * vy;
	direction.nz = c * uz + s * vz;
}
