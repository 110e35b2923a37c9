import { Contacts, Control, type Model, ModelBuilder, ModelFlags, State } from '@manyworlds/model';
import { describe, expect, test } from 'vitest';
import { doubleField } from '../src/engine/mj-fields.ts';
import { WorldValues } from '../src/engine/world-values.ts';
import { SolverMujoco } from '../src/index.ts';
import { loadMujoco } from '../src/internal.ts';

const module = await loadMujoco();
const DT = 2e-3;

/** A ball above a plane and a driven arm, in each world; balls start at the given heights. */
function scene(heights: readonly number[]): Model {
	const one = new ModelBuilder();
	const ball = one.addBody({ mass: 1, inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01], xform: { p: [0, 0, 1] } });
	one.addShapeSphere(ball, { radius: 0.1 });
	const link = one.addLink({ mass: 0.5, com: [0.1, 0, 0], inertia: [1e-3, 0, 0, 0, 2e-3, 0, 0, 0, 2e-3] });
	one.addArticulation([
		one.addJointRevolute({
			child: link,
			axis: 'y',
			parentXform: { p: [1, 0, 1] },
			targetKe: 5,
			targetKd: 0.2,
			armature: 0.01,
		}),
	]);
	const builder = new ModelBuilder();
	builder.replicate(one, { count: heights.length });
	builder.addGroundPlane();
	const model = builder.finalize();
	const coordinates = model.jointCoordCount / heights.length;
	for (const [world, height] of heights.entries()) model.jointQ[world * coordinates + 2] = height;
	return model;
}

function steps(solver: SolverMujoco, count: number, start: State = new State(solver.model)): State {
	let [now, next] = [start, new State(solver.model)];
	const control = new Control(solver.model);
	for (let i = 0; i < count; i++) {
		solver.step(now, next, control, undefined, DT);
		[now, next] = [next, now];
	}
	return now;
}

function using_<T>(model: Model, use: (solver: SolverMujoco) => T): T {
	const solver = new SolverMujoco(module, model);
	try {
		return use(solver);
	} finally {
		solver.dispose();
	}
}

describe('contacts of a world', () => {
	test('are those of its own last step, whichever world was stepped last, and asking changes nothing', () => {
		const heights = [0.0995, 2, 0.0985, 3];
		const counts = [1, 0, 1, 0];
		const model = scene(heights);
		const expected = using_(model, (solver) => [...steps(solver, 12).jointQ]);
		const found = using_(model, (solver) => {
			const state = steps(solver, 5);
			const contacts = new Contacts(model, { rigidCapacity: 8, withForce: true });
			for (const world of [0, 1, 2, 3, 1, 0]) {
				solver.updateContacts(contacts, state, world);
				expect(contacts.rigidCount, `world ${world}`).toBe(counts[world]);
				if (contacts.rigidCount === 0) continue;
				const alone = scene([heights[world]!]);
				using_(alone, (single) => {
					const own = new Contacts(alone, { rigidCapacity: 8, withForce: true });
					single.updateContacts(own, steps(single, 5), 0);
					expect([...contacts.rigidForce!.subarray(0, 6)]).toEqual([...own.rigidForce!.subarray(0, 6)]);
					expect(own.rigidForce![2]).not.toBe(0);
				});
			}
			return [...steps(solver, 7, state).jointQ];
		});
		expect(found).toEqual(expected);
	});

	test('are none before the first step', () => {
		const model = scene([0.09, 0.09]);
		using_(model, (solver) => {
			const contacts = new Contacts(model, { rigidCapacity: 8 });
			solver.updateContacts(contacts, new State(model), 1);
			expect(contacts.rigidCount).toBe(0);
		});
	});
});

describe('worlds that are alike', () => {
	test('share all values of the compiled model, also where a zero has another sign there', () => {
		const one = new ModelBuilder();
		one.addShapeSphere(one.addBody({ mass: 1 }), { radius: 0.1 });
		const builder = new ModelBuilder();
		builder.replicate(one, { count: 3 });
		builder.addShapePlane({ width: 0, length: 0 });
		const model = builder.finalize();
		expect(model.shapeTransform.some((value) => Object.is(value, -0))).toBe(true);
		const solver = new SolverMujoco(module, model);
		const values = new WorldValues(solver.compiled, { start: 0, end: 3 });
		expect(values.differing).toEqual([]);
		const zeros = Array.from(doubleField(solver.compiled.mj, 'geom_pos'), (value) => Object.is(value, -0));
		expect(zeros).not.toContain(true);
		solver.dispose();
	});
});

describe('edits of some worlds', () => {
	const heights = [0.5, 0.6, 0.7];

	test('gravity of each world acts in that world only', () => {
		const model = scene(heights);
		using_(model, (solver) => {
			model.gravity.set([0, 0, -9.81, 0, 0, -1, 0, 3, 0]);
			solver.notifyModelChanged(ModelFlags.MODEL_PROPERTIES);
			const end = steps(solver, 10);
			const speed = (world: number): number[] => [...end.jointQd.subarray(7 * world, 7 * world + 3)];
			for (const [world, g] of [
				[0, 0, -9.81],
				[0, 0, -1],
				[0, 3, 0],
			].entries()) {
				for (let c = 0; c < 3; c++) expect(speed(world)[c]).toBeCloseTo(g[c]! * 10 * DT, 12);
			}
		});
	});

	test('only worlds of the mask take over an edit, also when the first one is among them', () => {
		for (const mask of [
			[1, 0, 0],
			[0, 1, 0],
			[0, 1, 1],
		]) {
			const model = scene(heights);
			const partly = scene(heights);
			const edit = (target: Model, world: number): void => {
				target.bodyMass[2 * world + 1] = 2;
				target.jointTargetKe[7 * world + 6] = 40;
			};
			for (let world = 0; world < 3; world++) if (mask[world] === 1) edit(partly, world);
			const expected = using_(partly, (solver) => [...steps(solver, 20).jointQ]);
			const found = using_(model, (solver) => {
				for (let world = 0; world < 3; world++) edit(model, world);
				solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES | ModelFlags.JOINT_DOF_PROPERTIES, mask);
				return [...steps(solver, 20).jointQ];
			});
			expect(found).toEqual(expected);
		}
	});

	test('a value that is put back is as if it had never been changed', () => {
		const model = scene(heights);
		const expected = using_(model, (solver) => [...steps(solver, 20).jointQ]);
		const found = using_(model, (solver) => {
			for (const mass of [3, 0.5]) {
				model.bodyMass[3] = mass;
				solver.notifyModelChanged(ModelFlags.BODY_INERTIAL_PROPERTIES);
			}
			return [...steps(solver, 20).jointQ];
		});
		expect(found).toEqual(expected);
	});

	test('a mask of another length is refused', () => {
		using_(scene(heights), (solver) => {
			expect(() => solver.notifyModelChanged(ModelFlags.ALL, [1])).toThrow('mask has 1 entries, expected 3');
		});
	});
});
