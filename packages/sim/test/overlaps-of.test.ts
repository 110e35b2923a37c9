import { Report } from '@manyworlds/core';
import { ModelBuilder } from '@manyworlds/model';
import { startOf } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { overlapsOf } from '../src/index.ts';

/** A table of a plate and two legs of different length, upside up, at a height. */
function table(height: number): ModelBuilder {
	const builder = new ModelBuilder();
	const body = builder.addBody({ label: 'table', xform: { p: [0, 0, height] } });
	builder.addShapeBox(body, { halfExtents: [0.5, 0.3, 0.02], label: 'plate' });
	builder.addShapeCapsule(body, { radius: 0.03, halfHeight: 0.2, xform: { p: [0.4, 0, -0.25] }, label: 'long' });
	builder.addShapeCapsule(body, { radius: 0.03, halfHeight: 0.1, xform: { p: [-0.4, 0, -0.15] }, label: 'short' });
	return builder;
}

describe('overlaps by collision geometry', () => {
	it('are one for each pair of shapes, at the deepest point', () => {
		const builder = table(0.3);
		builder.addGroundPlane();
		const model = builder.finalize();
		const found = overlapsOf(model)(model.createState()).filter(({ depth }) => depth > 0);
		// the short leg ends 20 mm above the ground, which is within the gap
		expect(found.map(({ shape0, shape1 }) => [model.shapeLabels[shape0], model.shapeLabels[shape1]].sort())).toEqual([
			['ground_plane', 'long'],
		]);
		expect(found[0]!.depth).toBeCloseTo(0.18, 9);
		expect(Math.abs(found[0]!.normal[2])).toBeCloseTo(1, 9);
	});

	it('have the normal and the depth of their own pair, in each world', () => {
		const one = new ModelBuilder();
		for (let i = 0; i < 3; i++) {
			// three balls on turned bodies, each into a slope of its own
			const body = one.addBody({ xform: { p: [4 * i, 1, 2], q: [0.1, 0.2, 0.3, Math.sqrt(0.86)] } });
			one.addShapeSphere(body, { radius: 0.5, config: { margin: 0.01 } });
			const slope = 0.1 + 0.2 * i;
			const normal = [Math.sin(slope), 0, Math.cos(slope)];
			// how high the ball is above the top of its slope
			const height = [0.3, 0.4, 0.45][i]!;
			const half = slope / 2;
			one.addShapeBox(-1, {
				halfExtents: [1.5, 1.5, 1],
				xform: {
					p: normal.map((x, k) => [4 * i, 1, 2][k]! - (height + 1) * x),
					q: [0, Math.sin(half), 0, Math.cos(half)],
				},
				label: `slope${i}`,
			});
		}
		const all = new ModelBuilder();
		all.replicate(one, { count: 2 });
		const model = all.finalize();
		const found = overlapsOf(model)(model.createState());
		for (let world = 0; world < 2; world++) {
			for (let i = 0; i < 3; i++) {
				const slope = 0.1 + 0.2 * i;
				const own = found.filter(
					(overlap) =>
						overlap.world === world &&
						[overlap.shape0, overlap.shape1].some((shape) => model.shapeLabels[shape]?.includes(`slope${i}`)),
				);
				expect(own).toHaveLength(1);
				const { depth, normal, shape0 } = own[0]!;
				expect(depth).toBeCloseTo(0.5 - [0.3, 0.4, 0.45][i]! + 0.01, 9);
				// from the first shape to the second
				const sign = model.shapeLabels[shape0]?.includes('slope') ? 1 : -1;
				expect(normal[0]).toBeCloseTo(sign * Math.sin(slope), 9);
				expect(normal[1]).toBeCloseTo(0, 9);
				expect(normal[2]).toBeCloseTo(sign * Math.cos(slope), 9);
			}
		}
	});

	it('are all found where many shapes stand in one another', () => {
		const builder = new ModelBuilder();
		for (let i = 0; i < 16; i++) {
			const body = builder.addBody({ xform: { p: [0.01 * i, 0, 1] } });
			builder.addShapeBox(body, { halfExtents: [0.5, 0.5, 0.5] });
		}
		const model = builder.finalize();
		expect(overlapsOf(model)(model.createState())).toHaveLength((16 * 15) / 2);
	});

	it('are of shapes as they are when they are asked for', () => {
		const builder = new ModelBuilder();
		builder.addShapeSphere(builder.addBody({ xform: { p: [0, 0, 2] } }), { radius: 0.5, config: { gap: 0 } });
		builder.addGroundPlane();
		const model = builder.finalize();
		const find = overlapsOf(model);
		const state = model.createState();
		expect(find(state)).toEqual([]);
		model.shapeTransform[2] = -1.6;
		expect(find(state).map(({ depth }) => Number(depth.toFixed(9)))).toEqual([0.1]);
	});

	it('lift a robot onto a slope until its lowest collider touches', () => {
		const slope = 0.3;
		const builder = table(0);
		builder.addShapePlane({ plane: [-Math.sin(slope), 0, Math.cos(slope), 0], width: 0, length: 0, label: 'slope' });
		const model = builder.finalize();
		const findOverlaps = overlapsOf(model);
		const { state, lift, overlaps } = startOf(model, new Report(), { findOverlaps });
		expect(lift).toBeGreaterThan(0.4);
		expect(overlaps).toEqual([]);
		expect(Math.max(...findOverlaps(state).map(({ depth }) => depth))).toBeCloseTo(0, 9);
	});

	it('lift a robot out of uneven ground', () => {
		const builder = table(0.86);
		builder.addShapeHeightfield({
			heightfield: {
				rows: 3,
				columns: 3,
				data: Float64Array.of(0, 0, 0, 0, 1, 1, 0, 1, 1),
				hx: 2,
				hy: 2,
				minZ: 0,
				maxZ: 0.4,
			},
		});
		const model = builder.finalize();
		const { overlaps, lift } = startOf(model, new Report(), { findOverlaps: overlapsOf(model) });
		expect(overlaps).toEqual([]);
		// the long leg ends 0.38 m above the origin, and the ground is 0.4 m high there
		expect(lift).toBeCloseTo(0.02, 3);
	});
});
