import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';

/** The first example of seed 004: globals at both ends, two worlds that differ. */
function seedScene(): ModelBuilder {
	const builder = new ModelBuilder();
	builder.addGroundPlane();
	builder.beginWorld();
	const b0 = builder.addBody({ mass: 1 });
	const b1 = builder.addBody({ mass: 1 });
	builder.addShapeSphere(b0, { radius: 0.1 });
	builder.addShapeSphere(b1, { radius: 0.1 });
	builder.endWorld();
	builder.beginWorld();
	const link0 = builder.addLink({ mass: 1 });
	const j0 = builder.addJointFixed({ parent: -1, child: link0 });
	const link1 = builder.addLink({ mass: 2 });
	const j1 = builder.addJointRevolute({ parent: link0, child: link1 });
	builder.addArticulation([j0, j1]);
	builder.addShapeBox(link0, { halfExtents: [0.1, 0.1, 0.1] });
	builder.addShapeBox(link1, { halfExtents: [0.1, 0.1, 0.1] });
	builder.endWorld();
	builder.addShapeBox(-1, { halfExtents: [0.5, 0.5, 0.05] });
	return builder;
}

function arm(options: { shapes?: boolean } = {}): ModelBuilder {
	const builder = new ModelBuilder();
	const link0 = builder.addLink({ mass: 1 });
	const j0 = builder.addJointFixed({ parent: -1, child: link0 });
	const link1 = builder.addLink({ mass: 1 });
	const j1 = builder.addJointRevolute({ parent: link0, child: link1 });
	builder.addArticulation([j0, j1]);
	if (options.shapes) {
		builder.addShapeBox(link0, { halfExtents: [0.1, 0.1, 0.1] });
		builder.addShapeBox(link1, { halfExtents: [0.1, 0.1, 0.1] });
	}
	return builder;
}

describe('seed 004', () => {
	const model = seedScene().finalize();

	test('body, shape and joint worlds', () => {
		expect(Array.from(model.bodyWorld)).toEqual([0, 0, 1, 1]);
		expect(Array.from(model.shapeWorld)).toEqual([-1, 0, 0, 1, 1, -1]);
		expect(Array.from(model.jointWorld)).toEqual([0, 0, 1, 1]);
	});

	test('trap 1: shape starts, counts per world and global count', () => {
		expect(model.worldCount).toBe(2);
		const start = model.shapeWorldStart;
		expect(Array.from(start)).toEqual([1, 3, 5, 6]);
		expect([0, 1].map((world) => start[world + 1]! - start[world]!)).toEqual([2, 2]);
		expect(start[0]! + (start.at(-1)! - start.at(-2)!)).toBe(2);
	});

	test('two addWorld calls make two worlds', () => {
		const scene = new ModelBuilder();
		scene.addGroundPlane();
		scene.addWorld(arm({ shapes: true }));
		scene.addWorld(arm({ shapes: true }));
		expect(scene.finalize().worldCount).toBe(2);
	});

	test('replicate makes four worlds with eight bodies', () => {
		const scene = new ModelBuilder();
		scene.addGroundPlane();
		scene.replicate(arm(), { count: 4, spacing: [2, 0, 0] });
		const replicated = scene.finalize();
		expect(replicated.worldCount).toBe(4);
		expect(replicated.bodyCount).toBe(8);
	});

	test('gravity of each world', () => {
		const robot = new ModelBuilder();
		robot.addBody({ mass: 1 });
		const scene = new ModelBuilder();
		scene.addWorld(robot);
		scene.addWorld(robot);
		const two = scene.finalize();
		two.setGravity([0, 0, -9.81], { world: 0 });
		two.setGravity([0, 0, -1.62], { world: 1 });
		expect(two.arrayShape('gravity')).toEqual([2, 3]);
		expect(Array.from(two.gravity)).toEqual([0, 0, -9.81, 0, 0, -1.62]);
	});

	test('two-dimensional loop over worlds and their bodies', () => {
		const counts = [0, 1].map((world) => model.bodyWorldStart[world + 1]! - model.bodyWorldStart[world]!);
		expect(Math.max(...counts)).toBe(model.worlds.maxCount('body'));
		expect(counts[0]! + counts[1]!).toBe(model.worlds.localCount('body'));
		expect([...model.worlds.entities('body')]).toEqual([
			{ world: 0, local: 0, index: 0 },
			{ world: 0, local: 1, index: 1 },
			{ world: 1, local: 0, index: 2 },
			{ world: 1, local: 1, index: 3 },
		]);
	});
});

describe('what follows from seed 004', () => {
	const model = seedScene().finalize();

	test('trap 2: starts of every kind, joint spaces in their own units', () => {
		expect(Array.from(model.bodyWorldStart)).toEqual([0, 2, 4, 4]);
		expect(Array.from(model.jointWorldStart)).toEqual([0, 2, 4, 4]);
		expect(Array.from(model.articulationWorld)).toEqual([0, 0, 1]);
		expect(Array.from(model.articulationWorldStart)).toEqual([0, 2, 3, 3]);
		expect(Array.from(model.jointCoordWorldStart)).toEqual([0, 14, 15, 15]);
		expect(Array.from(model.jointDofWorldStart)).toEqual([0, 12, 13, 13]);
		expect(Array.from(model.jointConstraintWorldStart)).toEqual([0, 0, 11, 11]);
		expect(Array.from(model.particleWorldStart)).toEqual([0, 0, 0, 0]);
		expect(Array.from(model.equalityConstraintWorldStart)).toEqual([0, 0, 0, 0]);
	});

	test('candidate contact pairs with default filters', () => {
		expect(pairs(model.shapeContactPairs)).toEqual(['0,1', '0,2', '0,4', '1,2', '1,5', '2,5', '4,5']);
	});

	test('replicated root frames stand in a centred line', () => {
		const scene = new ModelBuilder();
		scene.replicate(arm(), { count: 4, spacing: [2, 0, 0] });
		const replicated = scene.finalize();
		const x = (values: Float64Array, rows: readonly number[]): number[] => rows.map((row) => values[7 * row]!);
		expect(x(replicated.jointXP, [0, 2, 4, 6])).toEqual([-3, -1, 1, 3]);
		expect(x(replicated.bodyQ, [0, 1, 2, 3, 4, 5, 6, 7])).toEqual([-3, -3, -1, -1, 1, 1, 3, 3]);
	});

	test('ranges of worlds and of globals', () => {
		expect(model.worlds.range('shape', 1)).toEqual({ start: 3, end: 5 });
		expect(model.worlds.globalRanges('shape')).toEqual([
			{ start: 0, end: 1 },
			{ start: 5, end: 6 },
		]);
		expect(model.worlds.globalRanges('body')).toEqual([]);
		expect(model.worlds.globalCount('shape')).toBe(2);
		expect(() => model.worlds.range('shape', 2)).toThrow(/world 2 does not exist/);
	});

	test('seed arrays by Newton name', () => {
		expect(model.array('shape_world')).toBe(model.shapeWorld);
		expect(model.arrayShape('body_inertia')).toEqual([4, 3, 3]);
		expect(() => model.array('no_such_array')).toThrow(/no array 'no_such_array'/);
	});
});

function pairs(flat: Int32Array): string[] {
	return Array.from({ length: flat.length / 2 }, (_, i) => `${flat[2 * i]},${flat[2 * i + 1]}`);
}
