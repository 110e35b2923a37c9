import { hashState, type Model, ModelBuilder, ModelFlags } from '@manyworlds/model';
import { loadMujoco } from '@manyworlds/mujoco/internal';
import { WorldRunner } from '@manyworlds/worlds';
import { NodeWorkerHost, WORLD_SOLVERS } from 'manyworlds/internal';
import { describe, expect, it } from 'vitest';
import { CommandContext } from '../src/command/command-context.ts';
import { openRobot } from '../src/command/open-robot.ts';
import { bundledModule } from './bundle-sources.ts';
import { ROOT } from './run-cli.ts';

const DT = 0.002;
const HOST = new NodeWorkerHost(bundledModule('world-worker'));
const FAULTY_HOST = new NodeWorkerHost(bundledModule('faulty-world-worker'));

/** An example robot in many worlds on a plane. */
function placeRobot(file: string, worlds: number): Model {
	const sink = { write: () => true };
	const context = new CommandContext({ stdout: sink, stderr: sink, env: {}, cwd: ROOT, now: () => 0 });
	const prepare = (robot: ModelBuilder): ModelBuilder => {
		const scene = new ModelBuilder({ upAxis: robot.upAxis, gravity: [...robot.gravity] });
		scene.replicate(robot, { count: worlds, spacing: [0, 0, 0] });
		scene.addGroundPlane();
		return scene;
	};
	return openRobot(context, file, { prepare })!.model;
}

/** Egrets, each pushed differently. */
function makeModel(worlds: number): Model {
	const model = placeRobot('examples/robots/egret/egret.usda', worlds);
	for (let world = 0; world < worlds; world++) {
		const { start } = model.worlds.range('jointDof', world);
		model.jointQd[start] = 0.05 * world;
		model.jointQd[start + 1] = world % 2 === 0 ? 0.3 : 0;
	}
	return model;
}

const MODELS = new Map<number, Model>();

/** A model of so many worlds that no test changes. */
function modelOf(worlds: number): Model {
	const model = MODELS.get(worlds) ?? makeModel(worlds);
	MODELS.set(worlds, model);
	return model;
}

function create(solver: string, model: Model, workers: number): Promise<WorldRunner> {
	const where = workers === 0 ? { solvers: WORLD_SOLVERS } : { host: HOST };
	return WorldRunner.create(model, { solver, workers, ...where });
}

/** Everything that moves in a world. */
function numbersOf(runner: WorldRunner, world: number): number[] {
	const { model, state } = runner;
	const q = model.worlds.range('jointCoord', world);
	const d = model.worlds.range('jointDof', world);
	const b = model.worlds.range('body', world);
	return [
		...state.jointQ.subarray(q.start, q.end),
		...state.jointQd.subarray(d.start, d.end),
		...state.bodyQ.subarray(7 * b.start, 7 * b.end),
		...state.bodyQd.subarray(6 * b.start, 6 * b.end),
	];
}

/** What a user would do in a run: targets that change, masks, time steps of their own, a failure, a reset, an edit. */
async function play(runner: WorldRunner): Promise<string[]> {
	const { control, model, state } = runner;
	const hashes: string[] = [];
	const worlds = model.worldCount;
	const even = Uint8Array.from({ length: worlds }, (_, world) => (world % 2 === 0 ? 1 : 0));
	const note = (): number => hashes.push(hashState(state));
	await runner.step(DT, { steps: 5 });
	note();
	for (let dof = 0; dof < control.jointTargetQd.length; dof++) control.jointTargetQd[dof] = 0.5 * Math.sin(dof);
	state.bodyF[6 * 4 + 2] = 3;
	await runner.step(
		Float64Array.from({ length: worlds }, (_, world) => 0.001 + 0.0001 * (world % 5)),
		{ steps: 3 },
	);
	note();
	await runner.step(DT, { steps: 4, mask: even });
	note();
	const { start } = model.worlds.range('jointDof', worlds - 1);
	control.jointF[start] = Number.NaN;
	await runner.step(DT, { steps: 3 });
	note();
	hashes.push(JSON.stringify(runner.failures));
	control.jointF[start] = 0;
	await runner.reset({ mask: Uint8Array.from({ length: worlds }, (_, world) => (world >= worlds - 2 ? 1 : 0)) });
	note();
	const mass = model.bodyMass[0]!;
	model.setGravity([0, 0, -3], { world: 1 });
	model.bodyMass[0] = 1.1 * mass;
	await runner.notifyModelChanged(ModelFlags.ALL);
	await runner.step(DT, { steps: 4 });
	note();
	model.setGravity([0, 0, -9.81], { world: 1 });
	model.bodyMass[0] = mass;
	hashes.push([...runner.statistics.contactTotal].join(), [...runner.statistics.stepCount].join());
	return hashes;
}

describe.each(['sap', 'mujoco'])('worlds on %s', (solver) => {
	it('come to the same bits in this thread and with 1 or 2 workers, through all that a user may do', async () => {
		const model = modelOf(6);
		const runs: string[][] = [];
		for (const workers of [0, 0, 1, 2]) {
			const runner = await create(solver, model, workers);
			expect(runner.workerCount).toBe(workers);
			runs.push(await play(runner));
			await runner.dispose();
		}
		expect(runs[0]!.some((text) => text.includes('"world":5,"step":12'))).toBe(true);
		expect(new Set(runs[0]).size).toBe(runs[0]!.length);
		for (const run of runs.slice(1)) expect(run).toEqual(runs[0]);
	});

	it('do the same alone or among 64, and do not feel each other', async () => {
		const many = await create(solver, modelOf(64), 2);
		const alone = await create(solver, modelOf(1), 0);
		await many.step(DT, { steps: 6 });
		await alone.step(DT, { steps: 6 });
		expect(numbersOf(many, 0)).toEqual(numbersOf(alone, 0));
		const calm = Array.from({ length: 64 }, (_, world) => numbersOf(many, world));
		await many.reset();
		many.state.jointQd[many.model.worlds.range('jointDof', 40).start]! += 1e-9;
		await many.step(DT, { steps: 6 });
		const changed = calm.map((numbers, world) =>
			numbersOf(many, world).every((x, i) => x === numbers[i]) ? -1 : world,
		);
		expect(changed.filter((world) => world >= 0)).toEqual([40]);
		await Promise.all([many.dispose(), alone.dispose()]);
	});
});

it('custom controls and meshes reach the worlds of every thread', async () => {
	const model = placeRobot('examples/robots/crane/crane.xml', 4);
	const hashes: string[] = [];
	for (const workers of [0, 2]) {
		const runner = await create('mujoco', model, workers);
		// a position and a motor in each world
		const ctrl = runner.control.attributes.get('mujoco:ctrl') as Float64Array;
		expect(ctrl).toHaveLength(8);
		for (let world = 0; world < 4; world++) ctrl[2 * world + 1] = 0.1 * world;
		await runner.step(DT, { steps: 10 });
		const elbows = [1, 3, 5, 7].map((coordinate) => runner.state.jointQ[coordinate]!);
		expect(elbows).toEqual(elbows.toSorted((a, b) => a - b));
		expect(new Set(elbows).size).toBe(4);
		hashes.push(hashState(runner.state));
		await runner.dispose();
	}
	expect(hashes[1]).toBe(hashes[0]);
});

it('what belongs to no world moves the same with any number of threads', async () => {
	const one = new ModelBuilder();
	one.addShapeBox(one.addBody({ xform: { p: [0, 0, 0.7] } }), { halfExtents: [0.1, 0.1, 0.1] });
	const all = new ModelBuilder({ rigidGap: 0.005 });
	// a plate that falls onto the ground, and a box in each world that falls onto the plate
	all.addShapeBox(all.addBody({ xform: { p: [0, 0, 0.5] } }), { halfExtents: [1, 1, 0.05] });
	all.replicate(one, { count: 5 });
	all.addGroundPlane();
	const model = all.finalize();
	model.shapeMaterialKe.fill(1e5);
	const hashes: string[][] = [];
	for (const workers of [0, 2]) {
		const runner = await create('sap', model, workers);
		const own: string[] = [];
		for (let i = 0; i < 12; i++) {
			await runner.step(0.005, { steps: 1 + (i % 5), mask: [1, i % 2, i % 3 === 0 ? 1 : 0, 1, 1] });
			own.push(hashState(runner.state));
		}
		expect(runner.state.bodyQ[2]).toBeLessThan(0.4);
		hashes.push(own);
		await runner.dispose();
	}
	expect(hashes[1]).toEqual(hashes[0]);
});

describe('a worker', () => {
	const start = (solver: string): Promise<WorldRunner> =>
		WorldRunner.create(modelOf(4), { solver, workers: 2, host: FAULTY_HOST });

	it('that ends in the middle of a command gives an error, no hang, and so do later calls', async () => {
		const runner = await start('exit');
		await runner.step(DT, { steps: 2 });
		const expected = { code: 'WLD020', message: 'worker 1 (worlds 2 to 3) ended: exit code 7' };
		await expect(runner.step(DT, { steps: 5 })).rejects.toMatchObject(expected);
		await expect(runner.step(DT)).rejects.toMatchObject(expected);
		expect(runner.state.jointQ).toHaveLength(modelOf(4).jointCoordCount);
		await runner.dispose();
	});

	it('is gone after dispose, also when it was at work', async () => {
		const ports = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
		const before = ports();
		const runner = await create('sap', modelOf(4), 2);
		expect(ports()).toBeGreaterThan(before);
		const stepping = expect(runner.step(DT, { steps: 1_000_000 })).rejects.toMatchObject({ code: 'WLD020' });
		await runner.dispose();
		await stepping;
		expect(ports()).toBe(before);
	});

	it('whose solver throws says so, with its worlds', async () => {
		const runner = await start('throw');
		const expected = { code: 'WLD022', message: 'worker 1 (worlds 2 to 3): the solver lost its way' };
		await expect(runner.step(DT, { steps: 5 })).rejects.toMatchObject(expected);
		await runner.dispose();
	});

	it('that lacks the solver says which there are', async () => {
		await expect(start('sap')).rejects.toMatchObject({
			code: 'WLD021',
			message: "unknown solver 'sap', expected one of exit, throw",
		});
	});

	it('cannot be sent options that are no plain data', async () => {
		const solverOptions = { contactBeta: () => 1 };
		const runner = WorldRunner.create(modelOf(4), { solver: 'sap', solverOptions, workers: 2, host: HOST });
		await expect(runner).rejects.toThrow(/solverOptions cannot be sent/);
	});

	it("passes on that MuJoCo refuses a model, with the solver's own code", async () => {
		const model = new ModelBuilder().finalize();
		await expect(create('mujoco', model, 1)).rejects.toMatchObject({ code: 'MJC001' });
	});
});

it('memory of the engine that grows in mid-run does not change a world', async () => {
	const module = await loadMujoco();
	const [grown, calm] = [await create('mujoco', modelOf(4), 0), await create('mujoco', modelOf(4), 0)];
	for (let i = 0; i < 4; i++) {
		await grown.step(DT, { steps: 3 });
		const block = new module.DoubleBuffer(4e6 * (i + 1));
		await grown.step(DT, { steps: 2 });
		block.delete();
		await calm.step(DT, { steps: 5 });
	}
	expect(hashState(grown.state)).toBe(hashState(calm.state));
	await Promise.all([grown.dispose(), calm.dispose()]);
});
