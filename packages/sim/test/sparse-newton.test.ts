import type { ModelBuilder } from '@manyworlds/model';
import { describe, expect, it } from 'vitest';
import { type SparseExports, SparseNewton } from '../src/engine/sparse-newton.ts';
import { contactWeight } from '../src/internal.ts';
import { regulariseContact } from '../src/sap/regularise.ts';
import { SAP_NEWTON_DEFAULTS, SapNewton, type SapNewtonOptions, SapStop } from '../src/sap/sap-newton.ts';
import { SapProblem } from '../src/sap/sap-problem.ts';
import { instantiateKernels } from '../src/wasm/kernels.ts';
import { addBox, makeBuilder, ofMaterial, Runner } from './make-scene.ts';

/** Numbers between 0 and 1 in a fixed sequence. */
function makeRandom(seed: number): (low: number, high: number) => number {
	let state = seed >>> 0;
	return (low, high) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return low + ((high - low) * state) / 2 ** 32;
	};
}

/** A chain of degrees of freedom that hangs on the one that comes last, `size` of them, with `branches` chains on it. */
function addTree(firsts: number[], size: number, branches: readonly number[]): void {
	const start = firsts.length;
	for (const branch of branches) {
		const own = firsts.length;
		for (let i = 0; i < branch; i++) firsts.push(own);
	}
	for (let i = 0; i < size; i++) firsts.push(start);
}

/** A problem of free bodies, trees with branches and single axes, with contacts and rows between any of them. */
function randomProblem(seed: number): SapProblem {
	const random = makeRandom(seed);
	const pick = (count: number): number => Math.min(count - 1, Math.floor(random(0, count)));
	const firsts: number[] = [];
	const trees: { start: number; end: number }[] = [];
	const treeCount = 2 + pick(12);
	for (let tree = 0; tree < treeCount; tree++) {
		const start = firsts.length;
		const kind = pick(4);
		if (kind < 2) addTree(firsts, 6, []);
		else if (kind === 2) addTree(firsts, 1 + pick(3), []);
		else
			addTree(
				firsts,
				1 + pick(6),
				Array.from({ length: 2 + pick(2) }, () => 1 + pick(4)),
			);
		trees.push({ start, end: firsts.length });
	}
	const problem = new SapProblem();
	problem.reset(firsts.length);
	for (const [row, first] of firsts.entries()) problem.mass.widen(row, first);
	problem.mass.layOut();
	for (const [row, first] of firsts.entries()) {
		for (let column = first; column <= row; column++) {
			// small beside the diagonal, so that the matrix is positive definite
			problem.mass.values[problem.mass.base[row]! + column] = column === row ? random(1, 5) : random(-0.05, 0.05);
		}
		problem.vStar[row] = random(-1, 1);
	}
	/** The way from a degree of freedom to the root of its tree. */
	const wayFrom = (dof: number, end: number): number[] => {
		const way = [dof];
		for (let up = dof + 1; up < end; up++) if (firsts[up]! <= dof) way.push(up);
		return way;
	};
	const columnsOf = (): number[] => {
		const two = [trees[pick(trees.length)]!, trees[pick(trees.length)]!];
		const ways = two.flatMap(({ start, end }) => wayFrom(start + pick(end - start), end));
		return [...new Set(ways)].sort((a, b) => a - b);
	};
	const contacts = pick(20);
	for (let i = 0; i < contacts; i++) {
		const c = problem.addContact(pick(4) === 0 ? 0 : random(0.1, 1));
		for (const dof of columnsOf()) problem.addContactColumn(dof, random(-1, 1), random(-1, 1), random(-1, 1));
		regulariseContact(problem, c, contactWeight(problem, c), 0.005, {
			stiffness: 10 ** random(3, 7),
			tau: 0.01,
			phi: random(-0.01, 0.002),
			beta: 1,
			sigma: 1e-3,
		});
	}
	const rows = 1 + pick(10);
	for (let i = 0; i < rows; i++) {
		const isBounded = pick(2) === 0;
		const row = problem.addRow(isBounded ? -random(0, 0.2) : 0, isBounded ? random(0, 0.2) : Number.POSITIVE_INFINITY);
		for (const dof of pick(2) === 0 ? [pick(firsts.length)] : columnsOf()) problem.addRowColumn(dof, random(-1, 1));
		problem.rowR[row] = 10 ** random(-4, -1);
		problem.rowVHat[row] = random(-1, 1);
	}
	return problem;
}

function sparseNewton(options: Partial<SapNewtonOptions> = {}): SparseNewton {
	return new SparseNewton(instantiateKernels<SparseExports>('sparse')!, { ...SAP_NEWTON_DEFAULTS, ...options });
}

/** The first of the problems that takes more than three steps. */
function slowProblem(): SapProblem {
	const newton = new SapNewton();
	for (let seed = 1; ; seed++) {
		const problem = randomProblem(seed);
		newton.solve(problem, new Float64Array(problem.dofCount));
		if (newton.iterations > 3) return problem;
	}
}

function largest(numbers: ArrayLike<number>, count: number): number {
	let most = 0;
	for (let i = 0; i < count; i++) most = Math.max(most, Math.abs(numbers[i]!));
	return most;
}

describe('sparse Newton beside the reference', () => {
	it('solves 600 problems of trees, contacts and rows to the same velocities and impulses', () => {
		// islands are solved to the tolerance one by one, so that has to be far below what is compared
		const options = { optimalityRelTol: 1e-12 };
		const sparse = sparseNewton(options);
		const reference = new SapNewton(options);
		let contacts = 0;
		let iterations = 0;
		for (let seed = 1; seed <= 600; seed++) {
			const problem = randomProblem(seed);
			const n = problem.dofCount;
			const found = new Float64Array(n);
			const expected = new Float64Array(n);
			sparse.solve(problem, found);
			const impulses = problem.contactImpulse.slice(0, 3 * problem.contactCount);
			const rowImpulses = problem.rowImpulse.slice(0, problem.rowCount);
			reference.solve(problem, expected);
			const size = largest(expected, n);
			for (let i = 0; i < n; i++) expect(Math.abs(found[i]! - expected[i]!) / size, `seed ${seed}`).toBeLessThan(1e-9);
			const push = Math.max(
				largest(problem.contactImpulse, impulses.length),
				largest(problem.rowImpulse, rowImpulses.length),
			);
			for (const [i, value] of impulses.entries())
				expect(Math.abs(value - problem.contactImpulse[i]!), `seed ${seed}`).toBeLessThan(1e-6 * push + 1e-12);
			for (const [i, value] of rowImpulses.entries())
				expect(Math.abs(value - problem.rowImpulse[i]!), `seed ${seed}`).toBeLessThan(1e-6 * push + 1e-12);
			expect(sparse.converged, `seed ${seed}`).toBe(reference.converged);
			expect(sparse.iterations, `seed ${seed}`).toBeLessThanOrEqual(reference.iterations + 2);
			expect(sparse.relativeResidual, `seed ${seed}`).toBeLessThan(1e-11);
			expect(sparse.cost).toBeCloseTo(reference.cost, 8);
			contacts += problem.contactCount;
			iterations += reference.iterations;
		}
		expect(contacts).toBeGreaterThan(3000);
		expect(iterations).toBeGreaterThan(1500);
	});

	it('takes as many steps as the reference where everything hangs together', () => {
		const sparse = sparseNewton();
		const reference = new SapNewton();
		let most = 0;
		for (let seed = 1; seed <= 100; seed++) {
			const problem = randomProblem(seed);
			const row = problem.addRow(-1e-3, 1e-3);
			for (let dof = 0; dof < problem.dofCount; dof++) problem.addRowColumn(dof, 0.1);
			problem.rowR[row] = 1;
			const [found, expected] = [new Float64Array(problem.dofCount), new Float64Array(problem.dofCount)];
			sparse.solve(problem, found);
			reference.solve(problem, expected);
			expect(sparse.iterations, `seed ${seed}`).toBe(reference.iterations);
			expect(sparse.lineSearchEvaluations, `seed ${seed}`).toBe(reference.lineSearchEvaluations);
			expect(sparse.stop, `seed ${seed}`).toBe(reference.stop);
			expect(sparse.residualScale / reference.residualScale).toBeCloseTo(1, 9);
			most = Math.max(most, sparse.iterations);
		}
		expect(most).toBeGreaterThan(4);
	});

	it('lets an island that is solved wait for no other', () => {
		const lone = (): SapProblem => {
			const problem = new SapProblem();
			problem.reset(2);
			problem.mass.layOut();
			problem.mass.values.fill(1, 0, 2);
			return problem;
		};
		// one row that is linear, and one that runs into its bound
		const problem = lone();
		for (const dof of [0, 1]) {
			const row = problem.addRow(dof === 0 ? -9 : 0, dof === 0 ? 9 : 0.01);
			problem.addRowColumn(dof, 1);
			problem.rowR[row] = 0.1;
			problem.rowVHat[row] = 1;
		}
		const v = new Float64Array(2);
		const newton = sparseNewton({ optimalityRelTol: 1e-14 });
		newton.solve(problem, v);
		// γ = (v̂ − v) / R and v = γ; at the bound v = 0.01
		expect(v[0]).toBeCloseTo(1 / 1.1, 14);
		expect(v[1]).toBe(0.01);
		expect([...problem.rowImpulse.subarray(0, 2)]).toEqual([expect.closeTo(1 / 1.1, 13), 0.01]);
	});

	it('gives free motion where nothing constrains', () => {
		const problem = randomProblem(5);
		problem.contactCount = 0;
		problem.rowCount = 0;
		const v = new Float64Array(problem.dofCount);
		const newton = sparseNewton();
		expect(newton.solve(problem, v)).toBe(true);
		expect([...v]).toEqual([...problem.vStar.subarray(0, problem.dofCount)]);
		expect(newton.iterations).toBe(0);
		expect(newton.relativeResidual).toBe(0);
	});

	it('says when it is out of iterations, and keeps the best velocities', () => {
		const problem = slowProblem();
		const reference = new SapNewton({ maxIterations: 1 });
		const newton = sparseNewton({ maxIterations: 1 });
		const [found, expected] = [new Float64Array(problem.dofCount), new Float64Array(problem.dofCount)];
		expect(newton.solve(problem, found)).toBe(false);
		reference.solve(problem, expected);
		expect(newton.stop).toBe(SapStop.ITERATIONS);
		expect(reference.stop).toBe(SapStop.ITERATIONS);
		for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 9);
	});

	it('says that a mass matrix that is not positive definite is broken', () => {
		const problem = slowProblem();
		const { base, values } = problem.mass;
		for (let i = 0; i < problem.dofCount; i++) values[base[i]! + i] = -1;
		const newton = sparseNewton();
		expect(newton.solve(problem, new Float64Array(problem.dofCount))).toBe(false);
		expect(newton.stop).toBe(SapStop.BROKEN);
	});

	it('adds a shift of the diagonal', () => {
		const problem = slowProblem();
		const [found, expected] = [new Float64Array(problem.dofCount), new Float64Array(problem.dofCount)];
		const [sparse, reference] = [sparseNewton({ diagShift: 0.3 }), new SapNewton({ diagShift: 0.3 })];
		sparse.solve(problem, found);
		reference.solve(problem, expected);
		for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 5);
		// a shift makes steps shorter, so their number shows it
		expect(sparse.iterations).toBe(reference.iterations);
		const plain = new SapNewton();
		plain.solve(problem, new Float64Array(problem.dofCount));
		expect(sparse.iterations).toBeGreaterThan(plain.iterations);
	});
});

/** Boxes in four heaps. */
function heaps(count: number): ModelBuilder {
	const builder = makeBuilder();
	const material = { ke: 1e5, tau: 0.01, mu: 0.6 };
	for (let i = 0; i < count; i++) {
		const place = [1.5 * (i % 4) + 0.03 * (i % 3), 0.02 * (i % 5), 0.06 + 0.12 * Math.floor(i / 4)];
		addBox(builder, [0.1, 0.08, 0.05], 1 + 0.1 * (i % 7), place, material);
	}
	builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(material) });
	return builder;
}

/** An arm of three hinges with drives, of which two are coupled, that sweeps through boxes on a plane: twelve trees. */
function armAmongBoxes(): ModelBuilder {
	const builder = makeBuilder();
	const material = { ke: 1e5, tau: 0.01, mu: 0.6 };
	const joints: number[] = [];
	let parent = -1;
	for (let i = 0; i < 3; i++) {
		const child = builder.addLink({ mass: 0.8, com: [0.1, 0, 0], inertia: [1e-3, 0, 0, 0, 4e-3, 0, 0, 0, 4e-3] });
		builder.addShapeCapsule(child, {
			radius: 0.04,
			halfHeight: 0.08,
			xform: { p: [0.1, 0, 0], q: [0, Math.SQRT1_2, 0, Math.SQRT1_2] },
			...ofMaterial(material),
		});
		joints.push(
			builder.addJointRevolute({
				parent,
				child,
				axis: 'z',
				parentXform: { p: parent < 0 ? [0, 0, 0.06] : [0.22, 0, 0] },
				targetKe: 40,
				targetKd: 2,
				limitLower: -0.7,
				limitUpper: 0.7,
				limitKe: 500,
			}),
		);
		parent = child;
	}
	builder.addArticulation(joints);
	builder.addConstraintMimic({ joint0: joints[1]!, joint1: joints[0]!, coef0: 0, coef1: 0.5 });
	for (let i = 0; i < 11; i++) {
		const place = [0.15 + 0.06 * i, 0.12 + 0.05 * (i % 4), 0.051 + 0.1 * (i % 2)];
		addBox(builder, [0.05, 0.04, 0.05], 0.2 + 0.02 * i, place, material);
	}
	builder.addShapePlane({ width: 0, length: 0, ...ofMaterial(material) });
	return builder;
}

describe('worlds of many bodies', () => {
	it.each([
		['wasm', {}, undefined],
		// nothing sleeps in the time that is looked at
		['sparse', { sleepTime: 10 }, 'bodies may fall asleep'],
	] as const)('are solved by blocks of bodies to what the reference comes to (%s)', (engine, options, note) => {
		const reference = new Runner(heaps(24), { engine: 'reference' }, 256);
		const blocks = new Runner(heaps(24), { engine: 'wasm', ...options }, 256);
		expect(blocks.solver.engine).toBe(engine);
		expect(blocks.solver.engineNote).toBe(note);
		let contacts = 0;
		for (let step = 0; step < 60; step++) {
			reference.step(0.005);
			blocks.step(0.005);
			contacts += reference.contacts.rigidCount;
			expect([...blocks.solver.outcome.contactCount]).toEqual([...reference.solver.outcome.contactCount]);
			expect([...blocks.solver.outcome.stop]).toEqual([...reference.solver.outcome.stop]);
		}
		expect(contacts).toBeGreaterThan(3000);
		for (const [i, value] of reference.state.bodyQ.entries()) expect(blocks.state.bodyQ[i]).toBeCloseTo(value, 6);
		const forces = reference.contacts.rigidForce!;
		const size = largest(forces, 6 * reference.contacts.rigidCount);
		for (let i = 0; i < 6 * reference.contacts.rigidCount; i++)
			expect(Math.abs(blocks.contacts.rigidForce![i]! - forces[i]!)).toBeLessThan(1e-3 * size);
	});

	it('step a robot among objects by the engine as the reference does, with drives, limits, a coupling and work', () => {
		const [reference, engine] = (['reference', 'wasm'] as const).map((which) => {
			const runner = new Runner(
				armAmongBoxes(),
				{ engine: which, optimalityRelTol: 1e-12, costRelTol: 0, costAbsTol: 0 },
				256,
			);
			runner.control.jointTargetQ.fill(0.9);
			for (let dof = 0; dof < 3; dof++) runner.state.jointQd[dof] = 0.3 * (dof + 1);
			// it runs into its upper limit
			runner.state.jointQ[2] = 0.69;
			runner.place();
			return runner;
		}) as [Runner, Runner];
		expect(engine.solver.engine).toBe('wasm');
		let mostWork = 0;
		for (let step = 0; step < 40; step++) {
			const work = [new Float64Array(1), new Float64Array(1)] as const;
			for (const [i, runner] of [reference, engine].entries()) {
				runner.pipeline.collide(runner.state, runner.contacts, runner.solver.lookAhead(0.005));
				runner.solver.step(runner.state, runner.next, runner.control, runner.contacts, 0.005, { work: work[i]! });
				[runner.state, runner.next] = [runner.next, runner.state];
			}
			expect(work[1][0]).toBeCloseTo(work[0][0]!, 6);
			mostWork = Math.max(mostWork, Math.abs(work[0][0]!));
			expect([...engine.solver.outcome.iterations][0]).toBeGreaterThan(0);
			expect([...engine.solver.outcome.dofCount]).toEqual([...reference.solver.outcome.dofCount]);
			for (const part of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const)
				for (const [i, value] of reference.state[part].entries())
					expect(Math.abs(engine.state[part][i]! - value), `${part}[${i}] of step ${step}`).toBeLessThan(1e-6);
		}
		expect(mostWork).toBeGreaterThan(1e-3);
		expect(Math.abs(engine.state.jointQ[2]! - 0.7)).toBeLessThan(0.05);
		// the second joint goes half as far as the first
		expect(engine.state.jointQ[1]).toBeCloseTo(0.5 * engine.state.jointQ[0]!, 3);
	});

	it('fly freely by the engine as by the reference where nothing touches', () => {
		const [reference, engine] = (['reference', 'wasm'] as const).map((which) => {
			const builder = makeBuilder();
			for (let i = 0; i < 10; i++) addBox(builder, [0.1, 0.2, 0.05], 1 + i, [i, 0, 3], { ke: 1e5, tau: 0, mu: 0.5 });
			const runner = new Runner(builder, { engine: which });
			for (let i = 0; i < 60; i++) runner.state.jointQd[i] = Math.sin(i);
			runner.step(0.005, 20);
			return runner;
		}) as [Runner, Runner];
		expect(engine.solver.engine).toBe('wasm');
		expect(engine.solver.outcome.iterations[0]).toBe(0);
		expect(engine.solver.outcome.converged[0]).toBe(1);
		for (const [i, value] of reference.state.jointQ.entries()) expect(engine.state.jointQ[i]).toBeCloseTo(value, 11);
	});

	it('have the bits that they have alone, whatever their neighbours do', () => {
		const start = (runner: Runner, world: number, kind: number): void => {
			const size = runner.state.jointQd.length / Math.max(1, runner.model.worldCount);
			for (let i = 0; i < size; i++) runner.state.jointQd[world * size + i] = kind * Math.sin(i + kind);
		};
		const alone = [0, 1, 2].map((kind) => {
			const runner = new Runner(heaps(12), { engine: 'wasm' }, 256);
			start(runner, 0, kind);
			runner.step(0.005, 40);
			return runner;
		});
		const builder = makeBuilder();
		builder.replicate(heaps(12), { count: 3, spacing: [0, 0, 0] });
		const together = new Runner(builder, { engine: 'wasm' }, 256);
		for (let world = 0; world < 3; world++) start(together, world, world);
		together.step(0.005, 40);
		expect(new Set(alone.map((runner) => runner.contacts.rigidCount)).size).toBeGreaterThan(1);
		for (const [world, { state, contacts }] of alone.entries()) {
			for (const part of ['jointQ', 'jointQd', 'bodyQ'] as const) {
				const { length } = state[part];
				expect([...together.state[part].subarray(world * length, (world + 1) * length)]).toEqual([...state[part]]);
			}
			const rows = together.contacts.worldStart[world]!;
			const forces = together.contacts.rigidForce!.subarray(6 * rows, 6 * (rows + contacts.rigidCount));
			expect([...forces]).toEqual([...contacts.rigidForce!.subarray(0, 6 * contacts.rigidCount)]);
		}
	});

	it('go to the reference where it is asked for, or options need it', () => {
		const engines = [
			{ engine: 'reference' },
			{ frictionModel: 'lagged' },
			{ lineSearchVariant: 'armijo_decay' },
			{ contactPresetVariant: 'approx32' },
		] as const;
		for (const options of engines) expect(new Runner(heaps(12), options).solver.engine).toBe('reference');
	});
});
