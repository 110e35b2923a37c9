import { type Model, ModelFlags, type State } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { CollisionPipeline, SAP_WORLDS, type WorldContacts } from '../src/index.ts';
import { makeBuilder } from './make-scene.ts';

/** Numbers between -1 and 1 in a fixed sequence. */
function makeRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

/** Bodies of three shapes each, far from their origins too, above a plane, a box and a short plane that stand still. */
function makeModel(random: () => number): Model {
	const one = makeBuilder();
	for (let i = 0; i < 5; i++) {
		const body = one.addBody({ mass: 1, xform: { p: [random(), random(), random()] } });
		const at = (): { p: number[] } => ({ p: [0.3 * random(), 0.3 * random(), 0.3 * random()] });
		const config = { density: 0, margin: 0.01, gap: 0.02 * i };
		one.addShapeSphere(body, { radius: 0.05, xform: at(), config });
		one.addShapeBox(body, { halfExtents: [0.05, 0.02, 0.1], xform: at(), config });
		one.addShapeCapsule(body, { radius: 0.03, halfHeight: 0.1, xform: at(), config });
	}
	const all = makeBuilder();
	all.addShapePlane({ width: 0, length: 0, xform: { p: [0, 0, -0.4], q: [0.1, 0, 0, Math.sqrt(0.99)] } });
	all.addShapePlane({ width: 0.5, length: 0.5, xform: { p: [0.5, 0.5, 0.2] } });
	all.addShapeBox(-1, { halfExtents: [0.2, 0.2, 0.2], xform: { p: [-0.5, 0, 0] } });
	all.replicate(one, { count: 3, spacing: [0, 0, 0] });
	return all.finalize({ keepInertia: true });
}

/** Puts bodies anywhere, a few of them fast. */
function throwBodies(model: Model, state: State, random: () => number): void {
	for (let body = 0; body < model.bodyCount; body++) {
		const q = state.bodyQ.subarray(7 * body, 7 * body + 7);
		for (let k = 0; k < 7; k++) q[k] = random();
		const length = Math.hypot(...q.subarray(3));
		for (let k = 3; k < 7; k++) q[k]! /= length;
		for (let k = 0; k < 6; k++) state.bodyQd[6 * body + k] = 8 * random() ** 5;
	}
}

function expectSameContacts(found: WorldContacts, expected: WorldContacts): void {
	const rows = expected.rigidCount;
	expect(found.rigidCount).toBe(rows);
	for (const name of ['rigidShape0', 'rigidShape1', 'isAhead'] as const)
		expect(found[name].subarray(0, rows)).toEqual(expected[name].subarray(0, rows));
	for (const name of ['rigidPoint0', 'rigidPoint1', 'rigidNormal'] as const)
		expect(found[name].subarray(0, 3 * rows)).toEqual(expected[name].subarray(0, 3 * rows));
}

describe('spheres around bodies', () => {
	it('leave out no contact: what is found is that of every pair of boxes, bit for bit', () => {
		const random = makeRandom(3);
		const model = makeModel(random);
		const culled = new CollisionPipeline(model, { maxSpeculativeGap: 0.3 });
		const whole = new CollisionPipeline(model, { maxSpeculativeGap: 0.3, broadPhase: 'nxn' });
		const contacts = culled.createContacts({ perWorld: 512 });
		const expected = whole.createContacts({ perWorld: 512 });
		const state = model.createState();
		let found = 0;
		let ahead = 0;
		for (let step = 0; step < 300; step++) {
			throwBodies(model, state, random);
			const options = step % 3 === 0 ? {} : { dt: 0.01, friction: 0.8, relaxation: 0.05 };
			culled.collide(state, contacts, options);
			whole.collide(state, expected, options);
			expectSameContacts(contacts, expected);
			found += contacts.rigidCount;
			ahead += contacts.isAhead.subarray(0, contacts.rigidCount).reduce((sum, is) => sum + is, 0);
		}
		expect(found).toBeGreaterThan(5000);
		expect(ahead).toBeGreaterThan(500);
	});

	it('reach to the corner of a box, and over the gap of the plane below it', () => {
		const builder = makeBuilder();
		const corner = Math.hypot(0.1, 0.2, 0.3);
		// turns the corner (-0.1, -0.2, -0.3) down
		const half = [0.2, -0.1, 0].map((x) => x / Math.hypot(0.2, 0.1));
		const turn = Math.acos(0.3 / corner) / 2;
		const q = [...half.map((x) => -x * Math.sin(turn)), Math.cos(turn)];
		const body = builder.addBody({ mass: 1, xform: { p: [0, 0, corner + 0.0499], q } });
		builder.addShapeBox(body, { halfExtents: [0.1, 0.2, 0.3], config: { gap: 0, density: 0 } });
		builder.addShapePlane({ config: { gap: 0.05 } });
		const model = builder.finalize({ keepInertia: true });
		const pipeline = new CollisionPipeline(model);
		const contacts = pipeline.createContacts();
		const state = model.createState();
		pipeline.collide(state, contacts);
		expect(contacts.rigidCount).toBe(1);
		state.bodyQ[2]! += 0.0002;
		pipeline.collide(state, contacts);
		expect(contacts.rigidCount).toBe(0);
	});

	it('reach to the farthest corner of turned shapes on a turned body, for balls and for planes', () => {
		const random = makeRandom(29);
		const turn = (): number[] => {
			const q = [random(), random(), random(), random()];
			return q.map((x) => x / Math.hypot(...q));
		};
		const rotate = (q: readonly number[], v: readonly number[]): number[] => {
			const cross = (a: readonly number[], b: readonly number[]): number[] => [
				a[1]! * b[2]! - a[2]! * b[1]!,
				a[2]! * b[0]! - a[0]! * b[2]!,
				a[0]! * b[1]! - a[1]! * b[0]!,
			];
			const c = cross(q, v);
			const d = cross(q, c);
			return v.map((x, k) => x + 2 * (q[3]! * c[k]! + d[k]!));
		};
		const plus = (a: readonly number[], b: readonly number[], s = 1): number[] => a.map((x, k) => x + s * b[k]!);
		for (let i = 0; i < 40; i++) {
			const [ownGap, otherGap, radius] = [0.01, 0.02, 0.03];
			const body = { p: [random(), random(), random()], q: turn() };
			const shapes = [0, 1].map(() => ({
				half: [0.2, 0.05, 0.1].map((x) => x * (1.2 + random())),
				p: [0.3 * random(), 0.3 * random(), 0.3 * random()],
				q: turn(),
			}));
			const corners = shapes.flatMap(({ half, p, q }) =>
				Array.from({ length: 8 }, (_, corner) =>
					plus(
						p,
						rotate(
							q,
							half.map((x, k) => (((corner >> k) & 1) === 1 ? x : -x)),
						),
					),
				),
			);
			const middle = [0, 1, 2].map((k) => {
				const along = corners.map((corner) => corner[k]!);
				return 0.5 * (Math.min(...along) + Math.max(...along));
			});
			const far = (corner: readonly number[]): number => Math.hypot(...plus(corner, middle, -1));
			const corner = corners.reduce((a, b) => (far(b) > far(a) ? b : a));
			const out = rotate(body.q, plus(corner, middle, -1)).map((x) => x / far(corner));
			const at = plus(body.p, rotate(body.q, corner));
			/** Contacts with a ball or a plane at a distance beyond the corner. */
			const found = (distance: number, isPlane: boolean): number => {
				const builder = makeBuilder();
				builder.addShapeBox(-1, { halfExtents: [1, 1, 1], xform: { p: [50, 50, 50] }, config: { density: 0 } });
				const decoy = builder.addBody({ mass: 1, xform: { p: [90, 0, 0] } });
				builder.addShapeSphere(decoy, { radius: 0.5, xform: { p: [0.4, 0.2, 0.1] }, config: { density: 0 } });
				const own = builder.addBody({ mass: 1, xform: body });
				for (const { half, p, q } of shapes) {
					const config = { density: 0, gap: ownGap };
					builder.addShapeBox(own, { halfExtents: half, xform: { p, q }, config });
				}
				const config = { density: 0, gap: otherGap };
				if (isPlane) {
					const normal = out.map((x) => -x);
					const height = normal.reduce((sum, x, k) => sum + x * (at[k]! + distance * out[k]!), 0);
					builder.addShapePlane({ plane: [...normal, -height], width: 0, length: 0, config });
				} else builder.addShapeSphere(-1, { radius, xform: { p: plus(at, out, radius + distance) }, config });
				const model = builder.finalize({ keepInertia: true });
				const pipeline = new CollisionPipeline(model);
				const contacts = pipeline.createContacts();
				pipeline.collide(model.createState(), contacts);
				return contacts.rigidCount;
			};
			const reach = ownGap + otherGap;
			expect(found(0.999 * reach, false), `ball ${i}`).toBe(1);
			expect(found(1.001 * reach, false), `ball ${i}`).toBe(0);
			// the decoys are on the other side of some planes
			const none = found(1.001 * reach, true);
			expect(found(0.999 * reach, true) - none, `plane ${i}`).toBe(1);
		}
	});

	it('follow shapes that were moved or have another gap, once they are told', async () => {
		const builder = makeBuilder();
		const body = builder.addBody({ mass: 1, xform: { p: [0, 0, 1] } });
		builder.addShapeSphere(body, { radius: 0.1, config: { gap: 0 } });
		builder.addShapePlane({ config: { gap: 0 } });
		const model = builder.finalize();
		const worlds = await SAP_WORLDS.create({ model, options: {}, prepared: undefined, range: { start: 0, end: 1 } });
		const state = model.createState();
		const count = (): number => worlds.collide!(state, Uint8Array.of(1), 0).rigidCount;
		expect(count()).toBe(0);
		model.shapeGap[0] = 0.95;
		worlds.notifyModelChanged!(ModelFlags.SHAPE_PROPERTIES);
		expect(count()).toBe(1);
		model.shapeGap[0] = 0;
		model.shapeTransform[2] = -0.95;
		worlds.notifyModelChanged!(ModelFlags.SHAPE_PROPERTIES);
		expect(count()).toBe(1);
	});
});
