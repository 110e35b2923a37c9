import { ArticulatedDynamics, Control, type Model, ModelFlags, State } from '@manyworlds/model';
import { type MujocoModule, SolverMujoco, saveToMjcf } from '@manyworlds/mujoco';
import { loadMujoco } from '@manyworlds/mujoco/internal';
import type { BenchSuite, BenchTask, Contender, Facts, OutsideContender } from '../harness/task.ts';
import { findMujocoPython, stepMujoco } from '../peers/mujoco.ts';
import { overheadTask } from './mujoco-overhead.ts';
import {
	ANYMAL,
	BALL,
	CARTPOLE,
	CHAIN30,
	G1_STANDING,
	hasG1,
	type MujocoScene,
	PENDULUM,
	ROBOT30,
} from './mujoco-scenes.ts';
import { hasAnymal } from './sap-scenes.ts';

/** Steps of a run, all worlds together. */
const WORLD_STEPS = 4096;
/** Steps of each world at least. */
const LEAST_STEPS = 16;
/** Time step [s]. */
const DT = 0.002;
/** Cycles of making, stepping and disposing a solver in one run; six runs are more than ten thousand. */
const CYCLES = 2000;

/** SolverMujoco next to the bare engine on the same compiled model, and to the native one on the same file. */
export const suite: BenchSuite = {
	name: 'mujoco',
	prepare: async () => {
		engineModule = await loadMujoco();
		const g1 = hasG1 ? '' : '; the G1 is not in ../shared/assets';
		return `implicitfast, ${DT} s; the bare engine steps the model that was compiled for the solver${g1}`;
	},
	tasks: [
		stepTask(ROBOT30, 1),
		stepTask(CHAIN30, 1),
		stepTask(ROBOT30, 16),
		stepTask(ROBOT30, 1024),
		...(hasG1 ? [stepTask(G1_STANDING, 1), stepTask(G1_STANDING, 1024)] : []),
		variedTask(hasG1 ? G1_STANDING : ROBOT30, 1024),
		editTask(ROBOT30, 1024),
		cyclesTask(),
		overheadTask(ROBOT30, 1),
		overheadTask(CHAIN30, 1),
		overheadTask(ROBOT30, 16),
		overheadTask(ROBOT30, 256),
		...(hasG1 ? [overheadTask(G1_STANDING, 1), overheadTask(G1_STANDING, 256)] : []),
		...(hasAnymal ? [overheadTask(ANYMAL, 1), overheadTask(ANYMAL, 256)] : []),
		overheadTask(CARTPOLE, 1),
		overheadTask(CARTPOLE, 256),
		overheadTask(PENDULUM, 1),
		overheadTask(PENDULUM, 256),
	],
};

function stepTask(scene: MujocoScene, worlds: number): BenchTask {
	const steps = Math.max(LEAST_STEPS, WORLD_STEPS / worlds);
	return {
		kind: 'task',
		name: `${scene.name}-${worlds}`,
		title: `${steps} steps of ${worlds} ${worlds === 1 ? 'world' : 'worlds'}: ${scene.words}`,
		rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
		contenders: [
			ours('manyworlds', scene, worlds, steps, true),
			ours('manyworlds, joints only', scene, worlds, steps, false),
			bare(scene, worlds, steps),
		],
		outside: [native(scene, worlds, steps)],
	};
}

function ours(name: string, scene: MujocoScene, worlds: number, steps: number, updateBodies: boolean): Contender {
	return {
		name,
		prepare: async () => {
			const model = scene.make(worlds);
			const solver = await SolverMujoco.create(model, { updateBodies });
			const control = new Control(model);
			const states = [new State(model), new State(model)] as const;
			return {
				run: () => {
					let [now, next] = states;
					now.assign(new State(model));
					solver.reset(now);
					for (let i = 0; i < steps; i++) {
						solver.step(now, next, control, undefined, DT);
						[now, next] = [next, now];
					}
					return now;
				},
				check: (result) => {
					const state = result as State;
					const { module } = solver.compiled;
					const expected = new BareEngine(module, scene).run(steps).coordinates();
					expectSame('joint coordinates', firstWorld(state.jointQ, worlds), expected, 1e-9);
					expectWorldsAgree(state.jointQ, worlds);
					if (updateBodies) expectPlaced(model, state);
					expectContacts(scene, solver.outcome.contactCount.reduce((sum, count) => sum + count, 0) / worlds);
					return {
						'world-steps': steps * worlds,
						'bytes per world': solver.bytesPerWorld,
						'megabytes of the engine': engineBytes(module) / 2 ** 20,
					};
				},
			};
		},
	};
}

/** The engine alone: one state stepped as often, without copying anything in or out. */
function bare(scene: MujocoScene, worlds: number, steps: number): Contender {
	return {
		name: '@mujoco/mujoco',
		prepare: async () => {
			const engine = new BareEngine(await loadMujoco(), scene);
			return {
				run: () => {
					for (let world = 0; world < worlds; world++) engine.run(steps);
					return engine.coordinates();
				},
				check: (result) => {
					for (const value of result as Float64Array)
						if (!(Math.abs(value) < 10)) throw new Error(`a joint is at ${value}`);
					expectContacts(scene, engine.contacts);
					return { 'world-steps': steps * worlds };
				},
			};
		},
	};
}

/** Native MuJoCo with the file that is compiled for the solver: a state for each world, stepped in turn. */
function native(scene: MujocoScene, worlds: number, steps: number): OutsideContender {
	let engine: BareEngine | undefined;
	return {
		name: 'MuJoCo',
		unavailable: () => (findMujocoPython() === undefined ? 'not installed' : undefined),
		run: () => {
			if (engineModule === undefined) throw new Error('the suite was not prepared');
			engine ??= new BareEngine(engineModule, scene).run(steps);
			const result = stepMujoco(findMujocoPython()!, { ...engine.start, dt: DT, steps, worlds });
			// limits have the stiffness of the file there, and no limit is met
			expectSame('positions of native MuJoCo', result.qpos, engine.qpos, 1e-6);
			expectContacts(scene, result.contacts);
			const { ms, cpuMs, peakMegabytes } = result;
			return { ms, cpuMs, peakMegabytes, facts: { 'world-steps': steps * worlds } };
		},
	};
}

/** Every world with a gravity and a mass of its own; one in sixteen is reset before each step. */
function variedTask(scene: MujocoScene, worlds: number): BenchTask {
	const steps = LEAST_STEPS;
	return {
		kind: 'task',
		name: `${scene.name}-${worlds}-varied`,
		title: `${steps} steps of ${worlds} worlds with gravity and masses of their own, one in sixteen reset each time: ${scene.words}`,
		rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: async () => {
					const model = scene.make(worlds);
					vary(model);
					engineModule = await loadMujoco();
					const solver = new SolverMujoco(engineModule, model);
					const control = new Control(model);
					const states = [new State(model), new State(model)] as const;
					const masks = Array.from({ length: 16 }, (_, k) =>
						Uint8Array.from({ length: worlds }, (__, w) => +(w % 16 === k)),
					);
					return {
						run: () => {
							let [now, next] = states;
							now.assign(new State(model));
							solver.reset(now);
							for (let i = 0; i < steps; i++) {
								solver.reset(now, { mask: masks[i % 16]!, jointQ: true, jointQd: true });
								solver.step(now, next, control, undefined, DT);
								[now, next] = [next, now];
							}
							return now;
						},
						check: (result) => checkVaried(scene, model, result as State, masks, steps),
					};
				},
			},
		],
		outside: [],
	};
}

/** A gravity and a mass of its own for each world but the first. */
function vary(model: Model): void {
	const bodies = model.bodyCount / model.worldCount;
	for (let world = 1; world < model.worldCount; world++) {
		model.gravity[3 * world + 2]! *= 1 - world / (8 * model.worldCount);
		model.bodyMass[world * bodies]! *= 1 + world / (4 * model.worldCount);
	}
}

/** Three worlds must have moved as each does alone. */
function checkVaried(
	scene: MujocoScene,
	model: Model,
	state: State,
	masks: readonly Uint8Array[],
	steps: number,
): Facts {
	if (engineModule === undefined) throw new Error('the engine is not loaded');
	const worlds = model.worldCount;
	const width = model.jointCoordCount / worlds;
	const bodies = model.bodyCount / worlds;
	for (const world of [0, 1, worlds - 1]) {
		const alone = scene.make(1);
		alone.gravity.set(model.gravity.subarray(3 * world, 3 * world + 3));
		alone.bodyMass.set(model.bodyMass.subarray(world * bodies, (world + 1) * bodies));
		const solver = new SolverMujoco(engineModule, alone);
		const control = new Control(alone);
		let [now, next] = [new State(alone), new State(alone)];
		for (let i = 0; i < steps; i++) {
			if (masks[i % 16]![world] === 1) solver.reset(now, { jointQ: true, jointQd: true });
			solver.step(now, next, control, undefined, DT);
			[now, next] = [next, now];
		}
		solver.dispose();
		expectSame(`world ${world}`, state.jointQ.subarray(world * width, (world + 1) * width), now.jointQ, 1e-9);
	}
	return { 'world-steps': steps * worlds };
}

/** Masses edited in every world, then in one. */
function editTask(scene: MujocoScene, worlds: number): BenchTask {
	return {
		kind: 'task',
		name: `edit-${worlds}`,
		title: `a mass edited in each of ${worlds} worlds, gravity in each, and a mass in each sixteenth by a mask`,
		rates: [{ fact: 'world-edits', unit: 'world-edits/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: async () => {
					const model = scene.make(worlds);
					const solver = await SolverMujoco.create(model);
					const mask = Uint8Array.from({ length: worlds }, (_, world) => +(world % 16 === 3));
					const bodies = model.bodyCount / worlds;
					let round = 0;
					return {
						run: () => {
							round++;
							for (let world = 0; world < worlds; world++) {
								model.bodyMass[world * bodies] = 8 + ((world + round) % 7);
								model.gravity[3 * world + 2] = -9 - ((world + round) % 5);
							}
							solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES);
							solver.notifyModelChanged(ModelFlags.MODEL_PROPERTIES);
							for (let world = 3; world < worlds; world += 16) model.bodyMass[world * bodies] = 20;
							solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES, mask);
							return solver;
						},
						check: () => {
							const fall = new State(model);
							for (let world = 0; world < worlds; world++)
								fall.jointQ[world * (model.jointCoordCount / worlds) + 2]! += 5;
							const next = new State(model);
							solver.step(fall, next, new Control(model), undefined, DT);
							for (let world = 0; world < worlds; world++) {
								const speed = next.bodyQd[6 * world * bodies + 2]! / DT;
								const gravity = model.gravity[3 * world + 2]!;
								if (!(Math.abs(speed - gravity) < 1e-6)) {
									throw new Error(`world ${world} falls with ${speed}, expected ${gravity} m/s²`);
								}
							}
							return { 'world-edits': 2 * worlds + Math.floor(worlds / 16) };
						},
					};
				},
			},
		],
		outside: [],
	};
}

/** Solvers made, stepped and disposed, again and again: neither memory may grow. */
function cyclesTask(): BenchTask {
	return {
		kind: 'task',
		name: 'cycles',
		title: `${CYCLES} solvers made, stepped and disposed; the memory of the engine and of JavaScript stays over all runs`,
		rates: [{ fact: 'cycles', unit: 'cycles/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: async () => {
					const module = await loadMujoco();
					const model = BALL.make(2);
					const control = new Control(model);
					const states = [new State(model), new State(model)] as const;
					let cycles = 0;
					let first: MemoryUse | undefined;
					return {
						run: () => {
							for (let i = 0; i < CYCLES; i++) {
								const solver = new SolverMujoco(module, model);
								solver.step(states[0], states[1], control, undefined, DT);
								solver.dispose();
							}
							cycles += CYCLES;
							first ??= memoryUse(module);
							return module;
						},
						check: () => {
							const last = memoryUse(module);
							if (first !== undefined) expectKept(first, last, cycles - CYCLES);
							return { cycles: CYCLES, 'cycles in all': cycles, 'megabytes of the engine': last.engine / 2 ** 20 };
						},
					};
				},
			},
		],
		outside: [],
	};
}

/** Bytes of both memories, and where the engine would put a large array: higher when something was not given back. */
interface MemoryUse {
	readonly engine: number;
	readonly place: number;
	readonly heap: number;
}

function memoryUse(module: MujocoModule): MemoryUse {
	globalThis.gc?.();
	const probe = new module.DoubleBuffer(100_000);
	const { byteOffset } = probe.GetView() as Float64Array;
	probe.delete();
	return { engine: engineBytes(module), place: byteOffset, heap: process.memoryUsage().heapUsed };
}

/** Sixteen bytes is the least that can be lost in a cycle; JavaScript keeps some compiled code for later. */
function expectKept(first: MemoryUse, last: MemoryUse, cycles: number): void {
	const check = (what: string, grown: number, allowed: number): void => {
		if (grown > allowed)
			throw new Error(`${what} grew by ${grown} bytes in ${cycles} cycles, expected ${allowed} at most`);
	};
	check("the engine's memory", last.engine - first.engine, 0);
	check('what the engine uses', last.place - first.place, Math.max(8 * cycles, 65_536));
	check('the heap', last.heap - first.heap, 1_500_000);
}

let engineModule: MujocoModule | undefined;

/** The compiled model of a scene with one state, without a solver around it. */
class BareEngine {
	/** What another engine needs to do the same. */
	readonly start: {
		readonly xml: string;
		readonly qpos: Float64Array;
		readonly qvel: Float64Array;
		readonly ctrl: Float64Array;
	};
	readonly #solver: SolverMujoco;

	constructor(module: MujocoModule, scene: MujocoScene) {
		const model = scene.make(1);
		this.#solver = new SolverMujoco(module, model);
		const { data, coordinates, engineOptions } = this.#solver.compiled;
		// a step writes the controls
		const state = new State(model);
		this.#solver.step(state, new State(model), new Control(model), undefined, DT);
		engineOptions.timestep = DT;
		const qpos = Float64Array.from(data.qpos as Float64Array);
		const qvel = Float64Array.from(data.qvel as Float64Array);
		coordinates.push(0, model, qpos, qvel);
		this.start = { xml: saveToMjcf(model).text, qpos, qvel, ctrl: Float64Array.from(data.ctrl as Float64Array) };
	}

	/** Takes so many steps from the start. */
	run(steps: number): this {
		const { module, mj, data } = this.#solver.compiled;
		module.mj_resetData(mj, data);
		for (const name of ['qpos', 'qvel', 'ctrl'] as const) (data[name] as Float64Array).set(this.start[name]);
		for (let i = 0; i < steps; i++) module.mj_step(mj, data);
		return this;
	}

	get qpos(): Float64Array {
		return Float64Array.from(this.#solver.compiled.data.qpos as Float64Array);
	}

	get contacts(): number {
		return this.#solver.compiled.data.ncon;
	}

	/** Joint coordinates as the model counts them. */
	coordinates(): Float64Array {
		const { model, compiled } = this.#solver;
		const state = new State(model);
		compiled.coordinates.pull(0, this.qpos, compiled.data.qvel as Float64Array, state, state);
		return state.jointQ;
	}
}

function engineBytes(module: MujocoModule): number {
	const probe = new module.DoubleBuffer(1);
	const { byteLength } = (probe.GetView() as Float64Array).buffer;
	probe.delete();
	return byteLength;
}

function firstWorld(values: Float64Array, worlds: number): Float64Array {
	return values.subarray(0, values.length / worlds);
}

function expectSame(what: string, found: ArrayLike<number>, expected: ArrayLike<number>, bound: number): void {
	if (found.length !== expected.length)
		throw new Error(`${what}: ${found.length} numbers, expected ${expected.length}`);
	for (let i = 0; i < found.length; i++) {
		if (Math.abs(found[i]! - expected[i]!) <= bound * (1 + Math.abs(expected[i]!))) continue;
		throw new Error(`${what}: number ${i} is ${found[i]}, expected ${expected[i]}`);
	}
}

function expectWorldsAgree(values: Float64Array, worlds: number): void {
	const width = values.length / worlds;
	for (let i = 0; i < values.length; i++) {
		if (values[i] !== values[i % width]) throw new Error(`world ${Math.floor(i / width)} moved otherwise than world 0`);
	}
}

function expectContacts(scene: MujocoScene, found: number): void {
	if (found !== scene.contacts) throw new Error(`${found} contacts in a world, expected ${scene.contacts}`);
}

/** Bodies must be where forward kinematics puts them. */
function expectPlaced(model: Model, state: State): void {
	const expected = new State(model);
	expected.jointQ.set(state.jointQ);
	expected.jointQd.set(state.jointQd);
	new ArticulatedDynamics(model).forwardKinematics(expected);
	expectSame('body poses', state.bodyQ, expected.bodyQ, 1e-12);
	expectSame('body velocities', state.bodyQd, expected.bodyQd, 1e-12);
}
