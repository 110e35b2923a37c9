import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { importAsset } from '@manyworlds/import';
import { ArticulatedDynamics, hashState, type Model, ModelBuilder } from '@manyworlds/model';
import { FileStore } from '@manyworlds/node';
import { WorldRunner } from '@manyworlds/worlds';
import { NodeWorkerHost, WORLD_SOLVERS } from 'manyworlds/internal';
import type { BenchSuite, BenchTask, Contender } from '../harness/task.ts';
import { busiestSince, threadTimes } from '../harness/thread-times.ts';
import { g1Recipe, hasG1 } from './sap-scenes.ts';

const WORLDS = 256;
/** Steps of a run, in one call. */
const STEPS = 16;

const EGRET = fileURLToPath(new URL('../../examples/robots/egret/egret.usda', import.meta.url));

/** Worlds stepped by threads: how much faster two are than one. */
export const suite: BenchSuite = {
	name: 'workers',
	prepare: async () =>
		`${WORLDS} worlds, ${availableParallelism()} processors, load average ${loadavg()[0]!.toFixed(1)}: the ratio of two workers to one means something only while two processors are free${hasG1 ? '' : '; the G1 is not in ../shared/assets'}`,
	tasks: [
		...['sap', 'mujoco'].map((solver) => workerTask('egret', solver, 0.002, makeEgret)),
		...(hasG1 ? ['sap', 'mujoco'].map((solver) => workerTask('g1', solver, 0.003, makeG1)) : []),
	],
};

function workerTask(robot: string, solver: string, dt: number, make: () => Model): BenchTask {
	const contender = (name: string, workers: number): Contender => ({
		name,
		prepare: async () => {
			const model = make();
			const expected = await endOf(model, solver, dt);
			const runner = await WorldRunner.create(model, {
				solver,
				workers,
				...(workers > 0 ? { host: new NodeWorkerHost() } : { solvers: WORLD_SOLVERS }),
			});
			let busiest = Number.POSITIVE_INFINITY;
			return {
				run: async () => {
					const before = threadTimes();
					await runner.reset();
					await runner.step(dt, { steps: STEPS });
					busiest = Math.min(busiest, busiestSince(before) ?? Number.POSITIVE_INFINITY);
				},
				check: () => {
					if (runner.failures.length > 0) throw new Error(`world ${runner.failures[0]!.world} diverged`);
					const found = hashState(runner.state);
					if (found !== expected) throw new Error(`the state has the hash ${found}, in one thread it has ${expected}`);
					const { contactTotal, stepCount } = runner.statistics;
					return {
						'world-steps': WORLDS * STEPS,
						'contacts per step': contactTotal[0]! / stepCount[0]!,
						...(Number.isFinite(busiest) ? { 'processor ms of the busiest thread': busiest } : {}),
					};
				},
			};
		},
	});
	return {
		kind: 'task',
		name: `${robot}-${solver}-${WORLDS}`,
		title: `${STEPS} steps of the ${robot} in ${WORLDS} worlds with ${solver}, bits checked against one thread`,
		rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
		contenders: [contender('2 workers', 2), contender('1 worker', 1), contender('calling thread', 0)],
		outside: [],
	};
}

/** Hash of the state that the calling thread comes to. */
async function endOf(model: Model, solver: string, dt: number): Promise<string> {
	const runner = await WorldRunner.create(model, { solver, solvers: WORLD_SOLVERS });
	await runner.step(dt, { steps: STEPS });
	const hash = hashState(runner.state);
	await runner.dispose();
	return hash;
}

function makeEgret(): Model {
	const robot = new ModelBuilder();
	importAsset(EGRET, robot, { store: new FileStore({ roots: ['/'] }) });
	const scene = new ModelBuilder();
	scene.replicate(robot, { count: WORLDS, spacing: [0, 0, 0] });
	scene.addGroundPlane();
	const model = scene.finalize();
	model.shapeMaterialKe.fill(1e5);
	model.shapeGap.fill(0.005);
	return model;
}

function makeG1(): Model {
	const model = g1Recipe('stand').model(WORLDS);
	new ArticulatedDynamics(model).forwardKinematics(model);
	return model;
}
