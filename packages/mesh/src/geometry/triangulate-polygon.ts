import { orient2d } from './predicates.ts';

/** What a triangulation amounts to. @public */
export type PolygonState =
	/** Triangles cover the polygon. */
	| 'simple'
	/** The polygon has no area or fewer than three different corners: no triangles. */
	| 'degenerate'
	/** The polygon crosses itself or folds back; the triangles are a guess with as many triangles as a simple one has. */
	| 'crossing';

/** Result of {@link triangulatePolygon}. @public */
export interface PolygonTriangulation {
	/** Corner positions into the loops one after the other, three for each triangle, in the sense of the outer loop. */
	readonly triangles: number[];
	readonly state: PolygonState;
}

/**
 * Divides a polygon in space into triangles by clipping ears, with holes joined by bridges. Decisions are exact on the
 * polygon projected along the main axis of its normal, so the result depends on nothing but the input.
 * Convex polygons become a fan around their first corner.
 *
 * @param vertices - coordinates, three for each vertex
 * @param loops - vertex indices: the outer loop first, then the holes
 * @param isLeftHanded - loops are clockwise seen from outside; triangles come out counterclockwise
 * @public
 */
export function triangulatePolygon(
	vertices: ArrayLike<number>,
	loops: readonly ArrayLike<number>[],
	isLeftHanded: boolean = false,
): PolygonTriangulation {
	const outer = loops[0];
	if (outer === undefined || outer.length < 3) return { triangles: [], state: 'degenerate' };
	if (loops.length === 1 && outer.length === 3) return triangulateTriangle(vertices, outer, isLeftHanded);
	const plane = projectLoops(vertices, loops);
	if (plane === undefined) return { triangles: [], state: 'degenerate' };
	const result = isFan(plane, loops) ? fan(outer.length) : clipEars(plane, joinHoles(plane, loops));
	if (isLeftHanded) flipTriangles(result.triangles);
	return result;
}

/** Corners of all loops in the plane, counterclockwise for the outer loop. */
interface PlanarCorners {
	readonly x: Float64Array;
	readonly y: Float64Array;
}

function triangulateTriangle(
	vertices: ArrayLike<number>,
	loop: ArrayLike<number>,
	isLeftHanded: boolean,
): PolygonTriangulation {
	const triangles = isLeftHanded ? [0, 2, 1] : [0, 1, 2];
	// one without area is kept, so that the count of triangles is that of the file
	return { triangles, state: hasArea(vertices, loop[0]!, loop[1]!, loop[2]!) ? 'simple' : 'degenerate' };
}

/** Whether three vertices are not on one line, exactly. */
export function hasArea(vertices: ArrayLike<number>, a: number, b: number, c: number): boolean {
	for (let u = 0; u < 3; u++) {
		const w = u === 2 ? 0 : u + 1;
		const turn = orient2d(
			vertices[a * 3 + u]!,
			vertices[a * 3 + w]!,
			vertices[b * 3 + u]!,
			vertices[b * 3 + w]!,
			vertices[c * 3 + u]!,
			vertices[c * 3 + w]!,
		);
		if (turn !== 0) return true;
	}
	return false;
}

/** Projects along the main axis of the normal (Newell) of the outer loop; undefined when it has no area. */
function projectLoops(vertices: ArrayLike<number>, loops: readonly ArrayLike<number>[]): PlanarCorners | undefined {
	const outer = loops[0]!;
	let nx = 0;
	let ny = 0;
	let nz = 0;
	const origin = outer[0]! * 3;
	for (let i = 1; i + 1 < outer.length; i++) {
		const p = outer[i]! * 3;
		const q = outer[i + 1]! * 3;
		const px = vertices[p]! - vertices[origin]!;
		const py = vertices[p + 1]! - vertices[origin + 1]!;
		const pz = vertices[p + 2]! - vertices[origin + 2]!;
		const qx = vertices[q]! - vertices[origin]!;
		const qy = vertices[q + 1]! - vertices[origin + 1]!;
		const qz = vertices[q + 2]! - vertices[origin + 2]!;
		nx += py * qz - pz * qy;
		ny += pz * qx - px * qz;
		nz += px * qy - py * qx;
	}
	const [ax, ay, az] = [Math.abs(nx), Math.abs(ny), Math.abs(nz)];
	if (!(ax + ay + az > 0)) return undefined;
	const dropped = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
	const isPositive = (dropped === 0 ? nx : dropped === 1 ? ny : nz) > 0;
	const first = (dropped + (isPositive ? 1 : 2)) % 3;
	const second = (dropped + (isPositive ? 2 : 1)) % 3;
	let count = 0;
	for (const loop of loops) count += loop.length;
	const x = new Float64Array(count);
	const y = new Float64Array(count);
	let at = 0;
	for (const loop of loops) {
		for (let i = 0; i < loop.length; i++, at++) {
			x[at] = vertices[loop[i]! * 3 + first]!;
			y[at] = vertices[loop[i]! * 3 + second]!;
		}
	}
	return { x, y };
}

/** Whether the fan around the first corner covers a polygon without holes. */
function isFan({ x, y }: PlanarCorners, loops: readonly ArrayLike<number>[]): boolean {
	if (loops.length > 1) return false;
	const n = x.length;
	for (let i = 1; i + 1 < n; i++) {
		if (orient2d(x[0]!, y[0]!, x[i]!, y[i]!, x[i + 1]!, y[i + 1]!) <= 0) return false;
	}
	// a fan that goes round more than once would turn back somewhere
	for (let i = 0; i < n; i++) {
		const j = (i + 1) % n;
		const k = (i + 2) % n;
		if (orient2d(x[i]!, y[i]!, x[j]!, y[j]!, x[k]!, y[k]!) < 0) return n === 4;
	}
	return true;
}

function fan(corners: number): PolygonTriangulation {
	const triangles: number[] = [];
	for (let i = 1; i + 1 < corners; i++) triangles.push(0, i, i + 1);
	return { triangles, state: 'simple' };
}

/** One loop of corners in which every hole is reached over a bridge and left over the same one. */
function joinHoles(plane: PlanarCorners, loops: readonly ArrayLike<number>[]): number[] {
	const { x, y } = plane;
	let ring = Array.from({ length: loops[0]!.length }, (_, i) => i);
	const holes: number[][] = [];
	let at = ring.length;
	for (const loop of loops.slice(1)) {
		if (loop.length >= 3) {
			const hole = Array.from({ length: loop.length }, (_, i) => at + i);
			// a hole runs against the outer loop
			if (signedArea(plane, hole) > 0) hole.reverse();
			const right = hole.reduce((best, corner, i) => (x[corner]! > x[hole[best]!]! ? i : best), 0);
			holes.push([...hole.slice(right), ...hole.slice(0, right)]);
		}
		at += loop.length;
	}
	holes.sort((a, b) => x[b[0]!]! - x[a[0]!]! || a[0]! - b[0]!);
	for (let h = 0; h < holes.length; h++) {
		const hole = holes[h]!;
		const start = hole[0]!;
		const obstacles = [ring, ...holes.slice(h)];
		const order = ring.map((corner, i) => ({ i, d: (x[corner]! - x[start]!) ** 2 + (y[corner]! - y[start]!) ** 2 }));
		order.sort((a, b) => a.d - b.d || a.i - b.i);
		const found = order.find(
			({ i }) => isInSector(plane, ring, i, start) && isClear(plane, obstacles, ring[i]!, start),
		);
		const i = (found ?? order[0]!).i;
		ring = [...ring.slice(0, i + 1), ...hole, start, ...ring.slice(i)];
	}
	return ring;
}

/** Whether a corner looks into the polygon when it looks at a point. */
function isInSector({ x, y }: PlanarCorners, ring: readonly number[], i: number, target: number): boolean {
	const n = ring.length;
	const [p, c, q] = [ring[(i + n - 1) % n]!, ring[i]!, ring[(i + 1) % n]!];
	const [tx, ty] = [x[target]!, y[target]!];
	const afterIn = orient2d(x[p]!, y[p]!, x[c]!, y[c]!, tx, ty) > 0;
	const beforeOut = orient2d(x[c]!, y[c]!, x[q]!, y[q]!, tx, ty) > 0;
	const isConvex = orient2d(x[p]!, y[p]!, x[c]!, y[c]!, x[q]!, y[q]!) > 0;
	return isConvex ? afterIn && beforeOut : afterIn || beforeOut;
}

/** Whether the segment between two corners meets no edge but at its ends. */
function isClear({ x, y }: PlanarCorners, rings: readonly (readonly number[])[], a: number, b: number): boolean {
	const [ax, ay, bx, by] = [x[a]!, y[a]!, x[b]!, y[b]!];
	for (const ring of rings) {
		for (let k = 0; k < ring.length; k++) {
			const [px, py] = [x[ring[k]!]!, y[ring[k]!]!];
			const [qx, qy] = [x[ring[(k + 1) % ring.length]!]!, y[ring[(k + 1) % ring.length]!]!];
			const touches =
				(px === ax && py === ay) || (qx === ax && qy === ay) || (px === bx && py === by) || (qx === bx && qy === by);
			if (touches) continue;
			const s = orient2d(ax, ay, bx, by, px, py) * orient2d(ax, ay, bx, by, qx, qy);
			const t = orient2d(px, py, qx, qy, ax, ay) * orient2d(px, py, qx, qy, bx, by);
			if (s <= 0 && t <= 0 && !(s === 0 && t > 0)) return false;
		}
	}
	return true;
}

function signedArea({ x, y }: PlanarCorners, ring: readonly number[]): number {
	let area = 0;
	for (let i = 0; i < ring.length; i++) {
		const p = ring[i]!;
		const q = ring[(i + 1) % ring.length]!;
		area += x[p]! * y[q]! - x[q]! * y[p]!;
	}
	return area;
}

/** Cuts off convex corners that hold no other corner until three are left. */
function clipEars({ x, y }: PlanarCorners, ring: readonly number[]): PolygonTriangulation {
	const n = ring.length;
	const next = Int32Array.from(ring, (_, i) => (i + 1) % n);
	const previous = Int32Array.from(ring, (_, i) => (i + n - 1) % n);
	const triangles: number[] = [];
	let state: PolygonState = 'simple';
	let at = 0;
	let left = n;
	let misses = 0;
	const turn = (a: number, b: number, c: number): number =>
		orient2d(x[ring[a]!]!, y[ring[a]!]!, x[ring[b]!]!, y[ring[b]!]!, x[ring[c]!]!, y[ring[c]!]!);
	const isEar = (p: number, c: number, q: number): boolean => {
		if (turn(p, c, q) <= 0) return false;
		for (let k = next[q]!; k !== p; k = next[k]!) {
			const [kx, ky] = [x[ring[k]!]!, y[ring[k]!]!];
			// the ends of a bridge stand twice at one place: a twin of a corner blocks the ear when it leads into it
			if (isSame(k, p) || isSame(k, c) || isSame(k, q)) {
				const [before, after] = isSame(k, p) ? [q, c] : isSame(k, c) ? [p, q] : [c, p];
				if (isWithin(before, k, after, next[k]!) || isWithin(before, k, after, previous[k]!)) return false;
				continue;
			}
			if (turn(previous[k]!, k, next[k]!) > 0 && !isTwin(k)) continue;
			const inside =
				orient2d(x[ring[p]!]!, y[ring[p]!]!, x[ring[c]!]!, y[ring[c]!]!, kx, ky) >= 0 &&
				orient2d(x[ring[c]!]!, y[ring[c]!]!, x[ring[q]!]!, y[ring[q]!]!, kx, ky) >= 0 &&
				orient2d(x[ring[q]!]!, y[ring[q]!]!, x[ring[p]!]!, y[ring[p]!]!, kx, ky) >= 0;
			if (inside) return false;
		}
		return true;
	};
	// whether the way from a corner to a point lies strictly between its ways to the corners before and after
	const isWithin = (before: number, corner: number, after: number, point: number): boolean =>
		turn(corner, after, point) > 0 && turn(before, corner, point) > 0;
	const isSame = (a: number, b: number): boolean => x[ring[a]!] === x[ring[b]!] && y[ring[a]!] === y[ring[b]!];
	const twins = new Map<number, number>();
	for (const corner of ring) twins.set(corner, (twins.get(corner) ?? 0) + 1);
	const isTwin = (a: number): boolean => twins.get(ring[a]!)! > 1;
	const cut = (c: number, keeps: boolean): void => {
		const p = previous[c]!;
		const q = next[c]!;
		if (keeps) triangles.push(ring[p]!, ring[c]!, ring[q]!);
		next[p] = q;
		previous[q] = p;
		left--;
		misses = 0;
		at = q;
	};
	while (left > 3) {
		const p = previous[at]!;
		const q = next[at]!;
		if (isEar(p, at, q)) {
			cut(at, true);
			continue;
		}
		at = q;
		if (++misses < left) continue;
		// no ear: straight corners are cut off as flat triangles, then a polygon that crosses itself is cut anyhow
		const flat = findCorner(at, left, next, (c) => turn(previous[c]!, c, next[c]!) === 0);
		if (flat < 0) state = 'crossing';
		const convex = flat >= 0 ? flat : findCorner(at, left, next, (c) => turn(previous[c]!, c, next[c]!) > 0);
		cut(convex >= 0 ? convex : at, true);
	}
	if (left === 3) {
		if (turn(previous[at]!, at, next[at]!) < 0) state = 'crossing';
		triangles.push(ring[previous[at]!]!, ring[at]!, ring[next[at]!]!);
	}
	return { triangles, state };
}

function findCorner(start: number, left: number, next: Int32Array, accepts: (corner: number) => boolean): number {
	let corner = start;
	for (let i = 0; i < left; i++, corner = next[corner]!) if (accepts(corner)) return corner;
	return -1;
}

function flipTriangles(triangles: number[]): void {
	for (let i = 0; i < triangles.length; i += 3) {
		const second = triangles[i + 1]!;
		triangles[i + 1] = triangles[i + 2]!;
		triangles[i + 2] = second;
	}
}
