import type { TriangleMesh } from '@manyworlds/mesh';
import type { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { ConvexShape } from '../src/collision/convex-shape.ts';
import { SurfaceFeature } from '../src/collision/surface-feature.ts';
import { CollisionPipeline, WorldContacts } from '../src/index.ts';
import { addBall, makeBuilder } from './make-scene.ts';
import { randomOf, solid, X, Y } from './solids.ts';

const VARIANTS = ['explicit', 'nxn', 'sap'] as const;
const MATERIAL = { ke: 1e4, tau: 0, mu: 0.5 };

function collide(builder: ModelBuilder, broadPhase: (typeof VARIANTS)[number] = 'nxn'): WorldContacts {
	const model = builder.finalize({ keepInertia: true });
	const pipeline = new CollisionPipeline(model, { broadPhase });
	const contacts = pipeline.createContacts();
	pipeline.collide(model.createState(), contacts);
	return contacts;
}

describe('the row of a contact', () => {
	it.each(VARIANTS)('is written alone: what lies behind the last one stays (%s)', (broadPhase) => {
		const builder = makeBuilder();
		builder.addShapePlane({ width: 0, length: 0 });
		for (let i = 0; i < 3; i++) {
			const body = builder.addBody({ mass: 1, xform: { p: [i, 0, 0.09] } });
			builder.addShapeSphere(body, { radius: 0.1, config: { margin: 0.005 } });
		}
		const model = builder.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model, { broadPhase });
		const contacts = pipeline.createContacts();
		const arrays = [
			...[contacts.rigidPoint0, contacts.rigidPoint1, contacts.rigidNormal],
			...[contacts.rigidOffset0, contacts.rigidOffset1],
		];
		for (const array of arrays) array.fill(7);
		pipeline.collide(model.createState(), contacts);
		expect(contacts.rigidCount).toBe(3);
		for (const array of arrays) {
			expect([...array.subarray(0, 9)].every((x) => Number.isFinite(x) && x !== 7)).toBe(true);
			expect([...array.subarray(9)].every((x) => x === 7)).toBe(true);
		}
	});
});

describe('contacts of worlds', () => {
	const one = makeBuilder();
	addBall(one, 0.1, 1, [0, 0, 0], MATERIAL);
	const all = makeBuilder();
	all.replicate(one, { count: 3 });
	const model = all.finalize({ keepInertia: true });

	it('have the room that is asked for, a share of that of the model, or a usual one', () => {
		expect(new WorldContacts(model, { perWorld: 5 }).rigidCapacity).toBe(15);
		expect(new WorldContacts(model, { perWorld: 0 }).rigidCapacity).toBe(0);
		for (const perWorld of [-1, 1.5]) expect(() => new WorldContacts(model, { perWorld })).toThrow(RangeError);
		const setMost = (most: number): void => void Object.assign(model, { rigidContactMax: most });
		const usual = new WorldContacts(model).perWorld;
		expect(usual).toBeGreaterThan(1);
		setMost(1);
		expect(new WorldContacts(model).perWorld).toBe(1);
		setMost(7);
		expect(new WorldContacts(model).perWorld).toBe(3);
		setMost(0);
	});

	it('stand one after the other, also where worlds between are left out', () => {
		const contacts = new WorldContacts(model, { perWorld: 2 });
		expect([contacts.rigidCount, contacts.hasOverflow]).toEqual([0, false]);
		for (let round = 0; round < 2; round++) {
			contacts.clear();
			contacts.beginWorld(0);
			expect([contacts.nextInWorld(0, true), contacts.nextInWorld(0, false), contacts.nextInWorld(0, true)]).toEqual([
				0, 1, -1,
			]);
			contacts.beginWorld(2);
			expect(contacts.nextInWorld(2, false)).toBe(2);
			expect([...contacts.worldStart]).toEqual([0, 2, 2, 3]);
			expect([...contacts.isAhead.subarray(0, 3)]).toEqual([1, 0, 0]);
			expect([contacts.rigidCount, contacts.rigidFound, contacts.hasOverflow]).toEqual([3, 4, true]);
			expect([0, 1, 2].map((world) => contacts.droppedOf(world))).toEqual([1, 0, 0]);
			expect([...contacts.worldSpeculative]).toEqual([2, 0, 0]);
		}
	});
});

describe('pairs of shapes of no world', () => {
	it.each(VARIANTS)('are those of the first world, and no other has them (%s)', (broadPhase) => {
		const one = makeBuilder();
		addBall(one, 0.1, 1, [5, 0, 0.05], MATERIAL);
		const builder = makeBuilder();
		addBall(builder, 0.1, 1, [0, 0, 0.05], MATERIAL);
		builder.addShapePlane({ width: 0, length: 0 });
		builder.replicate(one, { count: 3 });
		const model = builder.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model, { broadPhase });
		const contacts = pipeline.createContacts();
		const state = model.createState();
		pipeline.collide(state, contacts);
		expect([...contacts.worldStart]).toEqual([0, 2, 3, 4]);
		const pairs = [0, 1, 2].map((world) => [...pipeline.overlappingPairs(world)]);
		expect(pairs).toEqual([
			[0, 1, 1, 2],
			[1, 3],
			[1, 4],
		]);
	});
});

describe('a plane that has an end', () => {
	it.each(VARIANTS)('carries what stands over it, and nothing where it is no more (%s)', (broadPhase) => {
		const random = randomOf(61);
		let [whole, partly] = [0, 0];
		for (let i = 0; i < 150; i++) {
			// the plane stands turned and beside the origin; the box is turned anyhow, near one of its ends
			const turn = 0.7 * random();
			const [c, s] = [Math.cos(turn), Math.sin(turn)];
			const at = (x: number, y: number, z: number): number[] => [0.3 + c * x - s * y, -0.2 + s * x + c * y, 0.1 + z];
			const q = [random(), random(), random(), random()];
			const own = q.map((x) => x / Math.hypot(...q)) as [number, number, number, number];
			const half = [0.2, 0.1, 0.15];
			const [x, y, z, w] = own;
			const columns = [
				[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
				[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
				[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
			];
			const corners = Array.from({ length: 8 }, (_, k) =>
				[0, 1, 2].map((axis) =>
					columns.reduce((sum, column, j) => sum + ((k >> j) & 1 ? 1 : -1) * half[j]! * column[axis]!, 0),
				),
			);
			const low = Math.min(...corners.map((corner) => corner[2]!));
			const middle =
				i % 2 === 0 ? [1 - 0.3 * Math.abs(random()), random(), -low - 0.01] : [random(), 1.3 + 0.3 * random()];
			const place = [middle[0]!, middle[1]!, -low - 0.01];
			const builder = makeBuilder();
			builder.addShapePlane({
				width: 2,
				length: 3,
				xform: { p: at(0, 0, 0), q: [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)] },
			});
			// the turn of the plane, then that of the box
			const [sz, cz] = [Math.sin(turn / 2), Math.cos(turn / 2)];
			const both = [cz * x - sz * y, cz * y + sz * x, cz * z + sz * w, cz * w - sz * z];
			const body = builder.addBody({ mass: 1, xform: { p: at(place[0]!, place[1]!, place[2]!), q: both } });
			builder.addShapeBox(body, { halfExtents: half });
			const contacts = collide(builder, broadPhase);
			const over = corners.filter(
				(corner) => Math.abs(corner[0]! + place[0]!) <= 1 && Math.abs(corner[1]! + place[1]!) <= 1.5,
			);
			const touching = corners.filter((corner) => corner[2]! < low + 0.01).length;
			const isWhole = over.length === 8;
			if (isWhole) {
				expect(contacts.rigidCount, `box ${i}`).toBe(touching);
				whole++;
			} else partly++;
			for (let row = 0; row < contacts.rigidCount; row++) {
				// the plane comes first
				const [px, py] = contacts.rigidPoint0.subarray(3 * row, 3 * row + 2);
				const [dx, dy] = [px! - 0.3, py! + 0.2];
				expect(Math.abs(c * dx + s * dy), `box ${i}`).toBeLessThan(1 + 1e-9);
				expect(Math.abs(c * dy - s * dx), `box ${i}`).toBeLessThan(1.5 + 1e-9);
			}
		}
		expect(Math.min(whole, partly)).toBeGreaterThan(40);
	});
});

describe('a ball on a floor of triangles', () => {
	/** A floor of cells in two triangles each that is not its own hull: one corner far away is higher. */
	function floor(): TriangleMesh {
		const vertices = Array.from({ length: 81 }, (_, i) => [(i % 9) - 4, Math.floor(i / 9) - 4, i === 80 ? 1 : 0]);
		const indices = Array.from({ length: 64 }, (_, i) => {
			const a = 9 * Math.floor(i / 8) + (i % 8);
			return [a, a + 1, a + 10, a, a + 10, a + 9];
		});
		return { vertices: Float64Array.from(vertices.flat()), indices: Uint32Array.from(indices.flat()) } as TriangleMesh;
	}

	it.each([
		['a corner of six triangles', 0, 0],
		['an edge along x', 0.5, 0],
		['an edge along y', 0, 0.5],
		['an edge across a cell', 0.5, 0.5],
		['the middle of a triangle', 0.6, 0.3],
	])('has one contact on %s', (_, x, y) => {
		const builder = makeBuilder();
		builder.addShapeMesh(-1, { mesh: floor() });
		addBall(builder, 0.2, 1, [x, y, 0.197], MATERIAL);
		const contacts = collide(builder);
		expect(contacts.rigidCount).toBe(1);
		expect(Math.abs(contacts.rigidNormal[2]!)).toBeCloseTo(1, 12);
	});

	it('has a contact of its own beside another ball', () => {
		const builder = makeBuilder();
		builder.addShapeMesh(-1, { mesh: floor() });
		addBall(builder, 0.2, 1, [0.5, 0.2, 0.197], MATERIAL);
		addBall(builder, 0.2, 1, [0.5, 0.65, 0.197], MATERIAL);
		expect(collide(builder).rigidCount).toBe(2);
	});
});

describe('what of a cone faces a direction', () => {
	it('is its base, its side or its tip, by the angle', () => {
		const feature = new SurfaceFeature();
		const shape = solid('cone', [0, 0, 0], [0, 0, 0]).place(new ConvexShape());
		// the normal of the side, from the base of radius X to the tip 2 Y above it
		const side = Math.atan2(X, 2 * Y);
		const countAt = (angle: number): number => {
			feature.aim(Math.cos(angle), 0, Math.sin(angle));
			feature.find(shape);
			return feature.count;
		};
		const down = -Math.PI / 2;
		// halfway between the normals of base and side the one is as near as the other
		const halfway = (down + side) / 2;
		expect(countAt(down)).toBeGreaterThan(2);
		expect(countAt(halfway - 0.01)).toBeGreaterThan(2);
		expect(countAt(halfway + 0.01)).toBe(2);
		expect(countAt(side)).toBe(2);
	});
});
