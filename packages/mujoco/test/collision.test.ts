import { type Model, type ModelBuilder, ModelFlags } from '@manyworlds/model';
import { CollisionPipeline } from '@manyworlds/sim';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convertModel } from '../src/convert/convert-model.ts';
import { MujocoError } from '../src/index.ts';
import { doubleField, intField } from '../src/internal.ts';
import { compile, mujocoBuilder, run, UNIT_INERTIA, withSolver } from './support.ts';

/** Free spheres, one for each collision group, all in one place. */
function spheres(groups: readonly number[], options: Readonly<Record<string, number>> = {}): ModelBuilder {
	const builder = mujocoBuilder();
	for (const collisionGroup of groups) {
		const body = builder.addBody({ mass: 1, inertia: UNIT_INERTIA });
		builder.addShapeSphere(body, { radius: 0.1, config: { density: 0, collisionGroup, ...options } });
	}
	return builder;
}

/** Whether masks and excludes of a converted model let two shapes collide. */
function collide(model: Model): (a: number, b: number) => boolean {
	const conversion = convertModel(model);
	const masks = new Map<string, [number, number]>();
	const bodyOf = new Map<string, string>();
	for (const body of conversion.sections.worldbody.children) {
		for (const geom of body.childrenNamed('geom')) {
			const name = geom.get('name')!;
			masks.set(name, [Number(geom.get('contype')), Number(geom.get('conaffinity'))]);
			bodyOf.set(name, body.get('name')!);
		}
	}
	const excluded = new Set(
		conversion.sections.contact.childrenNamed('exclude').flatMap((element) => {
			const [a, b] = [element.get('body1')!, element.get('body2')!];
			return [`${a} ${b}`, `${b} ${a}`];
		}),
	);
	return (a, b) => {
		const [first, second] = [conversion.geomNames.get(a)!, conversion.geomNames.get(b)!];
		if (excluded.has(`${bodyOf.get(first)} ${bodyOf.get(second)}`)) return false;
		const [typeA, affinityA] = masks.get(first)!;
		const [typeB, affinityB] = masks.get(second)!;
		return ((typeA & affinityB) | (typeB & affinityA)) !== 0;
	};
}

/** The rule of groups: 0 never, positive with the same or any negative one, negative with all others. */
function mayCollide(a: number, b: number): boolean {
	if (a === 0 || b === 0) return false;
	if (a > 0) return b === a || b < 0;
	return b !== a;
}

describe('collision filters', () => {
	test('groups and filter pairs become masks that let exactly the allowed pairs collide', () => {
		const cases = fc.record({
			groups: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 2, maxLength: 20 }),
			filters: fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 12 }),
		});
		fc.assert(
			fc.property(cases, ({ groups, filters }) => {
				const builder = spheres(groups);
				const filtered = new Set<string>();
				for (const [a, b] of filters) {
					if (a === b || Math.max(a, b) >= groups.length) continue;
					builder.addCollisionFilterPair(a, b);
					filtered.add(`${Math.min(a, b)} ${Math.max(a, b)}`);
				}
				const found = collide(builder.finalize());
				for (let a = 0; a < groups.length; a++) {
					for (let b = a + 1; b < groups.length; b++) {
						const expected = mayCollide(groups[a]!, groups[b]!) && !filtered.has(`${a} ${b}`);
						expect(found(a, b)).toBe(expected);
					}
				}
			}),
			{ numRuns: 60 },
		);
	});

	test('up to 32 colours have a bit each; the rest collides with everything, and is counted', () => {
		// the shapes of a body do not collide: bodies of many shapes that all collide with each other need a colour each,
		// and a filter within each pair of bodies keeps an exact cover from being found
		const builder = mujocoBuilder();
		const count = 40;
		const shapes: number[][] = [];
		for (let i = 0; i < count; i++) {
			const body = builder.addBody({ mass: 1, inertia: UNIT_INERTIA });
			shapes.push([0, 1].map(() => builder.addShapeSphere(body, { radius: 0.1, config: { density: 0 } })));
		}
		for (let i = 0; i < count; i++) {
			for (let j = i + 1; j < count; j++) {
				if ((i * 7 + j * 3) % 2 === 0) builder.addCollisionFilterPair(shapes[i]![0]!, shapes[j]![1]!);
			}
		}
		const model = builder.finalize();
		compile(model, ({ int, codes, messages }) => {
			expect(codes).toContain('MJC014');
			expect(messages.join()).toMatch(/\d+ pairs of shapes collide although/);
			const types = int('geom_contype');
			expect(new Set(types).size).toBeLessThanOrEqual(33);
			expect(types.every((type) => type === 1 || (type & (type - 1)) === 0)).toBe(true);
		});
	});

	test('a shape of group 0 has no masks', () => {
		compile(spheres([0, 1, 1]).finalize(), ({ int }) => {
			expect([int('geom_contype')[0], int('geom_conaffinity')[0]]).toEqual([0, 0]);
		});
	});
});

describe('contacts', () => {
	function boxOnPlane(): Model {
		const builder = mujocoBuilder();
		const body = builder.addBody({
			mass: 2,
			inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01],
			xform: [0, 0, 0.1, 0, 0, 0, 1],
		});
		builder.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.1], config: { density: 0 } });
		builder.addGroundPlane();
		return builder.finalize();
	}

	test("are MuJoCo's own unless they are given; without any the step is refused", () => {
		const model = boxOnPlane();
		withSolver(model, (solver) => {
			const end = run(solver, 500, 2e-3);
			expect(end.bodyQ[2]).toBeCloseTo(0.1, 3);
			expect(solver.outcome.contactCount[0]).toBe(4);
		});
		withSolver(
			model,
			(solver) => {
				expect(() => run(solver, 1, 2e-3)).toThrow(MujocoError);
				expect(() => run(solver, 1, 2e-3)).toThrow(/no contacts were given/);
				const pipeline = new CollisionPipeline(model);
				const contacts = pipeline.createContacts();
				const end = run(solver, 500, 2e-3, {
					contacts: (state) => {
						pipeline.collide(state, contacts);
						return contacts;
					},
				});
				expect(end.bodyQ[2]).toBeCloseTo(0.1, 3);
				// without contacts it falls
				contacts.clear();
				const fallen = run(solver, 100, 2e-3, { contacts: () => contacts });
				expect(fallen.bodyQ[2]).toBeLessThan(0);
			},
			{ useMujocoContacts: false },
		);
	});

	test('are not pulled unless asked for: updateContacts gives points, normals and forces', () => {
		const model = boxOnPlane();
		withSolver(model, (solver) => {
			const state = run(solver, 1000, 2e-3);
			const contacts = model.createContacts({ withForce: true });
			expect(contacts.rigidCount).toBe(0);
			solver.updateContacts(contacts, state);
			expect(contacts.rigidCount).toBe(4);
			let weight = 0;
			for (let row = 0; row < 4; row++) {
				expect(Math.abs(contacts.rigidNormal[3 * row + 2]!)).toBeCloseTo(1, 12);
				const isPlaneFirst = model.shapeBody[contacts.rigidShape0[row]!] === -1;
				weight += (isPlaneFirst ? -1 : 1) * contacts.rigidForce![6 * row + 2]!;
			}
			expect(weight / (2 * 9.81)).toBeCloseTo(1, 4);
		});
	});

	test('several per pair of convex shapes are found only on request', () => {
		const MULTICCD = 1 << 19;
		const flags = (options: object): number =>
			withSolver(boxOnPlane(), (solver) => solver.compiled.mj.opt.disableflags & MULTICCD, options);
		expect(flags({})).toBe(MULTICCD);
		expect(flags({ enableMulticcd: true })).toBe(0);
	});
});

describe('margins', () => {
	function withMargins(box: boolean): Model {
		const builder = mujocoBuilder();
		const body = builder.addBody({ mass: 1, inertia: UNIT_INERTIA });
		builder.addShapeSphere(body, { radius: 0.1, config: { density: 0, margin: 0.02 }, label: 'ball' });
		if (box) builder.addShapeBox(body, { halfExtents: [0.1, 0.1, 0.1], config: { density: 0 } });
		builder.addGroundPlane();
		return builder.finalize();
	}
	const ball = (model: Model, options: object): number =>
		compile(
			model,
			({ double, name, sizes }) => {
				const id = Array.from({ length: sizes.ngeom! }, (_, i) => name('GEOM', i)).findIndex((own) =>
					own.startsWith('ball'),
				);
				return double('geom_margin')[id]!;
			},
			options,
		);

	test('are kept, because the engine has no restriction on boxes', () => {
		expect(ball(withMargins(true), {})).toBe(0.02);
	});

	test('with newtonCompat a box zeroes them all, with a warning for each, and the model keeps its own', () => {
		const model = withMargins(true);
		expect(ball(model, { newtonCompat: true })).toBe(0);
		expect(model.shapeMargin.includes(0.02)).toBe(true);
		compile(
			model,
			({ codes, messages }) => {
				expect(codes.filter((code) => code === 'MJC017')).toHaveLength(1);
				expect(messages.join()).toContain("margin 0.02 m of shape 'ball'");
			},
			{ newtonCompat: true },
		);
		expect(ball(withMargins(false), { newtonCompat: true })).toBe(0.02);
	});

	test('with newtonCompat and given contacts they are put back after the compilation, without a warning', () => {
		const model = withMargins(true);
		withSolver(
			model,
			(solver) => {
				solver.notifyModelChanged(ModelFlags.SHAPE_PROPERTIES);
				expect([...doubleField(solver.compiled.mj, 'geom_margin')]).toContain(0.02);
				expect(solver.report.toArray().map(({ code }) => code)).not.toContain('MJC017');
			},
			{ newtonCompat: true, useMujocoContacts: false },
		);
	});
});

describe('contact pairs', () => {
	function withPair(row: Readonly<Record<string, number | number[]>>): Model {
		const builder = spheres([0, 0]);
		builder.addRow('mujoco:pair', { 'mujoco:pair_geom1': 0, 'mujoco:pair_geom2': 1, ...row });
		return builder.finalize();
	}

	test('are forwarded with every parameter, and collide shapes of group 0', () => {
		const model = withPair({
			'mujoco:pair_condim': 4,
			'mujoco:pair_solref': [0.03, 0.9],
			'mujoco:pair_solreffriction': [0.04, 0.8],
			'mujoco:pair_solimp': [0.8, 0.85, 0.01, 0.4, 3],
			'mujoco:pair_margin': 0.02,
			'mujoco:pair_gap': 0.01,
			'mujoco:pair_friction': [0.1, 0.2, 0.3, 0.4, 0.5],
		});
		withSolver(model, (solver) => {
			const { mj } = solver.compiled;
			const numbers = (name: string): number[] => [...doubleField(mj, name)];
			expect([...intField(mj, 'pair_dim')]).toEqual([4]);
			expect(numbers('pair_solref')).toEqual([0.03, 0.9]);
			expect(numbers('pair_solreffriction')).toEqual([0.04, 0.8]);
			expect(numbers('pair_solimp')).toEqual([0.8, 0.85, 0.01, 0.4, 3]);
			expect([numbers('pair_margin'), numbers('pair_gap')]).toEqual([[0.02], [0.01]]);
			expect(numbers('pair_friction')).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
			run(solver, 1, 1e-3);
			expect(solver.outcome.contactCount[0]).toBe(1);
			(model.attributes.get('mujoco:pair_friction') as Float64Array)[0] = 0.7;
			solver.notifyModelChanged(ModelFlags.SHAPE_PROPERTIES);
			expect(numbers('pair_friction')[0]).toBe(0.7);
		});
	});

	test('a pair of a shape that does not exist is left out by name', () => {
		compile(withPair({ 'mujoco:pair_geom2': 42 }), ({ sizes, codes, messages }) => {
			expect(sizes.npair).toBe(0);
			expect(codes).toContain('MJC013');
			expect(messages.join()).toContain('contact pair 0 is left out: shape 42');
		});
	});
});
