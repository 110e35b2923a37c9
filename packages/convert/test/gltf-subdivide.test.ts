import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { type Glb, type Json, toGlb } from './gltf-scene.ts';

function stage(content: string): string {
	return `#usda 1.0\n(\n defaultPrim = "W"\n metersPerUnit = 1\n upAxis = "Y"\n)\ndef Xform "W"\n{\n${content}\n}\n`;
}

const CUBE = `int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
	int[] faceVertexIndices = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5]
	point3f[] points = [(-1, -1, -1), (1, -1, -1), (-1, 1, -1), (1, 1, -1), (-1, -1, 1), (1, -1, 1), (-1, 1, 1), (1, 1, 1)]`;

function mesh(content: string): string {
	return stage(`def Mesh "m"\n{\n${CUBE}\n${content}\n}`);
}

function convert(source: string, options: Parameters<typeof toGlb>[2]): Glb & { readonly primitives: Json[] } {
	const glb = toGlb({ 'a.usda': source }, 'a.usda', options);
	return { ...glb, primitives: glb.json.meshes[0].primitives };
}

async function expectValid({ bytes }: Glb): Promise<void> {
	const { issues } = await validateBytes(bytes);
	expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
}

function rows({ accessor }: Glb, index: number, width: number): number[][] {
	const flat = accessor(index);
	return Array.from({ length: flat.length / width }, (_, i) => flat.slice(width * i, width * i + width));
}

describe('subdivided meshes', () => {
	it('are the surface of their cage when asked for', async () => {
		const glb = convert(mesh(''), { subdivide: 1 });
		const [{ attributes, indices }] = glb.primitives as [Json];
		const points = rows(glb, attributes.POSITION, 3);
		expect(points).toHaveLength(26);
		for (const point of points) {
			const sizes = point.map(Math.abs).sort();
			const known = [
				[5 / 9, 5 / 9, 5 / 9],
				[0, 0.75, 0.75],
				[0, 0, 1],
			];
			expect(known.some((one) => one.every((x, k) => Math.abs(x - sizes[k]!) < 1e-7))).toBe(true);
		}
		expect(glb.accessor(indices)).toHaveLength(3 * 48);
		// the surface is that of a cube with the symmetry of one: normals point from its middle at the corners
		for (const [i, normal] of rows(glb, attributes.NORMAL, 3).entries()) {
			const dot = normal.reduce((sum, x, k) => sum + x * points[i]![k]!, 0);
			expect(dot / Math.hypot(...points[i]!)).toBeGreaterThan(0.99);
		}
		const losses = glb.robot.ledger.flatMap((item) => item.losses.filter(({ code }) => code === 'subdivision'));
		expect(losses.map(({ message }) => message)).toEqual([expect.stringContaining('after 1 of')]);
		await expectValid(glb);
	});

	it('have four times the faces each time, and their cage without', () => {
		const counts = [0, 1, 2, 3].map((subdivide) => {
			const { accessor, primitives } = convert(mesh(''), { subdivide });
			return accessor(primitives[0].indices).length / 3;
		});
		expect(counts).toEqual([12, 48, 192, 768]);
	});

	it('keep what is sharp for ever sharp, in their normals too', async () => {
		const creases = `int[] creaseIndices = [4, 5, 7, 6, 4]\nint[] creaseLengths = [5]\nfloat[] creaseSharpnesses = [10]`;
		const glb = convert(mesh(creases), { subdivide: 2 });
		const { attributes } = glb.primitives[0];
		const points = rows(glb, attributes.POSITION, 3);
		const normals = rows(glb, attributes.NORMAL, 3);
		const rim = points.flatMap(([x, y, z], i) =>
			z! > 1 - 1e-6 && Math.abs(x!) < 1e-6 && y! > 0.5 ? [normals[i]!] : [],
		);
		// the plane end has its own normal at the rim, beside that of the round side
		expect(rim).toHaveLength(2);
		expect(rim.some(([, , z]) => z! > 1 - 1e-6)).toBe(true);
		expect(rim.some(([, y, z]) => y! > 0.9 && z! < 0.5)).toBe(true);
		await expectValid(glb);
	});

	it('carry subsets, holes and primvars of every kind', async () => {
		const source = stage(`def Mesh "m"
	{
		${CUBE}
		int[] holeIndices = [5]
		float[] primvars:heat = [0, 0, 0, 0, 0, 0, 0, 90] ( interpolation = "vertex" )
		float[] primvars:straight = [0, 0, 0, 0, 0, 0, 0, 90] ( interpolation = "varying" )
		int[] primvars:face = [0, 1, 2, 3, 4, 5] ( interpolation = "uniform" )
		half3 primvars:all:of = (1, 2, 3)
		texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "faceVarying" )
		int[] primvars:st:indices = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]
		string primvars:note = "no number"
		def GeomSubset "top" ( prepend apiSchemas = ["MaterialBindingAPI"] )
		{
			uniform token elementType = "face"
			uniform token familyName = "materialBind"
			int[] indices = [1]
			rel material:binding = </W/M>
		}
	}
	def Material "M"
	{
		token outputs:surface.connect = </W/M/S.outputs:surface>
		def Shader "S"
		{
			uniform token info:id = "UsdPreviewSurface"
			token outputs:surface
		}
	}`);
		const glb = convert(source, { subdivide: 1, primvars: true });
		const [top, rest] = glb.primitives as [Json, Json];
		expect(glb.accessor(top.indices)).toHaveLength(3 * 8);
		expect(glb.accessor(rest.indices)).toHaveLength(3 * 8 * 4);
		expect(Object.keys(top.attributes).sort()).toEqual(
			['NORMAL', 'POSITION', '_ALL_OF', '_FACE', '_HEAT', '_ST', '_STRAIGHT'].sort(),
		);
		expect(new Set(glb.accessor(top.attributes._FACE))).toEqual(new Set([1]));
		expect(rows(glb, top.attributes._ALL_OF, 3)[0]).toEqual([1, 2, 3]);
		// three edges: 1/3 of the point, and 1/9 of each middle of its faces, which have a quarter of it
		expect(Math.max(...glb.accessor(top.attributes._HEAT))).toBeCloseTo(90 * (1 / 3 + 3 / 36), 4);
		expect(Math.max(...glb.accessor(top.attributes._STRAIGHT))).toBe(90);
		expect(rows(glb, top.attributes._ST, 2)).toContainEqual([0.5, 0.5]);
		const losses = glb.robot.ledger.flatMap((item) => item.losses.filter(({ code }) => code === 'primvar'));
		expect(losses.map(({ message }) => message)).toEqual([
			"'note' is not one to four numbers for each point, corner or face",
		]);
		await expectValid(glb);
	});

	it('stay cages where they cannot be subdivided, which is told', () => {
		const { robot, accessor, primitives } = convert(mesh('uniform token subdivisionScheme = "loop"'), { subdivide: 2 });
		expect(accessor(primitives[0].indices)).toHaveLength(36);
		const told = robot.ledger.flatMap(({ losses }) => losses.map(({ message }) => message));
		expect(told).toContainEqual(expect.stringContaining("'loop' is for triangles"));
	});

	it('are left alone where nothing is to be subdivided', () => {
		const plain = mesh('uniform token subdivisionScheme = "none"');
		expect(convert(plain, { subdivide: 3 }).bytes).toEqual(convert(plain, {}).bytes);
	});
});

describe('primvars that no material reads', () => {
	const source = mesh(`uniform token subdivisionScheme = "none"
		float[] primvars:heat = [1, 2, 3, 4, 5, 6, 7, nan] ( interpolation = "vertex" )
		float primvars:Heat = 4
		matrix4d primvars:place = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))`);

	it('are told, and attributes when asked for', async () => {
		const without = convert(source, {});
		expect(Object.keys(without.primitives[0].attributes)).toEqual(['POSITION']);
		const told = without.robot.ledger.flatMap(({ losses }) => losses.map(({ message }) => message));
		expect(told).toEqual(["no material reads 'Heat', 'heat', 'place'; --primvars writes such values"]);
		const glb = convert(source, { primvars: true });
		const { attributes } = glb.primitives[0];
		expect(glb.accessor(attributes._HEAT)).toEqual(Array(8).fill(4));
		// what is no number is 0, as glTF has none such
		expect(glb.accessor(attributes._HEAT_2)).toEqual([1, 2, 3, 4, 5, 6, 7, 0]);
		await expectValid(glb);
	});
});
