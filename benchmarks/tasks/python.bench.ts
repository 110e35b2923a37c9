import { fileURLToPath } from 'node:url';
import { hashState } from '@manyworlds/model';
import { openAsset, Simulation } from 'manyworlds';
import type { BenchSuite } from '../harness/task.ts';
import { findWheelPython, runPythonSteps } from '../peers/python.ts';

const FOX = fileURLToPath(new URL('../../examples/robots/fox/fox.xml', import.meta.url));
const WORLDS = 1024;
const CALLS = 10;
const STEPS = 5;
let expected: string | undefined;

/** The same steps from Python, through the wheel and its pipes. */
export const suite: BenchSuite = {
	name: 'python',
	prepare: async () =>
		`${WORLDS} quadrupeds in one thread; Node here is ${process.version}, that of the wheel is its own`,
	tasks: [
		{
			kind: 'task',
			name: 'steps',
			title: `${CALLS} calls of ${STEPS} steps, joint coordinates of all worlds read after each`,
			rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
			contenders: [
				{
					name: 'manyworlds',
					prepare: async () => {
						const simulation = await make();
						return {
							run: () => play(simulation),
							check: () => {
								if (simulation.failures.length > 0) throw new Error(`world ${simulation.failures[0]!.world} diverged`);
								return { 'world-steps': WORLDS * CALLS * STEPS };
							},
						};
					},
				},
			],
			outside: [
				{
					name: 'Python',
					unavailable: () => (findWheelPython() === undefined ? 'Python with the wheel is not there' : undefined),
					prepare: async () => {
						const simulation = await make();
						await play(simulation);
						expected = hashState(simulation.state);
						await simulation.dispose();
					},
					run: () => {
						const { hash, ...run } = runPythonSteps(findWheelPython()!, FOX, WORLDS, CALLS, STEPS);
						if (hash !== expected) throw new Error(`the state has the hash ${hash}, in Node it has ${expected}`);
						return { ...run, facts: { 'world-steps': WORLDS * CALLS * STEPS } };
					},
				},
			],
		},
	],
};

async function make(): Promise<Simulation> {
	return Simulation.create(await openAsset(FOX), {
		worlds: WORLDS,
		threads: 1,
		accountsEnergy: false,
		keyframe: 'standing',
	});
}

async function play(simulation: Simulation): Promise<number> {
	let sum = 0;
	await simulation.reset();
	for (let call = 0; call < CALLS; call++) {
		await simulation.step(STEPS);
		for (const value of simulation.jointPositions) sum += value;
	}
	return sum;
}
