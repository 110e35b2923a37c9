import { Control } from '@manyworlds/model';
import { SolverMujoco, saveToMjcf } from '@manyworlds/mujoco';
import type { SolverSapOptions } from '@manyworlds/sim';
import type { BenchSuite, BenchTask, Contender, Facts, OutsideContender } from '../harness/task.ts';
import { findMujocoPython } from '../peers/mujoco.ts';
import { type MujocoSteps, runMujocoSteps } from '../peers/mujoco-steps.ts';
import { SapRun } from './sap-run.ts';
import {
	anymalRecipe,
	chainRecipe,
	clutterRecipe,
	feetRecipe,
	g1MeshRecipe,
	g1Recipe,
	graspRecipe,
	hasAnymal,
	hasG1,
	hasShadow,
	type SceneRecipe,
	shadowRecipe,
} from './sap-scenes.ts';
import { estimateWork } from './sap-work.ts';

/** Friction as stiff as the near-rigid bound of the normal. */
const SOFT_FRICTION: SolverSapOptions = { contactSigma: 0.0253 };
/** Numbers of 32 bits, four worlds at once. */
const SINGLE: SolverSapOptions = { contactPresetVariant: 'approx32' };
/** What makes friction of MuJoCo about as stiff as ours is by default. */
const STIFF_FRICTION = 'cone="elliptic" impratio="25"';

/** SolverSap with its collision: world-steps per second, on one core. */
export const suite: BenchSuite = {
	name: 'sap',
	prepare: async () => {
		const missing = [...(hasG1 ? [] : ['G1']), ...(hasAnymal ? [] : ['ANYmal'])];
		const robots = missing.length > 0 ? `; not in ../shared/assets and left out: ${missing.join(', ')}` : '';
		return `the drake preset with its default tolerances; every number of worlds does the same steps${robots}`;
	},
	tasks: [
		...(hasG1
			? [
					...tasksOf('g1-stand', 'the G1 with hands stands', g1Recipe('stand'), [1, 16, 256]),
					...tasksOf('g1-in-step', 'the G1 stands, worlds in step', g1Recipe('stand'), [256], { inStep: true }),
					...tasksOf('g1-stand32', 'the G1 stands, in 32 bits', g1Recipe('stand'), [1, 16, 256], { sap: SINGLE }),
					...tasksOf('g1-push', 'the G1 is dropped and pushed', g1Recipe('push'), [1, 16, 256]),
					...tasksOf('g1-ragdoll', 'the G1 collapses', g1Recipe('ragdoll'), [1, 16, 256]),
					...tasksOf('g1-many', 'the G1 stands in many worlds', { ...g1Recipe('stand'), steps: 16_384 }, [4096]),
					...tasksOf('g1-mesh', 'the G1 with its meshes collapses', g1MeshRecipe(), [1]),
				]
			: []),
		...(hasShadow
			? [
					...tasksOf('shadow', 'the Shadow hand moves', shadowRecipe(), [1, 16]),
					...tasksOf('grasp', 'the Shadow hand closes on a bar', graspRecipe(), [1, 16]),
				]
			: []),
		...(hasAnymal ? tasksOf('anymal', 'ANYmal C stands', anymalRecipe(), [1, 16, 256]) : []),
		...tasksOf('clutter50', 'fifty boxes fall into a pen', clutterRecipe(50), [1, 16, 256]),
		...tasksOf('clutter50-soft', 'the boxes with softer friction', clutterRecipe(50), [1], { sap: SOFT_FRICTION }),
		...tasksOf('clutter50-stiff', 'the boxes, MuJoCo as stiff', clutterRecipe(50), [1], { mujoco: STIFF_FRICTION }),
		...[10, 20, 40, 80].flatMap((links) =>
			tasksOf(`chain${links}`, `a hanging chain of ${links} hinges with drives`, chainRecipe(links), [1]),
		),
		...tasksOf('worlds', 'a plate on four balls in many worlds', feetRecipe(4, 16_384), [1, 64, 1024, 4096, 16_384]),
		...[4, 16, 64, 256].flatMap((feet) => tasksOf(`feet${feet}`, `a plate on ${feet} balls`, feetRecipe(feet), [1])),
	],
};

/** How a scene is solved where it is not as by default. */
interface Settings {
	readonly sap?: SolverSapOptions;
	/** Whether all worlds take each step together, in place of as many as fit a cache. */
	readonly inStep?: boolean;
	/** Attributes of MuJoCo's `option`. */
	readonly mujoco?: string;
}

function tasksOf(
	name: string,
	title: string,
	recipe: SceneRecipe,
	counts: readonly number[],
	settings: Settings = {},
): BenchTask[] {
	return counts.map((worlds) => ({
		kind: 'task',
		name: `${name}-${worlds}`,
		title: `${title}: ${recipe.steps / worlds} steps of ${worlds} ${worlds === 1 ? 'world' : 'worlds'}, contacts found and solved`,
		rates: [
			{ fact: 'world-steps', unit: 'world-steps/s' },
			{ fact: 'Mflop', unit: 'Mflop/s' },
		],
		// the engines of the peers hold one world: more would be the same again
		contenders: [
			ours(recipe, worlds, settings),
			...(worlds === 1 && settings.mujoco === undefined ? [mujocoInside(recipe)] : []),
		],
		outside: worlds <= 256 ? [mujocoOutside(recipe, settings.mujoco)] : [],
	}));
}

function ours(recipe: SceneRecipe, worlds: number, { sap = {}, inStep = false }: Settings): Contender {
	return {
		name: 'manyworlds',
		prepare: () => {
			const run = new SapRun(recipe, worlds, sap, inStep);
			return {
				run: () => run.run(),
				check: () => {
					run.check();
					const { flops, bytes } = estimateWork(run);
					const allocated = run.allocation();
					return {
						'world-steps': run.worldSteps,
						Mflop: (flops * run.worldSteps) / 1e6,
						'flops per world-step': Math.round(flops),
						'bytes per world-step': Math.round(bytes),
						'newton iterations per step': run.iterations / run.worldSteps,
						'contacts per step': run.contactCount / run.worldSteps,
						'worst residual': run.worstResidual,
						...(allocated === undefined ? {} : { 'bytes allocated per world-step': allocated }),
					};
				},
			};
		},
	};
}

/** The official build of MuJoCo for JavaScript on the same model, without copying anything in or out. */
function mujocoInside(recipe: SceneRecipe): Contender {
	return {
		name: '@mujoco/mujoco',
		prepare: async () => {
			const { solver, job } = await mujocoJob(recipe);
			const { module, mj, data } = solver.compiled;
			return {
				run: () => {
					module.mj_resetData(mj, data);
					(data.qpos as Float64Array).set(job.qpos);
					(data.qvel as Float64Array).set(job.qvel);
					(data.ctrl as Float64Array).set(job.ctrl);
					for (let i = 0; i < job.steps; i++) module.mj_step(mj, data);
				},
				check: () => factsOf(recipe, data.qpos as Float64Array),
			};
		},
	};
}

/** MuJoCo from Python on the same model, when it is installed. */
function mujocoOutside(recipe: SceneRecipe, options: string | undefined): OutsideContender {
	const python = findMujocoPython();
	let job: MujocoSteps | undefined;
	return {
		name: 'MuJoCo',
		unavailable: () => (python === undefined ? 'Python with MuJoCo is not there' : undefined),
		prepare: async () => {
			const prepared = await mujocoJob(recipe);
			prepared.solver.dispose();
			const { xml } = prepared.job;
			job = options === undefined ? prepared.job : { ...prepared.job, xml: withOptions(xml, options) };
		},
		run: () => {
			if (python === undefined || job === undefined) throw new Error('nothing is prepared');
			const result = runMujocoSteps(python, job);
			return { ...result, facts: factsOf(recipe, result.qpos) };
		},
	};
}

/** Puts attributes on MuJoCo's `option`, which the writer always writes. */
function withOptions(xml: string, options: string): string {
	if (!xml.includes('<option ')) throw new Error('the model has no option element');
	return xml.replace('<option ', `<option ${options} `);
}

async function mujocoJob(recipe: SceneRecipe): Promise<{ solver: SolverMujoco; job: MujocoSteps }> {
	const model = recipe.model(1);
	// contacts as MuJoCo has them by default: at this time step it does not take stiffer ones
	model.shapeMaterialKe.fill(2500);
	model.shapeMaterialKd.fill(100);
	// the relaxation time of the scene would otherwise stand for its damping
	(model.attributes.get('sap:tau') as Float64Array).fill(-1);
	const solver = await SolverMujoco.create(model, { updateBodies: false });
	const { data } = solver.compiled;
	const qpos = (data.qpos as Float64Array).slice();
	const qvel = (data.qvel as Float64Array).slice();
	// one step of the solver sets targets and the time step
	solver.step(model.createState(), model.createState(), new Control(model), undefined, recipe.dt);
	const ctrl = (data.ctrl as Float64Array).slice();
	const { text: xml, files } = saveToMjcf(model);
	return { solver, job: { xml, files, qpos, qvel, ctrl, dt: recipe.dt, steps: recipe.steps } };
}

/** Contact models differ, so only what any must fulfil is checked. */
function factsOf(recipe: SceneRecipe, qpos: ArrayLike<number>): Facts {
	for (let i = 0; i < qpos.length; i++) if (!(Math.abs(qpos[i]!) < 1e3)) throw new Error(`qpos[${i}] is ${qpos[i]}`);
	const [low, high] = recipe.endHeight;
	const isFloating = low >= 0;
	if (isFloating && !(qpos[2]! > low - 0.05 && qpos[2]! < high + 0.05)) {
		throw new Error(`the first body ends at ${qpos[2]} m, expected ${low} to ${high}`);
	}
	return { 'world-steps': recipe.steps };
}
