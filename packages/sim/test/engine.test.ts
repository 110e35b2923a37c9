import {
	ArticulatedDynamics,
	JointTargetMode,
	type Model,
	ModelBuilder,
	ModelFlags,
	type State,
} from '@manyworlds/model';
import { WorldFault } from '@manyworlds/worlds';
import { describe, expect, it } from 'vitest';
import { CollisionPipeline, registerSapAttributes, SolverSap, type SolverSapOptions } from '../src/index.ts';
import { Runner } from './make-scene.ts';
import { RECORDED_SCENES } from './recorded-scenes.ts';

/** Numbers between 0 and 1 in a fixed sequence. */
class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	next(): number {
		this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
		return this.#state / 2 ** 32;
	}

	between(low: number, high: number): number {
		return low + (high - low) * this.next();
	}

	vector(size: number): [number, number, number] {
		return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
	}

	quaternion(): number[] {
		const q = [...this.vector(1), this.between(0.3, 2)];
		const length = Math.hypot(...q);
		return q.map((x) => x / length);
	}

	pick(count: number): number {
		return Math.min(count - 1, Math.floor(this.next() * count));
	}
}

const KINDS = ['revolute', 'revolute', 'prismatic', 'ball', 'd6', 'fixed'] as const;
const MODES = [
	JointTargetMode.POSITION,
	JointTargetMode.VELOCITY,
	JointTargetMode.POSITION_VELOCITY,
	JointTargetMode.EFFORT,
];

/** A robot of random joints, drives, limits, friction and shapes; the seed alone decides. */
function randomRobot(seed: number): ModelBuilder {
	const random = new Random(seed);
	const builder = new ModelBuilder({ gravity: [random.between(-2, 2), 0, -9.81], rigidGap: 0 });
	registerSapAttributes(builder);
	const trees = 1 + random.pick(2);
	for (let tree = 0; tree < trees; tree++) {
		const links: number[] = [];
		const joints: number[] = [];
		const size = 1 + random.pick(7);
		for (let i = 0; i < size; i++) {
			const inertia = [0.03, 0.002, -0.001, 0.002, 0.04, 0.003, -0.001, 0.003, 0.05];
			const isBase = i === 0 && random.next() < 0.6;
			const com = random.vector(0.05);
			const child = builder.addLink({ mass: random.between(0.2, 3), com, inertia, lockInertia: true });
			const parent = i === 0 ? -1 : links[random.pick(links.length)]!;
			const place = i === 0 ? [0.7 * tree, 0, random.between(0.05, 0.4)] : random.vector(0.25);
			const shared = { parent, child, parentXform: { p: place, q: random.quaternion() } };
			links.push(child);
			const kind = KINDS[random.pick(KINDS.length)]!;
			const axis = {
				axis: random.vector(1),
				armature: random.next() < 0.5 ? 0.05 : 0,
				damping: random.next() < 0.3 ? 0.2 : 0,
				friction: random.next() < 0.4 ? random.between(0.05, 1) : 0,
				limitLower: random.between(-0.4, 0),
				limitUpper: random.between(0, 0.4),
				limitKe: random.next() < 0.7 ? 500 : 0,
				limitKd: 5,
				targetKe: random.next() < 0.7 ? random.between(5, 1e5) : 0,
				targetKd: random.between(0, 20),
				effortLimit: random.next() < 0.5 ? random.between(1, 20) : 0,
				velocityLimit: 2,
				targetMode: MODES[random.pick(MODES.length)]!,
			};
			if (isBase) joints.push(builder.addJointFree({ child, parentXform: { p: place } }));
			else if (kind === 'revolute') joints.push(builder.addJointRevolute({ ...shared, ...axis }));
			else if (kind === 'prismatic') joints.push(builder.addJointPrismatic({ ...shared, ...axis }));
			else if (kind === 'ball') joints.push(builder.addJointBall(shared));
			else if (kind === 'fixed') joints.push(builder.addJointFixed(shared));
			else {
				const several = [{ ...axis, axis: [1, 0.2, 0] }, { axis: [0, 1, 0.3] }, { axis: [0.1, 0, 1] }];
				const linearAxes = several.slice(0, random.pick(3));
				joints.push(builder.addJointD6({ ...shared, linearAxes, angularAxes: several.slice(0, 1 + random.pick(3)) }));
			}
			const config = { mu: random.between(0, 1), ke: 10 ** random.between(3, 6), density: 0 };
			const xform = { p: random.vector(0.05) };
			if (random.next() < 0.6) builder.addShapeSphere(child, { radius: random.between(0.05, 0.2), xform, config });
			else builder.addShapeBox(child, { halfExtents: [0.1, 0.07, 0.05], xform, config });
		}
		builder.addArticulation(joints);
	}
	builder.addShapePlane({ width: 0, length: 0 });
	return builder;
}

/** Puts every coordinate and velocity of a state near where it stands, by the seed. */
function shake(model: Model, state: State, seed: number): void {
	const random = new Random(seed + 9973);
	for (let i = 0; i < state.jointQd.length; i++) state.jointQd[i] = random.between(-2, 2);
	for (let i = 0; i < state.bodyF.length; i++) state.bodyF[i] = random.between(-3, 3);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const start = model.jointQStart[joint]!;
		const end = model.jointQStart[joint + 1]!;
		const isPlain = end - start === model.jointQdStart[joint + 1]! - model.jointQdStart[joint]!;
		for (let q = start; isPlain && q < end; q++) state.jointQ[q] = random.between(-0.5, 0.5);
	}
	new ArticulatedDynamics(model).forwardKinematics(state);
}

const IS_LONG = process.env['MANYWORLDS_LONG'] === '1';
/** Random robots that are compared in 64 and in 32 bits: more with `MANYWORLDS_LONG=1`. */
const ROBOTS = IS_LONG ? 1000 : 120;
const SINGLE_ROBOTS = IS_LONG ? 300 : 120;

const PARTS = ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const;

/** Greatest difference of two arrays as a share of the largest entry. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
	let size = 1e-6;
	let most = 0;
	for (let i = 0; i < a.length; i++) {
		size = Math.max(size, Math.abs(a[i]!));
		most = Math.max(most, Math.abs(a[i]! - b[i]!));
	}
	return most / size;
}

describe('the engine beside the reference', () => {
	it('takes every recorded scene that it says it takes, and comes to the same', () => {
		const left: string[] = [];
		for (const [name, scene] of Object.entries(RECORDED_SCENES)) {
			const reference = new Runner(scene.build(), { ...scene.options, engine: 'reference' });
			const engine = new Runner(scene.build(), { ...scene.options, engine: 'wasm' });
			expect(reference.solver.engine).toBe('reference');
			if (engine.solver.engineNote !== undefined) left.push(`${name}: ${engine.solver.engineNote}`);
			const isSingle = engine.solver.engine === 'wasm32';
			// welds are stiff: what is rounded in another order counts ten thousandfold
			const [first, later, ofForces] = isSingle ? [1e-5, 2e-4, 2e-2] : [5e-12, 1e-9, 1e-8];
			for (const runner of [reference, engine]) scene.prepare?.(runner);
			for (let step = 0; step < 12; step++) {
				reference.step(scene.dt ?? 0.005);
				engine.step(scene.dt ?? 0.005);
				for (const part of PARTS) {
					expect(difference(reference.state[part], engine.state[part]), `${name} ${part} ${step}`).toBeLessThan(
						step === 0 ? first : later,
					);
				}
				const { rigidForce, rigidCount } = reference.contacts;
				const forces = rigidForce!.subarray(0, 6 * rigidCount);
				expect(difference(forces, engine.contacts.rigidForce!), `${name} forces ${step}`).toBeLessThan(ofForces);
			}
		}
		const reasons = new Set(left.map((line) => line.replace(/^.*: /, '')));
		expect([...reasons].sort()).toEqual([
			'friction model lagged',
			'line search armijo_decay',
			'line search monotone_decay',
			'numbers of 32 bits in parts of the step',
		]);
	});

	it('takes one step of random robots to the last digits, with the same counts', () => {
		let contacts = 0;
		let iterations = 0;
		for (let seed = 1; seed <= ROBOTS; seed++) {
			const model = randomRobot(seed).finalize({ keepInertia: true });
			const options: SolverSapOptions = {
				contactPresetVariant: seed % 3 === 0 ? 'approx64' : 'drake',
				enforceVelocityLimits: seed % 2 === 0,
				initialGuess: seed % 5 === 0 ? 'free_motion' : 'previous_velocity',
			};
			const pipeline = new CollisionPipeline(model);
			const state = model.createState();
			shake(model, state, seed);
			const outs: State[] = [];
			const solvers: SolverSap[] = [];
			const forces: Float64Array[] = [];
			const works: Float64Array[] = [];
			for (const engine of ['reference', 'wasm'] as const) {
				const solver = new SolverSap(model, { ...options, engine });
				const found = pipeline.createContacts({ perWorld: 64 });
				const control = model.createControl();
				const random = new Random(seed + 77);
				for (let dof = 0; dof < control.jointF.length; dof++) {
					control.jointF[dof] = random.between(-2, 2);
					control.jointAct[dof] = random.between(-1, 1);
					control.jointTargetQd[dof] = random.between(-1, 1);
				}
				const out = model.createState();
				const work = new Float64Array(1);
				pipeline.collide(state, found, solver.lookAhead(0.005));
				solver.step(state, out, control, found, 0.005, { work });
				outs.push(out);
				solvers.push(solver);
				works.push(work);
				forces.push(found.rigidForce!.slice(0, 6 * found.rigidCount));
			}
			const [expected, found] = [outs[0]!, outs[1]!];
			const [own, other] = [solvers[0]!.outcome, solvers[1]!.outcome];
			// what the two cannot move at all is left to the reference
			if (model.jointDofCount > 0) expect(solvers[1]!.engineNote, `seed ${seed}`).toBeUndefined();
			for (const part of PARTS) {
				expect(difference(expected[part], found[part]), `${part} of seed ${seed}`).toBeLessThan(5e-13);
			}
			expect(difference(forces[0]!, forces[1]!), `forces of seed ${seed}`).toBeLessThan(1e-8);
			expect(difference(works[0]!, works[1]!), `work of seed ${seed}`).toBeLessThan(1e-9);
			for (const count of ['iterations', 'contactCount', 'dofCount', 'stop', 'converged', 'fault'] as const) {
				expect(other[count][0], `${count} of seed ${seed}`).toBe(own[count][0]);
			}
			contacts += own.contactCount[0]!;
			iterations += own.iterations[0]!;
		}
		// robots that touch nothing and need no step of Newton would prove little
		expect(contacts).toBeGreaterThan(2 * ROBOTS);
		expect(iterations).toBeGreaterThan(2 * ROBOTS);
	});

	it('takes one step of random robots in 32 bits to the digits that these have', () => {
		let contacts = 0;
		const found: Readonly<Record<(typeof PARTS)[number], number[]>> = {
			jointQ: [],
			jointQd: [],
			bodyQ: [],
			bodyQd: [],
		};
		for (let seed = 1; seed <= SINGLE_ROBOTS; seed++) {
			const model = randomRobot(seed).finalize({ keepInertia: true });
			if (model.jointDofCount === 0) continue;
			const pipeline = new CollisionPipeline(model);
			const state = model.createState();
			shake(model, state, seed);
			const outs = (['approx64', 'approx32'] as const).map((contactPresetVariant) => {
				const solver = new SolverSap(model, { contactPresetVariant, enforceVelocityLimits: seed % 2 === 0 });
				expect(solver.engine).toBe(contactPresetVariant === 'approx64' ? 'wasm' : 'wasm32');
				const touching = pipeline.createContacts({ perWorld: 64 });
				const out = model.createState();
				pipeline.collide(state, touching, solver.lookAhead(0.005));
				solver.step(state, out, undefined, touching, 0.005);
				expect(solver.outcome.converged[0], `seed ${seed}`).toBe(1);
				contacts += solver.outcome.contactCount[0]!;
				return out;
			});
			for (const part of PARTS) found[part].push(difference(outs[0]![part], outs[1]![part]));
		}
		expect(contacts).toBeGreaterThan(3 * SINGLE_ROBOTS);
		for (const part of PARTS) {
			const sorted = found[part].sort((a, b) => a - b);
			expect(sorted[sorted.length >> 1], `median of ${part}`).toBeLessThan(5e-6);
			// stiff drives on light links leave few digits
			expect(sorted.at(-1), `worst of ${part}`).toBeLessThan(4e-3);
		}
	});

	it.each(['drake', 'approx32'] as const)('gives every world the bits that it has alone in %s', (preset) => {
		const robot = randomRobot(4);
		const count = 7;
		const run = (
			worlds: readonly number[],
			options: { mask?: number[]; range?: { start: number; end: number } } = {},
		) => {
			const builder = new ModelBuilder();
			registerSapAttributes(builder);
			builder.replicate(robot, { count: worlds.length });
			const model = builder.finalize({ keepInertia: true });
			const bodies = model.bodyCount / worlds.length;
			// masses and gains differ from world to world
			for (const [at, world] of worlds.entries()) {
				for (let b = 0; b < bodies; b++) model.bodyMass[at * bodies + b]! *= 1 + 0.1 * world;
				const dofs = model.jointDofCount / worlds.length;
				for (let d = 0; d < dofs; d++) model.jointTargetKe[at * dofs + d]! *= 1 + 0.2 * world;
			}
			const solver = new SolverSap(model, { contactPresetVariant: preset });
			expect(solver.engine).toBe(preset === 'drake' ? 'wasm' : 'wasm32');
			const pipeline = new CollisionPipeline(model);
			const contacts = pipeline.createContacts({ perWorld: 32 });
			let state = model.createState();
			let next = model.createState();
			const [dofs, coords] = [model.jointDofCount / worlds.length, model.jointCoordCount / worlds.length];
			for (const [at, world] of worlds.entries()) {
				const random = new Random(100 + world);
				for (let d = 0; d < dofs; d++) state.jointQd[at * dofs + d] = random.between(-3, 3);
			}
			new ArticulatedDynamics(model).forwardKinematics(state);
			for (let step = 0; step < 40; step++) {
				pipeline.collide(state, contacts, solver.lookAhead(0.004));
				next.assign(state);
				solver.step(state, next, undefined, contacts, 0.004, options);
				[state, next] = [next, state];
			}
			return worlds.map((_, at) => [
				...state.jointQ.subarray(at * coords, (at + 1) * coords),
				...state.jointQd.subarray(at * dofs, (at + 1) * dofs),
			]);
		};
		const alone = Array.from({ length: count }, (_, world) => run([world])[0]!);
		const bits = (numbers: readonly number[]): string => Buffer.from(Float64Array.from(numbers).buffer).toString('hex');
		for (const worlds of [
			[0, 1],
			[2, 1, 0],
			[3, 1, 4, 0, 5],
			[6, 5, 4, 3, 2, 1, 0],
		]) {
			const together = run(worlds);
			for (const [at, world] of worlds.entries()) expect(bits(together[at]!), `${worlds}`).toBe(bits(alone[world]!));
		}
		const masked = run([0, 1, 2], { mask: [0, 1, 1] });
		expect(bits(masked[1]!)).toBe(bits(alone[1]!));
		expect(bits(masked[2]!)).toBe(bits(alone[2]!));
		const ranged = run([0, 1, 2, 3], { range: { start: 1, end: 3 } });
		expect(bits(ranged[1]!)).toBe(bits(alone[1]!));
		expect(bits(ranged[2]!)).toBe(bits(alone[2]!));
		// a world that is left out stays
		expect(ranged[3]).toEqual(run([3, 0], { mask: [0, 1] })[0]);
		// more worlds than are copied at once, some of them left out
		const many = Array.from({ length: 37 }, (_, at) => (3 * at) % count);
		const isLeftOut = (at: number): boolean => at % 5 === 3 || (at >= 16 && at < 24);
		const stepped = run(many, { mask: many.map((_, at) => (isLeftOut(at) ? 0 : 1)), range: { start: 1, end: 36 } });
		for (const [at, world] of many.entries()) {
			const isStepped = at >= 1 && at < 36 && !isLeftOut(at);
			expect(bits(stepped[at]!) === bits(alone[world]!), `world ${at}`).toBe(isStepped);
		}
	});

	it.each(['drake', 'approx32'] as const)(
		'gives every world its own gravity, forces, controls and fault in %s',
		(preset) => {
			/** What a world is given, by its number: the second of three loses its numbers. */
			const run = (worlds: readonly number[]) => {
				const builder = new ModelBuilder();
				registerSapAttributes(builder);
				builder.replicate(randomRobot(4), { count: worlds.length });
				const model = builder.finalize({ keepInertia: true });
				const control = model.createControl();
				const state = model.createState();
				const next = model.createState();
				const [dofs, coords, bodies] = [model.jointDofCount, model.jointCoordCount, model.bodyCount].map(
					(total) => total / worlds.length,
				) as [number, number, number];
				for (const [at, world] of worlds.entries()) {
					model.setGravity([0.1 * world, 0, -world], { world: at });
					const random = new Random(world);
					for (let d = 0; d < dofs; d++) {
						control.jointF[at * dofs + d] = world % 3 === 1 ? Number.NaN : random.between(-1, 1);
						control.jointAct[at * dofs + d] = random.between(-1, 1);
						control.jointTargetQd[at * dofs + d] = random.between(-1, 1);
					}
					for (let q = 0; q < coords; q++) control.jointTargetQ[at * coords + q] = random.between(-1, 1);
					for (let b = 0; b < 6 * bodies; b++)
						state.bodyF[6 * at * bodies + b] = world % 2 === 0 ? 0 : random.between(-1, 1);
				}
				new ArticulatedDynamics(model).forwardKinematics(state);
				const solver = new SolverSap(model, { contactPresetVariant: preset });
				expect(solver.engine).toBe(preset === 'drake' ? 'wasm' : 'wasm32');
				const work = new Float64Array(worlds.length);
				solver.step(state, next, control, undefined, 0.004, { work });
				return worlds.map((_, at) => ({
					numbers: [
						...next.jointQ.subarray(at * coords, (at + 1) * coords),
						...next.jointQd.subarray(at * dofs, (at + 1) * dofs),
						...next.bodyQ.subarray(7 * at * bodies, 7 * (at + 1) * bodies),
						...next.bodyQd.subarray(6 * at * bodies, 6 * (at + 1) * bodies),
					],
					work: work[at]!,
					fault: solver.outcome.fault[at]!,
				}));
			};
			const worlds = Array.from({ length: 21 }, (_, world) => world);
			const together = run(worlds);
			for (const world of worlds) {
				expect(together[world], `world ${world}`).toEqual(run([world])[0]);
				expect(together[world]!.fault === WorldFault.DIVERGED).toBe(world % 3 === 1);
			}
			expect(new Set(together.map(({ numbers }) => String(numbers))).size).toBeGreaterThan(14);
		},
	);

	it('meets limits that free motion alone tells of, with the same counts, and so whatever the world beside it does', () => {
		// arms at rest with weak drives; forces carry some of them over a limit within the step
		const makeArms = (worlds: number): Model => {
			const builder = new ModelBuilder({ gravity: [0, 0, 0] });
			registerSapAttributes(builder);
			const arm = new ModelBuilder({ gravity: [0, 0, 0] });
			registerSapAttributes(arm);
			const joints: number[] = [];
			for (let i = 0; i < 4; i++) {
				const child = arm.addLink({ mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.03] });
				const axis = { axis: [0, i % 2, 1 - (i % 2)], targetKe: 2, targetKd: 0.1, limitKe: 1000, limitKd: 200 };
				const limits = { limitLower: -0.02, limitUpper: 0.03, targetMode: JointTargetMode.POSITION };
				joints.push(
					arm.addJointRevolute({
						parent: i - 1,
						child,
						parentXform: { p: [i === 0 ? 0 : 0.2, 0, 0] },
						...axis,
						...limits,
					}),
				);
			}
			arm.addArticulation(joints);
			for (let world = 0; world < worlds; world++) builder.addWorld(arm);
			return builder.finalize({ keepInertia: true });
		};
		const forceOf = (world: number, dof: number): number => (world === 0 ? 0 : world * [40, -25, 6, -3][dof]!);
		const worlds = 5;
		const step = (
			model: Model,
			engine: 'wasm' | 'reference',
			first: number,
			options: SolverSapOptions = {},
		): { solver: SolverSap; out: State } => {
			const solver = new SolverSap(model, { engine, ...options });
			const control = model.createControl();
			for (let dof = 0; dof < control.jointF.length; dof++)
				control.jointF[dof] = forceOf(first + Math.floor(dof / 4), dof % 4);
			const state = model.createState();
			const out = model.createState();
			solver.step(state, out, control, undefined, 0.01);
			return { solver, out };
		};
		const all = step(makeArms(worlds), 'wasm', 0);
		const reference = step(makeArms(worlds), 'reference', 0);
		expect(all.solver.engineNote).toBeUndefined();
		expect(difference(all.out.jointQd, reference.out.jointQd)).toBeLessThan(5e-13);
		for (const count of ['iterations', 'stop'] as const)
			expect(all.solver.outcome[count]).toEqual(reference.solver.outcome[count]);
		// momentum and impulses at the guess are those of the reference too
		const [guess, expected] = (['wasm', 'reference'] as const).map(
			(engine) => step(makeArms(worlds), engine, 0, { maxIterations: 0 }).solver.outcome.residual,
		);
		expect(difference(guess!, expected!)).toBeLessThan(1e-12);
		expect(Math.min(...expected!.subarray(1))).toBeGreaterThan(0.1);
		// the first world stays where it is, the last is stopped short of what its forces would make of it
		expect(all.out.jointQd.subarray(0, 4)).toEqual(new Float64Array(4));
		expect(Math.max(...all.out.jointQd.map(Math.abs))).toBeLessThan(15);
		expect(all.solver.outcome.iterations[4]).toBeGreaterThan(1);
		for (let world = 0; world < worlds; world++) {
			const alone = step(makeArms(1), 'wasm', world);
			expect(alone.out.jointQd).toEqual(all.out.jointQd.subarray(4 * world, 4 * world + 4));
		}
	});

	it('lets worlds touch a body that belongs to none of them and does not move', () => {
		const states = (['reference', 'wasm'] as const).map((engine) => {
			const builder = new ModelBuilder();
			registerSapAttributes(builder);
			const table = builder.addLink({ mass: 1, xform: { p: [0, 0, 0.2] } });
			builder.addShapeBox(table, { halfExtents: [1, 1, 0.1], config: { ke: 1e5 } });
			const ball = new ModelBuilder();
			registerSapAttributes(ball);
			ball.addShapeSphere(ball.addBody({ xform: { p: [0.1, 0, 0.395] } }), { radius: 0.1, config: { ke: 1e5 } });
			builder.replicate(ball, { count: 3 });
			const runner = new Runner(builder, { engine });
			expect(runner.solver.engine).toBe(engine);
			runner.step(0.004, 100);
			expect([...runner.solver.outcome.contactCount]).toEqual([1, 1, 1]);
			return runner.state;
		});
		for (const part of PARTS) expect(difference(states[0]![part], states[1]![part])).toBeLessThan(1e-9);
		// the ball lies on the table
		for (const body of [1, 2, 3]) expect(states[1]!.bodyQ[7 * body + 2]).toBeCloseTo(0.4, 2);
	});

	it('leaves robots of a hundred joints on a fixed base away from the origin where they stand', () => {
		const results = (['reference', 'wasm'] as const).map((engine) => {
			const chain = new ModelBuilder();
			registerSapAttributes(chain);
			const joints: number[] = [];
			for (let parent = -1; parent < 100; parent++) {
				const child = chain.addLink({ mass: 0.1, inertia: [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3], lockInertia: true });
				const place = { parent, child, parentXform: { p: [0.02, 0, 0] } };
				joints.push(parent < 0 ? chain.addJointFixed(place) : chain.addJointRevolute({ ...place, axis: [0, 1, 0] }));
			}
			chain.addArticulation(joints);
			const builder = new ModelBuilder();
			registerSapAttributes(builder);
			for (const x of [-1, 1]) builder.addWorld(chain, { xform: { p: [x, 0, 0] } });
			const runner = new Runner(builder, { engine });
			expect(runner.solver.engine).toBe(engine);
			runner.step(0.002, 3);
			return runner.state;
		});
		expect(results[1]!.bodyQ[0]).toBe(-0.98);
		for (const part of PARTS) expect(difference(results[0]![part], results[1]![part]), part).toBeLessThan(1e-9);
	});

	it('takes edits of the model over when it is told of them', () => {
		const results = (['reference', 'wasm'] as const).map((engine) => {
			const model = randomRobot(11).finalize({ keepInertia: true });
			const solver = new SolverSap(model, { engine });
			for (let body = 0; body < model.bodyCount; body++) model.bodyMass[body]! *= 2;
			for (let dof = 0; dof < model.jointDofCount; dof++) model.jointDamping[dof] = 0.4;
			for (let i = 0; i < model.jointXP.length; i += 7) model.jointXP[i]! += 0.03;
			solver.notifyModelChanged(ModelFlags.ALL);
			const [state, next] = [model.createState(), model.createState()];
			shake(model, state, 11);
			solver.step(state, next, undefined, undefined, 0.01);
			return next.jointQd;
		});
		expect(difference(results[0]!, results[1]!)).toBeLessThan(1e-12);
	});

	it('places bodies anew when frames of joints are moved between two steps', () => {
		const results = (['reference', 'wasm'] as const).map((engine) => {
			const model = randomRobot(11).finalize({ keepInertia: true });
			const solver = new SolverSap(model, { engine });
			const states = [model.createState(), model.createState(), model.createState()] as const;
			shake(model, states[0], 11);
			solver.step(states[0], states[1], undefined, undefined, 0.01);
			for (let i = 0; i < model.jointXP.length; i += 7) model.jointXP[i]! += 0.03;
			solver.notifyModelChanged(ModelFlags.JOINT_PROPERTIES);
			solver.step(states[1], states[2], undefined, undefined, 0.01);
			return states[2];
		});
		for (const part of PARTS) expect(difference(results[0]![part], results[1]![part]), part).toBeLessThan(1e-11);
	});

	it.each(['drake', 'approx32'] as const)(
		'stops a world whose numbers overflow and leaves its neighbour alone in %s',
		(preset) => {
			const builder = new ModelBuilder();
			registerSapAttributes(builder);
			builder.replicate(randomRobot(4), { count: 2 });
			const model = builder.finalize({ keepInertia: true });
			const solver = new SolverSap(model, { contactPresetVariant: preset });
			const [state, next] = [model.createState(), model.createState()];
			const calm = model.createState();
			solver.step(state, calm, undefined, undefined, 0.01);
			state.jointQd[0] = 1e300;
			solver.step(state, next, undefined, undefined, 0.01);
			expect(solver.outcome.fault[0]).not.toBe(0);
			expect(solver.outcome.fault[1]).toBe(0);
			const half = model.jointDofCount / 2;
			expect(next.jointQd.subarray(0, half)).toEqual(state.jointQd.subarray(0, half));
			expect(next.jointQd.subarray(half)).toEqual(calm.jointQd.subarray(half));
		},
	);
});
