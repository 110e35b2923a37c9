import { type Model, ModelBuilder, type State } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { EnergyAccount, type EnergyBooks } from '../src/energy/energy-account.ts';

const DT = 0.002;
const GRAVITY = 10;

/** A body of 2 kg in each of some worlds. */
function makeModel(worlds = 1): Model {
	const world = new ModelBuilder({ gravity: [0, 0, -GRAVITY] });
	world.addBody({ label: 'bob', mass: 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
	const all = new ModelBuilder();
	all.replicate(world, { count: worlds, spacing: [1, 0, 0] });
	return all.finalize();
}

function open(model: Model, state: State, world = 0): { readonly books: EnergyBooks; readonly account: EnergyAccount } {
	const numbers = (): Float64Array => new Float64Array(model.worldCount);
	const books = { work: numbers(), energyGain: numbers(), energyGainStep: numbers() };
	const account = new EnergyAccount(model, books);
	account.open(world, state);
	return { books, account };
}

/** Puts the body of a world to a height with a speed. */
function put(state: State, height: number, speed: number, body = 0): void {
	state.bodyQ[7 * body + 2] = height;
	state.bodyQd[6 * body + 2] = speed;
	state.jointQd[6 * body + 2] = speed;
}

describe('an energy account', () => {
	it('finds nothing in a fall, and nothing in a stop', () => {
		const model = makeModel();
		const state = model.createState();
		put(state, 1, 0);
		const { account, books } = open(model, state);
		for (let step = 1; step <= 200; step++) {
			const time = step * DT;
			put(state, 1 - 0.5 * GRAVITY * time * time, -GRAVITY * time);
			account.enter(0, state, 0, step);
		}
		put(state, 0.2, 0);
		account.enter(0, state, 0, 200);
		expect(books).toMatchObject({ energyGain: Float64Array.of(0), energyGainStep: Float64Array.of(-1) });
	});

	it('tells how much came from nothing, and in which step', () => {
		const model = makeModel();
		const state = model.createState();
		const { account, books } = open(model, state);
		account.enter(0, state, 0, 0);
		put(state, 0, 3);
		account.enter(0, state, 0, 1);
		expect(books.energyGain[0]).toBeCloseTo(0.5 * 2 * 9, 12);
		expect(books.energyGainStep[0]).toBe(1);
	});

	it('counts the work that was done as an explanation, to 1 %', () => {
		const model = makeModel();
		const state = model.createState();
		for (const [work, gain] of [
			[100, 0],
			[99, 0],
			[97, 3],
		] as const) {
			put(state, 0, 0);
			const { account, books } = open(model, state);
			put(state, 0, 10);
			account.enter(0, state, work, 0);
			expect(books.energyGain[0]).toBeCloseTo(gain, 9);
			expect(books.work[0]).toBe(work);
		}
	});

	it('lets a contact give back what it took a moment ago, and no more', () => {
		const model = makeModel();
		const state = model.createState();
		put(state, 0, -2);
		const { account, books } = open(model, state);
		put(state, 0, 0);
		account.enter(0, state, 0, 0);
		put(state, 0, 1.9);
		account.enter(0, state, 0, 1);
		expect(books.energyGain[0]).toBe(0);
		put(state, 0, 3);
		account.enter(0, state, 0, 2);
		expect(books.energyGain[0]).toBeGreaterThan(4);
	});

	it('finds an explosion after energy was lost for long', () => {
		const model = makeModel();
		const state = model.createState();
		put(state, 0, -20);
		const { account, books } = open(model, state);
		put(state, 0, 0);
		for (let step = 0; step < 500; step++) account.enter(0, state, 0, step);
		put(state, 0, 10);
		account.enter(0, state, 0, 500);
		expect(books.energyGain[0]).toBeGreaterThan(90);
		expect(books.energyGainStep[0]).toBe(500);
	});

	it('counts rotors: armature turns with its joint', () => {
		const builder = new ModelBuilder({ gravity: [0, 0, 0] });
		const link = builder.addLink({ mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
		builder.addArticulation([builder.addJointRevolute({ parent: -1, child: link, axis: 'z', armature: 3 })]);
		const model = builder.finalize();
		const state = model.createState();
		const { account, books } = open(model, state);
		state.jointQd[0] = 2;
		state.bodyQd[5] = 2;
		// a work of 8 J is what body and rotor hold; the body alone holds 2 J
		account.enter(0, state, 8, 0);
		expect(books.energyGain[0]).toBe(0);
		account.resume(0, state);
		state.jointQd[0] = 0;
		state.bodyQd[5] = 0;
		account.enter(0, state, -8, 1);
		expect(books.energyGain[0]).toBe(0);
	});

	it('does not count what somebody changed between steps, and keeps worlds apart', () => {
		const model = makeModel(2);
		const state = model.createState();
		const { account, books } = open(model, state, 1);
		put(state, 5, 7, 1);
		account.resume(1, state);
		account.enter(1, state, 0, 0);
		put(state, 5, 70, 0);
		account.enter(1, state, 0, 1);
		expect([...books.energyGain]).toEqual([0, 0]);
	});
});
