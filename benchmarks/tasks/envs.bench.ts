import { fileURLToPath } from 'node:url';
import {
	bodyVelocity,
	contactForces,
	type EnvTask,
	gravityDirection,
	jointPositions,
	jointTargets,
	jointVelocities,
	randomMasses,
	type VectorEnv,
} from '@manyworlds/envs';
import { hashState } from '@manyworlds/model';
import { createEnv, openAsset, Simulation } from 'manyworlds';
import type { BenchSuite, BenchTask, Contender } from '../harness/task.ts';

const FOX = fileURLToPath(new URL('../../examples/robots/fox/fox.xml', import.meta.url));
const WORLDS = 256;
const SUBSTEPS = 4;
/** Actions of a run. */
const ACTIONS = 25;
const ROBOT = { worlds: WORLDS, threads: 1, keyframe: 'standing', spacing: [0, 0, 0] } as const;

const TASK: EnvTask = {
	observations: [
		gravityDirection('trunk'),
		bodyVelocity('trunk'),
		jointPositions({ fromStart: true }),
		jointVelocities(),
	],
	actions: [jointTargets({ scale: 0.2 })],
	rewards: [{ name: 'height', weight: 1, value: (w, world) => w.state.bodyQ[7 * w.body('trunk', world) + 2]! }],
};

/** Environments beside the bare simulation of the same steps: what observations, rewards and resets cost. */
export const suite: BenchSuite = {
	name: 'envs',
	prepare: async () => `${WORLDS} quadrupeds in one thread, ${SUBSTEPS} steps for each action`,
	tasks: [
		task('stand', 'a quadruped stands, 33 observations and 12 actions', [
			envs('environments', TASK),
			bare('bare simulation', false),
		]),
		task('contacts', 'the same with contact forces of its feet', [
			envs('environments', {
				...TASK,
				observations: [...TASK.observations, contactForces(['front_left_shank', 'back_right_shank'])],
			}),
			bare('bare simulation', true),
		]),
		task('resets', 'the same, every world begins anew after five actions with other masses', [
			envs('environments', {
				...TASK,
				randomisation: [randomMasses({ factor: [0.9, 1.1] })],
				episodeSeconds: 5 * SUBSTEPS * 0.004,
			}),
			bare('bare simulation', false),
		]),
	],
};

function task(name: string, title: string, contenders: readonly Contender[]): BenchTask {
	return {
		kind: 'task',
		name,
		title,
		rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
		contenders,
		outside: [],
	};
}

function envs(name: string, own: EnvTask): Contender {
	return {
		name,
		prepare: async () => {
			const env = await createEnv(await openAsset(FOX), own, { ...ROBOT, substeps: SUBSTEPS });
			const first = await play(env);
			return {
				run: () => play(env),
				check: (found) => {
					if (found !== first)
						throw new Error(`the observations have the hash ${String(found)}, at first they had ${first}`);
					for (let world = 0; world < WORLDS; world++) {
						const height = env.rewards[world]!;
						if (!(height > 0.2 && height < 0.35)) throw new Error(`world ${world} stands at ${height} m`);
					}
					return { 'world-steps': WORLDS * SUBSTEPS * ACTIONS };
				},
			};
		},
	};
}

/** Takes the actions of a run; gives a number that stands for all that was seen. */
async function play(env: VectorEnv): Promise<number> {
	let hash = 0;
	await env.reset(undefined, 1);
	for (let step = 0; step < ACTIONS; step++) {
		for (let i = 0; i < env.actions.length; i++) env.actions[i] = Math.sin(step + i);
		await env.step();
		for (let i = 0; i < env.observations.length; i++) hash = (hash + (i + 1) * env.observations[i]!) % 1e6;
	}
	return hash;
}

/** The simulation alone, with the same targets. */
function bare(name: string, tellsContacts: boolean): Contender {
	return {
		name,
		prepare: async () => {
			const simulation = await Simulation.create(await openAsset(FOX), {
				...ROBOT,
				accountsEnergy: false,
				tellsContacts,
			});
			const { jointTargetQ } = simulation.control;
			const start = jointTargetQ.slice();
			const go = async (): Promise<string> => {
				await simulation.reset();
				for (let step = 0; step < ACTIONS; step++) {
					for (let i = 0; i < jointTargetQ.length; i++) jointTargetQ[i] = start[i]! + 0.2 * Math.sin(step + i);
					await simulation.step(SUBSTEPS);
				}
				return hashState(simulation.state);
			};
			const first = await go();
			return {
				run: go,
				check: (found) => {
					if (found !== first) throw new Error(`the state has the hash ${String(found)}, at first it had ${first}`);
					return { 'world-steps': WORLDS * SUBSTEPS * ACTIONS };
				},
			};
		},
	};
}
