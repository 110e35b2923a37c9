import { type Contacts, type Model, ModelBuilder, ModelFlags, type State } from '@manyworlds/model';
import { CollisionPipeline, SolverSap } from '@manyworlds/sim';
import { type Solver, WorldFault } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { SolverMujoco } from '../src/index.ts';
import { mujoco } from './support.ts';

const DT = 2e-3;

/** Three worlds with a driven hinge and a box that falls on a plane. */
function makeModel(): Model {
	const world = new ModelBuilder({ rigidGap: 0 });
	const arm = world.addLink({ mass: 1, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1], com: [0.1, 0, 0] });
	const hinge = world.addJointRevolute({
		parent: -1,
		child: arm,
		axis: 'y',
		targetPos: 0.3,
		targetKe: 40,
		targetKd: 2,
	});
	world.addArticulation([hinge]);
	const box = world.addBody({ xform: { p: [2, 0, 0.11] } });
	world.addShapeBox(box, { halfExtents: [0.1, 0.1, 0.1], config: { ke: 1e4, kd: 200 } });
	const all = new ModelBuilder({ rigidGap: 0 });
	all.replicate(world, { count: 3, spacing: [0, 0, 0] });
	all.addGroundPlane();
	return all.finalize();
}

/** Solvers by name, each with what finds its contacts. */
const SOLVERS: readonly [
	string,
	(model: Model) => { solver: Solver; collide: (state: State) => Contacts | undefined },
][] = [
	[
		'SolverSap',
		(model) => {
			const pipeline = new CollisionPipeline(model);
			const contacts = pipeline.createContacts();
			const collide = (state: State): Contacts => {
				pipeline.collide(state, contacts);
				return contacts;
			};
			return { solver: new SolverSap(model, { contactTauD: 0.01 }), collide };
		},
	],
	['SolverMujoco', (model) => ({ solver: new SolverMujoco(mujoco, model), collide: () => undefined })],
];

describe.each(SOLVERS)('%s keeps the contract', (_, make) => {
	/** States after steps; a mask or range may choose worlds. */
	function run(steps: number, withControl: boolean, options: Parameters<Solver['step']>[5] = {}): State {
		const model = makeModel();
		const { solver, collide } = make(model);
		const control = withControl ? model.createControl() : undefined;
		let [now, next] = [model.createState(), model.createState()];
		for (let i = 0; i < steps; i++) {
			next.assign(now);
			solver.step(now, next, control, collide(now), DT, options);
			[now, next] = [next, now];
		}
		solver.dispose();
		return now;
	}

	it('takes the targets of the model when there is no control', () => {
		const [without, given] = [run(40, false), run(40, true)];
		expect(without.jointQ).toEqual(given.jointQ);
		expect(without.bodyQd).toEqual(given.bodyQd);
		expect(without.jointQ[0]).toBeGreaterThan(0.001);
	});

	it('reads targets of the model that change', () => {
		const model = makeModel();
		const { solver, collide } = make(model);
		const [now, next] = [model.createState(), model.createState()];
		model.jointTargetQ.fill(-0.3);
		solver.step(now, next, undefined, collide(now), DT);
		expect(next.jointQd[0]).toBeLessThan(0);
		solver.dispose();
	});

	it('steps the worlds of a range and of a mask, bit for bit as among all', () => {
		const all = run(10, false);
		const chosen = [run(10, false, { range: { start: 1, end: 2 } }), run(10, false, { mask: [0, 1, 0] })];
		const coordinates = all.jointQ.length / 3;
		const own = (state: State, world: number): Float64Array =>
			state.jointQ.subarray(coordinates * world, coordinates * (world + 1));
		for (const state of chosen) {
			expect(own(state, 1)).toEqual(own(all, 1));
			expect(own(state, 0)).not.toEqual(own(all, 0));
			expect(own(state, 2)).toEqual(own(state, 0));
		}
		expect(() => run(1, false, { range: { start: 1, end: 4 } })).toThrow(RangeError);
	});

	it('tells contacts and faults by world until a reset', () => {
		const model = makeModel();
		const { solver, collide } = make(model);
		const [now, next] = [model.createState(), model.createState()];
		now.jointQd[model.jointDofCount / 3] = Number.NaN;
		solver.step(now, next, undefined, collide(now), DT);
		expect([...solver.outcome.fault]).toEqual([WorldFault.NONE, WorldFault.DIVERGED, WorldFault.NONE]);
		expect(Number.isFinite(next.jointQ[0]!) && Number.isFinite(next.jointQ.at(-1)!)).toBe(true);
		now.assign(model.createState());
		solver.reset(now, { mask: [0, 1, 0] });
		expect([...solver.outcome.fault]).toEqual([0, 0, 0]);
		now.jointQ[1 + 2] = 0.099;
		now.bodyQ[7 + 2] = 0.099;
		solver.notifyModelChanged(ModelFlags.ALL, [1, 1, 1]);
		solver.step(now, next, undefined, collide(now), DT);
		expect([...solver.outcome.contactCount].map((count) => count > 0)).toEqual([true, false, false]);
		solver.dispose();
	});
});
