import { encodePng } from '@manyworlds/image';
import { validateBytes } from 'gltf-validator';
import { generateTangents } from 'three/addons/libs/mikktspace.module.js';
import { describe, expect, it } from 'vitest';
import { withTangents } from '../src/gltf/tangents.ts';
import { type Json, toGlb } from './gltf-scene.ts';

/** Numbers from 0 to 1 that are the same every time. */
function sequence(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

/** A bent sheet with coordinates that are mirrored on one half, so that tangents differ at its middle. */
function sheet(
	seed: number,
	side = 9,
): { positions: Float32Array; normals: Float32Array; uv: Float32Array; indices: Uint32Array } {
	const next = sequence(seed);
	const count = side * side;
	const [positions, normals, uv] = [
		new Float32Array(3 * count),
		new Float32Array(3 * count),
		new Float32Array(2 * count),
	];
	for (let v = 0; v < count; v++) {
		const [i, j] = [v % side, Math.floor(v / side)];
		positions.set([i + 0.3 * next(), j + 0.3 * next(), next()], 3 * v);
		const n = [next() - 0.5, next() - 0.5, 1];
		normals.set(
			n.map((value) => value / Math.hypot(...n)),
			3 * v,
		);
		uv.set([Math.abs(i - (side - 1) / 2) / side + 0.01 * next(), j / side + 0.01 * next()], 2 * v);
	}
	const corners: number[] = [];
	for (let j = 0; j + 1 < side; j++) {
		for (let i = 0; i + 1 < side; i++) {
			const a = j * side + i;
			corners.push(a, a + 1, a + side, a + 1, a + side + 1, a + side);
		}
	}
	return { positions, normals, uv, indices: Uint32Array.from(corners) };
}

function gather(data: Float32Array, width: number, indices: Uint16Array | Uint32Array): Float32Array {
	return Float32Array.from({ length: width * indices.length }, (_, at) => {
		return data[width * indices[Math.floor(at / width)]! + (at % width)]!;
	});
}

describe('tangents', () => {
	it('are those of MikkTSpace at every corner, mirrored halves and empty triangles included', () => {
		for (let seed = 1; seed <= 20; seed++) {
			const { positions, normals, uv, indices } = sheet(seed);
			// a triangle that has no place in the image
			if (seed % 4 === 0) uv.copyWithin(2 * 1, 2 * 0, 2 * 1);
			const mesh = withTangents({ positions, normals, uvs: [uv], indices }, { uvSet: 0 });
			const expected = generateTangents(
				gather(positions, 3, indices),
				gather(normals, 3, indices),
				gather(uv, 2, indices),
			);
			const found = gather(mesh.tangents!, 4, mesh.indices);
			expect(gather(mesh.positions, 3, mesh.indices)).toEqual(gather(positions, 3, indices));
			let worst = 0;
			for (let i = 0; i < found.length; i++) {
				// where nothing lies in the image MikkTSpace gives the first axis, which may be the normal
				const corner = i - (i % 4);
				if (i % 4 < 3 && expected[corner] === 1) continue;
				// the image of glTF has v down
				const other = i % 4 === 3 ? -expected[i]! : expected[i]!;
				worst = Math.max(worst, Math.abs(found[i]! - other));
			}
			expect(worst, `seed ${seed}`).toBeLessThan(1e-4);
			// the middle belongs to both halves
			expect(mesh.positions.length).toBeGreaterThan(positions.length);
		}
	});

	it('follow a texture that is turned', () => {
		const { positions, normals, uv, indices } = sheet(3);
		const matrix = [0, 1, 0, -1, 0, 0];
		const turned = Float32Array.from(uv, (value, i) => (i % 2 === 0 ? uv[i + 1]! : -uv[i - 1]!) + 0 * value);
		const one = withTangents({ positions, normals, uvs: [uv], indices }, { uvSet: 0, matrix });
		const other = withTangents({ positions, normals, uvs: [turned], indices }, { uvSet: 0 });
		expect(gather(one.tangents!, 4, one.indices)).toEqual(gather(other.tangents!, 4, other.indices));
		expect(one.tangents).not.toEqual(withTangents({ positions, normals, uvs: [uv], indices }, { uvSet: 0 }).tangents);
	});

	it('end for a point where very many triangles meet', () => {
		const count = 20_000;
		const positions = new Float32Array(3 * (count + 1));
		const uv = new Float32Array(2 * (count + 1));
		for (let i = 1; i <= count; i++) {
			positions.set([Math.cos(i), Math.sin(i), 0], 3 * i);
			uv.set([Math.cos(i), Math.sin(i)], 2 * i);
		}
		const normals = Float32Array.from(positions, (_, i) => (i % 3 === 2 ? 1 : 0));
		const indices = Uint32Array.from({ length: 3 * (count - 1) }, (_, i) =>
			i % 3 === 0 ? 0 : Math.floor(i / 3) + (i % 3),
		);
		const mesh = withTangents({ positions, normals, uvs: [uv], indices }, { uvSet: 0 });
		expect(mesh.tangents!.every(Number.isFinite)).toBe(true);
	});
});

const MAPPED = (normals: string): string => `#usda 1.0
(
	defaultPrim = "W"
	metersPerUnit = 1
	upAxis = "Z"
)
def Xform "W"
{
	def Material "M"
	{
		token outputs:surface.connect = </W/M/S.outputs:surface>
		def Shader "S"
		{
			uniform token info:id = "UsdPreviewSurface"
			normal3f inputs:normal.connect = </W/M/T.outputs:rgb>
			token outputs:surface
		}
		def Shader "T"
		{
			uniform token info:id = "UsdUVTexture"
			asset inputs:file = @./n.png@
			token inputs:sourceColorSpace = "raw"
			float4 inputs:scale = (2, 2, 2, 1)
			float4 inputs:bias = (-1, -1, -1, 0)
			float2 inputs:st.connect = </W/M/R.outputs:result>
			float3 outputs:rgb
		}
		def Shader "R"
		{
			uniform token info:id = "UsdPrimvarReader_float2"
			string inputs:varname = "st"
			float2 outputs:result
		}
	}
	def Mesh "Roof" ( prepend apiSchemas = ["MaterialBindingAPI"] )
	{
		rel material:binding = </W/M>
		int[] faceVertexCounts = [4, 4]
		int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
		point3f[] points = [(0, 0, 0), (1, 0, 1), (1, 2, 1), (0, 2, 0), (2, 0, 0), (2, 2, 0)]
		uniform token subdivisionScheme = "none"
		${normals}
		texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (0, 1)] ( interpolation = "vertex" )
	}
}`;

const SMOOTH = `normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] ( interpolation = "vertex" )`;

describe('a mesh with a normal map', () => {
	const image = encodePng({ width: 1, height: 1, channels: 4, samples: Uint8Array.of(128, 128, 255, 255) });

	for (const [what, normals] of [
		['smooth', SMOOTH],
		['flat', ''],
	] as const) {
		it(`that is ${what} has tangents, and the validator says nothing at all`, async () => {
			const { json, bytes, accessor } = toGlb({ 'a.usda': MAPPED(normals), 'n.png': image });
			const [{ attributes, indices }] = json.meshes[0].primitives;
			const [points, tangents] = [accessor(attributes.POSITION), accessor(attributes.TANGENT)];
			expect(accessor(attributes.NORMAL)).toHaveLength(points.length);
			for (const at of accessor(indices)) {
				// u grows along x on the left half and against it on the right, v along y on both
				const [x, y, , side] = tangents.slice(4 * at, 4 * at + 4);
				const isLeft = points[3 * at]! < 1 || (points[3 * at] === 1 && x! > 0);
				expect(Math.sign(x!)).toBe(isLeft ? 1 : -1);
				expect(y).toBeCloseTo(0, 6);
				expect(side).toBe(isLeft ? 1 : -1);
			}
			const { issues } = await validateBytes(bytes);
			expect(issues.messages.filter(({ severity }: Json) => severity < 2)).toEqual([]);
		});
	}
});
