import type { ModelBuilder } from '@manyworlds/model';
import {
	RunnerError,
	type WorkerHost,
	WorldFault,
	WorldRunner,
	type WorldSolver,
	type WorldSolverSetup,
	type WorldSolvers,
} from '@manyworlds/worlds';
import { describe, expect, it, vi } from 'vitest';
import { SAP_WORLDS } from '../src/index.ts';
import type { SapWorldsOptions } from '../src/sap-worlds.ts';
import { addBall, addBox, makeBuilder, ofMaterial, Runner, worldState } from './make-scene.ts';

const MATERIAL = { ke: 1e5, tau: 0.01, mu: 0.5 };
const SOLVERS: WorldSolvers = { sap: async () => SAP_WORLDS };
const DT = 0.005;

/** Worlds with a box above a plane and a ball on it. */
function makeScene(worlds: number): ModelBuilder {
	const one = makeBuilder();
	addBox(one, [0.1, 0.1, 0.05], 1, [0, 0, 0.06], MATERIAL);
	addBall(one, 0.1, 1, [0.5, 0, 0.1], MATERIAL);
	const all = makeBuilder();
	all.replicate(one, { count: worlds, spacing: [0, 0, 0] });
	all.addShapePlane(ofMaterial(MATERIAL));
	return all;
}

/** `SAP_WORLDS` with all worlds in step. */
async function oneBlock(setup: WorldSolverSetup): Promise<WorldSolver> {
	const { worldsAtOnce: _, ...own } = await SAP_WORLDS.create(setup);
	return own;
}

function create(builder: ModelBuilder, options: SapWorldsOptions = {}): Promise<WorldRunner> {
	const model = builder.finalize({ keepInertia: true });
	return WorldRunner.create(model, { solver: 'sap', solverOptions: options, solvers: SOLVERS });
}

describe('a runner in the calling thread', () => {
	it('does what a loop over the solver does, one step or many at a time', async () => {
		const direct = new Runner(makeScene(3));
		const [single, batched] = [await create(makeScene(3)), await create(makeScene(3))];
		direct.step(DT, 21);
		for (let i = 0; i < 21; i++) await single.step(DT);
		await batched.step(DT, { steps: 14 });
		await batched.step(DT, { steps: 7 });
		for (const name of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const) {
			expect(single.state[name]).toEqual(direct.state[name]);
			expect(batched.state[name]).toEqual(direct.state[name]);
		}
		expect(batched.stepCount).toBe(21);
		expect([...batched.statistics.stepCount]).toEqual([21, 21, 21]);
		expect(batched.statistics.contactTotal).toEqual(single.statistics.contactTotal);
		expect(batched.statistics.contactTotal[0]).toBeGreaterThan(21);
		expect(batched.statistics.contactMost[0]).toBe(5);
		expect(batched.statistics.iterationTotal[1]).toBeGreaterThan(20);
	});

	it.each([2, 3, 4])('does the same when %i worlds at a time take all steps', async (worldsAtOnce) => {
		const inBlocks: WorldSolvers = {
			sap: async () => ({ create: async (setup) => ({ ...(await SAP_WORLDS.create(setup)), worldsAtOnce }) }),
		};
		const settings = { solver: 'sap', contactsKept: 8, tellsContacts: true, accountsEnergy: true };
		const model = makeScene(7).finalize({ keepInertia: true });
		const together = await WorldRunner.create(model, {
			...settings,
			solvers: { sap: async () => ({ create: oneBlock }) },
		});
		const apart = await WorldRunner.create(model, { ...settings, solvers: inBlocks });
		for (const runner of [together, apart]) {
			runner.state.jointQd[runner.model.worlds.range('jointDof', 5).start] = 0.3;
			runner.control.jointF[runner.model.worlds.range('jointDof', 2).start] = Number.NaN;
			await runner.step(DT, { steps: 8, mask: [1, 1, 1, 0, 1, 1, 1] });
			await runner.step(DT, { steps: 9 });
		}
		for (const name of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const)
			expect(apart.state[name]).toEqual(together.state[name]);
		expect(apart.failures).toEqual(together.failures);
		expect(apart.failures).toHaveLength(1);
		expect(apart.statistics).toEqual(together.statistics);
		expect(apart.bodyContactF).toEqual(together.bodyContactF);
		expect(apart.bodyContactF.some((force) => force !== 0)).toBe(true);
		expect(apart.contacts).toEqual(together.contacts);
		// a box on four corners and a ball; world 2 was held, the box of world 5 pushed
		expect([...apart.contacts!.count].filter((_, world) => world !== 2 && world !== 5)).toEqual([5, 5, 5, 5, 5]);
	});

	it('steps masked worlds only, each with its own time step', async () => {
		const runner = await create(makeScene(3));
		const reference = await create(makeScene(3));
		const before = worldState(runner, 1);
		await runner.step([DT, DT, 0.002], { steps: 5, mask: [true, false, true] });
		expect(worldState(runner, 1)).toEqual(before);
		await reference.step(DT, { steps: 5 });
		expect(worldState(runner, 0)).toEqual(worldState(reference, 0));
		expect(worldState(runner, 2)).not.toEqual(worldState(reference, 2));
		await runner.step(DT, { steps: 5, mask: [0, 1, 0] });
		expect(worldState(runner, 1)).toEqual(worldState(reference, 1));
	});

	it('tells collision of shapes that were changed while it runs', async () => {
		const one = makeBuilder();
		addBall(one, 0.1, 1, [0, 0, 5], MATERIAL);
		const all = makeBuilder();
		all.replicate(one, { count: 2, spacing: [0, 0, 0] });
		all.addShapePlane(ofMaterial(MATERIAL));
		const runner = await create(all);
		await runner.step(DT);
		expect(runner.statistics.contactTotal[1]).toBe(0);
		runner.model.shapeGap.fill(10);
		await runner.notifyModelChanged();
		await runner.step(DT);
		expect(runner.statistics.contactTotal[1]).toBe(1);
	});

	it('applies forces and controls until they are changed', async () => {
		const runner = await create(makeScene(2));
		runner.state.bodyF[0] = 2;
		await runner.step(DT, { steps: 3 });
		expect(runner.state.bodyF[0]).toBe(2);
		expect(runner.state.bodyQd[0]).toBeCloseTo(2 * 3 * DT, 3);
		await runner.reset();
		expect(runner.state.bodyF[0]).toBe(0);
		runner.control.jointF[6] = 1;
		await runner.step(DT, { steps: 3 });
		expect(Math.abs(runner.state.jointQd[6]!)).toBeGreaterThan(1e-3);
	});

	it('holds a world that diverges, reports it, and lets it go on after a reset', async () => {
		const runner = await create(makeScene(3));
		const calm = await create(makeScene(3));
		await runner.step(DT, { steps: 4 });
		const good = worldState(runner, 1);
		runner.control.jointF[runner.model.worlds.range('jointDof', 1).start] = Number.NaN;
		await runner.step(DT, { steps: 6 });
		await calm.step(DT, { steps: 10 });
		expect(runner.failures).toEqual([{ world: 1, step: 4, reason: expect.stringContaining('not finite') }]);
		expect(worldState(runner, 1)).toEqual(good);
		for (const world of [0, 2]) expect(worldState(runner, world)).toEqual(worldState(calm, world));
		runner.control.jointF.fill(0);
		await runner.step(DT);
		expect(worldState(runner, 1)).toEqual(good);
		await runner.reset({ mask: [0, 1, 0] });
		expect(runner.failures).toEqual([]);
		await runner.step(DT, { steps: 10, mask: [0, 1, 0] });
		expect(worldState(runner, 1)).toEqual(worldState(calm, 1));
	});

	it('contains numbers that are not finite in the state of a world, wherever they are', async () => {
		const calm = await create(makeScene(3));
		await calm.step(DT, { steps: 8 });
		for (const name of ['jointQ', 'jointQd', 'bodyQ'] as const) {
			for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
				const runner = await create(makeScene(3));
				const { start } = runner.model.worlds.range(
					name === 'bodyQ' ? 'body' : name === 'jointQ' ? 'jointCoord' : 'jointDof',
					1,
				);
				runner.state[name][start * (name === 'bodyQ' ? 7 : 1) + 2] = bad;
				await runner.step(DT, { steps: 8 });
				for (const world of [0, 2]) expect(worldState(runner, world)).toEqual(worldState(calm, world));
				// poses of bodies follow from coordinates
				if (name !== 'bodyQ') expect(runner.failures.map(({ world }) => world)).toEqual([1]);
			}
		}
	});

	it('counts a speed that nothing has as divergence', async () => {
		const runner = await create(makeScene(2));
		runner.state.jointQd[6] = 2e6;
		await runner.step(1e-6, { steps: 3 });
		const reason = expect.stringMatching(/^joint '.*' moves at 2\.00e\+6 m\/s or rad\/s$/);
		expect(runner.failures).toEqual([{ world: 0, step: 0, reason }]);
		expect(runner.statistics.fault[0]).toBe(WorldFault.TOO_FAST);
		expect(runner.state.jointQd[6]).toBe(2e6);
	});

	it('takes over changes of the model', async () => {
		const runner = await create(makeScene(2));
		runner.model.setGravity([0, 0, 0], { world: 1 });
		await runner.notifyModelChanged();
		await runner.step(DT);
		const { start } = runner.model.worlds.range('body', 1);
		expect(runner.state.bodyQd[2]).toBeLessThan(0);
		expect(runner.state.bodyQd[6 * start + 2]).toBe(0);
	});

	it('moves what belongs to no world, whichever worlds are stepped', async () => {
		const all = makeBuilder();
		addBox(all, [1, 1, 0.05], 100, [0, 0, 0.5], MATERIAL);
		all.replicate(makeScene(1), { count: 2, spacing: [0, 0, 0] });
		const runner = await create(all);
		await runner.step(DT, { steps: 3, mask: [0, 0] });
		expect(runner.state.bodyQd[2]).toBeCloseTo(-9.81 * 3 * DT, 12);
		await runner.step(DT, { steps: 3, mask: [0, 1] });
		expect(runner.state.bodyQd[2]).toBeCloseTo(-9.81 * 6 * DT, 12);
		await runner.reset();
		expect(runner.state.bodyQ[2]).toBe(0.5);
	});

	it('refuses what makes no sense', async () => {
		const model = makeScene(2).finalize();
		await expect(WorldRunner.create(model, { solver: 'sap', workers: 2 })).rejects.toThrow(/need a host/);
		await expect(WorldRunner.create(model, { solver: 'sap' })).rejects.toThrow(/solvers must be given/);
		await expect(WorldRunner.create(model, { solver: 'sap', solvers: SOLVERS, workers: 1.5 })).rejects.toThrow(/1.5/);
		const unknown = WorldRunner.create(model, { solver: 'bullet', solvers: SOLVERS });
		await expect(unknown).rejects.toMatchObject({ code: 'WLD021', message: expect.stringContaining("'bullet'") });
		const runner = await create(makeScene(2));
		await expect(runner.step(0)).rejects.toThrow(RangeError);
		await expect(runner.step([DT])).rejects.toThrow(/1 entries/);
		await expect(runner.step(DT, { steps: 0 })).rejects.toThrow(/steps is 0/);
		await expect(runner.step(DT, { mask: [1] })).rejects.toThrow(/mask has 1/);
		const first = runner.step(DT);
		await expect(runner.step(DT)).rejects.toThrow(/at work/);
		await first;
		await runner.dispose();
		await runner.dispose();
		await expect(runner.step(DT)).rejects.toThrow(/disposed/);
	});
});

describe('a runner whose workers misbehave', () => {
	type Listener = (value: never) => void;

	/** A host of workers that answer what a function says, or end with a reason. */
	function makeHost(answer: (kind: string) => unknown): WorkerHost & { ended: number } {
		const host = {
			ended: 0,
			start() {
				let [onMessage, onEnd]: [Listener, Listener] = [() => {}, () => {}];
				return {
					postMessage({ kind }: { kind: string }) {
						const reply = answer(kind);
						queueMicrotask(() => (typeof reply === 'string' ? onEnd(reply as never) : onMessage(reply as never)));
					},
					onMessage: (listener: Listener) => {
						onMessage = listener;
					},
					onEnd: (listener: Listener) => {
						onEnd = listener;
					},
					terminate: async () => {
						host.ended++;
					},
				};
			},
		};
		return host as unknown as WorkerHost & { ended: number };
	}

	const start = (host: WorkerHost): Promise<WorldRunner> =>
		WorldRunner.create(makeScene(4).finalize(), { solver: 'sap', workers: 2, host });

	it('says which worlds a worker had that ended, and ends the others', async () => {
		for (const when of ['load', 'start']) {
			const host = makeHost((kind) => (kind === when ? 'out of memory' : { kind: 'loaded' }));
			const failure = await start(host).catch((error: unknown) => error);
			expect(failure).toBeInstanceOf(RunnerError);
			expect(failure).toMatchObject({ code: 'WLD020', message: 'worker 0 (worlds 0 to 1) ended: out of memory' });
			expect(host.ended).toBeGreaterThanOrEqual(2);
		}
	});

	it("passes a solver's own error on", async () => {
		const host = makeHost(() => ({ kind: 'failed', code: 'MJC004', message: 'MuJoCo refuses the model' }));
		await expect(start(host)).rejects.toMatchObject({ code: 'MJC004', message: 'MuJoCo refuses the model' });
		const other = makeHost(() => ({ kind: 'failed', code: 'ERR_OTHER', message: 'x is not a function' }));
		await expect(start(other)).rejects.toMatchObject({
			code: 'WLD022',
			message: 'worker 0 (worlds 0 to 1): x is not a function',
		});
	});

	it('says that shared memory is missing', async () => {
		vi.stubGlobal('SharedArrayBuffer', undefined);
		try {
			const isolated = { code: 'WLD021', message: expect.stringContaining('cross-origin isolated') };
			await expect(start(makeHost(() => 'unused'))).rejects.toMatchObject(isolated);
			expect((await create(makeScene(1))).workerCount).toBe(0);
		} finally {
			vi.unstubAllGlobals();
		}
	});

	it('ends the workers before one that does not start', async () => {
		const host = makeHost(() => ({ kind: 'loaded' }));
		const ports = [host.start()];
		const failing = {
			start: () => {
				const port = ports.pop();
				if (port === undefined) throw new Error('no threads left');
				return port;
			},
		};
		await expect(start(failing)).rejects.toThrow('no threads left');
		expect(host.ended).toBe(1);
	});

	it('rejects a command that is under way when it is disposed', async () => {
		const host = makeHost((kind) => (kind === 'load' ? { kind: 'loaded' } : { kind: 'ready', diagnostics: [] }));
		const runner = await start(host);
		const stepping = runner.step(DT);
		const outcome = expect(stepping).rejects.toMatchObject({ code: 'WLD020' });
		await runner.dispose();
		await outcome;
	});
});
