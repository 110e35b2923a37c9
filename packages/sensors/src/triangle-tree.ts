/** Triangles in a leaf. */
const LEAF_SIZE = 4;

/** Triangles in a tree of boxes, for rays. Corners are in one frame, nine numbers for each triangle [m]. */
export class TriangleTree {
	readonly #corners: Float64Array;
	readonly #order: Int32Array;
	/** Lower and upper corner of each node. */
	readonly #boxes: number[] = [];
	/** First triangle and their number in a leaf; the second child and 0 in a node, whose first child comes next. */
	readonly #links: number[] = [];

	constructor(corners: Float64Array) {
		this.#corners = corners;
		const count = corners.length / 9;
		this.#order = Int32Array.from({ length: count }, (_, i) => i);
		if (count > 0) this.#build(0, count);
	}

	/** Distance along a ray to the first triangle, either side of it; infinite where there is none before `most`. */
	cast(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, most: number): number {
		let best = most;
		let isHit = false;
		const stack = this.#links.length === 0 ? [] : [0];
		for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
			if (!this.#meets(node, ox, oy, oz, dx, dy, dz, best)) continue;
			const link = this.#links[2 * node]!;
			const count = this.#links[2 * node + 1]!;
			if (count === 0) {
				stack.push(link, node + 1);
				continue;
			}
			for (let i = link; i < link + count; i++) {
				const t = this.#triangle(this.#order[i]!, ox, oy, oz, dx, dy, dz);
				if (t < best) {
					best = t;
					isHit = true;
				}
			}
		}
		return isHit ? best : Number.POSITIVE_INFINITY;
	}

	#build(start: number, end: number): void {
		const node = this.#links.length / 2;
		this.#links.push(0, 0);
		const low = [Infinity, Infinity, Infinity];
		const high = [-Infinity, -Infinity, -Infinity];
		for (let i = start; i < end; i++) {
			for (let k = 0; k < 9; k++) {
				const value = this.#corners[9 * this.#order[i]! + k]!;
				if (value < low[k % 3]!) low[k % 3] = value;
				if (value > high[k % 3]!) high[k % 3] = value;
			}
		}
		this.#boxes.push(...low, ...high);
		if (end - start <= LEAF_SIZE) {
			this.#links[2 * node] = start;
			this.#links[2 * node + 1] = end - start;
			return;
		}
		const size = high.map((value, k) => value - low[k]!);
		const axis = size.indexOf(Math.max(...size));
		const middle = (triangle: number): number =>
			this.#corners[9 * triangle + axis]! +
			this.#corners[9 * triangle + 3 + axis]! +
			this.#corners[9 * triangle + 6 + axis]!;
		// ties go by number, so that the tree is the same everywhere
		this.#order.subarray(start, end).sort((a, b) => middle(a) - middle(b) || a - b);
		const half = (start + end) >> 1;
		this.#build(start, half);
		this.#links[2 * node] = this.#links.length / 2;
		this.#build(half, end);
	}

	#meets(node: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, most: number): boolean {
		const at = 6 * node;
		const origin = [ox, oy, oz];
		const direction = [dx, dy, dz];
		let near = 0;
		let far = most;
		for (let k = 0; k < 3; k++) {
			const low = this.#boxes[at + k]! - origin[k]!;
			const high = this.#boxes[at + 3 + k]! - origin[k]!;
			if (direction[k] === 0) {
				if (low > 0 || high < 0) return false;
				continue;
			}
			const a = low / direction[k]!;
			const b = high / direction[k]!;
			near = Math.max(near, Math.min(a, b));
			far = Math.min(far, Math.max(a, b));
		}
		return near <= far + 1e-12;
	}

	/** Möller and Trumbore. */
	#triangle(triangle: number, ox: number, oy: number, oz: number, dx: number, dy: number, dz: number): number {
		const c = this.#corners;
		const at = 9 * triangle;
		const [ax, ay, az] = [c[at]!, c[at + 1]!, c[at + 2]!];
		const [e1x, e1y, e1z] = [c[at + 3]! - ax, c[at + 4]! - ay, c[at + 5]! - az];
		const [e2x, e2y, e2z] = [c[at + 6]! - ax, c[at + 7]! - ay, c[at + 8]! - az];
		const px = dy * e2z - dz * e2y;
		const py = dz * e2x - dx * e2z;
		const pz = dx * e2y - dy * e2x;
		const determinant = e1x * px + e1y * py + e1z * pz;
		if (determinant === 0) return Number.POSITIVE_INFINITY;
		const inverse = 1 / determinant;
		const [tx, ty, tz] = [ox - ax, oy - ay, oz - az];
		const u = (tx * px + ty * py + tz * pz) * inverse;
		if (u < -1e-12 || u > 1 + 1e-12) return Number.POSITIVE_INFINITY;
		const qx = ty * e1z - tz * e1y;
		const qy = tz * e1x - tx * e1z;
		const qz = tx * e1y - ty * e1x;
		const v = (dx * qx + dy * qy + dz * qz) * inverse;
		if (v < -1e-12 || u + v > 1 + 1e-12) return Number.POSITIVE_INFINITY;
		const t = (e2x * qx + e2y * qy + e2z * qz) * inverse;
		return t >= 0 ? t : Number.POSITIVE_INFINITY;
	}
}
