import type { BenchSuite, BenchTask, Facts } from '../harness/task.ts';
import { chainScene, clutterScene, type Drive, g1Scene, hasG1, type Scene } from './sap-scenes.ts';

/** Steps of a run, all worlds together. */
const WORLD_STEPS = 2048;

/** SolverSap with its collision: world-steps per second. */
export const suite: BenchSuite = {
	name: 'sap',
	prepare: async () =>
		hasG1
			? 'Unitree G1 with hands: 49 degrees of freedom, 8 contacts standing; the drake preset with its default tolerances'
			: 'the G1 is not in ../shared/assets: only scenes of our own',
	tasks: [
		...(hasG1 ? [g1Task('stand', 1), g1Task('stand', 16), g1Task('stand', 256)] : []),
		...(hasG1 ? [g1Task('push', 1), g1Task('ragdoll', 1)] : []),
		sceneTask('clutter50', 'fifty boxes fall into a pen', () => clutterScene(50), 200, 1),
		...[10, 20, 40, 80].map((links) =>
			sceneTask(`chain${links}`, `a hanging chain of ${links} hinges with drives`, () => chainScene(links), 1000, 1),
		),
	],
};

function g1Task(drive: Drive, worlds: number): BenchTask {
	const words = { stand: 'stands', push: 'is dropped and pushed', ragdoll: 'collapses' };
	const title = `the G1 ${words[drive]} in ${worlds} ${worlds === 1 ? 'world' : 'worlds'}`;
	return sceneTask(
		`g1-${drive}-${worlds}`,
		title,
		() => g1Scene(worlds, drive),
		Math.max(8, WORLD_STEPS / worlds),
		worlds,
	);
}

function sceneTask(name: string, title: string, make: () => Scene, steps: number, worlds: number): BenchTask {
	return {
		kind: 'task',
		name,
		title: `${title}, ${steps} steps, contacts found and solved`,
		rates: [{ fact: 'world-steps', unit: 'world-steps/s' }],
		contenders: [
			{
				name: 'manyworlds',
				prepare: () => {
					const scene = make();
					return {
						run: () => {
							scene.reset();
							scene.run(steps);
							return scene;
						},
						check: (result) => checkScene(result as Scene, steps * worlds),
					};
				},
			},
		],
		outside: [],
	};
}

/** Every step converged, nothing left the ground and nothing is not a number. */
function checkScene(scene: Scene, worldSteps: number): Facts {
	if (scene.unconverged > 0) throw new Error(`${scene.unconverged} steps did not converge`);
	for (const value of scene.state.bodyQ) if (!(Math.abs(value) < 1e3)) throw new Error(`a body is at ${value}`);
	return {
		'world-steps': worldSteps,
		'newton iterations per step': scene.iterations / worldSteps,
		'contacts per step': scene.contacts / worldSteps,
	};
}
