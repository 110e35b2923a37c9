import { GeoType, type Heightfield, type ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { compile, hinged, mujocoBuilder } from './support.ts';

/** Numbers of `mjtGeom`. */
const GEOM = { plane: 0, hfield: 1, sphere: 2, capsule: 3, ellipsoid: 4, cylinder: 5, box: 6, mesh: 7 } as const;

function scene(add: (builder: ModelBuilder, body: number) => void): ReturnType<ModelBuilder['finalize']> {
	const builder = mujocoBuilder();
	const { body } = hinged(builder);
	add(builder, body);
	return builder.finalize();
}

/** Corners and faces of a cube of half size 0.5, with a notch in the top: not convex. */
const NOTCHED = {
	vertices: Float64Array.of(
		...[-0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, -0.5, -0.5, 0.5, -0.5],
		...[-0.5, -0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0, 0, 0],
	),
	indices: Uint32Array.of(
		...[0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5],
		...[2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 5, 8, 5, 6, 8, 6, 7, 8, 7, 4, 8],
	),
};

const FIELD: Heightfield = {
	rows: 2,
	columns: 3,
	data: Float64Array.of(0, 0.25, 0.5, 0.5, 0.75, 1),
	hx: 2,
	hy: 1,
	minZ: -0.5,
	maxZ: 1.5,
};

describe('geometry types', () => {
	test('spheres, capsules, cylinders, boxes and ellipsoids keep their type and size', () => {
		const model = scene((builder, body) => {
			builder.addShapeSphere(body, { radius: 0.1 });
			builder.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.2 });
			builder.addShapeCylinder(body, { radius: 0.1, halfHeight: 0.3 });
			builder.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.3] });
			builder.addShapeEllipsoid(body, { radii: [0.1, 0.2, 0.4] });
		});
		compile(model, ({ int, rows }) => {
			expect(int('geom_type')).toEqual([GEOM.sphere, GEOM.capsule, GEOM.cylinder, GEOM.box, GEOM.ellipsoid]);
			const sizes = rows('geom_size', 3);
			expect(sizes[0]![0]).toBe(0.1);
			expect(sizes[1]!.slice(0, 2)).toEqual([0.1, 0.2]);
			expect(sizes[2]!.slice(0, 2)).toEqual([0.1, 0.3]);
			expect(sizes[3]).toEqual([0.1, 0.2, 0.3]);
			expect(sizes[4]).toEqual([0.1, 0.2, 0.4]);
		});
	});

	test('a plane belongs to the world; one on a body is refused by name', () => {
		const model = scene((builder) => builder.addGroundPlane());
		compile(model, ({ int }) => {
			expect(int('geom_type')).toEqual([GEOM.plane]);
			expect(int('geom_bodyid')).toEqual([0]);
		});
		const bad = scene((builder, body) => builder.addShapePlane({ body, label: 'wing' }));
		expect(() => compile(bad, () => undefined)).toThrow(/plane 'wing' is on a body/);
	});

	test('a heightfield is stored from 0 to 1, with its height as size and its lowest point as place', () => {
		const model = scene((builder) => builder.addShapeHeightfield({ heightfield: FIELD, xform: [0, 0, 3, 0, 0, 0, 1] }));
		compile(model, ({ int, rows, sizes, text }) => {
			expect([sizes.nhfield, int('geom_type')[0]]).toEqual([1, GEOM.hfield]);
			expect(rows('hfield_size', 4)[0]).toEqual([2, 1, 2, 1e-4]);
			expect([int('hfield_nrow')[0], int('hfield_ncol')[0]]).toEqual([2, 3]);
			expect(text).toContain('pos="0 0 2.5"');
		});
	});

	test('a mesh keeps its vertices and limit of hull vertices, and MuJoCo makes the hull', () => {
		const model = scene((builder, body) => {
			builder.addShapeMesh(body, { mesh: { ...NOTCHED, maxHullVertices: 20 }, scale: [1, 2, 3] });
			builder.addGroundPlane();
		});
		compile(model, ({ int, sizes, text }) => {
			expect([sizes.nmesh, int('geom_type')]).toEqual([1, [GEOM.plane, GEOM.mesh]]);
			// the notch stays in the mesh; only collisions see the hull, which its graph describes
			expect(int('mesh_vertnum')).toEqual([9]);
			expect(int('mesh_graphadr')[0]).toBeGreaterThanOrEqual(0);
			expect(text).toContain('maxhullvert="20"');
		});
		const plain = scene((builder, body) => builder.addShapeMesh(body, { mesh: NOTCHED }));
		compile(plain, ({ text }) => expect(text).toContain('maxhullvert="64"'));
	});

	test('hulls of meshes that are not convex are told about', () => {
		const model = scene((builder, body) => builder.addShapeMesh(body, { mesh: NOTCHED, label: 'cup' }));
		compile(model, ({ codes, messages }) => {
			expect(codes).toContain('MJC018');
			expect(messages.join()).toMatch(/convex hull/);
		});
	});

	test('a cone is refused by name', () => {
		const model = scene((builder, body) => builder.addShapeCone(body, { label: 'hat' }));
		expect(() => compile(model, () => undefined)).toThrow(/shape 'hat' is a CONE/);
	});

	test('visual meshes are left out', () => {
		const model = scene((builder, body) => {
			builder.addShapeMesh(body, { mesh: NOTCHED, config: { hasShapeCollision: false, density: 0 } });
			builder.addShapeSphere(body, { radius: 0.1 });
		});
		compile(model, ({ sizes }) => expect([sizes.nmesh, sizes.ngeom]).toEqual([0, 1]));
		compile(model, ({ sizes }) => expect([sizes.nmesh, sizes.ngeom]).toEqual([1, 2]), { skipVisualOnlyGeoms: false });
	});
});

describe('sites', () => {
	const model = scene((builder, body) => {
		builder.addSite(body, { label: 'ball', type: GeoType.SPHERE, scale: [0.02, 0.02, 0.02] });
		builder.addSite(body, { label: 'pill', type: GeoType.CAPSULE, scale: [0.01, 0.03, 0] });
		builder.addSite(body, { label: 'rod', type: GeoType.CYLINDER, scale: [0.01, 0.03, 0] });
		builder.addSite(body, { label: 'brick', type: GeoType.BOX, scale: [0.01, 0.02, 0.03] });
		builder.addSite(body, { label: 'egg', type: GeoType.ELLIPSOID, scale: [0.01, 0.02, 0.03] });
		builder.addShapeSphere(body, { radius: 0.1 });
	});

	test('sites become sites that do not collide; a type that MuJoCo sites lack is a sphere, and told', () => {
		compile(model, ({ int, sizes, codes, messages }) => {
			expect([sizes.nsite, sizes.ngeom]).toEqual([5, 1]);
			expect(int('site_type')).toEqual([GEOM.sphere, GEOM.capsule, GEOM.cylinder, GEOM.box, GEOM.sphere]);
			expect(codes).toContain('MJC018');
			expect(messages.join()).toMatch(/site 'egg' is of type ELLIPSOID/);
		});
	});

	test('sites can be left out', () => {
		compile(model, ({ sizes }) => expect(sizes.nsite).toBe(0), { includeSites: false });
	});
});
