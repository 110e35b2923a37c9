/** How contacts come to the kernels and forces back: the same as with the reference, whichever way they go. */
import { Contacts, type Model, type ModelBuilder, type State } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { CollisionPipeline, SolverSap, type WorldContacts } from '../src/index.ts';
import { makeBuilder } from './make-scene.ts';

const DT = 0.005;
const WORLDS = 37;

/** A ball, a box and a hinged plate over a plane that all worlds share; what each touches has a material of its own. */
function makeWorlds(): Model {
	const one = makeBuilder();
	const ball = one.addBody({ mass: 1, inertia: [0.02, 0, 0, 0, 0.02, 0, 0, 0, 0.02] });
	one.addShapeSphere(ball, { radius: 0.1, config: { ke: 3e4, mu: 0.3, margin: 0.01 } });
	const box = one.addBody({ mass: 2, inertia: [0.05, 0, 0, 0, 0.06, 0, 0, 0, 0.07] });
	one.addShapeBox(box, {
		halfExtents: [0.2, 0.15, 0.1],
		config: { ke: 1e5, mu: 0.9 },
		attributes: { 'sap:tau': 0.004 },
	});
	const all = makeBuilder();
	all.addShapePlane({ width: 0, length: 0, config: { ke: 5e4, mu: 0.6 }, attributes: { 'sap:tau': 0.01 } });
	all.replicate(one, { count: WORLDS, spacing: [0, 0, 0] });
	all.addShapeBox(-1, { halfExtents: [1, 0.1, 1], xform: { p: [0, 1, 0] }, config: { ke: 2e4, mu: 0.2 } });
	const model = all.finalize({ keepInertia: true });
	for (const [shape, world] of model.shapeWorld.entries()) {
		if (world < 0) continue;
		model.shapeMaterialMu[shape]! *= 1 - 0.02 * world;
		model.shapeMaterialKe[shape]! *= 1 + 0.1 * world;
	}
	return model;
}

/** The box lies on the plane and leans on the wall, the ball falls on the box or is about to; other worlds, other speeds. */
function placeWorlds(state: State): void {
	for (let world = 0; world < WORLDS; world++) {
		const q = state.jointQ.subarray(14 * world, 14 * world + 14);
		const v = state.jointQd.subarray(12 * world, 12 * world + 12);
		q.set([0.05, 0.7, world % 3 === 0 ? 0.31 : 0.299, 0, 0, 0, 1, 0, 0.749, 0.0995, 0, 0, 0.02, 1]);
		v.set([0.3, 0.1, -4 - 0.1 * world, 0, 0, 0.5, 0.2, 0.1 * (world % 5), 0, 0, 0, 0.3]);
	}
	state.bodyQ.set(state.jointQ);
	state.bodyQd.set(state.jointQd);
}

/** The next state and the forces by an engine. */
function stepBy(
	engine: 'wasm' | 'reference',
	model: Model,
	state: State,
	contacts: Contacts,
	mask?: Uint8Array,
): State {
	const solver = new SolverSap(model, { engine, contactPointMode: 'contact_midpoint' });
	expect(solver.engine).toBe(engine);
	const next = model.createState();
	next.assign(state);
	solver.step(state, next, undefined, contacts, DT, mask === undefined ? {} : { mask });
	return next;
}

function expectSame(name: string, found: ArrayLike<number>, expected: ArrayLike<number>): void {
	expect(found.length).toBe(expected.length);
	let largest = 0;
	for (let i = 0; i < expected.length; i++) largest = Math.max(largest, Math.abs(expected[i]!));
	expect(largest, name).toBeGreaterThan(0);
	for (let i = 0; i < expected.length; i++) {
		const apart = Math.abs(found[i]! - expected[i]!);
		if (!(apart <= 1e-11 * largest)) expect.fail(`${name}[${i}] is ${found[i]}, expected ${expected[i]}`);
	}
}

function foundContacts(model: Model, state: State): WorldContacts {
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts();
	pipeline.collide(state, contacts, new SolverSap(model).lookAhead(DT));
	return contacts;
}

/** The same contacts in a plain buffer, the last first. */
function turnedRound(model: Model, from: WorldContacts): Contacts {
	const to = new Contacts(model, { rigidCapacity: from.rigidCount, withForce: true });
	for (let i = from.rigidCount - 1; i >= 0; i--) {
		const row = to.nextRigid();
		to.rigidShape0[row] = from.rigidShape0[i]!;
		to.rigidShape1[row] = from.rigidShape1[i]!;
		for (const name of ['rigidPoint0', 'rigidPoint1', 'rigidOffset0', 'rigidOffset1', 'rigidNormal'] as const)
			to[name].set(from[name].subarray(3 * i, 3 * i + 3), 3 * row);
	}
	return to;
}

describe('contacts of the engine', () => {
	const model = makeWorlds();
	const state = model.createState();
	placeWorlds(state);

	it('have the materials of their shapes, in each world its own, and forces as by the reference', () => {
		const contacts = foundContacts(model, state);
		expect(contacts.worldSpeculative.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(WORLDS / 4);
		const found = stepBy('wasm', model, state, contacts);
		const forces = contacts.rigidForce!.slice(0, 6 * contacts.rigidCount);
		const expected = stepBy('reference', model, state, contacts);
		expectSame('jointQd', found.jointQd, expected.jointQd);
		expectSame('rigidForce', forces, contacts.rigidForce!.subarray(0, 6 * contacts.rigidCount));
	});

	it('are taken over again and again from the same rows', () => {
		const pipeline = new CollisionPipeline(model);
		const contacts = pipeline.createContacts();
		const solver = new SolverSap(model);
		const reference = new SolverSap(model, { engine: 'reference' });
		let [now, next] = [model.createState(), model.createState()];
		now.assign(state);
		const expected = model.createState();
		for (let step = 0; step < 22; step++) {
			pipeline.collide(now, contacts, solver.lookAhead(DT));
			reference.step(now, expected, undefined, contacts, DT);
			const forces = contacts.rigidForce!.slice(0, 6 * contacts.rigidCount);
			solver.step(now, next, undefined, contacts, DT);
			expectSame(`jointQd after ${step}`, next.jointQd, expected.jointQd);
			expectSame(`rigidForce after ${step}`, contacts.rigidForce!.subarray(0, forces.length), forces);
			[now, next] = [next, now];
		}
	});

	it('of another buffer are not taken for those of the last one, which has as many', () => {
		const [first, second] = [foundContacts(model, state), foundContacts(model, state)];
		for (let i = 0; i < 3 * second.rigidCount; i++) second.rigidPoint0[i]! += 1e-3;
		const solver = new SolverSap(model);
		const next = model.createState();
		// long enough for views of the rows of the first one
		for (let step = 0; step < 20; step++) solver.step(state, next, undefined, first, DT);
		const before = next.jointQd.slice();
		solver.step(state, next, undefined, second, DT);
		const alone = model.createState();
		new SolverSap(model).step(state, alone, undefined, second, DT);
		expect(next.jointQd).toEqual(alone.jointQd);
		expect(next.jointQd).not.toEqual(before);
	});

	it('of worlds that are left out have no force, those of others have theirs', () => {
		const contacts = foundContacts(model, state);
		const mask = Uint8Array.from({ length: WORLDS }, (_, world) => (world % 5 === 2 || world === 18 ? 0 : 1));
		const found = stepBy('wasm', model, state, contacts, mask);
		const forces = contacts.rigidForce!.slice(0, 6 * contacts.rigidCount);
		const expected = stepBy('reference', model, state, contacts, mask);
		expectSame('jointQd', found.jointQd, expected.jointQd);
		expectSame('rigidForce', forces, contacts.rigidForce!.subarray(0, forces.length));
		const { worldStart } = contacts;
		for (let world = 0; world < WORLDS; world++) {
			const own = forces.subarray(6 * worldStart[world]!, 6 * worldStart[world + 1]!);
			expect(own.some((force) => force !== 0)).toBe(mask[world] === 1);
		}
	});

	it('in a plain buffer, in another order, do the same', () => {
		const contacts = turnedRound(model, foundContacts(model, state));
		const mask = Uint8Array.from({ length: WORLDS }, (_, world) => (world % 4 === 1 ? 0 : 1));
		for (const own of [undefined, mask]) {
			const found = stepBy('wasm', model, state, contacts, own);
			const forces = contacts.rigidForce!.slice();
			const expected = stepBy('reference', model, state, contacts, own);
			expectSame('jointQd', found.jointQd, expected.jointQd);
			expectSame('rigidForce', forces, contacts.rigidForce!);
		}
	});

	it('feel materials that were changed since the last step', () => {
		const changed = makeWorlds();
		const contacts = foundContacts(changed, state);
		const solver = new SolverSap(changed);
		const next = changed.createState();
		solver.step(state, next, undefined, contacts, DT);
		const before = next.jointQd.slice();
		changed.shapeMaterialMu.fill(0.01);
		changed.shapeMaterialKe.fill(1e4);
		solver.step(state, next, undefined, contacts, DT);
		const expected = stepBy('reference', changed, state, contacts);
		expect(next.jointQd).not.toEqual(before);
		expectSame('jointQd', next.jointQd, expected.jointQd);
	});

	it('with a turned body that nothing moves are where the model has it', () => {
		const builder: ModelBuilder = makeBuilder();
		const ramp = builder.addLink({ mass: 1, xform: { p: [0.3, -0.2, 0.4], q: [0.1, 0.2, 0.3, Math.sqrt(0.86)] } });
		builder.addShapeBox(ramp, { halfExtents: [1, 1, 0.1], xform: { p: [0.1, 0.2, -0.1] }, config: { mu: 0.5 } });
		const ball = builder.addBody({ mass: 1, xform: { p: [0.35, -0.1, 0.49] } });
		builder.addShapeSphere(ball, { radius: 0.1, config: { mu: 0.5 } });
		const alone = builder.finalize();
		const start = alone.createState();
		const contacts = foundContacts(alone, start);
		expect(contacts.rigidCount).toBeGreaterThan(0);
		const found = stepBy('wasm', alone, start, contacts);
		const forces = contacts.rigidForce!.slice(0, 6);
		const expected = stepBy('reference', alone, start, contacts);
		expectSame('jointQd', found.jointQd, expected.jointQd);
		expectSame('rigidForce', forces, contacts.rigidForce!.subarray(0, 6));
	});
});
