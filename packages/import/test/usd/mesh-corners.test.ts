import type { ShapeMesh } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

/** A corner of a face as text: point, normal, texture coordinate. */
const corner = (...numbers: readonly number[]): string => numbers.map((x) => `${x + 0}`).join(' ');

const POINTS = [
	[0, 0, 0],
	[1, 0, 0],
	[1, 1, 0],
	[0, 1, 0],
	[2, 0, 0],
] as const;
/** A triangle and a square that share an edge. */
const FACES = [
	[1, 4, 2],
	[0, 1, 2, 3],
] as const;
const NORMALS = [
	[0, 0, 1],
	[0, 1, 0],
	[1, 0, 0],
	[0, 0, -1],
	[0, -1, 0],
	[-1, 0, 0],
	[0, 0, 1],
] as const;
const UVS = [
	[0, 0],
	[0.25, 0],
	[0.5, 0],
	[0.75, 0],
	[0, 0.5],
	[0.25, 0.5],
	[0.5, 0.5],
] as const;

const tuples = (rows: readonly (readonly number[])[]): string => rows.map((row) => `(${row.join(', ')})`).join(', ');

/** A mesh with two subsets, each with a material. */
const mesh = (primvars: string): string => `
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" {
		int[] faceVertexCounts = [${FACES.map((face) => face.length).join(', ')}]
		int[] faceVertexIndices = [${FACES.flat().join(', ')}]
		point3f[] points = [${tuples(POINTS)}]
		${primvars}
		def GeomSubset "first" (prepend apiSchemas = ["MaterialBindingAPI"]) {
			uniform token elementType = "face"
			uniform token familyName = "materialBind"
			int[] indices = [0]
			rel material:binding = </red>
		}
		def GeomSubset "second" (prepend apiSchemas = ["MaterialBindingAPI"]) {
			uniform token elementType = "face"
			uniform token familyName = "materialBind"
			int[] indices = [1]
			rel material:binding = </blue>
		}
	}
}
def Material "red" {}
def Material "blue" {}`;

/** The corners of all triangles of all shapes, each once. */
function cornersOf(text: string): string[] {
	const { builder } = importText(text);
	const found = new Set<string>();
	for (let shape = 0; shape < builder.shapeCount; shape++) {
		const { vertices, indices, normals, uvs } = builder.edits.shapeSource(shape) as ShapeMesh;
		expect(normals?.length).toBe(vertices.length);
		expect(uvs?.length).toBe((vertices.length / 3) * 2);
		for (const v of indices) {
			found.add(
				corner(
					...vertices.subarray(3 * v, 3 * v + 3),
					...normals!.subarray(3 * v, 3 * v + 3),
					...uvs!.subarray(2 * v, 2 * v + 2),
				),
			);
		}
	}
	return [...found].sort();
}

describe('corners of a mesh with subsets keep their point, normal and texture coordinate:', () => {
	const flat = FACES.flat();
	const faceOf = FACES.flatMap((face, i) => face.map(() => i));
	it.each([
		['faceVarying', 'faceVarying'],
		['faceVarying', 'uniform'],
		['faceVarying', 'vertex'],
		['uniform', 'faceVarying'],
		['vertex', 'vertex'],
	] as const)('normals of interpolation %s, coordinates %s', (forNormals, forUvs) => {
		const places = { faceVarying: flat.map((_, i) => i), uniform: faceOf, vertex: flat };
		const count = { faceVarying: flat.length, uniform: FACES.length, vertex: POINTS.length };
		const text = mesh(`
		normal3f[] primvars:normals = [${tuples(NORMALS.slice(0, count[forNormals]))}] (interpolation = "${forNormals}")
		texCoord2f[] primvars:st = [${tuples(UVS.slice(0, count[forUvs]))}] (interpolation = "${forUvs}")`);
		const expected = flat.map((point, i) =>
			corner(...POINTS[point]!, ...NORMALS[places[forNormals][i]!]!, ...UVS[places[forUvs][i]!]!),
		);
		expect(cornersOf(text)).toEqual([...new Set(expected)].sort());
	});
});

describe('a face of five corners', () => {
	const RING = [
		[2, 0],
		[0.6, 1.9],
		[-1.6, 1.2],
		[-1.6, -1.2],
		[0.6, -1.9],
	] as const;

	it.each([['without a dent', -1], ...RING.map((_, i) => [`with a dent at corner ${i}`, i] as const)] as const)(
		'%s is covered once by its triangles',
		(_, dent) => {
			const ring = RING.map(([x, y], i) => (i === dent ? [-0.1 * x, -0.1 * y] : [x, y]));
			const next = (i: number): readonly number[] => ring[(i + 1) % 5]!;
			const area = ring.reduce((sum, [x, y], i) => sum + 0.5 * (x! * next(i)[1]! - y! * next(i)[0]!), 0);
			const { builder } = importText(`def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def Mesh "m" {
		int[] faceVertexCounts = [5]
		int[] faceVertexIndices = [0, 1, 2, 3, 4]
		point3f[] points = [${tuples(ring.map((point) => [...point, 0]))}]
	}
}`);
			const { vertices, indices } = builder.edits.shapeSource(0) as ShapeMesh;
			expect(indices).toHaveLength(9);
			let covered = 0;
			for (let t = 0; t < 9; t += 3) {
				const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * indices[t + k]!, 3 * indices[t + k]! + 2));
				const twice = (b![0]! - a![0]!) * (c![1]! - a![1]!) - (b![1]! - a![1]!) * (c![0]! - a![0]!);
				expect(twice).toBeGreaterThan(0);
				covered += twice / 2;
			}
			expect(covered).toBeCloseTo(area, 5);
			if (dent >= 0) return;
			// a convex face is a fan around its first corner
			const at = (i: number): number[] => [...vertices.subarray(3 * indices[i]!, 3 * indices[i]! + 2)];
			for (const [i, corner] of [0, 1, 2, 0, 2, 3, 0, 3, 4].entries())
				for (const k of [0, 1]) expect(at(i)[k]).toBeCloseTo(ring[corner]![k]!, 6);
		},
	);
});

describe('the arrays of a mesh', () => {
	const POINTS_OK = ['(0, 0, 0)', '(1, 0, 0)', '(0, 1, 0)'];
	const said = (points: readonly string[], counts: readonly number[], corners: readonly number[]): string[] => {
		const text = `def Mesh "m" {\npoint3f[] points = [${points.join(', ')}]\nint[] faceVertexCounts = [${counts.join(', ')}]\nint[] faceVertexIndices = [${corners.join(', ')}]\n}\n`;
		const { result } = importText(text);
		return result.report.toArray().map(({ code, prim, message }) => `${code} ${prim} ${message}`);
	};

	it.each([
		[[3], [0, 1, 2]],
		[
			[3, 0],
			[0, 1, 2],
		],
		[
			[1, 3, 2],
			[0, 0, 1, 2, 2, 1],
		],
	])('may have faces of %j corners', (counts, corners) => {
		expect(said(POINTS_OK, counts, corners)).toEqual([]);
	});

	it.each([
		[[-1, 4], [0, 1, 2], 'faceVertexCounts has -1, expected the number of corners of a face'],
		[[4, -1], [0, 1, 2], 'faceVertexCounts has -1, expected the number of corners of a face'],
		[[3], [0, 1], 'faces have 3 corners, faceVertexIndices has 2'],
		[[3], [0, 1, 2, 0], 'faces have 3 corners, faceVertexIndices has 4'],
		[[3], [-1, 1, 2], 'faceVertexIndices has -1 for 3 points'],
		[[3], [0, 1, 3], 'faceVertexIndices has 3 for 3 points'],
	])('%j and %j do not fit', (counts, corners, message) => {
		expect(said(POINTS_OK, counts, corners)).toEqual([`IMP032 /m ${message}`]);
	});

	it('are finite in every number', () => {
		for (let point = 0; point < 3; point++) {
			for (let k = 0; k < 3; k++) {
				for (const odd of ['nan', 'inf', '-inf']) {
					const numbers = ['0', '0', '0'].with(k, odd);
					const points = POINTS_OK.with(point, `(${numbers.join(', ')})`);
					expect(said(points, [3], [0, 1, 2])).toEqual([`IMP032 /m point ${point} is not finite`]);
				}
			}
		}
	});

	it('are named where they are missing', () => {
		const message = (text: string): string[] =>
			importText(`def Mesh "m" {\n${text}\n}\n`)
				.result.report.toArray()
				.map((finding) => finding.message);
		expect(message('')).toEqual(['the mesh has no points, no faceVertexCounts, no faceVertexIndices']);
		expect(message('point3f[] points = []')).toEqual(['the mesh has no faceVertexCounts, no faceVertexIndices']);
		expect(message('point3f[] points = []\nint[] faceVertexIndices = []')).toEqual([
			'the mesh has no faceVertexCounts',
		]);
		expect(message('int[] faceVertexCounts = []\nint[] faceVertexIndices = []')).toEqual(['the mesh has no points']);
	});
});
