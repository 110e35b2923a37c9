import { Control, type Model, ModelBuilder, State } from '@manyworlds/model';
import { expect, test } from 'vitest';
import { SolverMujoco } from '../src/index.ts';
import { loadMujoco } from '../src/internal.ts';

const module = await loadMujoco();

/** Boxes that fall onto a plane, each world with masses of its own. */
function makeModel(worlds: number): Model {
	const one = new ModelBuilder();
	const body = one.addBody({ mass: 1, inertia: [0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.03], xform: { p: [0, 0, 0.12] } });
	one.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.1] });
	const link = one.addLink({ mass: 0.5, com: [0.1, 0, 0], inertia: [1e-3, 0, 0, 0, 2e-3, 0, 0, 0, 2e-3] });
	one.addArticulation([one.addJointRevolute({ child: link, axis: 'y', targetKe: 5, targetKd: 0.2, armature: 0.01 })]);
	const builder = new ModelBuilder();
	builder.replicate(one, { count: worlds });
	builder.addGroundPlane();
	const model = builder.finalize();
	for (let world = 0; world < worlds; world++) model.bodyMass[2 * world + 1] = 0.5 + 0.1 * world;
	return model;
}

test('solvers of two runs of worlds, loaded from one compiled model, do what one solver of all does', () => {
	const model = makeModel(5);
	const control = new Control(model);
	const compiled = SolverMujoco.compile(module, model);
	const whole = new SolverMujoco(module, model);
	const parts = [
		new SolverMujoco(module, model, { range: { start: 0, end: 3 }, compiled }),
		new SolverMujoco(module, model, { range: { start: 3, end: 5 }, compiled }),
	];
	let [a, b] = [new State(model), new State(model)];
	let [c, d] = [new State(model), new State(model)];
	for (let i = 0; i < 60; i++) {
		whole.step(a, b, control, undefined, 2e-3);
		for (const part of parts) part.step(c, d, control, undefined, 2e-3);
		[a, b, c, d] = [b, a, d, c];
	}
	for (const name of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const) expect(c[name]).toEqual(a[name]);
	const counts = parts.map((part) => part.outcome.contactCount);
	expect(counts[0]!.map((count, i) => count + counts[1]![i]!)).toEqual(whole.outcome.contactCount);
	expect(Math.min(...whole.outcome.contactCount)).toBeGreaterThan(0);
	for (const solver of [whole, ...parts]) solver.dispose();
});

test('a run that is none of the worlds, and bytes that are no compiled model, are refused', () => {
	const model = makeModel(2);
	const make = (start: number, end: number) => () => new SolverMujoco(module, model, { range: { start, end } });
	for (const [start, end] of [
		[0, 3],
		[1, 1],
		[-1, 1],
	] as const)
		expect(make(start, end)).toThrow(/expected a run of the 2 worlds/);
	expect(() => new SolverMujoco(module, model, { compiled: new Uint8Array(100) })).toThrow(/100 bytes/);
});
