import { describe, expect, it } from 'vitest';
import { materialTraits } from '../src/mesh/material-traits.ts';
import { roundEven } from '../src/mesh/round-even.ts';
import { scaledNormals } from '../src/mesh/scaled-normals.ts';
import { vertexNormals } from '../src/mesh/vertex-normals.ts';
import { weldCorners } from '../src/mesh/weld-corners.ts';
import { mujocoMeshMass } from '../src/mjcf/mesh-mass.ts';
import { axisTurn, decomposeMatrix, isIdentityPose, makePose, mirroredPose, turnToAxis } from '../src/usd/poses.ts';
import { splitCorners } from '../src/usd/split-corners.ts';

const list = (values: ArrayLike<number>): number[] => Array.from(values);
const near = (values: ArrayLike<number>, expected: readonly number[]): void => {
	expect(values.length).toBe(expected.length);
	expected.forEach((value, i) => {
		expect(values[i], `number ${i}`).toBeCloseTo(value, 9);
	});
};

describe('rounding', () => {
	it.each([
		[0.5, 0],
		[1.5, 2],
		[2.5, 2],
		[3.5, 4],
		[-0.5, 0],
		[-1.5, -2],
		[-2.5, -2],
		[0.4, 0],
		[0.6, 1],
		[-0.6, -1],
		[7, 7],
	])('takes %d to %d', (value, rounded) => {
		expect(Object.is(roundEven(value), rounded)).toBe(true);
	});
});

describe('normals of vertices', () => {
	it('are the sum of the normals around them by area', () => {
		// a face of area 1 in z = 0 and one of area 2 in x = 0 share an edge along y
		const vertices = Float64Array.of(0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 2, 5, 5, 5);
		const indices = Uint32Array.of(0, 2, 1, 0, 1, 3);
		const s = Math.hypot(2, 4);
		// the same where nothing is at the origin
		const moved = vertices.map((x, i) => x + [3, 5, 7][i % 3]!);
		near(vertexNormals(moved, indices), list(vertexNormals(vertices, indices)));
		near(vertexNormals(vertices, indices), [4 / s, 0, 2 / s, 4 / s, 0, 2 / s, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
	});
});

describe('welding', () => {
	const mesh = (second: readonly number[], extras: object = {}): Parameters<typeof weldCorners>[0] => ({
		vertices: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, ...second, 1, 1, 0, 9, 9, 9),
		indices: Uint32Array.of(0, 1, 2, 1, 4, 3),
		...extras,
	});

	it('joins corners at one place and leaves out what is unused', () => {
		const welded = weldCorners(mesh([0, 1, 1e-9]));
		expect(list(welded.indices)).toEqual([0, 1, 2, 1, 3, 2]);
		expect(list(welded.vertices)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
		expect(list(weldCorners(mesh([0, 1, 2e-8])).indices)).toEqual([0, 1, 2, 1, 4, 3]);
	});

	it('keeps corners apart that look different', () => {
		const uvs = (u: number): Float64Array => Float64Array.of(0, 0, 0, 0, 0.5, 0.25, 0.5, u, 0, 0, 0, 0);
		expect(list(weldCorners(mesh([0, 1, 0], { uvs: uvs(0.25001) })).indices)).toEqual([0, 1, 2, 1, 3, 2]);
		const apart = weldCorners(mesh([0, 1, 0], { uvs: uvs(0.2502) }));
		expect(list(apart.indices)).toEqual([0, 1, 2, 1, 4, 3]);
		expect(list(apart.uvs!)).toEqual([0, 0, 0, 0, 0.5, 0.25, 0.5, 0.2502, 0, 0]);
		const normals = (x: number): Float64Array => Float64Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, x, 0, 1, 0, 0, 1, 0, 0, 1);
		expect(list(weldCorners(mesh([0, 1, 0], { normals: normals(0.004) })).indices)).toEqual([0, 1, 2, 1, 3, 2]);
		const bent = weldCorners(mesh([0, 1, 0], { normals: normals(0.02) }));
		expect(list(bent.indices)).toEqual([0, 1, 2, 1, 4, 3]);
		expect(list(bent.normals!.subarray(9, 12))).toEqual([0.02, 0, 1]);
	});

	it('keeps corners apart that are alike in their last 32 bits', () => {
		const around = 2 ** 32;
		const apart = [0, 1, 2, 1, 4, 3];
		expect(list(weldCorners(mesh([0, 1, around / 1e8])).indices)).toEqual(apart);
		const uvs = Float64Array.of(0, 0, 0, 0, 0.5, 0.25, 0.5, 0.25 + around / 1e4, 0, 0, 0, 0);
		expect(list(weldCorners(mesh([0, 1, 0], { uvs })).indices)).toEqual(apart);
		const normals = Float64Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, around / 1e2, 0, 1, 0, 0, 1, 0, 0, 1);
		expect(list(weldCorners(mesh([0, 1, 0], { normals })).indices)).toEqual(apart);
	});
});

describe('splitting', () => {
	it('doubles vertices whose corners differ in normal or texture coordinate', () => {
		const points = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
		const indices = Uint32Array.of(0, 1, 2, 1, 3, 2);
		const up = [0, 0, 2];
		const normals = Float64Array.of(...up, ...up, ...up, 0, 3, 0, ...up, ...up);
		const split = splitCorners(points, indices, normals, undefined);
		expect(list(split.indices)).toEqual([0, 1, 2, 3, 4, 2]);
		expect(list(split.vertices)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0]);
		expect(list(split.normals)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1]);
		expect(split.uvs).toBeUndefined();
		const flat = Float64Array.of(...up, ...up, ...up, ...up, ...up, ...up);
		const uvs = Float64Array.of(0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0.5);
		const mapped = splitCorners(points, indices, flat, uvs);
		expect(list(mapped.indices)).toEqual([0, 1, 2, 1, 3, 4]);
		expect(list(mapped.uvs!)).toEqual([0, 0, 1, 0, 0, 1, 1, 1, 0, 0.5]);
	});
});

describe('materials of meshes', () => {
	it('take colours and exponents of highlights as their format means them', () => {
		const look = (material: object, format?: string, compat = false): object =>
			materialTraits(material as never, format as never, compat);
		expect(materialTraits(undefined, 'obj', false)).toEqual({});
		expect(materialTraits(undefined, 'obj', true)).toEqual({ color: [0.4, 0.4, 0.4] });
		expect(look({ texture: 'a.png' })).toEqual({ texture: { file: 'a.png' } });
		expect(look({ color: [0.1, 0.2, 0.3] }, 'obj')).toEqual({ color: [0.1, 0.2, 0.3] });
		expect(look({ color: [0.1, 0.2, 0.5] }, 'obj', true)).toEqual({ color: [26 / 255, 51 / 255, 128 / 255] });
		expect(look({ color: [-1, 0.5, 2] }, 'dae')).toEqual({ color: [0, 0.5 ** (1 / 2.2), 1] });
		expect(look({ metallic: 0.3, roughness: 0.4, shininess: 9 }, 'dae')).toEqual({ metallic: 0.3, roughness: 0.4 });
		expect(look({ specular: [0.1, 0.7, 0.2], reflectivity: 0.9 }, 'dae')).toEqual({ metallic: 0.7 });
		expect(look({ reflectivity: 1.9 }, 'dae')).toEqual({ metallic: 1 });
		expect(look({ reflectivity: -1 }, 'dae')).toEqual({ metallic: 0 });
		expect(look({ specular: [0.1, 0.7, 0.2] }, 'obj')).toEqual({});
		expect(look({ shininess: 0.25 }, 'dae')).toEqual({ roughness: 0.75 });
		expect(look({ shininess: 32 }, 'dae')).toEqual({ roughness: 0.75 });
		expect(look({ shininess: 500 }, 'dae')).toEqual({ roughness: 0 });
		// a highlight of exponent 6 is as wide as that of roughness 1/2
		expect(look({ shininess: 6 }, 'obj')).toEqual({ roughness: 0.5 });
		expect(look({ shininess: -3 }, 'obj')).toEqual({ roughness: 1 });
		expect(look({ shininess: 0.25 }, 'obj', true)).toEqual({ roughness: 0.75 });
		expect(look({ shininess: 7 }, 'obj', true)).toEqual({ roughness: 0 });
	});
});

describe('masses as MuJoCo has them', () => {
	// the corner of a cube with edges 2, 3 and 4
	const tetra = {
		vertices: Float64Array.of(0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4),
		indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
	};

	it('of a tetrahedron are exact', () => {
		for (const method of ['exact', 'legacy', 'convex'] as const) {
			const { mass, com, inertia } = mujocoMeshMass(tetra, method);
			expect(mass).toBeCloseTo(4, 12);
			near(com, [0.5, 0.75, 1]);
			// second moments about the centre: m 3/80 a^2 on the diagonal, -m a b / 80 beside it
			const [xx, yy, zz] = [4 * (3 / 80) * 4, 4 * (3 / 80) * 9, 4 * (3 / 80) * 16];
			const [xy, xz, yz] = [(-4 * 6) / 80, (-4 * 8) / 80, (-4 * 12) / 80];
			near(inertia, [yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy]);
		}
	});

	it('are none below the volume of 1e-15 m³ that MuJoCo takes for nothing', () => {
		const ofVolume = (volume: number): number => {
			const size = (volume / 4) ** (1 / 3);
			return mujocoMeshMass({ ...tetra, vertices: tetra.vertices.map((x) => size * x) }, 'exact').mass;
		};
		expect(ofVolume(1.5e-15) / 1.5e-15).toBeCloseTo(1, 9);
		expect(ofVolume(0.9e-15)).toBe(0);
	});

	it('of a shell are those of its faces', () => {
		const square = {
			vertices: Float64Array.of(0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0),
			indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
		};
		const { mass, com, inertia } = mujocoMeshMass(square, 'shell');
		expect(mass).toBeCloseTo(4, 12);
		near(com, [1, 1, 0]);
		near(inertia, [4 / 3, 0, 0, 0, 4 / 3, 0, 0, 0, 8 / 3]);
		expect(mujocoMeshMass(square, 'exact').mass).toBe(0);
	});

	it('count pyramids of dents as positive in the legacy way', () => {
		const turned = { vertices: tetra.vertices, indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2) };
		expect(mujocoMeshMass(turned, 'legacy').mass).toBeCloseTo(4, 12);
		expect(mujocoMeshMass(turned, 'exact').mass).toBeCloseTo(-4, 12);
	});
});

describe('poses of stages', () => {
	const matrix = (rows: readonly (readonly number[])[], place = [0, 0, 0]): Float64Array =>
		Float64Array.of(...rows.flatMap((row) => [...row, 0]), ...place, 1);

	it('have unit quaternions', () => {
		near(makePose([1, 2, 3], [0, 0, 3, 4]), [1, 2, 3, 0, 0, 0.6, 0.8]);
		near(makePose([1, 2, 3], [0, 0, 0, 0]), [1, 2, 3, 0, 0, 0, 1]);
	});

	it('are taken off matrices with the lengths of their rows', () => {
		const turned = decomposeMatrix(
			matrix(
				[
					[0, 2, 0],
					[-3, 0, 0],
					[0, 0, 4],
				],
				[5, 6, 7],
			),
		);
		const h = Math.SQRT1_2;
		near(turned.pose, [5, 6, 7, 0, 0, h, h]);
		expect(turned.scale).toEqual([2, 3, 4]);
		const mirrored = decomposeMatrix(
			matrix([
				[-2, 0, 0],
				[0, 3, 0],
				[0, 0, 4],
			]),
		);
		near(mirrored.pose, [0, 0, 0, 0, 0, 0, 1]);
		expect(mirrored.scale).toEqual([-2, 3, 4]);
		const flat = decomposeMatrix(
			matrix([
				[0, 0, 0],
				[0, 3, 0],
				[0, 0, 4],
			]),
		);
		near(flat.pose, [0, 0, 0, 0, 0, 0, 1]);
		expect(flat.scale).toEqual([0, 3, 4]);
	});

	it('are told from mirrored ones by the handedness of their axes', () => {
		let state = 7;
		const next = (): number => {
			state = (Math.imul(state, 1103515245) + 12345) >>> 0;
			return (state >>> 8) / 2 ** 23 - 1;
		};
		for (let round = 0; round < 100; round++) {
			const q = [next(), next(), next(), next()];
			const n = Math.hypot(...q);
			const [x, y, z, w] = q.map((part) => part / n) as [number, number, number, number];
			const axes = [
				[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
				[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
				[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
			];
			const factors = [next() * 3, next() * 3, next() * 3];
			const { scale, pose } = decomposeMatrix(matrix(axes.map((row, i) => row.map((part) => part * factors[i]!))));
			near(scale.map(Math.abs), factors.map(Math.abs));
			expect(scale.map(Math.sign)).toEqual([Math.sign(factors[0]! * factors[1]! * factors[2]!), 1, 1]);
			expect(Math.hypot(...pose.subarray(3))).toBeCloseTo(1, 9);
		}
	});

	it('turn axes the short way', () => {
		const h = Math.SQRT1_2;
		near(axisTurn('Z', 'X'), [0, h, 0, h]);
		near(axisTurn('Z', 'Y'), [-h, 0, 0, h]);
		near(axisTurn('X', 'Y'), [0, 0, h, h]);
		near(axisTurn('Y', 'Y'), [0, 0, 0, 1]);
		const pose = Float64Array.of(1, 2, 3, 0, 0, h, h);
		expect(turnToAxis(pose, 'Z')).toBe(pose);
		// first to x, then by the quarter about z: to y
		near(turnToAxis(pose, 'X'), [1, 2, 3, -0.5, 0.5, 0.5, 0.5]);
	});

	it('are identities within a tolerance', () => {
		expect(isIdentityPose(Float64Array.of(0, 0, 0, 0, 0, 0, 1))).toBe(true);
		expect(isIdentityPose(Float64Array.of(0, 0, 0, 0, 0, 0, -1))).toBe(true);
		for (const i of [0, 1, 2, 6]) {
			const off = (by: number): Float64Array => Float64Array.of(0, 0, 0, 0, 0, 0, 1).with(i, (i === 6 ? 1 : 0) - by);
			expect(isIdentityPose(off(0.5e-6))).toBe(true);
			expect(isIdentityPose(off(1.5e-6))).toBe(false);
		}
	});

	it('of rotations come out right by the formula that Newton uses for all matrices', () => {
		const quarter = Math.SQRT1_2;
		const cases: [number[][], number[]][] = [
			[
				[
					[1, 0, 0],
					[0, 1, 0],
					[0, 0, 1],
				],
				[0, 0, 0, 1],
			],
			[
				[
					[1, 0, 0],
					[0, 0, 1],
					[0, -1, 0],
				],
				[quarter, 0, 0, quarter],
			],
			[
				[
					[0, 0, -1],
					[0, 1, 0],
					[1, 0, 0],
				],
				[0, quarter, 0, quarter],
			],
			[
				[
					[0, 1, 0],
					[-1, 0, 0],
					[0, 0, 1],
				],
				[0, 0, quarter, quarter],
			],
			[
				[
					[1, 0, 0],
					[0, -1, 0],
					[0, 0, -1],
				],
				[1, 0, 0, 0],
			],
			[
				[
					[-1, 0, 0],
					[0, 1, 0],
					[0, 0, -1],
				],
				[0, 1, 0, 0],
			],
			[
				[
					[-1, 0, 0],
					[0, -1, 0],
					[0, 0, 1],
				],
				[0, 0, 1, 0],
			],
			// half a turn about the diagonals of planes
			[
				[
					[0, 1, 0],
					[1, 0, 0],
					[0, 0, -1],
				],
				[quarter, quarter, 0, 0],
			],
			[
				[
					[-1, 0, 0],
					[0, 0, 1],
					[0, 1, 0],
				],
				[0, quarter, quarter, 0],
			],
			[
				[
					[0, 0, 1],
					[0, -1, 0],
					[1, 0, 0],
				],
				[quarter, 0, quarter, 0],
			],
		];
		for (const [rows, quaternion] of cases) {
			const pose = mirroredPose(
				matrix(
					rows.map((row, i) => row.map((x) => x * (i + 2))),
					[1, 2, 3],
				),
			);
			const sign = pose.subarray(3).reduce((sum, x, i) => sum + x * quaternion[i]!, 0) < 0 ? -1 : 1;
			near(pose, [1, 2, 3, ...quaternion.map((x) => x * sign)]);
		}
	});

	it('that Newton takes off mirrored matrices turn about the first of the largest entries on the diagonal', () => {
		// all three are -1: half a turn about x
		const point = matrix([
			[-1, 0, 0],
			[0, -1, 0],
			[0, 0, -1],
		]);
		near(mirroredPose(point), [0, 0, 0, 1, 0, 0, 0]);
		// that of y is above that of x, though below 0, and that of z is no larger
		const turned = matrix([
			[-1, 0, 0],
			[0, -0.6, 0.8],
			[0, -0.8, -0.6],
		]);
		near(mirroredPose(turned), [0, 0, 0, 0, 1, 0, 0]);
	});
});

describe('normals of a surface that is scaled', () => {
	it('are divided by the factors and of length 1; what has no direction has none then', () => {
		const normals = Float64Array.of(0, 0, 0, 0, 0, 2, 3, 4, 0, 1, 1, 1);
		const scaled = scaledNormals(normals, [1, 2, -4]);
		// (3, 2, 0) and (1, 1/2, -1/4), each by its length
		const [a, b] = [Math.sqrt(13), Math.sqrt(1 + 0.25 + 0.0625)];
		near(scaled, [0, 0, 0, 0, 0, -1, 3 / a, 2 / a, 0, 1 / b, 0.5 / b, -0.25 / b]);
	});
});
