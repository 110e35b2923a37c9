import { createBox } from '@manyworlds/mesh';
import { GeoType as Geo, type GeoType, type ModelBuilder } from '@manyworlds/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContactManifold } from '../src/collision/contact-manifold.ts';
import { ConvexShape } from '../src/collision/convex-shape.ts';
import { ShapeDistance } from '../src/collision/shape-distance.ts';
import { CollisionPipeline, type WorldContacts } from '../src/index.ts';
import { addBall, addBox, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

const MATERIAL = { ke: 1e5, tau: 0.01, mu: 0.5 };
const TURN_X = (angle: number): number[] => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
const TURN_Z = (angle: number): number[] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];

function collide(builder: ModelBuilder, gap = 0.01): { contacts: WorldContacts; phi: number[] } {
	const model = builder.finalize({ keepInertia: true });
	model.shapeGap.fill(gap);
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts();
	const state = model.createState();
	pipeline.collide(state, contacts);
	return { contacts, phi: distances(contacts, model.shapeBody, state.bodyQ) };
}

/** Distances of the surfaces along the normals, margins taken off. */
function distances(contacts: WorldContacts, shapeBody: Int32Array, bodyQ: Float64Array): number[] {
	return Array.from({ length: contacts.rigidCount }, (_, row) => {
		const a = toWorld(contacts.rigidPoint0, row, shapeBody[contacts.rigidShape0[row]!]!, bodyQ);
		const b = toWorld(contacts.rigidPoint1, row, shapeBody[contacts.rigidShape1[row]!]!, bodyQ);
		const along = a.reduce((sum, x, k) => sum + contacts.rigidNormal[3 * row + k]! * (b[k]! - x), 0);
		return along - contacts.rigidMargin0[row]! - contacts.rigidMargin1[row]!;
	});
}

function toWorld(points: Float64Array, row: number, body: number, bodyQ: Float64Array): number[] {
	const [x, y, z] = [points[3 * row]!, points[3 * row + 1]!, points[3 * row + 2]!];
	if (body < 0) return [x, y, z];
	const [px, py, pz, qx, qy, qz, qw] = bodyQ.subarray(7 * body, 7 * body + 7) as unknown as number[];
	const c = [qy! * z - qz! * y, qz! * x - qx! * z, qx! * y - qy! * x] as const;
	return [
		px! + x + 2 * (qw! * c[0] + qy! * c[2] - qz! * c[1]),
		py! + y + 2 * (qw! * c[1] + qz! * c[0] - qx! * c[2]),
		pz! + z + 2 * (qw! * c[2] + qx! * c[1] - qy! * c[0]),
	];
}

describe('contacts of a pair', () => {
	const plane = (builder: ModelBuilder): number => builder.addShapePlane(ofMaterial(MATERIAL));
	type Add = (builder: ModelBuilder) => void;
	const cases: readonly [string, Add, number, number][] = [
		['a box on its face on a plane', (b) => addBox(b, [0.1, 0.2, 0.3], 1, [0, 0, 0.299], MATERIAL), 4, -0.001],
		[
			'a box on its edge',
			(b) => addBox(b, [0.1, 0.1, 0.1], 1, [0, 0, 0.1 * Math.SQRT2], MATERIAL, TURN_X(Math.PI / 4)),
			2,
			0,
		],
		['a ball', (b) => addBall(b, 0.2, 1, [0, 0, 0.195], MATERIAL), 1, -0.005],
		[
			'a capsule that lies',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.1], q: TURN_X(Math.PI / 2) }, mass: 1 });
				b.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.3 });
			},
			2,
			0,
		],
		[
			'a capsule that stands',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.4] }, mass: 1 });
				b.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.3 });
			},
			1,
			0,
		],
		[
			'a cylinder that stands',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.3] }, mass: 1 });
				b.addShapeCylinder(body, { radius: 0.1, halfHeight: 0.3 });
			},
			4,
			0,
		],
		[
			'a cylinder that lies',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.1], q: TURN_X(Math.PI / 2) }, mass: 1 });
				b.addShapeCylinder(body, { radius: 0.1, halfHeight: 0.3 });
			},
			2,
			0,
		],
		[
			'a cone on its base',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.3] }, mass: 1 });
				b.addShapeCone(body, { radius: 0.1, halfHeight: 0.3 });
			},
			4,
			0,
		],
		[
			'an ellipsoid',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.3] }, mass: 1 });
				b.addShapeEllipsoid(body, { radii: [0.1, 0.2, 0.3] });
			},
			1,
			0,
		],
		[
			'a convex mesh on its face',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.1] }, mass: 1 });
				b.addShapeConvex(body, { mesh: createBox(0.1, 0.1, 0.1) });
			},
			4,
			0,
		],
		[
			'a mesh on its face',
			(b) => {
				const body = b.addBody({ xform: { p: [0, 0, 0.1] }, mass: 1 });
				b.addShapeMesh(body, { mesh: createBox(0.1, 0.1, 0.1) });
			},
			4,
			0,
		],
	];
	it.each(cases)('%s over a plane', (_, add, count, phi) => {
		const builder = makeBuilder();
		add(builder);
		plane(builder);
		const found = collide(builder);
		expect(found.contacts.rigidCount).toBe(count);
		for (const value of found.phi) expect(value).toBeCloseTo(phi, 9);
		for (let row = 0; row < count; row++) expect(Math.abs(found.contacts.rigidNormal[3 * row + 2]!)).toBeCloseTo(1, 12);
	});

	it.each([0, 0.3, Math.PI / 4])('a box on a box, turned by %f', (angle) => {
		const builder = makeBuilder();
		addBox(builder, [0.2, 0.2, 0.1], 1, [0, 0, 0], MATERIAL);
		addBox(builder, [0.1, 0.1, 0.1], 1, [0.05, 0, 0.199], MATERIAL, TURN_Z(angle));
		const { contacts, phi } = collide(builder);
		expect(contacts.rigidCount).toBe(4);
		for (const value of phi) expect(value).toBeCloseTo(-0.001, 9);
		// the four span the face of the upper box
		const xs = [0, 1, 2, 3].map((row) => contacts.rigidPoint1[3 * row]!);
		expect(Math.max(...xs) - Math.min(...xs)).toBeCloseTo(0.2, 9);
	});

	it('a box that leans by a hair has the depth of each corner', () => {
		// quaternions of 32 bits, whose length is not quite 1
		for (const scale of [1, 1 + 3e-8, 1 - 3e-8]) {
			const builder = makeBuilder();
			const lean = TURN_X(1e-4).map((x) => x * scale);
			addBox(builder, [0.1, 0.1, 0.1], 1, [0, 0, 0.2], MATERIAL, lean);
			builder.addShapeBox(-1, { halfExtents: [1, 1, 0.1] });
			const { contacts, phi } = collide(builder);
			expect(contacts.rigidCount).toBe(4);
			const sorted = [...phi].sort((a, b) => a - b);
			for (const [i, sign] of [-1, -1, 1, 1].entries()) expect(sorted[i]).toBeCloseTo(sign * 0.1 * 1e-4, 8);
		}
	});

	it('two capsules side by side and crossed', () => {
		for (const [angle, count] of [
			[0, 2],
			[1, 1],
		] as const) {
			const builder = makeBuilder();
			for (const [z, turn] of [
				[0, 0],
				[0.199, angle],
			] as const) {
				const lie = Math.SQRT1_2;
				const q = [
					lie * Math.cos(turn / 2),
					lie * Math.sin(turn / 2),
					lie * Math.sin(turn / 2),
					lie * Math.cos(turn / 2),
				];
				const body = builder.addBody({ xform: { p: [0, 0, z], q }, mass: 1 });
				builder.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.3 });
			}
			const { contacts, phi } = collide(builder);
			expect(contacts.rigidCount).toBe(count);
			for (const value of phi) expect(value).toBeCloseTo(-0.001, 9);
		}
	});

	it('has points on the surface of a ball, not at its centre', () => {
		const builder = makeBuilder();
		addBall(builder, 0.2, 1, [0, 0, 0.195], MATERIAL);
		plane(builder);
		const { contacts } = collide(builder);
		const isBallSecond = contacts.rigidShape1[0] === 0;
		const point = isBallSecond ? contacts.rigidPoint1 : contacts.rigidPoint0;
		expect(Math.hypot(point[0]!, point[1]!, point[2]!)).toBeCloseTo(0.2, 12);
	});

	it('is found while distance − margins ≤ gaps', () => {
		for (const [height, count] of [
			[0.0349, 1],
			[0.0351, 0],
		] as const) {
			const builder = makeBuilder();
			const body = builder.addBody({ xform: { p: [0, 0, 0.2 + height] }, mass: 1 });
			builder.addShapeSphere(body, { radius: 0.2, config: { margin: 0.01, gap: 0.005 } });
			builder.addShapePlane({ config: { margin: 0.005, gap: 0.015 } });
			const model = builder.finalize();
			const pipeline = new CollisionPipeline(model);
			const contacts = pipeline.createContacts();
			const state = model.createState();
			pipeline.collide(state, contacts);
			expect(contacts.rigidCount).toBe(count);
			if (count === 0) continue;
			expect(contacts.rigidMargin0[0]! + contacts.rigidMargin1[0]!).toBeCloseTo(0.015, 15);
			expect(distances(contacts, model.shapeBody, state.bodyQ)[0]).toBeCloseTo(height - 0.015, 12);
		}
	});
});

describe('triangles', () => {
	it('carry boxes and balls on a mesh without catching at seams', () => {
		const builder = makeBuilder();
		// a floor of triangles, top at z = 0
		builder.addShapeMesh(-1, { mesh: createBox(2, 2, 0.5), xform: { p: [0, 0, -0.5] }, ...ofMaterial(MATERIAL) });
		addBox(builder, [0.1, 0.1, 0.1], 1, [0.05, 0.05, 0.1], MATERIAL);
		addBall(builder, 0.1, 1, [0.7, 0.7, 0.1], MATERIAL);
		const runner = new Runner(builder);
		runner.model.shapeGap.fill(0.005);
		runner.state.jointQd[6] = 1;
		runner.state.jointQd[7] = -1;
		runner.place();
		runner.step(0.005, 200);
		// the box rests, the ball has rolled across the diagonal of the floor and stays on it
		expect(runner.state.bodyQ[2]).toBeCloseTo(0.1, 3);
		expect(runner.state.bodyQ[9]).toBeCloseTo(0.1, 3);
		expect(runner.state.bodyQd[6]).toBeCloseTo(5 / 7, 2);
		expect(runner.solver.outcome.converged[0]).toBe(1);
	});

	it('carry bodies on a heightfield', () => {
		const builder = makeBuilder();
		const data = Float64Array.from({ length: 25 }, (_, i) => (i % 5) / 4);
		builder.addShapeHeightfield({ heightfield: { rows: 5, columns: 5, data, hx: 1, hy: 1, minZ: 0, maxZ: 0.4 } });
		addBall(builder, 0.1, 1, [0, 0, 0.2 + 0.1 * Math.hypot(1, 0.2)], { ...MATERIAL, mu: 1 });
		const model = builder.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model);
		model.shapeGap.fill(0.01);
		const contacts = pipeline.createContacts();
		pipeline.collide(model.createState(), contacts);
		expect(contacts.rigidCount).toBeGreaterThan(0);
		// slope 0.2 in x: the normal leans back
		expect(contacts.rigidNormal[0]! / contacts.rigidNormal[2]!).toBeCloseTo(-0.2, 9);
	});

	it('of two meshes meet', () => {
		const builder = makeBuilder();
		builder.addShapeMesh(-1, { mesh: createBox(1, 1, 0.5), xform: { p: [0, 0, -0.5] } });
		const body = builder.addBody({ xform: { p: [0, 0, 0.0995] }, mass: 1 });
		builder.addShapeMesh(body, { mesh: createBox(0.1, 0.1, 0.1) });
		const { contacts, phi } = collide(builder);
		expect(contacts.rigidCount).toBeGreaterThanOrEqual(4);
		expect(Math.min(...phi)).toBeCloseTo(-0.0005, 6);
	});
});

describe('the broad phase', () => {
	const TYPES: readonly GeoType[] = [Geo.SPHERE, Geo.BOX, Geo.CAPSULE];

	/** Worlds of random shapes, some filtered, over a global plane and a global box. */
	function scene(seed: number, worlds: number): ModelBuilder {
		let s = seed;
		const random = (): number => {
			s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
			return s / 2 ** 32;
		};
		const one = makeBuilder();
		for (let i = 0; i < 12; i++) {
			const p = [random() * 1.5, random() * 1.5, random() * 1.5];
			const body = one.addBody({ xform: { p, q: TURN_Z(random() * 3) }, mass: 1 });
			const config = { collisionGroup: [1, 1, 2, -1, 0][Math.floor(random() * 5)]! };
			const type = TYPES[Math.floor(random() * 3)]!;
			if (type === Geo.SPHERE) one.addShapeSphere(body, { radius: 0.2, config });
			else if (type === Geo.BOX) one.addShapeBox(body, { halfExtents: [0.2, 0.1, 0.3], config });
			else one.addShapeCapsule(body, { radius: 0.1, halfHeight: 0.2, config });
		}
		one.addCollisionFilterPair(0, 1);
		one.addCollisionFilterPair(2, 7);
		const all = makeBuilder();
		all.replicate(one, { count: worlds, spacing: [0, 0, 0] });
		all.addShapePlane({ config: { collisionGroup: -1 } });
		all.addShapeBox(-1, {
			halfExtents: [0.3, 0.3, 0.3],
			xform: { p: [0.7, 0.7, 0.7] },
			config: { collisionGroup: -2 },
		});
		return all;
	}

	it('finds the same pairs and contacts in all ways', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 3 }), (seed, worlds) => {
				const model = scene(seed, worlds).finalize();
				const state = model.createState();
				const results = (['explicit', 'nxn', 'sap'] as const).map((broadPhase) => {
					const pipeline = new CollisionPipeline(model, { broadPhase });
					const contacts = pipeline.createContacts();
					pipeline.collide(state, contacts);
					const pairs = Array.from({ length: worlds }, (_, w) => [...pipeline.overlappingPairs(w)]);
					return { pairs, points: [...contacts.rigidPoint0.subarray(0, 3 * contacts.rigidCount)] };
				});
				expect(results[1]).toEqual(results[0]);
				expect(results[2]).toEqual(results[0]);
				for (const pairs of results[0]!.pairs) {
					for (let i = 0; i < pairs.length; i += 2) {
						const [a, b] = [model.shapeWorld[pairs[i]!]!, model.shapeWorld[pairs[i + 1]!]!];
						expect(a < 0 || b < 0 || a === b).toBe(true);
					}
				}
			}),
			{ seed: 5, numRuns: 25 },
		);
	});
});

describe('overflow', () => {
	it('is counted for each world, drops whole contacts and touches no other world', () => {
		const one = makeBuilder();
		for (let i = 0; i < 5; i++) addBox(one, [0.1, 0.1, 0.1], 1, [i, 0, 0.0999], MATERIAL);
		const all = makeBuilder();
		all.replicate(one, { count: 3, spacing: [0, 0, 0] });
		all.addShapePlane(ofMaterial(MATERIAL));
		const model = all.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model);
		const state = model.createState();
		// world 1 floats but for one box
		for (let body = 5; body < 9; body++) state.bodyQ[7 * body + 2] = 5;
		const contacts = pipeline.createContacts({ perWorld: 6 });
		pipeline.collide(state, contacts);
		expect([...contacts.worldFound]).toEqual([20, 4, 20]);
		expect([0, 1, 2].map((w) => contacts.droppedOf(w))).toEqual([14, 0, 14]);
		expect([...contacts.worldStart]).toEqual([0, 6, 10, 16]);
		expect(contacts.rigidCount).toBe(16);
		expect(contacts.rigidFound).toBe(44);
		expect(contacts.hasOverflow).toBe(true);
		for (let row = 0; row < 16; row++) {
			const shape =
				Math.max(contacts.rigidShape0[row]!, contacts.rigidShape1[row]!) === 15
					? Math.min(contacts.rigidShape0[row]!, contacts.rigidShape1[row]!)
					: -1;
			expect(Math.floor(shape / 5)).toBe(row < 6 ? 0 : row < 10 ? 1 : 2);
		}
		// nothing is left of an earlier frame
		for (let body = 0; body < 15; body++) state.bodyQ[7 * body + 2] = 5;
		pipeline.collide(state, contacts);
		expect(contacts.rigidCount).toBe(0);
		expect([...contacts.worldFound]).toEqual([0, 0, 0]);
	});
});

describe('two boxes', () => {
	it('have contacts no farther and no deeper than the exact signed distance', () => {
		const random = fc.double({ min: -1, max: 1, noNaN: true });
		const box = fc.tuple(
			fc.array(random, { minLength: 3, maxLength: 3 }),
			fc.array(random, { minLength: 4, maxLength: 4 }),
		);
		fc.assert(
			fc.property(box, box, (first, second) => {
				const shapes = [first, second].map(([size, turn], i) => {
					const q = [turn[0]!, turn[1]!, turn[2]!, turn[3]! + 1.5];
					const length = Math.hypot(...q);
					const shape = new ConvexShape();
					shape.setGeometry(Geo.BOX, 0.2 + 0.1 * size[0]!, 0.2 + 0.1 * size[1]!, 0.2 + 0.1 * size[2]!, undefined);
					shape.setPose(Float64Array.of(0.35 * i, 0.1 * i, 0.1 * i, ...q.map((x) => x / length)), 0);
					return shape;
				}) as [ConvexShape, ConvexShape];
				const exact = new ShapeDistance();
				exact.compute(...shapes);
				const manifold = new ContactManifold();
				manifold.limit = 0.05;
				const count = manifold.find(...shapes);
				expect(count > 0).toBe(exact.distance <= 0.05);
				if (count === 0) return;
				const least = Math.min(...manifold.distance.subarray(0, count));
				// the deepest corner may lie beside the face that it is measured from
				expect(least).toBeGreaterThanOrEqual(exact.distance - 1e-3 * Math.abs(exact.distance) - 1e-8);
				if (exact.distance > 0) expect(least).toBeLessThanOrEqual(exact.distance + 1e-8);
				else expect(least).toBeLessThanOrEqual(0.05);
			}),
			{ seed: 8, numRuns: 400 },
		);
	});
});
