import { existsSync, readFileSync } from 'node:fs';
import { importMjcf } from '@manyworlds/import';
import { ArticulatedDynamics, JointTargetMode, type Model, ModelBuilder, type State } from '@manyworlds/model';
import { CollisionPipeline, registerSapAttributes, SolverSap } from '@manyworlds/sim';
import { describe, expect, it } from 'vitest';

const G1 = new URL('../../../../shared/assets/unitree_g1/g1_29dof_with_hand_rev_1_0.xml', import.meta.url);
const DT = 0.003;

function g1Model(ke: number, kd: number): Model {
	const builder = new ModelBuilder({ rigidGap: 0.002 });
	registerSapAttributes(builder);
	importMjcf(readFileSync(G1, 'utf8'), builder, { file: 'g1.xml', parseMeshes: false, ignoreNames: ['floor'] });
	builder.addShapePlane({ width: 0, length: 0 });
	const model = builder.finalize();
	model.shapeMaterialKe.fill(1e6);
	model.shapeMaterialMu.fill(0.75);
	model.shapeGap.fill(0.002);
	model.shapeMargin.fill(0);
	(model.attributes.get('sap:tau') as Float64Array).fill(0.01);
	for (let dof = 6; dof < model.jointDofCount; dof++) {
		model.jointTargetMode[dof] = JointTargetMode.POSITION;
		model.jointTargetKe[dof] = ke;
		model.jointTargetKd[dof] = kd;
		model.jointArmature[dof] = 0.01;
	}
	return model;
}

/** Takes steps from a height with a push [m/s], and shows each to `look`. Gives the last state. */
function run(
	model: Model,
	height: number,
	push: number,
	steps: number,
	look: (solver: SolverSap, before: State, pipeline: CollisionPipeline) => void,
): State {
	const pipeline = new CollisionPipeline(model);
	const contacts = pipeline.createContacts({ perWorld: 128 });
	const solver = new SolverSap(model);
	let state = model.createState();
	let next = model.createState();
	state.jointQ[2] = height;
	state.jointQd[0] = push;
	new ArticulatedDynamics(model).forwardKinematics(state);
	for (let i = 0; i < steps; i++) {
		pipeline.collide(state, contacts);
		solver.step(state, next, undefined, contacts, DT);
		look(solver, state, pipeline);
		[state, next] = [next, state];
	}
	return state;
}

describe.skipIf(!existsSync(G1))('the G1, which needs ../shared/assets', () => {
	it('collapses in steps that are minima, from any guess', () => {
		const model = g1Model(20, 1);
		const tight = { optimalityRelTol: 1e-11, costRelTol: 0, costAbsTol: 0 };
		const first = new SolverSap(model, tight);
		const second = new SolverSap(model, { ...tight, initialGuess: 'free_motion' });
		const [a, b] = [model.createState(), model.createState()];
		let most = 0;
		let step = 0;
		run(model, 0.9, 2, 300, ({ outcome }, before, pipeline) => {
			expect(outcome.converged[0]).toBe(1);
			expect(outcome.residual[0]).toBeLessThanOrEqual(1e-6);
			expect(outcome.droppedContactCount[0]).toBe(0);
			most = Math.max(most, outcome.contactCount[0]!);
			if (step++ % 5 !== 0) return;
			const contacts = pipeline.createContacts({ perWorld: 128 });
			pipeline.collide(before, contacts);
			first.step(before, a, undefined, contacts, DT);
			second.step(before, b, undefined, contacts, DT);
			const fastest = Math.max(1, ...Array.from(a.jointQd, Math.abs));
			const off = Math.max(...Array.from(a.jointQd, (v, dof) => Math.abs(v - b.jointQd[dof]!)));
			expect(off).toBeLessThan(1e-6 * fastest);
		});
		expect(most).toBeGreaterThan(8);
	});

	it('stands for ten seconds on eight contacts, with one Newton iteration in a step', () => {
		let iterations = 0;
		let contacts = 0;
		const end = run(g1Model(500, 10), 0.793, 0, 3334, ({ outcome }) => {
			iterations += outcome.iterations[0]!;
			contacts = outcome.contactCount[0]!;
		});
		expect(contacts).toBe(8);
		expect(iterations).toBeLessThan(1.02 * 3334);
		expect(end.bodyQ[2]).toBeGreaterThan(0.75);
		// upright
		expect(Math.abs(end.bodyQ[6]!)).toBeGreaterThan(0.999);
	});
});
