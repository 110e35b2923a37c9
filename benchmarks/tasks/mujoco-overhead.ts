import { Control, State } from '@manyworlds/model';
import { type MujocoModule, SolverMujoco } from '@manyworlds/mujoco';
import { loadMujoco } from '@manyworlds/mujoco/internal';
import { median } from '../harness/summary.ts';
import type { BenchTask, Prepared } from '../harness/task.ts';
import type { MujocoScene } from './mujoco-scenes.ts';

/** Steps of all worlds in one burst: long enough for a clock of microseconds, short enough that a busy machine hits all alike. */
const BURST = 64;
/** Rounds of a run, each with a burst of everybody; fewer where bursts are long because there are many worlds. */
const ROUNDS = 80;
const LEAST_ROUNDS = 12;
/** Time step [s]. */
const DT = 0.002;

/** Somebody who takes steps, and the bare engine on the same memory; both give their processor time [µs]. */
interface Walker {
	readonly name: string;
	burst(): number;
	bare(): number;
}

/**
 * What the solver takes beyond the bare engine, as a part of it: bursts of both in one process in turn, by processor time,
 * as the middle of the ratios of neighbours. The bare engine works on the memory of the solver beside it: where a model
 * and a state lie decides how their parts meet in caches, which makes up to a tenth of a step. `runs of four` writes bodies after every fourth step, as a `WorldRunner`
 * that is told to take four does. `engine with bodies` is the bare engine that is asked for poses and
 * velocities of bodies after each step, which are those before it otherwise; nothing is copied out.
 */
export function overheadTask(scene: MujocoScene, worlds: number): BenchTask {
	return {
		kind: 'task',
		name: `overhead-${scene.name}-${worlds}`,
		title: `what a step takes beyond the bare engine in ${worlds} ${worlds === 1 ? 'world' : 'worlds'}: ${scene.words}`,
		rates: [],
		figures: ['joints only', 'runs of four', 'with bodies', 'engine with bodies'].map((name) => ({
			fact: `${name} [%]`,
			unit: `% ${name}`,
		})),
		contenders: [{ name: 'manyworlds', prepare: async () => prepare(await loadMujoco(), scene, worlds) }],
		outside: [],
	};
}

function prepare(module: MujocoModule, scene: MujocoScene, worlds: number): Prepared {
	const steps = Math.max(4, Math.round((scene.burst ?? BURST) / worlds));
	const rounds = Math.max(LEAST_ROUNDS, Math.round((ROUNDS * BURST) / (steps * worlds)));
	const walkers = [
		...(['joints only', 'runs of four', 'with bodies'] as const).map((name) =>
			solverWalker(module, scene, worlds, steps, name),
		),
		engineWalker(module, scene, worlds, steps),
	];
	return {
		run: () => {
			const ratios = walkers.map((): number[] => []);
			const bareTimes: number[] = [];
			for (let round = 0; round < rounds; round++) {
				for (const [i, walker] of walkers.entries()) {
					// the bare engine before in one round and behind in the next
					const early = round % 2 === 0 ? walker.bare() : undefined;
					const own = walker.burst();
					const base = early ?? walker.bare();
					ratios[i]!.push(own / base);
					bareTimes.push(base);
				}
			}
			return { ratios, bareTimes };
		},
		check: (result) => {
			const { ratios, bareTimes } = result as { ratios: number[][]; bareTimes: number[] };
			const facts: Record<string, number> = { 'bare step [µs]': median(bareTimes) / (steps * worlds) };
			for (const [i, { name }] of walkers.entries()) facts[`${name} [%]`] = 100 * (median(ratios[i]!) - 1);
			return facts;
		},
	};
}

/** A step whose bodies nobody reads, and one whose bodies are read. */
const PASSING = { bodies: false };
const SEEN = { bodies: true };

function solverWalker(
	module: MujocoModule,
	scene: MujocoScene,
	worlds: number,
	steps: number,
	name: 'joints only' | 'runs of four' | 'with bodies',
): Walker {
	const model = scene.make(worlds);
	const solver = new SolverMujoco(module, model, { updateBodies: name !== 'joints only' });
	const control = new Control(model);
	const start = new State(model);
	let [now, next] = [new State(model), new State(model)];
	return {
		name,
		bare: bareBurst(module, solver, worlds, steps, false),
		burst: () => {
			now.assign(start);
			solver.reset(now);
			const before = usedTime();
			for (let i = 0; i < steps; i++) {
				const isPassing = name === 'runs of four' && i % 4 !== 3;
				solver.step(now, next, control, undefined, DT, isPassing ? PASSING : SEEN);
				[now, next] = [next, now];
			}
			return usedTime() - before;
		},
	};
}

/** The bare engine that is asked for bodies. */
function engineWalker(module: MujocoModule, scene: MujocoScene, worlds: number, steps: number): Walker {
	const solver = new SolverMujoco(module, scene.make(1));
	return {
		name: 'engine with bodies',
		burst: bareBurst(module, solver, worlds, steps, true),
		bare: bareBurst(module, solver, worlds, steps, false),
	};
}

/** The working state of a solver, from the start as often as there are worlds; the solver has to be reset after it. */
function bareBurst(
	module: MujocoModule,
	solver: SolverMujoco,
	worlds: number,
	steps: number,
	withBodies: boolean,
): () => number {
	const { model } = solver;
	const { mj, data, engineOptions, coordinates } = solver.compiled;
	// a step writes the controls
	solver.step(new State(model), new State(model), new Control(model), undefined, DT);
	engineOptions.timestep = DT;
	const start = { qpos: data.qpos.slice(), qvel: data.qvel.slice(), ctrl: data.ctrl.slice() };
	coordinates.push(0, model, start.qpos, start.qvel);
	return () => {
		let time = 0;
		for (let world = 0; world < worlds; world++) {
			module.mj_resetData(mj, data);
			for (const name of ['qpos', 'qvel', 'ctrl'] as const) data[name].set(start[name]);
			const before = usedTime();
			for (let i = 0; i < steps; i++) {
				module.mj_step(mj, data);
				if (!withBodies) continue;
				module.mj_kinematics(mj, data);
				module.mj_comPos(mj, data);
				module.mj_comVel(mj, data);
			}
			time += usedTime() - before;
		}
		return time;
	};
}

/** Processor time of this process so far [µs]. */
function usedTime(): number {
	const { user, system } = process.cpuUsage();
	return user + system;
}
