import { GrowableNumbers } from '../read/growable.ts';
import { buildEdges } from '../topology/mesh-edges.ts';
import { joinEqual } from '../topology/weld-vertices.ts';

/** Surfaces with more vertices than this are looked at on a grid. */
const FEW_VERTICES = 1200;
/** Cells along the longest side of the grid. */
const CELLS = 20;

/** Vertices and edges of a surface, each once and not too many, to try planes on. */
export class SurfaceSample {
	readonly vertices: Float64Array;
	readonly #ends: Uint32Array;

	/**
	 * @param triangles - loose triangles, nine numbers each
	 * @param box - around them: least x y z, most x y z
	 */
	constructor(triangles: Float64Array, box: Float64Array) {
		const indices = Uint32Array.from({ length: triangles.length / 3 }, (_, i) => i);
		const joined = joinEqual(triangles);
		let count = 0;
		for (let i = 0; i < joined.length; i++) if (joined[i] === i) count++;
		const edges = buildEdges(indices, count > FEW_VERTICES ? joinCells(triangles, joined, box) : joined);
		const places = new Map<number, number>();
		const vertices = new GrowableNumbers();
		this.#ends = edges.ends.map((vertex) => {
			let place = places.get(vertex);
			if (place === undefined) {
				place = places.size;
				places.set(vertex, place);
				vertices.push3(triangles[vertex * 3]!, triangles[vertex * 3 + 1]!, triangles[vertex * 3 + 2]!);
			}
			return place;
		});
		this.vertices = vertices.toArray();
	}

	/** Points of the surface on one side of a plane: vertices, and where edges pass it. */
	side(axis: number, at: number, sign: number): GrowableNumbers {
		const { vertices } = this;
		const out = new GrowableNumbers();
		for (let i = 0; i < vertices.length; i += 3) {
			if (sign * (vertices[i + axis]! - at) > 0) out.push3(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!);
		}
		for (let e = 0; e < this.#ends.length; e += 2) {
			const [p, q] = [this.#ends[e]! * 3, this.#ends[e + 1]! * 3];
			const dp = sign * (vertices[p + axis]! - at);
			const dq = sign * (vertices[q + axis]! - at);
			// edges that only touch the plane from the other side do not count
			if (!((dp > 0 && dq <= 0) || (dq > 0 && dp <= 0))) continue;
			const s = dp / (dp - dq);
			for (let k = 0; k < 3; k++) {
				// exactly in the plane, so that points of the cut are known to be flat
				out.push(k === axis ? at : vertices[p + k]! + s * (vertices[q + k]! - vertices[p + k]!));
			}
		}
		return out;
	}
}

/** First vertex in the cell of each vertex. Triangles within one or two cells vanish, the others stay connected. */
function joinCells(vertices: Float64Array, joined: Uint32Array, box: Float64Array): Uint32Array {
	const cell = Math.max(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!) / CELLS;
	const first = new Map<number, number>();
	const map = new Uint32Array(joined.length);
	for (let i = 0; i < joined.length; i++) {
		if (joined[i] !== i) {
			map[i] = map[joined[i]!]!;
			continue;
		}
		let key = 0;
		for (let axis = 0; axis < 3; axis++) {
			key = key * 4 * CELLS + Math.floor((vertices[i * 3 + axis]! - box[axis]!) / cell) + CELLS;
		}
		const found = first.get(key);
		if (found === undefined) first.set(key, i);
		map[i] = found ?? i;
	}
	return map;
}
