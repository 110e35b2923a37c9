import { ModelBuilder } from '@manyworlds/model';
import { expect, it } from 'vitest';
import { CollisionPipeline, registerSapAttributes, SolverSap } from '../src/index.ts';

/** Boxes that fall into a pen, each turned in its own way. */
function heap(boxes: number): ModelBuilder {
	const builder = new ModelBuilder({ rigidGap: 0.002, defaultShapeConfig: { ke: 1e6, mu: 0.75, gap: 0.002 } });
	registerSapAttributes(builder);
	let seed = 7;
	const random = (): number => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed / 2 ** 32;
	};
	for (let i = 0; i < boxes; i++) {
		const angle = 6 * random();
		const q = [0.6 * Math.sin(angle / 2), 0.8 * Math.sin(angle / 2), 0, Math.cos(angle / 2)];
		const body = builder.addBody({ xform: { p: [0.5 * random() - 0.25, 0.5 * random() - 0.25, 0.3 + 0.08 * i], q } });
		builder.addShapeBox(body, { halfExtents: [0.08, 0.06, 0.05] });
	}
	for (const [x, y] of [
		[1, 0],
		[-1, 0],
		[0, 1],
		[0, -1],
	] as const) {
		const halfExtents = [x === 0 ? 0.5 : 0.05, y === 0 ? 0.5 : 0.05, 3];
		builder.addShapeBox(-1, { halfExtents, xform: { p: [0.45 * x, 0.45 * y, 3] } });
	}
	builder.addShapePlane({ width: 0, length: 0 });
	return builder;
}

// friction whose direction is an unknown of its own saves a tenth of the Newton steps of a few boxes, and a quarter of those of many
it.each([
	['reference', 20, 1400],
	['sparse', 20, 1300],
	['wasm', 20, 1300],
	['wasm', 8, 1090],
] as const)('a heap takes fewer Newton steps when friction is foreseen (%s, %d boxes)', (engine, boxes, most) => {
	const count = countSteps(heap(boxes), engine, 'foreseen');
	expect(count).toBeLessThan(most);
	expect(count).toBeGreaterThan(most / 2);
	expect(countSteps(heap(boxes), engine, 'slip')).toBeGreaterThan(most);
});

/** Newton steps of the first 150 time steps, all of which must converge. */
function countSteps(
	builder: ModelBuilder,
	engine: SolverSap['engine'],
	frictionDirection: 'foreseen' | 'slip',
): number {
	const model = builder.finalize();
	(model.attributes.get('sap:tau') as Float64Array).fill(0.01);
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts({ perWorld: 512 });
	const solver = new SolverSap(model, {
		engine: engine === 'reference' ? 'reference' : 'wasm',
		frictionDirection,
		// what may sleep is solved by blocks of bodies alone; nothing does in this time
		sleepTime: engine === 'sparse' ? 10 : 0,
	});
	expect(solver.engine).toBe(engine);
	let state = model.createState();
	let next = model.createState();
	let iterations = 0;
	for (let step = 0; step < 150; step++) {
		pipeline.collide(state, contacts, solver.lookAhead(0.005));
		solver.step(state, next, undefined, contacts, 0.005);
		expect(solver.outcome.converged[0]).toBe(1);
		iterations += solver.outcome.iterations[0]!;
		[state, next] = [next, state];
	}
	return iterations;
}
