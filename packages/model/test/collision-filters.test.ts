import { createTriangleMesh } from '@manyworlds/mesh/internal';
import { GeoType, type Model, ModelBuilder, SHAPE_CONFIG_DEFAULTS, ShapeFlags } from '@manyworlds/model';
import { groupsCollide, siteConfig, worldsAndGroupsCollide } from '@manyworlds/model/internal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOf } from './support.ts';

const pairsOf = (flat: Int32Array): string[] =>
	Array.from({ length: flat.length / 2 }, (_, i) => `${flat[2 * i]},${flat[2 * i + 1]}`);
const contacts = (model: Model): string[] => pairsOf(model.shapeContactPairs);

describe('groups and worlds', () => {
	test('trap 17: truth table and symmetry', () => {
		const rows: [number, number, number, number, boolean][] = [
			[0, 0, 1, 1, true],
			[1, 1, -1, 2, true],
			[2, 2, 0, 1, false],
			[0, 1, 1, 1, false],
			[2, 3, -1, -1, false],
			[-1, 0, 1, 1, true],
			[1, -1, 2, 2, true],
			[-1, -1, 1, 2, false],
			[-1, -1, -1, 1, true],
		];
		for (const [wa, wb, ga, gb, expected] of rows) expect(worldsAndGroupsCollide(wa, wb, ga, gb)).toBe(expected);
		const small = fc.integer({ min: -3, max: 3 });
		fc.assert(
			fc.property(small, small, (a, b) => groupsCollide(a, b) === groupsCollide(b, a)),
			{ seed: 1 },
		);
	});

	test('contact pairs equal a brute-force search over random shapes', () => {
		const shapes = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -2, max: 2 }), fc.boolean()), {
			maxLength: 12,
		});
		fc.assert(
			fc.property(shapes, fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 8 }), (list, filters) => {
				const builder = new ModelBuilder();
				const add = (worldOf: number): void => {
					for (const [world, collisionGroup, hasShapeCollision] of list) {
						if (world !== worldOf) continue;
						const body = builder.addBody({ mass: 1 });
						builder.addShapeSphere(body, { config: { collisionGroup, hasShapeCollision } });
					}
				};
				add(0);
				for (const world of [1, 2, 3]) {
					builder.withWorld({}, () => {
						builder.addBody({ mass: 1 });
						add(world);
					});
				}
				add(4);
				for (const [a, b] of filters)
					if (a !== b && Math.max(a, b) < builder.shapeCount) builder.addCollisionFilterPair(a, b);
				const model = builder.finalize();
				const expected: string[] = [];
				for (let a = 0; a < model.shapeCount; a++) {
					for (let b = a + 1; b < model.shapeCount; b++) {
						if (!(model.shapeFlags[a]! & model.shapeFlags[b]! & ShapeFlags.COLLIDE_SHAPES)) continue;
						const groups = [model.shapeCollisionGroup[a]!, model.shapeCollisionGroup[b]!] as const;
						if (!worldsAndGroupsCollide(model.shapeWorld[a]!, model.shapeWorld[b]!, ...groups)) continue;
						if (!model.isCollisionFiltered(a, b)) expected.push(`${a},${b}`);
					}
				}
				expect(contacts(model)).toEqual(expected);
			}),
			{ seed: 3, numRuns: 100 },
		);
	});

	test('trap 13: pairs grow with the worlds, never across them', () => {
		const part = new ModelBuilder();
		for (let i = 0; i < 20; i++) part.addShapeSphere(part.addBody({ mass: 1 }));
		const count = (worlds: number, globals: number): number => {
			const scene = new ModelBuilder();
			for (let i = 0; i < globals; i++) scene.addShapeBox(-1);
			scene.replicate(part, { count: worlds });
			return scene.finalize().shapeContactPairCount;
		};
		expect(count(1, 0)).toBe(190);
		expect(count(2, 0)).toBe(380);
		expect(count(256, 0)).toBe(256 * 190);
		expect(count(256, 2)).toBe(256 * (190 + 40));
	});
});

describe('automatic filters', () => {
	/** A link on the world with a shape on both sides, in the given order of calls. */
	function build(
		order: string,
		options: { type?: 'fixed' | 'revolute' | 'free'; filter?: boolean; shapeFilter?: boolean } = {},
	): string[] {
		const builder = new ModelBuilder();
		const link = builder.addLink({ mass: 1 });
		const common = {
			parent: -1,
			child: link,
			...(options.filter === undefined ? {} : { collisionFilterParent: options.filter }),
		};
		const config = { collisionFilterParent: options.shapeFilter ?? true };
		const calls: Record<string, () => void> = {
			j: () => {
				const type = options.type ?? 'fixed';
				const joint =
					type === 'fixed'
						? builder.addJointFixed(common)
						: type === 'free'
							? builder.addJointFree(common)
							: builder.addJointRevolute(common);
				builder.addArticulation([joint]);
			},
			s: () => builder.addShapeSphere(link, { config, label: 'link' }),
			w: () => builder.addShapeSphere(-1, { label: 'static' }),
		};
		for (const call of order) calls[call]!();
		const model = builder.finalize();
		return pairsOf(model.shapeCollisionFilterPairs);
	}

	test('trap 16: do not depend on the order of calls', () => {
		for (const order of ['jsw', 'jws', 'sjw', 'swj', 'wjs', 'wsj']) {
			expect(build(order)).toEqual(['0,1']);
			expect(build(order, { shapeFilter: false })).toEqual([]);
			expect(build(order, { filter: false })).toEqual([]);
			expect(build(order, { type: 'free' })).toEqual([]);
			expect(build(order, { type: 'revolute' })).toEqual([]);
			expect(build(order, { type: 'revolute', filter: true })).toEqual(['0,1']);
		}
	});

	test('a free joint to a real parent filters', () => {
		const builder = new ModelBuilder();
		const [a, b] = [builder.addLink({ mass: 1 }), builder.addLink({ mass: 1 })];
		builder.addArticulation([builder.addJointFixed({ child: a }), builder.addJointFree({ parent: a, child: b })]);
		builder.addShapeSphere(a);
		builder.addShapeSphere(b);
		expect(contacts(builder.finalize())).toEqual([]);
	});

	test('shapes of one body never collide, merged ones and static ones included', () => {
		const part = new ModelBuilder();
		part.addShapeSphere(-1);
		const scene = new ModelBuilder();
		const body = scene.addBody({ mass: 1 });
		scene.addShapeSphere(body);
		scene.addShapeBox(body);
		scene.addShapeSphere(-1);
		scene.addBuilder(part);
		const model = scene.finalize();
		expect(contacts(model)).toEqual(['0,2', '0,3', '1,2', '1,3']);
		expect(model.isCollisionFiltered(1, 0)).toBe(true);
		expect(model.isCollisionFiltered(2, 3)).toBe(true);
		expect(model.isCollisionFiltered(0, 3)).toBe(false);
	});

	test('pairs are stored once, the smaller index first, and survive merging', () => {
		const part = new ModelBuilder();
		for (let i = 0; i < 3; i++) part.addShapeSphere(part.addBody({ mass: 1 }));
		part.addCollisionFilterPair(2, 0);
		part.addCollisionFilterPair(0, 2);
		const scene = new ModelBuilder();
		scene.addGroundPlane();
		scene.replicate(part, { count: 2 });
		scene.addCollisionFilterPair(4, 1);
		const model = scene.finalize();
		expect(pairsOf(model.shapeCollisionFilterPairs)).toEqual(['1,3', '1,4', '4,6']);
		expect(model.isCollisionFiltered(6, 4)).toBe(true);
	});

	test('a filter of a shape that does not exist is refused when the model is made', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(-1);
		builder.addCollisionFilterPair(0, 99);
		expect(codeOf(() => builder.finalize())).toBe('MODEL016');
	});

	test('isolated worlds: two worlds and a global shape make two pairs', () => {
		const ball = new ModelBuilder();
		ball.addShapeSphere(ball.addBody({ mass: 1 }));
		const scene = new ModelBuilder();
		scene.addShapeSphere(scene.addBody({ mass: 1 }));
		scene.replicate(ball, { count: 2 });
		expect(contacts(scene.finalize())).toEqual(['0,1', '0,2']);
	});
});

describe('shape rules', () => {
	test('negative sizes lose their sign, except where they mean something', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(-1, { radius: -2 });
		builder.addShapeBox(-1, { halfExtents: [-1, 2, -3] });
		builder.addShapeCapsule(-1, { radius: -1, halfHeight: -2 });
		const mesh = createTriangleMesh({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
		builder.addShapeMesh(-1, { mesh, scale: [-1, 1, 1] });
		expect(Array.from(builder.column('shapeScale'))).toEqual([2, 0, 0, 1, 2, 3, 1, 2, 0, -1, 1, 1]);
		expect(codeOf(() => builder.addShapeCone(-1, { halfHeight: -1 }))).toBe('MODEL008');
		const heightfield = { rows: 2, columns: 2, data: new Float64Array(4), hx: 1, hy: 1, minZ: 0, maxZ: 1 };
		expect(codeOf(() => builder.addShapeHeightfield({ heightfield, scale: [-1, 1, 1] }))).toBe('MODEL008');
		expect(codeOf(() => builder.addShapeCylinder(-1, { radius: 1, halfHeight: 2, barrelRadius: 1 }))).toBe('MODEL008');
		const model = builder.finalize();
		expect(Array.from(model.shapeCollisionAabbLower.subarray(9))).toEqual([-1, 0, 0]);
		expect(Array.from(model.shapeCollisionAabbUpper.subarray(9))).toEqual([0, 1, 0]);
		expect(Array.from(model.shapeCollisionRadius)).toEqual(
			[2, Math.sqrt(14), 3, Math.SQRT1_2].map((r) => expect.closeTo(r, 12)),
		);
	});

	test('sites neither collide nor weigh, and are hidden', () => {
		const builder = new ModelBuilder();
		const body = builder.addBody({ mass: 1 });
		builder.addSite(body, { type: GeoType.BOX });
		builder.addShapeSphere(body, { asSite: true });
		expect(Array.from(builder.column('shapeFlags'))).toEqual([ShapeFlags.SITE, ShapeFlags.SITE | ShapeFlags.VISIBLE]);
		expect(builder.column('bodyMass')[0]).toBe(1);
		for (const config of [{ hasShapeCollision: true }, { density: 1 }, { collisionGroup: 1 }]) {
			expect(
				codeOf(() => builder.addShapeSphere(body, { config: { ...siteConfig(SHAPE_CONFIG_DEFAULTS), ...config } })),
			).toBe('MODEL003');
		}
		expect(builder.shapeCount).toBe(2);
	});

	test('colours: palette in turn, then what was given', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(-1);
		builder.addShapeSphere(-1, { color: [1, 0, 0] });
		const ground = builder.addGroundPlane();
		expect(Array.from(builder.column('shapeColor')).map((c) => Number(c.toFixed(4)))).toEqual([
			0.2667, 0.4667, 0.6667, 1, 0, 0, 0.125, 0.125, 0.15,
		]);
		expect(builder.labels('shape')[ground]).toBe('ground_plane');
	});

	test('trap 44: a negative gap of a colliding shape is a warning as data', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(-1, { config: { gap: -0.1 }, label: 'tight' });
		builder.addShapeSphere(-1, { config: { gap: -0.1, hasShapeCollision: false, hasParticleCollision: false } });
		const found = builder.finalize().report.toArray();
		expect(found.map(({ code, severity }) => [code, severity])).toEqual([['MODEL031', 'warning']]);
		expect(found[0]!.message).toContain("1 shape(s) have a gap below 0: shape 0 'tight' (gap -0.1 m)");
	});

	test("the gap of a shape is the builder's at that time", () => {
		const builder = new ModelBuilder({ rigidGap: 0.02 });
		builder.addShapeSphere(-1);
		builder.rigidGap = 0.5;
		builder.addShapeSphere(-1);
		builder.addShapeSphere(-1, { config: { gap: 0 } });
		expect(Array.from(builder.column('shapeGap'))).toEqual([0.02, 0.5, 0]);
	});
});
