import { describe, expect, it } from 'vitest';
import { convertText } from './robots.ts';

function stage(kind: string, axis: string, scale: string, sizes = ''): string {
	return `#usda 1.0
(
	defaultPrim = "r"
	metersPerUnit = 0.1
	upAxis = "Z"
)
def Xform "r" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] )
{
	float physics:mass = 1
	def ${kind} "round" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )
	{
		uniform token axis = "${axis}"
		${sizes}
		double3 xformOp:translate = (5, 0, 0)
		float3 xformOp:scale = ${scale}
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
	}
}`;
}

/** Box around the points of a mesh where a shape puts them. */
function boxOf(vertices: Float64Array, pose: Float64Array): number[] {
	const [px, py, pz, x, y, z, w] = pose as unknown as [number, number, number, number, number, number, number];
	const [low, high] = [[1, 1, 1].map(() => 1e9), [1, 1, 1].map(() => -1e9)] as [number[], number[]];
	for (let i = 0; i < vertices.length; i += 3) {
		const v = [vertices[i]!, vertices[i + 1]!, vertices[i + 2]!] as const;
		const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
		const moved = [
			v[0] + w * t[0] + y * t[2] - z * t[1] + px,
			v[1] + w * t[1] + z * t[0] - x * t[2] + py,
			v[2] + w * t[2] + x * t[1] - y * t[0] + pz,
		];
		for (let k = 0; k < 3; k++) {
			low[k] = Math.min(low[k]!, moved[k]!);
			high[k] = Math.max(high[k]!, moved[k]!);
		}
	}
	return [...low, ...high];
}

describe('round shapes that are stretched unequally', () => {
	for (const kind of ['Cylinder', 'Cone', 'Capsule']) {
		for (const axis of ['X', 'Y', 'Z']) {
			it(`${kind} along ${axis} becomes a mesh of its true size, which is told`, () => {
				const sizes = kind === 'Capsule' ? 'double radius = 0.5\ndouble height = 1' : '';
				for (const to of ['urdf', 'sdf', 'mjcf'] as const) {
					const { model, ledger } = convertText('r.usda', stage(kind, axis, '(1, 2, 3)', sizes), to);
					for (const { geometry, pose } of model.shapes) {
						if (geometry.kind !== 'mesh') throw new Error(`it is a ${geometry.kind}`);
						const box = boxOf(model.meshes[geometry.mesh]!.mesh.vertices, pose);
						// a capsule is twice as long as it is thick
						const half = [0.1, 0.2, 0.3].map((size, k) => (kind === 'Capsule' && 'XYZ'[k] !== axis ? size / 2 : size));
						const expected = [0.5 - half[0]!, -half[1]!, -half[2]!, 0.5 + half[0]!, half[1]!, half[2]!];
						for (const [k, value] of expected.entries()) expect(box[k]).toBeCloseTo(value, 6);
					}
					const [collider] = ledger.filter((item) => item.kind === 'collider');
					expect(collider!.outcome).toBe('approximated');
					expect(collider!.losses.map(({ code }) => code)).toContain('scale-baked');
				}
			});
		}
	}

	it('that stay what they are stay shapes', () => {
		const { model } = convertText('r.usda', stage('Cylinder', 'X', '(3, 2, 2)'), 'urdf');
		expect(model.shapes.map(({ geometry }) => geometry)).toEqual([
			expect.objectContaining({ kind: 'cylinder', length: expect.closeTo(0.6, 9), radius: expect.closeTo(0.2, 9) }),
			expect.objectContaining({ kind: 'cylinder' }),
		]);
		const uneven = convertText('r.usda', stage('Capsule', 'Z', '(1, 1, 1)'), 'sdf');
		expect(uneven.model.shapes[0]!.geometry.kind).toBe('capsule');
	});
});
