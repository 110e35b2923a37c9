import type { ConvexShape } from './convex-shape.ts';

/** A direction with the width of A − B along it. */
interface Direction {
	nx: number;
	ny: number;
	nz: number;
	depth: number;
}

const point = new Float64Array(3);

/** Width `h_A(n) + h_B(−n)` of the cores along a unit direction: an upper bound of the depth. */
export function widthAlong(A: ConvexShape, B: ConvexShape, x: number, y: number, z: number): number {
	A.support(x, y, z, point, 0, A.px, A.py, A.pz);
	const reach = point[0]! * x + point[1]! * y + point[2]! * z;
	B.support(-x, -y, -z, point, 0, A.px, A.py, A.pz);
	return reach - (point[0]! * x + point[1]! * y + point[2]! * z);
}

/**
 * Improves a direction of least depth by a pattern search on the sphere, for round shapes whose many equal directions are too
 * much for an expanding polytope. The fan of directions turns every round, so that valleys are followed.
 */
export function polishDirection(A: ConvexShape, B: ConvexShape, direction: Direction, start: number): void {
	let { nx, ny, nz } = direction;
	let best = widthAlong(A, B, nx, ny, nz);
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
			const width = widthAlong(A, B, x, y, z);
			if (width < best) {
				best = width;
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
	const before = widthAlong(A, B, direction.nx, direction.ny, direction.nz);
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
		return widthAlong(A, B, c * ux + s * vx, c * uy + s * vy, c * uz + s * vz);
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
