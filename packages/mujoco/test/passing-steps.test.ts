import { type Model, ModelBuilder, State } from '@manyworlds/model';
import { WorldFault, WorldRunner } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { MUJOCO_WORLDS } from '../src/index.ts';
import { withSolver } from './support.ts';

const DT = 2e-3;

/** Three worlds with a swinging arm and a box that falls on a plane. */
function makeModel(): Model {
	const one = new ModelBuilder({ rigidGap: 0 });
	const arm = one.addLink({ mass: 1, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1], com: [0.1, 0, 0] });
	one.addArticulation([one.addJointRevolute({ child: arm, axis: 'y', parentXform: { p: [0, 0, 1] } })]);
	const box = one.addBody({ xform: { p: [2, 0, 0.11] } });
	one.addShapeBox(box, { halfExtents: [0.1, 0.1, 0.1] });
	const all = new ModelBuilder({ rigidGap: 0 });
	all.replicate(one, { count: 3 });
	all.addGroundPlane();
	return all.finalize();
}

async function makeRunner(model: Model): Promise<WorldRunner> {
	return WorldRunner.create(model, {
		solver: 'mujoco',
		solvers: { mujoco: async () => MUJOCO_WORLDS },
		workers: 0,
		accountsEnergy: false,
		maxSpeed: 20,
	});
}

describe('steps that another follows at once', () => {
	it('leave bodies as they are when nobody reads them, and joints move alike', () => {
		const model = makeModel();
		withSolver(model, (solver) => {
			const [now, next, full] = [new State(model), new State(model), new State(model)];
			next.bodyQ.fill(7);
			next.bodyQd.fill(7);
			solver.step(now, next, undefined, undefined, DT, { bodies: false });
			expect([...new Set([...next.bodyQ, ...next.bodyQd])]).toEqual([7]);
			solver.reset(now);
			solver.step(now, full, undefined, undefined, DT);
			expect(next.jointQ).toEqual(full.jointQ);
			for (let world = 0; world < 3; world++) solver.placeBodies(world, next);
			expect(next.bodyQ).toEqual(full.bodyQ);
			expect(next.bodyQd).toEqual(full.bodyQd);
		});
	});

	it('end with the bodies of steps one by one', async () => {
		const [together, apart] = [await makeRunner(makeModel()), await makeRunner(makeModel())];
		await together.step(DT, { steps: 12 });
		for (let i = 0; i < 12; i++) await apart.step(DT);
		for (const name of ['jointQ', 'bodyQ', 'bodyQd'] as const) expect(together.state[name]).toEqual(apart.state[name]);
		await together.dispose();
		await apart.dispose();
	});

	it('hold a world that fails among them with bodies where its joints are', async () => {
		const model = makeModel();
		const runner = await makeRunner(model);
		// falls from a height that makes it too fast after some steps
		const coordinates = model.jointCoordCount / 3;
		runner.state.jointQ[coordinates + 3] = 500;
		runner.state.jointQd[model.jointDofCount / 3 + 3] = -19.95;
		await runner.step(DT, { steps: 12 });
		expect([...runner.statistics.fault]).toEqual([WorldFault.NONE, WorldFault.TOO_FAST, WorldFault.NONE]);
		expect(runner.statistics.faultStep[1]).toBeGreaterThan(1);
		const height = runner.state.jointQ[coordinates + 3]!;
		expect(height).toBeLessThan(499.95);
		expect(runner.state.bodyQ[7 * 3 + 2]).toBe(height);
		await runner.dispose();
	});
});

describe('forces on bodies', () => {
	it('come to the bits of each world alone, while they come and go in turn', () => {
		const push = (state: State, world: number, at: number, step: number): void => {
			state.bodyF.fill(0, 6 * at, 6 * at + 12);
			if ((step + world) % 3 === 0) state.bodyF.set([1, 2, 3, 0.1, 0.2, 0.3], 6 * at + 6);
		};
		const model = makeModel();
		const several = withSolver(model, (solver) => {
			let [now, next] = [new State(model), new State(model)];
			for (let step = 0; step < 20; step++) {
				for (let world = 0; world < 3; world++) push(now, world, 2 * world, step);
				solver.step(now, next, undefined, undefined, DT);
				[now, next] = [next, now];
			}
			return now.jointQ;
		});
		for (let world = 0; world < 3; world++) {
			withSolver(model, (solver) => {
				let [now, next] = [new State(model), new State(model)];
				for (let step = 0; step < 20; step++) {
					push(now, world, 2 * world, step);
					solver.step(now, next, undefined, undefined, DT, { range: { start: world, end: world + 1 } });
					[now, next] = [next, now];
				}
				const width = model.jointCoordCount / 3;
				expect(several.slice(world * width, world * width + width)).toEqual(
					now.jointQ.slice(world * width, world * width + width),
				);
			});
		}
		expect(several.slice(0, 8)).not.toEqual(several.slice(8, 16));
	});
});
