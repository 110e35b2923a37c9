import { GeoType } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { importText } from './usd-scene.ts';

describe('what is only seen and whose size is no number', () => {
	it.each([
		['Cube', 'size', GeoType.BOX, [1, 1, 1]],
		['Sphere', 'radius', GeoType.SPHERE, [1, 0, 0]],
		['Capsule', 'radius', GeoType.CAPSULE, [0.5, 0.5, 0]],
		['Capsule', 'height', GeoType.CAPSULE, [0.5, 0.5, 0]],
		['Cylinder', 'radius', GeoType.CYLINDER, [1, 1, 0]],
		['Cylinder', 'height', GeoType.CYLINDER, [1, 1, 0]],
		['Cone', 'radius', GeoType.CONE, [1, 1, 0]],
		['Cone', 'height', GeoType.CONE, [1, 1, 0]],
	] as const)('a %s has the %s of the schema', (kind, name, type, scale) => {
		for (const value of ['', `token ${name} = "wide"`]) {
			const { builder } = importText(`
def Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
	def ${kind} "seen" {
		${value}
	}
}`);
			expect(builder.column('shapeType')[0]).toBe(type);
			expect([...builder.column('shapeScale').subarray(0, 3)]).toEqual(scale);
		}
	});
});
