import { describe, expect, it } from 'vitest';
import { CollisionPipeline } from '../src/index.ts';
import { makeBuilder } from './make-scene.ts';

/** Numbers between -1 and 1 in a fixed sequence. */
function makeRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

/** A round body of many corners. */
function roundMesh(random: () => number): { vertices: Float64Array; indices: Uint32Array } {
	const vertices = new Float64Array(240);
	for (let i = 0; i < 80; i++) {
		const v = [random(), random(), random()];
		const length = Math.hypot(...v);
		for (let k = 0; k < 3; k++) vertices[3 * i + k] = ((0.2 + 0.05 * k) * v[k]!) / length;
	}
	return { vertices, indices: Uint32Array.from({ length: 78 }, (_, i) => i) };
}

describe('directions that are remembered', () => {
	it('change no contact: a pipeline with a past finds what a new one finds, bit for bit', () => {
		const random = makeRandom(5);
		const builder = makeBuilder();
		// with a gap, shapes that are apart by less than it have contacts too
		const config = { gap: 0.03, density: 0 };
		for (let i = 0; i < 6; i++) {
			const body = builder.addBody({ mass: 1, xform: { p: [0.45 * (i % 3), 0.45 * Math.floor(i / 3), 0] } });
			if (i % 3 === 2) builder.addShapeCylinder(body, { radius: 0.15, halfHeight: 0.2, config });
			else builder.addShapeConvex(body, { mesh: roundMesh(random), config });
		}
		const model = builder.finalize({ keepInertia: true });
		const state = model.createState();
		const old = new CollisionPipeline(model);
		const contacts = old.createContacts({ perWorld: 128 });
		let found = 0;
		let apart = 0;
		for (let step = 0; step < 120; step++) {
			for (let body = 0; body < model.bodyCount; body++) {
				for (let k = 0; k < 3; k++) state.bodyQ[7 * body + k]! += 0.004 * random();
				const q = state.bodyQ.subarray(7 * body + 3, 7 * body + 7);
				for (let k = 0; k < 4; k++) q[k]! += 0.02 * random();
				const length = Math.hypot(...q);
				for (let k = 0; k < 4; k++) q[k]! /= length;
			}
			old.collide(state, contacts);
			const fresh = new CollisionPipeline(model);
			const expected = fresh.createContacts({ perWorld: 128 });
			fresh.collide(state, expected);
			expect(contacts.rigidCount).toBe(expected.rigidCount);
			for (const name of ['rigidPoint0', 'rigidPoint1', 'rigidNormal'] as const)
				expect([...contacts[name].subarray(0, 3 * expected.rigidCount)], `step ${step} ${name}`).toEqual([
					...expected[name].subarray(0, 3 * expected.rigidCount),
				]);
			found += expected.rigidCount;
			apart += old.overlappingPairs(0).length / 2 - new Set(expected.rigidShape0.subarray(0, expected.rigidCount)).size;
		}
		// pairs that touch, and pairs whose boxes overlap without
		expect(found).toBeGreaterThan(100);
		expect(apart).toBeGreaterThan(100);
	});
});

describe('two shapes', () => {
	it('are where they are and as fast as they are in every call', () => {
		const builder = makeBuilder();
		const config = { gap: 0.001, density: 0 };
		const low = builder.addBody({ mass: 1 });
		builder.addShapeCylinder(low, { radius: 0.2, halfHeight: 0.1, config });
		const high = builder.addBody({ mass: 1, xform: { p: [0, 0, 0.3] } });
		builder.addShapeBox(high, { halfExtents: [0.1, 0.1, 0.1], config });
		const model = builder.finalize({ keepInertia: true });
		const state = model.createState();
		const pipeline = new CollisionPipeline(model);
		const contacts = pipeline.createContacts();
		const heights: number[] = [];
		for (const [height, speed] of [
			[0.3, 0],
			[0.201, 0],
			[0.2, 0],
			[0.21, 0],
			[0.21, -2],
			[0.21, 2],
		] as const) {
			state.bodyQ[7 * high + 2] = height;
			state.bodyQd[6 * high + 2] = speed;
			pipeline.collide(state, contacts, { dt: 0.01 });
			// the point on the box is at its underside
			heights.push(contacts.rigidCount === 0 ? -1 : height + contacts.rigidPoint1[2]! - contacts.rigidPoint0[2]!);
		}
		const expected = [-1, 0.001, 0, -1, 0.01, -1];
		for (const [i, value] of heights.entries()) expect(value, `call ${i}`).toBeCloseTo(expected[i]!, 12);
	});
});

describe('contacts that are looked for ahead', () => {
	it('are those whose points may meet within the time, however the bodies turn', () => {
		const random = makeRandom(11);
		const [ahead, friction, relaxation] = [0.01, 0.8, 0.02];
		const aside = friction * (ahead + relaxation);
		const most = 0.1;
		let found = 0;
		let left = 0;
		for (let i = 0; i < 800; i++) {
			const builder = makeBuilder();
			const radii = [0.05 + 0.04 * random(), 0.3 + 0.2 * random()];
			const bodies = radii.map((radius) => {
				const body = builder.addBody({ mass: 1, com: [0.2 * random(), 0.2 * random(), 0.2 * random()] });
				builder.addShapeSphere(body, { radius, xform: { p: [0.3 * random(), 0.3 * random(), 0.3 * random()] } });
				return body;
			});
			const model = builder.finalize({ keepInertia: true });
			const state = model.createState();
			const turn = i % 2 === 0 ? [6 * random(), 6 * random(), 6 * random()] : undefined;
			for (const body of bodies) {
				for (let k = 0; k < 3; k++) state.bodyQd[6 * body + k] = random();
				// often both turn alike, as limbs of one robot do
				for (let k = 0; k < 3; k++) state.bodyQd[6 * body + 3 + k] = turn?.[k] ?? 8 * random();
			}
			// a gap of up to the most that is looked ahead
			const direction = [random(), random(), random()];
			const length = Math.hypot(...direction);
			const gap = 0.06 + 0.06 * random();
			for (let k = 0; k < 3; k++) {
				const between = (direction[k]! / length) * (radii[0]! + radii[1]! + gap);
				state.bodyQ[7 + k] = model.shapeTransform[k]! - model.shapeTransform[7 + k]! + between;
			}
			const velocityAt = (body: number, p: readonly number[]): number[] => {
				const [w, v] = [
					state.bodyQd.subarray(6 * body + 3, 6 * body + 6),
					state.bodyQd.subarray(6 * body, 6 * body + 3),
				];
				const r = p.map((x, k) => x - state.bodyQ[7 * body + k]! - model.bodyCom[3 * body + k]!);
				return [
					v[0]! + w[1]! * r[2]! - w[2]! * r[1]!,
					v[1]! + w[2]! * r[0]! - w[0]! * r[2]!,
					v[2]! + w[0]! * r[1]! - w[1]! * r[0]!,
				];
			};
			const n = direction.map((x) => x / length);
			const centre0 = [0, 1, 2].map((k) => state.bodyQ[k]! + model.shapeTransform[k]!);
			const point0 = centre0.map((x, k) => x + radii[0]! * n[k]!);
			const point1 = point0.map((x, k) => x + gap * n[k]!);
			const [v0, v1] = [velocityAt(0, point0), velocityAt(1, point1)];
			const relative = v1.map((x, k) => x - v0[k]!);
			const leaving = relative.reduce((sum, x, k) => sum + x * n[k]!, 0);
			const sliding = Math.sqrt(Math.max(0, relative.reduce((sum, x) => sum + x * x, 0) - leaving * leaving));
			const way = Math.min(most, ahead * Math.max(0, -leaving) + aside * sliding);
			if (Math.abs(gap - way) < 1e-9) continue;
			const pipeline = new CollisionPipeline(model, { maxSpeculativeGap: most });
			const contacts = pipeline.createContacts();
			pipeline.collide(state, contacts, { dt: ahead, friction, relaxation });
			expect(contacts.rigidCount, `case ${i}: ${gap} m apart, ${way} m ahead`).toBe(gap < way ? 1 : 0);
			if (gap < way) found++;
			else left++;
		}
		expect(found).toBeGreaterThan(150);
		expect(left).toBeGreaterThan(150);
	});
});
