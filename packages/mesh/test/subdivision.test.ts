import { describe, expect, it } from 'vitest';
import { Subdivision, type SubdivisionCage } from '../src/internal.ts';

type CornerRule = NonNullable<SubdivisionCage['cornerRule']>;

/** A cube from -1 to 1: point i has x, y, z by its bits. */
const CUBE_POINTS = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1].map((bit) => 2 * bit - 1));
const CUBE: SubdivisionCage = {
	pointCount: 8,
	counts: [4, 4, 4, 4, 4, 4],
	cornerPoints: [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5],
	scheme: 'catmullClark',
};
const CUBE_EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) =>
	[1, 2, 4].filter((bit) => (i & bit) === 0).map((bit) => [i, i + bit]),
);

/** A square of n by n unit squares in the plane. */
function grid(n: number, options: Partial<SubdivisionCage> = {}): SubdivisionCage & { readonly points: number[] } {
	const at = (x: number, y: number): number => x + (n + 1) * y;
	const points: number[] = [];
	for (let y = 0; y <= n; y++) for (let x = 0; x <= n; x++) points.push(x, y, 0);
	const cornerPoints: number[] = [];
	for (let y = 0; y < n; y++)
		for (let x = 0; x < n; x++) cornerPoints.push(at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1));
	const counts = new Array(n * n).fill(4);
	return { pointCount: points.length / 3, counts, cornerPoints, scheme: 'catmullClark', points, ...options };
}

function subdivide(cage: SubdivisionCage, times = 1): Subdivision {
	const made = Subdivision.of(cage, times);
	if (typeof made === 'string') throw new Error(made);
	return made;
}

function points(cage: SubdivisionCage, cagePoints: readonly number[], times = 1): number[][] {
	const flat = subdivide(cage, times).vertex(cagePoints, 3);
	return Array.from({ length: flat.length / 3 }, (_, i) => [...flat.subarray(3 * i, 3 * i + 3)]);
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
	expect(found).toHaveLength(wanted.length);
	for (const [i, value] of wanted.entries()) expect(found[i]).toBeCloseTo(value, 12);
}

describe('Catmull-Clark subdivision', () => {
	it('rounds a cube by the weights of three edges', () => {
		const found = points(CUBE, CUBE_POINTS.flat());
		expect(found).toHaveLength(8 + 12 + 6);
		for (let i = 0; i < 8; i++)
			expectClose(
				found[i]!,
				CUBE_POINTS[i]!.map((x) => (5 / 9) * x),
			);
		for (const edge of found.slice(8, 20)) {
			expectClose(edge.map(Math.abs).sort(), [0, 0.75, 0.75]);
		}
		for (const face of found.slice(20)) expectClose(face.map(Math.abs).sort(), [0, 0, 1]);
	});

	it('comes to the limit of a point with three faces', () => {
		// limit weights n² : 4 : 1 over n (n + 5) for the point, its edges and the far corners of its quads
		const [v, e, f] = [CUBE_POINTS[7]!, [6, 5, 3], [4, 2, 1]];
		const sum = (list: readonly number[], k: number): number =>
			list.reduce((total, i) => total + CUBE_POINTS[i]![k]!, 0);
		const limit = [0, 1, 2].map((k) => (9 * v[k]! + 4 * sum(e, k) + sum(f, k)) / (3 * 8));
		const found = points(CUBE, CUBE_POINTS.flat(), 6)[7]!;
		for (let k = 0; k < 3; k++) expect(found[k]).toBeCloseTo(limit[k]!, 3);
	});

	it('leaves a cube of sharp edges a cube', () => {
		const creases = {
			points: CUBE_EDGES.flat(),
			lengths: CUBE_EDGES.map(() => 2),
			sharpness: CUBE_EDGES.map(() => 10),
		};
		const found = points({ ...CUBE, creases }, CUBE_POINTS.flat(), 3);
		for (const point of found) expect(Math.max(...point.map(Math.abs))).toBeCloseTo(1, 12);
		for (let i = 0; i < 8; i++) expectClose(found[i]!, CUBE_POINTS[i]!);
		const corners = subdivide({ ...CUBE, creases }, 2);
		const groups = corners.smoothGroups();
		const atFirst = [...corners.cornerPoints.entries()]
			.filter(([, point]) => point === 0)
			.map(([corner]) => groups[corner]);
		expect(new Set(atFirst).size).toBe(3);
		expect(new Set(subdivide(CUBE, 2).smoothGroups()).size).toBe(98);
	});

	it('blends edges of a sharpness below one, and the points at their ends', () => {
		// one ring of the cube, so that its points lie on creases of two edges
		const ring = { points: [0, 1, 3, 2, 0], lengths: [5], sharpness: [0.5] };
		const found = points({ ...CUBE, creases: ring }, CUBE_POINTS.flat());
		const smooth = points(CUBE, CUBE_POINTS.flat());
		const sharp = points({ ...CUBE, creases: { ...ring, sharpness: [10] } }, CUBE_POINTS.flat());
		for (const [i, point] of found.entries())
			expectClose(
				point,
				point.map((_, k) => (smooth[i]![k]! + sharp[i]![k]!) / 2),
			);
		expectClose(sharp[0]!, [-0.75, -0.75, -1]);
	});

	it('softens a sharpness of one and a half by one each time', () => {
		const ring = { points: [0, 1, 3, 2, 0], lengths: [5], sharpness: [1.5] };
		const twice = points({ ...CUBE, creases: ring }, CUBE_POINTS.flat(), 2);
		// the first time wholly sharp, the second time half of the way
		const once = subdivide({ ...CUBE, creases: { ...ring, sharpness: [10] } });
		const cage: SubdivisionCage = { ...once, pointCount: 26, scheme: 'catmullClark' };
		const first = [...once.vertex(CUBE_POINTS.flat(), 3)];
		const loop = [0, 1, 3, 2, 0].flatMap((point, i, all) => {
			const middle = CUBE_POINTS[point]!.map((x, k) => (x + CUBE_POINTS[all[i + 1] ?? 0]![k]!) / 2);
			const at = Array.from({ length: 26 }, (_, p) => p).find(
				(p) => p >= 8 && middle.every((x, k) => first[3 * p + k] === x),
			);
			return i === 4 ? [point] : [point, at!];
		});
		const second = points({ ...cage, creases: { points: loop, lengths: [9], sharpness: [0.5] } }, first);
		expect(twice).toHaveLength(second.length);
		const text = (list: readonly number[][]): string[] =>
			list.map((p) => p.map((x) => Math.round(1e9 * x) + 0).join()).sort();
		expect(text(twice)).toEqual(text(second));
	});

	it('takes a sharpness for each edge of a crease, and for points', () => {
		const creases = { points: [0, 1, 3], lengths: [3], sharpness: [10, 0] };
		const corners = { points: [7], sharpness: [10] };
		const found = points({ ...CUBE, creases, corners }, CUBE_POINTS.flat());
		expect(found).toContainEqual([0, -1, -1]);
		expect(found).not.toContainEqual([1, 0, -1]);
		expectClose(found[7]!, [1, 1, 1]);
		const half = points({ ...CUBE, corners: { points: [7], sharpness: [0.25] } }, CUBE_POINTS.flat());
		expectClose(
			half[7]!,
			[1, 1, 1].map((x) => 0.25 * x + 0.75 * (5 / 9)),
		);
	});

	it('keeps what is linear in the inside, and runs along the rim as a cubic curve', () => {
		const { points: flat, ...cage } = grid(3);
		const found = points(cage, flat);
		for (const [x, y, z] of found) {
			expect(z).toBe(0);
			expect(Math.min(x!, y!)).toBeGreaterThanOrEqual(0);
		}
		expectClose(found[0]!, [0, 0, 0]);
		expectClose(found[1]!, [1, 0, 0]);
		expectClose(found[5]!, [1, 1, 0]);
		// without sharp corners: 3/4 of the corner, 1/8 of its two neighbours
		expectClose(points({ ...cage, boundary: 'edgeOnly' }, flat)[0]!, [1 / 8, 1 / 8, 0]);
	});

	it('hides the faces at the rim where nothing says what it is', () => {
		const { points: _, ...cage } = grid(3, { boundary: 'none' });
		const made = subdivide(cage);
		expect([...made.hidden]).toEqual([1, 1, 1, 1, 0, 1, 1, 1, 1]);
		expect(made.origins.filter((face) => face === 4)).toHaveLength(4);
	});

	it('weighs triangles more under the rule smooth', () => {
		const pyramid: SubdivisionCage = {
			pointCount: 4,
			counts: [3, 3, 3, 3],
			cornerPoints: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
			scheme: 'catmullClark',
		};
		const corners = [0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 6];
		const edgeOf = (rule: 'smooth' | 'catmullClark'): number[] =>
			points({ ...pyramid, triangleRule: rule }, corners)[4]!;
		// edge from 0 to 2 (0, 6, 0), between faces with the middles (2, 2, 0) and (0, 2, 2)
		expectClose(edgeOf('catmullClark'), [0.5, 2.5, 0.5]);
		expectClose(edgeOf('smooth'), [0.47 * 2, 0.03 * 6 + 0.47 * 4, 0.47 * 2]);
	});
});

describe('other schemes', () => {
	it('runs straight when it is bilinear', () => {
		const found = points({ ...CUBE, scheme: 'bilinear' }, CUBE_POINTS.flat(), 2);
		expect(found).toHaveLength(98);
		for (const point of found) expect(Math.max(...point.map(Math.abs))).toBe(1);
	});

	it('divides triangles in four by the weights of Loop', () => {
		const octahedron: SubdivisionCage = {
			pointCount: 6,
			counts: new Array(8).fill(3),
			cornerPoints: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
			scheme: 'loop',
		};
		const corners = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
		const found = points(octahedron, corners);
		expect(found).toHaveLength(6 + 12);
		// four edges: 5/8 - (3/8 + cos(90°)/4)² goes to points whose sum is 0
		expectClose(found[0]!, [1 - (5 / 8 - 9 / 64), 0, 0]);
		for (const edge of found.slice(6)) expectClose(edge.map(Math.abs).sort(), [0, 3 / 8, 3 / 8]);
		expect(subdivide(octahedron, 2).counts).toHaveLength(8 * 16);
		expect(Subdivision.of({ ...CUBE, scheme: 'loop' }, 1)).toContain('for triangles');
	});
});

describe('values over a cage', () => {
	const { points: flat, ...cage } = grid(2);

	it('are bent or straight by their kind', () => {
		const made = subdivide(cage);
		const values = [0, 0, 0, 0, 64, 0, 0, 0, 0];
		// four edges: 2/4 of the point itself, and 1/16 of the middles of its four faces, which have 1/4 of it
		expect(made.vertex(values, 1)[4]).toBeCloseTo(64 * (1 / 2 + 1 / 16), 12);
		expect(made.varying(values, 1)[4]).toBe(64);
		expect(made.varying(values, 1).filter((value) => value === 32)).toHaveLength(4);
		expect(made.varying(values, 1).filter((value) => value === 16)).toHaveLength(4);
	});

	it('of corners are those of points where they are one piece', () => {
		const indices = cage.cornerPoints;
		const bent = flat.map((x, i) => (i % 3 === 2 ? 0 : x * x));
		const made = subdivide(cage, 2);
		const one = made.vertex(bent, 3);
		const other = made.faceVarying(bent, 3, indices);
		for (let corner = 0; corner < made.cornerPoints.length; corner++) {
			for (let k = 0; k < 3; k++)
				expect(other.data[3 * other.indices[corner]! + k]).toBeCloseTo(one[3 * made.cornerPoints[corner]! + k]!, 12);
		}
	});

	it('of corners stay apart where they differ, and corners of pieces stay where they are', () => {
		const made = subdivide(cage);
		// each face has its own values: every corner is one
		const values = cage.cornerPoints as number[];
		const { data, indices } = made.faceVarying(values, 1);
		for (let face = 0; face < 4; face++) {
			for (let i = 0; i < 4; i++) expect(data[indices[16 * face + 4 * i]!]).toBe(values[4 * face + i]);
		}
		expect(new Set(indices).size).toBe(4 * 9);
	});

	it('keep what their rule keeps', () => {
		// the two left faces are one piece, the two right ones another; value = x² and far away on the right
		const left = cage.cornerPoints as number[];
		const indices = left.map((point, corner) => (Math.floor(corner / 4) % 2 === 0 ? point : 9 + point));
		const values = [0, 1, 4, 3, 5, 9, 0, 1, 4].flatMap((x) => [x]);
		const all = [...values, ...values.map((x) => x + 100)];
		const at = (rule: CornerRule, face: number, corner: number): number => {
			const { data, indices: own } = subdivide({ ...cage, boundary: 'edgeOnly', cornerRule: rule }).faceVarying(
				all,
				1,
				indices,
			);
			return data[own[16 * face + 4 * corner]!]!;
		};
		// the middle of the seam: a crease between the values of points 1 and 7
		expect(at('cornersPlus1', 0, 2)).toBeCloseTo(0.75 * 5 + (1 + 1) / 8, 12);
		expect(at('cornersPlus1', 1, 3)).toBeCloseTo(100 + 0.75 * 5 + (1 + 1) / 8, 12);
		expect(at('boundaries', 0, 2)).toBe(5);
		expect(at('all', 0, 2)).toBe(5);
		// the corner of a piece
		expect(at('cornersOnly', 0, 0)).toBe(0);
		expect(at('none', 0, 0)).toBeCloseTo((1 + 3) / 8, 12);
	});

	it('of a point with three pieces stay, as do ends of seams under cornersPlus2', () => {
		// the face 0 has its own value at the middle, faces 1 and 3 share one, face 2 has another
		const points = cage.cornerPoints as number[];
		const pieces = [0, 1, 2, 1];
		const indices = points.map((point, corner) => (point === 4 ? 9 + pieces[Math.floor(corner / 4)]! : point));
		const values = [0, 8, 0, 8, 0, 8, 0, 8, 0, 1, 2, 3];
		const middle = (rule: CornerRule): number => {
			const { data, indices: own } = subdivide({ ...cage, cornerRule: rule }).faceVarying(values, 1, indices);
			return data[own[16 + 4 * 3]!]!;
		};
		expect(middle('cornersPlus1')).toBe(2);
		expect(middle('cornersOnly')).not.toBe(2);
		// a seam that ends in the middle: only the values at its other end differ
		const seam = points.map((point, corner) => (point === 1 && corner < 4 ? 9 : point));
		const end = (rule: CornerRule): number => {
			const { data, indices: own } = subdivide({ ...cage, cornerRule: rule }).faceVarying(
				[...values.slice(0, 4), 7, ...values.slice(5)],
				1,
				seam,
			);
			return data[own[2 * 4]!]!;
		};
		expect(end('cornersPlus2')).toBe(7);
		expect(end('cornersPlus1')).not.toBe(7);
	});
});

describe('cages that cannot be subdivided', () => {
	it.each([
		['face 0 has 2 corners', { counts: [2], cornerPoints: [0, 1] }],
		['face 1 has point 1 twice', { counts: [3, 4], cornerPoints: [0, 1, 2, 0, 1, 2, 1] }],
	])('%s', (why, faces) => {
		expect(Subdivision.of({ ...CUBE, ...faces }, 1)).toContain(why);
	});

	it('makes no more faces than memory holds', () => {
		expect(Subdivision.of(CUBE, 30)).toContain('are the most');
	});

	it('takes edges of three faces and points of two fans as sharp', () => {
		const fin: SubdivisionCage = {
			pointCount: 8,
			counts: [4, 4, 4],
			cornerPoints: [0, 1, 2, 3, 1, 0, 4, 5, 0, 1, 6, 7],
			scheme: 'catmullClark',
		};
		const corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, -1, 0, 1, -1, 0, 1, 0, 1, 0, 0, 1];
		const found = points(fin, corners, 2);
		expectClose(found[0]!, [0, 0, 0]);
		expect(found.flat().every(Number.isFinite)).toBe(true);
	});
});
