import { Control, type Model, ModelBuilder, State } from '@manyworlds/model';
import { loadMujoco, SolverMujoco } from '@manyworlds/mujoco';
import type { BenchSuite, BenchTask, Contender, Facts } from '../harness/task.ts';

/** Steps of a run, all worlds together. */
const WORLD_STEPS = 4096;

/** SolverMujoco next to the bare engine on the same compiled model. */
export const suite: BenchSuite = {
	name: 'mujoco',
	prepare: async () => {
		await loadMujoco();
		return 'a chain of thirty driven hinges above a plane, implicitfast; the bare engine steps the model that was compiled for the solver';
	},
	tasks: [stepTask(1), stepTask(16), stepTask(256), stepTask(1024)],
};

function stepTask(worlds: number): BenchTask {
	const steps = Math.max(4, WORLD_STEPS / worlds);
	return {
		kind: 'task',
		name: `chain30-${worlds}`,
		title: `${steps} steps of ${worlds} ${worlds === 1 ? 'world' : 'worlds'}`,
		rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
		contenders: [
			ours('manyworlds', worlds, steps, true),
			ours('manyworlds, joints only', worlds, steps, false),
			bare(worlds, steps),
		],
		outside: [],
	};
}

function ours(name: string, worlds: number, steps: number, updateBodies: boolean): Contender {
	return {
		name,
		prepare: async () => {
			const model = chainModel(worlds);
			const solver = await SolverMujoco.create(model, { updateBodies });
			const control = new Control(model);
			return {
				run: () => {
					let [now, next] = [new State(model), new State(model)];
					solver.reset(now);
					for (let i = 0; i < steps; i++) {
						solver.step(now, next, control, undefined, 0.002);
						[now, next] = [next, now];
					}
					return now.jointQ[0];
				},
				check: (result) => facts(result as number, steps * worlds, { 'bytes per world': solver.bytesPerWorld }),
			};
		},
	};
}

/** The engine alone: one state stepped as often, without copying anything in or out. */
function bare(worlds: number, steps: number): Contender {
	return {
		name: '@mujoco/mujoco',
		prepare: async () => {
			const solver = await SolverMujoco.create(chainModel(1));
			const { module, mj, data } = solver.compiled;
			return {
				run: () => {
					module.mj_resetData(mj, data);
					for (let i = 0; i < steps * worlds; i++) module.mj_step(mj, data);
					return (data.qpos as Float64Array)[0];
				},
				check: (result) => facts(result as number, steps * worlds, {}),
			};
		},
	};
}

function facts(coordinate: number, worldSteps: number, more: Facts): Facts {
	if (!(Math.abs(coordinate) < 10)) throw new Error(`the first joint is at ${coordinate} rad`);
	return { 'world-steps': worldSteps, ...more };
}

function chainModel(worlds: number): Model {
	const chain = new ModelBuilder();
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < 30; i++) {
		const link = chain.addLink({ mass: 0.3, com: [0, 0, -0.05], inertia: [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 2e-4] });
		joints.push(
			chain.addJointRevolute({
				parent,
				child: link,
				axis: i % 2 === 0 ? 'x' : 'y',
				parentXform: { p: [0, 0, i === 0 ? 4 : -0.1] },
				targetKe: 50,
				targetKd: 1,
				armature: 0.01,
			}),
		);
		parent = link;
	}
	chain.addArticulation(joints);
	const scene = new ModelBuilder();
	scene.replicate(chain, { count: worlds });
	return scene.finalize();
}
