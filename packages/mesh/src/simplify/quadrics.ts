/** Six products, three mixed terms, one constant, and the weight that they add up. */
const SIZE = 11;
/** Planes upright on borders weigh more than triangles, so that borders keep their shape. */
const BORDER_WEIGHT = 100;

/** Sums of squared distances to planes, one for each vertex (Garland and Heckbert 1997), weighted by area. */
export class Quadrics {
	readonly #q: Float64Array;
	readonly #sum = new Float64Array(SIZE);

	constructor(count: number) {
		this.#q = new Float64Array(count * SIZE);
	}

	/** Adds the plane of a triangle to its corners. */
	addTriangle(vertices: Float64Array, indices: Uint32Array, triangle: number): void {
		const [a, b, c] = [indices[triangle * 3]!, indices[triangle * 3 + 1]!, indices[triangle * 3 + 2]!];
		const n = normalOf(vertices, a, b, c);
		const length = Math.hypot(n[0], n[1], n[2]);
		if (length === 0) return;
		for (const vertex of [a, b, c])
			this.#add(vertex, vertices, a, n[0] / length, n[1] / length, n[2] / length, length / 2);
	}

	/** Adds the plane through a border edge, upright on its triangle, to the ends of the edge. */
	addBorder(vertices: Float64Array, indices: Uint32Array, triangle: number, a: number, b: number): void {
		const n = normalOf(vertices, indices[triangle * 3]!, indices[triangle * 3 + 1]!, indices[triangle * 3 + 2]!);
		const [ex, ey, ez] = [0, 1, 2].map((k) => vertices[b * 3 + k]! - vertices[a * 3 + k]!) as [number, number, number];
		const [px, py, pz] = [ey * n[2] - ez * n[1], ez * n[0] - ex * n[2], ex * n[1] - ey * n[0]];
		const length = Math.hypot(px, py, pz);
		if (length === 0) return;
		const weight = BORDER_WEIGHT * (ex * ex + ey * ey + ez * ez);
		for (const vertex of [a, b]) this.#add(vertex, vertices, a, px / length, py / length, pz / length, weight);
	}

	/** Adds the quadric of b to that of a. */
	join(a: number, b: number): void {
		for (let i = 0; i < SIZE; i++) this.#q[a * SIZE + i] = this.#q[a * SIZE + i]! + this.#q[b * SIZE + i]!;
	}

	/** Writes the best place for the vertex that replaces a and b; gives its error as a distance. */
	place(out: Float64Array, vertices: Float64Array, a: number, b: number): number {
		const q = this.#sum;
		for (let i = 0; i < SIZE; i++) q[i] = this.#q[a * SIZE + i]! + this.#q[b * SIZE + i]!;
		const weight = q[10]!;
		if (weight === 0) {
			for (let k = 0; k < 3; k++) out[k] = (vertices[a * 3 + k]! + vertices[b * 3 + k]!) / 2;
			return 0;
		}
		let best = Number.POSITIVE_INFINITY;
		const consider = (x: number, y: number, z: number): void => {
			const cost = evaluate(q, x, y, z);
			if (!(cost < best)) return;
			best = cost;
			out[0] = x;
			out[1] = y;
			out[2] = z;
		};
		const [ax, ay, az] = [vertices[a * 3]!, vertices[a * 3 + 1]!, vertices[a * 3 + 2]!];
		const [bx, by, bz] = [vertices[b * 3]!, vertices[b * 3 + 1]!, vertices[b * 3 + 2]!];
		const least = solve(q, (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2);
		// a solution far from the edge comes from planes that are nearly parallel
		const reach = 4 * Math.hypot(ax - bx, ay - by, az - bz);
		const isNear =
			least !== undefined &&
			Math.hypot(least[0] - (ax + bx) / 2, least[1] - (ay + by) / 2, least[2] - (az + bz) / 2) <= reach;
		if (least !== undefined && isNear) consider(least[0], least[1], least[2]);
		else {
			consider((ax + bx) / 2, (ay + by) / 2, (az + bz) / 2);
			consider(ax, ay, az);
			consider(bx, by, bz);
		}
		return Math.sqrt(Math.max(best, 0) / weight);
	}

	#add(vertex: number, vertices: Float64Array, on: number, x: number, y: number, z: number, weight: number): void {
		const d = -(x * vertices[on * 3]! + y * vertices[on * 3 + 1]! + z * vertices[on * 3 + 2]!);
		const q = this.#q;
		const at = vertex * SIZE;
		const terms = [x * x, x * y, x * z, y * y, y * z, z * z, x * d, y * d, z * d, d * d, 1];
		for (let i = 0; i < SIZE; i++) q[at + i] = q[at + i]! + weight * terms[i]!;
	}
}

function evaluate(q: Float64Array, x: number, y: number, z: number): number {
	return (
		q[0]! * x * x +
		q[3]! * y * y +
		q[5]! * z * z +
		2 * (q[1]! * x * y + q[2]! * x * z + q[4]! * y * z) +
		2 * (q[6]! * x + q[7]! * y + q[8]! * z) +
		q[9]!
	);
}

/** The place with the least error; undefined when planes are nearly parallel. Solved relative to a point nearby. */
function solve(q: Float64Array, ox: number, oy: number, oz: number): readonly [number, number, number] | undefined {
	const [a, b, c, d, e, f] = [q[0]!, q[1]!, q[2]!, q[3]!, q[4]!, q[5]!];
	const gx = -(a * ox + b * oy + c * oz + q[6]!);
	const gy = -(b * ox + d * oy + e * oz + q[7]!);
	const gz = -(c * ox + e * oy + f * oz + q[8]!);
	const [m0, m1, m2] = [d * f - e * e, c * e - b * f, b * e - c * d];
	const determinant = a * m0 + b * m1 + c * m2;
	const trace = a + d + f;
	if (!(Math.abs(determinant) > 1e-9 * trace * trace * trace)) return undefined;
	const x = (m0 * gx + m1 * gy + m2 * gz) / determinant;
	const y = (m1 * gx + (a * f - c * c) * gy + (b * c - a * e) * gz) / determinant;
	const z = (m2 * gx + (b * c - a * e) * gy + (a * d - b * b) * gz) / determinant;
	return [ox + x, oy + y, oz + z];
}

function normalOf(v: Float64Array, a: number, b: number, c: number): readonly [number, number, number] {
	const [ux, uy, uz] = [v[b * 3]! - v[a * 3]!, v[b * 3 + 1]! - v[a * 3 + 1]!, v[b * 3 + 2]! - v[a * 3 + 2]!];
	const [wx, wy, wz] = [v[c * 3]! - v[a * 3]!, v[c * 3 + 1]! - v[a * 3 + 1]!, v[c * 3 + 2]! - v[a * 3 + 2]!];
	return [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
}
