import { Report } from '@manyworlds/core';
import {
	combineMasses,
	createBox,
	createCone,
	createCylinder,
	createPlane,
	createSphere,
	type MassProperties,
	mergeMeshes,
	type PrimitiveShape,
	placeMass,
	primitiveMass,
	scaleMass,
	shellMass,
	solidMass,
} from '@manyworlds/mesh';
import {
	createTriangleMesh,
	flipMesh,
	inertiaAbout,
	scaleMesh,
	transformMesh,
	translateMesh,
} from '@manyworlds/mesh/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stretchMass } from '../src/mass/mass-properties.ts';
import { ell, prism } from './shapes.ts';

/** Compares within a relative bound, of the largest entry for tensors. */
function expectMass(found: MassProperties, expected: MassProperties, bound = 1e-10): void {
	expect(Math.abs(found.mass - expected.mass)).toBeLessThanOrEqual(bound * expected.mass);
	const size = Math.max(...expected.inertia.map(Math.abs));
	const reach = Math.sqrt(size / expected.mass) + Math.max(...expected.com.map(Math.abs));
	for (let k = 0; k < 3; k++) expect(Math.abs(found.com[k]! - expected.com[k]!)).toBeLessThanOrEqual(bound * reach);
	for (let i = 0; i < 9; i++) {
		expect(Math.abs(found.inertia[i]! - expected.inertia[i]!)).toBeLessThanOrEqual(bound * size);
	}
}

const diagonal = (m: MassProperties): number[] => [m.inertia[0]!, m.inertia[4]!, m.inertia[8]!];

describe('primitives (fixtures of density 1000)', () => {
	const cases: [string, PrimitiveShape, number | undefined, number, number, number[]][] = [
		['sphere', { type: 'sphere', radius: 0.5 }, undefined, 523.598776, 0, [52.3598776, 52.3598776, 52.3598776]],
		['box', { type: 'box', halfExtents: [0.1, 0.2, 0.3] }, undefined, 48, 0, [2.08, 1.6, 0.8]],
		[
			'capsule',
			{ type: 'capsule', radius: 0.1, halfHeight: 0.2 },
			undefined,
			16.7551608,
			0,
			[0.446106157, 0.446106157, 0.0795870139],
		],
		[
			'cylinder',
			{ type: 'cylinder', radius: 0.1, halfHeight: 0.2 },
			undefined,
			12.5663706,
			0,
			[0.198967535, 0.198967535, 0.0628318531],
		],
		[
			'cone',
			{ type: 'cone', radius: 0.1, halfHeight: 0.2 },
			undefined,
			4.1887902,
			-0.1,
			[0.0314159265, 0.0314159265, 0.0125663706],
		],
		[
			'ellipsoid',
			{ type: 'ellipsoid', radii: [0.1, 0.2, 0.3] },
			undefined,
			25.1327412,
			0,
			[0.653451272, 0.502654825, 0.251327412],
		],
		['hollow box', { type: 'box', halfExtents: [0.1, 0.2, 0.3] }, 0.01, 8.328, 0, [0.4904752, 0.3807472, 0.2154992]],
		[
			'hollow cone',
			{ type: 'cone', radius: 0.1, halfHeight: 0.2 },
			0.01,
			0.965516142,
			-0.116691974,
			[0.00969602, 0.00969602, 0.00473381],
		],
	];
	test.each(cases)('%s', (_, shape, thickness, mass, z, inertia) => {
		const found = primitiveMass(shape, { density: 1000, ...(thickness === undefined ? {} : { thickness }) });
		// the fixtures are printed with nine digits, hollow cones with six
		expect(Math.abs(found.mass / mass - 1)).toBeLessThan(1e-8);
		expect(found.com[2]).toBeCloseTo(z, 9);
		for (const [i, value] of inertia.entries()) expect(Math.abs(diagonal(found)[i]! / value - 1)).toBeLessThan(1e-6);
	});

	test('planes, height fields, gaussians and sites have no mass', () => {
		for (const type of ['plane', 'heightfield', 'gaussian', 'site'] as const) {
			expect(primitiveMass({ type }, { density: 1000, thickness: 0.1 }).mass).toBe(0);
		}
	});

	test.each([0.01, 0.05])('hollow shapes are the shape less a smaller one (thickness %d)', (t) => {
		const outer: PrimitiveShape = { type: 'ellipsoid', radii: [0.1, 0.2, 0.3] };
		const inner: PrimitiveShape = { type: 'ellipsoid', radii: [0.1 - t, 0.2 - t, 0.3 - t] };
		const shell = primitiveMass(outer, { thickness: t });
		expectMass(combineMasses([shell, primitiveMass(inner)]), primitiveMass(outer));
	});

	test('refuses walls that are too thick, negative or not finite', () => {
		const box: PrimitiveShape = { type: 'box', halfExtents: [0.1, 0.2, 0.3] };
		for (const thickness of [0.1, 0.2, -0.01, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(() => primitiveMass(box, { thickness })).toThrow(RangeError);
		}
		expect(() => primitiveMass({ type: 'sphere', radius: -1 })).toThrow(/radius of the sphere is -1/);
		expect(() => primitiveMass(box, { density: -1 })).toThrow(/density is -1/);
	});

	test('a wall of thickness 0 warns and has no mass', () => {
		const report = new Report();
		const { mass, inertia } = primitiveMass({ type: 'sphere', radius: 1 }, { thickness: 0, report });
		expect([mass, ...inertia]).toEqual(new Array(10).fill(0));
		expect(report.toArray().map((d) => d.code)).toEqual(['MESH023']);
	});

	test('a barrel whose side is the arc of a sphere of its own is that slice of the ball', () => {
		// radius of the ends sqrt(1 - h²): the profile is the unit sphere between -h and h
		const h = 0.6;
		const barrel = primitiveMass({ type: 'cylinder', radius: Math.sqrt(1 - h * h), halfHeight: h, barrelRadius: 1 });
		expect(barrel.mass / (2 * Math.PI * (h - h ** 3 / 3)) - 1).toBeCloseTo(0, 12);
		expect(barrel.inertia[8]! / (Math.PI * (h - (2 * h ** 3) / 3 + h ** 5 / 5)) - 1).toBeCloseTo(0, 12);
		expect(() => primitiveMass({ type: 'cylinder', radius: 1, halfHeight: 1, barrelRadius: 0.5 })).toThrow(
			/barrelRadius/,
		);
	});

	test('hollow barrels shrink their arc too', () => {
		const outer: PrimitiveShape = { type: 'cylinder', radius: 0.1, halfHeight: 0.2, barrelRadius: 0.5 };
		const inner: PrimitiveShape = { type: 'cylinder', radius: 0.09, halfHeight: 0.19, barrelRadius: 0.49 };
		const shell = primitiveMass(outer, { thickness: 0.01 });
		expectMass(combineMasses([shell, primitiveMass(inner)]), primitiveMass(outer));
	});
});

describe('meshes', () => {
	const box = primitiveMass({ type: 'box', halfExtents: [0.1, 0.2, 0.3] }, { density: 1000 });

	test('a box mesh equals the box, either way round', () => {
		const mesh = createBox(0.1, 0.2, 0.3);
		expectMass(solidMass(mesh, { density: 1000 }), box, 1e-13);
		const flipped = solidMass(flipMesh(mesh), { density: 1000 });
		expectMass(flipped, box, 1e-13);
		expect(flipped.isInsideOut).toBe(true);
	});

	test.each([
		[1, 2, 3],
		[1e3, -2e3, 5e2],
	])('an offset box (%d, %d, %d) equals the box', (x, y, z) => {
		const found = solidMass(translateMesh(createBox(0.1, 0.2, 0.3), x, y, z), { density: 1000 });
		expectMass(found, { ...box, com: Float64Array.of(x, y, z) });
	});

	test('a scaled box mesh (2, 1, 3) is exact, scaled before or after', () => {
		const after = scaleMass(solidMass(createBox(0.1, 0.2, 0.3), { density: 1000 }), 2, 1, 3);
		expect(after.mass).toBeCloseTo(288, 10);
		expect(diagonal(after).map((v) => Number(v.toFixed(9)))).toEqual([81.6, 81.6, 7.68]);
		expectMass(solidMass(scaleMesh(createBox(0.1, 0.2, 0.3), 2, 1, 3), { density: 1000 }), after);
	});

	test('stretching moments equals moments of the stretched mesh for any linear map', () => {
		const entry = fc.integer({ min: -3000, max: 3000 }).map((value) => value / 1000);
		fc.assert(
			fc.property(fc.array(entry, { minLength: 9, maxLength: 9 }), (m) => {
				const [a, b, c, d, e, f, g, h, i] = m as [
					number,
					number,
					number,
					number,
					number,
					number,
					number,
					number,
					number,
				];
				const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
				fc.pre(Math.abs(determinant) > 0.1);
				const mesh = transformMesh(ell(), [a, b, c, 0, d, e, f, 0, g, h, i, 0, 0, 0, 0, 1]);
				expectMass(solidMass(mesh), stretchMass(solidMass(ell()), m));
			}),
			{ seed: 11, numRuns: 200 },
		);
	});

	test('a merged body equals the sum of its parts, placed and turned', () => {
		const coordinate = fc.integer({ min: -5000, max: 5000 }).map((value) => value / 1000);
		fc.assert(
			fc.property(fc.array(coordinate, { minLength: 14, maxLength: 14 }), (v) => {
				const [q1, q2] = [v.slice(6, 10), v.slice(10, 14)];
				fc.pre(Math.hypot(...q1) > 0.1 && Math.hypot(...q2) > 0.1);
				const places = [
					{ t: v.slice(0, 3), q: q1, mesh: ell() },
					{ t: v.slice(3, 6), q: q2, mesh: createBox(0.5, 1, 0.25) },
				];
				const parts = places.map(({ t, q, mesh }) => placeMass(solidMass(mesh, { density: 3 }), t, q));
				const meshes = places.map(({ t, q, mesh }) => transformMesh(mesh, matrixOf(t, q)));
				expectMass(solidMass(mergeMeshes(meshes), { density: 3 }), combineMasses(parts));
			}),
			{ seed: 12, numRuns: 200 },
		);
	});

	test('round meshes approach their closed forms', () => {
		const fine = { segments: 128, rings: 64 };
		const pairs: [MassProperties, PrimitiveShape][] = [
			[solidMass(createSphere(0.5, fine)), { type: 'sphere', radius: 0.5 }],
			[solidMass(createCone(0.1, 0.2, fine)), { type: 'cone', radius: 0.1, halfHeight: 0.2 }],
			[solidMass(createCylinder(0.1, 0.2, fine)), { type: 'cylinder', radius: 0.1, halfHeight: 0.2 }],
		];
		for (const [found, shape] of pairs) expectMass(found, primitiveMass(shape), 5e-3);
	});

	test('a prism over a regular polygon has the closed form of one, to 1e-10', () => {
		const [n, r, h] = [7, 0.8, 0.5];
		const corners = Array.from(
			{ length: n },
			(_, i) => [r * Math.cos((2 * Math.PI * i) / n), r * Math.sin((2 * Math.PI * i) / n)] as const,
		);
		const found = solidMass(prism(corners, h), { density: 2 });
		const side = 2 * r * Math.sin(Math.PI / n);
		const apothem = r * Math.cos(Math.PI / n);
		const mass = 2 * h * ((n * side * apothem) / 2);
		expect(Math.abs(found.mass / mass - 1)).toBeLessThan(1e-12);
		const axial = (mass / 2) * (apothem ** 2 + side ** 2 / 12);
		expect(Math.abs(found.inertia[8]! / axial - 1)).toBeLessThan(1e-10);
		expect(Math.abs(found.inertia[0]! / (axial / 2 + (mass * h * h) / 12) - 1)).toBeLessThan(1e-10);
	});

	test('an open mesh is flagged and joined to the origin', () => {
		const report = new Report();
		const open = { ...createBox(1), indices: createBox(1).indices.slice(0, 30) };
		const { volume } = solidMass(open, { report });
		expect(report.toArray().map((d) => d.code)).toEqual(['MESH021']);
		// five of six pyramids over the faces
		expect(volume).toBeCloseTo((8 * 5) / 6, 12);
	});

	test('a mesh without volume has no mass', () => {
		expect(solidMass(createPlane(1)).mass).toBe(0);
		expect(solidMass(createTriangleMesh({ vertices: [], indices: [] })).mass).toBe(0);
	});

	test('a surface shell of a box has the closed form of six plates', () => {
		const shell = shellMass(createBox(1, 2, 3), { thickness: 0.01, density: 100 });
		expect(shell.area).toBeCloseTo(88, 12);
		expect(shell.mass).toBeCloseTo(88, 12);
		// plates at ±x, ±y, ±z of weight 24, 12, 8 each
		const xx = 2 * (24 * 1 + 12 / 3 + 8 / 3);
		const yy = 2 * ((24 * 4) / 3 + 12 * 4 + (8 * 4) / 3);
		const zz = 2 * ((24 * 9) / 3 + (12 * 9) / 3 + 8 * 9);
		expect(shell.inertia[0]! / (yy + zz) - 1).toBeCloseTo(0, 12);
		expect(shell.inertia[8]! / (xx + yy) - 1).toBeCloseTo(0, 12);
	});

	test('a wedge shell is the sum of the prisms over its triangles', () => {
		const t = 0.02;
		const mesh = ell();
		const prisms: MassProperties[] = [];
		for (let i = 0; i < mesh.indices.length; i += 3) {
			const p = [0, 1, 2].map((k) => [
				...mesh.vertices.subarray(mesh.indices[i + k]! * 3, mesh.indices[i + k]! * 3 + 3),
			]);
			const [u, v] = [1, 2].map((k) => p[k]!.map((value, axis) => value - p[0]![axis]!)) as [number[], number[]];
			const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
			const length = Math.hypot(...n);
			const vertices = [-t, t].flatMap((d) =>
				p.flatMap((point) => point.map((value, k) => value + (d * n[k]!) / length)),
			);
			const indices = [0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5];
			prisms.push(solidMass(createTriangleMesh({ vertices, indices })));
		}
		expectMass(shellMass(mesh, { thickness: 2 * t, method: 'wedge' }), combineMasses(prisms));
	});

	test('a shell refuses a negative wall and reports one of no thickness', () => {
		const report = new Report();
		expect(() => shellMass(ell(), { thickness: -1 })).toThrow(RangeError);
		expect(shellMass(ell(), { thickness: 0, report }).mass).toBe(0);
		expect(report.toArray().map((d) => d.code)).toEqual(['MESH023']);
	});
});

test('four cubes at the corners of a square combine to 13/6 and off-diagonal quarters', () => {
	const cube = primitiveMass({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
	const body = combineMasses([
		cube,
		placeMass(cube, [1, 0, 0]),
		placeMass(cube, [0, 1, 0]),
		placeMass(cube, [0, 0, 1]),
	]);
	expect([...body.com]).toEqual([0.25, 0.25, 0.25]);
	expect(body.mass).toBe(4);
	expect(body.inertia[0]).toBeCloseTo(13 / 6, 14);
	expect(body.inertia[1]).toBeCloseTo(0.25, 14);
	expect(inertiaAbout(body, body.com)).toEqual(body.inertia);
});

function matrixOf(t: readonly number[], q: readonly number[]): number[] {
	const images = [
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	].map((axis) => {
		// v' = v + 2 w (u × v) + 2 u × (u × v)
		const norm = Math.hypot(...q);
		const [x, y, z, w] = q.map((value) => value / norm) as [number, number, number, number];
		const cross = (a: number[], b: number[]): number[] => [
			a[1]! * b[2]! - a[2]! * b[1]!,
			a[2]! * b[0]! - a[0]! * b[2]!,
			a[0]! * b[1]! - a[1]! * b[0]!,
		];
		const first = cross([x, y, z], axis);
		const second = cross([x, y, z], first);
		return axis.map((value, k) => value + 2 * w * first[k]! + 2 * second[k]!);
	});
	return [...images.flatMap((row) => [...row, 0]), ...t, 1];
}
