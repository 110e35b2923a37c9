import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { arraysOf, robot } from './support.ts';

function build(worlds: number): ModelBuilder {
	const scene = new ModelBuilder();
	scene.addGroundPlane();
	scene.replicate(robot(24), { count: worlds, spacing: [2, 2, 0] });
	return scene;
}

describe('many worlds', () => {
	test('trap 7: four thousand worlds are built, and the arrays grow in step with them', () => {
		const small = build(512).finalize();
		const large = build(4096).finalize();
		expect(large.bodyCount).toBe(8 * small.bodyCount);
		expect(large.shapeContactPairs.length).toBe(8 * small.shapeContactPairs.length);
		expect(large.shapeCollisionFilterPairs.length).toBe(8 * small.shapeCollisionFilterPairs.length);
	});

	test('trap 14: a world among many is the world alone', () => {
		const alone = new ModelBuilder();
		alone.addGroundPlane();
		alone.replicate(robot(6), { count: 1 });
		const many = new ModelBuilder();
		many.addGroundPlane();
		many.replicate(robot(6), { count: 5 });
		const [one, all] = [alone.finalize(), many.finalize()];
		for (const world of [0, 2, 4]) {
			const { start, end } = all.worlds.range('body', world);
			const own = one.worlds.range('body', 0);
			for (const [name, width] of [
				['bodyQ', 7],
				['bodyInertia', 9],
				['bodyMass', 1],
				['bodyCom', 3],
			] as const) {
				expect(all[name].subarray(width * start, width * end)).toEqual(
					one[name].subarray(width * own.start, width * own.end),
				);
			}
		}
		expect(all.shapeContactPairCount).toBe(5 * one.shapeContactPairCount);
	});

	test('worlds that differ stand side by side', () => {
		const scene = new ModelBuilder();
		for (const dofs of [1, 5, 3]) scene.addWorld(robot(dofs), { labelPrefix: `robot_${dofs}` });
		const model = scene.finalize();
		expect(Array.from(model.bodyWorldStart)).toEqual([0, 2, 8, 12, 12]);
		expect(model.worlds.maxCount('body')).toBe(6);
		expect(model.maxDofsPerArticulation).toBe(11);
		expect(arraysOf(scene.finalize())).toEqual(arraysOf(model));
	});
});
