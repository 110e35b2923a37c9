import { ModelBuilder } from '@manyworlds/model';
import { SolverSap } from '@manyworlds/sim';
import { describe, expect, it } from 'vitest';
import { SolverMujoco } from '../src/index.ts';

/** Numbers that look random and are the same in every run. */
class Sequence {
	#seed: number;

	constructor(seed: number) {
		this.#seed = seed;
	}

	/** -1 to 1. */
	next(): number {
		this.#seed = (Math.imul(this.#seed, 1664525) + 1013904223) >>> 0;
		return this.#seed / 2 ** 31 - 1;
	}
}

/** A tree of hinges and slides with odd frames, offset centres of mass, armature and damping. */
function tree(seed: number, size: number, isFloating: boolean): ModelBuilder {
	const random = new Sequence(seed);
	const builder = new ModelBuilder({ rigidGap: 0 });
	const bodies: number[] = [];
	const joints: number[] = [];
	const vector = (scale: number): number[] => [scale * random.next(), scale * random.next(), scale * random.next()];
	for (let i = 0; i < size; i++) {
		const child = builder.addLink({
			mass: 1.2 + random.next(),
			com: vector(0.1),
			inertia: [0.02, 0.001, 0, 0.001, 0.03, -0.002, 0, -0.002, 0.025],
			lockInertia: true,
		});
		const parent = i === 0 ? -1 : bodies[Math.floor(((random.next() + 1) / 2) * i)]!;
		bodies.push(child);
		if (i === 0 && isFloating) {
			joints.push(builder.addJointFree({ child }));
			continue;
		}
		const angle = random.next();
		const frame = { p: vector(0.3), q: [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)] };
		const shared = { parent, child, parentXform: frame, armature: 0.01, damping: 0.1 + 0.05 * random.next() };
		const axis = [random.next(), random.next(), 0.5];
		if (random.next() > -0.4) joints.push(builder.addJointRevolute({ ...shared, axis }));
		else joints.push(builder.addJointPrismatic({ ...shared, axis }));
	}
	builder.addArticulation(joints);
	return builder;
}

/** Both solvers on one model: MuJoCo's Euler takes damping implicitly, as SAP does, and moves positions by the new velocity. */
async function both(builder: ModelBuilder): Promise<{
	sap: SolverSap;
	mujoco: SolverMujoco;
	states: ReturnType<ReturnType<ModelBuilder['finalize']>['createState']>[];
	model: ReturnType<ModelBuilder['finalize']>;
}> {
	const model = builder.finalize({ keepInertia: true });
	const mujoco = await SolverMujoco.create(model, { integrator: 'euler', updateBodies: true });
	return {
		model,
		mujoco,
		sap: new SolverSap(model, { gyroscopicTerms: 'explicit' }),
		states: Array.from({ length: 4 }, () => model.createState()),
	};
}

describe('motion without contact, SolverSap next to MuJoCo', () => {
	it('of trees of hinges and slides agrees to 1e-8 over 500 steps', async () => {
		for (const seed of [1, 2, 3]) {
			const { model, mujoco, sap, states } = await both(tree(seed, 7, false));
			const control = model.createControl();
			const random = new Sequence(seed + 100);
			for (let dof = 0; dof < model.jointDofCount; dof++) {
				control.jointF[dof] = random.next();
				states[0]!.jointQd[dof] = 0.5 * random.next();
			}
			states[2]!.assign(states[0]!);
			mujoco.reset(states[2]!);
			let [a, b, c, d] = states as [(typeof states)[0], (typeof states)[0], (typeof states)[0], (typeof states)[0]];
			for (let i = 0; i < 500; i++) {
				sap.step(a, b, control, undefined, 0.001);
				[a, b] = [b, a];
				mujoco.step(c, d, control, undefined, 0.001);
				[c, d] = [d, c];
			}
			const largest = Math.max(1, ...Array.from(c.jointQd, Math.abs));
			for (let i = 0; i < a.jointQ.length; i++)
				expect(Math.abs(a.jointQ[i]! - c.jointQ[i]!)).toBeLessThan(1e-8 * largest);
			for (let i = 0; i < a.jointQd.length; i++) {
				expect(Math.abs(a.jointQd[i]! - c.jointQd[i]!)).toBeLessThan(1e-8 * largest);
			}
			expect(Math.max(...Array.from(a.jointQ, (q, i) => Math.abs(q - model.jointQ[i]!)))).toBeGreaterThan(0.05);
			mujoco.dispose();
		}
	});

	it('of floating trees agrees in the velocities of every step to 1e-8 from the same state', async () => {
		for (const seed of [4, 5]) {
			const { model, mujoco, sap, states } = await both(tree(seed, 6, true));
			const control = model.createControl();
			const random = new Sequence(seed + 100);
			for (let dof = 0; dof < model.jointDofCount; dof++) {
				control.jointF[dof] = random.next();
				states[0]!.jointQd[dof] = random.next();
			}
			mujoco.reset(states[0]!);
			let [from, to, own] = states as [(typeof states)[0], (typeof states)[0], (typeof states)[0]];
			const dt = 0.002;
			for (let i = 0; i < 200; i++) {
				sap.step(from, own, control, undefined, dt);
				mujoco.step(from, to, control, undefined, dt);
				const largest = Math.max(1, ...Array.from(to.jointQd, Math.abs));
				for (let dof = 0; dof < model.jointDofCount; dof++) {
					// the velocity of the centre of mass is read in the new orientation, where quaternion steps differ by (ω dt)³ / 12
					const bound = dof < 3 ? 1e-8 + (largest * dt) ** 3 : 1e-8;
					expect(Math.abs(own.jointQd[dof]! - to.jointQd[dof]!)).toBeLessThan(bound * largest);
				}
				for (let q = 7; q < model.jointCoordCount; q++) expect(own.jointQ[q]).toBeCloseTo(to.jointQ[q]!, 9);
				[from, to] = [to, from];
			}
			mujoco.dispose();
		}
	});
});
