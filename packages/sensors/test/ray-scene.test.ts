import { type Model, ModelBuilder } from '@manyworlds/model';
import { Lidar, RayScene } from '@manyworlds/sensors';
import { describe, expect, it } from 'vitest';

/** Numbers that look random, the same every time. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) | 0;
		return (state >>> 0) / 2 ** 32;
	};
}

function sceneOf(build: (builder: ModelBuilder) => void): { model: Model; scene: RayScene } {
	const builder = new ModelBuilder();
	build(builder);
	const model = builder.finalize();
	const scene = new RayScene(model);
	scene.update(model.createState());
	return { model, scene };
}

const at = (x: number, y: number, z: number): number[] => [x, y, z, 0, 0, 0, 1];

/** An independent caster: walks along the ray by the distance to the nearest surface, which each shape gives by its formula. */
function march(
	distance: (p: readonly number[]) => number,
	origin: readonly number[],
	direction: readonly number[],
	most: number,
): number {
	let t = 0;
	for (let i = 0; i < 2000 && t < most; i++) {
		const step = distance(origin.map((value, k) => value + t * direction[k]!));
		if (step < 1e-7) return t;
		t += step;
	}
	return Number.POSITIVE_INFINITY;
}

function boxDistance(p: readonly number[], centre: readonly number[], half: readonly number[]): number {
	const q = p.map((value, k) => Math.abs(value - centre[k]!) - half[k]!);
	return Math.hypot(...q.map((value) => Math.max(value, 0))) + Math.min(Math.max(...q), 0);
}

describe('rays', () => {
	it('meet random boxes where an independent caster does, to 1 mm', () => {
		const random = randomNumbers(5);
		const boxes = Array.from({ length: 40 }, () => ({
			centre: [(random() - 0.5) * 20, (random() - 0.5) * 20, (random() - 0.5) * 2],
			half: [0.1 + random(), 0.1 + random(), 0.1 + random()],
		}));
		const { scene } = sceneOf((builder) => {
			for (const { centre, half } of boxes)
				builder.addShapeBox(-1, { xform: at(centre[0]!, centre[1]!, centre[2]!), halfExtents: half });
		});
		const distance = (p: readonly number[]): number =>
			Math.min(...boxes.map(({ centre, half }) => boxDistance(p, centre, half)));
		let hits = 0;
		for (let i = 0; i < 720; i++) {
			const angle = (i * Math.PI) / 360;
			const direction = [Math.cos(angle), Math.sin(angle), 0];
			if (distance([0, 0, 0]) <= 0) continue;
			const expected = march(distance, [0, 0, 0], direction, 30);
			const found = scene.cast([0, 0, 0], direction, 30);
			if (expected === Number.POSITIVE_INFINITY) expect(found).toBe(expected);
			else {
				hits++;
				expect(Math.abs(found - expected)).toBeLessThan(1e-3);
			}
		}
		expect(hits).toBeGreaterThan(100);
	});

	it.each([
		['sphere', (builder: ModelBuilder) => builder.addShapeSphere(-1, { xform: at(3, 0, 0), radius: 0.5 }), 2.5],
		[
			'capsule',
			(builder: ModelBuilder) => builder.addShapeCapsule(-1, { xform: at(3, 0, 0), radius: 0.25, halfHeight: 1 }),
			2.75,
		],
		[
			'cylinder',
			(builder: ModelBuilder) => builder.addShapeCylinder(-1, { xform: at(3, 0, 0), radius: 0.5, halfHeight: 1 }),
			2.5,
		],
		[
			'cone, half way up',
			(builder: ModelBuilder) => builder.addShapeCone(-1, { xform: at(3, 0, 0), radius: 1, halfHeight: 1 }),
			2.5,
		],
		[
			'wall',
			(builder: ModelBuilder) => builder.addShapePlane({ xform: [3, 0, 0, 0, -Math.SQRT1_2, 0, Math.SQRT1_2] }),
			3,
		],
	])('meet a %s where its formula says', (_, build, expected) => {
		const { scene } = sceneOf((builder) => void build(builder));
		expect(scene.cast([0, 0, 0], [1, 0, 0], 30)).toBeCloseTo(expected, 9);
		expect(scene.cast([0, 0, 0], [-1, 0, 0], 30)).toBe(Number.POSITIVE_INFINITY);
	});

	it('meet a mesh as they meet the box that it is', () => {
		const vertices = Float64Array.from({ length: 24 }, (_, i) => (((i / 3) >> (i % 3)) & 1 ? 0.5 : -0.5));
		const indices = Uint32Array.from([
			0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3,
		]);
		const { scene } = sceneOf(
			(builder) => void builder.addShapeMesh(-1, { mesh: { vertices, indices }, xform: at(2, 0, 0), scale: [1, 2, 1] }),
		);
		expect(scene.cast([0, 0.9, 0.1], [1, 0, 0], 30)).toBeCloseTo(1.5, 9);
		expect(scene.cast([0, 1.1, 0.1], [1, 0, 0], 30)).toBe(Number.POSITIVE_INFINITY);
	});

	it('go through shapes that are only seen', () => {
		const { scene } = sceneOf(
			(builder) => void builder.addShapeBox(-1, { xform: at(2, 0, 0), config: { hasShapeCollision: false } }),
		);
		expect(scene.size).toBe(0);
	});
});

describe('a lidar', () => {
	const POSE = new Float64Array([0, 0, 0, 0, 0, 0, 1]);

	it('says +∞ for nothing in reach and -∞ for too near', () => {
		const { scene } = sceneOf((builder) => {
			builder.addShapeSphere(-1, { xform: at(0.05 + 0.02, 0, 0), radius: 0.02 });
			builder.addShapeSphere(-1, { xform: at(0, 5, 0), radius: 1 });
			builder.addShapeSphere(-1, { xform: at(0, -50, 0), radius: 1 });
		});
		const lidar = new Lidar({ angleMin: 0, angleMax: (3 * Math.PI) / 2, beams: 4 });
		expect([...lidar.scan(scene, POSE, 0)]).toEqual([
			Number.NEGATIVE_INFINITY,
			4,
			Number.POSITIVE_INFINITY,
			Number.POSITIVE_INFINITY,
		]);
	});

	it('has noise of the given deviation, the same for the same seed', () => {
		const { scene } = sceneOf((builder) => void builder.addShapeSphere(-1, { radius: 10 }));
		const scan = (seed: number, sample: number): Float32Array =>
			new Lidar({ sigma: 0.02, seed, beams: 2000 }).scan(scene, POSE, sample);
		const first = scan(1, 0);
		expect([...scan(1, 0)]).toEqual([...first]);
		expect([...scan(2, 0)]).not.toEqual([...first]);
		expect([...scan(1, 1)]).not.toEqual([...first]);
		const mean = first.reduce((sum, range) => sum + range, 0) / first.length;
		const deviation = Math.sqrt(first.reduce((sum, range) => sum + (range - mean) ** 2, 0) / first.length);
		expect(mean).toBeCloseTo(10, 2);
		expect(deviation / 0.02).toBeCloseTo(1, 1);
	});
});
