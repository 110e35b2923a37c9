import { Report } from '@manyworlds/core';
import { importAsset } from '@manyworlds/import';
import type { TriangleMesh } from '@manyworlds/mesh';
import { scaleMesh } from '@manyworlds/mesh/internal';
import { type Heightfield, type Model, ModelBuilder } from '@manyworlds/model';
import { MemoryStore } from '@manyworlds/usd';
import { describe, expect, it, test } from 'vitest';
import { translateSdf } from '../src/index.ts';

/** A tetrahedron with the volume 1 and the normals of its corners pointing away from its middle. */
const OBJ = `v 0 0 0
v 1 0 0
v 0 2 0
v 0 0 3
vn -0.6 -0.6 -0.6
vn 0.9 -0.3 -0.3
vn -0.3 0.9 -0.3
vn -0.3 -0.3 0.9
f 1//1 3//3 2//2
f 1//1 2//2 4//4
f 1//1 4//4 3//3
f 2//2 3//3 4//4
`;

const robots: Readonly<Record<string, (scale: string) => readonly [file: string, text: string]>> = {
	URDF: (scale) => [
		'r.urdf',
		`<robot name="r"><link name="a">${['visual', 'collision']
			.map((kind) => `<${kind}><geometry><mesh filename="t.obj" scale="${scale}"/></geometry></${kind}>`)
			.join('')}</link></robot>`,
	],
	MJCF: (scale) => [
		'r.xml',
		`<mujoco><asset><mesh name="t" file="t.obj" scale="${scale}"/></asset><worldbody><body><freejoint/>
		<geom type="mesh" mesh="t"/></body></worldbody></mujoco>`,
	],
	SDF: (scale) => [
		'r.sdf',
		`<sdf version="1.9"><model name="r"><link name="a">${['visual', 'collision']
			.map(
				(kind) =>
					`<${kind} name="${kind}"><geometry><mesh><uri>t.obj</uri><scale>${scale}</scale></mesh></geometry></${kind}>`,
			)
			.join('')}</link></model></sdf>`,
	],
	USD: (scale) => [
		'r.usda',
		`#usda 1.0
(
    defaultPrim = "r"
    metersPerUnit = 1
    upAxis = "Z"
)
def Xform "r" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI"]
)
{
    def Mesh "t" (
        prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]
    )
    {
        uniform token physics:approximation = "none"
        int[] faceVertexCounts = [3, 3, 3, 3]
        int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
        double3 xformOp:scale = (${scale.split(' ').join(', ')})
        uniform token[] xformOpOrder = ["xformOp:scale"]
    }
}
`,
	],
};

function load(format: string, scale: string): Model {
	const [file, text] = robots[format]!(scale);
	const builder = new ModelBuilder();
	const report = new Report();
	importAsset(file, builder, { store: new MemoryStore({ [file]: text, 't.obj': OBJ }), report, translateSdf });
	expect(report.hasErrors).toBe(false);
	return builder.finalize();
}

/** Meshes as they stand, with the scale of their shapes. */
function surfaces(model: Model): TriangleMesh[] {
	return model.shapeSources.flatMap((source: TriangleMesh | Heightfield | null, i) => {
		if (source === null || !('indices' in source)) return [];
		const [x, y, z] = model.shapeScale.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
		return [scaleMesh(source, x, y, z)];
	});
}

/** Volume by the order of corners: negative where the inside is out. */
function signedVolume(vertices: ArrayLike<number>, indices: ArrayLike<number>): number {
	let sum = 0;
	for (let t = 0; t < indices.length; t += 3) {
		const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => vertices[3 * indices[t + k]! + axis]!)) as [
			number[],
			number[],
			number[],
		];
		for (let k = 0; k < 3; k++) {
			const [m, n] = [(k + 1) % 3, (k + 2) % 3];
			sum += a[k]! * (b[m]! * c[n]! - b[n]! * c[m]!);
		}
	}
	return sum / 6;
}

describe('a mesh that is mirrored by its scale', () => {
	describe.each(Object.keys(robots))('in %s', (format) => {
		test.each(['1 -1 1', '-1 -1 -1', '-2 1 0.5'])('stays outside out by %s', (scale) => {
			const model = load(format, scale);
			const [plain] = surfaces(load(format, '1 1 1'));
			const found = surfaces(model);
			expect(found.length).toBeGreaterThan(0);
			for (const mesh of found) {
				expect(signedVolume(mesh.vertices, mesh.indices)).toBeCloseTo(1, 6);
				expect(mesh.indices.length).toBe(plain!.indices.length);
			}
			// links of SDF that state nothing have a mass of 1 kg at their origin
			if (format === 'SDF') return;
			expect(model.bodyMass[0]).toBeCloseTo(1000, 6);
			const [x, y, z] = scale.split(' ').map(Number) as [number, number, number];
			const com = Array.from(model.bodyCom.subarray(0, 3));
			for (const [i, value] of [x / 4, y / 2, (3 * z) / 4].entries()) expect(com[i]).toBeCloseTo(value, 6);
		});
	});

	it('has normals that point out', () => {
		let checked = 0;
		for (const format of ['URDF', 'MJCF', 'SDF']) {
			for (const { vertices, normals } of surfaces(load(format, '-2 1 0.5'))) {
				// colliders of SDF are written without normals
				if (normals === undefined) continue;
				checked++;
				for (let i = 0; i < vertices.length; i += 3) {
					const away = [vertices[i]! + 0.5, vertices[i + 1]! - 0.5, vertices[i + 2]! - 0.375];
					expect(away.reduce((sum, value, k) => sum + value * normals![i + k]!, 0)).toBeGreaterThan(0);
					expect(Math.hypot(...normals!.subarray(i, i + 3))).toBeCloseTo(1, 12);
				}
			}
		}
		expect(checked).toBe(4);
	});
});
