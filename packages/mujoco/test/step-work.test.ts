import { JointTargetMode, type Model, ModelBuilder, type State } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { EnergyAccount, energyOf, type Solver } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { SolverMujoco } from '../src/index.ts';

const DT = 0.001;

const SOLVERS: Readonly<Record<string, (model: Model) => Promise<Solver> | Solver>> = {
	sap: (model) => new SolverSap(model),
	mujoco: (model) => SolverMujoco.create(model),
};

/** An arm of two links with drives, and a block that floats. */
function makeModel(effort = 0): Model {
	const builder = new ModelBuilder();
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < 2; i++) {
		const link = builder.addLink({ mass: 1.5, com: [0.2, 0, 0], inertia: [0.01, 0, 0, 0, 0.03, 0, 0, 0, 0.03] });
		joints.push(
			builder.addJointRevolute({
				parent,
				child: link,
				axis: 'y',
				parentXform: { p: [i === 0 ? 0 : 0.4, 0, 0] },
				targetKe: 80,
				targetKd: 2,
				targetPos: 0.6,
				armature: 0.02,
				actuatorMode: JointTargetMode.POSITION_VELOCITY,
				...(effort > 0 && { effortLimit: effort }),
			}),
		);
		parent = link;
	}
	builder.addArticulation(joints);
	builder.addBody({ label: 'block', mass: 2, inertia: [0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.3], xform: { p: [3, 0, 0] } });
	return builder.finalize();
}

/** Steps a model, and gives the work that the solver told and what energy changed by. */
async function run(name: string, model: Model, disturb: (state: State) => void = () => {}) {
	const solver = await SOLVERS[name]!(model);
	let [now, next] = [model.createState(), model.createState()];
	const control = model.createControl();
	control.jointF[0] = 1;
	const work = new Float64Array(1);
	const books = { work: new Float64Array(1), energyGain: new Float64Array(1), energyGainStep: new Float64Array(1) };
	const account = new EnergyAccount(model, books);
	const total = (state: State): number => {
		const { kinetic, potential } = energyOf(model, state, 0);
		let rotors = 0;
		for (let dof = 0; dof < 2; dof++) rotors += 0.5 * model.jointArmature[dof]! * state.jointQd[dof]! ** 2;
		return kinetic + potential + rotors;
	};
	disturb(now);
	disturb(next);
	account.open(0, now);
	const before = total(now);
	let turned = 0;
	for (let step = 0; step < 400; step++) {
		const told = work[0]!;
		solver.step(now, next, control, undefined, DT, { work });
		[now, next] = [next, now];
		turned += Math.abs(work[0]! - told);
		account.enter(0, now, work[0]! - told, step);
	}
	const change = total(now) - before;
	solver.dispose();
	return { change, work: work[0]!, turned, gain: books.energyGain[0]! };
}

describe.each(Object.keys(SOLVERS))('work that %s tells', (name) => {
	it('is what the energy of driven joints changes by', async () => {
		const { change, work, turned, gain } = await run(name, makeModel());
		expect(turned).toBeGreaterThan(5);
		expect(Math.abs(change - work)).toBeLessThan(0.01 * turned);
		expect(gain).toBe(0);
	});

	it('is that of the force that a limit leaves', async () => {
		const { change, work, turned, gain } = await run(name, makeModel(6));
		expect(turned).toBeGreaterThan(1);
		expect(Math.abs(change - work)).toBeLessThan(0.01 * turned);
		expect(gain).toBe(0);
	});

	it('counts forces on bodies', async () => {
		const pushed = await run(name, makeModel(), (state) => {
			state.bodyF.set([0, 0, 40, 0, 0, 0.2], 6 * 2);
		});
		const idle = await run(name, makeModel());
		expect(pushed.work - idle.work).toBeGreaterThan(20);
		expect(Math.abs(pushed.change - pushed.work)).toBeLessThan(0.01 * pushed.turned);
	});
});
