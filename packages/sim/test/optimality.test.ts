import type { ModelBuilder } from '@manyworlds/model';
import { expect, it } from 'vitest';
import { SolverSap } from '../src/index.ts';
import { addBox, boxInertia, describeEngines, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

const MATERIAL = { ke: 1e6, tau: 0.01, mu: 0.75 };

/** A body with four jointed limbs of two capsules, with weak drives, limits and contacts of everything with everything. */
function ragDoll(): ModelBuilder {
	const builder = makeBuilder();
	const torso = builder.addLink({ mass: 8, inertia: boxInertia(8, 0.3, 0.2, 0.5), lockInertia: true });
	const joints = [builder.addJointFree({ child: torso })];
	builder.addShapeBox(torso, { halfExtents: [0.15, 0.1, 0.25], ...ofMaterial(MATERIAL) });
	for (const [x, z] of [
		[-0.1, -0.25],
		[0.1, -0.25],
		[-0.2, 0.2],
		[0.2, 0.2],
	] as const) {
		let parent = torso;
		for (let part = 0; part < 2; part++) {
			const link = builder.addLink({
				mass: 2,
				com: [0, 0, -0.15],
				inertia: boxInertia(2, 0.08, 0.08, 0.3),
				lockInertia: true,
			});
			joints.push(
				builder.addJointRevolute({
					parent,
					child: link,
					axis: part === 0 ? [1, 0.2, 0] : [1, 0, 0],
					parentXform: { p: part === 0 ? [x, 0, z] : [0, 0, -0.3] },
					limitLower: -1.5,
					limitUpper: 1.2,
					limitKe: 1000,
					limitKd: 10,
					targetKe: 5,
					targetKd: 0.5,
					armature: 0.005,
				}),
			);
			builder.addShapeCapsule(link, {
				radius: 0.04,
				halfHeight: 0.1,
				xform: { p: [0, 0, -0.15] },
				...ofMaterial(MATERIAL),
			});
			parent = link;
		}
	}
	builder.addArticulation(joints);
	builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(MATERIAL) });
	return builder;
}

/** Boxes that fall onto each other. */
function clutter(): ModelBuilder {
	const builder = makeBuilder();
	let seed = 11;
	const random = (): number => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return seed / 2 ** 32;
	};
	for (let i = 0; i < 10; i++) {
		const angle = 6 * random();
		const q = [0.6 * Math.sin(angle / 2), 0.8 * Math.sin(angle / 2), 0, Math.cos(angle / 2)];
		addBox(builder, [0.08, 0.06, 0.05], 1, [0.2 * random(), 0.2 * random(), 0.1 + 0.12 * i], MATERIAL, q);
	}
	builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(MATERIAL) });
	return builder;
}

/**
 * Steps a scene and looks at every step: its scaled gradient is below the tolerance, and a solver that begins elsewhere finds
 * the same velocities.
 */
function checkEveryStep(runner: Runner, dt: number, steps: number): { contacts: number; iterations: number } {
	const tight = { optimalityRelTol: 1e-11, costRelTol: 0, costAbsTol: 0 };
	const solvers = (['previous_velocity', 'free_motion'] as const).map(
		(initialGuess) => new SolverSap(runner.model, { ...tight, initialGuess }),
	);
	const states = solvers.map(() => runner.model.createState());
	let contacts = 0;
	let iterations = 0;
	for (let i = 0; i < steps; i++) {
		runner.pipeline.collide(runner.state, runner.contacts);
		contacts = Math.max(contacts, runner.contacts.rigidCount);
		if (i % 4 === 0) {
			solvers.forEach((solver, k) => {
				solver.step(runner.state, states[k]!, runner.control, runner.contacts, dt);
			});
			const [a, b] = states as [(typeof states)[0], (typeof states)[0]];
			let fastest = 1;
			let off = 0;
			for (let dof = 0; dof < a.jointQd.length; dof++) {
				fastest = Math.max(fastest, Math.abs(a.jointQd[dof]!));
				off = Math.max(off, Math.abs(a.jointQd[dof]! - b.jointQd[dof]!));
			}
			expect(off).toBeLessThan(1e-6 * fastest);
		}
		runner.step(dt);
		const { residual, converged, droppedContactCount } = runner.solver.outcome;
		expect(converged[0]).toBe(1);
		expect(residual[0]).toBeLessThanOrEqual(1e-6);
		expect(droppedContactCount[0]).toBe(0);
		iterations = Math.max(iterations, runner.solver.outcome.iterations[0]!);
	}
	return { contacts, iterations };
}

describeEngines('every step is a minimum, from any guess', () => {
	it('of a rag-doll that collapses on itself', () => {
		const runner = new Runner(ragDoll(), {}, 128);
		runner.model.shapeGap.fill(0.002);
		runner.state.jointQ[2] = 0.9;
		runner.state.jointQd[0] = 1;
		runner.place();
		const { contacts, iterations } = checkEveryStep(runner, 0.004, 250);
		expect(contacts).toBeGreaterThan(4);
		expect(iterations).toBeGreaterThan(3);
		// it lies on the ground
		expect(runner.state.bodyQ[2]).toBeLessThan(0.5);
		expect(runner.state.bodyQ[2]).toBeGreaterThan(0.05);
	});

	it('of clutter', () => {
		const runner = new Runner(clutter(), {}, 256);
		runner.model.shapeGap.fill(0.002);
		const { contacts, iterations } = checkEveryStep(runner, 0.005, 120);
		expect(contacts).toBeGreaterThan(15);
		expect(iterations).toBeGreaterThan(3);
	});
});
