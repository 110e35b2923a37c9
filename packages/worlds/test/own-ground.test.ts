import { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { ownGround, placeRobot } from '../src/internal.ts';
import { groundText } from '../src/place-in-worlds.ts';

/** A robot of two bodies around the origin, and something that does not move. */
function withStatic(add: (builder: ModelBuilder) => void): ModelBuilder {
	const builder = new ModelBuilder();
	for (const x of [-0.5, 0.5]) builder.addShapeSphere(builder.addBody({ xform: { p: [x, 0, 1] } }), { radius: 0.1 });
	add(builder);
	return builder;
}

const box = (halfExtents: number[], p: number[]) => (builder: ModelBuilder) =>
	void builder.addShapeBox(-1, { halfExtents, xform: { p }, label: 'slab' });

describe('the ground of a file', () => {
	it.each([
		['a plane', (builder: ModelBuilder) => void builder.addGroundPlane({ height: -1 }), 'plane'],
		[
			'a slope',
			(builder: ModelBuilder) => void builder.addShapePlane({ plane: [0.5, 0, 0.866, 0], width: 0, length: 0 }),
			'plane',
		],
		['a slab below all bodies', box([2, 2, 0.1], [0, 0, -0.1]), 'terrain'],
		[
			'a wall',
			(builder: ModelBuilder) => void builder.addShapePlane({ plane: [1, 0, 0, 3], width: 0, length: 0 }),
			undefined,
		],
		['a slab beside the robot', box([2, 2, 0.1], [5, 0, -0.1]), undefined],
		['a slab above it', box([2, 2, 0.1], [0, 0, 3]), undefined],
		[
			'a slab that is only seen',
			(builder: ModelBuilder) =>
				void builder.addShapeBox(-1, { halfExtents: [2, 2, 0.1], config: { hasShapeCollision: false } }),
			undefined,
		],
	])('is %s: %#', (_, add, kind) => {
		expect(ownGround(withStatic(add))?.kind).toBe(kind);
	});

	it('is what a robot stands on, instead of a second plane', () => {
		const own = placeRobot(withStatic((builder) => void builder.addGroundPlane({ label: 'floor' })));
		expect(own.builder.shapeCount).toBe(3);
		expect(groundText(own.ground)).toBe("ground: 'floor' of the file (plane), no plane was added");
		const added = placeRobot(withStatic(() => {}));
		expect([added.builder.shapeCount, groundText(added.ground)]).toEqual([
			3,
			'ground: a plane was added, the file has none',
		]);
		expect(
			groundText(
				placeRobot(
					withStatic(() => {}),
					{ ground: false },
				).ground,
			),
		).toBe('ground: none');
	});
});
