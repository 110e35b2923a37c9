import { ModelBuilder, State } from '@manyworlds/model';
import { chooseQuantities } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { simulate } from '../src/command/run/simulate.ts';
import type { Simulation } from '../src/command/run/simulation.ts';
import { SOLVERS, type SolverName } from '../src/command/run/solver-names.ts';
import { summaryText } from '../src/command/run/summary.ts';

/** Three boxes that fall, each in its own world. */
function makeSimulation(disturb: (state: State) => void): Simulation {
	const world = new ModelBuilder();
	const box = world.addBody({ xform: { p: [0, 0, 1] }, label: 'box' });
	world.addShapeBox(box, { halfExtents: [0.1, 0.1, 0.1] });
	const all = new ModelBuilder();
	all.replicate(world, { count: 3, spacing: [2, 0, 0] });
	all.addGroundPlane();
	const model = all.finalize();
	const start = new State(model);
	disturb(start);
	return { file: 'boxes', model, contactDefaults: 'newton', start, dt: 0.005, stepper: {} };
}

async function run(solver: SolverName, disturb: (state: State) => void) {
	const sink = { write: () => true };
	const context = new CommandContext({ stdout: sink, stderr: sink, env: {}, cwd: '/', now: () => 0 });
	const simulation = makeSimulation(disturb);
	const world = 2;
	const quantities = chooseQuantities(simulation.model, world, ['position', 'velocity']);
	if (typeof quantities === 'string') throw new Error(quantities);
	const result = await simulate(context, simulation, { solver, steps: 20, world, quantities, jobs: 1 });
	return { context, simulation, result: result! };
}

describe.each(SOLVERS)('a world that diverges with %s', (solver) => {
	it('is held and reported by number, step and reason; the others are not touched', async () => {
		const calm = await run(solver, () => {});
		const disturbed = await run(solver, (state) => {
			state.jointQd[6] = 1e200;
			state.bodyQd[6] = 1e200;
		});
		expect(disturbed.result.failures).toEqual([
			{ world: 1, step: expect.any(Number), reason: expect.stringMatching(/finite|moves at/) },
		]);
		expect(disturbed.result.recording.rows).toEqual(calm.result.recording.rows);
		expect(disturbed.context.findings.toArray().map(({ code, message }) => `${code} ${message}`)).toContainEqual(
			expect.stringMatching(
				new RegExp(`^CLI020 ${solver}: world 1 diverged in step \\d+: .* the other worlds went on$`),
			),
		);
		expect([calm.context.exitCode(), disturbed.context.exitCode()]).toEqual([0, 1]);
		expect(summaryText(disturbed.simulation, [disturbed.result])).toContain('1 of 3 worlds diverged');
	});
});

it('counts a speed that no robot has as divergence', async () => {
	const { result } = await run('sap', (state) => {
		state.jointQd[0] = 2e6;
	});
	const reason = "joint 'box_free_joint' moves at 2.00e+6 m/s or rad/s";
	expect(result.failures).toEqual([{ world: 0, step: 1, reason }]);
});
